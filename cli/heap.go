package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// headroom sets how many bytes may be allocated between two collections of garbage:
// percent of the part of the heap that a collection scans (texts are not scanned), and
// bytes in addition; or what is left of total, if that is more, from least to most. After
// the first collection, huge bytes of heap are requested in huge pages.
type headroom struct{ percent, bytes, total, least, most, huge int }

// A check allocates much and keeps little: with Go's own 100 percent of what it keeps a
// small one would collect every 4 MB, which takes a third of its time, and a large one
// would take twice the memory that it needs (docs/performance.md, Large mailboxes).
var checkHeadroom = headroom{percent: 20, bytes: 20 << 20, total: 144 << 20, least: 32 << 20, most: 96 << 20, huge: 256 << 20}

// inSmallPages is the headroom of what runs for days: small pages can be given back one by
// one.
func (h headroom) inSmallPages() headroom {
	h.huge = 0
	return h
}

// percentOf returns the headroom in percent of what is kept, of which a part is scanned.
func (h headroom) percentOf(kept, scanned int) int {
	bytes := max(h.percent*scanned/100+h.bytes, min(max(h.total-kept, h.least), h.most))
	return max(1, int(100*int64(bytes)/int64(kept)))
}

// tuned is done once in a process, which may call Run often.
var tuned sync.Once

// tuneGC sets how often garbage is collected, unless GOGC does. The first collection,
// after 4 MB, is that of the runtime's own settings: what allocates less has none.
func tuneGC(h headroom) {
	if os.Getenv("GOGC") == "" {
		tuned.Do(h.keep)
	}
}

// keep keeps the headroom from the first collection on.
func (h headroom) keep() {
	const minKept = 4 << 20 // what the runtime counts as kept at least
	percent := 0            // not set yet
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
	afterEachGC(func() {
		if percent == 0 && h.huge > 0 {
			debug.SetGCPercent(-1) // the request itself begins no collection
			growInHugePages(h.huge)
		}
		metrics.Read(heap)
		p := h.percentOf(max(minKept, int(heap[0].Value.Uint64())), int(heap[1].Value.Uint64()))
		if p != percent {
			percent = p
			debug.SetGCPercent(percent)
		}
	})
}

// afterEachGC calls f after each collection of garbage.
func afterEachGC(f func()) {
	runtime.SetFinalizer(new([16]byte), func(*[16]byte) {
		f()
		afterEachGC(f)
	})
}
