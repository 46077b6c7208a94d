package gen

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
)

// op is one delta.
type op struct {
	Operation string `json:"operation"`
	Section   string `json:"section"`
	Target    any    `json:"target_id"` // nil of an ADD
	Payload   object `json:"payload"`
	Rationale string `json:"rationale"`

	ID string `json:"-"` // of the item that it adds or changes
}

// items is the state of a session, by section. It is kept here by the few lines that the
// deltas of the generator need, so that what is generated can be used to test
// the real merge.
type items map[string][]*object

// apply merges a delta of a message into the state.
func (a items) apply(o *op, agent string, at time.Time) {
	if o.Operation == "ADD" || o.ID == "RT" && len(a[o.Section]) == 0 {
		it := append(members("id", o.ID), o.Payload...)
		a[o.Section] = append(a[o.Section], &it)
		return
	}
	it := a.find(o.ID)
	if o.Operation == "KILL" {
		*it = append(*it, members("killed", true, "killed_by", agent,
			"killed_at", stamp(at), "kill_reason", o.Payload.value("reason"))...)
		for _, p := range a["predictions_table"] {
			var outcomes object
			p.decode("predictions", &outcomes)
			if outcomes.get(o.ID) != "" {
				outcomes.set(o.ID, "N/A")
				p.set("predictions", outcomes)
			}
		}
		return
	}
	for _, f := range o.Payload {
		switch {
		case f.key == "anchors_replace":
		case f.key == "anchors" && o.Payload.get("anchors_replace") == "":
			var have, more []string
			it.decode(f.key, &have)
			o.Payload.decode(f.key, &more)
			it.set(f.key, union(have, more))
		default:
			it.set(f.key, json.RawMessage(f.json))
		}
	}
}

// find returns the item of an id, nil if there is none.
func (a items) find(id string) *object {
	quoted := encoded(id)
	for _, section := range a {
		for _, it := range section {
			if it.get("id") == quoted {
				return it
			}
		}
	}
	return nil
}

// IsActive reports whether there is an item that is not killed.
func (m *maker) IsActive(id string) bool {
	it := m.State.find(id)
	return it != nil && it.get("killed") == ""
}

// Active counts those of a section.
func (m *maker) Active(section string) (n int) {
	for _, it := range m.State[section] {
		if it.get("killed") == "" {
			n++
		}
	}
	return n
}

// Field is a value of an item.
func (m *maker) Field(id, key string) any { return m.State.find(id).value(key) }

// String returns the state as JSON, as a reference compiler writes it: tests by score, highest
// first.
func (a items) String() string {
	total := func(it *object) (sum int) {
		var score map[string]int
		it.decode("score", &score)
		for _, n := range score {
			sum += n
		}
		return sum
	}
	slices.SortStableFunc(a["discriminative_tests"], func(x, y *object) int { return total(y) - total(x) })
	var out object
	for _, sec := range brenner.Sections {
		var all []string
		for _, it := range a[sec.ID()] {
			all = append(all, it.String())
		}
		if text := strings.Join(all, ","); sec == brenner.ResearchThread {
			out = append(out, field{sec.ID(), text})
		} else {
			out = append(out, field{sec.ID(), "[" + text + "]"})
		}
	}
	return out.String()
}

// model returns the state as the program reads it.
func (a items) model() *brenner.State {
	st, err := artifact.ReadState([]byte(a.String()))
	if err != nil {
		panic(err) // the generator makes what ReadState reads
	}
	return st
}

// stamp returns a time as the server writes it in JSON: microseconds, UTC.
func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000Z07:00") }
