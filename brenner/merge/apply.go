package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// merger is the state of a merge in progress.
type merger struct {
	opts  Options
	st    *state.State
	res   *Result
	trial bool // nobody reads why it refuses a delta

	// made are the items that this merge has made: no other state has them, so that they
	// are changed in place.
	made map[*state.Item]bool
	// killed are the hypotheses that this merge has killed, by the names of their outcomes.
	killed map[string]bool
	// open are the conflicts that no later delta has overwritten.
	open map[fieldKey]*Conflict
	// contests are the fields written by EDITs of the instant that is being applied, if
	// its deltas are from several messages; else nil.
	contests map[fieldKey]*contest
}

type fieldKey struct {
	item  brenner.ItemID
	field string
}

// Bounds of a state, beyond which a delta is refused: what a merge takes stays in
// proportion to its deltas.
const (
	MaxItems   = 10_000 // of a section
	MaxMembers = 10_000 // of an array that EDITs add to
)

// NotApplicable is the outcome of a prediction of a killed hypothesis
// (artifact_delta_spec, Predictions Table).
const NotApplicable = "N/A"

// outcomesKey is the field of a prediction that a KILL of a hypothesis changes.
const outcomesKey = "predictions"

// arrays are the fields whose values an EDIT unites (decisions.md 20).
var arrays = []string{"anchors", "conflicts_with", "labels", "references"}

// IsUnstored reports whether no item stores a key of a payload: those that only the merge
// sets, and the flags of an EDIT (decisions.md 20 and 60).
func IsUnstored(key string) bool {
	field, isFlag := strings.CutSuffix(key, "_replace")
	return key == "replace" || isFlag && field != "" || slices.Contains(brenner.SystemFields, key)
}

// Unites reports whether a delta adds to the array in a field instead of replacing it.
func Unites(o brenner.Operation, payload map[string]any, key string) bool {
	_, isList := payload[key].([]any)
	return isList && o == brenner.Edit && slices.Contains(arrays, key) && payload["replace"] != true && payload[key+"_replace"] != true
}

// run applies deltas that are in order, instant by instant.
func (m *merger) run(instants [][]*Delta) {
	for _, ds := range instants {
		if fromOneMessage(ds) {
			for _, d := range ds {
				m.apply(d)
			}
			continue
		}
		kills := m.killsOf(ds)
		m.contests = map[fieldKey]*contest{}
		for _, d := range ds {
			if kill := kills[d.Target].of(d); kill != nil && d.Operation == brenner.Edit && d.Target.Section == d.Section {
				m.drop(d, kill)
			} else {
				m.apply(d)
			}
		}
		for k, c := range m.contests {
			m.resolve(k, c)
		}
		m.contests = nil
	}
	m.withdraw()
}

func fromOneMessage(ds []*Delta) bool {
	return !slices.ContainsFunc(ds, func(d *Delta) bool { return d.message() != ds[0].message() })
}

// apply applies one delta and logs what became of it.
func (m *merger) apply(d *Delta) {
	e := Entry{Delta: d, Outcome: Applied, Item: d.Target}
	switch {
	case d.Operation == brenner.Add:
		m.add(d, &e)
	case d.Operation == brenner.Edit && d.Section == brenner.ResearchThread:
		// There is exactly one, and its first EDIT makes it (decisions.md 20).
		e.Item = brenner.ItemID{Section: brenner.ResearchThread}
		m.edit(d, &e)
	case d.Target.Section != d.Section || m.st.Find(d.Target) == nil:
		e.Outcome, e.Refusal = Rejected, m.refusal(NoTarget, d.Section)
	case d.Operation == brenner.Edit:
		m.edit(d, &e)
	case d.Operation == brenner.Kill:
		m.kill(d, &e)
	}
	m.res.Log = append(m.res.Log, e)
}

// refusal returns a refusal with the counts of a section at this point.
func (m *merger) refusal(why Reason, sec brenner.Section) *Refusal {
	if m.trial {
		return nil
	}
	r := &Refusal{Reason: why, Items: m.st.Len(sec), Active: m.st.Active(sec)}
	if first, last := m.st.Bounds(sec); first != nil {
		if r.First, r.Last = first.ID, last.ID; r.Last.Number-r.First.Number >= r.Items {
			for _, it := range m.st.Items(sec)[:min(r.Items, 12)] {
				r.Some = append(r.Some, it.ID)
			}
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
	it := state.NewItem(e.Item, m.fieldsOf(d))
	it.Note = &Origin{Added: d}
	m.st.Put(it)
}

// fieldsOf returns the fields of the item that an ADD adds: mostly its payload.
func (m *merger) fieldsOf(d *Delta) map[string]any {
	asGiven := d.Section != brenner.PredictionsTable
	for key := range d.Payload {
		asGiven = asGiven && !IsUnstored(key)
	}
	if asGiven {
		return d.Payload
	}
	fields := make(map[string]any, len(d.Payload))
	for key, v := range d.Payload {
		if !IsUnstored(key) {
			fields[key] = m.stored(d.Section, key, v)
		}
	}
	return fields
}

// put puts an item into the state that this merge has made, with fields of its own.
func (m *merger) put(it *state.Item, origin *Origin) {
	it.Note = origin
	m.made[it] = true
	m.st.Put(it)
}

// own returns an item to be changed, with its origin. The research thread is made if there
// is none.
func (m *merger) own(id brenner.ItemID, by *Delta) (*state.Item, *Origin) {
	it := m.st.Find(id)
	switch {
	case it == nil:
		it = state.NewItem(id, nil)
		m.put(it, &Origin{Added: by})
	case !m.made[it]:
		origin := OriginOf(it).Clone()
		it = it.Clone()
		m.put(it, origin)
	}
	return it, it.Note.(*Origin)
}

// stored returns a value as an item stores it: outcomes of killed hypotheses are N/A
// (decisions.md 22).
func (m *merger) stored(sec brenner.Section, key string, v any) any {
	return withdrawn(sec, key, v, func(name string) bool {
		id, ok := brenner.ParseItemID(name)
		if !ok || id.Section != brenner.HypothesisSlate {
			return false
		}
		it := m.st.Find(id)
		return it != nil && !it.Active()
	})
}

// withdrawn returns a value in which the outcomes of some hypotheses are N/A.
func withdrawn(sec brenner.Section, key string, v any, killed func(name string) bool) any {
	outcomes, ok := v.(map[string]any)
	if sec != brenner.PredictionsTable || key != outcomesKey || !ok {
		return v
	}
	var out map[string]any
	for name, outcome := range outcomes {
		if outcome != NotApplicable && killed(name) {
			if out == nil {
				out = maps.Clone(outcomes)
			}
			out[name] = NotApplicable
		}
	}
	if out == nil {
		return v
	}
	return out
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
	e.Outcome = Unchanged
	for key := range d.Payload {
		if list, _ := before[key].([]any); Unites(d.Operation, d.Payload, key) && len(list) >= MaxMembers {
			if e.Outcome, e.Refusal = Rejected, m.refusal(SectionFull, d.Section); e.Refusal != nil {
				e.Refusal.Members = len(list)
			}
			return
		}
	}
	for key := range d.Payload {
		if !IsUnstored(key) && m.write(fieldKey{e.Item, key}, d) {
			e.Outcome = Applied
		}
	}
}

// write writes one field, and reports whether that changes it after ties are resolved.
func (m *merger) write(k fieldKey, d *Delta) bool {
	var before any
	had := false
	if it := m.st.Find(k.item); it != nil {
		before, had = it.Fields()[k.field]
	}
	v := m.stored(d.Section, k.field, d.Payload[k.field])
	after := v
	if list, _ := v.([]any); Unites(d.Operation, d.Payload, k.field) {
		old, _ := before.([]any) // nothing else can be united with
		after = union(old, list)
	}
	delete(m.open, k)
	now := withdrawn(d.Section, k.field, before, func(name string) bool { return m.killed[name] })
	changed := !had || !state.SameValue(now, after)
	if changed {
		it, origin := m.own(k.item, d)
		it.Fields()[k.field] = after
		origin.Set(k.field, d)
	}
	if m.contests == nil {
		return changed
	}
	c := m.contests[k]
	if c == nil {
		c = newContest(m.opts.Priority)
		m.contests[k] = c
	}
	was := c.conflicting()
	if moved := c.enter(d, v); was || c.conflicting() {
		return moved
	}
	return changed
}

// union returns a list followed by what another one has in addition, by value
// (decisions.md 20). Neither of them changes.
func union(old, list []any) []any {
	out := append(make([]any, 0, len(old)+len(list)), old...)
	if len(list) <= 8 { // else an index is worth while
		for _, v := range list {
			if !slices.ContainsFunc(out, func(o any) bool { return state.SameValue(o, v) }) {
				out = append(out, v)
			}
		}
		return out
	}
	known := make(map[string]bool, len(old)+len(list))
	for _, v := range old {
		known[state.Canonical(v)] = true
	}
	for _, v := range list {
		if key := state.Canonical(v); !known[key] {
			known[key] = true
			out = append(out, v)
		}
	}
	return out
}

func (m *merger) kill(d *Delta, e *Entry) {
	if it := m.st.Find(e.Item); !it.Active() {
		e.Outcome = Unchanged
		return
	}
	it, origin := m.own(e.Item, d)
	killed := *it
	killed.Killed = &state.Kill{By: d.Agent, At: d.Time.UTC(), Reason: d.Reason}
	origin.Killed = d
	m.put(&killed, origin)
	if e.Item.Section == brenner.HypothesisSlate {
		m.killed[e.Item.String()] = true
	}
}

// withdraw sets the outcomes of the hypotheses that the merge has killed to N/A. They are
// still attributed to the deltas that set them (decisions.md 51).
func (m *merger) withdraw() {
	if len(m.killed) == 0 {
		return
	}
	for _, it := range m.st.Items(brenner.PredictionsTable) {
		was, isObject := it.Fields()[outcomesKey].(map[string]any)
		if !isObject {
			continue
		}
		changed := false
		for name, outcome := range was {
			changed = changed || m.killed[name] && outcome != NotApplicable
		}
		if changed {
			now := withdrawn(it.ID.Section, outcomesKey, was, func(name string) bool { return m.killed[name] })
			own, _ := m.own(it.ID, nil)
			own.Fields()[outcomesKey] = now
		}
	}
}

// drop omits an EDIT tied with a KILL: the KILL wins in any order.
func (m *merger) drop(d, kill *Delta) {
	m.res.Log = append(m.res.Log, Entry{Delta: d, Outcome: Dropped, Item: d.Target})
	m.res.Ties = append(m.res.Ties, Tie{Kind: TiedKill, First: d, Second: kill, Item: d.Target})
}

// lastKill is the last KILL of an item at an instant, and the last of another message, so
// that each EDIT finds one of another message than its own.
type lastKill struct{ last, other *Delta }

func (r lastKill) of(d *Delta) *Delta {
	if r.last != nil && r.last.message() != d.message() {
		return r.last
	}
	return r.other
}

// killsOf returns the KILLs of an instant that find an item which was not killed before
// the instant. Only ADDs and KILLs are tried, because an EDIT makes no difference to them.
func (m *merger) killsOf(ds []*Delta) map[brenner.ItemID]lastKill {
	has := func(o brenner.Operation) bool {
		return slices.ContainsFunc(ds, func(d *Delta) bool { return d.Operation == o })
	}
	if !has(brenner.Kill) || !has(brenner.Edit) {
		return nil
	}
	trial := newMerger(m.st, m.opts)
	trial.trial = true
	out := map[brenner.ItemID]lastKill{}
	for _, d := range ds {
		if d.Operation == brenner.Edit {
			continue
		}
		trial.apply(d)
		if d.Operation != brenner.Kill || trial.res.Log[len(trial.res.Log)-1].Outcome == Rejected {
			continue
		}
		if before := m.st.Find(d.Target); before == nil || before.Active() {
			r := out[d.Target]
			if r.last != nil && r.last.message() != d.message() {
				r.other = r.last
			}
			r.last = d
			out[d.Target] = r
		}
	}
	return out
}
