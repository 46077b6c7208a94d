package lsp

import (
	"context"
	"slices"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/rewrite"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/source"
)

// changes applies the changes of a notification to a text, one after the other. Where there
// are many, editors send them from the end of the text to its beginning: such a run is applied
// at once.
type changes struct {
	text  lines
	edits []source.Edit // of the text, each before the one in front of it in the list
}

// add adds a change. Its range is in the text after the changes before it.
func (c *changes) add(change *contentChange) {
	if change.Range == nil {
		c.text, c.edits = newLines([]byte(change.Text), c.text.unit), nil
		return
	}
	at := c.text.span(*change.Range)
	if n := len(c.edits); n > 0 && at.End >= c.edits[n-1].Span.Start { // the edits move it
		c.text, c.edits = newLines(c.result(), c.text.unit), nil
		at = c.text.span(*change.Range)
	}
	c.edits = append(c.edits, source.Edit{Span: at, Text: change.Text})
}

// result returns the text with all changes.
func (c *changes) result() []byte {
	slices.Reverse(c.edits)
	return source.Apply(c.text.file.Data, c.edits)
}

// lineEdits returns the edits of whole lines that turn the document into another text.
func lineEdits(snap *snapshot, to []byte) []textEdit {
	var out []textEdit
	for _, e := range udiff.Lines(string(snap.text), string(to)) {
		out = append(out, textEdit{snap.rangeOf(source.Span{Start: e.Start, End: e.End}), e.New})
	}
	return out
}

// format writes an artifact in its canonical form, or returns an error if text would be lost.
// Other documents are left as they are.
func format(_ *server, ctx context.Context, snap *snapshot, _ *documentParams) (any, error) {
	a := snap.model()
	if a == nil || a.IsJSON() || !snap.isArtifact(ctx) {
		return nil, ctx.Err()
	}
	out, err := rewrite.Format(snap.text, artifact.DefaultLimits)
	if err != nil {
		return nil, failure(codeRequestFailed, report.Message("not formatted: "+err.Error()))
	}
	if edits := lineEdits(snap, out); edits != nil {
		return edits, nil
	}
	return []textEdit{}, nil
}
