package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// applyFixes applies the fixes of a report to the artifact files and counts them, or
// shows as a diff what it would do and counts the files. Mail exports are records: they are
// never changed. A file that cannot be changed is left as it is, and the others go on.
func (c *checkCommand) applyFixes(ctx context.Context, rep *lint.Report) (changed int, err error) {
	last := ""
	for _, f := range rep.Findings {
		if f.Fix == nil || !f.Artifact || f.Path == last {
			continue
		}
		last = f.Path
		n, err := c.fixFile(ctx, f.Path)
		if err != nil {
			return changed, err
		}
		changed += n
	}
	return changed, nil
}

// fixFile is applyFixes for one file.
func (c *checkCommand) fixFile(ctx context.Context, path string) (changed int, err error) {
	file := c.box.File(path) // it is one: Finding.Artifact says so
	data, err := file.Read()
	if err != nil {
		c.logNotFixed(path, err)
		return 0, nil
	}
	opts := c.opts
	opts.Kind, opts.Baseline, opts.OnlyNew, opts.Trace = engine.AsArtifact, nil, nil, nil
	res, err := fix.All(data, c.unsafeFixes, fix.OfReport(path, func(data []byte) (*lint.Report, error) {
		opts.Contents = map[string][]byte{path: data}
		return engine.Check(ctx, c.rules, opts, path)
	}))
	if failure, ok := errors.AsType[*lint.Failure](err); ok {
		c.std.logf("%s is not fixed: %v", path, failure)
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("fix %s: %w", path, err)
	}
	for _, f := range res.Held {
		if !f.Fix.Unsafe || c.unsafeFixes {
			c.std.logf("%s: the fix of %s is not applied: %s", path, f.Rule, f.Fix.NotApplied)
		}
	}
	switch {
	case bytes.Equal(res.Data, data):
		return 0, nil
	case c.diff:
		shown := report.Message(strings.ReplaceAll(path, "\n", " "))
		if strings.Contains(shown, " ") {
			shown += "\t" // as git does: patch takes the name to end at a space
		}
		return 1, c.std.printData(udiff.Unified(shown, shown, string(data), string(res.Data)))
	case file.IsStream():
		c.std.logf("%s is not fixed: it is standard input or a pipe; --diff prints what would change", path)
		return 0, nil
	}
	if err := file.Replace(data, res.Data); err != nil {
		c.logNotFixed(path, err)
		return 0, nil
	}
	return res.Fixed, nil
}

// diffed ends a run that showed what fixes would change, in so many files: it says if
// there are none, and why the exit status is what it is.
func (c *checkCommand) diffed(rep *lint.Report, changed int) error {
	unsafe := 0
	for _, f := range rep.Findings {
		if f.Fix != nil && f.Fix.Unsafe && f.Artifact {
			unsafe++
		}
	}
	switch {
	case changed > 0:
	case unsafe > 0 && !c.unsafeFixes:
		c.note("nothing to fix; %s with --unsafe-fixes", text.Count(unsafe, "finding can be fixed", "findings can be fixed"))
	default:
		c.note("nothing to fix%s", c.mailStays(rep))
	}
	o := c.outcome(rep)
	if why := o.Error(); why != "" {
		c.note("%s", why)
	}
	return o
}

// mailStays says why nothing is fixed in a report about mail; "" if none of its findings are.
func (c *checkCommand) mailStays(rep *lint.Report) string {
	inputs, _ := c.box.Inputs()
	for _, f := range rep.Findings {
		isDraft := func(in engine.Input) bool { return in.Path == f.Path && in.Kind == engine.AsDraft }
		switch {
		case f.Mail == nil || f.Artifact:
		case slices.ContainsFunc(inputs, isDraft):
			return ": presend --fix prints a draft with its fixes"
		default:
			return ": mail that was sent is never changed"
		}
	}
	return ""
}

// logNotFixed prints that a file is left unchanged.
func (c *checkCommand) logNotFixed(path string, err error) {
	c.notFixed++
	c.std.logf("%s is not fixed: %v", path, err)
}
