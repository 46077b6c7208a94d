package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/brenner/workspace"
	"github.com/brennerlint/brennerlint/internal/export"
)

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
			summarize := t.replay.Summary
			if alone := len(c.in.store.Threads()) == 1 && len(c.artifacts) == 0; alone && c.in.previous == nil {
				summarize = t.replay.SummaryAlone
			}
			r.session = summarize()
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
	s.artifacts = map[string]bool{} // it is mail
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
