package replay

import (
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/session"
)

// ChangeKind is how a field came to a value.
type ChangeKind string

// The kinds of changes.
const (
	FieldAdded     ChangeKind = "added"     // an ADD gave it
	FieldEdited    ChangeKind = "edited"    // an EDIT set it, or added to it
	FieldKilled    ChangeKind = "killed"    // a KILL: of the item, or of an outcome's hypothesis
	FieldContested ChangeKind = "conflict"  // deltas of one instant set it to different values
	FieldPublished ChangeKind = "published" // a COMPILED published another value than was merged
)

// FieldEvent is a step in the history of a field.
type FieldEvent struct {
	Kind ChangeKind
	// Value is the field's value from then on, as a text; the reason of a KILL. If United
	// is set it is what was added to the array.
	Value  string
	United bool
	// By is the delta that set it; for FieldPublished the sender and the message of the
	// COMPILED, with its version.
	By      *Blame
	Version int
}

// histories are the histories of a thread's items: by the delta that added the item, else by its
// id.
type histories map[any]*itemHistory

// itemHistory is the history of one item.
type itemHistory struct {
	events map[string][]FieldEvent // by field; "" is the item, "killed" its end
	values map[string]any          // of the fields, as of now; that of "killed" is true
	seen   *brenner.Item           // the item that has these values: states share what did not change
}

// historiesUpTo returns the histories up to what a window published.
func (r *Thread) historiesUpTo(last *Window) histories {
	h := histories{}
	var before *Window
	for _, w := range r.All() {
		if before != nil {
			h.published(before.Compiled, w.base)
		}
		if before == last {
			break
		}
		for e := range applied(w.asPublished) {
			h.delta(w, e)
		}
		h.addEffects(w)
		before = w
	}
	return h
}

// of returns the history of an item.
func (h histories) of(it *brenner.Item) *itemHistory {
	var key any = it.ID
	if d := merge.OriginOf(it).Added; d != nil {
		key = d
	}
	if h[key] == nil {
		h[key] = &itemHistory{events: map[string][]FieldEvent{}, values: map[string]any{}}
	}
	return h[key]
}

// catchUp records where the items of a state are not as their histories know them; event
// describes the change of a field, or of "killed".
func (h histories) catchUp(st *brenner.State, event func(it *brenner.Item, key string, before any) FieldEvent) {
	for _, sec := range brenner.Sections {
		for _, it := range st.Items(sec) {
			known := h.of(it)
			if known.seen == it {
				continue
			}
			known.seen = it
			now := maps.Clone(it.Fields())
			if !it.Active() {
				now["killed"] = true
			}
			for _, key := range diff.Differing(known.values, now) {
				known.set(key, now[key], event(it, key, known.values[key]))
			}
		}
	}
}

// published records what a COMPILED published otherwise than merged: the next window starts
// from it.
func (h histories) published(m *session.Message, base *brenner.State) {
	by := &Blame{Agent: m.From.String(), MessageID: m.ID, Message: m.Index, Time: m.Time}
	h.catchUp(base, func(it *brenner.Item, key string, _ any) FieldEvent {
		value := it.Fields()[key]
		if key == "killed" && it.Killed != nil {
			value = it.Killed.Reason
		}
		return FieldEvent{Kind: FieldPublished, Value: brenner.OneLine(value), By: by, Version: m.Version.Number}
	})
}

func (i *itemHistory) add(field string, e FieldEvent) { i.events[field] = append(i.events[field], e) }

// set records a value; nil removes it.
func (i *itemHistory) set(key string, v any, e FieldEvent) {
	if v == nil {
		delete(i.values, key)
	} else {
		i.values[key] = v
	}
	i.add(key, e)
	if key == "name" {
		i.add("", e)
	}
}

// delta records what a delta did.
func (h histories) delta(w *Window, e *merge.Entry) {
	it := w.asPublished.State.Find(e.Item)
	if it == nil {
		return
	}
	known, by, fields, kind := h.of(it), blameOf(e.Delta), e.Delta.Payload, FieldEdited
	switch e.Delta.Operation {
	case brenner.Kill:
		known.set("killed", true, FieldEvent{Kind: FieldKilled, Value: e.Delta.Reason, By: by})
		return
	case brenner.Add:
		kind = FieldAdded
		if _, named := fields["name"]; !named {
			known.add("", FieldEvent{Kind: FieldAdded, By: by})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if merge.IsUnstored(key) {
			continue
		}
		v := fields[key]
		if merge.Unites(e.Delta.Operation, fields, key) {
			old, _ := known.values[key].([]any)
			now := merge.Union(old, v.([]any))
			known.values[key] = now
			if added := now[len(old):]; len(added) > 0 {
				known.add(key, FieldEvent{Kind: kind, Value: brenner.OneLine(added), United: true, By: by})
			}
			continue
		}
		if old, had := known.values[key]; had && brenner.SameValue(old, v) {
			continue
		}
		known.set(key, v, FieldEvent{Kind: kind, Value: brenner.OneLine(v), By: by})
	}
}

// addEffects records the effects of a window beyond its single deltas: conflicts, and
// outcomes of hypotheses that were killed.
func (h histories) addEffects(w *Window) {
	h.catchUp(w.asPublished.State, func(it *brenner.Item, key string, before any) FieldEvent {
		e := FieldEvent{Kind: FieldContested, Value: brenner.OneLine(it.Fields()[key]), By: blameOf(merge.OriginOf(it).Fields[key])}
		if d := withdrawnBy(w, it, key, before); d != nil {
			e.Kind, e.By = FieldKilled, blameOf(d)
		}
		return e
	})
}

// withdrawnBy returns the KILL of the first hypothesis whose outcome differs, nil if
// none was killed.
func withdrawnBy(w *Window, it *brenner.Item, key string, before any) *merge.Delta {
	if it.ID.Section != brenner.PredictionsTable || key != "predictions" {
		return nil
	}
	was, _ := before.(map[string]any)
	now, _ := it.Fields()[key].(map[string]any)
	for _, part := range slices.Sorted(maps.Keys(now)) {
		if brenner.SameValue(was[part], now[part]) {
			continue
		}
		if id, ok := brenner.ParseItemID(part); ok {
			if d := merge.OriginOf(w.asPublished.State.Find(id)).Killed; d != nil {
				return d
			}
		}
	}
	return nil
}
