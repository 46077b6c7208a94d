package merge

import (
	"fmt"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
)

// BenchmarkMerge merges windows of 100,000 deltas, ordinary and hostile; each must take
// less than two seconds, and time must grow linearly.
func BenchmarkMerge(b *testing.B) {
	const n = 100_000
	name := func(i int) map[string]any { return map[string]any{"name": fmt.Sprint("name ", i), "claim": "c"} }
	windows := []struct {
		name string
		at   func(i int) *Delta
		tied bool
	}{
		{"adds", func(i int) *Delta { return &Delta{Operation: brenner.Add, Section: a, Payload: name(i)} }, false},
		{"ordinary", func(i int) *Delta {
			switch i % 4 {
			case 0:
				return &Delta{Operation: brenner.Add, Section: a, Payload: name(i)}
			case 3:
				return &Delta{Operation: brenner.Kill, Section: a, Target: brenner.ItemID{Section: a, Number: i / 8}, Reason: "r"}
			}
			return &Delta{Operation: brenner.Edit, Section: a, Target: brenner.ItemID{Section: a, Number: i/4 + 1}, Payload: map[string]any{"load": "l", "anchors": []any{"§1", "§2"}}}
		}, false},
		{"growing-union", func(i int) *Delta {
			return &Delta{Operation: brenner.Edit, Section: rt, Payload: map[string]any{"anchors": []any{fmt.Sprint(i)}}}
		}, false},
		{"outcomes-of-killed", func(i int) *Delta {
			switch i % 4 {
			case 0:
				return &Delta{Operation: brenner.Add, Section: h, Payload: name(i)}
			case 1:
				return &Delta{Operation: brenner.Kill, Section: h, Target: brenner.ItemID{Section: h, Number: i/4 + 1}, Reason: "r"}
			}
			return &Delta{Operation: brenner.Add, Section: p, Payload: map[string]any{"predictions": map[string]any{"H1": "x", fmt.Sprint("H", i/4+2): "y"}}}
		}, false},
		{"tied-adds", func(i int) *Delta { return &Delta{Operation: brenner.Add, Section: a, Payload: name(i)} }, true},
		{"tied-unions", func(i int) *Delta {
			return &Delta{Operation: brenner.Edit, Section: rt, Payload: map[string]any{"anchors": []any{fmt.Sprint(i)}}}
		}, true},
		{"tied-scalars", func(i int) *Delta {
			return &Delta{Operation: brenner.Edit, Section: rt, Payload: map[string]any{"statement": fmt.Sprint(i)}}
		}, true},
		{"tied-objects", func(i int) *Delta {
			return &Delta{Operation: brenner.Edit, Section: rt, Payload: map[string]any{"score": map[string]any{"cost": 1.0}}}
		}, true},
	}
	for _, w := range windows {
		deltas := make([]*Delta, n)
		for i := range deltas {
			d := w.at(i)
			d.Agent, d.Message, d.Position, d.Time = "Ada", fmt.Sprint(i), 1, noon
			if !w.tied {
				d.Time = noon.Add(time.Duration(i) * time.Second)
			}
			deltas[n-1-i] = d
		}
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				Merge(nil, deltas, Options{})
			}
		})
	}
}
