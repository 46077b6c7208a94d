package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/text"
)

// pieceSize is how much of a long text is parsed at once: goldmark's tree takes more
// memory than the text.
const pieceSize = 1 << 20

// read reads the blocks from the line that begins at byte from on.
func (w *walker) read(from, piece int) {
	for from < len(w.src) {
		next := w.plain(from)
		if next == from {
			next = w.blocksEnd(from)
			w.readPieces(from, next, piece)
		}
		from = next
	}
}

// readPieces has goldmark read the blocks of the lines from a byte up to a limit, piece
// by piece. What a piece cuts is read again with the next one.
func (w *walker) readPieces(from, limit, piece int) {
	for size := piece; ; {
		known, end := len(w.blocks), from+size
		if end >= limit || limit-end < piece {
			w.parse(from, limit)
			return
		}
		end = w.nextLine(end)
		w.parse(from, end)
		last := len(w.blocks) - 1
		for last > known && !w.isBoundary(&w.blocks[last]) {
			last--
		}
		switch {
		case last > known:
			from, size = w.blocks[last].Span.Start, piece
			w.drop(last)
		default: // one list, say, that is longer
			size *= 2
			w.drop(known)
		}
	}
}

// parse reads the blocks from the line that begins at byte from up to an end.
func (w *walker) parse(from, end int) {
	r := text.NewReader(w.src[:end])
	if from > 0 {
		r.SetPosition(-1, text.NewSegment(from, from)) // the end of the line before
		r.AdvanceLine()
	}
	w.children(blockParser.Parse(r), Block{Marker: NoMarker})
}

// drop drops the blocks from the nth on.
func (w *walker) drop(n int) {
	clear(w.blocks[n:])
	w.blocks = w.blocks[:n]
}

// isBoundary reports whether a block would be read the same if the text began with it:
// it begins at the start of a line, in no list and no quotation, and goes on with
// nothing that is before it.
func (w *walker) isBoundary(b *Block) bool {
	start := b.Span.Start
	if b.InList || b.InQuote || start == 0 || w.src[start-1] != '\n' {
		return false
	}
	switch b.Kind {
	case Fence:
		return true
	case Heading, Paragraph:
		before := w.src[bytes.LastIndexByte(w.src[:start-1], '\n')+1 : start-1]
		return b.Kind == Heading && w.src[start] == '#' || len(bytes.Trim(before, " \t\r")) == 0
	}
	return false
}

// expected returns how many more blocks the text from at on has, if they are as long as
// those before: 5 % more, but at most three times as many as there are. The blocks of a
// long text take as much memory as the text: they are better not copied again and again.
func (w *walker) expected(at int) int {
	n := float64(len(w.blocks))
	left := float64(len(w.src)-at) / float64(at+1)
	return int(min(1.05*n*left, 3*n)) + 1
}
