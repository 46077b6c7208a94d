package lsp

import (
	"context"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/rewrite"
	"github.com/brennerlint/brennerlint/report"
)

// format writes an artifact in its canonical rendering. Other documents are left as
// they are; of an artifact that would lose something the answer is an error.
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
