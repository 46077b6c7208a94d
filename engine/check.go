package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/workspace"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
)

// Check checks the mailbox by the rules that it was opened with. Faults of the inputs are
// findings; the error is a cancelled context, or a named database without mail.
func (b *Mailbox) Check(ctx context.Context) (rep *lint.Report, _ error) {
	if len(b.paths) == 0 {
		return &lint.Report{Summary: lint.Summary{Valid: true}, Rules: b.plan.rules}, ctx.Err()
	}
	err := b.use(func() error {
		mail, err := b.allMail(ctx)
		if err != nil {
			return err
		}
		c := b.newCheck(&inputs{b, mail, &artifactSet{}})
		if err := c.run(ctx); err != nil {
			return err
		}
		rep = c.report()
		return nil
	})
	return rep, err
}

// run checks the artifact files, the drafts and the threads one by one, then what all of them
// hold together.
func (c *check) run(ctx context.Context) error {
	c.in.artifacts = c.in.visitArtifacts(ctx, func(f *artifactFile, a *artifact.Artifact) {
		t := c.artifactFile(f, a)
		c.finish(t.collector)
		f.task = t
	})
	c.files, c.artifacts = len(c.in.found.Inputs)-len(c.in.mailless), c.in.artifacts.list
	c.notices, c.failures = c.in.Notices(), c.in.broken()
	c.facts.Faults = slices.Concat(c.in.found.Faults, c.in.artifacts.faults)
	for _, found := range c.in.found.Inputs {
		if found.Kind == input.Draft {
			c.draftFile(found)
		}
	}
	for _, f := range c.artifacts {
		if f.task != nil {
			c.add(f, f.task)
			f.task = nil
		}
	}
	c.facts.Faults = append(c.facts.Faults, c.in.store.Faults()...)
	c.threads(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	c.workspace()
	c.checkInputs(c.facts, nil)
	return nil
}

// check is one run over the inputs, or over a draft.
type check struct {
	*Mailbox
	in        *inputs
	files     int             // that are checked
	artifacts []*artifactFile // as files
	facts     export.Facts
	notices   []string
	failures  failures

	drafts  int  // checked
	inScope bool // the draft is a message of the protocol
	// draftOnly reports that one draft is all that is reported.
	draftOnly  bool
	asDelta    bool         // a reply draft is checked as if it were a DELTA
	more       []string     // notices about inputs that are not checked
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

func (b *Mailbox) newCheck(in *inputs) *check {
	c := &check{Mailbox: b, in: in, sups: entrySuppressions(b.opts.Suppressions, b.rules)}
	c.scope = &scope{levels: &b.opts.Severities, entries: c.sups, directives: map[string]*directiveIndex{}}
	c.found = c.newFindings()
	return c
}

func (c *check) newCollector(path string) *collector {
	s := &collector{scope: c.scope, found: c.newFindings(), slim: c.opts.Limits.Findings == AllFindings, suppressible: true, path: path, trace: c.opts.Trace, frameLine: c.opts.Limits.FrameLine}
	s.pass = lint.Pass{RuleConfig: &c.opts.RuleConfig, Record: s.add, Halt: s.halt, Task: new(lint.Task)}
	return s
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
func (c *check) checkInputs(read export.Facts, unused []lint.UnusedSuppression) {
	if read.Count()+len(unused) == 0 {
		return
	}
	s := c.newCollector("")
	c.collectors = append(c.collectors, s)
	s.suppressible = len(unused) == 0
	s.artifacts = make(map[string]bool, len(c.artifacts))
	for _, f := range c.artifacts {
		s.artifacts[f.in.Path()] = true
	}
	c.checkFacts(s, read, unused)
}

func (c *check) checkFacts(s *collector, read export.Facts, unused []lint.UnusedSuppression) {
	p := &lint.InputPass{Pass: s.pass, Faults: read.Faults, Incomplete: read.Incomplete, Mismatches: read.Mismatches, Suppressions: unused}
	s.each(c.plan.input, func(_ int, r *lint.Rule) {
		p.Rule = r
		r.Check.(lint.InputCheck)(p)
	})
}
