package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"io"
)

// Limits bound the resources that a bundle may use. A limit of 0 means that of DefaultLimits.
type Limits struct {
	// Entries is how many files and folders a zip may list.
	Entries int
	// Expanded is how many bytes may be read from a bundle: from a zip all that is expanded,
	// from a folder the chunks, or the database to compare its hash.
	Expanded int64
}

// DefaultLimits fit the git repository of a large `archive save`, and a mailbox
// of a million messages.
var DefaultLimits = Limits{Entries: 100_000, Expanded: 4 << 30}

func (l *Limits) setDefaults() {
	l.Entries = cmp.Or(l.Entries, DefaultLimits.Entries)
	l.Expanded = cmp.Or(l.Expanded, DefaultLimits.Expanded)
}

// guard limits how much of a zip is read while archive/zip reads its list of entries. A list
// that is too long would otherwise fill the memory before its length is known.
type guard struct {
	io.ReaderAt
	left   int64 // bytes that may still be read
	lifted bool  // the list was read: no limit applies any more
	err    error // the error beyond the limit
}

// entrySize is how many bytes the list may take for each entry. An entry needs 46 bytes, its
// name and a time, so real lists take less.
const entrySize = 256

func newGuard(r io.ReaderAt, l Limits) *guard {
	return &guard{ReaderAt: r, left: 1<<20 + int64(l.Entries)*entrySize, err: l.entriesError()}
}

// limitError is the error for a zip that exceeds a limit.
type limitError struct {
	limit   string // its name in the configuration
	message string
}

func (e *limitError) Error() string { return e.message }

// Hint returns how to proceed after an error of OpenZip, or "".
func Hint(err error) string {
	var beyond *limitError
	if errors.As(err, &beyond) {
		return fmt.Sprintf("if you trust the share, raise limits.%s in .brennerlint.yaml", beyond.limit)
	}
	return ""
}

func (l Limits) entriesError() error {
	return &limitError{"entries", fmt.Sprintf("the zip lists more than the %d entries allowed", l.Entries)}
}

func (g *guard) ReadAt(p []byte, off int64) (int, error) {
	if !g.lifted {
		if g.left -= int64(len(p)); g.left < 0 {
			return 0, g.err
		}
	}
	return g.ReaderAt.ReadAt(p, off)
}

// budget opens the files of a bundle by name, and limits how many bytes are read from them in
// all. Sizes cannot be checked before: that of a zip's entry is known only once it is expanded, and
// a chunk in a folder may be a sparse file of any size.
type budget struct {
	files func(name string) (f io.ReadCloser, size int64, err error)
	left  int64
	err   error
}

func newBudget(files func(string) (io.ReadCloser, int64, error), what string, l Limits) *budget {
	return &budget{files, l.Expanded, &limitError{"expanded-size", fmt.Sprintf("%s more than the %d bytes allowed", what, l.Expanded)}}
}

// open opens a file. Bytes that are read from it count against the limit.
func (b *budget) open(name string) (f io.ReadCloser, size int64, err error) {
	if f, size, err = b.files(name); err != nil {
		return nil, 0, err
	}
	return &budgetFile{f, b}, size, nil
}

type budgetFile struct {
	io.ReadCloser
	budget *budget
}

func (f *budgetFile) Read(p []byte) (int, error) {
	if f.budget.left < 0 {
		return 0, f.budget.err
	}
	n, err := f.ReadCloser.Read(p)
	if f.budget.left -= int64(n); f.budget.left < 0 {
		return 0, f.budget.err
	}
	return n, err
}
