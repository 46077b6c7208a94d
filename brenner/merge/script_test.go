package merge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
)

var noon = time.Date(2025, 12, 30, 12, 0, 0, 0, time.UTC)

type fields = map[string]any

// script writes deltas briefly: at sets minute, message and agent of the deltas that
// follow.
type script struct {
	out  []*Delta
	next Delta
}

func (s *script) at(minute int, message, agent string) *script {
	s.next = Delta{Time: noon.Add(time.Duration(minute) * time.Minute), Message: message, Agent: agent}
	return s
}

func (s *script) put(d Delta) *script {
	s.next.Position++
	d.Time, d.Message, d.Agent, d.Position = s.next.Time, s.next.Message, s.next.Agent, s.next.Position
	s.out = append(s.out, &d)
	return s
}

func (s *script) add(sec brenner.Section, f fields) *script {
	return s.put(Delta{Operation: brenner.Add, Section: sec, Payload: f})
}

func (s *script) edit(id string, f fields) *script {
	target := item(id)
	return s.put(Delta{Operation: brenner.Edit, Section: target.Section, Target: target, Payload: f})
}

func (s *script) kill(id, reason string) *script {
	target := item(id)
	return s.put(Delta{Operation: brenner.Kill, Section: target.Section, Target: target, Reason: reason})
}

func item(s string) brenner.ItemID {
	id, ok := brenner.ParseItemID(s)
	if !ok {
		panic(s)
	}
	return id
}

// show writes a state as lines `H1 name=x claim=y`, killed items with a dagger.
func show(st *brenner.State) string {
	var out []string
	for _, sec := range brenner.Sections {
		for _, it := range st.Items(sec) {
			line := it.ID.String()
			if !it.Active() {
				line += "†" + it.Killed.By
			}
			keys := []string{}
			for key := range it.Fields() {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				line += " " + key + "=" + plain(it.Fields()[key])
			}
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func plain(v any) string {
	s := brenner.Canonical(v)
	return strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`)
}

// showRefusal writes why a delta was refused, and what its section contained.
func showRefusal(r *Refusal) string {
	switch r.Reason {
	case TargetKilled:
		return fmt.Sprintf("killed by %s at %s", r.Kill.By, brenner.FormatTime(r.Kill.At))
	case SecondThread:
		return "second thread"
	}
	why := [...]string{NoTarget: "no target", SectionFull: "section full"}[r.Reason]
	if r.Items == 0 {
		return why + ", empty"
	}
	return fmt.Sprintf("%s, %s to %s, %d active", why, r.First, r.Last, r.Active)
}

// showLog writes the log as lines `1.2 applied H1`, then conflicts and ties.
func showLog(r *Result) string {
	var out []string
	for _, e := range r.Log {
		line := fmt.Sprintf("%s.%d %s", e.Delta.Message, e.Delta.Position, e.Outcome)
		if e.Item.Section != 0 {
			line += " " + e.Item.String()
		}
		if r := e.Refusal; r != nil {
			line += ": " + showRefusal(r)
		}
		out = append(out, line)
	}
	for _, c := range r.Conflicts {
		out = append(out, fmt.Sprintf("conflict %s %s %s", c.Item, c.Field, c.Marker))
	}
	for _, t := range r.Ties {
		kind := [...]string{"", "adds", "kill", "values", "item", "limit"}[t.Kind]
		out = append(out, strings.TrimSpace(fmt.Sprintf("tie %s %s.%d %s.%d %s", kind, t.First.Message, t.First.Position, t.Second.Message, t.Second.Position, t.Field)))
	}
	return strings.Join(out, "\n")
}
