package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/workspace"
)

// threads checks the threads, each as a whole on one worker and the largest
// first, so that no worker is left with a large one at the end.
func (c *check) threads(ctx context.Context) {
	c.problems = append(c.problems, c.store.Problems()...)
	infos := c.store.Threads()
	sinks := make([]*sink, len(infos))
	problems := make([][]export.Problem, len(infos))
	sessions := make([]*workspace.Session, len(infos))
	if c.opts.Threads {
		c.views = make([]lint.ThreadView, len(infos))
	}
	order := make([]int, len(infos))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(infos[b].Size, infos[a].Size) })
	c.done.Store(0)
	parallel(c.opts.Workers, len(order), func(n int) {
		defer c.progress(len(order))
		i := order[n]
		sinks[i] = c.newSink("")
		if ctx.Err() != nil {
			return
		}
		w := c.newWalk(sinks[i], c.store.Open(infos[i]))
		sinks[i].guard(threadStage, w.thread)
		problems[i] = w.in.Problems()
		if c.views != nil && len(w.Messages) > 0 {
			c.views[i] = lint.ThreadView{Project: w.Project, ID: w.ID, Messages: w.views}
		}
		if w.replay != nil && len(c.plan.workspace) > 0 {
			w.tryReplay(func() {
				sessions[i] = w.replay.Summary()
				sessions[i].Open = func() (*session.Thread, *artifact.Artifact) { return c.open(infos[i]), nil }
			})
		}
	})
	for _, s := range sessions {
		if s != nil {
			c.sessions = append(c.sessions, s)
		}
	}
	c.sinks = append(c.sinks, sinks...)
	c.problems = append(c.problems, slices.Concat(problems...)...)
}

// shared reports that threads of several projects have one id: then a file alone
// does not tell whose artifact it is.
func (c *check) shared(id string) bool {
	c.countIDs.Do(func() {
		c.threadIDs = map[string]int{}
		for _, info := range c.store.Threads() {
			c.threadIDs[info.ID]++
		}
	})
	return c.threadIDs[id] > 1
}

// workspace checks what all inputs together hold.
func (c *check) workspace() {
	s := c.newSink("")
	c.sinks = append(c.sinks, s)
	p := &lint.WorkspacePass{Pass: s.pass, Workspace: workspace.New(c.sessions)}
	for _, r := range c.plan.workspace {
		p.Rule = r
		s.try(r.ID, func() { r.Check.(lint.WorkspaceCheck)(p) })
	}
}

// inputs reports faults that readers or suppressions have.
func (c *check) inputs(problems []export.Problem) {
	if len(problems) == 0 {
		return
	}
	s := c.newSink("")
	c.sinks = append(c.sinks, s)
	p := &lint.InputPass{Pass: s.pass, Problems: problems}
	for _, r := range c.plan.input {
		p.Rule = r
		s.try(r.ID, func() { r.Check.(lint.InputCheck)(p) })
	}
	artifacts := make(map[string]bool, len(c.artifacts))
	for _, t := range c.artifacts {
		artifacts[t.in.Path()] = true
	}
	for _, f := range s.findings {
		f.Artifact = artifacts[f.Path] // --fix mends artifact files only
	}
}
