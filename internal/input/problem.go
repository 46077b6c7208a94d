package input

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/brennerlint/brennerlint/source"
)

// Problem is a fault of an input: IN-001 to IN-005.
type Problem struct {
	Rule    string       // the rule id
	Path    string       // as given on the command line
	Place   source.Place // the zero Place where there is none
	Message string
	Hint    string
	Thread  string
	ID      string // of the message, if known
	Related []Related
	Fatal   bool // the input could not be read or parsed: exit status 2
	// Private reports that a credential may stand at or beside the place: no
	// report shows the text there.
	Private bool
}

// Related is another place that explains a problem.
type Related struct {
	Path    string
	Place   source.Place
	Message string
}

// Unreadable is IN-001 for an input that cannot be read.
func Unreadable(path string, err error) Problem {
	p := Problem{Rule: "IN-001", Path: path, Message: "cannot be read: " + reason(err), Fatal: true}
	if errors.Is(err, errTooLarge) {
		p.Message = err.Error()
		p.Hint = "split the export, or raise limits.file-size in .brennerlint.yaml"
	}
	return p
}

// reason is an error without the operation and the path, which the finding has.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// NotUTF8 is IN-001 for bytes that are not UTF-8; the place is left to the caller.
func NotUTF8(path string, bad []byte) Problem {
	p := Problem{Rule: "IN-001", Path: path, Fatal: true, Hint: "save the file as UTF-8"}
	switch {
	case IsUTF16(bad):
		p.Message = "is not UTF-8: the byte order mark is that of UTF-16"
	case len(bad) == 0:
		p.Message = "is not valid UTF-8"
	default:
		p.Message = fmt.Sprintf("is not valid UTF-8: byte 0x%02X", bad[0])
	}
	return p
}

// UsageError is an error of use: a path that does not exist, a named file that
// is not recognised.
type UsageError struct {
	Path   string
	Reason string
	Hint   string // how to fix it, perhaps ""
}

func (e *UsageError) Error() string {
	if e.Hint != "" {
		return fmt.Sprintf("%q %s (%s)", e.Path, e.Reason, e.Hint)
	}
	return fmt.Sprintf("%q %s", e.Path, e.Reason)
}
