package engine

import (
	"bytes"
	"context"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
)

// CheckContent checks a content as Check checks the file at a path, whatever the file
// holds now: an editor has the content. Like a file of a walk it is checked only if it
// is recognised and not excluded; else the report is empty. A draft is always
// checked.
func (l *Linter) CheckContent(ctx context.Context, path string, data []byte) (*lint.Report, error) {
	if input.Excluded(l.opts.Exclude, path) {
		return &lint.Report{Summary: lint.Summary{Valid: true}, Rules: l.plan.rules}, ctx.Err()
	}
	c := *l
	c.opts.Stdin, c.opts.StdinName, c.opts.SkipUnrecognized = bytes.NewReader(data), path, true
	c.opts.Origins, c.opts.BaselineUse, c.opts.Outputs = nil, nil, nil
	return c.Check(ctx, "-")
}
