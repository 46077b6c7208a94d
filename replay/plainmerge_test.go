package replay_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// plainWindow is what a window gives.
type plainWindow struct {
	compiled  *plainMessage // nil if pending
	hash      string
	applied   int
	rejected  []string // `message.position`
	conflicts []string // `H2 claim`
	sensitive bool
	tie       string // two deltas whose order shows, if one was looked for
}

// plainReplay replays a thread whose COMPILED hold no artifact.
func plainReplay(messages []plainMessage, roster []string, priority map[string]int) []plainWindow {
	var out []plainWindow
	state, deltas := plainState{}, []*plainDelta(nil)
	end := func(compiled *plainMessage) {
		m := &plainMerge{priority: priority}
		w := m.window(state, deltas)
		w.compiled = compiled
		out, state, deltas = append(out, w), m.state, nil
	}
	for _, m := range plainThread(messages) {
		switch {
		case strings.HasPrefix(m.Subject, "COMPILED"):
			end(m)
		case strings.HasPrefix(m.Subject, "DELTA"):
			deltas = append(deltas, plainDeltas(m, roster)...)
		}
	}
	end(nil)
	return out
}

// plainMerge is a merge at work.
type plainMerge struct {
	priority map[string]int
	state    plainState
	applied  int
	dropped  int
	rejected map[*plainDelta]bool
	conflict map[string]string // the markers that stand, by `H2 claim`
}

// window merges the deltas of a window.
func (m *plainMerge) window(base plainState, deltas []*plainDelta) plainWindow {
	var valid []*plainDelta
	for _, d := range deltas {
		if !d.rejected {
			valid = append(valid, d)
		}
	}
	instants := m.instants(valid)
	m.run(base, instants)
	w := plainWindow{hash: m.state.hash(), applied: m.applied, conflicts: slices.Sorted(maps.Keys(m.conflict))}
	for _, d := range deltas {
		if d.rejected || m.rejected[d] {
			w.rejected = append(w.rejected, fmt.Sprintf("%d.%d", d.in.index, d.position))
		}
	}
	if w.sensitive = m.dropped > 0; !w.sensitive {
		w.tie = m.orderShows(base, instants)
		w.sensitive = w.tie != ""
	}
	return w
}

// run merges deltas that are in order, instant by instant.
func (m *plainMerge) run(base plainState, instants [][]*plainDelta) {
	m.state, m.rejected, m.conflict = base.clone(), map[*plainDelta]bool{}, map[string]string{}
	for _, instant := range instants {
		m.instant(instant)
	}
}

// rank is the priority of an agent as decisions.md 19 orders: without one, 0.
func (m *plainMerge) rank(d *plainDelta) int { return m.priority[d.agent] }

// settled reports whether defined, different priorities settle the order.
func (m *plainMerge) settled(a, b *plainDelta) bool {
	pa, aok := m.priority[a.agent]
	pb, bok := m.priority[b.agent]
	return aok && bok && pa != pb
}

// instants orders deltas (decisions.md 19 and 57) and parts them by instant. The
// places that a message takes among those of one priority are filled by position.
func (m *plainMerge) instants(deltas []*plainDelta) [][]*plainDelta {
	order := slices.Clone(deltas)
	slices.SortFunc(order, func(a, b *plainDelta) int {
		return cmp.Or(a.at.Compare(b.at), m.rank(a)-m.rank(b), strings.Compare(a.agent, b.agent), plainMessages(a.in, b.in), a.position-b.position)
	})
	for i, a := range order {
		for j := i + 1; j < len(order); j++ {
			if b := order[j]; a.in == b.in && a.at.Equal(b.at) && m.rank(a) == m.rank(b) && b.position < a.position {
				order[i], order[j] = b, a
				a = b
			}
		}
	}
	var out [][]*plainDelta
	for i, d := range order {
		if i == 0 || !d.at.Equal(order[i-1].at) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], d)
	}
	return out
}

func plainMessages(a, b *plainMessage) int {
	if c := plainID(a.ID, b.ID); c != 0 || a.ID != "" {
		return c
	}
	return cmp.Or(plainTexts(a, b), a.index-b.index)
}

// instant applies the deltas of one instant, tied ones as decisions.md 21 and 55
// say.
func (m *plainMerge) instant(deltas []*plainDelta) {
	kills := m.kills(deltas)
	tied := map[string][]plainWrite{}
	for _, d := range deltas {
		beside := slices.ContainsFunc(kills, func(k *plainDelta) bool { return k.target == d.target && k.in != d.in })
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
			m.item(item)[key] = marker
			m.conflict[field] = marker
		}
	}
}

// kills are the KILLs of an instant that find an item which was not killed before
// the instant.
func (m *plainMerge) kills(deltas []*plainDelta) (out []*plainDelta) {
	trial := &plainMerge{state: m.state.clone(), rejected: map[*plainDelta]bool{}}
	for _, d := range deltas {
		if d.operation == "EDIT" {
			continue
		}
		trial.addOrKill(d)
		before := m.state.find(d.section, d.target)
		if d.operation == "KILL" && !trial.rejected[d] && before["killed"] != true {
			out = append(out, d)
		}
	}
	return out
}

// addOrKill applies an ADD or KILL.
func (m *plainMerge) addOrKill(d *plainDelta) {
	it := m.state.find(d.section, d.target)
	switch {
	case d.operation == "ADD" && m.full(d.section):
		m.rejected[d] = true // MR-003
	case d.operation == "ADD":
		m.applied++
		it = plainItem{}
		for key, v := range d.payload {
			if !plainSystem(key) {
				it[key] = v
			}
		}
		it["id"] = fmt.Sprintf("%s%d", plainPrefix(d.section), len(m.state[d.section])+1)
		m.state[d.section] = append(m.state[d.section], it)
	case it == nil:
		m.rejected[d] = true // MR-001
	case it["killed"] == true: // a second KILL is a no-op
	default:
		m.applied++
		it["killed"], it["killed_by"], it["kill_reason"] = true, d.agent, d.reason
		it["killed_at"] = d.at.UTC().Format(time.RFC3339Nano)
	}
	m.withdraw()
}

// full reports whether there are six active hypotheses.
func (m *plainMerge) full(section string) bool {
	active := 0
	for _, it := range m.state[section] {
		if it["killed"] != true {
			active++
		}
	}
	return section == "hypothesis_slate" && active >= 6
}

// withdraw sets the outcomes of killed hypotheses to N/A (decisions.md 22).
func (m *plainMerge) withdraw() {
	for _, it := range m.state["predictions_table"] {
		outcomes, isObject := it["predictions"].(map[string]any)
		if !isObject {
			continue
		}
		own := maps.Clone(outcomes)
		for name := range own {
			if h := m.state.find("hypothesis_slate", name); h["killed"] == true {
				own[name] = "N/A"
			}
		}
		it["predictions"] = own
	}
}

func plainPrefix(section string) string {
	for _, s := range plainSections {
		if s.id == section {
			return s.prefix
		}
	}
	panic(section)
}

// plainSystem reports whether a key of a payload is not stored (decisions.md 20
// and 60).
func plainSystem(key string) bool {
	return slices.Contains([]string{"id", "killed", "killed_by", "killed_at", "kill_reason", "replace"}, key) ||
		strings.HasSuffix(key, "_replace") && key != "_replace"
}

// item is an item by its id alone.
func (m *plainMerge) item(id string) plainItem {
	for sec := range m.state {
		if it := m.state.find(sec, id); it != nil {
			return it
		}
	}
	return nil
}

// plainWrite is what a delta leaves a field at.
type plainWrite struct {
	by    *plainDelta
	value any
}

// edit applies an EDIT; tied are the writes of the instant so far, by field.
func (m *plainMerge) edit(d *plainDelta, tied map[string][]plainWrite) {
	id := d.target
	if d.section == "research_thread" {
		id = "RT"
	}
	it := m.state.find(d.section, id)
	switch {
	case it == nil && id != "RT":
		m.rejected[d] = true // MR-001
		return
	case it["killed"] == true: // MR-002
		return
	}
	before := m.view(it, id, tied)
	for key, v := range d.payload {
		if plainSystem(key) {
			continue
		}
		if it == nil {
			it = plainItem{"id": id}
			m.state[d.section] = []plainItem{it}
		}
		it[key] = plainUnion(d.payload, key, it[key], v)
		field := id + " " + key
		tied[field] = append(tied[field], plainWrite{d, it[key]})
		delete(m.conflict, field) // it is overwritten
	}
	m.withdraw()
	if m.view(it, id, tied) != before {
		m.applied++
	}
}

// view is an item as it would be if the instant ended here.
func (m *plainMerge) view(it plainItem, id string, tied map[string][]plainWrite) string {
	out := maps.Clone(it)
	for field, writes := range tied {
		if item, key, _ := strings.Cut(field, " "); item == id {
			if marker := m.marker(writes); marker != "" {
				out[key] = marker
			}
		}
	}
	return plainJSON(out)
}

// plainUnion is the value of a field after an EDIT (decisions.md 20).
func plainUnion(payload map[string]any, key string, old, v any) any {
	list, isList := v.([]any)
	isArray := slices.Contains([]string{"anchors", "conflicts_with", "labels", "references"}, key)
	if !isList || !isArray || payload["replace"] == true || payload[key+"_replace"] == true {
		return v
	}
	before, _ := old.([]any)
	out := append([]any{}, before...)
	for _, e := range list {
		if !slices.ContainsFunc(out, func(o any) bool { return plainJSON(o) == plainJSON(e) }) {
			out = append(out, e)
		}
	}
	return out
}

// marker is the CONFLICT of the writes of one instant, or "" (decisions.md 21,
// 55, 60). The last write of each message counts; of those with a priority only
// the highest.
func (m *plainMerge) marker(writes []plainWrite) string {
	last := map[*plainMessage]plainWrite{}
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
	slices.SortFunc(values, plainValues)
	values = slices.CompactFunc(values, func(a, b any) bool { return a == b })
	if len(values) < 2 {
		return ""
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, plainJSON(v))
	}
	return "CONFLICT: " + strings.Join(texts, " | ")
}
