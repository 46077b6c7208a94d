package lsp

import (
	"context"
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/rewrite"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/source"
)

// changes applies the changes of a notification to a text, one after the other. Where there
// are many, editors send them from one end of the text to the other: such a run is applied at
// once.
type changes struct {
	text  lines
	edits []source.Edit // of the text; none touches another
	first int           // where the first of them begins
	// Behind the last of them a position of the text has moved as from has to to, if that is known.
	from, to Position
	known    bool
}

// add adds a change. Its range is in the text after the changes before it.
func (c *changes) add(change *contentChange) {
	if change.Range == nil {
		c.text, c.edits = newLines([]byte(change.Text), c.text.unit), nil
		return
	}
	at, start, end := c.text.span(*change.Range), change.Range.Start, change.Range.End
	isBehind := len(c.edits) > 0 && c.known && !start.isBefore(c.to) && !end.isBefore(c.to)
	if isBehind {
		at = c.text.span(Range{start.moved(c.to, c.from), end.moved(c.to, c.from)})
	} else if len(c.edits) > 0 && at.End >= c.first { // the edits move it
		c.text, c.edits = newLines(c.result(), c.text.unit), nil
		at = c.text.span(*change.Range)
	}
	start = c.text.position(at.Start)
	if isBehind {
		start = start.moved(c.from, c.to)
	}
	// Not where \r and \n may come together, or a byte order mark to the start.
	c.known = (isBehind || len(c.edits) == 0) && at.Start > 0 && c.text.file.Data[at.Start-1] != '\r' && !strings.ContainsAny(change.Text, "\r"+source.BOM)
	added := newLines([]byte(change.Text), c.text.unit)
	c.from, c.to = c.text.position(at.End), added.position(len(change.Text)).moved(Position{}, start)
	if !isBehind {
		c.first = at.Start
	}
	c.edits = append(c.edits, source.Edit{Span: at, Text: change.Text})
}

// result returns the text with all changes.
func (c *changes) result() []byte {
	slices.SortStableFunc(c.edits, func(a, b source.Edit) int { return a.Span.Start - b.Span.Start })
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
