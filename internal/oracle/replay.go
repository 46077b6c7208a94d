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
	Compiled *conformance.Message        // nil if pending
	Items    map[string][]map[string]any // of the merged state by section, as the state hash has them
	merged   *merger
}

var (
	// typed matches a subject as it is leniently read (decisions.md 4).
	typed = regexp.MustCompile(`^\s*(?i:(DELTA)(?:\s*\[[^\]]*\])?|(COMPILED))\s*:`)
	// versioned matches the version that a COMPILED subject gives (decisions.md 60).
	versioned = regexp.MustCompile(`(?i)^\s*COMPILED\s*:\s*v([1-9]\d*)(\.\d)?`)
)

// Answer answers a merge case of the conformance suite.
func Answer(in conformance.MergeInput) (out conformance.MergeResult) {
	for _, w := range Replay(in) {
		out.Windows = append(out.Windows, w.Window)
	}
	return out
}

// Replay replays a thread, whose messages may be in any order.
func Replay(in conformance.MergeInput) (out []Window) {
	now := state{}
	for _, w := range windowsOf(in) {
		m := w.merge(&merger{priority: in.Priority, base: now})
		out = append(out, w.result(m))
		now = m.state
	}
	return out
}

// window is a part of a thread up to and including a COMPILED, or what is pending after the last.
type window struct {
	compiled *conformance.Message // nil if pending
	deltas   []*delta             // of its DELTA messages
	others   []*delta             // of other messages, which are not merged
}

func windowsOf(in conformance.MergeInput) []*window {
	out := []*window{{}}
	for _, m := range thread(in.Messages) {
		now := out[len(out)-1]
		switch t := typed.FindStringSubmatch(m.Subject); {
		case t == nil:
			now.others = append(now.others, readDeltas(m, in.Roster)...)
		case t[2] != "":
			now.compiled = &m.Message
			out = append(out, &window{})
		default:
			now.deltas = append(now.deltas, readDeltas(m, in.Roster)...)
		}
	}
	return out
}

// merge merges the deltas, and notes which of them the state rejects.
func (w *window) merge(m *merger) *merger {
	m = m.try(m.ordered(slices.DeleteFunc(slices.Clone(w.deltas), func(d *delta) bool { return d.rejected != "" })), nil)
	for _, d := range w.deltas {
		d.rejected = cmp.Or(d.rejected, m.rejected[d])
	}
	return m
}

// result returns what a merge of the window has given.
func (w *window) result(m *merger) Window {
	out := Window{Compiled: w.compiled, Items: m.state, merged: m}
	out.State, out.Hash, out.Applied = json.RawMessage(m.state.canonical()), m.state.hash(), m.applied
	out.Rejected, out.Conflicts = []conformance.Rejected{}, []conformance.Conflict{}
	for _, d := range w.deltas {
		if d.rejected != "" {
			out.Rejected = append(out.Rejected, conformance.Rejected{MessageID: d.in.ID, Delta: d.position, Code: d.rejected})
		}
	}
	out.Conflicts = slices.AppendSeq(out.Conflicts, maps.Keys(m.conflict))
	slices.SortFunc(out.Conflicts, func(a, b conformance.Conflict) int {
		return cmp.Or(strings.Compare(a.Item, b.Item), strings.Compare(a.Field, b.Field))
	})
	if w.compiled == nil {
		return out
	}
	if v := versioned.FindStringSubmatch(w.compiled.Subject); v != nil && v[2] == "" {
		if n, err := strconv.Atoi(v[1]); err == nil {
			out.Version = &n
		}
	}
	return out
}
