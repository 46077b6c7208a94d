package cli

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"unsafe"

	"github.com/brennerlint/brennerlint/internal/testenv"
)

// What is allocated after growInHugePages is in memory for which huge pages are asked.
func TestGrowInHugePages(t *testing.T) {
	testenv.SkipUnderRace(t) // whose heap does not grow in one piece
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("the kernel has no huge pages for who asks")
	}
	const n = 64 << 20
	growInHugePages(n)
	used := make([]byte, n/4)
	if at := uintptr(unsafe.Pointer(&used[n/8])); !inHugePages(t, at) {
		t.Errorf("no huge pages are asked for at %#x", at)
	}
}

// inHugePages reports whether huge pages are asked for where an address is, which the
// system says in the flags of each range of memory.
func inHugePages(t *testing.T, at uintptr) bool {
	t.Helper()
	ranges, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	here := false
	for line := range bytes.Lines(ranges) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(string(line), "%x-%x ", &from, &to); n == 2 {
			here = from <= at && at < to
		}
		if flags, ok := bytes.CutPrefix(line, []byte("VmFlags:")); ok && here {
			return bytes.Contains(flags, []byte(" hg"))
		}
	}
	return false
}
