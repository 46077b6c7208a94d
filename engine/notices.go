package engine

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// notice adds a fact for the reader that is not a finding: each once, however many
// inputs it is true of.
func (c *check) notice(rep *lint.Report) {
	if c.in.files == 0 && !rep.Unreadable {
		nothing := "nothing to check: no mail export and no artifact found"
		if n := c.in.found.Ignored; n > 0 {
			nothing += fmt.Sprintf("; .gitignore leaves out %s (--no-gitignore reads what it ignores)", text.Count(n, "file or folder", "files and folders"))
		}
		rep.Notices = append(rep.Notices, nothing)
	}
	rep.Notices = append(rep.Notices, c.exportNotices()...)
	var alone []string
	hidden := 0
	for _, s := range c.collectors {
		rep.Notices = append(rep.Notices, s.notices...)
		hidden += s.hidden
		if s.alone != "" {
			alone = append(alone, s.alone)
		}
	}
	if len(alone) > 0 {
		rep.Notices = append(rep.Notices, listed(alone)+": one message, so the rules about its thread were skipped")
	}
	if rep.Unreadable && !c.draftOnly && !slices.ContainsFunc(rep.Findings, func(f *lint.Finding) bool { return f.Unreadable }) {
		// The rules that report it are ignored, or a baseline accepts it.
		reasons, quoted := c.in.unreadable()
		c.notices, c.quoted = append(c.notices, reasons...), append(c.quoted, quoted...)
	}
	rep.Quoted = c.quoted
	rep.Notices = slices.Compact(slices.Concat(rep.Notices, c.in.notices, c.in.store.Notices(), c.notices, c.ignoredNotices(hidden)))
}

// ignoredNotices say how much is ignored where the configuration ignores most rules,
// or all of them in some paths: a report that is clean for that is none. Overrides hide some
// findings.
func (c *check) ignoredNotices(hidden int) (out []string) {
	off := 0
	for _, r := range c.rules.all {
		if c.opts.Severities.Ignore[r.ID] {
			off++
		}
	}
	if 2*off > len(c.rules.all) {
		out = append(out, fmt.Sprintf("%d of %s ignored and did not run", off, text.Count(len(c.rules.all), "rule is", "rules are")))
	}
	ignoresAll := func(o SeverityOverride) bool { return len(o.Ignore) == len(c.rules.all) }
	if hidden > 0 && slices.ContainsFunc(c.opts.Severities.Overrides, ignoresAll) {
		out = append(out, fmt.Sprintf("an override ignores all rules; overrides hide %s", text.Count(hidden, "finding", "findings")))
	}
	return out
}

// skippedNotice says which named files were not recognised.
func skippedNotice(paths []string) string {
	return fmt.Sprintf("skipped %s, not recognised as an artifact, a mail export or a draft: %s",
		text.Count(len(paths), "file", "files"), listed(paths))
}

// exportNotices say what exports lack, so that rules were skipped.
func (c *check) exportNotices() []string {
	var redacted, cleared, bodiless []string
	for _, f := range c.in.store.Exports() {
		switch {
		case f.BodiesRedacted:
			redacted = append(redacted, f.Path)
		case f.AckFlagsCleared:
			cleared = append(cleared, f.Path)
		case f.WithoutBodies:
			bodiless = append(bodiless, f.Path)
		}
	}
	var out []string
	for _, n := range []struct {
		paths     []string
		one, many string
	}{
		{redacted, "the strict share removed bodies and acknowledgement flags", "the strict shares removed bodies and acknowledgement flags"},
		{cleared, "the share removed acknowledgement flags", "the shares removed acknowledgement flags"},
		{bodiless, "the export has no bodies", "the exports have no bodies"},
	} {
		if len(n.paths) == 0 {
			continue
		}
		what := n.one
		if len(unique(n.paths)) > 1 {
			what = n.many
		}
		out = append(out, listed(n.paths)+": "+what+"; rules that need them were skipped")
	}
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

// isAlone reports whether a message is the only line of a file which could hold its
// thread: its writer may think that it is a whole one.
func isAlone(f *mail.ExportInfo) bool {
	ext := strings.ToLower(path.Ext(f.Path))
	return f.Standalone && (ext == ".jsonl" || ext == ".ndjson")
}
