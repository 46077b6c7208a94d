package oracle

import (
	"fmt"
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

// Replay replays a thread whose COMPILED hold no artifact. The messages may be in any
// order.
func Replay(messages []Message, opts Options) []Window {
	var out []Window
	now, deltas := state{}, []*delta(nil)
	end := func(compiled *Message) {
		m := &merger{priority: opts.Priority}
		w := m.window(now, deltas)
		w.Compiled = compiled
		out, now, deltas = append(out, w), m.state, nil
	}
	for _, m := range thread(messages) {
		switch t := typed.FindStringSubmatch(m.Subject); {
		case t == nil:
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
