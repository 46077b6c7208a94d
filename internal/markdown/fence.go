package markdown

import (
	"bytes"
	"iter"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/brennerlint/brennerlint/source"
)

// FenceLine is what a line begins with that may open or close a fence: a run of one mark
// (` or ~) and what follows it. All code that looks for a fence line by line reads it with
// this.
type FenceLine struct {
	Mark  byte        // 0 if the line begins with none
	Marks source.Span // in the line
	Info  source.Span // what follows, without white space around it
	ticks bool        // there is a ` in Info: before it the marks may be a span of code
}

// ReadFenceLine reads a line, with or without its end.
func ReadFenceLine[T ~string | ~[]byte](line T) FenceLine {
	var f FenceLine
	at := 0
	for at < len(line) && line[at] == ' ' {
		at++
	}
	if at == len(line) || line[at] != '`' && line[at] != '~' {
		return f
	}
	f.Mark, f.Marks = line[at], source.Span{Start: at, End: at}
	for f.Marks.End < len(line) && line[f.Marks.End] == f.Mark {
		f.Marks.End++
	}
	f.Info = source.Trim(line, source.Span{Start: f.Marks.End, End: len(line)})
	for i := f.Info.Start; i < f.Info.End; i++ {
		f.ticks = f.ticks || line[i] == '`'
	}
	return f
}

// Opens reports whether the line opens a fence of code where no block is open.
func (f FenceLine) Opens() bool {
	return f.Marks.Start <= 3 && f.Marks.Len() >= 3 && (f.Mark == '~' || !f.ticks)
}

// Closes reports whether the line closes a fence of so many marks.
func (f FenceLine) Closes(mark byte, length int) bool {
	return f.Marks.Start <= 3 && f.Mark == mark && f.Marks.Len() >= length && f.Info.Empty()
}

// Lines yields the lines of a block: those of a paragraph or a heading without the white
// space around them, others with their ends.
func (d *Document) Lines(b *Block) iter.Seq[source.Span] {
	return func(yield func(source.Span) bool) {
		for _, part := range b.Parts {
			for end := -1; end < part.End; part.Start = end {
				end = part.End
				if n := bytes.IndexByte(d.Text.Bytes(part), '\n'); n >= 0 {
					end = part.Start + n + 1
				}
				if !yield(source.Span{Start: part.Start, End: end}) {
					return
				}
			}
		}
	}
}

// Content returns the content of a fence as a text of its own, mapped to the
// document's text through quotation marks and indentation.
func (d *Document) Content(b *Block) *source.Text { return d.Text.Join(b.Parts) }

func (w *walker) fence(n *ast.FencedCodeBlock, b *Block) {
	b.Kind = Fence
	b.Span.Start = w.start(n, "`~")
	b.FenceChar = w.src[b.Span.Start]
	marks := run(w.src[b.Span.Start:], b.FenceChar)
	b.FenceLen = uint32(marks)
	b.Info = source.Span{Start: b.Span.Start + marks, End: b.Span.Start + marks}
	if n.Info != nil {
		b.Info = source.Span{Start: n.Info.Segment.Start, End: n.Info.Segment.Stop}
	}
	b.Parts = w.parts(n.Lines())
	b.Span.End = w.contentEnd(b)
	next := w.nextLine(b.Span.End)
	if len(b.Parts) > 0 {
		if next = b.Parts[len(b.Parts)-1].End; w.src[next-1] != '\n' {
			next = w.nextLine(next)
		}
	}
	if b.Closed = w.closes(next, b); b.Closed {
		b.Span.End = w.lineEnd(next)
	}
}

// contentEnd returns the end of a fence's last line of content that is not blank, or
// of its opening line.
func (w *walker) contentEnd(b *Block) int {
	end := w.lineEnd(b.Span.Start)
	if len(b.Parts) > 0 {
		last := b.Parts[len(b.Parts)-1].End
		end = b.Span.Start + len(bytes.TrimRight(w.src[b.Span.Start:last], "\r\n"))
	}
	return max(end, b.Span.Start+int(b.FenceLen))
}

// closes reports whether the line at off is the closing fence of b.
func (w *walker) closes(off int, b *Block) bool {
	if off >= len(w.src) {
		return false
	}
	line := w.src[off:w.lineEnd(off)]
	trim := " \t"
	if b.InQuote {
		trim = " \t>"
	}
	return ReadFenceLine(bytes.TrimLeft(line, trim)).Closes(b.FenceChar, int(b.FenceLen))
}

func run(b []byte, c byte) int {
	n := 0
	for n < len(b) && b[n] == c {
		n++
	}
	return n
}

// reopen corrects the fence before the block that begins at off: if the line
// that looked like its closing fence begins a block of its own, the fence ended
// with its container before it.
func (w *walker) reopen(off int) {
	if n := len(w.blocks); n > 0 {
		if b := &w.blocks[n-1]; b.Kind == Fence && b.Closed && off < b.Span.End {
			b.Closed = false
			b.Span.End = w.contentEnd(b)
		}
	}
}

// parts returns the segments; those that follow each other are one part.
func (w *walker) parts(segs *text.Segments) []source.Span {
	if segs == nil {
		return nil
	}
	var parts []source.Span
	for i := range segs.Len() {
		s := segs.At(i)
		if n := len(parts); n > 0 && parts[n-1].End == s.Start && w.src[s.Start-1] == '\n' {
			parts[n-1].End = s.Stop
		} else {
			parts = append(parts, source.Span{Start: s.Start, End: s.Stop})
		}
	}
	return parts
}
