// Package rewrite writes artifact files again without losing what people added to them:
// comments, and sections, fields and text that the format does not know.
package rewrite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// File is an artifact file in Markdown that is written again, and its text that no
// model holds.
type File struct {
	old    *artifact.Artifact
	own    *artifact.Artifact // the canonical rendering of old
	base   *artifact.Artifact // the new text
	keys   []string           // of front matter, that the new text writes itself
	pieces []piece
}

// Piece is text of a file that no model holds.
type Piece struct {
	Line int // from 1
	What string
	// Placed reports that it has a place in the new text.
	Placed bool
}

// New finds the text of a file that no model holds, and where it goes in the new text.
// Keys are those of front matter that the new text writes itself; without any, front
// matter is not looked at.
func New(a *artifact.Artifact, base []byte, keys ...string) *File {
	return newFile(a, ownRendering(a), base, keys)
}

func newFile(a, own *artifact.Artifact, base []byte, keys []string) *File {
	u := &File{old: a, own: own, base: artifact.ParseMarkdown(source.NewText(base), artifact.Limits{}), keys: keys}
	u.find()
	return u
}

// ownRendering returns the canonical rendering of what an artifact holds.
func ownRendering(a *artifact.Artifact) *artifact.Artifact {
	return artifact.ParseMarkdown(source.NewText(artifact.Render(a.State(), artifact.RenderMeta{})), artifact.Limits{})
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
	sec   brenner.Section
	item  brenner.ItemID
	field string // that the lines are, of a remark
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
	inField      // in place of a field that has the same values
	afterHeading // of the section
	endOfSection
	beforeSection
	endOfFile
)

// find finds the lines that no model holds.
func (u *File) find() {
	known, rules := u.knownLines()
	remarks := u.remarks(known)
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
	for _, c := range u.old.Remarks {
		if n := u.lineOf(c.Start); known[n] {
			u.pieces = append(u.pieces, piece{line: n, what: "a comment"})
		}
	}
	u.pieces = append(u.pieces, remarks...)
	slices.SortStableFunc(u.pieces, func(a, b piece) int { return cmp.Compare(a.line, b.line) })
}

// remarks returns the fields that say more than their values, such as the score `LR=3
// (decisive)`, and adds their lines to those that are known. In the table they are the rows with
// cells under no column.
func (u *File) remarks(known map[int]bool) []piece {
	c := &comparison{old: u.old, now: u.own}
	var out []piece
	for _, s := range u.old.Sections {
		for _, it := range s.Items {
			own := u.own.Item(it.ID)
			if own == nil || it != u.old.Item(it.ID) {
				continue
			}
			if it.Row != nil && !c.sameRow(it, own) {
				out = append(out, piece{line: u.lineOf(it.Row.Span.Start), what: "a cell of " + it.ID.String()})
			}
			for _, f := range it.Fields {
				if it.Row != nil || f != it.Field(f.Key) || f.Known == nil || f.Known.Kind == brenner.TextField || c.sameField(f, own.Field(f.Key)) {
					continue
				}
				p := piece{what: "a remark in " + it.ID.String() + " " + f.Key, sec: s.Kind, item: it.ID, field: f.Key}
				p.at = u.remarkAt(&p, own.Field(f.Key))
				lines := linesOf(u.old, f)
				p.line = u.lineOf(lines.Start)
				p.lines = strings.Split(u.old.Text.Slice(lines), "\n")
				for i := range p.lines {
					known[p.line+i] = true
				}
				out = append(out, p)
			}
		}
	}
	return out
}

// remarkAt returns where a remark is kept: in its field if that has the same values, of
// which it may have none.
func (u *File) remarkAt(p *piece, own *artifact.Field) position {
	it := u.base.Item(p.item)
	if it == nil {
		return nowhere
	}
	switch f := it.Field(p.field); {
	case own != nil && f != nil && u.own.Text.Slice(own.Value) == u.base.Text.Slice(f.Value):
		return inField
	case own != nil || f != nil:
		return nowhere
	case p.sec == brenner.ResearchThread:
		return endOfSection
	}
	return endOfItem
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
		case isTitle(block, int(b.Level)):
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
				if f.Known != nil || it.Killed && slices.Contains(brenner.SystemFields, f.Key) {
					mark(f.Label)
					mark(f.Value)
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

// isTitle reports whether a block is the heading above the sections.
func isTitle(block string, level int) bool {
	return level == 1 && brenner.HasPrefixFold(strings.TrimLeft(block, "# "), brenner.ArtifactTitle)
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
	inTable := s.Kind == brenner.PredictionsTable
	switch {
	case s.Kind == brenner.ResearchThread && isBeforeFields(before, offset):
		p.at = afterHeading
	case s.Kind == brenner.ResearchThread, inTable && before != nil:
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
	if p.item.Section != 0 && u.base.Item(p.item) == nil {
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
