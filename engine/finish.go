package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
)

// report brings the findings of all tasks together.
func (c *check) report() *result.Report { return c.conclude(c.gather()) }

// gathered is what the tasks of a run have found together, in the order of the
// report: all that depends on the inputs. What is made of it depends on the baseline,
// the revision, and what the report shows.
type gathered struct {
	Findings   []*result.Finding
	Omitted    []omitted
	Suppressed int
	Hidden     int      // findings that overrides ignore
	Notices    []string // of the tasks
	Alone      []string // files of messages that may stand for their threads
	Exports    []string // what exports lack
	Files      int
	Artifacts  int
	Counts     export.Counts
	Unreadable bool

	failures []result.Failure
}

// gather suppresses, sorts and identifies what the tasks have found.
func (c *check) gather() *gathered {
	g := &gathered{}
	c.take(g)
	c.checkInputs(export.Facts{}, c.idleSuppressions(g.failures))
	c.take(g)
	c.found.prune()
	if c.identifies() {
		setFingerprints(c.found.list)
	}
	g.Findings = c.found.list
	for o, n := range c.found.omitted {
		g.Omitted = append(g.Omitted, omitted{o.path, o.severity, n})
	}
	for _, s := range c.collectors {
		g.Hidden += s.hidden
		g.Notices = append(g.Notices, s.notices...)
		if s.alone != "" {
			g.Alone = append(g.Alone, s.alone)
		}
	}
	g.Exports = c.exportNotices()
	g.Files, g.Artifacts, g.Counts = c.in.files, len(c.in.artifacts), c.in.store.Counts()
	g.Unreadable = c.unreadable || len(c.in.facts.Faults) > 0
	return g
}

// identifies reports whether findings get fingerprints.
func (c *check) identifies() bool {
	o := &c.opts
	return !o.SkipFingerprints || o.Data.Fingerprints || o.Baseline != nil || o.ForBaseline || o.Cache != nil || o.Kept != nil
}

// conclude makes the report: without what the baseline accepts, without what is not
// new, limited, and counted. Everything after it only writes.
func (c *check) conclude(g *gathered) *result.Report {
	rep := &result.Report{Rules: c.plan.rules, Failures: oncePerInput(g.failures), Unreadable: g.Unreadable}
	rep.Summary.Suppressed = g.Suppressed
	findings := c.applyBaseline(rep, g.Findings)
	if c.opts.OnlyNew != nil {
		all := len(findings)
		findings = c.opts.OnlyNew(findings)
		rep.Summary.Unchanged = all - len(findings)
	}
	rep.Findings = c.limit(rep, g, findings)
	limitEdits(rep)
	if c.opts.Data.LineHashes {
		c.hashLines(rep.Findings)
	}
	c.notice(rep, g)
	c.count(rep, g, findings)
	return rep
}

// oncePerInput keeps of each rule one failure for each input, of one that was stopped
// the first: mail of thousands of threads may be in one file.
func oncePerInput(failures []result.Failure) []result.Failure {
	type key struct{ rule, path string }
	seen := map[key]bool{}
	return slices.DeleteFunc(failures, func(f result.Failure) bool {
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
	s.mail, s.framed, s.credential, s.directives, s.suppressedAs = mailMemo{}, frameMemo{}, credentialMemo{}, nil, nil // nothing of the task is kept
}

// isEmpty reports whether a collector that is finished holds nothing: of most tasks
// nothing else is kept.
func (s *collector) isEmpty() bool {
	return len(s.found.list)+len(s.found.omitted)+len(s.yielding)+len(s.failures)+len(s.notices)+s.hidden == 0 && s.alone == ""
}

// take empties the collectors.
func (c *check) take(g *gathered) {
	g.failures, c.in.failures = append(g.failures, c.in.failures...), nil
	for _, s := range c.collectors {
		c.finish(s)
		g.failures = append(g.failures, s.failures...)
		s.failures = nil
	}
	g.Suppressed = c.suppressed
}

// maxNotices is how many files a notice names of which findings are not shown.
const maxNotices = 20

// limit bounds the findings of each file: a file that is wrong throughout would
// drown all others. The most severe are kept.
func (c *check) limit(rep *result.Report, g *gathered, findings []*result.Finding) []*result.Finding {
	most := c.opts.Limits.Findings
	if c.opts.ForBaseline || c.opts.ForStatistics {
		most = maxBaseline
	}
	omitted := map[string]int{}
	for _, o := range g.Omitted {
		omitted[o.Path] += o.Count
	}
	kept := make([]*result.Finding, 0, len(findings))
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
func byPath(findings []*result.Finding) [][]*result.Finding {
	var groups [][]*result.Finding
	for start, end := 0, 0; start < len(findings); start = end {
		for end < len(findings) && findings[end].Path == findings[start].Path {
			end++
		}
		groups = append(groups, findings[start:end])
	}
	return groups
}

func (c *check) count(rep *result.Report, g *gathered, findings []*result.Finding) {
	sum := &rep.Summary
	sum.Files, sum.Artifacts = g.Files, g.Artifacts
	sum.Threads, sum.Messages, sum.SkippedMessages = g.Counts.Threads, g.Counts.Messages+c.drafts, g.Counts.Skipped
	var by [lint.Info + 1]int
	for _, f := range findings {
		by[f.Severity]++
	}
	for _, o := range g.Omitted {
		by[o.Severity] += o.Count
	}
	sum.Errors, sum.Warnings, sum.Info = by[lint.Error], by[lint.Warning], by[lint.Info]
	sum.Valid = sum.Errors == 0 && len(rep.Failures) == 0
}
