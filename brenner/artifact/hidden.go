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

	marks   [2]source.Span // what hides: the marks of a fence or comment, or the lines of HTML; no part of a value
	content int            // of a fence: where what is in it begins
}

// reveal returns an artifact without what hides parts of it: it reads the blocks again, of a
// text without the marks of a fence or comment. Both marks of a closed fence are removed,
// unless the second then opens a fence that hides more: it was meant for another one, and
// this one is not closed.
func (p *parser) reveal(a *Artifact) *Artifact {
	const most = 4 // readings
	top := 0       // where front matter may begin in a fence
	for range most {
		found, h := a.findHidden()
		if len(found) == 0 {
			if h == nil {
				break
			}
			if a.Meta == nil && h.content > 0 {
				top = h.content
			}
			if !h.marks[1].Empty() {
				revealed := p.again(a, top, *h)
				if _, more := revealed.findHidden(); more == nil {
					a = revealed
					continue
				}
				h.Closed, h.marks[1] = false, source.Span{}
			}
			found = []Hidden{*h}
		}
		a = p.again(a, top, found...)
	}
	return a
}

// again reads the artifact a again, of a text without what was found to hide parts of it.
func (p *parser) again(a *Artifact, top int, found ...Hidden) *Artifact {
	again := newParser(a.Text, a.Span.Start, p.limits)
	again.a.Hidden = slices.Concat(a.Hidden, found)
	again.shown = slices.Clone(again.shown)
	for _, h := range again.a.Hidden {
		source.Blank(again.shown, h.marks[0])
		source.Blank(again.shown, h.marks[1])
	}
	again.src = string(again.shown)
	again.a.Meta, again.a.MetaFault = a.Meta, a.MetaFault
	if top > 0 && a.Meta == nil {
		if body := again.frontMatter(top); body != top {
			p.body = body
		}
	}
	again.body = p.body
	return again.read(nil)
}

// findHidden finds the blocks of HTML that hide what the artifact lacks, and the first fence, comment or
// <pre> that does.
func (a *Artifact) findHidden() (html []Hidden, first *Hidden) {
	var has map[brenner.ItemID]bool
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.InList || b.InQuote || len(b.Parts) == 0 || b.Kind != markdown.HTML && b.Kind != markdown.Fence {
			continue
		}
		if has == nil {
			has = map[brenner.ItemID]bool{}
			for _, s := range a.Sections {
				for _, it := range s.Items {
					has[it.ID] = true
				}
			}
		}
		if b.Kind == markdown.HTML && !b.Verbatim {
			if h := a.hiddenByHTML(b, has); !h.Line.Empty() {
				html = append(html, h)
			}
		} else if first == nil {
			first = a.hiddenByMarks(b, has)
		}
	}
	return html, first
}

// hiddenByMarks returns what a fence, a comment or <pre> hides, nil if that is nothing.
func (a *Artifact) hiddenByMarks(b *markdown.Block, has map[brenner.ItemID]bool) *Hidden {
	text := a.Text.Bytes(b.Span)
	h := &Hidden{Closed: b.Closed, Comment: bytes.HasPrefix(text, []byte(comment)), Whole: a.sectionAt(b) == 0}
	h.Verbatim = b.Verbatim && !h.Comment
	h.HTML = h.Verbatim
	if h.Comment && !isOpenComment(text) {
		return nil
	}
	line, _, _ := bytes.Cut(a.Text.Data[b.Span.Start:], []byte("\n"))
	h.Line = source.Span{Start: b.Span.Start, End: b.Span.Start + len(bytes.TrimRight(line, " \t\r"))}
	h.marks[0] = h.Line
	if b.Kind == markdown.Fence {
		h.content = b.Parts[0].Start
		if b.Closed {
			h.marks[1] = source.Span{Start: b.Parts[len(b.Parts)-1].End, End: b.Span.End}
		}
	}
	a.collectHidden(b, has, h)
	var highest int32
	if s := a.Section(a.sectionAt(b)); s != nil && h.Verbatim {
		for _, it := range s.Items {
			highest = max(highest, it.ID.Number)
		}
	}
	isGap := func(id brenner.ItemID) bool { return id.Number < highest } // of the items that are shown, not one of a log
	if len(h.Sections) > 0 || h.Table || len(h.Items) > 0 && (!h.Closed || slices.ContainsFunc(h.Items, isGap)) {
		return h
	}
	return nil
}

// hiddenByHTML returns what a block of HTML hides below its lines; without such lines its Line is empty.
func (a *Artifact) hiddenByHTML(b *markdown.Block, has map[brenner.ItemID]bool) Hidden {
	h := Hidden{HTML: true}
	first := a.collectHidden(b, has, &h)
	if above := bytes.TrimSpace(a.Text.Data[b.Span.Start:first]); len(above) > 0 {
		h.marks[0] = source.Span{Start: b.Span.Start, End: b.Span.Start + len(above)}
		h.Line = source.Span{Start: b.Span.Start + bytes.LastIndexByte(above, '\n') + 1, End: h.marks[0].End}
	}
	return h
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

// collectHidden records the sections, and the items of the section that block b is in, that are in the
// block and nowhere else, and returns where the first is, or the block's beginning.
func (a *Artifact) collectHidden(b *markdown.Block, has map[brenner.ItemID]bool, h *Hidden) (first int) {
	kind := a.sectionAt(b)
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
			if id, _ := headingID(title); id.Section != 0 && id.Section == kind && !has[id] {
				h.Items = append(h.Items, id)
				found(l.Start)
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
