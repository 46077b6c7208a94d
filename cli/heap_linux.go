package cli

import (
	"runtime"
	"syscall"
)

// growInHugePages has the kernel back the next n bytes of the heap with huge pages, where
// it has them for who asks (transparent_hugepage/enabled is madvise, as most distributions
// have it). The runtime offers no way to ask for them, so they are asked for with memory
// of the heap that is let go of, untouched: what is allocated next takes its place.
//
// A check touches new memory all the time. With pages of 4 KB each of them interrupts it,
// in a virtual machine for up to 10 microseconds, which can be half of its time.
func growInHugePages(n int) {
	if syscall.Madvise(make([]byte, n), syscall.MADV_HUGEPAGE) == nil {
		runtime.GC()
	}
}
