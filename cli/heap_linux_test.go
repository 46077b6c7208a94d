package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"unsafe"

	"github.com/brennerlint/brennerlint/internal/testenv"
)

// What is allocated after growInHugePages is in memory for which huge pages are requested,
// and the request touches none of it. It runs in a process of its own, with a small heap.
func TestGrowInHugePages(t *testing.T) {
	testenv.SkipUnderRace(t) // whose heap does not grow in one piece
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil || untouchedCounts() {
		t.Skip("no huge pages on request here")
	}
	const child = "BRENNERLINT_HUGE_PAGES"
	if os.Getenv(child) == "" {
		c := exec.Command(os.Args[0], "-test.run=^TestGrowInHugePages$")
		c.Env = append(os.Environ(), child+"=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return
	}
	const n = 64 << 20
	garbage := make([]byte, 8<<20) // at the top of the heap, used and free again
	for i := range garbage {
		garbage[i] = 1
	}
	runtime.GC()
	before := resident(t)
	growInHugePages(n)
	if more := resident(t) - before; more > n/4 {
		t.Errorf("the request touches %d bytes", more)
	}
	used := make([]byte, n)
	if at := uintptr(unsafe.Pointer(&used[n/2])); !inHugePages(t, at) {
		t.Errorf("no huge pages are requested at %#x", at)
	}
}

// resident returns how many bytes of memory the process has touched.
func resident(t *testing.T) int {
	t.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	var size, pages int
	if _, err := fmt.Sscan(string(statm), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// inHugePages reports whether huge pages are requested for the mapping that contains an
// address: it has the flag hg.
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
