package input

import (
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
)

// The sizes of the pieces that a stream is read in: one for what is short, and one for what
// follows.
const (
	firstPiece = 64 << 10
	nextPiece  = 1 << 20

	// largeStream is from how many bytes on the pieces are collected at once.
	largeStream = 32 << 20
)

// readStream reads a stream to its end, or to the limit. Its peak of memory is twice the
// stream, and once for a redirected file: [io.ReadAll] takes more.
func readStream(r io.Reader, limit int64) ([]byte, error) {
	var pieces [][]byte
	for size := firstSize(r); limit > 0; size = nextPiece {
		piece := make([]byte, min(size, limit))
		n, err := fill(r, piece)
		if n > 0 {
			pieces = append(pieces, piece[:n])
			limit -= int64(n)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if len(pieces) == 1 {
		return pieces[0], nil
	}
	data := slices.Concat(pieces...)
	if clear(pieces); len(data) > largeStream {
		runtime.GC() // so that what is decoded next takes the place of the pieces, and no more
	}
	return data, nil
}

// firstSize returns the size of the first piece of a stream: of a redirected file what is
// left of it and a byte more, to see its end.
func firstSize(r io.Reader) int64 {
	f, ok := r.(*os.File)
	if !ok {
		return firstPiece
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return firstPiece
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil || at < 0 || at >= info.Size() {
		return firstPiece
	}
	return max(firstPiece, info.Size()-at+1)
}

// fill reads until a piece is full or the stream ends, unlike [io.ReadFull] with the error
// of the stream itself.
func fill(r io.Reader, piece []byte) (n int, err error) {
	for n < len(piece) && err == nil {
		var more int
		more, err = r.Read(piece[n:])
		n += more
	}
	return n, err
}
