package markdown

import (
	"bytes"
	"iter"

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
