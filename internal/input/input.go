// Package input finds the files that the command line names and recognises each: an
// artifact, a mail export, a draft, or nothing that brennerlint reads.
//
// Discover has three stages: it expands paths to files and folders (expand.go), walks the folders
// (walk.go), and recognises each file by its first bytes (recognise.go). Input.Bytes and Input.Open
// read a file; packages artifact and export parse it. Mail and drafts are recognised by their content alone, artifacts
// by their content and the extension of their name (decisions.md 37 to 39).
package input

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Kind is what an input is.
type Kind uint8

// The kinds of inputs (mail_formats.md; artifact_format.md).
const (
	ArtifactMarkdown Kind = iota + 1
	ArtifactJSON
	Archive // one message of the git archive: `---json` front matter and a body
	Profile // profile.json of the git archive: one agent of a roster
	JSON    // mail as JSON in any shape and wrapper, server-sent events and JSON Lines included
	SQLite  // a database of Agent Mail, live or of a share
	Bundle  // the folder of a share
	Zip     // a share as zip
	Draft   // a message that has not been sent
)

var kindNames = [...]string{
	"unknown", "artifact", "JSON artifact", "archive message", "agent profile", "mail JSON", "SQLite database", "share bundle",
	"zip file", "draft",
}

// String returns the name of the kind, for people.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		k = 0
	}
	return kindNames[k]
}

// As returns the choice of --kind that fits; Auto if the kind is unknown.
func (k Kind) As() As {
	switch {
	case k.IsArtifact():
		return AsArtifact
	case k.IsMail():
		return AsMail
	case k == Draft:
		return AsDraft
	}
	return Auto
}

// IsArtifact reports whether the input is an artifact.
func (k Kind) IsArtifact() bool { return k == ArtifactMarkdown || k == ArtifactJSON }

// IsMail reports whether the input is an export, which package export reads.
func (k Kind) IsMail() bool { return k >= Archive && k <= Zip }

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

	path   string
	ref    files.Ref // the zero Ref of an input in memory
	walk   *walk     // that found the file; nil if it was named, by its path or by a pattern
	strict bool      // though named, it is recognised as on a walk

	size  int64  // in bytes; 0 for a folder
	limit int64  // larger files are not read; 0 for none
	err   error  // why it cannot be read, or is no input
	data  []byte // the content of an input in memory and of some artifacts; of others the first bytes, while they are visited
}

// Path returns the path as given on the command line (for a walked file, the given path
// joined with the rest), with forward slashes. It is for display; Ref opens the file.
func (in *Input) Path() string { return in.path }

// Ref returns the reference by which the file is opened, unless InMemory.
func (in *Input) Ref() files.Ref { return in.ref }

// Abs returns the absolute path, for finding where in a tree the file is.
func (in *Input) Abs() string {
	if in.walk != nil {
		return filepath.ToSlash(filepath.Join(in.walk.base, in.ref.Name))
	}
	abs, err := filepath.Abs(in.path)
	if err != nil {
		abs = in.path
	}
	return filepath.ToSlash(abs)
}

// RealPath returns the absolute path with all links resolved, however the file was named.
func (in *Input) RealPath() string {
	if in.walk != nil {
		return in.Abs() // a walk begins at a real folder and follows no link
	}
	return filepath.ToSlash(realPath(in.path))
}

// Walked returns the absolute path of the folder whose walk found the file, and whether the walk
// left out messages of an archive. The path is "" if the file was named, by its path or by a pattern.
func (in *Input) Walked() (top string, holes bool) {
	if in.walk == nil {
		return "", false
	}
	return filepath.ToSlash(filepath.Join(in.walk.base, in.walk.start)), in.walk.holes
}

// InMemory reports whether the input is not a file that can be opened by its path:
// standard input or a pipe.
func (in *Input) InMemory() bool { return in.ref.Dir == nil }

// New returns an input for a file of a known kind, for tests; Discover makes those of a
// check.
func New(kind Kind, path string) *Input {
	return &Input{Kind: kind, Named: true, path: path, ref: files.Named(path), limit: DefaultMaxFileSize}
}

// NewBytes returns an input for bytes in memory.
func NewBytes(kind Kind, path string, data []byte) *Input {
	return &Input{Kind: kind, Named: true, path: path, size: int64(len(data)), data: data}
}

// Bytes returns the whole content, which must not be changed. It fails above Options.MaxFileSize.
func (in *Input) Bytes() (data []byte, err error) {
	data, size := in.data, in.size
	if !in.isRead() {
		if data, size, err = in.ref.First(cmp.Or(in.limit, math.MaxInt64)); err != nil {
			return nil, err
		}
	}
	return data, in.checkSize(size)
}

// checkSize returns an error for an input above Options.MaxFileSize. Databases and zips are never read whole.
func (in *Input) checkSize(size int64) error {
	if in.limit > 0 && size > in.limit && in.Kind != SQLite && in.Kind != Zip {
		return &source.TooLargeError{Limit: in.limit}
	}
	return nil
}

// isRead reports whether the whole content is in memory.
func (in *Input) isRead() bool {
	return in.InMemory() || in.data != nil && int64(len(in.data)) == in.size
}

// Content is an opened input.
type Content struct {
	*io.SectionReader
	io.Closer
}

// Open opens the input for reading at any offset. It fails above Options.MaxFileSize,
// except for databases and zips, which are never read whole.
func (in *Input) Open() (*Content, error) {
	c := &Content{io.NewSectionReader(bytes.NewReader(in.data), 0, in.size), io.NopCloser(nil)}
	if !in.isRead() {
		f, size, err := in.ref.Open()
		if err != nil {
			return nil, err
		}
		c = &Content{io.NewSectionReader(f, 0, size), f}
	}
	if err := in.checkSize(c.Size()); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
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

// IsUTF16 reports whether a file begins with a byte order mark of UTF-16, or with two ASCII
// characters in UTF-16.
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
	err := &source.EncodingError{Byte: bad[0], UTF16: IsUTF16(bad)}
	return &source.Fault{Kind: source.NotUTF8, Path: f.Path, At: f.Place(source.Span{Start: at, End: at + 1}), Err: err}
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

// head returns the first bytes of an input that is being recognised.
func (in *Input) head() []byte { return in.data[:min(len(in.data), headSize)] }

// isCut reports whether an input is longer than its head.
func (in *Input) isCut() bool { return in.size > int64(len(in.head())) }
