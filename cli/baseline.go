package cli

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// findBaseline chooses the baseline to read: with --write-baseline the existing file, unless
// its entries come from another one.
func (c *checkCommand) findBaseline() {
	if c.writeBaseline == "" || c.baseline != "" && !files.Same(c.baseline, c.writeBaseline) {
		return
	}
	c.baseline = ""
	if info, err := os.Stat(c.writeBaseline); err == nil && info.Size() > 0 {
		c.baseline = c.writeBaseline
	}
}

// acceptFindings writes the baseline. A new one accepts all findings, or those of --baseline-add;
// an existing one keeps its entries and gets those of --baseline-add.
func (c *checkCommand) acceptFindings(rep *lint.Report) error {
	use, added := rep.Baseline, rep.Findings
	if use != nil && len(use.Matched)+len(use.Unchecked)+len(use.Expired)+len(use.Stale) == 0 {
		use = nil // it was written where nothing was found
	}
	if c.redact {
		added = report.Redact(rep).Findings // this does not change fingerprints
	}
	if (use != nil || len(c.addToBaseline) > 0) && !slices.Contains(c.addToBaseline, "all") {
		rules, err := c.rules.Select(c.addToBaseline...)
		if err != nil {
			return err
		}
		added = slices.DeleteFunc(slices.Clone(added), func(f *lint.Finding) bool { return !rules[f.Rule] })
	} else if found := rep.Summary.Errors + rep.Summary.Warnings + rep.Summary.Info; found > len(added) {
		return fmt.Errorf("write baseline %s: a baseline holds at most %d findings, but there are %d; check fewer paths, or ignore some rules first",
			c.writeBaseline, len(added), found)
	}
	kept := c.keptEntries(use, added)
	if err := c.storeBaseline(c.writeBaseline, engine.NewBaseline(added, kept...)); err != nil {
		return err
	}
	c.std.logLines(failuresOf(rep))
	if rep.Unreadable {
		c.std.logf("%s", unreadable(rep))
	}
	if isEmpty(rep) {
		c.std.logLines(rep.Notices) // the path may be wrong
	}
	c.note("%s", c.baselineSummary(len(kept), len(added), len(rep.Findings), use))
	if c.failOnEmpty && isEmpty(rep) || len(rep.Failures) > 0 {
		return outcome{status: exitUsage}
	}
	return nil
}

// keptEntries returns the entries of an existing baseline that stay in it. One that has expired
// is replaced if its finding is accepted again.
func (c *checkCommand) keptEntries(use *lint.BaselineUse, added []*lint.Finding) []lint.BaselineEntry {
	if use == nil {
		return nil
	}
	again := map[string]bool{}
	for _, f := range added {
		again[f.Fingerprint] = true
	}
	expired := slices.DeleteFunc(slices.Clone(use.Expired), func(e lint.BaselineEntry) bool { return again[e.Fingerprint] })
	kept := slices.Concat(use.Matched, use.Unchecked, expired)
	if c.pruneBaseline {
		return kept
	}
	return append(kept, use.Stale...)
}

// baselineSummary says what was written to the baseline, and what was not.
func (c *checkCommand) baselineSummary(kept, added, found int, use *lint.BaselineUse) string {
	parts := []string{fmt.Sprintf("%s written to the baseline %s", text.Count(added, "finding", "findings"), c.writeBaseline)}
	if use != nil {
		parts[0] = fmt.Sprintf("%s kept in the baseline %s", text.Count(kept, "entry", "entries"), c.writeBaseline)
	}
	if use != nil && added > 0 {
		parts = append(parts, text.Count(added, "finding", "findings")+" added")
	}
	if left := found - added; left > 0 {
		parts = append(parts, text.Count(left, "new finding", "new findings")+" not added (--baseline-add all adds them)")
	}
	if use == nil || len(use.Stale) == 0 {
		return strings.Join(parts, "; ")
	}
	if n := len(use.Stale); c.pruneBaseline {
		parts = append(parts, text.Count(n, "entry", "entries")+" removed")
	} else {
		parts = append(parts, text.Count(n, "entry no longer matches", "entries no longer match")+" (see --prune-baseline)")
	}
	return strings.Join(parts, "; ")
}

// prune removes the entries of the baseline that no longer match.
func (c *checkCommand) prune(use *lint.BaselineUse) error {
	if len(use.Stale) == 0 {
		return nil
	}
	if err := c.storeBaseline(c.baseline, engine.NewBaseline(nil, c.keptEntries(use, nil)...)); err != nil {
		return err
	}
	c.note("%s removed from the baseline %s", text.Count(len(use.Stale), "entry", "entries"), c.baseline)
	return nil
}

func (c *checkCommand) storeBaseline(path string, b *engine.Baseline) error {
	rebase(b.Findings, path, true)
	if err := files.WriteFrom(path, engine.NewBaseline(nil, b.Findings...).Write); err != nil {
		return fmt.Errorf("write baseline %s: %w", path, err)
	}
	return nil
}

// rebase turns the paths of a baseline into those of the working folder, or back into those of
// its file. Paths in the file are relative to its folder if that is the working folder or above
// it: so they mean the same in every folder below. Otherwise they are relative to the working
// folder.
func rebase(entries []lint.BaselineEntry, file string, back bool) {
	below := belowBaseline(file)
	for i := range entries {
		p := &entries[i].Path
		if below == "." || *p == "-" || filepath.IsAbs(*p) { // the same in every folder
			continue
		}
		if back {
			*p = path.Join(filepath.ToSlash(below), *p)
		} else if rel, err := filepath.Rel(below, filepath.FromSlash(*p)); err == nil {
			*p = filepath.ToSlash(rel)
		}
	}
}

// belowBaseline returns the path of the working folder from the folder of a baseline on;
// "." if that is the same one or is not above it.
func belowBaseline(file string) string {
	dir, err := filepath.Abs(filepath.Dir(file))
	here, hereErr := filepath.Abs(".")
	rel, relErr := filepath.Rel(dir, here)
	if cmp.Or(err, hereErr, relErr) != nil || !filepath.IsLocal(rel) {
		return "."
	}
	return rel
}
