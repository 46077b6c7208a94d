package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// merger is the state of a merge in progress.
type merger struct {
	priority map[string]int
	state    state
	applied  int
	dropped  int
	rejected map[*delta]string
	conflict map[string]string // the current markers, by `H2 claim`
	floor    map[string]int    // the highest numbers assigned before the window, by section
	added    map[*delta]string // the ids that ADDs were given
	forced   []*delta          // what a publisher applied although it was rejected
}

// window merges the deltas of a window.
func (m *merger) window(base state, deltas []*delta) Window {
	var valid []*delta
	for _, d := range deltas {
		if d.rejected == "" {
			valid = append(valid, d)
		}
	}
	instants := m.instants(valid)
	m.run(base, instants)
	w := Window{merged: m.state, State: m.state.canonical(), Hash: m.state.hash(), Applied: m.applied, Conflicts: slices.Sorted(maps.Keys(m.conflict))}
	for _, d := range deltas {
		if code := cmp.Or(d.rejected, m.rejected[d]); code != "" {
			w.Rejected = append(w.Rejected, Rejected{d.in, d.position, code})
		}
	}
	w.Sensitive = m.dropped > 0 || m.orderShows(base, instants)
	return w
}

// run merges deltas that are in order, instant by instant.
func (m *merger) run(base state, instants [][]*delta) {
	m.state, m.rejected, m.conflict, m.added = base.clone(), map[*delta]string{}, map[string]string{}, map[*delta]string{}
	for _, instant := range instants {
		m.instant(instant)
	}
}

// rank returns the priority of an agent as decisions.md 19 orders: without one, 0.
func (m *merger) rank(d *delta) int { return m.priority[d.agent] }

// settled reports whether defined, different priorities decide the order.
func (m *merger) settled(a, b *delta) bool {
	pa, aok := m.priority[a.agent]
	pb, bok := m.priority[b.agent]
	return aok && bok && pa != pb
}

// instants orders deltas (decisions.md 19 and 57) and splits them by instant. The
// places that a message takes among those of one priority are filled by position.
func (m *merger) instants(deltas []*delta) [][]*delta {
	order := slices.Clone(deltas)
	slices.SortFunc(order, func(a, b *delta) int {
		return cmp.Or(a.at.Compare(b.at), m.rank(a)-m.rank(b), strings.Compare(a.agent, b.agent), compareMessages(a.in, b.in), a.position-b.position)
	})
	for i, a := range order {
		for j := i + 1; j < len(order); j++ {
			if b := order[j]; a.in == b.in && a.at.Equal(b.at) && m.rank(a) == m.rank(b) && b.position < a.position {
				order[i], order[j] = b, a
				a = b
			}
		}
	}
	var out [][]*delta
	for i, d := range order {
		if i == 0 || !d.at.Equal(order[i-1].at) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], d)
	}
	return out
}

func compareMessages(a, b *Message) int {
	if c := compareIDs(a.ID, b.ID); c != 0 {
		return c
	}
	if a.ID != "" { // two messages, the later one by its time (decisions.md 73)
		return a.Index - b.Index
	}
	return cmp.Or(compareTexts(a, b), a.Index-b.Index)
}

// instant applies the deltas of one instant, tied ones as decisions.md 21 and 55
// say.
func (m *merger) instant(deltas []*delta) {
	kills := m.kills(deltas)
	tied := map[string][]write{}
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
		item, key, _ := strings.Cut(field, " ")
		if marker := m.marker(writes); marker != "" {
			m.state.item(item)[key] = marker
			m.conflict[field] = marker
		}
	}
}

// kills returns the KILLs of an instant that find an item which was not killed before
// the instant.
func (m *merger) kills(deltas []*delta) (out []*delta) {
	trial := &merger{state: m.state.clone(), rejected: map[*delta]string{}, floor: m.floor, added: map[*delta]string{}, forced: m.forced}
	for _, d := range deltas {
		if d.operation == "EDIT" {
			continue
		}
		trial.addOrKill(d)
		before := m.state.find(d.section, d.target)
		if d.operation == "KILL" && trial.rejected[d] == "" && before["killed"] != true {
			out = append(out, d)
		}
	}
	return out
}

// addOrKill applies an ADD or KILL.
func (m *merger) addOrKill(d *delta) {
	it := m.state.find(d.section, d.target)
	switch {
	case d.operation == "ADD" && m.full(d.section) && !slices.Contains(m.forced, d):
		m.rejected[d] = sectionLimit
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
		m.rejected[d] = invalidTarget
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
		n = max(n, numberOf(it))
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
		if h := m.state.find("hypothesis_slate", name); h["killed"] == true && (only == "" || only == name) {
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
func (m *merger) edit(d *delta, tied map[string][]write) {
	id := d.target
	if d.section == "research_thread" {
		id = "RT"
	}
	it := m.state.find(d.section, id)
	switch {
	case it == nil && id != "RT":
		m.rejected[d] = invalidTarget
		return
	case it["killed"] == true: // a warning
		return
	}
	before := m.view(it, id, tied)
	for key, v := range d.payload {
		if isSystem(key) {
			continue
		}
		if it == nil {
			it = item{"id": id}
			m.state[d.section] = []item{it}
		}
		it[key] = union(d.payload, key, it[key], v)
		field := id + " " + key
		tied[field] = append(tied[field], write{d, it[key]})
		delete(m.conflict, field) // overwritten
		if key == "predictions" {
			m.withdraw(it, "")
		}
	}
	if m.view(it, id, tied) != before {
		m.applied++
	}
}

// view shows an item as it would be if the instant ended here.
func (m *merger) view(it item, id string, tied map[string][]write) string {
	out := maps.Clone(it)
	for field, writes := range tied {
		if item, key, _ := strings.Cut(field, " "); item == id {
			if marker := m.marker(writes); marker != "" {
				out[key] = marker
			}
		}
	}
	return canonical(out)
}

// union returns the value of a field after an EDIT (decisions.md 20).
func union(payload map[string]any, key string, old, v any) any {
	list, isList := v.([]any)
	isArray := slices.Contains([]string{"anchors", "conflicts_with", "labels", "references"}, key)
	if !isList || !isArray || payload["replace"] == true || payload[key+"_replace"] == true {
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
	last := map[*Message]write{}
	for _, w := range writes {
		last[w.by.in] = w
	}
	var values []any
	for _, w := range last {
		p, ranked := m.priority[w.by.agent]
		beaten := false
		for _, o := range last {
			q, ok := m.priority[o.by.agent]
			beaten = beaten || ranked && ok && q > p
		}
		if beaten {
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
