// A second reader of the simplest Markdown, for speed alone: without this file a check of
// artifacts takes 28 % more instructions, one of mail as JSON 24 %, of a database 26 %, of
// an archive 16 % (2026-11-26; to measure it again, let ParseFrom call parse at once).
//
// Most lines of mail and artifacts can only be one thing where no block is open: a
// heading, a fence, a line between blocks, or text of a paragraph or of an item of a list
// that nests nothing. They are read here without a tree. Goldmark reads the
// others, up to where no block is open again; tests and fuzzing hold that the blocks are
// those which it reads of the whole text.

package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/parser"

	"github.com/brennerlint/brennerlint/source"
)

// plain reads the block or the blank line that begins at byte at, where no block is
// open, and is where the next one begins; or at, if goldmark must read it (then blocks that
// were added do not count).
func (w *walker) plain(at int) int {
	switch c := w.src[at]; {
	case isText(w.src[at:]):
		return w.plainText(at, Block{Marker: NoMarker})
	case c == '#':
		return w.plainHeading(at)
	case c == '`' || c == '~':
		return w.plainFence(at)
	case w.isItem(at):
		return w.plainList(at)
	case w.isBlank(at):
		return w.nextLine(at)
	}
	return at
}

// plainList reads the items of a list up to the blank lines after them, which it reads
// too.
func (w *walker) plainList(at int) int {
	next := at
	for next < len(w.src) && w.isItem(next) {
		text := next + len("- ")
		if next = w.plainText(text, Block{InList: true, Marker: uint32(next)}); next == text {
			return at
		}
	}
	for next < len(w.src) && w.isBlank(next) {
		next = w.nextLine(next)
	}
	if next < len(w.src) && source.IsSpace(w.src[next]) { // it may go on with an item
		return at
	}
	return next
}

// plainText reads the paragraph b that begins at a byte, and is where the next line
// begins; or at, if what comes next may change it.
func (w *walker) plainText(at int, b Block) int {
	lines := make([]source.Span, 0, 4)
	next := at
	for next == at || next < len(w.src) && isText(w.src[next:]) {
		after := w.nextLine(next)
		lines = append(lines, source.Trim(w.src, source.Span{Start: next, End: after}))
		next = after
	}
	last := lines[len(lines)-1]
	if w.src[last.End-1] < ' ' || next < len(w.src) && !w.isBlank(next) && !w.begins(next) && !w.isItem(next) {
		return at
	}
	b.Kind, b.Span, b.Parts = Paragraph, source.Span{Start: at, End: last.End}, lines
	w.blocks = append(w.blocks, b)
	return next
}

// plainHeading reads an ATX heading with a text that has no # in it.
func (w *walker) plainHeading(at int) int {
	level, next := w.headingLevel(at), w.nextLine(at)
	text := source.Trim(w.src, source.Span{Start: at + level, End: next})
	if level == 0 || text.Len() == 0 || w.src[text.Start] < ' ' || w.src[text.End-1] < ' ' || bytes.IndexByte(w.src[text.Start:text.End], '#') >= 0 {
		return at
	}
	b := Block{Kind: Heading, Level: uint8(level), Span: source.Span{Start: at, End: w.lineEnd(at)}, Parts: []source.Span{text}, Marker: NoMarker}
	w.blocks = append(w.blocks, b)
	return next
}

// plainFence reads a fence that ends with a line that begins with its closing marks.
func (w *walker) plainFence(at int) int {
	length, content := w.fenceLen(at), w.nextLine(at)
	if length == 0 {
		return at
	}
	next := w.lineWith(content, w.src[at])
	if next == len(w.src) {
		return at
	}
	b := Block{Kind: Fence, FenceChar: w.src[at], FenceLen: uint32(length), Closed: true, Marker: NoMarker}
	b.Span = source.Span{Start: at, End: w.lineEnd(next)}
	b.Info = source.Trim(w.src, source.Span{Start: at + length, End: content})
	if b.Info.Len() == 0 {
		b.Info = source.Span{Start: at + length, End: at + length}
	} else if w.src[b.Info.Start] < ' ' || w.src[b.Info.End-1] < ' ' {
		return at
	}
	if line := ReadFenceLine(w.src[next:b.Span.End]); line.Marks.Start > 0 || !line.Closes(b.FenceChar, length) {
		return at
	}
	if content < next {
		b.Parts = []source.Span{{Start: content, End: next}}
	}
	w.blocks = append(w.blocks, b)
	return w.nextLine(next)
}

// lineWith returns where the next line begins, from the one at byte at on, that has a mark as
// its first character after white space; the end of the text if none does.
func (w *walker) lineWith(at int, mark byte) int {
	for at < len(w.src) {
		n := bytes.IndexByte(w.src[at:], mark)
		if n < 0 {
			break
		}
		start := at + bytes.LastIndexByte(w.src[at:at+n], '\n') + 1
		if w.indented(start) == at+n {
			return start
		}
		at = w.nextLine(at + n)
	}
	return len(w.src)
}

// blocksEnd returns where the next line begins on which no block can be open that was
// open on the line at byte at, or the end of the text. Only a fence and raw HTML go on at
// a heading or a fence that no white space is before.
func (w *walker) blocksEnd(at int) int {
	for {
		if i := w.indented(at); i < len(w.src) && (w.src[i] == '`' || w.src[i] == '~' || w.src[i] == '<') {
			return len(w.src)
		}
		if at = w.nextLine(at); at == len(w.src) || w.begins(at) {
			return at
		}
	}
}

// begins reports whether a heading or a fence begins at the start of a line.
func (w *walker) begins(at int) bool { return w.headingLevel(at) > 0 || w.fenceLen(at) > 0 }

// headingLevel returns the level of an ATX heading that begins at the start of a line, or
// 0.
func (w *walker) headingLevel(at int) int {
	n := run(w.src[at:], '#')
	if n > 6 || at+n < len(w.src) && !source.IsSpace(w.src[at+n]) {
		return 0
	}
	return n
}

// fenceLen returns the number of marks of a fence that begins at the start of a line, or 0.
func (w *walker) fenceLen(at int) int {
	if c := w.src[at]; c != '`' && c != '~' {
		return 0
	}
	line := ReadFenceLine(w.src[at:w.nextLine(at)])
	if !line.Opens() || line.ticks {
		return 0
	}
	return line.Marks.Len()
}

// isItem reports whether an item of a bullet list begins at the start of a line, with
// a paragraph.
func (w *walker) isItem(at int) bool {
	line := w.src[at:]
	return len(line) > 2 && (line[0] == '-' || line[0] == '*' || line[0] == '+') && line[1] == ' ' && isText(line[2:])
}

// isBlank reports whether nothing but white space is in the rest of a line.
func (w *walker) isBlank(at int) bool {
	at = w.indented(at)
	return at == len(w.src) || w.src[at] == '\n' || w.src[at] == '\r' && at+1 < len(w.src) && w.src[at+1] == '\n'
}

// indented returns where a line goes on after its spaces and tabs.
func (w *walker) indented(at int) int {
	for at < len(w.src) && (w.src[at] == ' ' || w.src[at] == '\t') {
		at++
	}
	return at
}

// isText reports whether a line begins a paragraph or goes on with the one before it:
// it begins with no character that another block may begin with, or with bold text,
// which is neither a list item nor a thematic break.
func isText(line []byte) bool {
	if !beginsBlock[line[0]] {
		return true
	}
	return len(line) > 2 && line[0] == '*' && line[1] == '*' && !beginsBlock[line[2]]
}

// beginsBlock are the characters that blocks other than paragraphs begin with, and
// white space.
var beginsBlock = func() (out [256]bool) {
	for _, c := range " \t\n\v\f\r" {
		out[c] = true
	}
	for _, p := range parser.DefaultBlockParsers() {
		for _, c := range p.Value.(parser.BlockParser).Trigger() {
			out[c] = true
		}
	}
	return out
}()
