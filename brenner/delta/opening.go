package delta

import (
	"bytes"
	"regexp"
	"sort"
	"strings"
	"sync"
	"unicode"

	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// openingMarks are marks at the end of a line, and their tag.
var openingMarks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(` + fenceMarks + `)[ \t]*([A-Za-z]*)[ \t]*$`)
})

// maxMarks bounds how far from an object its marks are looked for: many may share a line.
const maxMarks = 256

// marksAbove returns the marks above an object, or before it on its line, that are meant to open
// its fence, and the edits of the body that open and close it; no marks if there are none. Of
// the marks that close it, swallows is the fence that they open instead.
func (f *finder) marksAbove(object source.Span) (m Marks, edits []source.Edit, swallows *markdown.Block) {
	end := object.Start
	if line := f.data[f.lineStart(end):end]; len(bytes.TrimSpace(line)) == 0 {
		end = len(bytes.TrimRight(f.data[:end], " \t\r\n"))
	}
	near := f.data[max(0, end-maxMarks):end]
	found := openingMarks().FindSubmatchIndex(near[bytes.LastIndexByte(near, '\n')+1:])
	if found == nil {
		return Marks{}, nil, nil
	}
	from := end - found[1]
	start, marks := f.lineStart(end), source.Span{Start: from + found[2], End: end}
	closing := marksAfter().FindSubmatchIndex(f.data[object.End:min(len(f.data), object.End+maxMarks)])
	if tag := f.data[from+found[4] : from+found[5]]; !bytes.EqualFold(tag, []byte("delta")) && (len(tag) > 0 || closing == nil) {
		return Marks{}, nil, nil
	}
	m.Why, m.At = f.misread(start, marks)
	if m.Why == 0 {
		return Marks{}, nil, nil
	}
	if closing != nil {
		swallows = f.fenceAt(object.End + closing[2])
	}
	switch b := f.blockAt(marks.Start); {
	case m.Why == Invisible:
		return m, nil, swallows
	case b.InList || b.InQuote:
		return m, nil, swallows
	}
	return m, f.refencing(m, start, marks, object, closing), swallows
}

// misread returns why marks do not open a fence, on a line that begins at a byte; 0 if they do.
func (f *finder) misread(line int, marks source.Span) (Misread, source.Span) {
	before := f.data[line:marks.Start]
	visible := bytes.TrimLeftFunc(before, isInvisible)
	b := f.blockAt(marks.Start)
	switch fence := markdown.ReadFenceLine(f.data[marks.Start:marks.End]); {
	case len(visible) > 0:
		return Preceded, marks
	case len(bytes.Trim(before, " \t")) > 0:
		return Invisible, source.Span{Start: line, End: marks.Start}
	case f.data[marks.Start] == '\\':
		return Escaped, marks
	case !fence.Opens():
		return Unlike, marks
	case b.Kind == markdown.HTML:
		above := len(bytes.TrimRight(f.data[:line], " \t\r\n"))
		return InHTML, source.Span{Start: f.lineStart(above), End: above}.Trim(f.data)
	case b.Kind == markdown.Code:
		return Indented, marks
	}
	return 0, source.Span{}
}

// refencing returns the edits that put an object into the fence that its marks are meant for.
func (f *finder) refencing(m Marks, line int, marks, object source.Span, closing []int) []source.Edit {
	eol := strings.TrimRight(markdown.Below(f.doc.Text, line), " \t")
	switch {
	case m.Why == InHTML && f.isComment(f.blockAt(marks.Start)):
		return []source.Edit{{Span: source.Span{Start: m.At.End, End: m.At.End}, Text: " -->"}}
	case m.Why == InHTML: // a blank line ends it
		return []source.Edit{{Span: source.Span{Start: line, End: line}, Text: eol}}
	}
	opening := source.Edit{Span: source.Span{Start: line, End: object.Start}, Text: "```delta" + eol}
	if before := bytes.TrimRightFunc(f.data[line:marks.Start], isInvisible); m.Why == Preceded {
		opening.Span.Start = line + len(before)
		opening.Text = eol + eol + opening.Text
	}
	end := source.Edit{Span: source.Span{Start: object.End, End: object.End}, Text: eol + "```"}
	text, _, _ := bytes.Cut(f.data[object.End:], []byte("\n"))
	if closing != nil {
		end.Span.End = object.End + closing[3]
		text = f.data[end.Span.End : object.End+closing[5]]
	}
	if said := bytes.TrimSpace(text); len(said) > 0 {
		end.Span.End += bytes.Index(text, said)
		end.Text += eol + eol
	}
	return []source.Edit{opening, end}
}

// blockAt returns the block that a byte is in, or the one before it.
func (f *finder) blockAt(at int) *markdown.Block {
	i := sort.Search(len(f.doc.Blocks), func(i int) bool { return f.doc.Blocks[i].Span.Start > at })
	return &f.doc.Blocks[max(i-1, 0)]
}

// fenceAt returns the fence that begins at a byte, nil if none does.
func (f *finder) fenceAt(at int) *markdown.Block {
	if b := f.blockAt(at); b.Kind == markdown.Fence && b.Span.Start == at {
		return b
	}
	return nil
}

// visibleFences returns the edits that remove invisible characters before all marks of fences
// in the body: the opening ones and the closing ones. Indentation stays where it is one.
func (f *finder) visibleFences(inList bool) (edits []source.Edit) {
	for start := 0; start < len(f.data); {
		line, _, _ := bytes.Cut(f.data[start:], []byte("\n"))
		text := bytes.TrimLeftFunc(line, isInvisible)
		before := line[:len(line)-len(text)]
		if len(bytes.Trim(before, " \t")) > 0 && markdown.ReadFenceLine(text).Opens() {
			indent := bytes.Map(func(r rune) rune {
				if r == ' ' || r == '\t' {
					return r
				}
				return -1
			}, before)
			if !inList && (len(indent) > 3 || bytes.IndexByte(indent, '\t') >= 0) {
				indent = nil
			}
			edits = append(edits, source.Edit{Span: source.Span{Start: start, End: start + len(before)}, Text: string(indent)})
		}
		start += len(line) + 1
	}
	return edits
}

// isInvisible reports whether a character takes no ink: white space, or one that only
// formats.
func isInvisible(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }
