package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"strings"
)

// Window is the result of a window.
type Window struct {
	Compiled  *Message // nil if pending
	State     string   // canonical JSON
	Hash      string
	Applied   int
	Rejected  []Rejected
	Conflicts []string // `H2 claim`
	// Sensitive reports that the order of deltas of one instant matters; Tie names two
	// for which it does, by place in the thread and position, if one was searched for.
	Sensitive bool
	Tie       string

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
		m := &merger{priority: opts.Priority, floor: floor}
		for _, d := range deltas { // after a renumbering (decisions.md 88)
			if id := before.renamed[d.target]; id != "" && now.find(d.section, d.target) == nil {
				d.target = id
			}
		}
		w, base := m.window(now, deltas), now
		w.Compiled, now = compiled, m.state
		floor = map[string]int{}
		for _, sec := range Sections {
			floor[sec.ID] = m.highest(sec.ID)
		}
		if compiled != nil && compiled.Artifact != nil {
			p := m.judge(&w, base, deltas, hidden, compiled.Artifact, before.omitted)
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
			hidden = append(hidden, readDeltas(m, opts.Roster)...)
		case t[2] != "":
			end(m)
		default:
			deltas = append(deltas, readDeltas(m, opts.Roster)...)
		}
	}
	end(nil)
	return out
}

// List shows the deltas of a thread, by place of the message and position.
func List(messages []Message, opts Options) string {
	var out strings.Builder
	for _, m := range thread(messages) {
		fmt.Fprintf(&out, "%d id %q from %s at %s: %s\n", m.Index, m.ID, m.From, m.Created, m.Subject)
		for _, d := range readDeltas(m, opts.Roster) {
			fmt.Fprintf(&out, "  %d.%d %s %s %s %s %s %s\n", m.Index, d.position, d.at.Format("15:04:05"), d.agent, d.operation, d.section, d.target, canonical(d.payload))
		}
	}
	return out.String()
}
