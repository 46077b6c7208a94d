package engine

import (
	"context"
	"sync"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/workspace"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/lint"
)

// Check checks what lies at the paths. Faults of the inputs are findings; the
// error is a path that names nothing of ours, or a cancelled context.
func (l *Linter) Check(ctx context.Context, paths ...string) (*lint.Report, error) {
	c := l.newCheck()
	defer c.in.close()
	return c.run(ctx, paths)
}

// run checks the inputs at the paths.
func (c *check) run(ctx context.Context, paths []string) (*lint.Report, error) {
	if err := c.load(ctx, paths); err != nil {
		if c.in.previous != nil {
			c.in.previous.Close() // some mail may not be indexed
		}
		return nil, err
	}
	if c.in.previous != nil {
		defer c.in.previous.end()
	}
	c.threads(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.workspace()
	c.checkInputs(c.in.facts, nil)
	rep := c.report()
	c.addViews(ctx, rep)
	return rep, ctx.Err()
}

// check is one run: load the inputs and check the artifacts on the way, check the
// threads one by one, then what all of them hold together.
type check struct {
	*Linter
	in *inputs

	paths   []string // to check, as they were given
	drafts  int      // checked
	inScope bool     // the draft is a message of the protocol
	// draftOnly reports that one draft is all that is reported.
	draftOnly  bool
	asDelta    bool // a reply draft is checked as if it were a DELTA
	notices    []string
	quoted     []string     // as of a lint.Report
	collectors []*collector // one a task, in the order of the inputs
	sessions   []*workspace.Session
	sups       []*suppression
	scope      *scope

	mu         sync.Mutex // guards what follows while tasks run
	found      findings
	suppressed int
	unreadable bool // a thread, in part

	agents agentTally
}

func (l *Linter) newCheck() *check {
	c := &check{Linter: l, in: newInputs(l), sups: entrySuppressions(l.opts.Suppressions, l.rules)}
	c.scope = &scope{levels: &l.opts.Severities, entries: c.sups, directives: map[string]*directiveIndex{}}
	c.found = c.newFindings()
	if c.in.previous == nil {
		c.in.store.KeepTexts() // else it lives on
	}
	return c
}

func (c *check) newCollector(path string) *collector {
	s := &collector{scope: c.scope, found: c.newFindings(), forBaseline: c.opts.ForBaseline, forStatistics: c.opts.ForStatistics, suppressible: true, path: path, profile: c.opts.Profile, frameLine: c.opts.Limits.FrameLine}
	s.pass = lint.Pass{RuleConfig: &c.opts.RuleConfig, Record: s.add, Halt: s.halt, Task: new(lint.Task)}
	return s
}

// load reads the inputs, and checks artifact files and drafts.
func (c *check) load(ctx context.Context, paths []string) error {
	c.paths = paths
	err := c.in.load(ctx, paths, func(f *artifactFile, a *artifact.Artifact) {
		t := c.artifactFile(f, a)
		c.finish(t.collector)
		f.task = t
	})
	if err != nil {
		return err
	}
	for _, f := range c.in.drafts {
		c.draftFile(f)
	}
	for _, f := range c.in.artifacts {
		if f.task != nil {
			c.add(f, f.task)
		}
	}
	return nil
}

func (c *check) checkArtifact(s *collector, p *lint.ArtifactPass) {
	s.each(c.plan.artifact, func(_ int, r *lint.Rule) {
		p.Rule = r
		r.Check.(lint.ArtifactCheck)(p)
	})
}

// workspace checks what all inputs together hold.
func (c *check) workspace() {
	s := c.newCollector("")
	c.collectors = append(c.collectors, s)
	c.acrossSessions(s, workspace.New(c.sessions))
}

// acrossSessions runs the rules on what sessions say of each other.
func (c *check) acrossSessions(s *collector, all *workspace.Workspace) {
	p := &lint.WorkspacePass{Pass: s.pass, Workspace: all}
	s.each(c.plan.workspace, func(_ int, r *lint.Rule) {
		p.Rule = r
		r.Check.(lint.WorkspaceCheck)(p)
	})
}

// checkInputs checks what the readers found, or else the suppressions without
// effect: findings of these cannot be suppressed.
func (c *check) checkInputs(read export.Facts, idle []lint.IdleSuppression) {
	if read.Count()+len(idle) == 0 {
		return
	}
	s := c.newCollector("")
	c.collectors = append(c.collectors, s)
	s.suppressible = len(idle) == 0
	s.artifacts = make(map[string]bool, len(c.in.artifacts))
	for _, f := range c.in.artifacts {
		s.artifacts[f.in.Path()] = true
	}
	c.checkFacts(s, read, idle)
}

func (c *check) checkFacts(s *collector, read export.Facts, idle []lint.IdleSuppression) {
	p := &lint.InputPass{Pass: s.pass, Faults: read.Faults, Incomplete: read.Incomplete, Mismatches: read.Mismatches, Suppressions: idle}
	s.each(c.plan.input, func(_ int, r *lint.Rule) {
		p.Rule = r
		r.Check.(lint.InputCheck)(p)
	})
}
