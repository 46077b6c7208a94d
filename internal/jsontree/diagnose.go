package jsontree

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/internal/source"
)

// diagnose turns the decoder's error into the place and the usual mistake.
func diagnose(data []byte, offset int, err error) *SyntaxError {
	if errors.Is(err, errDepth) {
		return &SyntaxError{Span: source.Span{Start: offset - 1, End: offset}, Message: fmt.Sprintf("nested deeper than %d levels", MaxDepth)}
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		offset = int(syntactic.ByteOffset)
	}
	offset = min(max(offset, 0), len(data))
	return &SyntaxError{Span: source.Span{Start: offset, End: min(offset+1, len(data))}, Message: err.Error()}
}
