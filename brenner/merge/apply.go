package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// merger is the state of a merge in progress. Its maps are made when they are first used:
// most merges use none.
type merger struct {
	opts Options
	st   *state.State
	res  *Result

	// ownOutcomes marks the predictions whose outcomes this merge has copied.
	ownOutcomes map[brenner.ItemID]bool
	// sets index the members of growing arrays, so that the cost of a union depends on
	// what is new and not on what is there.
	sets        map[fieldKey]*memberSet
	lastRefusal *Refusal
	// open are the conflicts and order-dependent fields that no later delta has
	// overwritten.
	open map[fieldKey]issue
	// contests are the fields written by EDITs of the instant that is being applied, if
	// its deltas are from several messages; else nil.
	contests *contests
	// suspects are what may depend on the order of messages of one instant. A trial has
	// none.
	suspects []suspect
	trial    bool
}

type fieldKey struct {
	item  brenner.ItemID
	field string
}

// NotApplicable is the outcome of a prediction of a killed hypothesis
// (artifact_delta_spec, Predictions Table).
const NotApplicable = "N/A"

// arrays are the fields whose values an EDIT unites (decisions.md 20).
var arrays = []string{"anchors", "conflicts_with", "labels", "references"}

// unstored reports whether no item stores a key of a payload: those that only the merge
// sets, and the flags of an EDIT (decisions.md 20 and 60).
func unstored(key string) bool {
	field, isFlag := strings.CutSuffix(key, "_replace")
	return key == "replace" || isFlag && field != "" || slices.Contains(brenner.SystemFields, key)
}

// IsUnstored reports whether no item stores a key of a payload.
func IsUnstored(key string) bool { return unstored(key) }

// Unites reports whether a delta adds to the array in a field instead of replacing it.
func Unites(o brenner.Operation, payload map[string]any, key string) bool {
	return unites(o, payload, key, payload[key])
}

// unites is Unites for a value of a payload.
func unites(o brenner.Operation, payload map[string]any, key string, v any) bool {
	_, isList := v.([]any)
	return isList && o == brenner.Edit && slices.Contains(arrays, key) && payload["replace"] != true && payload[key+"_replace"] != true
}

// hypothesis returns the hypothesis that an outcome's key names.
func hypothesis(key string) (brenner.ItemID, bool) {
	id, ok := brenner.ParseItemID(key)
	return id, ok && id.Section == brenner.HypothesisSlate
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
		e.refuse(Rejected, m.refusal(NoTarget, d.Section))
	case d.Operation == brenner.Edit:
		m.edit(d, &e)
	case d.Operation == brenner.Kill:
		m.kill(d, &e)
	}
	m.res.Log = append(m.res.Log, e)
}

// refuse records why a delta was not applied.
func (e *Entry) refuse(o Outcome, why *Refusal) { e.Outcome, e.Refusal = o, why }

// refusal returns a refusal with the counts of a section at this point.
func (m *merger) refusal(why Reason, sec brenner.Section) *Refusal {
	r := &Refusal{Reason: why, Items: m.st.Len(sec), Active: m.st.Active(sec)}
	if first, last := m.st.Bounds(sec); first != nil {
		r.First, r.Last = first.ID, last.ID
	}
	if m.lastRefusal != nil && *m.lastRefusal == *r {
		return m.lastRefusal // of a section that nothing has changed since
	}
	m.lastRefusal = r
	return r
}

func (m *merger) add(d *Delta, e *Entry) {
	e.Item = brenner.ItemID{}
	limit, active := d.Section.Maximum(), m.st.Active(d.Section)
	switch {
	case d.Section == brenner.ResearchThread:
		e.refuse(Rejected, &Refusal{Reason: SecondThread})
		return
	case limit > 0 && active >= limit && !m.opts.Unlimited[d]:
		e.refuse(Rejected, m.refusal(SectionFull, d.Section))
		return
	}
	e.Item = brenner.ItemID{Section: d.Section, Number: m.st.Highest(d.Section) + 1}
	m.st.AddShared(m.added(d, e.Item)) // its fields may be the delta's
}

// addedItem is an item that an ADD adds, with its origin: there are many.
type addedItem struct {
	item   state.Item
	origin Origin
}

// added returns the item that an ADD adds. Most have the payload as their fields.
func (m *merger) added(d *Delta, id brenner.ItemID) *state.Item {
	a := &addedItem{origin: Origin{Added: d, owner: m.res}}
	if m.storesAsGiven(d) {
		a.item = *state.NewItem(id, d.Payload)
	} else {
		a.item = *state.NewItem(id, m.fieldsOf(d))
	}
	a.item.Note = &a.origin
	return &a.item
}

// outcomesKey is the one field that may be stored as something else than given.
const outcomesKey = "predictions"

// storesAsGiven reports whether the fields of an item that an ADD adds are its payload.
func (m *merger) storesAsGiven(d *Delta) bool {
	for key := range d.Payload {
		if unstored(key) {
			return false
		}
	}
	if d.Section != brenner.PredictionsTable {
		return true
	}
	outcomes, _ := d.Payload[outcomesKey].(map[string]any)
	for key := range outcomes {
		if m.isWithdrawn(key) {
			return false
		}
	}
	return true
}

// fieldsOf returns the fields of an item with the payload of an ADD.
func (m *merger) fieldsOf(d *Delta) map[string]any {
	fields := make(map[string]any, len(d.Payload))
	for key, v := range d.Payload {
		if !unstored(key) {
			fields[key] = m.stored(d.Section, key, v)
		}
	}
	return fields
}

// stored returns a value as an item stores it: outcomes of killed hypotheses are N/A
// (decisions.md 22).
func (m *merger) stored(sec brenner.Section, key string, v any) any {
	predictions, ok := v.(map[string]any)
	if sec != brenner.PredictionsTable || key != outcomesKey || !ok {
		return v
	}
	var changed map[string]any
	for name := range predictions {
		if m.isWithdrawn(name) {
			if changed == nil {
				changed = maps.Clone(predictions)
			}
			changed[name] = NotApplicable
		}
	}
	if changed == nil {
		return v
	}
	return changed
}

// isWithdrawn reports whether outcomes for a key are N/A.
func (m *merger) isWithdrawn(key string) bool {
	h, ok := hypothesis(key)
	return ok && m.isKilled(h)
}

func (m *merger) isKilled(id brenner.ItemID) bool {
	it := m.st.Find(id)
	return it != nil && !it.Active()
}

func (m *merger) edit(d *Delta, e *Entry) {
	it := m.st.Find(e.Item)
	switch {
	case it == nil:
		it = &state.Item{ID: e.Item}
	case !it.Active():
		e.refuse(Skipped, &Refusal{Reason: TargetKilled, Kill: it.Killed})
		return
	}
	e.Outcome = Unchanged
	before := it.Fields()
	for _, key := range slices.Sorted(maps.Keys(d.Payload)) {
		if unstored(key) {
			continue
		}
		if m.set(fieldKey{e.Item, key}, m.writeOf(d, key), before) {
			e.Outcome = Applied
		}
	}
}

// writeOf returns what an EDIT writes into a field.
func (m *merger) writeOf(d *Delta, key string) write {
	v := d.Payload[key]
	w := write{delta: d, union: unites(d.Operation, d.Payload, key, v), value: m.stored(d.Section, key, v)}
	w.list, _ = w.value.([]any)
	return w
}

// set writes one field and reports whether that changed it after ties are resolved.
// fields are those of the item before.
func (m *merger) set(k fieldKey, w write, fields map[string]any) bool {
	if m.contests == nil {
		return m.write(k, w, fields)
	}
	c := m.contests.of(k, fields)
	was := c.conflicting()
	changed := m.write(k, w, fields)
	if moved := c.enter(w); was || c.conflicting() {
		return moved
	}
	return changed
}

// write writes one field, ignoring other writes of the same instant, and reports whether
// that changed it.
func (m *merger) write(k fieldKey, w write, fields map[string]any) bool {
	before, had := fields[k.field]
	if !w.union {
		delete(m.open, k)
		delete(m.sets, k)
		if had && state.SameValue(before, w.value) {
			return false
		}
		m.store(k, w.value, w.delta)
		return true
	}
	old, isList := before.([]any) // nothing else can be united with
	if !isList {
		delete(m.open, k)
	}
	set := m.unite(k, old, w.list)
	if isList && len(set.list) == len(old) {
		return false
	}
	m.store(k, set.list, w.delta)
	return true
}

// unite returns the array in a field united with another. The index of a long one is kept.
func (m *merger) unite(k fieldKey, old, list []any) *memberSet {
	set := m.sets[k]
	if set == nil {
		set = m.opts.Arrays.find(k, old)
	}
	if set == nil {
		set = newMemberSet(old)
	}
	if set.add(list); set.at != nil {
		if m.sets == nil {
			m.sets = map[fieldKey]*memberSet{}
		}
		m.sets[k] = set
	}
	return set
}

// store puts a value into an item, which is created if it does not exist.
func (m *merger) store(k fieldKey, v any, by *Delta) {
	if m.st.Find(k.item) == nil {
		it := state.NewItem(k.item, nil)
		it.Note = &Origin{Added: by, owner: m.res}
		m.st.Add(it)
	}
	m.st.Change(k.item, func(it *state.Item) {
		it.Fields()[k.field] = v
		origin := m.origin(it)
		origin.Set(k.field, by)
		it.Note = origin
	})
	if k.item.Section == brenner.PredictionsTable && k.field == outcomesKey {
		delete(m.ownOutcomes, k.item)
	}
}

func (m *merger) kill(d *Delta, e *Entry) {
	it := m.st.Find(e.Item)
	if !it.Active() {
		e.Outcome = Unchanged
		return
	}
	origin := m.origin(it)
	origin.Killed = d
	m.st.Kill(e.Item, &state.Kill{By: d.Agent, At: d.Time.UTC(), Reason: d.Reason}, origin)
	if e.Item.Section == brenner.HypothesisSlate {
		hypothesis := e.Item.String()
		m.st.VisitPredictions(e.Item, func(p brenner.ItemID) { m.withdraw(p, hypothesis) })
	}
}

// withdraw sets a prediction's outcome for a killed hypothesis to N/A. The other
// outcomes are still attributed to the delta that set them (decisions.md 51).
func (m *merger) withdraw(prediction brenner.ItemID, hypothesis string) {
	outcomes, _ := m.st.Find(prediction).Fields()[outcomesKey].(map[string]any)
	if outcome, ok := outcomes[hypothesis]; !ok || outcome == NotApplicable {
		return
	}
	m.st.Change(prediction, func(it *state.Item) {
		predictions, _ := it.Fields()[outcomesKey].(map[string]any)
		if !m.ownOutcomes[prediction] { // the map may be a delta's or the base's
			predictions = maps.Clone(predictions)
			if m.ownOutcomes == nil {
				m.ownOutcomes = map[brenner.ItemID]bool{}
			}
			m.ownOutcomes[prediction] = true
			it.Fields()[outcomesKey] = predictions
		}
		predictions[hypothesis] = NotApplicable
	})
}
