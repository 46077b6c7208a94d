package lsp

import (
	"context"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/rewrite"
	"github.com/brennerlint/brennerlint/report"
)

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
