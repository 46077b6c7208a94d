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

// BenchmarkReplay replays threads of very many deltas, comparing what was published
// and building the summary. Time and memory must grow linearly with the deltas, for
// each shape:
//
//   - links: ten deltas a version, each COMPILED only links to its artifact, and
//     the state keeps growing;
//   - inline: a hundred deltas a version, which keep changing a few items, each
//     COMPILED with its artifact;
//   - window: one version;
//   - omitting: ten deltas a version, none of whose items is ever published.
func BenchmarkReplay(b *testing.B) {
	for _, shape := range []struct {
		name  string
		posts func(n int) []post
	}{
		{"links", func(n int) []post { return rounds(n, 10, growing) }},
		{"inline", func(n int) []post { return inline(rounds(n, 100, settled)) }},
		{"window", func(n int) []post { return rounds(n, n, growing) }},
		{"omitting", func(n int) []post { return omitting(n, brenner.Sections[:]) }},
	} {
		for _, n := range []int{1_000, 10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) {
				t := thread(shape.posts(n))
				b.ReportAllocs()
				for b.Loop() {
					replay.New(t, replay.Options{}).Summary()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/delta")
			})
		}
	}
}

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
func omitting(n int, sections []brenner.Section) []post {
	posts := rounds(n, 10, func(i int) object { return assumption(i + 1) })
	published := &brenner.State{}
	for _, sec := range sections {
		published.Add(brenner.NewItem(brenner.ItemID{Section: sec, Number: 1}, map[string]any{"name": "Another item"}))
	}
	text := string(artifact.Render(published, artifact.RenderMeta{SessionID: "RS-20251230-cell-fate", Version: 1}))
	if len(sections) < len(brenner.Sections) { // a rendering has all
		text = text[:strings.Index(text, "## 3.")]
	}
	for i := range posts {
		if posts[i].deltas == nil {
			posts[i].body = "# Compiled Artifact\n\n## Full Artifact\n\n" + text
		}
	}
	return posts
}

// rounds writes n deltas in messages of ten, with a COMPILED without an artifact
// after each round.
func rounds(n, round int, delta func(i int) object) []post {
	var posts []post
	version := 0
	for i := 0; i < n; i += 10 {
		p := post{from: []string{"Ada", "Bob", "Cyd"}[i/10%3], subject: "DELTA[opus]: x", at: time.Duration(len(posts)+1) * time.Second}
		for j := range 10 {
			p.deltas = append(p.deltas, delta(i+j))
		}
		posts = append(posts, p)
		if (i+10)%round == 0 {
			version++
			posts = append(posts, post{from: "Operator", subject: fmt.Sprintf("COMPILED: v%d artifact", version), body: "# Compiled Artifact\n\n**Artifact**: `artifacts/RS-20251230-cell-fate.md`\n",
				at: time.Duration(len(posts)+1) * time.Second})
		}
	}
	return posts
}

// growing returns a delta of a session in which everything grows: every third
// assumption and prediction is edited once, and hypotheses are added and killed.
func growing(i int) object {
	switch n := i/10 + 1; i % 10 {
	case 0:
		return hypothesis(n)
	case 1:
		return prediction(n, object{fmt.Sprint("H", n): "up", fmt.Sprint("H", max(1, n-1)): "down"})
	case 2, 3, 4:
		return assumption(3*n + i%10)
	case 5:
		return trial(n, 1)
	case 6:
		return edit(fmt.Sprint("A", 2*n), object{"load": "heavy", "anchors": []string{"§4"}})
	case 7:
		return edit(fmt.Sprint("P", n), object{"condition": fmt.Sprint("better ", n)})
	case 8:
		return kill(fmt.Sprint("H", n))
	default:
		return kill(fmt.Sprint("A", 3*n))
	}
}

// settled returns a delta of a session that keeps changing a few items.
func settled(i int) object {
	if i < 24 {
		switch {
		case i < 4:
			return hypothesis(i + 1)
		case i < 10:
			return prediction(i, object{"H1": "up", "H2": "down", "H3": "none"})
		case i < 16:
			return assumption(i)
		}
		return trial(i, 1)
	}
	switch n := fmt.Sprint(i%4 + 1); i % 3 {
	case 0:
		return edit("H"+n, object{"claim": fmt.Sprint("claim ", i)})
	case 1:
		return edit("A"+n, object{"load": fmt.Sprint("load ", i)})
	default:
		return edit("P"+n, object{"predictions": object{"H1": fmt.Sprint("up ", i), "H2": "down"}})
	}
}

// inline gives each COMPILED its artifact.
func inline(posts []post) []post {
	w := replay.New(thread(posts), replay.Options{}).Windows
	for i := range posts {
		if posts[i].deltas == nil {
			posts[i].body = "# Compiled Artifact\n\n## Full Artifact\n\n" + string(artifact.Render(w[0].State, artifact.RenderMeta{SessionID: "RS-20251230-cell-fate", Version: w[0].Compiled.Version.Number}))
			w = w[1:]
		}
	}
	return posts
}
