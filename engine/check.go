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
	quoted    []string // as in a lint.Report

	// What the tasks leave, in the order of the inputs.
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
	unreadable bool     // a part of a thread could not be read
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

// result is what a task leaves besides its findings. Nothing of the input is kept in it.
type result struct {
	path       string
	failures   failures
	notices    []string
	directives []*suppression
	session    *workspace.Session // what rules on the workspace see; perhaps nil
	known      *knownThread       // for Previous; perhaps nil
}

// absorb takes over the findings of a task that has ended. Tasks may end in any order, on several
// goroutines. What has to stay in order is in the result, for add.
func (c *check) absorb(t *task) *result {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found.merge(&t.found)
	c.suppressed += t.suppressed
	c.hidden += t.hidden
	if t.alone != "" {
		c.alone = append(c.alone, t.alone)
	}
	return &result{path: t.path, failures: t.failures, notices: t.notices, directives: t.directives}
}

// add takes over the results of tasks in the order of the inputs. Some may be nil.
func (c *check) add(results ...*result) {
	for _, r := range results {
		if r == nil {
			continue
		}
		c.failures = append(c.failures, r.failures...)
		c.taskNotices = append(c.taskNotices, r.notices...)
		if len(r.directives) > 0 {
			c.sups = append(c.sups, r.directives...)
			c.scope.directives[r.path] = r.directives
		}
		if r.session != nil {
			c.sessions = append(c.sessions, r.session)
		}
	}
}

// run checks the artifact files, the drafts and the threads one by one, then what all of them
// hold together.
func (c *check) run(ctx context.Context) error {
	c.in.artifacts = c.in.artifactFiles(ctx, func(f *artifactFile, a *artifact.Artifact) { f.result = c.artifactFile(f, a) })
	c.files, c.artifacts = len(c.in.found.Inputs)-len(c.in.mailless), c.in.artifacts.list
	c.notices, c.failures = c.in.Notices(), c.in.broken()
	c.facts.Faults = slices.Concat(c.in.found.Faults, c.in.artifacts.faults)
	for _, found := range c.in.found.Inputs {
		if found.Kind == input.Draft {
			c.draftFile(found)
		}
	}
	for _, f := range c.artifacts {
		c.add(f.result)
		f.result = nil
	}
	c.facts.Faults = append(c.facts.Faults, c.in.store.Faults()...)
	c.threads(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	all := c.newTask("")
	all.workspace(c.sessions)
	c.add(c.absorb(all))
	c.checkInputs(c.facts, nil)
	return nil
}

// checkInputs checks what the readers found, or else the suppressions without effect. Findings
// about suppressions cannot be suppressed.
func (c *check) checkInputs(read export.Facts, unused []lint.UnusedSuppression) {
	t := c.newTask("")
	t.suppressible = len(unused) == 0
	t.artifacts = make(map[string]bool, len(c.artifacts))
	for _, f := range c.artifacts {
		t.artifacts[f.in.Path()] = true
	}
	t.input(read, unused)
	c.add(c.absorb(t))
}

// artifactFile checks an artifact file, and summarises it for the rules on the workspace.
func (c *check) artifactFile(f *artifactFile, a *artifact.Artifact) *result {
	p := f.in.Path()
	t := c.newTask(p)
	if id := a.Meta.Get("session_id"); id != nil {
		t.session = strings.Clone(id.Text) // findings keep it, and not the artifact
	}
	t.directives = directives(a, f.thread, c.rules)
	t.isArtifact, t.garbled, t.threadless = true, f.fault != nil, c.in.countThreads(f.thread) == 0
	t.artifact(c.plan.artifact, &lint.ArtifactPass{Pass: t.pass, Artifact: a, Path: p, RealPath: f.in.RealPath()})
	out := c.absorb(t)
	if len(c.plan.workspace) > 0 {
		defer c.opts.Trace.end(replayStage, c.opts.Trace.start())
		out.session = replay.SummarizeFile(replay.File{Path: p, Artifact: a}, f.thread)
		box := c.Mailbox
		out.session.Open = func() (*session.Thread, *artifact.Artifact) {
			a, _ := box.readArtifact(f.in)
			return nil, a
		}
	}
	return out
}

// threads checks the threads, each as a whole on one worker and the largest
// first, so that no worker is left with a large one at the end.
func (c *check) threads(ctx context.Context) {
	infos := c.in.store.Threads()
	results := make([]*result, len(infos))
	var order []int
	for i := range infos {
		if results[i] = c.knownResult(&infos[i]); results[i] == nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(infos[b].Size, infos[a].Size) })
	c.progress.done.Store(0)
	parallel(c.opts.Workers, len(order), func(n int) {
		defer c.progress.add(len(order))
		if i := order[n]; ctx.Err() == nil {
			results[i] = c.thread(ctx, &infos[i])
		}
	})
	c.add(results...)
	if c.previous != nil {
		c.previous.keep(infos, results)
	}
}
