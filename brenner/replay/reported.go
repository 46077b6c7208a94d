package replay

import (
	"iter"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/session"
)

// FactKind is a kind of fact about an item, from which other findings may follow.
type FactKind uint8

// The kinds of facts. Other rules yield to them.
const (
	ConflictedField FactKind = iota + 1
	ConflictWritten          // a delta gives a text that looks like a conflict
	RejectApplied
	ItemOmitted
	SectionOmitted // with all its items
	ItemUnexplained
	IDChanged // an item was renumbered, or has the id of another
	FieldDiffers
)

// reportedFact is a kind of fact about an item, or about any item of a section.
type reportedFact struct {
	kind FactKind
	item brenner.ItemID
}

// fieldPart is a field of an item, or a part of one: an outcome, a part of a score.
type fieldPart struct {
	item      brenner.ItemID
	key, part string
}

// mergedValue is what the merge has and a published artifact lacks, with the window
// that first showed it.
type mergedValue[T any] struct {
	value T
	since int
}

// reported has the facts of a replay about items, each with the window that first showed it. A
// fact that later versions leave unchanged is not a new one.
type reported struct {
	facts   map[reportedFact]int
	omitted [len(brenner.Sections) + 1][]mergedValue[*brenner.Item]
	fields  map[fieldPart]mergedValue[any]
}

// record records a fact about an item in the window that is being closed.
func (r *Thread) record(kind FactKind, id brenner.ItemID) {
	if id.Section == 0 {
		return
	}
	for _, f := range [...]reportedFact{{kind, id}, {kind, brenner.ItemID{Section: id.Section}}} {
		if _, known := r.reported.facts[f]; !known {
			r.reported.facts[f] = len(r.Windows)
		}
	}
}

// recordOmitted records an active item of the merge that is not published, or not as active.
func (r *Thread) recordOmitted(it *brenner.Item) {
	omitted := &r.reported.omitted[it.ID.Section]
	*omitted = append(*omitted, mergedValue[*brenner.Item]{it, len(r.Windows)})
}

// recordField records that a field, or a part of it, is not published with its merged value.
func (r *Thread) recordField(f fieldPart, merged any) {
	r.record(FieldDiffers, f.item)
	if _, known := r.reported.fields[f]; !known {
		r.reported.fields[f] = mergedValue[any]{merged, len(r.Windows)}
	}
}

// AlreadyReported has the facts that a replay found about the artifact of one COMPILED: rules on
// the artifact do not report these again (decisions.md 1 and 47). A nil one has no facts.
type AlreadyReported struct {
	thread  *Thread
	message *session.Message
	// Yielded reports that a rule has yielded: a query found a fact.
	Yielded bool
}

// AlreadyReported returns the facts about the artifact of a COMPILED; nil if r is nil.
func (r *Thread) AlreadyReported(m *session.Message) *AlreadyReported {
	if r == nil {
		return nil
	}
	return &AlreadyReported{thread: r, message: m}
}

// yieldSince reports whether something that a window showed was known when the message
// was compiled; if so, it records that the calling rule yields.
func (a *AlreadyReported) yieldSince(window int) bool {
	r := a.thread
	known := window < len(r.Windows) && a.message.Index >= r.Windows[window].Compiled.Index
	a.Yielded = a.Yielded || known
	return known
}

// Has reports whether there is a fact of one of several kinds about an item of the artifact, or
// about any item of the section if the id has no number.
func (a *AlreadyReported) Has(id brenner.ItemID, kinds ...FactKind) bool {
	return a != nil && slices.ContainsFunc(kinds, func(kind FactKind) bool {
		window, ok := a.thread.reported.facts[reportedFact{kind, id}]
		return ok && a.yieldSince(window)
	})
}

// Merged returns the merged value of a field of an item, or of a part of it, if the
// artifact is reported to have another or none.
func (a *AlreadyReported) Merged(id brenner.ItemID, key, part string) (value any, ok bool) {
	if a == nil {
		return nil, false
	}
	v, ok := a.thread.reported.fields[fieldPart{id, key, part}]
	return v.value, ok && a.yieldSince(v.since)
}

// Omitted yields the items of a section that the artifact is reported to lack, or to show as killed, and
// for which match is true.
func (a *AlreadyReported) Omitted(sec brenner.Section, match func(*brenner.Item) bool) iter.Seq[*brenner.Item] {
	return func(yield func(*brenner.Item) bool) {
		if a == nil || len(a.thread.reported.omitted[sec]) == 0 {
			return
		}
		published := map[brenner.ItemID]bool{}
		if a.message.Artifact != nil {
			for _, it := range a.message.Artifact.ItemsOf(sec) {
				published[it.ID] = published[it.ID] || !it.Killed
			}
		}
		for _, v := range a.thread.reported.omitted[sec] { // in order of windows
			if !match(v.value) {
				continue
			}
			if !a.yieldSince(v.since) {
				return
			}
			now := a.thread.Windows[v.since].Compiled == a.message // what has its id is another item
			if (now || !published[v.value.ID]) && !yield(v.value) {
				return
			}
		}
	}
}
