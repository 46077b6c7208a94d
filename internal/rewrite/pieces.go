// Package rewrite writes artifact files again without losing what people added to them:
// comments, and sections, fields and text that the format does not know.
package rewrite

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// File is an artifact file in Markdown that is written again, and its text that no
// model holds.
type File struct {
	old    *artifact.Artifact
	own    *artifact.Artifact // the canonical rendering of old
	base   *artifact.Artifact // the new text
	Pieces []Piece            // in the order of the file
}

// Piece is text of the old file that no model holds: lines that follow each other.
type Piece struct {
	Line int // from 1
	What string
	// Placed reports that it has a place in the new text.
	Placed bool

	place
	lines []string
}

// place is where a piece goes in the new text.
type place struct {
	span          source.Span // that is replaced, mostly empty; whole lines
	before, after string      // empty lines around the piece
}

// New finds the text of a file that no model holds, and where it goes in the new text, whose
// table gets the headings that it had. Keys are those of front matter that the new text writes
// itself.
func New(a *artifact.Artifact, base []byte, keys ...string) *File {
	u := &File{old: a, own: ownRendering(a), base: withColumns(artifact.ParseMarkdown(source.NewText(base), artifact.Limits{}), a)}
	if a.Meta != nil {
		u.findMeta(keys)
	}
	u.findHeadings()
	u.find()
	return u
}

// find finds the text below the front matter, but for the title and the heading of the table.
func (u *File) find() {
	lines := u.markLines()
	u.findRemarks(lines)
	u.findLines(lines)
	slices.SortStableFunc(u.Pieces, func(a, b Piece) int { return cmp.Compare(a.Line, b.Line) })
}

// findHeadings finds what the title and the heading of the table say and the new text does not.
func (u *File) findHeadings() {
	if was, now := titleOf(u.old), titleOf(u.base); !was.Empty() && !holdsWords(u.base.Text.Slice(now), strings.TrimRight(u.old.Text.Slice(was), "=\r\n ")) {
		u.take(was, "a remark in the title", place{span: linesOf(u.base, now)}, true)
	}
	s, base := u.old.Section(brenner.PredictionsTable), u.base.Section(brenner.PredictionsTable)
	if s == nil || s.Table == nil {
		return
	}
	have := tableWords
	if base != nil && base.Table != nil {
		have += u.base.Text.Slice(base.Table.Table.Header.Span)
	}
	for _, c := range s.Table.Columns {
		have += " " + c.Key // it may be gone, but not what else it says
	}
	if header := s.Table.Table.Header.Span; !holdsWords(have, u.old.Text.Slice(header)) {
		u.take(header, "a heading of the table", place{}, false)
	}
}

// take adds the lines of a part of the old file to the pieces. It returns how many they are.
func (u *File) take(old source.Span, what string, to place, placed bool) int {
	lines := strings.Split(strings.TrimSuffix(u.old.Text.Slice(linesOf(u.old, old)), "\n"), "\n")
	u.Pieces = append(u.Pieces, Piece{u.lineOf(old.Start), what, placed, to, lines})
	return len(lines)
}

// ownRendering returns the canonical rendering of what an artifact holds.
func ownRendering(a *artifact.Artifact) *artifact.Artifact {
	return artifact.ParseMarkdown(source.NewText(artifact.Render(a.State(), artifact.RenderMeta{})), artifact.Limits{})
}

// Merge puts the pieces into the new text. It is false if they would change what its
// readers find.
func (u *File) Merge() ([]byte, bool) {
	var edits []source.Edit
	for i := range u.Pieces {
		p := &u.Pieces[i]
		if !p.Placed {
			return nil, false
		}
		body := strings.TrimRight(strings.Join(p.lines, "\n"), "\n") + "\n"
		edits = append(edits, source.Edit{Span: p.span, Text: p.before + body + p.after})
	}
	slices.SortStableFunc(edits, func(x, y source.Edit) int { return cmp.Compare(x.Span.Start, y.Span.Start) })
	out := source.Apply(u.base.Text.Data, edits)
	merged := artifact.ParseMarkdown(source.NewText(out), artifact.Limits{})
	return out, merged.State().Hash() == u.base.State().Hash()
}

// lineKind is what a line of the old file is.
type lineKind uint8

const (
	foreignLine lineKind = iota
	knownLine            // the new text writes it itself
	ruleLine             // a rule between sections
)

// markLines returns what the lines of the old file are, by their numbers.
func (u *File) markLines() []lineKind {
	lines := make([]lineKind, u.lineOf(len(u.old.Text.Data))+1)
	mark := func(s source.Span, kind lineKind) {
		for l := u.lineOf(s.Start); l <= u.lineOf(max(s.Start, s.End-1)); l++ {
			lines[l] = kind
		}
	}
	title := titleOf(u.old)
	for i := range u.old.Doc.Blocks {
		b := &u.old.Doc.Blocks[i]
		switch block := u.old.Text.Slice(b.Span); {
		case isRule(block):
			mark(b.Span, ruleLine)
		case b.Span == title:
			mark(b.Span, knownLine)
		}
	}
	for _, s := range u.old.Sections {
		mark(s.Heading, knownLine)
		if s.Table != nil {
			mark(s.Table.Table.Header.Span, knownLine)
			mark(s.Table.Table.Delimiter.Span, knownLine)
		}
		for _, it := range s.Items {
			mark(it.Heading, knownLine)
			for _, f := range it.Fields {
				if f.Known != nil || it.Killed && brenner.IsSystemField(f.Key) {
					mark(f.Label, knownLine)
					mark(f.Value, knownLine)
				}
			}
		}
		writesNone := s.Kind == brenner.AnomalyRegister && len(u.base.ItemsOf(s.Kind)) == 0
		if (s.NoneRegistered || writesNone) && len(s.Items) == 0 {
			u.markNone(s, lines)
		}
	}
	for _, c := range u.old.Comments {
		mark(c, foreignLine)
	}
	return lines
}

// findLines finds the lines that no model holds, and the comments in lines that are known.
func (u *File) findLines(lines []lineKind) {
	first := 1
	if m := u.old.Meta; m != nil {
		first = u.lineOf(m.Span.End-1) + 1
	}
	whole := slices.Clone(u.old.Comments) // what is in one place
	for i := range u.old.Doc.Blocks {
		if b := &u.old.Doc.Blocks[i]; b.Kind == markdown.Fence || b.Kind == markdown.HTML {
			whole = append(whole, b.Span)
		}
	}
	goesOn := map[int]bool{} // the lines below the first of each
	for _, s := range whole {
		for n := u.lineOf(s.Start) + 1; n <= u.lineOf(s.End-1); n++ {
			goesOn[n] = true
		}
	}
	var open *Piece
	for n := first; n < len(lines); n++ {
		l := u.old.Text.Slice(u.old.Text.Line(n))
		switch {
		case strings.TrimSpace(l) == "":
			if open != nil {
				open.lines = append(open.lines, "")
			}
		case lines[n] == knownLine, lines[n] == ruleLine && open == nil:
			open = nil
		case lines[n] == ruleLine, open != nil && goesOn[n]: // of the text before it
			open.lines = append(open.lines, l)
		default:
			at, ok := u.placeOf(n, l)
			if open == nil || open.place != at || open.Placed != ok {
				u.Pieces = append(u.Pieces, Piece{Line: n, What: describe(l), Placed: ok, place: at})
				open = &u.Pieces[len(u.Pieces)-1]
			}
			open.lines = append(open.lines, l)
		}
	}
	for _, c := range u.old.Remarks {
		if n := u.lineOf(c.Start); lines[n] == knownLine {
			u.Pieces = append(u.Pieces, Piece{Line: n, What: "a comment"})
		}
	}
}

// findRemarks finds the headings and fields that say more than their values, such as the score
// `LR=3 (decisive)`, and marks their lines as known. In the table they are the rows with cells
// under no column.
func (u *File) findRemarks(lines []lineKind) {
	c := &comparison{old: u.old, now: u.own}
	for _, s := range u.old.Sections {
		for _, it := range s.Items {
			own := u.own.Item(it.ID)
			if own == nil || it != u.old.Item(it.ID) {
				continue
			}
			if it.Row != nil {
				if !c.sameRow(it, own) {
					u.take(it.Row.Span, "a cell of "+it.ID.String(), place{}, false)
				}
				continue
			}
			if hasHeadingRemark(u.old, it) {
				to, placed := u.placeOfHeading(it.ID, own)
				u.take(it.Heading, "a remark in the heading of "+it.ID.String(), to, placed)
			}
			for _, f := range it.Fields {
				if f != it.Field(f.Key) || f.Known == nil || f.Known.Kind == brenner.TextField || c.sameField(it, own, f) {
					continue
				}
				to, placed := u.placeOfRemark(it.ID, f.Key, own.Field(f.Key))
				first := u.lineOf(f.Label.Start)
				for n := range u.take(spanOf(f), "a remark in "+it.ID.String()+" "+f.Key, to, placed) {
					lines[first+n] = knownLine
				}
			}
		}
	}
}

// placeOfHeading returns where the heading of an item goes: in place of one that is the same
// but for remarks.
func (u *File) placeOfHeading(id brenner.ItemID, own *artifact.Item) (place, bool) {
	it := u.base.Item(id)
	if it == nil || u.own.Text.Slice(own.Heading) != u.base.Text.Slice(it.Heading) {
		return place{}, false
	}
	return place{span: linesOf(u.base, it.Heading)}, true
}

// placeOfRemark returns where a remark goes: in its field if that has the same values, of
// which it may have none. It is false if there is no such place.
func (u *File) placeOfRemark(id brenner.ItemID, key string, own *artifact.Field) (place, bool) {
	it := u.base.Item(id)
	if it == nil {
		return place{}, false
	}
	switch f := it.Field(key); {
	case own != nil && f != nil && u.own.Text.Slice(own.Value) == u.base.Text.Slice(f.Value):
		return place{span: linesOf(u.base, spanOf(f))}, true
	case own != nil || f != nil:
		return place{}, false
	case id.Section == brenner.ResearchThread:
		return u.below(u.base.Section(id.Section).Span), true
	}
	return u.below(it.Span), true
}

// below is the place below the last line of a span of the new text; above is that above
// its first line, with empty lines after it.
func (u *File) below(s source.Span) place {
	at := nextLine(u.base, s.End-1)
	return place{span: source.Span{Start: at, End: at}, before: "\n"}
}

func (u *File) above(s source.Span, after string) place {
	at := u.base.Text.LineStart(s.Start)
	return place{span: source.Span{Start: at, End: at}, after: after}
}

// spanOf returns the span of a field, from its label to its value.
func spanOf(f *artifact.Field) source.Span {
	return source.Span{Start: f.Label.Start, End: max(f.Label.End, f.Value.End)}
}

// linesOf returns the lines of a span.
func linesOf(a *artifact.Artifact, s source.Span) source.Span {
	return source.Span{Start: a.Text.LineStart(s.Start), End: nextLine(a, max(s.Start, s.End-1))}
}

// nextLine returns the start of the line after that of an offset, or the end of the text.
func nextLine(a *artifact.Artifact, at int) int {
	return min(source.LineEnd(a.Text.Data, at)+1, len(a.Text.Data))
}

// lineOf returns the line of an offset of the old file, from 1.
func (u *File) lineOf(offset int) int { return u.old.Text.LineAt(offset) }

// isRule reports whether a block is a rule between sections.
func isRule(block string) bool {
	return strings.Trim(block, "-*_ \t\r\n") == "" && strings.TrimSpace(block) != ""
}

// markNone marks the sentence that says that there are no anomalies.
func (u *File) markNone(s *artifact.Section, lines []lineKind) {
	for l := u.lineOf(s.Heading.Start) + 1; l <= u.lineOf(s.Span.End-1); l++ {
		if strings.EqualFold(strings.Trim(u.old.Text.Slice(u.old.Text.Line(l)), " \t\r\n.*_"), "none registered") {
			lines[l] = knownLine
		}
	}
}

// placeOf returns where a line of the old file goes; false if the new text does not have the place.
func (u *File) placeOf(number int, line string) (place, bool) {
	offset, sections := u.old.Text.Line(number).Start, u.old.Sections
	i := sort.Search(len(sections), func(i int) bool { return sections[i].Heading.Start > offset })
	switch {
	case i == 0:
		return u.above(u.base.Sections[0].Heading, "\n"), true
	case offset >= sections[i-1].Span.End && i == len(sections):
		return u.below(source.Span{End: len(u.base.Text.Data)}), true
	case offset >= sections[i-1].Span.End:
		return u.above(u.base.Section(sections[i].Kind).Heading, "\n"), true
	}
	s := sections[i-1]
	section := u.base.Section(s.Kind)
	j := sort.Search(len(s.Items), func(j int) bool { return s.Items[j].Heading.Start > offset })
	var of *artifact.Item
	if j > 0 {
		of = s.Items[j-1]
	}
	isThread, inTable := s.Kind == brenner.ResearchThread, s.Kind == brenner.PredictionsTable
	isComment := strings.HasPrefix(strings.TrimSpace(line), "<!--")
	isAbove := isComment && j < len(s.Items) && !inTable && !isThread // of the next item
	beforeFields := of != nil && len(of.Fields) > 0 && offset < of.Fields[0].Label.Start
	switch {
	case isAbove:
		of = s.Items[j]
	case isThread && beforeFields, !isThread && of == nil:
		return u.below(section.Heading), true
	case isThread, inTable, isComment:
		return u.below(section.Span), true
	}
	var p place
	it := u.base.Item(of.ID)
	switch {
	case it == nil:
	case isAbove:
		p = u.above(it.Heading, "")
	case beforeFields:
		p = u.below(it.Heading)
		p.after = "\n"
	default:
		p = u.below(it.Span)
	}
	return p, it != nil
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

// findMeta finds the entries of the front matter that the new text does not write.
func (u *File) findMeta(keys []string) {
	end := u.lineOf(u.old.Meta.Span.End - 1)
	line := func(n int) string { return u.old.Text.Slice(u.old.Text.Line(n)) }
	last := u.above(source.Span{Start: u.base.Meta.Span.End - 1}, "")
	ends := map[int]int{} // of the last key or value of a line
	for i, v := range u.old.Meta.Values {
		if slices.Contains(keys, v.Key) {
			u.endValues(ends, v)
			continue
		}
		from, to := u.lineOf(v.KeySpan.Start), end-1 // the last is ---
		if i+1 < len(u.old.Meta.Values) {
			to = u.lineOf(u.old.Meta.Values[i+1].KeySpan.Start) - 1
		}
		p := Piece{Line: from, What: "the front matter key " + text.Quote(v.Key), Placed: true, place: last}
		if now := u.base.Meta.Get(v.Key); now != nil {
			p.span = linesOf(u.base, now.Span)
		}
		for n := from; n <= max(from, to); n++ {
			p.lines = append(p.lines, line(n))
			ends[n] = u.old.Text.Line(n).End
		}
		u.Pieces = append(u.Pieces, p)
	}
	for n := 1; n < end; n++ {
		l := u.old.Text.Line(n)
		l.Start = max(l.Start, ends[n])
		if _, comment, ok := strings.Cut(" "+u.old.Text.Slice(l), " #"); ok {
			u.Pieces = append(u.Pieces, Piece{n, "a comment", true, last, []string{"#" + strings.TrimRight(comment, " \t\r\n")}})
		}
	}
}

// endValues notes where a value of the front matter and those in it end.
func (u *File) endValues(ends map[int]int, v artifact.MetaValue) {
	for _, s := range [...]source.Span{v.KeySpan, v.Span} {
		ends[u.lineOf(s.End)] = max(ends[u.lineOf(s.End)], s.End)
	}
	for _, in := range v.Items {
		u.endValues(ends, in)
	}
}
