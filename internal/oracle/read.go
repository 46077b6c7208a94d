package oracle

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/conformance"
)

// message is a message with its time, and its place in its thread when that is in order.
type message struct {
	conformance.Message
	at    time.Time
	index int
}

// delta is a delta block.
type delta struct {
	in       *message
	position int    // in the message, from 1
	rejected string // the code (conformance/README.md, Codes); "" if it is not

	operation, section, target string
	payload                    map[string]any
	reason, agent              string
	at                         time.Time
}

// Section is a section: its id, the prefix of its items' ids, and the required fields of an
// ADD (delta_output_format, Failure Mode 5).
type Section struct {
	ID, Prefix string
	Required   []string
}

// Sections are all sections, in order.
var Sections = []Section{
	{"research_thread", "RT", nil},
	{"hypothesis_slate", "H", []string{"name", "claim", "mechanism", "anchors"}},
	{"predictions_table", "P", []string{"condition", "predictions"}},
	{"discriminative_tests", "T", []string{"name", "procedure", "discriminates", "expected_outcomes"}},
	{"assumption_ledger", "A", []string{"name", "statement", "load", "test", "status"}},
	{"anomaly_register", "X", []string{"name", "observation", "conflicts_with", "status"}},
	{"adversarial_critique", "C", []string{"name", "attack", "evidence", "current_status"}},
}

// sectionOf returns the section of an id, one without an id if there is none.
func sectionOf(id string) (out Section) {
	for _, s := range Sections {
		if s.ID == id {
			out = s
		}
	}
	return out
}

// parseTime returns an RFC 3339 time; naive ones are UTC.
func parseTime(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// compareIDs compares ids: numbers by size, then others as texts, then none.
func compareIDs(a, b string) int {
	rank := func(id string) (kind, number int) {
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
	return cmp.Or(ra-rb, na-nb, strings.Compare(a, b))
}

func compareTexts(a, b *message) int {
	return slices.Compare([]string{a.Subject, a.From, a.Body}, []string{b.Subject, b.From, b.Body})
}

// isCopy reports whether two messages of one id are copies: an id given again after a reset is that
// of another message (decisions.md 73).
func isCopy(a, b *message) bool {
	return a.at.Unix() == b.at.Unix() || a.From == b.From && a.Body == b.Body
}

// thread puts messages in order, one for each id.
func thread(messages []conformance.Message) []*message {
	var out []*message
next:
	for i := range messages {
		m := message{Message: messages[i]}
		m.at, _ = parseTime(m.Created)
		for j, known := range out {
			if m.ID != "" && known.ID == m.ID && isCopy(&m, known) {
				if compareTexts(&m, known) < 0 {
					out[j] = &m
				}
				continue next
			}
		}
		out = append(out, &m)
	}
	slices.SortFunc(out, func(a, b *message) int {
		return cmp.Or(a.at.Compare(b.at), compareIDs(a.ID, b.ID), compareTexts(a, b))
	})
	for i := range out {
		out[i].index = i
	}
	return out
}

var fence = regexp.MustCompile("(?s)```delta\n(.*?)\n?```")

// readDeltas reads the delta blocks of a message.
func readDeltas(m *message, roster []string) []*delta {
	var out []*delta
	for i, block := range fence.FindAllStringSubmatch(m.Body, -1) {
		d := &delta{in: m, position: i + 1, agent: m.From, at: m.at}
		d.rejected = d.read(block[1])
		if d.rejected == "" && len(roster) > 0 && !slices.Contains(roster, d.agent) {
			d.rejected = "UNKNOWN_AGENT"
		}
		out = append(out, d)
	}
	return out
}

// read reads a block. It returns why the delta is rejected in any state (decisions.md
// 18), or "".
func (d *delta) read(block string) string {
	var given any
	in := json.NewDecoder(strings.NewReader(block))
	if in.Decode(&given) != nil || in.More() {
		return "INVALID_JSON"
	}
	object, ok := given.(map[string]any)
	if !ok || len(object) == 0 {
		return "INVALID_DELTA"
	}
	text := func(key string) string { s, _ := object[key].(string); return s }
	if agent := text("agent"); strings.TrimSpace(agent) != "" {
		d.agent = agent
	}
	if at, ok := parseTime(text("timestamp")); ok {
		d.at = at
	}
	d.operation, d.section, d.target = text("operation"), text("section"), text("target_id")
	d.payload, _ = object["payload"].(map[string]any)
	d.reason, _ = d.payload["reason"].(string)
	if !slices.Contains([]string{"ADD", "EDIT", "KILL"}, d.operation) {
		return "INVALID_OPERATION"
	}
	sec := sectionOf(d.section)
	if sec.ID == "" {
		return "INVALID_SECTION"
	}
	if sec.Prefix == "RT" {
		switch target := object["target_id"]; {
		case d.operation != "EDIT":
			return "INVALID_OPERATION"
		case target != nil && target != "RT":
			return "INVALID_TARGET"
		}
		d.target = "RT"
	} else if d.operation != "ADD" && (!itemID.MatchString(d.target) || !strings.HasPrefix(d.target, sec.Prefix)) {
		return "INVALID_TARGET"
	}
	lacking := func(key string) bool { return blank(d.payload[key]) }
	switch {
	case d.operation == "KILL" && strings.TrimSpace(d.reason) == "",
		d.operation != "KILL" && len(d.payload) == 0,
		d.operation == "ADD" && slices.ContainsFunc(sec.Required, lacking),
		d.operation == "EDIT" && slices.ContainsFunc(sec.Required, d.blanks),
		d.target == "RT" && (d.blanks("statement") || d.blanks("context")):
		return "MISSING_REQUIRED_FIELD"
	}
	return ""
}

var itemID = regexp.MustCompile(`^([HPTAXC][1-9][0-9]*|P[1-9][0-9]*[.]H[1-9][0-9]*)$`)

// blanks reports whether an EDIT sets a field to nothing (decisions.md 71).
func (d *delta) blanks(key string) bool {
	v, given := d.payload[key]
	switch v.(type) {
	case map[string]any:
		return false
	case []any:
		return blank(v) && replaces(d.payload, key)
	}
	return given && blank(v)
}

// blank reports whether a value is nothing, or empty.
func blank(v any) bool {
	if text, ok := v.(string); ok {
		return strings.TrimSpace(text) == ""
	}
	return slices.Contains([]string{"null", "[]", "{}"}, canonical(v))
}

// canonical returns the RFC 8785 JSON of values without exotic names and numbers.
func canonical(v any) string {
	out, err := conformance.ToJSON(v) // sorts the names
	if err != nil {
		panic(err)
	}
	return string(out)
}
