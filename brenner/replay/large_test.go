package replay_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
)

// TestWindowsOfOmittedItems checks that what versions keep and allocate is little more than
// the lists of the items, however many of them earlier versions have left out, or have no
// section for.
func TestWindowsOfOmittedItems(t *testing.T) {
	for _, sections := range [][]brenner.Section{brenner.Sections[:], {brenner.HypothesisSlate}} {
		replayed := func(windows int) (kept, allocated int) {
			messages := thread(omitting(10*windows, sections))
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			r := replay.New(messages, replay.Options{})
			runtime.GC()
			runtime.ReadMemStats(&after)
			if n := len(r.Windows); n != windows || r.Pending.State.Len(brenner.AssumptionLedger) < 10*windows-1 {
				t.Fatalf("%d windows have %d assumptions", n, r.Pending.State.Len(brenner.AssumptionLedger))
			}
			return int(after.HeapAlloc - before.HeapAlloc), int(after.TotalAlloc - before.TotalAlloc)
		}
		replayed(10)
		few, fewAllocated := replayed(100)
		many, manyAllocated := replayed(400)
		const lists = 400 * 2000 // versions by the items of one, on average
		if many > 6*few+24*lists {
			t.Errorf("100 versions keep %d bytes, 400 keep %d", few, many)
		}
		if manyAllocated > 6*fewAllocated+48*lists {
			t.Errorf("100 versions allocate %d bytes, 400 allocate %d", fewAllocated, manyAllocated)
		}
	}
}

// The replay of a thread ends before it has too many items.
func TestTooLarge(t *testing.T) {
	r := replay.New(thread(omitting(20_000, brenner.Sections[:])), replay.Options{})
	if r.TooLarge == nil || !strings.Contains(r.Notice(), "so many items") {
		t.Errorf("2,000 versions of up to 10,000 items are replayed: %q", r.Notice())
	}
}

// omitting adds n assumptions, ten a version, none of which is published, in artifacts of
// some sections.
func omitting(n int, sections []brenner.Section) (posts []post) {
	published := &brenner.State{}
	for _, sec := range sections {
		published.Add(brenner.NewItem(brenner.ItemID{Section: sec, Number: 1}, map[string]any{"name": "Another item"}))
	}
	text := string(artifact.Render(published, artifact.RenderMeta{SessionID: "RS-20251230-cell-fate", Version: 1}))
	if len(sections) < len(brenner.Sections) { // a rendering has all
		text = text[:strings.Index(text, "## 3.")]
	}
	for version := 1; version <= n/10; version++ {
		adds := post{from: "Ada", subject: "DELTA[opus]: x", at: time.Duration(2*version) * time.Second}
		for i := range 10 {
			adds.deltas = append(adds.deltas, assumption(10*version+i))
		}
		posts = append(posts, adds, post{
			from: "Operator", subject: fmt.Sprintf("COMPILED: v%d artifact", version), at: adds.at + time.Second,
			body: "# Compiled Artifact\n\n## Full Artifact\n\n" + text,
		})
	}
	return posts
}
