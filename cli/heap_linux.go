package cli

import (
	"bytes"
	"math"
	"math/bits"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"unsafe"
)

// growInHugePages has the kernel back the next n bytes of the heap with huge pages, if it
// gives them on request (transparent_hugepage/enabled is madvise, as in most
// distributions). The runtime offers no way to request them. So this allocates n bytes,
// requests huge pages for them, and frees them, untouched: what is allocated next takes
// their place.
//
// A check touches new memory all the time. Each new page of 4 KB is a fault, which takes
// up to 10 microseconds in a virtual machine: together up to half of its time.
func growInHugePages(n int) {
	if untouchedCounts() {
		return
	}
	requestHugePages(n)
	runtime.GC()
}

// requestHugePages requests huge pages for n bytes of heap that are garbage when it returns.
func requestHugePages(n int) {
	var b strings.Builder
	b.Grow(n) // unlike make, it never clears the memory, which would touch it
	b.WriteByte(0)
	data := unsafe.Slice(unsafe.StringData(b.String()), n)
	page := uintptr(os.Getpagesize())
	start := -uintptr(unsafe.Pointer(&data[0])) & (page - 1)
	_ = syscall.Madvise(data[start:], syscall.MADV_HUGEPAGE) // without them all is as before
}

// untouchedCounts reports whether memory that is not touched counts toward a limit: of the
// process, of the runtime, or of a system that never overcommits.
func untouchedCounts() bool {
	var addresses syscall.Rlimit
	if bits.UintSize < 64 || syscall.Getrlimit(syscall.RLIMIT_AS, &addresses) != nil || addresses.Cur != math.MaxUint64 ||
		debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return true
	}
	overcommit, err := os.ReadFile("/proc/sys/vm/overcommit_memory")
	return err == nil && bytes.HasPrefix(overcommit, []byte("2"))
}
