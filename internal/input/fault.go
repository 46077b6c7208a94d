package input

import (
	"fmt"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

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
