package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// report brings the findings of all tasks together: suppressed, in order, without what the
// baseline accepts and what is not new, limited, and counted. Everything after it only writes.
func (c *check) report() *lint.Report {
	failures := c.take(nil)
	c.checkInputs(export.Facts{}, c.unusedSuppressions(failures))
	failures = c.take(failures)
	c.found.prune()
	findings := c.found.list
	setFingerprints(findings)
	rep := &lint.Report{Rules: c.plan.rules, Failures: oncePerInput(failures), Unreadable: c.unreadable || len(c.facts.Faults) > 0, Agents: c.agents.views()}
	rep.Summary.Suppressed = c.suppressed
	findings = c.applyBaseline(rep, findings)
	if c.opts.OnlyNew != nil {
		all := len(findings)
		findings = c.opts.OnlyNew(findings)
		rep.Summary.Unchanged = all - len(findings)
	}
	rep.Findings = c.limit(rep, findings)
	limitEdits(rep)
	c.notice(rep)
	c.count(rep, findings)
	return rep
}

// oncePerInput keeps of each rule one failure for each input, of one that was stopped
// the first: mail of thousands of threads may be in one file.
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

// finish takes over what a task found. It is safe for concurrent use.
func (c *check) finish(s *collector) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found.merge(&s.found)
	c.suppressed += s.suppressed
	s.suppressed = 0
	*s.pass.Task = lint.Task{}
	s.lines, s.directives = frameLines{}, nil // nothing of the task is kept
}

// hasFindingsOnly reports whether a collector holds nothing but findings. Once it is
// finished, it holds nothing then: of most tasks nothing else is kept.
func (s *collector) hasFindingsOnly() bool {
	return len(s.yielding)+len(s.failures)+len(s.notices)+s.hidden == 0 && s.alone == ""
}

// take takes over what tasks found, and returns the failures with theirs.
func (c *check) take(failures []lint.Failure) []lint.Failure {
	failures, c.failures = append(failures, c.failures...), nil
	for _, s := range c.collectors {
		c.finish(s)
		failures = append(failures, s.failures...)
		s.failures = nil
	}
	return failures
}

// maxNotices is how many files a notice names of which findings are not shown.
const maxNotices = 20

// limit bounds the findings of each file: a file that is wrong throughout would
// drown all others. The most severe are kept.
func (c *check) limit(rep *lint.Report, findings []*lint.Finding) []*lint.Finding {
	most := c.opts.Limits.Findings
	if most == AllFindings {
		most = maxBaseline
	}
	omitted := map[string]int{}
	for o, n := range c.found.omitted {
		omitted[o.path] += n
	}
	kept := make([]*lint.Finding, 0, len(findings))
	for _, group := range byPath(findings) {
		kept = appendMostSevere(kept, group, most, nil)
		if more := len(group) - most; more > 0 {
			omitted[group[0].Path] += more
		}
	}
	paths := slices.Sorted(maps.Keys(omitted))
	for _, path := range paths[:min(len(paths), maxNotices)] {
		rep.Notices = append(rep.Notices, fmt.Sprintf("%s: %s not shown (limits: findings)", path, text.Count(omitted[path], "more finding is", "more findings are")))
	}
	if len(paths) > maxNotices {
		more := 0
		for _, path := range paths[maxNotices:] {
			more += omitted[path]
		}
		rep.Notices = append(rep.Notices, fmt.Sprintf("%s: %s not shown (limits: findings)", text.Count(len(paths)-maxNotices, "more file", "more files"), text.Count(more, "more finding is", "more findings are")))
	}
	return kept
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

func (c *check) count(rep *lint.Report, findings []*lint.Finding) {
	sum := &rep.Summary
	counts := c.in.store.Counts()
	sum.Files, sum.Artifacts = c.files, len(c.artifacts)
	sum.Threads, sum.Messages, sum.SkippedMessages = counts.Threads, counts.Messages+c.drafts, counts.Skipped
	var by [lint.Info + 1]int
	for _, f := range findings {
		by[f.Severity]++
	}
	for o, n := range c.found.omitted {
		by[o.severity] += n
	}
	sum.Errors, sum.Warnings, sum.Info = by[lint.Error], by[lint.Warning], by[lint.Info]
	sum.Valid = sum.Errors == 0 && len(rep.Failures) == 0
}
