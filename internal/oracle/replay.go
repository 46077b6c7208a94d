package oracle

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/conformance"
)

// Window is the result of a window.
type Window struct {
	conformance.Window
	Compiled *conformance.Message // nil if pending
	// Sensitive reports that the order of deltas of one instant matters.
	Sensitive bool

	// Of a version that holds an artifact: whether it shows what was merged, the hash of what
	// it shows, and what the rules MR-011 to MR-016 and MR-022 find, `MR-013 H1 claim`.
	Matches   *bool
	Published string
	Findings  []string

	merged state
}

var (
	// typed matches a subject as it is leniently read (decisions.md 4).
	typed = regexp.MustCompile(`^\s*(?i:(DELTA)(?:\s*\[[^\]]*\])?|(COMPILED))\s*:`)
	// versioned matches the version that a COMPILED subject gives (decisions.md 60).
	versioned = regexp.MustCompile(`(?i)^\s*COMPILED\s*:\s*v([1-9]\d*)(\.\d)?`)
)

// Answer answers a merge case of the conformance suite.
func Answer(in conformance.MergeInput) (out conformance.MergeResult) {
	for _, w := range Replay(in, nil) {
		out.Windows = append(out.Windows, w.Window)
	}
	return out
}

// Replay replays a thread. The messages may be in any order; shown are the artifacts
// that the bodies of COMPILED messages hold, by the ids of these.
func Replay(in conformance.MergeInput, shown map[string]*Artifact) []Window {
	var out []Window
	var deltas, hidden []*delta
	now, before, floor := state{}, &published{}, map[string]int{}
	end := func(compiled *conformance.Message) {
		for _, d := range deltas { // after a renumbering (decisions.md 88)
			if id := before.renamed[d.target]; id != "" && now.item(d.target) == nil {
				d.target = id
			}
		}
		m := &merger{priority: in.Priority, base: now, floor: floor}
		order := m.ordered(slices.DeleteFunc(slices.Clone(deltas), func(d *delta) bool { return d.rejected != "" }))
		m = m.try(order, nil)
		w := Window{Compiled: compiled, merged: m.state}
		w.State, w.Hash, w.Applied = json.RawMessage(m.state.canonical()), m.state.hash(), m.applied
		w.Rejected, w.Conflicts = []conformance.Rejected{}, []conformance.Conflict{}
		for _, d := range deltas {
			if d.rejected = cmp.Or(d.rejected, m.rejected[d]); d.rejected != "" {
				w.Rejected = append(w.Rejected, conformance.Rejected{MessageID: d.in.ID, Delta: d.position, Code: d.rejected})
			}
		}
		w.Conflicts = slices.AppendSeq(w.Conflicts, maps.Keys(m.conflict))
		slices.SortFunc(w.Conflicts, func(a, b conformance.Conflict) int {
			return cmp.Or(strings.Compare(a.Item, b.Item), strings.Compare(a.Field, b.Field))
		})
		w.Sensitive = m.dropped > 0 || m.orderShows(order)
		now, floor = m.state, map[string]int{}
		for _, sec := range Sections {
			floor[sec.ID] = m.highest(sec.ID)
		}
		if compiled != nil {
			if v := versioned.FindStringSubmatch(compiled.Subject); v != nil && v[2] == "" {
				if n, err := strconv.Atoi(v[1]); err == nil {
					w.Version = &n
				}
			}
			if a := shown[compiled.ID]; a != nil {
				p := m.judge(&w, order, slices.Concat(deltas, hidden), a, before.omitted)
				again := maps.Clone(p.renamed)
				for old, id := range before.renamed {
					p.renamed[old] = cmp.Or(again[id], id)
				}
				now, before = p.next, p
			}
		}
		out, deltas, hidden = append(out, w), nil, nil
	}
	for _, m := range thread(in.Messages) {
		switch t := typed.FindStringSubmatch(m.Subject); {
		case t == nil:
			for _, d := range readDeltas(m, in.Roster) {
				d.rejected = cmp.Or(d.rejected, "not in a DELTA message")
				hidden = append(hidden, d)
			}
		case t[2] != "":
			end(&m.Message)
		default:
			deltas = append(deltas, readDeltas(m, in.Roster)...)
		}
	}
	end(nil)
	return out
}
