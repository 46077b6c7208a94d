package gen

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/oracle"
)

// op is one delta.
type op struct {
	Operation string          `json:"operation"`
	Section   string          `json:"section"`
	Target    any             `json:"target_id"` // nil of an ADD
	Payload   json.RawMessage `json:"payload"`
	Rationale string          `json:"rationale"`

	ID string `json:"-"` // of the item that it adds or changes
}

// items is the state of a session, by section.
type items map[string][]map[string]any

// merge merges the messages so far. The plain merge does it, and not the packages that are tested with
// what is made here.
func (m *maker) merge() *brenner.State {
	in := conformance.MergeInput{ThreadID: m.Thread.ID}
	for _, mail := range m.Thread.Messages {
		in.Messages = append(in.Messages, conformance.Message{
			ID: fmt.Sprint(mail.ID), From: mail.From, Created: stamp(mail.Created), Subject: mail.Subject, Body: mail.Body,
		})
	}
	windows := oracle.Replay(in)
	last := windows[len(windows)-1]
	m.State = last.Items
	st, err := artifact.ReadState(last.State)
	if err != nil {
		panic(err) // the generator makes what ReadState reads
	}
	return st
}

// find returns the item of an id, nil if there is none.
func (a items) find(id string) map[string]any {
	for _, section := range a {
		for _, it := range section {
			if it["id"] == id {
				return it
			}
		}
	}
	return nil
}

// IsActive reports whether there is an item that is not killed.
func (m *maker) IsActive(id string) bool {
	it := m.State.find(id)
	return it != nil && it["killed"] == nil
}

// Active counts those of a section.
func (m *maker) Active(section string) (n int) {
	for _, it := range m.State[section] {
		if it["killed"] == nil {
			n++
		}
	}
	return n
}

// Field is a value of an item.
func (m *maker) Field(id, key string) any { return m.State.find(id)[key] }

// String returns the state as JSON, as a reference compiler writes it: tests by score, highest
// first.
func (a items) String() string {
	total := func(it map[string]any) (sum float64) {
		for _, n := range it["score"].(map[string]any) {
			sum += n.(float64)
		}
		return sum
	}
	slices.SortStableFunc(a["discriminative_tests"], func(x, y map[string]any) int { return cmp.Compare(total(y), total(x)) })
	var all []string
	for _, sec := range brenner.Sections {
		text := encoded(append([]map[string]any{}, a[sec.ID()]...))
		if sec == brenner.ResearchThread {
			text = encoded(a[sec.ID()][0])
		}
		all = append(all, fmt.Sprintf("%q: %s", sec.ID(), text))
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// stamp returns a time as the server writes it in JSON: microseconds, UTC.
func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000Z07:00") }
