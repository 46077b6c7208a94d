package input

import (
	"errors"
	"io"
	"os"
	"slices"
)

// The sizes of the pieces that a stream is read in: one for what is short, and one for what
// follows.
const (
	firstPiece = 64 << 10
	nextPiece  = 1 << 20
)

// readStream reads a stream to its end, at most so many bytes. It takes twice the memory
// of the stream, and for a redirected file only once: [io.ReadAll] takes more.
func readStream(r io.Reader, most int64) ([]byte, error) {
	size := int64(firstPiece)
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size() + 1 // to see the end
		}
	}
	r = io.LimitReader(r, most)
	var pieces [][]byte
	for {
		b := make([]byte, min(size, most))
		n, err := io.ReadFull(r, b)
		pieces = append(pieces, b[:n])
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			if len(pieces) == 1 {
				return pieces[0], nil
			}
			return slices.Concat(pieces...), nil
		case err != nil:
			return nil, err
		}
		size = nextPiece
	}
}
