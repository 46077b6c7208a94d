// Package rewrite writes artifact files again without losing what people added to them:
// comments, and sections, fields and text that the format does not know.
package rewrite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// File is an artifact file in Markdown that is written again, and its text that no
// model holds.
type File struct {
	old    *artifact.Artifact
	holds  func(protocol.ItemID) bool // whether the new text has an item
	keys   []string                   // of front matter, that the new text writes itself
	pieces []piece
}

// Piece is text of a file that no model holds.
type Piece struct {
	Line int // from 1
	What string
	// Placed reports that it has a place in the new text.
	Placed bool
}

// New finds the text of a file that no model holds; holds reports which items the new
// text has. Keys are those that its front matter has; without any, front matter is not
// looked at.
func New(a *artifact.Artifact, holds func(protocol.ItemID) bool, keys ...string) *File {
	u := &File{old: a, holds: holds, keys: keys}
	u.find()
	return u
}

// Pieces lists the text that no model holds, in the order of the file.
func (u *File) Pieces() []Piece {
	var out []Piece
	for i := range u.pieces {
		p := &u.pieces[i]
		out = append(out, Piece{p.line, p.what, p.at != nowhere})
	}
	return out
}

// piece is text of the old file that no model holds: lines that follow each other.
type piece struct {
	line  int
	what  string
	lines []string
	at    position
	sec   protocol.Section
	item  protocol.ItemID
}

// position is where a piece is kept.
type position uint8

const (
	nowhere position = iota
	inFrontMatter
	aboveSections
	beforeItem
	afterItemHeading
	endOfItem
	afterHeading // of the section
	endOfSection
	beforeSection
	endOfFile
)

// find finds the lines that no model holds.
func (u *File) find() {
	known, rules := u.knownLines()
	first := 0
	if m := u.old.Meta; m != nil {
		first = u.lineOf(m.Span.End - 1)
		if len(u.keys) > 0 {
			u.findMeta(first)
		}
	}
	var open *piece
	for n := first + 1; n <= u.lineOf(len(u.old.Text.Data)); n++ {
		l := u.old.Text.Slice(u.old.Text.Line(n))
		switch {
		case strings.TrimSpace(l) == "":
			if open != nil {
				open.lines = append(open.lines, "")
			}
			continue
		case known[n], rules[n] && open == nil:
			open = nil
			continue
		case rules[n]: // of the text before it
			open.lines = append(open.lines, l)
			continue
		}
		p := u.pieceAt(n, l)
		if open == nil || open.at != p.at || open.sec != p.sec || open.item != p.item {
			u.pieces = append(u.pieces, p)
			open = &u.pieces[len(u.pieces)-1]
		}
		open.lines = append(open.lines, l)
	}
}

// lineOf returns the line of an offset, from 1.
func (u *File) lineOf(offset int) int { return u.old.Text.Position(offset).Line }

// knownLines returns the lines that the new text writes itself, and those of rules between
// sections.
func (u *File) knownLines() (known, rules map[int]bool) {
	known, rules = map[int]bool{}, map[int]bool{}
	markIn := func(lines map[int]bool, s source.Span) {
		for l := u.lineOf(s.Start); l <= u.lineOf(max(s.Start, s.End-1)); l++ {
			lines[l] = true
		}
	}
	mark := func(s source.Span) { markIn(known, s) }
	for i := range u.old.Doc.Blocks {
		b := &u.old.Doc.Blocks[i]
		switch block := u.old.Text.Slice(b.Span); {
		case isRule(block):
			markIn(rules, b.Span)
		case isTitle(block, b.Level):
			mark(b.Span)
		}
	}
	for _, s := range u.old.Sections {
		mark(s.Heading)
		if s.Table != nil {
			mark(s.Table.Table.Header.Span)
			mark(s.Table.Table.Delimiter.Span)
		}
		for _, it := range s.Items {
			mark(it.Heading)
			for _, f := range it.Fields {
				for _, span := range knownSpans(f) {
					mark(span)
				}
			}
		}
		if s.NoneRegistered && len(s.Items) == 0 {
			u.markNone(s, known)
		}
	}
	for _, c := range u.old.Comments {
		for l := u.lineOf(c.Start); l <= u.lineOf(c.End-1); l++ {
			delete(known, l)
		}
	}
	return known, rules
}

// knownSpans returns the parts of a field that a model holds: of a list its entries, not
// what is between them.
func knownSpans(f *artifact.Field) []source.Span {
	if f.Known == nil && !slices.Contains(protocol.SystemFields, f.Key) {
		return nil
	}
	out := []source.Span{f.Label}
	for _, e := range f.Entries {
		if f.Known != nil && f.Known.Kind != protocol.TextField {
			out = append(out, e.KeySpan, e.Span)
		}
	}
	switch {
	case f.Known != nil && f.Known.Kind == protocol.FlagField:
		// its word is on the line of the label; what is below it says nothing
	case len(out) == 1:
		out = append(out, f.Value)
	}
	return slices.DeleteFunc(out, source.Span.Empty)
}

// isTitle reports whether a block is the heading above the sections.
func isTitle(block string, level int) bool {
	return level == 1 && protocol.HasPrefixFold(strings.TrimLeft(block, "# "), protocol.ArtifactTitle)
}

// isRule reports whether a block is a rule between sections.
func isRule(block string) bool {
	return strings.Trim(block, "-*_ \t\r\n") == "" && strings.TrimSpace(block) != ""
}

// markNone marks the sentence that says that there are no anomalies.
func (u *File) markNone(s *artifact.Section, known map[int]bool) {
	for l := u.lineOf(s.Heading.Start) + 1; l <= u.lineOf(s.Span.End-1); l++ {
		if strings.EqualFold(strings.Trim(u.old.Text.Slice(u.old.Text.Line(l)), " \t\r\n.*_"), "none registered") {
			known[l] = true
		}
	}
}

// pieceAt returns a piece that begins with a line, and where it is kept.
func (u *File) pieceAt(number int, line string) piece {
	p := piece{line: number, what: describe(line)}
	offset := u.old.Text.Line(number).Start
	i, _ := slices.BinarySearchFunc(u.old.Sections, offset, func(s *artifact.Section, at int) int { return cmp.Compare(s.Heading.Start, at+1) })
	if i == 0 {
		p.at = aboveSections
		return p
	}
	if offset >= u.old.Sections[i-1].Span.End {
		if p.at = endOfFile; i < len(u.old.Sections) {
			p.at, p.sec = beforeSection, u.old.Sections[i].Kind
		}
		return p
	}
	s := u.old.Sections[i-1]
	p.sec = s.Kind
	var before, after *artifact.Item
	j, _ := slices.BinarySearchFunc(s.Items, offset, func(it *artifact.Item, at int) int { return cmp.Compare(it.Heading.Start, at+1) })
	if j > 0 {
		before = s.Items[j-1]
	}
	if j < len(s.Items) {
		after = s.Items[j]
	}
	comment := strings.HasPrefix(strings.TrimSpace(line), "<!--")
	inTable := s.Kind == protocol.PredictionsTable
	switch {
	case s.Kind == protocol.ResearchThread && isBeforeFields(before, offset):
		p.at = afterHeading
	case s.Kind == protocol.ResearchThread, inTable && before != nil:
		p.at = endOfSection
	case comment && after != nil && !inTable:
		p.at, p.item = beforeItem, after.ID
	case comment && before != nil:
		p.at = endOfSection
	case before != nil && isBeforeFields(before, offset):
		p.at, p.item = afterItemHeading, before.ID
	case before != nil:
		p.at, p.item = endOfItem, before.ID
	default:
		p.at = afterHeading
	}
	if p.item.Section != 0 && !u.holds(p.item) {
		p.at = nowhere
	}
	return p
}

// isBeforeFields reports whether a place in an item is before all its fields.
func isBeforeFields(it *artifact.Item, offset int) bool {
	return it != nil && len(it.Fields) > 0 && offset < it.Fields[0].Label.Start
}

// describe names a piece for people by its first line.
func describe(line string) string {
	line = strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(line, "<!--"):
		return "a comment"
	case strings.HasPrefix(line, "#"):
		return "the section " + text.Quote(strings.TrimLeft(line, "# "))
	case strings.HasPrefix(line, "**"):
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "**"), "**")
		return "the field " + text.Quote(strings.TrimRight(name, ":"))
	}
	return text.Quote(line)
}

// findMeta finds the entries of the front matter, which ends at a line, that a new
// version does not write.
func (u *File) findMeta(end int) {
	line := func(n int) string { return u.old.Text.Slice(u.old.Text.Line(n)) }
	taken := map[int]bool{}
	for i, v := range u.old.Meta.Values {
		if slices.Contains(u.keys, v.Key) {
			continue
		}
		from, to := u.lineOf(v.KeySpan.Start), end-1 // the last is ---
		if i+1 < len(u.old.Meta.Values) {
			to = u.lineOf(u.old.Meta.Values[i+1].KeySpan.Start) - 1
		}
		p := piece{line: from, what: "the front matter key " + text.Quote(v.Key), at: inFrontMatter}
		for n := from; n <= max(from, to); n++ {
			p.lines = append(p.lines, line(n))
			taken[n] = true
		}
		u.pieces = append(u.pieces, p)
	}
	for n := 1; n < end; n++ {
		if l := strings.TrimSpace(line(n)); strings.HasPrefix(l, "#") && !taken[n] {
			u.pieces = append(u.pieces, piece{line: n, what: "a comment", at: inFrontMatter, lines: []string{l}})
		}
	}
}
