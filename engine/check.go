package engine

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
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
		rep, err = c.report(ctx)
		return err
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
	c.scope = &scope{levels: &b.opts.Severities, entries: c.sups, directives: map[string][]*suppression{}}
	c.found = c.newFindings()
	return c
}

func (c *check) newCollector(path string) *collector {
	s := &collector{scope: c.scope, found: c.newFindings(), slim: c.opts.Limits.Findings == AllFindings, suppressible: true, path: path, trace: c.opts.Trace, frameLine: c.opts.Limits.FrameLine}
	s.pass = lint.Pass{RuleConfig: &c.opts.RuleConfig, Record: s.add, Halt: s.halt, Task: new(lint.Task)}
	return s
}

func (c *check) checkArtifact(s *collector, p *lint.ArtifactPass) {
	if p.Artifact.Text.Garbled {
		p.Record = c.ungarbled(p)
	}
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

// artifactTask is the check of one artifact file.
type artifactTask struct {
	collector *collector
	sups      []*suppression
	session   *workspace.Session
}

func (c *check) artifactFile(f *artifactFile, a *artifact.Artifact) *artifactTask {
	p := f.in.Path()
	t := &artifactTask{collector: c.newCollector(p)}
	if id := a.Meta.Get("session_id"); id != nil {
		t.collector.session = strings.Clone(id.Text) // findings keep it, and not the artifact
	}
	if len(c.plan.workspace) > 0 {
		start := c.opts.Trace.start()
		t.session = replay.SummarizeFile(replay.File{Path: p, Artifact: a}, f.thread)
		box := c.Mailbox
		t.session.Open = func() (*session.Thread, *artifact.Artifact) {
			a, _ := box.readArtifact(f.in)
			return nil, a
		}
		c.opts.Trace.end(replayStage, start)
	}
	t.sups = directives(a, f.thread, c.rules)
	t.collector.artifact, t.collector.directives, t.collector.garbled = true, t.sups, f.fault != nil
	c.checkArtifact(t.collector, &lint.ArtifactPass{Pass: t.collector.pass, Artifact: a, Path: p, RealPath: f.in.RealPath()})
	return t
}

// add takes over what the check of an artifact file found.
func (c *check) add(f *artifactFile, t *artifactTask) {
	c.collectors = append(c.collectors, t.collector)
	if len(t.sups) > 0 {
		c.sups = append(c.sups, t.sups...)
		c.scope.directives[filepath.ToSlash(f.in.Path())] = t.sups
	}
	if len(t.collector.deferred) > 0 && len(c.in.threadsNamed(f.thread)) == 0 {
		for _, y := range t.collector.deferred {
			t.collector.add(y.rule, y.Diagnostic)
		}
	}
	if t.session != nil {
		c.sessions = append(c.sessions, t.session)
	}
}

// threadResult is what became of the check of one thread.
type threadResult struct {
	collector  *collector // nil if nothing is in it
	session    *workspace.Session
	failures   failures // of reading and replaying
	unreadable bool
	known      *knownThread // for the next check, or nil
}

// threads checks the threads, each as a whole on one worker and the largest
// first, so that no worker is left with a large one at the end.
func (c *check) threads(ctx context.Context) {
	infos := c.in.store.Threads()
	done := make([]*threadResult, len(infos)) // nil where nothing is left to do
	sessions := make([]*workspace.Session, len(infos))
	known := make([]*knownThread, len(infos))
	var order []int
	for i := range infos {
		if known[i] = c.known(&infos[i]); known[i] == nil {
			order = append(order, i)
		} else {
			sessions[i] = c.reuseThread(known[i], &infos[i])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(infos[b].Size, infos[a].Size) })
	c.progress.done.Store(0)
	parallel(c.opts.Workers, len(order), func(n int) {
		defer c.progress.add(len(order))
		if ctx.Err() != nil {
			return
		}
		i := order[n]
		if r := c.thread(ctx, &infos[i]); r != nil {
			sessions[i], known[i] = r.session, r.known
			if !r.isEmpty() {
				done[i] = r
			}
		}
	})
	for _, t := range done {
		if t != nil {
			c.addThread(t)
		}
	}
	c.sessions = append(c.sessions, slices.DeleteFunc(sessions, func(s *workspace.Session) bool { return s == nil })...)
	if c.in.previous != nil {
		c.in.previous.keep(infos, known)
	}
}

// addThread takes over what became of a thread.
func (c *check) addThread(t *threadResult) {
	if t.collector != nil {
		c.collectors = append(c.collectors, t.collector)
	}
	c.unreadable = c.unreadable || t.unreadable
	c.failures = append(c.failures, t.failures...)
}

// thread checks a thread. It returns nil if it was cancelled.
func (c *check) thread(ctx context.Context, info *export.ThreadInfo) *threadResult {
	t := c.newThreadCheck(c.newCollector(""), *info)
	t.collector.guard(threadStage, func() { t.run(ctx) })
	if ctx.Err() != nil {
		return nil
	}
	r := &threadResult{collector: t.collector, failures: t.failures, unreadable: len(t.found.Faults) > 0}
	if t.replay != nil && len(c.plan.workspace) > 0 {
		t.replaying(func() {
			r.session = t.replay.Summary()
			c.reopenThread(r.session, info)
		})
		r.failures = t.failures
	}
	c.threadFacts(t)
	if c.in.previous != nil {
		r.known = t.asKnown(r)
	}
	c.countAgents(t.agents)
	r.finish(c)
	return r
}

// isEmpty reports whether nothing is left of the check of a thread but its summary, as is
// the case for most threads.
func (r *threadResult) isEmpty() bool {
	return r.collector == nil && len(r.failures) == 0 && !r.unreadable
}

// finish hands what the collector found to the check, and drops the collector if nothing
// else is in it: there are many threads.
func (r *threadResult) finish(c *check) {
	c.finish(r.collector)
	if r.collector.hasFindingsOnly() {
		r.collector = nil
	}
}

// threadFacts checks what reading a thread has shown.
func (c *check) threadFacts(t *threadCheck) {
	if t.found.Count() == 0 {
		return
	}
	s := c.newCollector("")
	s.artifacts = map[string]bool{} // mail has no artifact files
	c.checkFacts(s, t.found, nil)
	t.collector.found.merge(&s.found)
	t.collector.suppressed += s.suppressed
	t.collector.hidden += s.hidden
	t.collector.failures = append(t.collector.failures, s.failures...)
}

// reopenThread lets the summary of a thread find it again.
func (c *check) reopenThread(s *workspace.Session, info *export.ThreadInfo) {
	in := c.in
	s.Open = func() (*session.Thread, *artifact.Artifact) { return in.reopen(*info) }
}
