package lint

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/mail"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/replay"
	"github.com/brennerlint/brennerlint/internal/session"
	"github.com/brennerlint/brennerlint/internal/source"
)

// Linter checks inputs by rules. It is safe for use by several goroutines.
type Linter struct {
	all  []*Rule
	plan *plan
	opts Options
}

// New makes a linter of rules, which must be valid (Rule.Validate).
func New(rules []*Rule, opts Options) *Linter {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	return &Linter{all: rules, plan: newPlan(rules, &opts.Levels), opts: opts}
}

// Check checks what lies at the paths. Faults of the inputs are findings; the
// error is a wrong path or a cancelled context.
func (l *Linter) Check(ctx context.Context, paths ...string) (*Report, error) {
	box, err := l.read(ctx, paths)
	if err != nil {
		return nil, err
	}
	c := &check{Linter: l, box: box}
	c.artifacts(ctx)
	c.threads(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.workspace()
	c.inputs(box.problems)
	return c.report(), nil
}

// check is one run.
type check struct {
	*Linter
	box *inputs

	files    []artifactFile
	sinks    []*sink // one a task, in the order of the inputs
	sessions []*replay.Session
	sups     []*suppressor
	messages int
}

func (c *check) sink(path string) *sink {
	s := &sink{levels: &c.opts.Levels, path: path}
	c.sinks = append(c.sinks, s)
	return s
}

// pass is what all passes of a task share.
func (c *check) pass(s *sink) Pass {
	return Pass{Settings: &c.opts.Settings, report: s.add}
}

// artifacts parses the artifact files and checks each by itself.
func (c *check) artifacts(ctx context.Context) {
	c.files = make([]artifactFile, len(c.box.artifacts))
	first := len(c.sinks)
	for _, f := range c.box.artifacts {
		c.sink(f.Path)
	}
	sups := make([][]*suppressor, len(c.files))
	parallel(c.opts.Workers, len(c.files), func(i int) {
		if ctx.Err() != nil {
			return
		}
		f := c.box.artifacts[i]
		a := parseArtifact(f)
		c.files[i] = artifactFile{f.Path, a}
		if a == nil {
			return
		}
		sups[i] = directives(a, f.Path, c.all)
		s := c.sinks[first+i]
		p := &ArtifactPass{Pass: c.pass(s), Artifact: a, Path: f.Path}
		c.checkArtifact(s, p)
	})
	c.sups = slices.Concat(sups...)
}

func parseArtifact(f *source.File) *artifact.Artifact {
	if strings.HasSuffix(f.Path, ".json") {
		a, _ := artifact.ParseJSON(f.Text())
		return a
	}
	return artifact.ParseMarkdown(f.Text())
}

func (c *check) checkArtifact(s *sink, p *ArtifactPass) {
	for _, r := range c.plan.artifact {
		p.rule = r
		s.try(r, func() { r.Check.(ArtifactCheck)(p) })
	}
}

// threads checks the threads, each as a whole on one worker.
func (c *check) threads(ctx context.Context) {
	first := len(c.sinks)
	for _, t := range c.box.threads {
		s := c.sink(t.Messages[0].Facts.Path)
		s.thread = t.ID
	}
	parallel(c.opts.Workers, len(c.box.threads), func(i int) {
		if ctx.Err() == nil {
			c.thread(c.sinks[first+i], c.box.threads[i])
		}
	})
	for _, t := range c.box.threads {
		c.messages += len(t.Messages)
	}
}

func (c *check) thread(s *sink, mt *mail.Thread) {
	t := session.NewThread(mt)
	for _, m := range t.Messages {
		c.message(s, t, m)
	}
	p := &ThreadPass{Pass: c.pass(s), Thread: t, Whole: !mt.Messages[0].Facts.Listing}
	for _, r := range c.plan.thread {
		p.rule = r
		s.try(r, func() { r.Check.(ThreadCheck)(p) })
	}
}

func (c *check) message(s *sink, t *session.Thread, m *session.Message) {
	mp := &MessagePass{Pass: c.pass(s), Message: m, Thread: t}
	for _, r := range c.plan.message[m.Intended] {
		mp.rule = r
		s.try(r, func() { r.Check.(MessageCheck)(mp) })
	}
	if m.Intended == protocol.Delta {
		c.deltas(s, t, m)
	}
	if m.Artifact != nil {
		c.checkArtifact(s, &ArtifactPass{Pass: c.pass(s), Artifact: m.Artifact, Message: m})
	}
}

func (c *check) deltas(s *sink, t *session.Thread, m *session.Message) {
	for _, d := range m.Deltas {
		p := &DeltaPass{Pass: c.pass(s), Message: m, Thread: t, Delta: d}
		for _, r := range c.plan.delta {
			p.rule = r
			s.try(r, func() { r.Check.(DeltaCheck)(p) })
		}
	}
}

// workspace checks what all inputs together hold.
func (c *check) workspace() {
	s := c.sink("")
	p := &WorkspacePass{Pass: c.pass(s), Sessions: c.sessions}
	for _, r := range c.plan.workspace {
		p.rule = r
		s.try(r, func() { r.Check.(WorkspaceCheck)(p) })
	}
}

// inputs reports faults that readers or suppressions have.
func (c *check) inputs(problems []mail.Problem) {
	if len(problems) == 0 {
		return
	}
	s := c.sink("")
	p := &InputPass{Pass: c.pass(s), Problems: problems}
	for _, r := range c.plan.input {
		p.rule = r
		s.try(r, func() { r.Check.(InputCheck)(p) })
	}
}

// report brings the findings of all tasks together: suppress, sort, identify,
// hold against the baseline, count. Everything after it only writes.
func (c *check) report() *Report {
	rep := &Report{Rules: c.plan.rules}
	findings := c.take(rep)
	findings, rep.Summary.Suppressed = suppress(findings, append(c.sups, entrySuppressors(c.opts.Suppressions, c.all)...))
	c.inputs(suppressionProblems(c.sups, c.plan))
	findings = append(findings, c.take(rep)...)
	findings = sortFindings(findings)
	setFingerprints(findings)
	if b := c.opts.Baseline; b != nil {
		findings, rep.Summary.Baselined, _ = b.apply(findings)
	}
	rep.Findings = findings
	c.count(rep)
	return rep
}

// take empties the sinks.
func (c *check) take(rep *Report) []*Finding {
	n := 0
	for _, s := range c.sinks {
		n += len(s.findings)
	}
	out := make([]*Finding, 0, n)
	for _, s := range c.sinks {
		out = append(out, s.findings...)
		rep.Failures = append(rep.Failures, s.failures...)
		s.findings, s.failures = nil, nil
	}
	return out
}

func (c *check) count(rep *Report) {
	sum := &rep.Summary
	sum.Files = c.box.files
	sum.Artifacts = len(c.files)
	sum.Threads = len(c.box.threads)
	sum.Messages = c.messages
	for _, f := range rep.Findings {
		switch f.Severity {
		case Error:
			sum.Errors++
		case Warning:
			sum.Warnings++
		case Info:
			sum.Info++
		}
	}
	sum.Valid = sum.Errors == 0
}

// sortFindings puts findings in the order of the report (path, position, rule)
// and drops repetitions.
func sortFindings(findings []*Finding) []*Finding {
	slices.SortStableFunc(findings, func(a, b *Finding) int {
		return cmp.Or(
			strings.Compare(a.Path, b.Path),
			cmp.Compare(a.offset(), b.offset()),
			strings.Compare(a.Thread, b.Thread),
			cmp.Compare(len(a.MessageID), len(b.MessageID)),
			strings.Compare(a.MessageID, b.MessageID),
			cmp.Compare(a.bodyLine(), b.bodyLine()),
			strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Message, b.Message),
		)
	})
	return slices.CompactFunc(findings, func(a, b *Finding) bool {
		return a.Rule == b.Rule && a.Path == b.Path && a.Message == b.Message && a.Thread == b.Thread &&
			a.MessageID == b.MessageID && a.Delta == b.Delta && a.Item == b.Item && a.Field == b.Field &&
			a.offset() == b.offset() && a.bodyLine() == b.bodyLine()
	})
}

func (f *Finding) offset() int {
	if f.Range == nil {
		return -1
	}
	return f.Range.Start.Offset
}

// bodyLine orders places of one body: by line, then by column.
func (f *Finding) bodyLine() int {
	if f.Body == nil {
		return -1
	}
	const columns = 1 << 30
	return f.Body.Line*columns + min(f.Body.Column, columns-1)
}
