package merge

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
)

// tiedSteps returns how many pairs of deltas are kept to be proved in a merge.
func tiedSteps(deltas []*Delta, opts Options) int {
	m := newMerger(nil, opts)
	order := slices.Clone(deltas)
	slices.SortFunc(order, m.compare)
	instants := m.instants(order)
	for i, ds := range instants {
		m.applyInstant(ds, instants[i+1:])
	}
	steps := 0
	for i := range m.suspects {
		steps += len(m.suspects[i].pairs)
	}
	for _, is := range m.open {
		if is.suspect != nil {
			steps += len(is.suspect.pairs)
		}
	}
	return steps
}

// TestTieSteps counts the pairs that are kept if very many deltas have one instant: a
// few for each delta, not all combinations.
func TestTieSteps(t *testing.T) {
	assumption := brenner.ItemID{Section: brenner.AssumptionLedger, Number: 1}
	ways := map[string]func(i int) Delta{
		"ADDs": func(i int) Delta {
			return Delta{Operation: brenner.Add, Payload: map[string]any{"name": fmt.Sprint(i), "statement": "s"}}
		},
		"unions": func(i int) Delta {
			return Delta{Operation: brenner.Edit, Target: assumption, Payload: map[string]any{"anchors": []any{fmt.Sprint(i)}}}
		},
		"unions and replacements": func(i int) Delta {
			return Delta{Operation: brenner.Edit, Target: assumption, Payload: map[string]any{"anchors": []any{fmt.Sprint(i)}, "replace": i%2 == 0}}
		},
		"EDITs of what is added": func(i int) Delta {
			if i%2 == 0 {
				return Delta{Operation: brenner.Add, Payload: map[string]any{"name": "n", "statement": "s"}}
			}
			return Delta{Operation: brenner.Edit, Target: brenner.ItemID{Section: brenner.AssumptionLedger, Number: 2 + i/2}, Payload: map[string]any{"load": "l"}}
		},
		"KILLs that make room": func(i int) Delta {
			if i%2 == 0 {
				return Delta{Operation: brenner.Add, Section: brenner.HypothesisSlate, Payload: map[string]any{"name": fmt.Sprint(i), "claim": "c"}}
			}
			return Delta{Operation: brenner.Kill, Section: brenner.HypothesisSlate, Target: brenner.ItemID{Section: brenner.HypothesisSlate, Number: 1 + i/2}, Reason: "r"}
		},
	}
	for name, way := range ways {
		for _, ranked := range []bool{false, true} {
			for _, n := range []int{200, 400, 800} {
				at := time.Date(2025, 12, 30, 10, 0, 0, 0, time.UTC)
				opts := Options{Priority: map[string]int{}}
				before := Delta{Operation: brenner.Add, Payload: map[string]any{"name": "n"}, Time: at.Add(-time.Hour), Message: "0"}
				var deltas []*Delta
				for i := range 7 { // an assumption, and as many hypotheses as there may be
					d := before
					d.Section, d.Position = brenner.HypothesisSlate, i+1
					if i == 0 {
						d.Section = brenner.AssumptionLedger
					}
					deltas = append(deltas, &d)
				}
				for i := range n {
					d := way(i)
					d.Section, d.Time, d.Message, d.Agent = cmp.Or(d.Section, brenner.AssumptionLedger), at, fmt.Sprint(i+1), fmt.Sprint("A", i)
					if ranked && i%2 == 0 {
						opts.Priority[d.Agent] = i
					}
					deltas = append(deltas, &d)
				}
				most := 8 * n
				if ranked { // then also with some priorities
					most = (maxTiers + 1) * n
				}
				if steps := tiedSteps(deltas, opts); steps == 0 || steps > most {
					t.Errorf("%s, priorities %t: %d pairs are kept for %d deltas", name, ranked, steps, n)
				}
			}
		}
	}
}
