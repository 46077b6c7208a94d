package replay

import (
	"slices"

	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/state"
)

// told is what the replay has said of an item, or of any item of a section.
type told struct {
	rule string
	item protocol.ItemID
}

// valueOf is a field of an item, or the part of one: an outcome, a part of a score.
type valueOf struct {
	item      protocol.ItemID
	key, part string
}

// merged is what the merge has and a published artifact has not, since a window.
type merged[T any] struct {
	value T
	since int
}

// tell remembers what a window's problems are about. What is left as it was in
// later versions is not said again there.
func (r *Thread) tell(window, from int) {
	for i := range r.Problems[from:] {
		p := &r.Problems[from+i]
		id, ok := protocol.ParseItemID(p.Item)
		if !ok {
			continue
		}
		for _, t := range [...]told{{p.Rule, id}, {p.Rule, protocol.ItemID{Section: id.Section}}} {
			if _, known := r.told[t]; !known {
				r.told[t] = window
			}
		}
		if p.omitted != nil {
			r.omitted[id.Section] = append(r.omitted[id.Section], merged[*state.Item]{p.omitted, window})
		}
		if p.differs != nil {
			v := valueOf{id, p.differs.key, p.differs.part}
			if _, known := r.differs[v]; !known {
				r.differs[v] = merged[any]{p.differs.want, window}
			}
		}
	}
}

// Account is what a replay has said of the artifact of one COMPILED: the
// artifact's own rules then yield (decisions.md 1 and 47). A nil Account has said
// nothing.
type Account struct {
	thread  *Thread
	message *session.Message
	// Yielded reports that somebody was told something.
	Yielded bool
}

// Account is what the replay has said of the artifact of a COMPILED.
func (r *Thread) Account(m *session.Message) *Account { return &Account{thread: r, message: m} }

// known reports whether the replay had said something of a window when the message
// was compiled.
func (a *Account) known(since int) bool {
	r := a.thread
	known := since < len(r.Windows) && a.message.Index >= r.Windows[since].Compiled.Index
	a.Yielded = a.Yielded || known
	return known
}

// Told reports that the replay has a problem of a rule with an item that the
// artifact holds, or with any item of the section where the id has no number.
func (a *Account) Told(rule string, id protocol.ItemID) bool {
	if a == nil {
		return false
	}
	since, ok := a.thread.told[told{rule, id}]
	return ok && a.known(since)
}

// Merged is the value that the merge has for a field of an item, or for a part of
// it, where MR-013 says that the artifact has another or none.
func (a *Account) Merged(id protocol.ItemID, key, part string) (value any, ok bool) {
	if a == nil {
		return nil, false
	}
	m, ok := a.thread.differs[valueOf{id, key, part}]
	return m.value, ok && a.known(m.since)
}

// Omitted are the items of a section that the artifact lacks, as MR-011 says.
func (a *Account) Omitted(sec protocol.Section) []*state.Item {
	if a == nil {
		return nil
	}
	var out []*state.Item
	for _, m := range a.thread.omitted[sec] {
		if a.known(m.since) {
			out = append(out, m.value)
		}
	}
	if out == nil || a.message.Artifact == nil {
		return nil
	}
	published := map[protocol.ItemID]bool{}
	for _, s := range a.message.Artifact.Sections {
		for _, it := range s.Items {
			published[it.ID] = true
		}
	}
	return slices.DeleteFunc(out, func(it *state.Item) bool { return published[it.ID] })
}
