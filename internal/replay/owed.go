package replay

import (
	"slices"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/merge"
	"github.com/brennerlint/brennerlint/internal/state"
)

// owed is something that a version had to show and did not, which is reported. A
// later version that shows it at last mends the fault. Its base is what was
// published (decisions.md 24), which has no delta for that; but it is no second
// fault (decisions.md 25).
type owed struct {
	item *state.Item // as the replay had it

	left bool // it was left out as a whole
	kill bool // it was not killed as it had to be
	// key is else the field that was published as got.
	key string
	got any
}

// owe notes what the version at hand lacks.
func (c *comparer) owe(o owed) {
	if c.path == "" { // what a file holds is no base
		c.r.owed = append(c.r.owed, o)
	}
}

// settle puts into the base of a window what earlier versions owed and this one
// shows.
func (r *Thread) settle(w *Window, a *artifact.Artifact) {
	if len(r.owed) == 0 || w.Unread {
		return
	}
	base, pub := w.base.Clone(), a.State()
	r.owed = slices.DeleteFunc(r.owed, func(o owed) bool {
		was, is := base.Find(o.item.ID), pub.Find(o.item.ID)
		switch {
		case is == nil:
			return false
		case o.left:
			return was != nil || o.returned(is) && base.Keep(o.item)
		case was == nil:
			return true
		case o.kill:
			return o.settleKill(&base, was, is)
		default:
			return o.settleField(base, was, is)
		}
	})
	w.base = base
}

// returned reports whether an item is the one that was left out.
func (o *owed) returned(is *state.Item) bool {
	sec := o.item.ID.Section
	want, got := identify(sec, o.item.Fields), identify(sec, is.Fields)
	return want.name != "" && want.name == got.name || want.body != "" && want.body == got.body
}

func (o *owed) settleKill(base **state.State, was, is *state.Item) bool {
	k := o.item.Killed
	switch {
	case k == nil: // it was published as killed, and no delta had killed it
		if is.Active() {
			(*base).Change(o.item.ID, func(it *state.Item) { it.Killed = nil })
		}
		return is.Active()
	case is.Active() || differ(k.By, is.Killed.By) || differ(k.Reason, is.Killed.Reason):
		return false
	case !was.Active():
		(*base).Change(o.item.ID, func(it *state.Item) { it.Killed = k })
	default:
		if d := merge.OriginOf(o.item).Killed; d != nil {
			*base = merge.Merge(*base, []*merge.Delta{d}, merge.Options{}).State
		}
	}
	return true
}

func (o *owed) settleField(base *state.State, was, is *state.Item) bool {
	equal := state.SameValue
	if f := o.item.ID.Section.Field(o.key); f != nil {
		equal = func(a, b any) bool { return same(o.item.ID.Section, f, a, b) }
	}
	want := o.item.Fields[o.key]
	if !equal(was.Fields[o.key], o.got) {
		return true // a delta has set it since
	}
	if !equal(is.Fields[o.key], want) {
		return false
	}
	base.Change(o.item.ID, func(it *state.Item) {
		origin := merge.OriginOf(it).Clone()
		origin.Set(o.key, merge.OriginOf(o.item).Field(o.key))
		it.Note = origin
		if want == nil {
			delete(it.Fields, o.key)
		} else {
			it.Fields[o.key] = want
		}
	})
	return true
}
