package artifact

import (
	"sort"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Citation is a citation of transcript sections somewhere in an artifact.
type Citation struct {
	Kind        brenner.AnchorKind
	First, Last int // the section numbers, as in brenner.Anchor
	Place       source.Place
	Item        *Item  // nil outside items
	Field       *Field // nil outside fields
}

// Citations returns all citations of transcript sections in order: in all prose outside
// code, and in the strings of JSON items; not in killed items. Mis-decoded ones are
// included. They are found on the first call.
func (a *Artifact) Citations() []Citation {
	a.cite.Do(func() {
		if a.IsJSON() {
			a.citeJSON()
		} else if a.Doc != nil {
			a.citeMarkdown()
		}
	})
	return a.citations
}

func (a *Artifact) citeMarkdown() {
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind == markdown.Fence || b.Kind == markdown.Code || b.Kind == markdown.HTML || !a.Span.Contains(b.Span) {
			continue
		}
		for _, l := range b.Parts {
			line := a.src[l.Start:l.End]
			if !brenner.HasNonASCII(line) {
				continue
			}
			for c := range brenner.Citations(line) {
				span := c.Span.Shift(l.Start)
				if it, f := a.Locate(span); c.IsSection() && (it == nil || !it.Killed) {
					a.citations = append(a.citations, Citation{c.Kind, c.First, c.Last, a.Text.Place(span), it, f})
				}
			}
		}
	}
}

// Locate returns the item and the field that contain a span of an artifact's text.
func (a *Artifact) Locate(span source.Span) (*Item, *Field) {
	for _, s := range a.Sections {
		if !s.Span.Contains(span) {
			continue
		}
		n := sort.Search(len(s.Items), func(i int) bool { return s.Items[i].Span.Start > span.Start }) - 1
		if n < 0 || !s.Items[n].Span.Contains(span) {
			return nil, nil
		}
		it := s.Items[n]
		for _, f := range it.Fields {
			if f.Value.Contains(span) {
				return it, f
			}
		}
		return it, nil
	}
	return nil, nil
}

func (a *Artifact) citeJSON() {
	for _, s := range a.Sections {
		for _, it := range s.All() {
			if it.Killed {
				continue
			}
			a.citeIn(it.Node.Get("name"), it, nil)
			for _, f := range it.Fields {
				a.citeIn(f.Node, it, f)
			}
		}
	}
}

// citeIn adds the citations in the strings of a value.
func (a *Artifact) citeIn(value *jsontree.Node, it *Item, f *Field) {
	for _, n := range value.Strings() {
		var text *source.Text
		for c := range brenner.Citations(n.Text) {
			if text == nil {
				text = a.Text.JSONString(n.Span())
			}
			if c.IsSection() {
				a.citations = append(a.citations, Citation{c.Kind, c.First, c.Last, text.Place(c.Span), it, f})
			}
		}
	}
}
