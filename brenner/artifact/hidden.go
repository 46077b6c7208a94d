package artifact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Hidden is a part of an artifact that Markdown shows as code, or not at all: a fence is
// around it, or a fence or comment before it is not closed. It is read anyway.
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

// maxHidden bounds how often an artifact is read again, and maxHiddenLines the headings
// that are examined for it.
const (
	maxHidden      = 4
	maxHiddenLines = 256
)

// revealer reads an artifact again without what hides parts of it.
type revealer struct {
	limits     Limits
	from, body int
	metaFrom   int    // start of front matter in a fence, or 0
	shown      []byte // the text without the removed marks; nil if none were removed
}

// reveal returns the artifact without what hides parts of it; the front matter was
// searched at from, and the body begins at body.
func reveal(a *Artifact, from, body int, limits Limits) *Artifact {
	r := revealer{limits: limits, from: from, body: body}
	for range maxHidden {
		b, h := a.findHidden()
		if b == nil {
			break
		}
		a = r.read(a, b, h)
	}
	return a
}

// read reads the artifact a without the marks of block b. Both marks of a closed fence
// are removed, unless the second then opens a fence that hides more: it was meant for
// another one, and this one is not closed.
func (r *revealer) read(a *Artifact, b *markdown.Block, h Hidden) *Artifact {
	if r.shown == nil {
		r.shown = slices.Clone(a.Text.Data)
		blankConflicts(r.shown, r.from, &markdown.Document{})
	}
	blank(r.shown, h.Line)
	if a.Meta == nil && !h.Comment {
		r.metaFrom = b.Parts[0].Start
	}
	if h.Comment || !h.Closed {
		return r.parse(a, r.shown, h)
	}
	shown := slices.Clone(r.shown)
	blank(shown, source.Span{Start: b.Parts[len(b.Parts)-1].End, End: b.Span.End})
	both := r.parse(a, shown, h)
	if more, _ := both.findHidden(); more == nil {
		r.shown = shown
		return both
	}
	h.Closed = false
	return r.parse(a, r.shown, h)
}

// parse reads a text in place of that of a.
func (r *revealer) parse(a *Artifact, shown []byte, h Hidden) *Artifact {
	p := newParser(a.Text, r.from, r.limits)
	p.a.Hidden, p.a.Conflicts = append(slices.Clone(a.Hidden), h), a.Conflicts
	p.a.Meta, p.a.MetaFault = a.Meta, a.MetaFault
	if len(a.Conflicts) > 0 {
		p.data = slices.Clone(p.data)
		blankConflicts(p.data, r.from, &markdown.Document{})
		p.src = string(p.data)
	}
	if r.metaFrom > 0 && a.Meta == nil {
		if body := p.frontMatter(r.metaFrom); body != r.metaFrom {
			r.body = body
		}
	}
	doc := markdown.ParseFrom(source.NewText(shown), r.body)
	doc.Text = a.Text
	return p.read(doc)
}

// blank removes a span from a text and leaves everything else in its place.
func blank(data []byte, s source.Span) {
	for i := s.Start; i < s.End; i++ {
		if data[i] != '\n' && data[i] != '\r' {
			data[i] = ' '
		}
	}
}

// findHidden finds the first fence or comment that hides what the artifact lacks.
func (a *Artifact) findHidden() (*markdown.Block, Hidden) {
	var have contents
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.InList || b.InQuote || len(b.Parts) == 0 || b.Kind != markdown.Fence && b.Kind != markdown.HTML {
			continue
		}
		h := Hidden{Closed: b.Closed, Comment: b.Kind == markdown.HTML, Whole: a.sectionAt(b.Span.Start) == 0}
		if h.Comment && !isOpenComment(a.Text.Bytes(b.Span)) {
			continue
		}
		h.Line = source.Span{Start: b.Span.Start, End: b.Span.Start}
		h.Line.End += len(bytes.TrimRight(firstLine(a.Text.Data[b.Span.Start:]), " \t\r"))
		have.collect(a)
		if have.lacks(a, b, &h); len(h.Sections) > 0 || len(h.Items) > 0 && !h.Closed {
			return b, h
		}
	}
	return nil, Hidden{}
}

func firstLine(data []byte) []byte {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return line
}

// isOpenComment reports whether a comment is not closed, or only by the end of another
// one.
func isOpenComment(block []byte) bool {
	const open, end = "<!--", "-->"
	rest, ok := bytes.CutPrefix(block, []byte(open))
	closed := bytes.Index(rest, []byte(end))
	return ok && (closed < 0 || bytes.Contains(rest[:closed], []byte(open)))
}

// contents are the sections and items that an artifact has.
type contents struct {
	sections [len(brenner.Sections) + 1]bool
	items    map[brenner.ItemID]bool // nil until they are collected
}

func (c *contents) collect(a *Artifact) {
	if c.items != nil {
		return
	}
	c.items = make(map[brenner.ItemID]bool)
	for _, s := range a.Sections {
		c.sections[s.Kind] = true
		for _, it := range s.Items {
			c.items[it.ID] = true
		}
	}
}

// lacks records the sections and items in block b that are nowhere else.
func (c *contents) lacks(a *Artifact, b *markdown.Block, h *Hidden) {
	kind := a.sectionAt(b.Span.Start)
	looked := 0
	for l := range a.Doc.Lines(b) {
		line := strings.TrimLeft(a.Text.Slice(l), "#")
		level := l.Len() - len(line)
		if level == 0 || level > 3 || line == "" || !source.IsSpace(line[0]) {
			continue
		}
		if looked++; looked > maxHiddenLines {
			return
		}
		title := strings.TrimSpace(line)
		if level == 3 {
			if id, _ := headingID(title); id.Section != 0 && id.Section == kind && !c.items[id] {
				h.Items = append(h.Items, id)
			}
			continue
		}
		if s := brenner.SectionByTitle(title); s != 0 {
			kind = 0 // the items below are those of another section
			if !c.sections[s] && !slices.Contains(h.Sections, s) {
				h.Sections = append(h.Sections, s)
			}
		}
	}
}

// sectionAt returns the kind of the section that is open at off.
func (a *Artifact) sectionAt(off int) brenner.Section {
	n, _ := slices.BinarySearchFunc(a.Sections, off, func(s *Section, off int) int { return s.Span.Start - off })
	if n == 0 {
		return 0
	}
	return a.Sections[n-1].Kind
}
