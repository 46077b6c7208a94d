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
func (o *Options) instants(deltas []*Delta) (out [][]*Delta) {
	order := slices.Clone(deltas)
	slices.SortFunc(order, o.compare)
	for len(order) > 0 {
		n := 1
		for n < len(order) && order[n].Time.Equal(order[0].Time) {
			n++
		}
		o.settlePositions(order[:n])
		out, order = append(out, order[:n:n]), order[n:]
	}
	return out
}

// part is a message, as far as its deltas have one priority: priorities go before the order in a
// message (decisions.md 57).
type part struct {
	message  messageKey
	priority int
}

func (o *Options) partOf(d *Delta) part { return part{d.message(), o.Priority[d.Agent]} }

// parts groups the deltas of an instant by part.
func (o *Options) parts(ds []*Delta) map[part][]*Delta {
	out := map[part][]*Delta{}
	for _, d := range ds {
		out[o.partOf(d)] = append(out[o.partOf(d)], d)
	}
	return out
}

// settlePositions puts the deltas of each part of an instant into the order of their positions,
// whichever agents they name, within the places that the part has (decisions.md 19 and 57).
func (o *Options) settlePositions(ds []*Delta) {
	parts := o.parts(ds)
	for _, of := range parts {
		slices.SortFunc(of, func(a, b *Delta) int { return cmp.Compare(a.Position, b.Position) })
	}
	for i, d := range ds {
		of := parts[o.partOf(d)]
		ds[i], parts[o.partOf(d)] = of[0], of[1:]
	}
}

// decided reports whether the agents' priorities decide the order of two deltas of one
// instant: both are defined and differ (artifact_delta_spec, Resolution Hierarchy 2).
func (o *Options) decided(a, b *Delta) bool {
	pa, aok := o.Priority[a.Agent]
	pb, bok := o.Priority[b.Agent]
	return aok && bok && pa != pb
}
