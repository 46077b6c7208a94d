package merge

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
)

// merger is a merge in progress.
type merger struct {
	opts     Options
	base, st *brenner.State
	res      *Result

	// place is the place of each delta in the log.
	place map[*Delta]int
	// writes are those of the instant that is being applied, if its deltas are from several
	// messages; else nil.
	writes map[fieldKey]*writes
	// open are the conflicts that no later delta has overwritten.
	open map[fieldKey]*Conflict
	// work counts the members of the arrays and objects that were written.
	work int
}

type fieldKey struct {
	item  brenner.ItemID
	field string
}

func newMerger(base *brenner.State, opts Options) *merger {
	return &merger{
		opts: opts, base: base, st: base.Clone(), res: new(Result),
		place: map[*Delta]int{}, open: map[fieldKey]*Conflict{},
	}
}

// entry returns what became of a delta.
func (m *merger) entry(d *Delta) *Entry { return &m.res.Log[m.place[d]] }

func (m *merger) log(e Entry) {
	m.place[e.Delta] = len(m.res.Log)
	m.res.Log = append(m.res.Log, e)
}

// Bounds of a state. A delta that would exceed one is refused, so that time and memory of a
// merge stay in proportion to its deltas.
const (
	MaxItems   = 10_000 // of a section
	MaxMembers = 1_000  // of an array that EDITs add to
)

// outcomesKey is the field of a prediction that a KILL of a hypothesis changes.
const outcomesKey = "predictions"

// arrays are the fields whose values an EDIT unites (decisions.md 20).
var arrays = []string{"anchors", "conflicts_with", "labels", "references"}

// IsUnstored reports whether items do not store a key of a payload: only the merge sets it, or
// it is a flag of an EDIT (decisions.md 20 and 60).
func IsUnstored(key string) bool {
	field, isFlag := strings.CutSuffix(key, "_replace")
	return key == "replace" || isFlag && field != "" || brenner.IsSystemField(key)
}

// Unites reports whether a delta adds to the array in a field instead of replacing it.
func Unites(o brenner.Operation, payload map[string]any, key string) bool {
	_, isList := payload[key].([]any)
	return isList && o == brenner.Edit && slices.Contains(arrays, key) && payload["replace"] != true && payload[key+"_replace"] != true
}

// run applies deltas that are in order, instant by instant.
func (m *merger) run(instants [][]*Delta) *merger {
	for _, ds := range instants {
		var kills map[brenner.ItemID][]*Delta
		if !fromOneMessage(ds) {
			kills, m.writes = m.killsOf(ds), map[fieldKey]*writes{}
		}
		for _, d := range ds {
			if kill := killBeside(d, kills); kill != nil {
				// The KILL wins in any order, and the EDIT is dropped (decisions.md 21).
				m.log(Entry{Delta: d, Outcome: Dropped, Item: d.Target})
				m.res.Ties = append(m.res.Ties, Tie{Kind: TiedKill, First: d, Second: kill, Item: d.Target})
			} else {
				m.apply(d)
			}
		}
		for k, w := range m.writes {
			m.resolve(k, w)
		}
		m.writes = nil
	}
	m.withdraw()
	m.res.State = m.st
	return m
}

// killsOf returns, by item, the KILLs of an instant whose item was not killed before the
// instant: of consecutive ones of one message the last. It applies only ADDs and KILLs, because
// EDITs do not change the result.
func (m *merger) killsOf(ds []*Delta) map[brenner.ItemID][]*Delta {
	out := map[brenner.ItemID][]*Delta{}
	if !slices.ContainsFunc(ds, func(d *Delta) bool { return d.Operation == brenner.Kill }) {
		return out
	}
	trial := newMerger(m.st, m.opts)
	for _, d := range ds {
		if d.Operation == brenner.Edit {
			continue
		}
		trial.apply(d)
		if d.Operation != brenner.Kill || trial.entry(d).Outcome == Rejected || m.st.IsKilled(d.Target) {
			continue
		}
		kills := out[d.Target]
		if n := len(kills); n > 0 && kills[n-1].message() == d.message() {
			kills = kills[:n-1]
		}
		out[d.Target] = append(kills, d)
	}
	return out
}

// killBeside returns the last KILL from another message of the item that an EDIT names, or nil.
func killBeside(d *Delta, kills map[brenner.ItemID][]*Delta) *Delta {
	if d.Operation == brenner.Edit && d.Target.Section == d.Section {
		for _, kill := range slices.Backward(kills[d.Target]) {
			if kill.message() != d.message() {
				return kill
			}
		}
	}
	return nil
}

// apply applies one delta and logs what became of it.
func (m *merger) apply(d *Delta) {
	e := Entry{Delta: d, Outcome: Applied, Item: d.Target}
	switch {
	case d.Operation == brenner.Add:
		m.add(d, &e)
	case d.Operation == brenner.Edit && d.Section == brenner.ResearchThread: // its first EDIT makes it (decisions.md 20)
		m.edit(d, &e)
	case d.Target.Section != d.Section || m.st.Find(d.Target) == nil:
		e.Outcome, e.Refusal = Rejected, m.refusal(NoTarget, d.Section)
	case d.Operation == brenner.Edit:
		m.edit(d, &e)
	default:
		m.kill(d, &e)
	}
	m.log(e)
}

// refusal returns a refusal with the counts of a section at this point.
func (m *merger) refusal(why Reason, sec brenner.Section) *Refusal {
	items := m.st.Items(sec)
	r := &Refusal{Reason: why, Items: len(items), Active: m.st.Active(sec)}
	if len(items) > 0 {
		r.First, r.Last = items[0].ID, items[len(items)-1].ID
	}
	if int(r.Last.Number-r.First.Number) >= r.Items {
		for _, it := range items[:min(r.Items, 12)] {
			r.Some = append(r.Some, it.ID)
		}
	}
	return r
}

func (m *merger) add(d *Delta, e *Entry) {
	e.Item = brenner.ItemID{}
	limit := d.Section.Maximum()
	switch {
	case d.Section == brenner.ResearchThread:
		e.Outcome, e.Refusal = Rejected, &Refusal{Reason: SecondThread}
		return
	case limit > 0 && m.st.Active(d.Section) >= limit && !m.opts.Unlimited[d], m.st.Len(d.Section) >= MaxItems:
		e.Outcome, e.Refusal = Rejected, m.refusal(SectionFull, d.Section)
		return
	}
	e.Item = brenner.ItemID{Section: d.Section, Number: m.st.Highest(d.Section) + 1}
	m.own(e.Item, d)
	for key, v := range d.Payload {
		if k := (fieldKey{e.Item, key}); !IsUnstored(key) {
			m.set(k, m.withdrawn(k, v, true), d)
		}
	}
}

// own returns an item and its origin, which may be changed: what the base has is copied. If there
// is none, it makes one that a delta adds.
func (m *merger) own(id brenner.ItemID, by *Delta) (*brenner.Item, *Origin) {
	it := m.st.Find(id)
	if it != nil && it != m.base.Find(id) {
		return it, it.Note.(*Origin)
	}
	origin := OriginOf(it).Clone()
	if it == nil {
		it, origin.Added = brenner.NewItem(id, nil), by
	} else {
		it = it.Clone()
		for _, v := range it.Fields() {
			m.res.Copied += 1 + members(v)
		}
	}
	it.Note = origin
	m.st.Put(it)
	return it, origin
}

// set sets a field to a value as it is stored; by, if not nil, is the delta that explains
// it. The research thread is made if there is none.
func (m *merger) set(k fieldKey, v any, by *Delta) {
	it, origin := m.own(k.item, by)
	it.Fields()[k.field] = v
	if by != nil {
		origin.Fields[k.field] = by
	}
}

// withdrawn returns a value of a field in which the outcomes of hypotheses that this merge has
// killed are N/A; with all, those of all killed ones (decisions.md 22).
func (m *merger) withdrawn(k fieldKey, v any, all bool) any {
	outcomes, ok := v.(map[string]any)
	if k.item.Section != brenner.PredictionsTable || k.field != outcomesKey || !ok {
		return v
	}
	own := maps.Clone(outcomes)
	for name := range own {
		h, _ := brenner.ParseItemID(name)
		if h.Section == brenner.HypothesisSlate && m.st.IsKilled(h) && (all || !m.base.IsKilled(h)) {
			own[name] = brenner.NotApplicable
		}
	}
	return own
}

// withdraw sets the outcomes of the hypotheses that the merge has killed to N/A. They are
// still attributed to the deltas that set them (decisions.md 51).
func (m *merger) withdraw() {
	killed := func(s *brenner.State) int { return s.Len(brenner.HypothesisSlate) - s.Active(brenner.HypothesisSlate) }
	if killed(m.st) == killed(m.base) {
		return
	}
	for _, it := range m.st.Items(brenner.PredictionsTable) {
		k, before := fieldKey{it.ID, outcomesKey}, it.Fields()[outcomesKey]
		m.res.Copied += members(before)
		if now := m.withdrawn(k, before, false); !brenner.SameValue(before, now) {
			m.set(k, now, nil)
		}
	}
}

func (m *merger) edit(d *Delta, e *Entry) {
	var before map[string]any
	if it := m.st.Find(e.Item); it != nil {
		if !it.Active() {
			e.Outcome, e.Refusal = Skipped, &Refusal{Reason: TargetKilled, Kill: it.Killed}
			return
		}
		before = it.Fields()
	}
	for key := range d.Payload {
		if list, _ := before[key].([]any); Unites(d.Operation, d.Payload, key) && len(list) >= MaxMembers {
			e.Outcome, e.Refusal = Rejected, m.refusal(SectionFull, d.Section)
			e.Refusal.Members = len(list)
			return
		}
	}
	e.Outcome = Unchanged
	for key := range d.Payload {
		if !IsUnstored(key) && m.write(fieldKey{e.Item, key}, d, before) {
			e.Outcome = Applied
		}
	}
}

// write writes one field of an item with some fields, and reports whether that changes it after
// ties are resolved.
func (m *merger) write(k fieldKey, d *Delta, fields map[string]any) bool {
	before, had := fields[k.field]
	v := m.withdrawn(k, d.Payload[k.field], true)
	after := v
	if list, _ := v.([]any); Unites(d.Operation, d.Payload, k.field) {
		old, _ := before.([]any) // nothing else can be united with
		after = Union(old, list)
	}
	m.work += members(before) + members(v)
	if m.open[k] != nil {
		m.res.Resolved = append(m.res.Resolved, k.item)
		delete(m.open, k)
	}
	changed := !had || !brenner.SameValue(m.withdrawn(k, before, false), after)
	if changed {
		m.set(k, after, d)
	}
	if m.writes == nil {
		return changed
	}
	if m.writes[k] == nil {
		m.writes[k] = &writes{last: map[messageKey]write{}, forms: map[string]int{}, top: math.MinInt}
	}
	if conflict, another := m.writes[k].enter(write{delta: d, value: v}, &m.opts); conflict {
		return another
	}
	return changed
}

// Union returns a list followed by what another one has in addition, by value
// (decisions.md 20). Neither of them changes.
func Union(old, list []any) []any {
	missing := make(map[any]bool, len(list))
	for _, v := range list {
		missing[keyOf(v)] = true
	}
	for _, v := range old {
		delete(missing, keyOf(v))
	}
	out := append(make([]any, 0, len(old)+len(list)), old...)
	for _, v := range list {
		if key := keyOf(v); missing[key] {
			delete(missing, key)
			out = append(out, v)
		}
	}
	return out
}

// canonical is an array or an object in a form that can be a key.
type canonical string

// keyOf returns a value of plain JSON data in a form that can be a key.
func keyOf(v any) any {
	if isScalar(v) {
		return v
	}
	return canonical(brenner.Canonical(v))
}

func (m *merger) kill(d *Delta, e *Entry) {
	if m.st.IsKilled(e.Item) {
		e.Outcome = Unchanged
		return
	}
	it, origin := m.own(e.Item, d)
	it.Killed, origin.Killed = d.Killing(), d
}
