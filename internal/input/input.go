// Package input finds the files that the command line names and recognises each: an
// artifact, a mail export, a draft, or nothing that brennerlint reads.
//
// It reads as few bytes as possible: parsing is done by the packages artifact and mail.
// Mail and drafts are recognised by their content alone, artifacts by their content and
// the extension of their name (decisions.md 37 to 39).
package input

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Input is one file (or the folder of a share) to be read.
type Input struct {
	Kind Kind
	// Named reports that the command line names this file itself: it was not found by a
	// walk or a pattern.
	Named bool
	// Malformed reports a document that does not parse, but whose readable beginning has
	// members that we recognise (decisions.md 52).
	Malformed bool
	// Order numbers inputs in the order of the command line and the walks; what is read in
	// parallel is sorted by it.
	Order int

	dir    *folder    // nil if name is the whole path
	path   string     // as shown, if it has a dir and a name
	name   string     // "" for a folder
	ref    *files.Ref // nil for a file of a walk
	strict bool       // though named, it is recognised as on a walk

	size  int64  // in bytes; 0 for a folder
	limit int64  // larger files are not read
	head  []byte // the first bytes, while being visited

	inMemory bool
	content  []byte // of an input in memory
}

// folder is a folder on a walk; its files share its path.
type folder struct {
	top  string // the first folder of the walk, clean and absolute
	path string // as shown, "" for the working folder
	abs  string // clean and absolute
	root *files.Dir
	rel  string // the path from root

	ignores *ignores // of the parent folder; its own once it is listed
}

// in returns a folder in the folder.
func (f *folder) in(name string) *folder {
	return &folder{top: f.top, path: f.join(name), abs: filepath.Join(f.abs, name), root: f.root, rel: path.Join(f.rel, name), ignores: f.ignores}
}

func (f *folder) join(name string) string {
	if f == nil || f.path == "" {
		return name
	}
	if f.path[len(f.path)-1] == '/' {
		return f.path + name
	}
	return f.path + "/" + name
}

// Path returns the path as given on the command line (for a walked file, the given path
// joined with the rest), with forward slashes. It is for display; Ref opens the file.
func (in *Input) Path() string {
	if in.dir != nil && in.name == "" {
		return cmp.Or(in.dir.path, ".")
	}
	return cmp.Or(in.path, in.name)
}

// Ref returns the reference by which the file is opened, unless InMemory.
func (in *Input) Ref() files.Ref {
	switch {
	case in.ref != nil:
		return *in.ref
	case in.name == "" || in.dir.rel == ".":
		return files.Ref{Dir: in.dir.root, Name: cmp.Or(in.name, in.dir.rel)}
	}
	return files.Ref{Dir: in.dir.root, Name: in.dir.rel + "/" + in.name}
}

// top returns the folder that the file is opened from; nil if the input is in memory.
func (in *Input) top() *files.Dir {
	switch {
	case in.inMemory:
		return nil
	case in.ref != nil:
		return in.ref.Dir
	}
	return in.dir.root
}

// Abs returns the absolute path, for finding where in a tree the file is.
func (in *Input) Abs() string {
	if in.dir != nil {
		return filepath.ToSlash(filepath.Join(in.dir.abs, in.name))
	}
	abs, err := filepath.Abs(in.name)
	if err != nil {
		abs = in.name
	}
	return filepath.ToSlash(abs)
}

// RealPath returns the absolute path with all links resolved, however the file was named.
func (in *Input) RealPath() string {
	if in.dir != nil {
		return in.Abs() // a walk begins at a real folder and follows no link
	}
	return filepath.ToSlash(realPath(in.name))
}

// Walked returns the absolute path of the folder whose walk found the file; "" if it was named,
// by its path or by a pattern.
func (in *Input) Walked() string {
	if in.dir == nil {
		return ""
	}
	return filepath.ToSlash(in.dir.top)
}

// InMemory reports whether the input is not a file that can be opened by its path:
// standard input or a pipe.
func (in *Input) InMemory() bool { return in.inMemory }

// New returns an input for a file of a known kind, for tests; Discover makes those of a
// check.
func New(kind Kind, path string) *Input {
	ref := files.Named(path)
	return &Input{Kind: kind, Named: true, name: path, ref: &ref, limit: DefaultMaxFileSize}
}

// NewBytes returns an input for bytes in memory.
func NewBytes(kind Kind, path string, data []byte) *Input {
	return &Input{Kind: kind, Named: true, name: path, size: int64(len(data)), inMemory: true, content: data}
}

// Bytes returns the whole content, which must not be changed.
func (in *Input) Bytes() ([]byte, error) {
	c, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if in.inMemory {
		return in.content, nil
	}
	data := make([]byte, c.size)
	n, err := c.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return data[:n], nil
}

// Visited returns the whole content of an input that is being visited, for as long as it
// is: the bytes that it was recognised by if these are all. The content must not be changed.
func (in *Input) Visited() ([]byte, error) {
	if in.head != nil && int64(len(in.head)) == in.size && (in.limit == 0 || in.size <= in.limit) {
		return in.head, nil
	}
	return in.Bytes()
}

// Content is an opened input.
type Content struct {
	io.ReaderAt
	size  int64
	close func() error
}

// Size returns the size in bytes.
func (c *Content) Size() int64 { return c.size }

// Close closes the file, if there is one.
func (c *Content) Close() error {
	if c.close == nil {
		return nil
	}
	return c.close()
}

// Open opens the input for reading at any offset. It fails above Options.MaxFileSize,
// except for databases and zips, which are never read whole.
func (in *Input) Open() (*Content, error) {
	c, err := in.open()
	if err != nil {
		return nil, err
	}
	if in.limit > 0 && c.size > in.limit && in.Kind != SQLite && in.Kind != Zip {
		c.Close()
		return nil, &source.TooLargeError{Limit: in.limit}
	}
	return c, nil
}

func (in *Input) open() (*Content, error) {
	switch {
	case in.inMemory:
		return &Content{ReaderAt: bytes.NewReader(in.content), size: in.size}, nil
	case in.head != nil && int64(len(in.head)) == in.size:
		return &Content{ReaderAt: bytes.NewReader(in.head), size: in.size}, nil
	}
	f, size, err := in.Ref().Open()
	if err != nil {
		return nil, err
	}
	return &Content{ReaderAt: f, size: size, close: f.Close}, nil
}

// File reads the whole input. It must be valid UTF-8: the fault is at the first bytes that
// are not; the file is returned anyway.
func (in *Input) File() (*source.File, *source.Fault) {
	data, err := in.Bytes()
	if err != nil {
		f := source.UnreadableFault(in.Path(), err)
		return nil, &f
	}
	f := source.NewFile(in.Path(), data)
	return f, CheckUTF8(f)
}

// IsUTF16 reports whether a file begins with a byte order mark of UTF-16, or with two characters
// of ASCII in it.
func IsUTF16(data []byte) bool {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return true
	}
	return len(data) >= 4 && (data[0] == 0) == (data[2] == 0) && (data[1] == 0) == (data[3] == 0) && (data[0] == 0) != (data[1] == 0)
}

// CheckUTF8 returns the fault of a file that is not UTF-8, or nil.
func CheckUTF8(f *source.File) *source.Fault {
	at := source.ValidLen(f.Data)
	if at == len(f.Data) {
		return nil
	}
	bad := f.Data[at:]
	if at > 0 {
		bad = bad[:1] // only at the start would this be a byte order mark
	}
	p := NotUTF8(f.Path, bad)
	p.At = f.Place(source.Span{Start: at, End: at + 1})
	return &p
}

// NotUTF8 returns the fault of bytes that are not UTF-8; the caller sets the place.
func NotUTF8(path string, bad []byte) source.Fault {
	err := &source.EncodingError{Byte: bad[0], UTF16: IsUTF16(bad)}
	return source.Fault{Kind: source.NotUTF8, Path: path, Err: err}
}

// UsageError is a usage error: a path that does not exist, or a named file that is not
// recognised.
type UsageError struct {
	Path   string
	Reason string
	Hint   string // how to fix it; may be empty
}

func (e *UsageError) Error() string {
	if e.Hint != "" {
		return fmt.Sprintf("%s %s (%s)", text.QuotePath(e.Path), e.Reason, e.Hint)
	}
	return fmt.Sprintf("%s %s", text.QuotePath(e.Path), e.Reason)
}
