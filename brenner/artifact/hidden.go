package artifact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Hidden is a part of an artifact that Markdown shows as code, or not at all: it is in a fence,
// or follows a fence or comment that is not closed. It is read anyway.
type Hidden struct {
	Line    source.Span // the line that opens the fence or comment
	Comment bool
	Closed  bool
	Whole   bool // no section is before it
	// Sections are those whose headings are hidden.
	Sections []brenner.Section
	// Items are the first of the hidden items if no section is hidden.
	Items []brenner.ItemID
}

// reveal returns an artifact without what hides parts of it: it reads the blocks again, of a
// text without the marks of a fence or comment. Both marks of a closed fence are removed,
// unless the second then opens a fence that hides more: it was meant for another one, and
// this one is not closed.
func (p *parser) reveal(a *Artifact, shown []byte) *Artifact {
	const most = 4 // readings
	top := 0       // where front matter may begin in a fence
	for range most {
		b, h := a.findHidden()
		if b == nil {
			break
		}
		if a.Meta == nil && !h.Comment {
			top = b.Parts[0].Start
		}
		shown = slices.Clone(shown)
		blank(shown, h.Line)
		if h.Closed && !h.Comment {
			both := slices.Clone(shown)
			blank(both, source.Span{Start: b.Parts[len(b.Parts)-1].End, End: b.Span.End})
			revealed := p.again(a, h, both, top)
			if more, _ := revealed.findHidden(); more == nil {
				a, shown = revealed, both
				continue
			}
			h.Closed = false
		}
		a = p.again(a, h, shown, top)
	}
	return a
}

// again reads the artifact a again, its blocks from a text that does not hide h.
func (p *parser) again(a *Artifact, h Hidden, shown []byte, top int) *Artifact {
	again := newParser(a.Text, a.Span.Start, p.limits)
	again.a.Hidden = append(slices.Clone(a.Hidden), h)
	again.a.Meta, again.a.MetaFault = a.Meta, a.MetaFault
	if top > 0 && a.Meta == nil {
		if body := again.frontMatter(top); body != top {
			p.body = body
		}
	}
	again.body = p.body
	return again.read(shown, nil)
}

// findHidden finds the first fence or comment that hides what the artifact lacks.
func (a *Artifact) findHidden() (*markdown.Block, Hidden) {
	lookups := 0
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.InList || b.InQuote || len(b.Parts) == 0 || b.Kind != markdown.Fence && b.Kind != markdown.HTML {
			continue
		}
		kind := brenner.Section(0) // of the open section
		if n, _ := slices.BinarySearchFunc(a.Sections, b.Span.Start, func(s *Section, at int) int { return s.Span.Start - at }); n > 0 {
			kind = a.Sections[n-1].Kind
		}
		h := Hidden{Closed: b.Closed, Comment: b.Kind == markdown.HTML, Whole: kind == 0}
		if h.Comment && !isOpenComment(a.Text.Bytes(b.Span)) {
			continue
		}
		line, _, _ := bytes.Cut(a.Text.Data[b.Span.Start:], []byte("\n"))
		h.Line = source.Span{Start: b.Span.Start, End: b.Span.Start + len(bytes.TrimRight(line, " \t\r"))}
		a.collectHidden(b, kind, &h, &lookups)
		if len(h.Sections) > 0 || len(h.Items) > 0 && !h.Closed {
			return b, h
		}
	}
	return nil, Hidden{}
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
// b and nowhere else. The items that are looked up are bounded, which keeps the work linear.
func (a *Artifact) collectHidden(b *markdown.Block, kind brenner.Section, h *Hidden, lookups *int) {
	const most = 256
	for l := range a.Doc.Lines(b) {
		line := strings.TrimLeft(a.Text.Slice(l), "#")
		level := l.Len() - len(line)
		if level == 0 || level > 3 || line == "" || !source.IsSpace(line[0]) {
			continue
		}
		title := strings.TrimSpace(line)
		if level == 3 {
			if id, _ := headingID(title); id.Section != 0 && id.Section == kind && *lookups < most {
				if *lookups++; a.Item(id) == nil {
					h.Items = append(h.Items, id)
				}
			}
		} else if s := brenner.SectionByTitle(title); s != 0 {
			kind = 0 // the items below are those of another section
			if a.Section(s) == nil && !slices.Contains(h.Sections, s) {
				h.Sections = append(h.Sections, s)
			}
		}
	}
}
