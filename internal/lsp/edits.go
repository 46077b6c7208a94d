package lsp

import (
	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/brennerlint/brennerlint/source"
)

// maxDiff bounds the texts that are compared line by line, in bytes. A larger text is replaced
// as a whole.
const maxDiff = 4 << 20

// lineEdits returns the edits of whole lines that turn the document into another text.
func lineEdits(snap *snapshot, to []byte) []textEdit {
	if len(snap.text)+len(to) > maxDiff {
		if string(snap.text) == string(to) {
			return nil
		}
		return []textEdit{{snap.index().rangeOf(source.Span{End: len(snap.text)}), string(to)}}
	}
	var out []textEdit
	for _, e := range udiff.Lines(string(snap.text), string(to)) {
		out = append(out, textEdit{snap.index().rangeOf(source.Span{Start: e.Start, End: e.End}), e.New})
	}
	return out
}
