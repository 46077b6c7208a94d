package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/state"
)

// Conflict is a field that deltas of one instant set to different values, and
// that no later delta settled (MR-008).
type Conflict struct {
	Item   protocol.ItemID
	Field  string
	Deltas []*Delta // one for each message, in the order of the merge
	Marker string   // CONFLICT: "a" | "b"
}

// TieKind is why the order of two deltas of one instant shows.
type TieKind uint8

// The kinds of ties.
const (
	TiedAdds   TieKind = iota + 1 // the ids depend on the order
	TiedKill                      // an EDIT beside a KILL, dropped
	TiedValues                    // a field whose value depends on the order
	TiedItem                      // an EDIT or KILL of an item that is added at the same instant
	TiedLimit                     // an ADD that fits only if a hypothesis is killed before
)

// Tie is a pair of deltas of one instant that would give another state if their
// order were swapped (MR-009).
type Tie struct {
	Kind          TieKind
	First, Second *Delta // in the order of the merge; of TiedKill the EDIT and the KILL
	Item          protocol.ItemID
	Field         string // of TiedValues
	// Other is the value that the field would have in the other order.
	Other any
}

// issue is a conflict or tie of a field, until a later delta overwrites it.
type issue struct {
	conflict *Conflict
	tie      *Tie
}

// tie watches the deltas of one instant, if they are of several messages.
type tie struct {
	// fields are those that EDITs wrote, in the order of the first write.
	fields []*tiedField
	byKey  map[fieldKey]*tiedField
}

// tiedField is a field that EDITs of one instant wrote.
type tiedField struct {
	key    fieldKey
	before any
	// writes are grouped by message, in the order of the messages' first write.
	writes    [][]write
	byMessage map[string]int
}

// write is one delta's value for one field.
type write struct {
	delta *Delta
	value any
	union bool // value is list, to be united with what is there
	list  []any
}

func (t *tie) note(k fieldKey, w write, before any) {
	f := t.byKey[k]
	if f == nil {
		f = &tiedField{key: k, before: before, byMessage: map[string]int{}}
		t.byKey[k] = f
		t.fields = append(t.fields, f)
	}
	i, ok := f.byMessage[w.delta.Message]
	if !ok {
		i = len(f.writes)
		f.byMessage[w.delta.Message] = i
		f.writes = append(f.writes, nil)
	}
	f.writes[i] = append(f.writes[i], w)
}

// tied applies the deltas of one instant that are of several messages, and finds
// what of the result is owed to their order alone (decisions.md 21). The work is
// linear: deltas are compared only with those that touch the same thing.
func (m *merger) tied(ds []*Delta) {
	start := len(m.res.Log)
	kills := m.killsOf(ds)
	m.tie = &tie{byKey: map[fieldKey]*tiedField{}}
	for _, d := range ds {
		if kill := kills.beside(d); kill != nil {
			m.drop(d, kill)
			continue
		}
		m.apply(d)
	}
	fields := m.tie.fields
	m.tie = nil
	for _, f := range fields {
		m.settleField(f)
	}
	log := m.res.Log[start:]
	m.settleAdds(log)
	m.settleNewItems(log)
	m.settleLimit(log)
}

// rival remembers the last delta of a kind and the last one of another message
// than that, so that a delta finds one of another message than its own.
type rival struct{ last, other *Delta }

func (r *rival) note(d *Delta) {
	if r.last != nil && r.last.Message != d.Message {
		r.other = r.last
	}
	r.last = d
}

// of is a noted delta of another message than d's, or nil.
func (r *rival) of(d *Delta) *Delta {
	if r.last != nil && r.last.Message != d.Message {
		return r.last
	}
	return r.other
}

// killsByItem are the KILLs of an instant that will kill something.
type killsByItem map[protocol.ItemID]*rival

func (m *merger) killsOf(ds []*Delta) killsByItem {
	out := killsByItem{}
	for _, d := range ds {
		if d.Operation != protocol.Kill || d.Target.Section != d.Section {
			continue
		}
		if it := m.st.Find(d.Target); it != nil && it.Active() {
			if out[d.Target] == nil {
				out[d.Target] = &rival{}
			}
			out[d.Target].note(d)
		}
	}
	return out
}

// beside is the KILL of another message that an EDIT stands beside, or nil.
func (k killsByItem) beside(d *Delta) *Delta {
	if r := k[d.Target]; r != nil && d.Operation == protocol.Edit {
		return r.of(d)
	}
	return nil
}

// drop leaves an EDIT beside a KILL out: the KILL wins whatever the order.
func (m *merger) drop(d, kill *Delta) {
	m.res.Log = append(m.res.Log, Entry{Delta: d, Outcome: Dropped, Item: d.Target, Rule: "MR-009"})
	m.res.Ties = append(m.res.Ties, Tie{Kind: TiedKill, First: d, Second: kill, Item: d.Target})
}

// settleField finds out what the order of tied EDITs did to a field.
func (m *merger) settleField(f *tiedField) {
	if len(f.writes) < 2 {
		return
	}
	var first, second *Delta
	var other any
	switch writes := m.undecided(f.writes); {
	case onlyUnions(f.writes):
		first, second, other = m.unionOrderShows(f)
	case scalars(writes):
		m.settleScalars(f, writes)
		return
	default:
		first, second, other = orderShows(f.before, writes)
	}
	if second == nil {
		return
	}
	t := &Tie{Kind: TiedValues, First: first, Second: second, Item: f.key.item, Field: f.key.field, Other: other}
	m.open[f.key] = &issue{tie: t}
}

// undecided leaves out the messages whose write another one overwrites because
// of its agent's priority.
func (m *merger) undecided(writes [][]write) [][]write {
	top, ranked := 0, false
	for _, ws := range writes {
		if p, ok := m.opts.Priority[last(ws).delta.Agent]; ok && (!ranked || p > top) {
			top, ranked = p, true
		}
	}
	if !ranked {
		return writes
	}
	var out [][]write
	for _, ws := range writes {
		if p, ok := m.opts.Priority[last(ws).delta.Agent]; !ok || p == top {
			out = append(out, ws)
		}
	}
	return out
}

func last(ws []write) write { return ws[len(ws)-1] }

// scalars reports whether all messages leave the field at a scalar.
func scalars(writes [][]write) bool {
	for _, ws := range writes {
		switch last(ws).value.(type) {
		case []any, map[string]any:
			return false
		}
	}
	return true
}

// settleScalars puts a CONFLICT marker where tied EDITs set different values
// (artifact_delta_spec, Resolution Hierarchy 4).
func (m *merger) settleScalars(f *tiedField, writes [][]write) {
	values := make([]string, 0, len(writes))
	c := &Conflict{Item: f.key.item, Field: f.key.field}
	for _, ws := range writes {
		values = append(values, conflictValue(last(ws).value))
		c.Deltas = append(c.Deltas, last(ws).delta)
	}
	slices.Sort(values)
	if values = slices.Compact(values); len(values) < 2 {
		return
	}
	c.Marker = "CONFLICT: " + strings.Join(values, " | ")
	delete(m.sets, f.key)
	m.store(f.key, c.Marker, c.Deltas[len(c.Deltas)-1])
	m.open[f.key] = &issue{conflict: c}
}

// conflictValue is a scalar in a marker: a text in quotes, others in quotes too,
// as decisions.md 21 writes them.
func conflictValue(v any) string {
	if text, ok := v.(string); ok {
		return state.Canonical(text)
	}
	return `"` + state.Canonical(v) + `"`
}

// maxSwaps bounds how many pairs of messages are run in both orders for one
// field on which unions and replacements meet.
const maxSwaps = 32

// orderShows finds two messages whose writes give another value in the other
// order, and that value. Both orders are run.
func orderShows(before any, writes [][]write) (first, second *Delta, other any) {
	swaps := 0
	for j, later := range writes {
		for _, earlier := range writes[:j] {
			if swaps++; swaps > maxSwaps {
				return nil, nil, nil
			}
			b := run(run(before, later), earlier)
			if state.Canonical(run(run(before, earlier), later)) != state.Canonical(b) {
				return last(earlier).delta, last(later).delta, b
			}
		}
	}
	return nil, nil, nil
}

func onlyUnions(writes [][]write) bool {
	for _, ws := range writes {
		for _, w := range ws {
			if !w.union {
				return false
			}
		}
	}
	return true
}

// unionOrderShows runs the unions of two messages in both orders. The results
// are equal exactly if one message's new values begin with the other's, for each
// result begins with what was united first; so comparing with the message that
// brings most is comparing with all.
func (m *merger) unionOrderShows(f *tiedField) (first, second *Delta, other any) {
	old, _ := f.before.([]any)
	base := newMemberSet(old)
	var most []any
	var by *Delta
	for _, ws := range f.writes {
		news := newMemberSet(nil)
		for _, w := range ws {
			for _, v := range w.list {
				if !base.keys[memberKey(v)] {
					news.add([]any{v})
				}
			}
		}
		n := min(len(most), len(news.list))
		if state.Canonical(most[:n:n]) != state.Canonical(news.list[:n:n]) && !m.decided(by, last(ws).delta) {
			swapped := newMemberSet(slices.Concat(old, news.list))
			swapped.add(most)
			return by, last(ws).delta, swapped.list
		}
		if len(news.list) > len(most) {
			most, by = news.list, last(ws).delta
		}
	}
	return nil, nil, nil
}

// run is a field's value after the writes of one message.
func run(v any, ws []write) any {
	for _, w := range ws {
		old, isList := v.([]any)
		if !w.union {
			v = w.value
			continue
		}
		if !isList {
			old = nil
		}
		set := newMemberSet(old)
		set.add(w.list)
		v = set.list
	}
	return v
}

// closeIssues lists what is still open, in the order of the merge.
func (m *merger) closeIssues() {
	if len(m.open)+len(m.res.Ties) == 0 {
		return
	}
	place := make(map[*Delta]int, len(m.res.Log))
	for i := range m.res.Log {
		place[m.res.Log[i].Delta] = i
	}
	for _, is := range m.open {
		if is.conflict != nil {
			m.res.Conflicts = append(m.res.Conflicts, *is.conflict)
		} else {
			m.res.Ties = append(m.res.Ties, *is.tie)
		}
	}
	slices.SortFunc(m.res.Conflicts, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(place[a.Deltas[1]], place[b.Deltas[1]]), a.Item.Compare(b.Item), cmp.Compare(a.Field, b.Field))
	})
	slices.SortFunc(m.res.Ties, func(a, b Tie) int {
		return cmp.Or(cmp.Compare(place[a.Second], place[b.Second]), cmp.Compare(place[a.First], place[b.First]),
			cmp.Compare(a.Kind, b.Kind), a.Item.Compare(b.Item), cmp.Compare(a.Field, b.Field))
	})
}
