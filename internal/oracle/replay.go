package oracle

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
)

// Window is the result of a window.
type Window struct {
	Compiled  *Message // nil if pending
	Hash      string
	Applied   int
	Rejected  []Rejected
	Conflicts []string // `H2 claim`
	// Sensitive reports that the order of deltas of one instant matters.
	Sensitive bool

	// Of a version that holds an artifact: whether it shows what was merged, the hash of what
	// it shows, and what the rules MR-011 to MR-016 and MR-022 find, `MR-013 H1 claim`.
	Matches   *bool
	Published string
	Findings  []string

	merged state
}

// Rejected is a delta that is not applied.
type Rejected struct {
	In       *Message
	Position int // in the message, from 1
	Code     string
}

// Options are what a merge needs in addition to the messages.
type Options struct {
	Roster   []string // the registered agents; all if empty
	Priority map[string]int
}

// typed matches a subject as it is leniently read (decisions.md 4).
var typed = regexp.MustCompile(`^\s*(?i:(DELTA)(?:\s*\[[^\]]*\])?|(COMPILED))\s*:`)

// Replay replays a thread. The messages may be in any order.
func Replay(messages []Message, opts Options) []Window {
	var out []Window
	var deltas, hidden []*delta
	now, before, floor := state{}, &published{}, map[string]int{}
	end := func(compiled *Message) {
		for _, d := range deltas { // after a renumbering (decisions.md 88)
			if id := before.renamed[d.target]; id != "" && now.find(d.section, d.target) == nil {
				d.target = id
			}
		}
		m := &merger{priority: opts.Priority, base: now, floor: floor}
		order := m.ordered(slices.DeleteFunc(slices.Clone(deltas), func(d *delta) bool { return d.rejected != "" }))
		m = m.try(order, nil)
		w := Window{Compiled: compiled, Hash: m.state.hash(), Applied: m.applied, Conflicts: slices.Sorted(maps.Keys(m.conflict)), merged: m.state}
		for _, d := range deltas {
			if d.rejected = cmp.Or(d.rejected, m.rejected[d]); d.rejected != "" {
				w.Rejected = append(w.Rejected, Rejected{d.in, d.position, d.rejected})
			}
		}
		w.Sensitive = m.dropped > 0 || m.orderShows(order)
		now, floor = m.state, map[string]int{}
		for _, sec := range Sections {
			floor[sec.ID] = m.highest(sec.ID)
		}
		if compiled != nil && compiled.Artifact != nil {
			p := m.judge(&w, order, slices.Concat(deltas, hidden), compiled.Artifact, before.omitted)
			again := maps.Clone(p.renamed)
			for old, id := range before.renamed {
				p.renamed[old] = cmp.Or(again[id], id)
			}
			now, before = p.next, p
		}
		out, deltas, hidden = append(out, w), nil, nil
	}
	for _, m := range thread(messages) {
		switch t := typed.FindStringSubmatch(m.Subject); {
		case t == nil:
			for _, d := range readDeltas(m, opts.Roster) {
				d.rejected = cmp.Or(d.rejected, "not in a DELTA message")
				hidden = append(hidden, d)
			}
		case t[2] != "":
			end(m)
		default:
			deltas = append(deltas, readDeltas(m, opts.Roster)...)
		}
	}
	end(nil)
	return out
}
