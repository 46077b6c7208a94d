package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// report brings the findings of all tasks together: suppressed, in order, without what the
// baseline accepts and what is not new, limited, and counted. Everything after it only writes.
func (c *check) report(ctx context.Context) (*lint.Report, error) {
	c.checkInputs(export.Facts{}, c.unusedSuppressions())
	c.findings.prune()
	setFingerprints(c.findings.list)
	rep := &lint.Report{Rules: c.plan.rules, Failures: oncePerInput(c.failures), Unreadable: c.unreadable || len(c.facts.Faults) > 0, Agents: c.agents.views()}
	rep.Summary.Suppressed = c.findings.suppressed
	c.findings.list = c.applyBaseline(rep, c.findings.list)
	if c.opts.OnlyNew != nil {
		chosen, err := c.opts.OnlyNew(ctx, c.Mailbox, c.findings.list)
		if err != nil {
			return nil, err
		}
		rep.Summary.Unchanged = len(c.findings.list) - len(chosen)
		c.findings.list = chosen
	}
	c.limit(rep)
	limitEdits(rep)
	c.notice(rep)
	c.count(&rep.Summary, len(rep.Failures) > 0)
	return rep, nil
}

// oncePerInput keeps one failure of each rule for each input, because one file may hold thousands
// of threads. Of a rule that was stopped it keeps only the first failure.
func oncePerInput(failures []lint.Failure) []lint.Failure {
	seen := map[[2]string]bool{}
	return slices.DeleteFunc(failures, func(f lint.Failure) bool {
		key := [2]string{f.Rule, f.Path}
		if f.Stopped { // it would stop on every input
			key[1] = ""
		}
		again := seen[key]
		seen[key] = true
		return again
	})
}

// maxNotices is how many files with hidden findings a notice names.
const maxNotices = 20

// limit bounds the findings of each file, so that one broken file does not hide the others.
// Notices count the findings that are left out.
func (c *check) limit(rep *lint.Report) {
	c.findings.perFile = c.opts.Limits.Findings
	c.findings.prune()
	rep.Findings = c.findings.list
	omitted := c.findings.omitted
	notShown := func(where string, n int) {
		rep.Notices = append(rep.Notices, fmt.Sprintf("%s: %s not shown (limits: findings)", where, text.Count(n, "more finding is", "more findings are")))
	}
	others := 0
	for i, path := range slices.Sorted(maps.Keys(omitted)) {
		if i < maxNotices {
			notShown(path, omitted[path])
		} else {
			others += omitted[path]
		}
	}
	if n := len(omitted) - maxNotices; n > 0 {
		notShown(text.Count(n, "more file", "more files"), others)
	}
}

func (c *check) count(sum *lint.Summary, failed bool) {
	counts := c.index.store.Counts()
	sum.Files, sum.Artifacts = c.files, len(c.artifacts)
	sum.Threads, sum.Messages, sum.SkippedMessages = counts.Threads, counts.Messages+c.drafts, counts.Skipped
	by := c.findings.omittedBy
	for _, f := range c.findings.list {
		by[f.Severity]++
	}
	sum.Errors, sum.Warnings, sum.Info = by[lint.Error], by[lint.Warning], by[lint.Info]
	sum.Valid = sum.Errors == 0 && !failed
}

// notice adds facts for the reader that are not findings, each once for all inputs.
func (c *check) notice(rep *lint.Report) {
	if c.files == 0 && !rep.Unreadable {
		nothing := "nothing to check: no mail export and no artifact found"
		if n := c.found.Ignored; n > 0 {
			nothing += fmt.Sprintf("; .gitignore leaves out %s (--no-gitignore reads what it ignores)", text.Count(n, "file or folder", "files and folders"))
		}
		rep.Notices = append(rep.Notices, nothing)
	}
	rep.Notices = append(rep.Notices, c.exportNotices()...)
	rep.Notices = append(rep.Notices, c.notices...)
	if len(c.findings.lonePaths) > 0 {
		rep.Notices = append(rep.Notices, listed(c.findings.lonePaths)+": one message, so the rules about its thread were skipped")
	}
	if rep.Unreadable && !c.draftOnly && !slices.ContainsFunc(rep.Findings, func(f *lint.Finding) bool { return f.Unreadable }) {
		// The rules that report it are ignored, or a baseline accepts it.
		reasons, quoted := unreadable(c.facts.Faults)
		c.extraNotices, c.quoted = append(c.extraNotices, reasons...), append(c.quoted, quoted...)
	}
	rep.Quoted = c.quoted
	rep.Notices = slices.Compact(slices.Concat(rep.Notices, c.Notices(), c.index.store.Notices(), c.extraNotices, c.ignoredNotices()))
}

// ignoredNotices say how much is ignored where the configuration ignores most rules, all that are
// selected, or all of them in some paths: otherwise the report would look clean. Overrides hide some
// findings.
func (c *check) ignoredNotices() (out []string) {
	off := len(filter(c.rules, func(r *lint.Rule) bool { return c.opts.Severities.Ignore[r.ID] }))
	switch {
	case 2*off > len(c.rules):
		out = append(out, fmt.Sprintf("%d of %s ignored and did not run", off, text.Count(len(c.rules), "rule is", "rules are")))
	case len(c.plan.rules) == 0 && len(c.rules) > 0:
		out = append(out, "no rule ran: all that are selected are ignored")
	}
	ignoresAll := func(o SeverityOverride) bool { return len(o.Ignore) == len(c.rules) }
	if c.findings.hidden > 0 && slices.ContainsFunc(c.opts.Severities.Overrides, ignoresAll) {
		out = append(out, fmt.Sprintf("an override ignores all rules; overrides hide %s", text.Count(c.findings.hidden, "finding", "findings")))
	}
	return out
}

// exportNotices say what exports lack, so that rules were skipped.
func (c *check) exportNotices() (out []string) {
	var redacted, cleared, bodiless []string
	for _, f := range c.index.store.Exports() {
		switch {
		case f.BodiesRedacted:
			redacted = append(redacted, f.Path)
		case f.AckFlagsCleared && f.Form != mail.JSON:
			cleared = append(cleared, f.Path)
		case f.WithoutBodies:
			bodiless = append(bodiless, f.Path)
		}
	}
	add := func(paths []string, one, many string) {
		if len(paths) == 0 {
			return
		}
		if len(unique(paths)) > 1 {
			one = many
		}
		out = append(out, listed(paths)+": "+one+"; rules that need them were skipped")
	}
	add(redacted, "the strict share removed bodies and acknowledgement flags", "the strict shares removed bodies and acknowledgement flags")
	add(cleared, "the share removed acknowledgement flags", "the shares removed acknowledgement flags")
	add(bodiless, "the export has no bodies", "the exports have no bodies")
	return out
}

// maxListed is how many files a notice names.
const maxListed = 5

// listed names files, and counts those that are too many to name.
func listed(paths []string) string {
	paths = unique(paths)
	if more := len(paths) - maxListed; more > 0 {
		return strings.Join(paths[:maxListed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(paths, ", ")
}

func unique(list []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}
