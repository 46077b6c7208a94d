package source

import (
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf8"
)

// FaultKind is the reason why an input cannot be read.
type FaultKind uint8

// The kinds of faults.
const (
	Unreadable FaultKind = iota + 1 // Err is what the system says, or a *TooLargeError
	NotUTF8                         // Err is an *EncodingError
	RawControl                      // Err is a *ControlError
	Malformed                       // Err says why it does not parse, such as a *jsontree.SyntaxError
)

var faultKindNames = [...]string{"", "Unreadable", "NotUTF8", "RawControl", "Malformed"}

// String returns the name of the kind; "" if it is not valid.
func (k FaultKind) String() string {
	if int(k) < len(faultKindNames) {
		return faultKindNames[k]
	}
	return ""
}

// Fault says why an input, or a part of it, cannot be read. Readers go on if they can, so
// the rest is still checked.
type Fault struct {
	Kind FaultKind
	// Path is the path of the input, as given on the command line.
	Path string
	// At is where the fault is; the zero Place if that is not known.
	At Place
	// Err is what is wrong, without the path.
	Err error
	// Hint says how to go on, if the reader knows.
	Hint string
	// Repair are edits of At's text that would probably make it readable.
	Repair []Edit
	// InMessage reports that the fault is in one message. MessageID is its id, if known,
	// and Thread the thread that was read.
	InMessage         bool
	Thread, MessageID string
	// Sensitive reports that a credential may be at or next to the place: no report
	// shows the text there.
	Sensitive bool
}

// Error names the input and says what is wrong with it.
func (f *Fault) Error() string {
	what := "is not as expected"
	if f.Err != nil {
		what = f.Err.Error()
	}
	if f.Kind == Unreadable {
		what = "cannot be read: " + what
	}
	return f.Path + ": " + what
}

// Unwrap returns Err.
func (f *Fault) Unwrap() error { return f.Err }

// UnreadableFault returns the fault of an input that cannot be read.
func UnreadableFault(path string, err error) Fault {
	return Fault{Kind: Unreadable, Path: path, Err: Reason(err)}
}

// Reason returns a system error without the operation and the path, which the caller
// adds.
func Reason(err error) error {
	var system *fs.PathError
	if errors.As(err, &system) {
		return system.Err
	}
	return err
}

// TooLargeError is the error for a file that is larger than the limit.
type TooLargeError struct{ Limit int64 }

// Error says how large a file may be.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("file is too large: it has more than the %d bytes allowed", e.Limit)
}

// EncodingError is a byte that is not UTF-8.
type EncodingError struct {
	Byte  byte
	UTF16 bool // the text begins as one in UTF-16
}

// Error says which byte is not UTF-8, or that the text is UTF-16.
func (e *EncodingError) Error() string {
	switch {
	case e.UTF16 && e.Byte < utf8.RuneSelf:
		return "not UTF-8: every other byte is 0x00, as in UTF-16"
	case e.UTF16:
		return "not UTF-8: the byte order mark is that of UTF-16"
	}
	return fmt.Sprintf("not valid UTF-8: byte 0x%02X", e.Byte)
}

// ControlError is a control character that should be escaped.
type ControlError struct{ Char byte }

// Error says which character it is.
func (e *ControlError) Error() string {
	return fmt.Sprintf("control character U+%04X is not escaped", e.Char)
}
