package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// headroom is how many bytes may be allocated between two collections of garbage: so
// many percent of what a collection looks through, which are not the texts, and so many
// bytes in addition, but not less than least. The next so many bytes of the heap are
// asked for in huge pages, once it has outgrown its first few.
type headroom struct{ percent, bytes, least, huge int }

// A check allocates much and keeps little: with Go's own 100 percent of what it keeps a
// small one would collect every 4 MB, which takes a third of its time, and a large one
// would take twice the memory that it needs (docs/performance.md, Large mailboxes).
var checkHeadroom = headroom{percent: 40, bytes: 24 << 20, least: 64 << 20, huge: 256 << 20}

// percentOf returns the headroom in percent of what is kept, of which a part is scanned.
func (h headroom) percentOf(kept, scanned int) int {
	return 100 * max(h.percent*scanned/100+h.bytes, h.least) / kept
}

// tuneGC sets how often garbage is collected, unless GOGC does. The first collection,
// after 4 MB, is that of the runtime's own settings: what allocates less has none.
func tuneGC(h headroom) {
	if os.Getenv("GOGC") != "" {
		return
	}
	const least = 4 << 20 // what the runtime counts as kept at least
	percent := 0
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
	afterEachGC(func() {
		if percent == 0 && h.huge > 0 {
			debug.SetGCPercent(-1)
			growInHugePages(h.huge)
		}
		metrics.Read(heap)
		p := h.percentOf(max(least, int(heap[0].Value.Uint64())), int(heap[1].Value.Uint64()))
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
