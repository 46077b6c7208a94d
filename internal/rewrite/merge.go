package rewrite

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/source"
)

// Merge puts the pieces into the new text. It is false if they would change what its
// readers find.
func (u *File) Merge() ([]byte, bool) {
	var edits []source.Edit
	for i := range u.pieces {
		p := &u.pieces[i]
		if p.at == inField {
			edits = append(edits, source.Edit{Span: linesOf(u.base, u.base.Item(p.item).Field(p.field)), Text: strings.Join(p.lines, "\n")})
			continue
		}
		at, ok := p.offset(u.base)
		if !ok {
			return nil, false
		}
		edits = append(edits, source.Edit{Span: source.Span{Start: at, End: at}, Text: p.text()})
	}
	slices.SortStableFunc(edits, func(x, y source.Edit) int { return cmp.Compare(x.Span.Start, y.Span.Start) })
	out := source.Apply(u.base.Text.Data, edits)
	merged := artifact.ParseMarkdown(source.NewText(out), artifact.Limits{})
	if merged.State().Hash() != u.base.State().Hash() {
		return nil, false
	}
	return out, true
}

// text returns a piece as it is inserted: with an empty line before it, and after it.
func (p *piece) text() string {
	body := strings.TrimRight(strings.Join(p.lines, "\n"), "\n") + "\n"
	switch p.at {
	case inFrontMatter, beforeItem:
		return body
	case aboveSections, beforeSection:
		return body + "\n"
	case afterItemHeading:
		return "\n" + body + "\n"
	}
	return "\n" + body
}

// offset returns where a piece goes in the new text; false if that does not have the place.
func (p *piece) offset(a *artifact.Artifact) (int, bool) {
	data := a.Text.Data
	lineEnd := func(at int) (int, bool) {
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			return at + n + 1, true
		}
		return len(data), true
	}
	lineStart := func(at int) (int, bool) { return bytes.LastIndexByte(data[:at], '\n') + 1, true }
	it, sec := a.Item(p.item), a.Section(p.sec)
	switch {
	case p.at == inFrontMatter && a.Meta != nil:
		return lineStart(a.Meta.Span.End - 1)
	case p.at == aboveSections && len(a.Sections) > 0:
		return lineStart(a.Sections[0].Heading.Start)
	case p.at == endOfFile:
		return len(data), true
	case p.at == beforeItem && it != nil:
		return lineStart(it.Heading.Start)
	case p.at == afterItemHeading && it != nil:
		return lineEnd(it.Heading.End)
	case p.at == endOfItem && it != nil:
		return lineEnd(it.Span.End - 1)
	case p.at == afterHeading && sec != nil:
		return lineEnd(sec.Heading.End)
	case p.at == endOfSection && sec != nil:
		return lineEnd(sec.Span.End - 1)
	case p.at == beforeSection && sec != nil:
		return lineStart(sec.Heading.Start)
	}
	return 0, false
}
