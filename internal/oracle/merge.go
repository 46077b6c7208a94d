package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/conformance"
)

// merger merges the deltas of a window.
type merger struct {
	priority map[string]int
	base     state          // where the window starts
	floor    map[string]int // the highest numbers assigned before, by section, if the base lost items
	order    []*delta       // as they are applied
	forced   []*delta       // those that are applied although they are rejected

	state    state
	applied  int
	dropped  int
	rejected map[*delta]string
	conflict map[conformance.Conflict]bool // the fields with a marker
	added    map[*delta]string             // the ids that ADDs were given
}

// try merges deltas that are in order, instant by instant.
func (m *merger) try(order, forced []*delta) *merger {
	out := &merger{priority: m.priority, base: m.base, floor: m.floor, order: order, forced: forced}
	out.state, out.rejected, out.conflict, out.added = m.base.clone(), map[*delta]string{}, map[conformance.Conflict]bool{}, map[*delta]string{}
	for len(order) > 0 {
		n := slices.IndexFunc(order, func(d *delta) bool { return !d.at.Equal(order[0].at) })
		if n < 0 {
			n = len(order)
		}
		out.instant(order[:n])
		order = order[n:]
	}
	return out
}

// part is what is swapped: the deltas of a message of one instant and priority, because
// priorities go before the order in a message (decisions.md 57).
type part struct {
	in   *message
	at   time.Time
	rank int
}

func (m *merger) partOf(d *delta) part { return part{d.in, d.at, m.priority[d.agent]} }

// ordered returns deltas in their order (decisions.md 19 and 57); without a priority an agent has 0.
// The places that a message takes among those of one priority are filled by position.
func (m *merger) ordered(deltas []*delta) []*delta {
	order := slices.Clone(deltas)
	slices.SortFunc(order, func(a, b *delta) int {
		return cmp.Or(a.at.Compare(b.at), m.priority[a.agent]-m.priority[b.agent], strings.Compare(a.agent, b.agent), compareMessages(a.in, b.in), a.position-b.position)
	})
	for i := range order {
		for j := range order[:i] {
			if a, b := order[j], order[i]; m.partOf(a) == m.partOf(b) && b.position < a.position {
				order[j], order[i] = b, a
			}
		}
	}
	return order
}

func compareMessages(a, b *message) int {
	if c := compareIDs(a.ID, b.ID); c != 0 {
		return c
	}
	if a.ID != "" { // two messages, the later one by its time (decisions.md 73)
		return a.index - b.index
	}
	return cmp.Or(compareTexts(a, b), a.index-b.index)
}

// instant applies the deltas of one instant, tied ones as decisions.md 21 and 55
// say.
func (m *merger) instant(deltas []*delta) {
	kills := m.kills(deltas)
	tied := map[conformance.Conflict][]write{}
	for _, d := range deltas {
		beside := slices.ContainsFunc(kills, func(k *delta) bool { return k.target == d.target && k.in != d.in })
		switch {
		case d.operation == "EDIT" && beside:
			m.dropped++
		case d.operation == "EDIT":
			m.edit(d, tied)
		default:
			m.addOrKill(d)
		}
	}
	for field, writes := range tied {
		if marker := m.marker(writes); marker != "" {
			m.state.item(field.Item)[field.Field] = marker
			m.conflict[field] = true
		}
	}
}

// kills returns the KILLs of an instant that find an item which was not killed before
// the instant.
func (m *merger) kills(deltas []*delta) (out []*delta) {
	trial := (&merger{base: m.state, floor: m.floor}).try(nil, m.forced)
	for _, d := range deltas {
		if d.operation == "EDIT" {
			continue
		}
		trial.addOrKill(d)
		before := m.state.item(d.target)
		if d.operation == "KILL" && trial.rejected[d] == "" && before["killed"] != true {
			out = append(out, d)
		}
	}
	return out
}

// addOrKill applies an ADD or KILL.
func (m *merger) addOrKill(d *delta) {
	it := m.state.item(d.target)
	switch {
	case d.operation == "ADD" && m.full(d.section) && !slices.Contains(m.forced, d):
		m.rejected[d] = "SECTION_LIMIT_EXCEEDED"
	case d.operation == "ADD":
		m.applied++
		it = item{}
		for key, v := range d.payload {
			if !isSystem(key) {
				it[key] = v
			}
		}
		m.added[d] = fmt.Sprintf("%s%d", sectionOf(d.section).Prefix, m.highest(d.section)+1)
		it["id"] = m.added[d]
		m.state[d.section] = append(m.state[d.section], it)
		m.withdraw(it, "")
	case it == nil:
		m.rejected[d] = "INVALID_TARGET"
	case it["killed"] == true: // a second KILL is a no-op
	default:
		m.applied++
		it["killed"], it["killed_by"], it["kill_reason"] = true, d.agent, d.reason
		it["killed_at"] = d.at.UTC().Format(time.RFC3339Nano)
		for _, p := range m.state["predictions_table"] {
			m.withdraw(p, d.target)
		}
	}
}

// highest returns the highest number ever assigned in a section.
func (m *merger) highest(section string) int {
	n := m.floor[section]
	for _, it := range m.state[section] {
		n = max(n, numberOf(it["id"]))
	}
	return n
}

// full reports whether there are six active hypotheses.
func (m *merger) full(section string) bool {
	active := 0
	for _, it := range m.state[section] {
		if it["killed"] != true {
			active++
		}
	}
	return section == "hypothesis_slate" && active >= 6
}

// withdraw sets the outcomes of a prediction for one killed hypothesis, or all, to N/A
// (decisions.md 22). What a version has published otherwise stays as it is, else.
func (m *merger) withdraw(it item, only string) {
	outcomes, isObject := it["predictions"].(map[string]any)
	if !isObject || !strings.HasPrefix(it["id"].(string), "P") {
		return
	}
	own := maps.Clone(outcomes)
	for name := range own {
		if h := m.state.item(name); strings.HasPrefix(name, "H") && h["killed"] == true && (only == "" || only == name) {
			own[name] = "N/A"
		}
	}
	it["predictions"] = own
}

// isSystem reports whether a key of a payload is not stored (decisions.md 20
// and 60).
func isSystem(key string) bool {
	return slices.Contains([]string{"id", "killed", "killed_by", "killed_at", "kill_reason", "replace"}, key) ||
		strings.HasSuffix(key, "_replace") && key != "_replace"
}

// write is the value at which a delta leaves a field.
type write struct {
	by    *delta
	value any
}

// edit applies an EDIT; tied are the writes of the instant so far, by field.
func (m *merger) edit(d *delta, tied map[conformance.Conflict][]write) {
	it := m.state.item(d.target)
	switch {
	case it == nil && d.target != "RT":
		m.rejected[d] = "INVALID_TARGET"
		return
	case it["killed"] == true: // a warning
		return
	}
	before := m.view(it, d.target, tied)
	for key, v := range d.payload {
		if isSystem(key) {
			continue
		}
		if it == nil {
			it = item{"id": d.target}
			m.state[d.section] = []item{it}
		}
		it[key] = union(d.payload, key, it[key], v)
		field := conformance.Conflict{Item: d.target, Field: key}
		tied[field] = append(tied[field], write{d, it[key]})
		delete(m.conflict, field) // overwritten
		if key == "predictions" {
			m.withdraw(it, "")
		}
	}
	if m.view(it, d.target, tied) != before {
		m.applied++
	}
}

// view shows an item as it would be if the instant ended here.
func (m *merger) view(it item, id string, tied map[conformance.Conflict][]write) string {
	out := maps.Clone(it)
	for field, writes := range tied {
		if marker := m.marker(writes); field.Item == id && marker != "" {
			out[field.Field] = marker
		}
	}
	return canonical(out)
}

// replaces reports whether an EDIT replaces a list.
func replaces(payload map[string]any, key string) bool {
	return payload["replace"] == true || payload[key+"_replace"] == true
}

// union returns the value of a field after an EDIT (decisions.md 20).
func union(payload map[string]any, key string, old, v any) any {
	list, isList := v.([]any)
	isArray := slices.Contains([]string{"anchors", "conflicts_with", "labels", "references"}, key)
	if !isList || !isArray || replaces(payload, key) {
		return v
	}
	before, _ := old.([]any)
	out := append([]any{}, before...)
	for _, e := range list {
		if !slices.ContainsFunc(out, func(o any) bool { return canonical(o) == canonical(e) }) {
			out = append(out, e)
		}
	}
	return out
}

// marker returns the CONFLICT of the writes of one instant, or "" (decisions.md 21, 55,
// 60). The last write of each message counts; of those with a priority only the
// highest.
func (m *merger) marker(writes []write) string {
	last := map[*message]write{}
	for _, w := range writes {
		last[w.by.in] = w
	}
	highest := math.MinInt
	for _, w := range last {
		if p, ranked := m.priority[w.by.agent]; ranked {
			highest = max(highest, p)
		}
	}
	var values []any
	for _, w := range last {
		if p, ranked := m.priority[w.by.agent]; ranked && p < highest {
			continue
		}
		switch w.value.(type) {
		case []any, map[string]any:
			return ""
		}
		values = append(values, w.value)
	}
	slices.SortFunc(values, compareValues)
	values = slices.CompactFunc(values, func(a, b any) bool { return a == b })
	if len(values) < 2 {
		return ""
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, canonical(v))
	}
	return "CONFLICT: " + strings.Join(texts, " | ")
}
