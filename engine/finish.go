package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
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
	c.found.prune()
	setFingerprints(c.found.list)
	rep := &lint.Report{Rules: c.plan.rules, Failures: oncePerInput(c.failures), Unreadable: c.unreadable || len(c.facts.Faults) > 0, Agents: c.agents.views()}
	rep.Summary.Suppressed = c.suppressed
	c.found.list = c.applyBaseline(rep, c.found.list)
	if c.opts.OnlyNew != nil {
		chosen, err := c.opts.OnlyNew(ctx, c.found.list)
		if err != nil {
			return nil, err
		}
		rep.Summary.Unchanged = len(c.found.list) - len(chosen)
		c.found.list = chosen
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
	type key struct{ rule, path string }
	seen := map[key]bool{}
	return slices.DeleteFunc(failures, func(f lint.Failure) bool {
		k := key{f.Rule, f.Path}
		if f.Stopped { // it would stop on every input
			k.path = ""
		}
		again := seen[k]
		seen[k] = true
		return again
	})
}

// maxNotices is how many files with hidden findings a notice names.
const maxNotices = 20

// limit bounds the findings of each file, so that one broken file does not hide the others.
// Notices count the findings that are left out.
func (c *check) limit(rep *lint.Report) {
	if c.opts.Limits.Findings != AllFindings {
		c.found.most = c.opts.Limits.Findings
	}
	c.found.prune()
	rep.Findings = c.found.list
	omitted := map[string]int{}
	for o, n := range c.found.omitted {
		omitted[o.path] += n
	}
	notShown := func(where string, n int) {
		rep.Notices = append(rep.Notices, fmt.Sprintf("%s: %s not shown (limits: findings)", where, text.Count(n, "more finding is", "more findings are")))
	}
	paths := slices.Sorted(maps.Keys(omitted))
	named := min(len(paths), maxNotices)
	for _, path := range paths[:named] {
		notShown(path, omitted[path])
	}
	if others := paths[named:]; len(others) > 0 {
		n := 0
		for _, path := range others {
			n += omitted[path]
		}
		notShown(text.Count(len(others), "more file", "more files"), n)
	}
}

// byPath parts sorted findings by the input that they are about.
func byPath(findings []*lint.Finding) [][]*lint.Finding {
	var groups [][]*lint.Finding
	for start, end := 0, 0; start < len(findings); start = end {
		for end < len(findings) && findings[end].Path == findings[start].Path {
			end++
		}
		groups = append(groups, findings[start:end])
	}
	return groups
}

func (c *check) count(sum *lint.Summary, failed bool) {
	counts := c.in.store.Counts()
	sum.Files, sum.Artifacts = c.files, len(c.artifacts)
	sum.Threads, sum.Messages, sum.SkippedMessages = counts.Threads, counts.Messages+c.drafts, counts.Skipped
	var by [lint.Info + 1]int
	for _, f := range c.found.list {
		by[f.Severity]++
	}
	for o, n := range c.found.omitted {
		by[o.severity] += n
	}
	sum.Errors, sum.Warnings, sum.Info = by[lint.Error], by[lint.Warning], by[lint.Info]
	sum.Valid = sum.Errors == 0 && !failed
}

// notice adds facts for the reader that are not findings, each once for all inputs.
func (c *check) notice(rep *lint.Report) {
	if c.files == 0 && !rep.Unreadable {
		nothing := "nothing to check: no mail export and no artifact found"
		if n := c.in.found.Ignored; n > 0 {
			nothing += fmt.Sprintf("; .gitignore leaves out %s (--no-gitignore reads what it ignores)", text.Count(n, "file or folder", "files and folders"))
		}
		rep.Notices = append(rep.Notices, nothing)
	}
	rep.Notices = append(rep.Notices, c.exportNotices()...)
	rep.Notices = append(rep.Notices, c.taskNotices...)
	if len(c.alone) > 0 {
		rep.Notices = append(rep.Notices, listed(c.alone)+": one message, so the rules about its thread were skipped")
	}
	if rep.Unreadable && !c.draftOnly && !slices.ContainsFunc(rep.Findings, func(f *lint.Finding) bool { return f.Unreadable }) {
		// The rules that report it are ignored, or a baseline accepts it.
		reasons, quoted := unreadable(c.facts.Faults)
		c.more, c.quoted = append(c.more, reasons...), append(c.quoted, quoted...)
	}
	rep.Quoted = c.quoted
	rep.Notices = slices.Compact(slices.Concat(rep.Notices, c.notices, c.in.store.Notices(), c.more, c.ignoredNotices()))
}

// ignoredNotices say how much is ignored where the configuration ignores most rules,
// or all of them in some paths: otherwise the report would look clean. Overrides hide some
// findings.
func (c *check) ignoredNotices() (out []string) {
	off := 0
	for _, r := range c.rules {
		if c.opts.Severities.Ignore[r.ID] {
			off++
		}
	}
	if 2*off > len(c.rules) {
		out = append(out, fmt.Sprintf("%d of %s ignored and did not run", off, text.Count(len(c.rules), "rule is", "rules are")))
	}
	ignoresAll := func(o SeverityOverride) bool { return len(o.Ignore) == len(c.rules) }
	if c.hidden > 0 && slices.ContainsFunc(c.opts.Severities.Overrides, ignoresAll) {
		out = append(out, fmt.Sprintf("an override ignores all rules; overrides hide %s", text.Count(c.hidden, "finding", "findings")))
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

// findings are those of a task or of a run, in bounded memory: of each file the most severe, as
// many as a report shows. The others are counted.
type findings struct {
	most    int // in each file
	all     int // in all files
	list    []*lint.Finding
	full    int // how long the list may become before it is pruned
	omitted map[omission]int
}

// omission is the key by which omitted findings are counted.
type omission struct {
	path     string
	severity lint.Severity
}

// inAll is the limit of findings for all files, as a multiple of the limit for one.
const inAll = 10

// maxBaseline bounds the findings that a baseline accepts, statistics count, or --new-from
// chooses from.
const maxBaseline = 500_000

// newFindings returns empty findings of one task or of the run. Where a baseline or OnlyNew
// leaves findings out later, as many are kept as if all were reported.
func (c *check) newFindings() findings {
	most := c.opts.Limits.Findings
	if most == AllFindings || c.opts.Baseline != nil || c.opts.OnlyNew != nil {
		return findings{most: maxBaseline, all: maxBaseline}
	}
	return findings{most: most, all: inAll * most}
}

func (k *findings) add(f *lint.Finding) {
	if k.list = append(k.list, f); len(k.list) > max(k.full, 2*k.most) {
		k.prune()
		k.full = 2 * len(k.list)
	}
}

// merge takes over what another task found. Repeated findings are dropped first: if the list were
// pruned between two of them, both would count as omitted.
func (k *findings) merge(other *findings) {
	for _, f := range sortFindings(other.list) {
		k.add(f)
	}
	for o, n := range other.omitted {
		k.omit(o.path, o.severity, n)
	}
}

func (k *findings) omit(path string, severity lint.Severity, n int) {
	if k.omitted == nil {
		k.omitted = map[omission]int{}
	}
	k.omitted[omission{path, severity}] += n
}

// prune sorts the list and drops findings that no report shows. The result does not depend on
// the order in which findings came.
func (k *findings) prune() {
	sorted := sortFindings(k.list)
	kept := make([]*lint.Finding, 0, len(sorted))
	for _, ofFile := range byPath(sorted) {
		kept = append(kept, k.mostSevere(ofFile, k.most)...)
	}
	k.list = k.mostSevere(kept, k.all)
}

// mostSevere returns the most severe findings, at most so many, in their order. The others are
// omitted.
func (k *findings) mostSevere(findings []*lint.Finding, most int) []*lint.Finding {
	if len(findings) <= most {
		return findings
	}
	var room [lint.Info + 1]int // how many of each severity are kept
	for _, f := range findings {
		room[f.Severity]++
	}
	for s := lint.Error; s <= lint.Info; s++ {
		room[s] = min(room[s], most)
		most -= room[s]
	}
	var kept []*lint.Finding
	for _, f := range findings {
		if room[f.Severity] > 0 {
			room[f.Severity]--
			kept = append(kept, f)
		} else {
			k.omit(f.Path, f.Severity, 1)
		}
	}
	return kept
}

// sortFindings puts findings in the order of the report (path, position, rule)
// and drops repetitions. It changes the list.
func sortFindings(findings []*lint.Finding) []*lint.Finding {
	slices.SortStableFunc(findings, compareFindings)
	return slices.CompactFunc(findings, func(a, b *lint.Finding) bool { return compareFindings(a, b) == 0 })
}

// compareFindings compares in two steps: most findings differ in the first.
func compareFindings(a, b *lint.Finding) int {
	if c := cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(offsetOf(a), offsetOf(b)), strings.Compare(a.Thread, b.Thread)); c != 0 {
		return c
	}
	return cmp.Or(
		cmp.Compare(len(a.MessageID), len(b.MessageID)), // numeric ids in numeric order
		strings.Compare(a.MessageID, b.MessageID),
		cmp.Compare(bodyPlaceOf(a), bodyPlaceOf(b)),
		strings.Compare(a.Rule, b.Rule),
		strings.Compare(a.Message, b.Message),
		cmp.Compare(a.Delta, b.Delta),
		strings.Compare(a.Item, b.Item),
		strings.Compare(a.Field, b.Field),
	)
}

// offsetOf returns the offset by which the findings of a file are ordered; -1, which is
// first, if the finding has no place.
func offsetOf(f *lint.Finding) int {
	if f.Range == nil {
		return -1
	}
	return f.Range.Start.Offset
}

// bodyPlaceOf returns a number that orders places in one body by line, then by column; -1
// if the finding has none.
func bodyPlaceOf(f *lint.Finding) int {
	if f.Body == nil {
		return -1
	}
	const columns = 1 << 30
	return f.Body.Line*columns + min(f.Body.Column, columns-1)
}
