package replay_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The plain merge is a second one, written from the specifications and
// decisions.md 16 to 29, 55, 57 and 60. It shares no code with the merge and the
// replay that it is held against, tries everything, and is slow. This file reads
// messages; plainmerge_test.go merges.

// plainMessage is a message as an export has it.
type plainMessage struct {
	ID      string `json:"-"` // "" for none
	Subject string `json:"subject"`
	From    string `json:"from"`
	Created string `json:"created_ts"`
	Body    string `json:"body_md"`

	index int // in its thread, when that is in order
}

// plainDelta is a delta block.
type plainDelta struct {
	in       *plainMessage
	position int // in the message, from 1
	rejected bool

	operation, section, target string
	payload                    map[string]any
	reason, agent              string
	at                         time.Time
}

// plainSections lists the sections in order, with the prefix of their ids and
// what an ADD must give (delta_output_format, Failure Mode 5).
var plainSections = []struct {
	id, prefix string
	required   []string
}{
	{"research_thread", "RT", nil},
	{"hypothesis_slate", "H", []string{"name", "claim", "mechanism", "anchors"}},
	{"predictions_table", "P", []string{"condition", "predictions"}},
	{"discriminative_tests", "T", []string{"name", "procedure", "discriminates", "expected_outcomes"}},
	{"assumption_ledger", "A", []string{"name", "statement", "load", "test", "status"}},
	{"anomaly_register", "X", []string{"name", "observation", "conflicts_with", "status"}},
	{"adversarial_critique", "C", []string{"name", "attack", "evidence", "current_status"}},
}

// plainTime is an RFC 3339 time; naive ones are UTC.
func plainTime(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// plainID compares ids: numbers by size, then others as texts, then none.
func plainID(a, b string) int {
	rank := func(id string) (int, int) {
		n, err := strconv.Atoi(id)
		switch {
		case id == "":
			return 2, 0
		case err != nil:
			return 1, 0
		}
		return 0, n
	}
	ra, na := rank(a)
	rb, nb := rank(b)
	switch {
	case ra != rb:
		return ra - rb
	case na != nb:
		return na - nb
	}
	return strings.Compare(a, b)
}

func plainTexts(a, b *plainMessage) int {
	return slices.Compare([]string{a.Subject, a.From, a.Body}, []string{b.Subject, b.From, b.Body})
}

// plainThread puts messages in order, one of each id.
func plainThread(messages []plainMessage) []*plainMessage {
	var out []*plainMessage
next:
	for i := range messages {
		m := messages[i]
		for j, known := range out {
			if m.ID != "" && known.ID == m.ID {
				if plainTexts(&m, known) < 0 {
					out[j] = &m
				}
				continue next
			}
		}
		out = append(out, &m)
	}
	slices.SortFunc(out, func(a, b *plainMessage) int {
		at, _ := plainTime(a.Created)
		bt, _ := plainTime(b.Created)
		if c := at.Compare(bt); c != 0 {
			return c
		}
		if c := plainID(a.ID, b.ID); c != 0 {
			return c
		}
		return plainTexts(a, b)
	})
	for i := range out {
		out[i].index = i
	}
	return out
}

var plainFence = regexp.MustCompile("(?s)```delta\n(.*?)\n?```")

// plainDeltas reads the delta blocks of a message.
func plainDeltas(m *plainMessage, roster []string) []*plainDelta {
	var out []*plainDelta
	for i, block := range plainFence.FindAllStringSubmatch(m.Body, -1) {
		d := &plainDelta{in: m, position: i + 1, agent: m.From}
		d.at, _ = plainTime(m.Created)
		d.rejected = !d.read(block[1]) || len(roster) > 0 && !slices.Contains(roster, d.agent)
		out = append(out, d)
	}
	return out
}

// read reads a block, and reports whether it is a delta that only the state may
// reject (decisions.md 18).
func (d *plainDelta) read(block string) bool {
	var given any
	in := json.NewDecoder(strings.NewReader(block))
	if in.Decode(&given) != nil || in.More() { // MB-005
		return false
	}
	object, ok := given.(map[string]any)
	if !ok || len(object) == 0 { // DL-024
		return false
	}
	text := func(key string) string { s, _ := object[key].(string); return s }
	if agent := text("agent"); strings.TrimSpace(agent) != "" {
		d.agent = agent
	}
	if at, ok := plainTime(text("timestamp")); ok {
		d.at = at
	}
	d.operation, d.section, d.target = text("operation"), text("section"), text("target_id")
	payload, _ := object["payload"].(map[string]any)
	d.reason, _ = payload["reason"].(string)
	d.payload = payload
	if d.section == "research_thread" {
		_, isText := object["target_id"].(string)
		isRT := object["target_id"] == nil || isText && d.target == "RT"
		return d.operation == "EDIT" && isRT && len(payload) > 0 // DL-001, DL-009, DL-005
	}
	for _, s := range plainSections {
		if s.id != d.section {
			continue
		}
		id := "^" + s.prefix + "[1-9][0-9]*$"
		if s.prefix == "P" {
			id = "^P[1-9][0-9]*([.]H[1-9][0-9]*)?$"
		}
		isTarget := regexp.MustCompile(id).MatchString(d.target) // DL-003, DL-010
		switch d.operation {
		case "ADD":
			return len(payload) > 0 && !slices.ContainsFunc(s.required, func(key string) bool { return plainBlank(payload[key]) }) // DL-005, DL-006
		case "EDIT":
			return len(payload) > 0 && isTarget
		case "KILL":
			return isTarget && strings.TrimSpace(d.reason) != "" // DL-008
		}
	}
	return false // DL-001, DL-002
}

func plainBlank(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// plainJSON is RFC 8785 JSON of values without exotic names and numbers.
func plainJSON(v any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out) // sorts the names
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}
