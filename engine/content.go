package engine

import (
	"bytes"
	"context"
	"fmt"

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
	return l.ofContent(path, data).Check(ctx, "-")
}

// IsArtifact reports whether a content is checked as an artifact file.
func (l *Linter) IsArtifact(ctx context.Context, path string, data []byte) bool {
	if input.Excluded(l.opts.Exclude, path) {
		return false
	}
	in := newInputs(l.ofContent(path, data))
	defer in.close()
	return in.load(ctx, []string{"-"}, nil) == nil && len(in.artifacts) == 1
}

// ofContent returns a linter whose standard input is a content.
func (l *Linter) ofContent(path string, data []byte) *Linter {
	c := *l
	c.opts.Stdin, c.opts.StdinName, c.opts.SkipUnrecognized = bytes.NewReader(data), path, true
	c.opts.Origins, c.opts.BaselineUse, c.opts.Outputs, c.opts.Streams = nil, nil, nil, nil
	return &c
}

// Recognize returns as what Check reads the file at a path (AsArtifact, AsMail or
// AsDraft) and its form in words. It fails if the file is not recognised.
func (l *Linter) Recognize(ctx context.Context, path string) (kind Kind, form string, err error) {
	in := newInputs(l)
	defer in.close()
	set, err := input.Discover(ctx, []string{path}, in.discovery(), nil)
	in.found = set
	switch {
	case err != nil:
		return Auto, "", err
	case len(set.Faults) > 0:
		return Auto, "", &set.Faults[0]
	case len(set.Inputs) != 1:
		return Auto, "", fmt.Errorf("%s is not one file", path)
	}
	switch found := set.Inputs[0].Kind; {
	case found.IsArtifact():
		return AsArtifact, found.String(), nil
	case found.IsMail():
		return AsMail, found.String(), nil
	default:
		return AsDraft, found.String(), nil
	}
}
