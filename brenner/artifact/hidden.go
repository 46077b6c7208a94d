package artifact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Hidden is a part of an artifact that Markdown shows as code, or not at all: it is in a fence or
// in <pre>, follows a fence or comment that is not closed, or is directly below a line of HTML. It is
// read anyway.
type Hidden struct {
	Line    source.Span // the line that opens the fence, comment or <pre>; of other HTML the last above what is hidden
	Comment bool
	HTML    bool
	// Verbatim reports HTML that goes on to its end mark, as <pre> does, not to a blank line.
	Verbatim bool
	Closed   bool
	Whole    bool // no section is before it
	// Sections are those whose headings are hidden.
	Sections []brenner.Section
	// Items are the first of the hidden items if no section is hidden.
	Items []brenner.ItemID
	// Table reports that HTML hides the predictions table of a section that is not hidden.
	Table bool

	marks [2]source.Span // what hides: the marks of a fence or comment, or the lines of HTML; no part of a value
}

// reveal returns an artifact without what hides parts of it: it reads the blocks again, of a
// text without the marks of a fence or comment. Both marks of a closed fence are removed,
// unless the second then opens a fence that hides more: it was meant for another one, and
// this one is not closed.
func (p *parser) reveal(a *Artifact, shown []byte) *Artifact {
	const most = 4 // readings
	top := 0       // where front matter may begin in a fence
	for range most {
		if html, without := a.findInHTML(shown); len(html) > 0 {
			shown = without
			a = p.again(a, html, shown, top)
			continue
		}
		b, h := a.findHidden()
		if b == nil {
			break
		}
		if a.Meta == nil && b.Kind == markdown.Fence {
			top = b.Parts[0].Start
		}
		shown = slices.Clone(shown)
		h.marks[0] = h.Line
		source.Blank(shown, h.Line)
		if h.Closed && b.Kind == markdown.Fence {
			both := slices.Clone(shown)
			h.marks[1] = source.Span{Start: b.Parts[len(b.Parts)-1].End, End: b.Span.End}
			source.Blank(both, h.marks[1])
			revealed := p.again(a, []Hidden{h}, both, top)
			if more, _ := revealed.findHidden(); more == nil {
				a, shown = revealed, both
				continue
			}
			h.Closed, h.marks[1] = false, source.Span{}
		}
		a = p.again(a, []Hidden{h}, shown, top)
	}
	return a
}

// again reads the artifact a again, its blocks from a text that does not hide what was found.
func (p *parser) again(a *Artifact, found []Hidden, shown []byte, top int) *Artifact {
	again := newParser(a.Text, a.Span.Start, p.limits)
	again.a.Hidden = slices.Concat(a.Hidden, found)
	data := []byte(again.src)
	for _, h := range again.a.Hidden {
		source.Blank(data, h.marks[0])
		source.Blank(data, h.marks[1])
	}
	again.src = string(data)
	again.a.Meta, again.a.MetaFault = a.Meta, a.MetaFault
	if top > 0 && a.Meta == nil {
		if body := again.frontMatter(top); body != top {
			p.body = body
		}
	}
	again.body = p.body
	return again.read(shown, nil)
}

// findHidden finds the first fence, comment or <pre> that hides what the artifact lacks.
func (a *Artifact) findHidden() (*markdown.Block, Hidden) {
	lookups := 0
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.InList || b.InQuote || len(b.Parts) == 0 || b.Kind != markdown.Fence && !b.Verbatim {
			continue
		}
		kind := a.sectionAt(b)
		h := Hidden{Closed: b.Closed, Comment: bytes.HasPrefix(a.Text.Bytes(b.Span), []byte(comment)), Whole: kind == 0}
		h.Verbatim = b.Verbatim && !h.Comment
		h.HTML = h.Verbatim
		if h.Comment && !isOpenComment(a.Text.Bytes(b.Span)) {
			continue
		}
		line, _, _ := bytes.Cut(a.Text.Data[b.Span.Start:], []byte("\n"))
		h.Line = source.Span{Start: b.Span.Start, End: b.Span.Start + len(bytes.TrimRight(line, " \t\r"))}
		a.collectHidden(b, kind, &h, &lookups)
		isGap := func(id brenner.ItemID) bool { // of the items that are shown, not one of a log
			s := a.Section(id.Section)
			return h.Verbatim && s != nil && slices.ContainsFunc(s.Items, func(it *Item) bool { return it.ID.Number > id.Number })
		}
		if len(h.Sections) > 0 || h.Table || len(h.Items) > 0 && (!h.Closed || slices.ContainsFunc(h.Items, isGap)) {
			return b, h
		}
	}
	return nil, Hidden{}
}

// findInHTML finds the blocks of HTML that hide what the artifact lacks, and returns the text
// without their lines above it.
func (a *Artifact) findInHTML(shown []byte) (found []Hidden, without []byte) {
	lookups := 0
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind != markdown.HTML || b.Verbatim || b.InList || b.InQuote {
			continue
		}
		h := Hidden{HTML: true}
		first := a.collectHidden(b, a.sectionAt(b), &h, &lookups)
		above := bytes.TrimSpace(a.Text.Data[b.Span.Start:first])
		if len(above) == 0 {
			continue
		}
		h.marks[0] = source.Span{Start: b.Span.Start, End: b.Span.Start + len(above)}
		h.Line = source.Span{Start: b.Span.Start + bytes.LastIndexByte(above, '\n') + 1, End: h.marks[0].End}
		if without == nil {
			without = slices.Clone(shown)
		}
		source.Blank(without, h.marks[0])
		found = append(found, h)
	}
	return found, without
}

// sectionAt returns the kind of the section that a block is in, 0 if it is in none.
func (a *Artifact) sectionAt(b *markdown.Block) brenner.Section {
	n, _ := slices.BinarySearchFunc(a.Sections, b.Span.Start, func(s *Section, at int) int { return s.Span.Start - at })
	if n == 0 {
		return 0
	}
	return a.Sections[n-1].Kind
}

// isOpenComment reports whether a comment is not closed, or only by the end of another
// one.
func isOpenComment(block []byte) bool {
	const open, end = "<!--", "-->"
	rest, ok := bytes.CutPrefix(block, []byte(open))
	closed := bytes.Index(rest, []byte(end))
	return ok && (closed < 0 || bytes.Contains(rest[:closed], []byte(open)))
}

// collectHidden records the sections and the items of the open section kind that are in block
// b and nowhere else, and returns where the first is, or the block's beginning. The items that are
// looked up are bounded, which keeps the work linear.
func (a *Artifact) collectHidden(b *markdown.Block, kind brenner.Section, h *Hidden, lookups *int) (first int) {
	const most = 256
	first, before := b.Span.Start, b.Span.Start
	found := func(at int) {
		if first == b.Span.Start {
			first = at
		}
	}
	for l := range a.Doc.Lines(b) {
		line := strings.TrimLeft(a.Text.Slice(l), "#")
		level := l.Len() - len(line)
		if h.HTML && level == 0 {
			if s := a.Section(kind); kind == brenner.PredictionsTable && s != nil && s.Table == nil && a.Doc.IsDelimiterRow(source.Trim(a.Text.Data, l)) {
				h.Table = true
				found(before)
			}
			before = l.Start
			continue
		}
		if level == 0 || level > 3 && !h.HTML || line == "" || !source.IsSpace(line[0]) {
			continue
		}
		title := strings.TrimSpace(brenner.WithoutComments(line))
		if text := strings.TrimRight(title, "#"); text != "" && source.IsSpace(text[len(text)-1]) {
			title = strings.TrimSpace(text) // closing marks
		}
		if level >= 3 {
			if id, _ := headingID(title); id.Section != 0 && id.Section == kind && *lookups < most {
				if *lookups++; a.Item(id) == nil {
					h.Items = append(h.Items, id)
					found(l.Start)
				}
			}
		} else if s := brenner.SectionByTitle(title); s != 0 {
			kind = 0 // the items below are those of another section
			if a.Section(s) == nil && !slices.Contains(h.Sections, s) {
				h.Sections = append(h.Sections, s)
				found(l.Start)
			}
		}
	}
	return first
}
