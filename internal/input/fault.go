package input

import (
	"fmt"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// NotUTF8 is the fault of bytes that are not UTF-8; the place is left to the
// caller.
func NotUTF8(path string, bad []byte) source.Fault {
	err := &source.EncodingError{Byte: bad[0], UTF16: IsUTF16(bad)}
	return source.Fault{Kind: source.NotUTF8, Path: path, Err: err}
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
		return fmt.Sprintf("%s %s (%s)", text.QuotePath(e.Path), e.Reason, e.Hint)
	}
	return fmt.Sprintf("%s %s", text.QuotePath(e.Path), e.Reason)
}
