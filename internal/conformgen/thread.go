package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/oracle"
)

// sourceMessage is a message of a thread, shortly: a DELTA of deltas, a COMPILED of a
// version, or any other by its subject and body.
type sourceMessage struct {
	ID       string
	From     string
	At       string // a time of day, or a whole timestamp
	Subject  string
	Compiled int
	Artifact string // the sections of a COMPILED, as it holds them
	Deltas   []sourceDelta
	Body     string
}

// sourceDelta is a delta: an ADD to the section of an id's prefix, an EDIT or KILL of
// an item, or the text of a block.
type sourceDelta struct {
	Add     string `yaml:"ADD"`
	Edit    string `yaml:"EDIT"`
	Kill    string `yaml:"KILL"`
	Reason  string
	Payload map[string]any
	At      string
	Agent   *string
	Text    string
}

// sourceWindow is what the author of a case expects of a window: of items and fields what the case
// is about.
type sourceWindow struct {
	Applied   *int           `json:",omitempty"`
	Rejected  []string       `json:",omitempty"` // `message.position CODE`
	Conflicts []string       `json:",omitempty"` // `H1 claim`
	Items     []string       `json:",omitempty"` // all ids
	Fields    map[string]any `json:",omitempty"` // `H1.claim`: value; null of one that is absent
}

const defaultThread = "RS-20260302-cell-fate"

// sourceThread is the thread of a case.
type sourceThread struct {
	Messages []sourceMessage
	Roster   []string
	Priority map[string]int
}

// build makes the thread of its short form.
func (s *sourceThread) build() (conformance.MergeInput, error) {
	in := conformance.MergeInput{ThreadID: defaultThread, Roster: s.Roster, Priority: s.Priority}
	for i := range s.Messages {
		m, err := s.Messages[i].build(i)
		if err != nil {
			return in, err
		}
		in.Messages = append(in.Messages, m)
	}
	if len(in.Messages) == 0 {
		return in, errors.New("the thread has no messages")
	}
	return in, nil
}

// build makes a message of its short form; n is its place.
func (m *sourceMessage) build(n int) (conformance.Message, error) {
	out := conformance.Message{ID: m.ID, From: m.From, Created: instant(m.At), Subject: m.Subject, Body: m.Body}
	switch out.ID {
	case "":
		out.ID = strconv.Itoa(n + 1)
	case "none":
		out.ID = ""
	}
	if out.From == "" {
		out.From = "Ada"
	}
	if m.At == "" {
		out.Created = instant(fmt.Sprintf("09:%02d", n))
	}
	if m.Compiled > 0 {
		out.Subject = fmt.Sprintf("COMPILED: v%d artifact", m.Compiled)
		if m.Body == "" {
			out.Body = fmt.Sprintf("# Compiled Artifact v%d\n", m.Compiled)
		}
		if m.Artifact != "" {
			out.Body += "\n## Full Artifact\n\n# Brenner Protocol Artifact: " + defaultThread + "\n\n" + m.Artifact
		}
	}
	if out.Subject == "" {
		out.Subject = "DELTA[opus]: contribution"
	}
	for i := range m.Deltas {
		text, err := m.Deltas[i].block()
		if err != nil {
			return out, err
		}
		if out.Body != "" {
			out.Body += "\n"
		}
		out.Body += "```delta\n" + text + "\n```\n"
	}
	return out, nil
}

var timeOfDay = regexp.MustCompile(`^\d\d:\d\d(:\d\d(\.\d+)?)?$`)

// instant returns a timestamp; a time of day is one of the thread's day, in UTC.
func instant(at string) string {
	if !timeOfDay.MatchString(at) {
		return at
	}
	if len(at) == len("09:00") {
		at += ":00"
	}
	return "2026-03-02T" + at + "Z"
}

// block returns the text of a delta block.
func (d *sourceDelta) block() (string, error) {
	if d.Text != "" {
		return strings.TrimSuffix(d.Text, "\n"), nil
	}
	out := map[string]any{"rationale": "r"}
	switch {
	case d.Add != "":
		sec := sectionOf(d.Add)
		out["operation"], out["section"], out["payload"] = "ADD", sec.ID, complete(sec, d.Payload)
	case d.Edit != "":
		out["operation"], out["section"], out["target_id"], out["payload"] = "EDIT", sectionOf(d.Edit).ID, d.Edit, d.Payload
	case d.Kill != "":
		out["operation"], out["section"], out["target_id"] = "KILL", sectionOf(d.Kill).ID, d.Kill
		out["payload"] = map[string]any{"reason": d.Reason}
	default:
		return "", errors.New("a delta is an ADD, EDIT, KILL or text")
	}
	if d.At != "" {
		out["timestamp"] = instant(d.At)
	}
	if d.Agent != nil {
		out["agent"] = *d.Agent
	}
	return string(encoded(out)), nil
}

// sectionOf returns the section of an item's id, or of its prefix.
func sectionOf(id string) oracle.Section {
	for _, s := range oracle.Sections {
		if strings.TrimRight(strings.Split(id, ".")[0], "0123456789") == s.Prefix {
			return s
		}
	}
	return oracle.Section{ID: id} // no section
}

// complete adds to the payload of an ADD the required fields that it lacks: each has
// its own name as its value.
func complete(section oracle.Section, payload map[string]any) map[string]any {
	out := map[string]any{}
	for _, key := range section.Required {
		switch key {
		case "anchors", "conflicts_with":
			out[key] = []any{"§1"}
		case "predictions", "expected_outcomes":
			out[key] = map[string]any{"H1": "yes"}
		case "status":
			out[key] = map[string]string{"assumption_ledger": "unchecked", "anomaly_register": "active"}[section.ID]
		default:
			out[key] = key
		}
	}
	maps.Copy(out, payload)
	return out
}

// sourceWindows are those of a merge case.
type sourceWindows struct{ Windows []sourceWindow }

// merge has the plain merge replay the thread, and holds that it gives what the
// author wrote down.
func (s *sourceThread) merge(expected *sourceWindows) (any, any, error) {
	in, err := s.build()
	if err != nil {
		return nil, nil, err
	}
	windows := oracle.Replay(in)
	if len(expected.Windows) != len(windows) {
		return nil, nil, fmt.Errorf("the thread has %d windows; the source tells of %d", len(windows), len(expected.Windows))
	}
	for i := range windows {
		if err := expected.Windows[i].check(&windows[i]); err != nil {
			return nil, nil, fmt.Errorf("window %d: %w", i+1, err)
		}
	}
	return in, oracle.Answer(in), nil
}

// check holds that a window is as its author expects.
func (s *sourceWindow) check(w *oracle.Window) error {
	got := sourceWindow{Applied: &w.Applied, Fields: map[string]any{}}
	for _, r := range w.Rejected {
		got.Rejected = append(got.Rejected, fmt.Sprintf("%s.%d %s", r.MessageID, r.Delta, r.Code))
	}
	for _, c := range w.Conflicts {
		got.Conflicts = append(got.Conflicts, c.Item+" "+c.Field)
	}
	merged := map[string]map[string]any{}
	for _, section := range w.Items {
		for _, it := range section {
			merged[it["id"].(string)] = it
		}
	}
	if s.Items != nil {
		slices.Sort(s.Items)
		got.Items = slices.Sorted(maps.Keys(merged))
	}
	for name := range s.Fields {
		dot := strings.LastIndexByte(name, '.') // P1.H1 is an item
		got.Fields[name] = merged[name[:max(dot, 0)]][name[dot+1:]]
	}
	if is, want := encoded(got), encoded(s); !bytes.Equal(is, want) {
		return fmt.Errorf("it is %s; the source says %s", is, want)
	}
	return nil
}
