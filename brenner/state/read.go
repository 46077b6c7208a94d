package state

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
)

// Read reads a state from JSON in the form that CanonicalJSON writes: seven sections,
// whose items have ids of their sections, each once. Sections may be absent.
func Read(data []byte) (*State, error) {
	var sections map[string]json.RawMessage
	if err := json.Unmarshal(data, &sections); err != nil {
		return nil, fmt.Errorf("read a state: %w", err)
	}
	out := &State{}
	for name, data := range sections {
		sec := brenner.SectionByID(name)
		if sec == 0 {
			return nil, fmt.Errorf("read a state: unknown section %q", name)
		}
		if sec == brenner.ResearchThread && string(data) != "null" {
			data = append(append([]byte{'['}, data...), ']')
		}
		var items []map[string]any
		if err := json.Unmarshal(data, &items); err != nil {
			return nil, fmt.Errorf("read the items of %s: %w", name, err)
		}
		for _, fields := range items {
			it, err := readItem(sec, fields)
			if err != nil {
				return nil, err
			}
			if !out.Add(it) {
				return nil, fmt.Errorf("read a state: duplicate item %s", it.ID)
			}
		}
	}
	return out, nil
}

// readItem reads an item of a section.
func readItem(sec brenner.Section, fields map[string]any) (*Item, error) {
	text := func(key string) string { s, _ := fields[key].(string); return s }
	id, ok := brenner.ParseItemID(text("id"))
	if !ok || id.Section != sec {
		return nil, fmt.Errorf("read an item of %s: its id is %q", sec.ID(), fields["id"])
	}
	it := NewItem(id, fields)
	if fields["killed"] == true {
		it.Killed = &Kill{By: text("killed_by"), Reason: text("kill_reason")}
		if at := text("killed_at"); at != "" {
			t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(at))
			if err != nil {
				return nil, fmt.Errorf("read when %s was killed: %w", id, err)
			}
			it.Killed.At = t.UTC()
		}
	}
	for _, key := range brenner.SystemFields {
		delete(fields, key)
	}
	return it, nil
}
