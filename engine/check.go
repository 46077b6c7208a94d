package engine

import (
	"cmp"
	"context"
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
func (b *Mailbox) Check(ctx context.Context) (*lint.Report, error) {
	if len(b.paths) == 0 {
		return &lint.Report{Summary: lint.Summary{Valid: true}, Rules: b.plan.rules}, ctx.Err()
	}
	if err := b.enter(); err != nil {
		return nil, err
	}
	defer b.leave()
	mail, err := b.index(ctx, allThreads)
	if err != nil {
		return nil, err
	}
	c := b.newCheck(&inputs{b, mail, &artifactSet{}})
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	return c.report(ctx)
}

// check is one run over the inputs, or over a draft.
type check struct {
	*Mailbox
	in        *inputs
	files     int             // that are checked
	artifacts []*artifactFile // as files
	facts     export.Facts    // of the inputs, but not of single threads
	notices   []string

	drafts  int  // checked
	inScope bool // the draft is a message of the protocol
	// draftOnly reports that one draft is all that is reported.
	draftOnly bool
	asDelta   bool     // a reply draft is checked as if it were a DELTA
	more      []string // notices about inputs that are not checked
	quoted    []string // as of a lint.Report

	// The results of the tasks, in the order of the inputs.
	failures    failures
	taskNotices []string
	sessions    []*workspace.Session
	sups        []*suppression
	scope       *scope

	mu         sync.Mutex // guards what follows while tasks run
	found      findings
	suppressed int
	hidden     int      // findings that overrides ignore
	alone      []string // files with one message, which may be meant as whole threads
	unreadable bool     // a thread, in part
	agents     agentTally
}

func (b *Mailbox) newCheck(in *inputs) *check {
	c := &check{Mailbox: b, in: in, sups: entrySuppressions(b.opts.Suppressions, b.rules), agents: agentTally{}}
	c.scope = &scope{levels: &b.opts.Severities, entries: c.sups, directives: map[string][]*suppression{}}
	c.found = c.newFindings()
	return c
}

func (c *check) newTask(path string) *task {
	t := &task{scope: c.scope, found: c.newFindings(), suppressible: true}
	t.runner = c.newRunner(path, t.add)
	return t
}

// finish takes over the findings of a task. It is safe for concurrent use.
func (c *check) finish(t *task) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found.merge(&t.found)
	c.suppressed += t.suppressed
	c.hidden += t.hidden
	if t.alone != "" {
		c.alone = append(c.alone, t.alone)
	}
	t.suppressed, t.hidden, t.alone = 0, 0, ""
	*t.pass.Task, t.lines = lint.Task{}, frameLines{} // nothing of the input is kept
}

// take takes over what a task has found, task by task in the order of the inputs.
func (c *check) take(t *task) {
	c.finish(t)
	c.failures = append(c.failures, t.failures...)
	c.taskNotices = append(c.taskNotices, t.notices...)
	if len(t.directives) > 0 {
		c.sups = append(c.sups, t.directives...)
		c.scope.directives[t.path] = t.directives
	}
}

// run checks the artifact files, the drafts and the threads one by one, then what all of them
// hold together.
func (c *check) run(ctx context.Context) error {
	c.in.artifacts = c.in.visitArtifacts(ctx, func(f *artifactFile, a *artifact.Artifact) {
		f.task, f.summary = c.artifactFile(f, a)
		c.finish(f.task)
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
			c.take(f.task)
		}
		if f.summary != nil {
			c.sessions = append(c.sessions, f.summary)
		}
		f.task, f.summary = nil, nil
	}
	c.facts.Faults = append(c.facts.Faults, c.in.store.Faults()...)
	c.threads(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	all := c.newTask("")
	all.workspace(c.sessions)
	c.take(all)
	c.checkInputs(c.facts, nil)
	return nil
}

// checkInputs checks what the readers found, or else the suppressions without
// effect: findings of these cannot be suppressed.
func (c *check) checkInputs(read export.Facts, unused []lint.UnusedSuppression) {
	t := c.newTask("")
	t.suppressible = len(unused) == 0
	t.artifacts = make(map[string]bool, len(c.artifacts))
	for _, f := range c.artifacts {
		t.artifacts[f.in.Path()] = true
	}
	t.input(read, unused)
	c.take(t)
}

// artifactFile checks an artifact file, and summarises it for the rules on the workspace.
func (c *check) artifactFile(f *artifactFile, a *artifact.Artifact) (t *task, summary *workspace.Session) {
	p := f.in.Path()
	t = c.newTask(p)
	if id := a.Meta.Get("session_id"); id != nil {
		t.session = strings.Clone(id.Text) // findings keep it, and not the artifact
	}
	if len(c.plan.workspace) > 0 {
		start := c.opts.Trace.start()
		summary = replay.SummarizeFile(replay.File{Path: p, Artifact: a}, f.thread)
		box := c.Mailbox
		summary.Open = func() (*session.Thread, *artifact.Artifact) {
			a, _ := box.readArtifact(f.in)
			return nil, a
		}
		c.opts.Trace.end(replayStage, start)
	}
	t.directives = directives(a, f.thread, c.rules)
	t.isArtifact, t.garbled, t.threadless = true, f.fault != nil, c.in.countThreads(f.thread) == 0
	t.artifact(c.plan.artifact, &lint.ArtifactPass{Pass: t.pass, Artifact: a, Path: p, RealPath: f.in.RealPath()})
	return t, summary
}

// threads checks the threads, each as a whole on one worker and the largest
// first, so that no worker is left with a large one at the end.
func (c *check) threads(ctx context.Context) {
	infos := c.in.store.Threads()
	tasks := make([]*task, len(infos)) // nil where nothing is left to take over, as of most threads
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
		if i := order[n]; ctx.Err() == nil {
			tasks[i], sessions[i], known[i] = c.thread(ctx, &infos[i])
		}
	})
	for _, t := range tasks {
		if t != nil {
			c.take(t)
		}
	}
	c.sessions = append(c.sessions, slices.DeleteFunc(sessions, func(s *workspace.Session) bool { return s == nil })...)
	if c.in.previous != nil {
		c.in.previous.keep(infos, known)
	}
}

// thread checks a thread. Nothing is returned if it was cancelled.
func (c *check) thread(ctx context.Context, info *export.ThreadInfo) (rest *task, summary *workspace.Session, known *knownThread) {
	t := c.newThreadCheck("", *info)
	t.task.guard(threadStage, func() { t.run(ctx) })
	if ctx.Err() != nil {
		return nil, nil, nil
	}
	if t.replay != nil && len(c.plan.workspace) > 0 {
		t.replaying(func() {
			summary = t.replay.Summary()
			c.reopenThread(summary, info)
		})
	}
	t.task.failures = slices.Concat(t.failures, t.task.failures)
	facts := t.facts()
	t.task.path, t.task.project, t.task.thread = "", "", "" // faults of the mail, not of the thread
	t.task.input(facts, nil)
	if c.in.previous != nil {
		known = t.asKnown(summary, len(facts.Faults) > 0)
	}
	c.finish(t.task)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unreadable = c.unreadable || len(facts.Faults) > 0
	if c.previous == nil { // else some threads are known, and not read
		c.agents.count(t.Thread, t.replay)
	}
	if len(t.task.failures)+len(t.task.notices) > 0 {
		rest = t.task
	}
	return rest, summary, known
}

// reopenThread lets the summary of a thread find it again.
func (c *check) reopenThread(s *workspace.Session, info *export.ThreadInfo) {
	in := c.in
	s.Open = func() (*session.Thread, *artifact.Artifact) { return in.reopen(*info) }
}
