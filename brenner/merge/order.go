package merge

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
)

// messageKey identifies messages.
type messageKey struct {
	id  string
	nth int
}

func (d *Delta) message() messageKey { return messageKey{d.Message, d.Nth} }

func fromOneMessage(ds []*Delta) bool {
	return !slices.ContainsFunc(ds, func(d *Delta) bool { return d.message() != ds[0].message() })
}

// stored returns what an item stores of the payload.
func (d *Delta) stored() map[string]any {
	out := maps.Clone(d.Payload)
	maps.DeleteFunc(out, func(key string, _ any) bool { return IsUnstored(key) })
	return out
}

// rank returns the priority of the agent of a delta: it orders without one as with 0.
func (o *Options) rank(d *Delta) (n int, defined bool) {
	n, defined = o.Priority[d.Agent]
	return n, defined
}

// compare returns the order of decisions.md 19 and 57: by time, priority, agent and message,
// those without an id last.
func (o *Options) compare(a, b *Delta) int {
	return cmp.Or(
		a.Time.Compare(b.Time),
		cmp.Compare(o.Priority[a.Agent], o.Priority[b.Agent]),
		strings.Compare(a.Agent, b.Agent),
		cmp.Compare(len(b.Message), 0)-cmp.Compare(len(a.Message), 0),
		brenner.CompareMessageIDs(a.Message, b.Message),
		strings.Compare(a.Message, b.Message),
		cmp.Compare(a.Nth, b.Nth),
		cmp.Compare(a.Position, b.Position),
	)
}

// instants orders deltas and splits them by instant.
func (o *Options) instants(deltas []*Delta) [][]*Delta {
	order := slices.Clone(deltas)
	slices.SortFunc(order, o.compare)
	var out [][]*Delta
	for start, i := 0, 0; i < len(order); start = i {
		for ranked := i; i < len(order) && order[i].Time.Equal(order[start].Time); ranked = i {
			for i < len(order) && order[i].Time.Equal(order[start].Time) && o.Priority[order[i].Agent] == o.Priority[order[ranked].Agent] {
				i++
			}
			settlePositions(order[ranked:i])
		}
		out = append(out, order[start:i:i])
	}
	return out
}

// settlePositions puts the deltas of each message into the order of their positions,
// whichever agents they name, within the places that the message has (decisions.md 19 and
// 57). The deltas have one instant and one priority.
func settlePositions(ds []*Delta) {
	own := map[messageKey][]*Delta{}
	for _, d := range ds {
		own[d.message()] = append(own[d.message()], d)
	}
	for _, of := range own {
		slices.SortFunc(of, func(a, b *Delta) int { return cmp.Compare(a.Position, b.Position) })
	}
	for i, d := range ds {
		of := own[d.message()]
		ds[i], own[d.message()] = of[0], of[1:]
	}
}

// decided reports whether the agents' priorities decide the order of two deltas of one
// instant: both are defined and differ (artifact_delta_spec, Resolution Hierarchy 2).
func (o *Options) decided(a, b *Delta) bool {
	pa, aok := o.rank(a)
	pb, bok := o.rank(b)
	return aok && bok && pa != pb
}
