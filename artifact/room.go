package artifact

import (
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/markdown"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// room is memory for the parts of an artifact, a piece for many of one kind: an artifact has
// a hundred of them, and is dropped as a whole.
type room struct {
	sections []Section
	items    []Item
	fields   []Field
	entries  []Entry

	fieldsLeft int // that are expected, and for which there is no room yet

	sectionItems run[*Item]
	itemFields   run[*Field]
}

// maxReserved bounds what is reserved: most lines of a hostile text may look like the
// beginning of an item or a field.
const maxReserved = 256

// reserve makes room for the items and fields that blocks seem to begin. newItem and newField
// make more where that is not enough.
func (r *room) reserve(src string, blocks []markdown.Block) {
	items, fields := 1, 0 // a research thread has no heading of its own
	for i := range blocks {
		b := &blocks[i]
		switch {
		case b.Kind == markdown.Heading && b.Level == 3:
			items++
		case b.Kind == markdown.Paragraph && len(b.Parts) > 2 && strings.HasPrefix(src[b.Parts[0].Start:], "|"):
			rows := len(b.Parts) - 2 // without the header and the line below it
			items, fields = items+rows, fields+2*rows
		case b.Kind == markdown.Paragraph:
			for _, l := range b.Parts {
				if strongMark(src[l.Start:l.End]) != "" {
					fields++
				}
			}
		}
	}
	items, fields = min(items, maxReserved), min(fields, maxReserved)
	r.items, r.sectionItems.last = make([]Item, items), make([]*Item, 0, items)
	r.fieldsLeft, r.itemFields.last = fields, make([]*Field, 0, fields)
}

func (r *room) newSection() *Section {
	if len(r.sections) == 0 {
		r.sections = make([]Section, len(protocol.Sections))
	}
	return first(&r.sections)
}

func (r *room) newItem(heading, whole source.Span) *Item {
	if len(r.items) == 0 {
		r.items = make([]Item, 4)
	}
	it := first(&r.items)
	it.Heading, it.Span = heading, whole
	return it
}

func (r *room) newField() *Field {
	const least, most = 8, 39 // fields in a piece: 39 take 4 KB
	if len(r.fields) == 0 {
		r.fields = make([]Field, max(least, min(r.fieldsLeft, most)))
		r.fieldsLeft -= len(r.fields)
	}
	return first(&r.fields)
}

// newEntries returns room for n entries.
func (r *room) newEntries(n int) []Entry {
	if len(r.entries) < n {
		r.entries = make([]Entry, max(n, 16))
	}
	out := r.entries[:0:n]
	r.entries = r.entries[n:]
	return out
}

// first takes the first element of a piece of memory.
func first[T any](rest *[]T) *T {
	v := &(*rest)[0]
	*rest = (*rest)[1:]
	return v
}

// run is memory for short lists, most of which are made one after another.
type run[T any] struct {
	last []T // the list that was begun last, and the room after it
}

// add appends to a list: in place if it is the one that was begun last.
func (r *run[T]) add(list []T, v T) []T {
	switch {
	case len(list) == 0:
		r.last = r.last[len(r.last):]
	case len(list) != len(r.last) || &list[0] != &r.last[0]:
		return append(list, v)
	}
	r.last = append(r.last, v)
	return slices.Clip(r.last)
}
