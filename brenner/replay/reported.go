package replay

import (
	"iter"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/source"
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
	KillUnexplained // no delta killed the item
	HeadingLost     // an item that is left out begins in this one, without its heading
)

// fieldPart is a field of an item, or a part of one: an outcome, a part of a score.
type fieldPart struct {
	item      brenner.ItemID
	key, part string
}

// reportedFact is a kind of fact about an item, or about any item of a section; FieldDiffers is
// also one about a part of a field.
type reportedFact struct {
	kind FactKind
	of   fieldPart
}

// mergedValue is what the merge has and a published artifact lacks, with the window
// that first showed it.
type mergedValue[T any] struct {
	value T
	since *Window
}

// reported has the facts of a replay about items. A fact that later versions leave unchanged is not
// a new one.
type reported struct {
	facts   map[reportedFact]mergedValue[any]
	here    map[place]any // what the merge has there, where an artifact has another value
	omitted [len(brenner.Sections) + 1][]mergedValue[*brenner.Item]
}

// place is a field, or a part of one, of an item in the artifact of one COMPILED.
type place struct {
	in        *session.Message
	heading   source.Span
	key, part string
}

// record records a fact about an item in the window that is being closed.
func (r *Thread) record(kind FactKind, id brenner.ItemID) {
	if id.Section != 0 {
		r.recordField(reportedFact{kind, fieldPart{item: id}}, nil)
		r.recordField(reportedFact{kind, fieldPart{item: brenner.ItemID{Section: id.Section}}}, nil)
	}
}

// recordField records a fact about a field, or a part of it, with its merged value.
func (r *Thread) recordField(f reportedFact, merged any) {
	if _, known := r.reported.facts[f]; !known {
		r.reported.facts[f] = mergedValue[any]{merged, r.Pending}
	}
}

// recordOmitted records an active item of the merge that is not published, or not as active.
func (r *Thread) recordOmitted(it *brenner.Item) {
	omitted := &r.reported.omitted[it.ID.Section]
	*omitted = append(*omitted, mergedValue[*brenner.Item]{it, r.Pending})
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
func (a *AlreadyReported) yieldSince(w *Window) bool {
	known := w.Compiled != nil && a.message.Index >= w.Compiled.Index
	a.Yielded = a.Yielded || known
	return known
}

// known returns the merged value of a fact that was known when the message was compiled; false if there is none.
func (a *AlreadyReported) known(kind FactKind, of fieldPart) (merged any, ok bool) {
	if a == nil {
		return nil, false
	}
	fact, ok := a.thread.reported.facts[reportedFact{kind, of}]
	return fact.value, ok && a.yieldSince(fact.since)
}

// Has reports whether there is a fact of one of several kinds about an item of the artifact, or
// about any item of the section if the id has no number.
func (a *AlreadyReported) Has(id brenner.ItemID, kinds ...FactKind) bool {
	return slices.ContainsFunc(kinds, func(kind FactKind) bool {
		_, ok := a.known(kind, fieldPart{item: id})
		return ok
	})
}

// KillUnexplained reports whether the artifact is the first that is reported to show an item as killed that no delta killed.
func (a *AlreadyReported) KillUnexplained(id brenner.ItemID) bool {
	if a == nil {
		return false
	}
	fact, ok := a.thread.reported.facts[reportedFact{KillUnexplained, fieldPart{item: id}}]
	return ok && fact.since.Compiled == a.message && a.yieldSince(fact.since)
}

// HeadingLost reports whether an item that begins in another one with a field is reported to be left out.
func (a *AlreadyReported) HeadingLost(in *artifact.Item, f *artifact.Field) bool {
	_, ok := a.known(HeadingLost, fieldPart{item: in.ID, part: brenner.NormalText(in.ID.Section, f.Known, f.Text)})
	return ok
}

// Merged returns the merged value of a field of an item, or of a part of it, if the
// artifact is reported to have another or none.
func (a *AlreadyReported) Merged(id brenner.ItemID, key, part string) (value any, ok bool) {
	return a.known(FieldDiffers, fieldPart{id, key, part})
}

// MergedAt returns the merged value of a field of an item, or of a part of it, if this very artifact is reported to have
// another or none.
func (a *AlreadyReported) MergedAt(it *artifact.Item, key, part string) (value any, ok bool) {
	if a == nil {
		return nil, false
	}
	value, ok = a.thread.reported.here[place{a.message, it.Heading, key, part}]
	a.Yielded = a.Yielded || ok
	return value, ok
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
			now := v.since.Compiled == a.message // what has its id is another item
			if (now || !published[v.value.ID]) && !yield(v.value) {
				return
			}
		}
	}
}
