package engine

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"sync"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/workspace"
)

// Check checks what lies at the paths. Faults of the inputs are findings; the
// error is a path that names nothing of ours, or a cancelled context.
func (l *Linter) Check(ctx context.Context, paths ...string) (*lint.Report, error) {
	c := l.newCheck()
	defer c.in.close()
	if err := c.load(ctx, paths); err != nil {
		return nil, err
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

	drafts  int  // checked
	inScope bool // the draft is a message of the protocol
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

	agents agentTally
}

func (l *Linter) newCheck() *check {
	c := &check{Linter: l, in: newInputs(l), sups: entrySuppressions(l.opts.Suppressions, l.rules)}
	c.scope = &scope{levels: &l.opts.Severities, overrides: l.overrides, entries: newEntryIndex(c.sups), directives: map[string]*directiveIndex{}}
	c.found = c.newFindings()
	return c
}

func (c *check) newCollector(path string) *collector {
	s := &collector{scope: c.scope, found: c.newFindings(), slim: c.opts.Accept, short: c.opts.Uncapped, suppressible: true, path: path, profile: c.opts.Profile, frameLine: c.opts.Limits.FrameLine}
	s.pass = lint.Pass{RuleConfig: &c.opts.RuleConfig, Record: s.add}
	return s
}

// artifactTask is the check of one artifact file.
type artifactTask struct {
	collector *collector
	sups      []*suppression
	index     *directiveIndex
	session   *workspace.Session
}

// load reads the inputs, and checks artifact files and drafts.
func (c *check) load(ctx context.Context, paths []string) error {
	var mu sync.Mutex
	tasks := map[*artifactFile]*artifactTask{}
	err := c.in.load(ctx, paths, func(f *artifactFile, a *artifact.Artifact) {
		t := c.artifactFile(f, a)
		c.finish(t.collector)
		mu.Lock()
		defer mu.Unlock()
		tasks[f] = t
	})
	if err != nil {
		return err
	}
	for _, f := range c.in.drafts {
		c.draftFile(f)
	}
	for _, f := range c.in.artifacts {
		if t := tasks[f]; t != nil {
			c.add(f, t)
		}
	}
	return nil
}

// add takes over what the check of an artifact file found.
func (c *check) add(f *artifactFile, t *artifactTask) {
	c.collectors = append(c.collectors, t.collector)
	if len(t.sups) > 0 {
		c.sups = append(c.sups, t.sups...)
		c.scope.directives[filepath.ToSlash(f.in.Path())] = t.index
	}
	if len(t.collector.yielding) > 0 && len(c.in.threadsNamed(f.thread)) == 0 {
		for _, y := range t.collector.yielding {
			t.collector.add(y.rule, y.Diagnostic)
		}
	}
	if t.session != nil {
		c.sessions = append(c.sessions, t.session)
	}
}

func (c *check) artifactFile(f *artifactFile, a *artifact.Artifact) *artifactTask {
	p := f.in.Path()
	t := &artifactTask{collector: c.newCollector(p)}
	if id := a.Meta.Get("session_id"); id != nil {
		t.collector.session = id.Text
	}
	if len(c.plan.workspace) > 0 {
		start := c.opts.Profile.start()
		t.session = replay.SummarizeFile(replay.File{Path: p, Artifact: a}, f.thread)
		t.session.Open = func() (*session.Thread, *artifact.Artifact) {
			a, _ := c.in.readArtifact(f.in, nil)
			return nil, a
		}
		c.opts.Profile.add(replayStage, start)
	}
	t.sups = directives(a, f.thread, c.rules)
	t.index = newDirectiveIndex(t.sups)
	t.collector.artifact, t.collector.directives, t.collector.garbled = true, t.index, f.fault != nil
	c.checkArtifact(t.collector, &lint.ArtifactPass{Pass: t.collector.pass, Artifact: a, Path: p, RealPath: f.in.RealPath()})
	return t
}

func (c *check) checkArtifact(s *collector, p *lint.ArtifactPass) {
	for _, r := range c.plan.artifact {
		p.Rule = r
		s.try(r.ID, func() { r.Check.(lint.ArtifactCheck)(p) })
	}
}

// threads checks the threads, each as a whole on one worker and the largest
// first, so that no worker is left with a large one at the end.
func (c *check) threads(ctx context.Context) {
	c.in.facts.Faults = append(c.in.facts.Faults, c.in.store.Faults()...)
	infos := c.in.store.Threads()
	done := make([]*threadCheck, len(infos))
	sessions := make([]*workspace.Session, len(infos))
	order := make([]int, len(infos))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(infos[b].Size, infos[a].Size) })
	c.in.progress.done.Store(0)
	parallel(c.opts.Workers, len(order), func(n int) {
		defer c.in.progress.add(len(order))
		i := order[n]
		if ctx.Err() != nil {
			return
		}
		t := c.newThreadCheck(c.newCollector(""), infos[i])
		done[i] = t
		t.collector.guard(threadStage, t.run)
		if t.replay != nil && len(c.plan.workspace) > 0 {
			t.replaying(func() { sessions[i] = c.summary(t.replay, infos[i]) })
		}
		t.release()
		c.finish(t.collector)
	})
	for i, t := range done {
		if t == nil {
			continue
		}
		c.collectors = append(c.collectors, t.collector)
		c.in.facts.Add(t.found)
		c.in.failures = append(c.in.failures, t.failures...)
		c.agents.add(t.agents)
		if sessions[i] != nil {
			c.sessions = append(c.sessions, sessions[i])
		}
	}
}

// summary is what is kept of a thread for the rules on the workspace.
func (c *check) summary(r *replay.Thread, info export.ThreadInfo) *workspace.Session {
	s := r.Summary()
	s.Open = func() (*session.Thread, *artifact.Artifact) {
		t := c.in.openThread(info)
		t.run()
		return t.Thread, nil
	}
	return s
}

// workspace checks what all inputs together hold.
func (c *check) workspace() {
	s := c.newCollector("")
	c.collectors = append(c.collectors, s)
	c.acrossSessions(s, c.sessions)
}

// acrossSessions runs the rules on what sessions say of each other.
func (c *check) acrossSessions(s *collector, sessions []*workspace.Session) {
	p := &lint.WorkspacePass{Pass: s.pass, Workspace: workspace.New(sessions)}
	for _, r := range c.plan.workspace {
		p.Rule = r
		s.try(r.ID, func() { r.Check.(lint.WorkspaceCheck)(p) })
	}
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
	p := &lint.InputPass{Pass: s.pass, Faults: read.Faults, Incomplete: read.Incomplete, Mismatches: read.Mismatches, Suppressions: idle}
	for _, r := range c.plan.input {
		p.Rule = r
		s.try(r.ID, func() { r.Check.(lint.InputCheck)(p) })
	}
}
