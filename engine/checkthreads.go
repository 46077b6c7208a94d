package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/workspace"
)

// threadResult is what became of the check of one thread.
type threadResult struct {
	collector  *collector
	session    *workspace.Session
	agents     agentTally
	failures   failures // of reading and replaying
	unreadable bool
}

// threads checks the threads, each as a whole on one worker and the largest
// first, so that no worker is left with a large one at the end.
func (c *check) threads(ctx context.Context) {
	c.in.facts.Faults = append(c.in.facts.Faults, c.in.store.Faults()...)
	infos := c.in.store.Threads()
	done := make([]*threadResult, len(infos))
	order := make([]int, len(infos))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(infos[b].Size, infos[a].Size) })
	c.in.progress.done.Store(0)
	parallel(c.opts.Workers, len(order), func(n int) {
		defer c.in.progress.add(len(order))
		if ctx.Err() == nil {
			done[order[n]] = c.thread(ctx, infos[order[n]])
		}
	})
	for _, t := range done {
		if t == nil {
			continue
		}
		c.collectors = append(c.collectors, t.collector)
		c.unreadable = c.unreadable || t.unreadable
		c.in.failures = append(c.in.failures, t.failures...)
		c.agents.add(t.agents)
		if t.session != nil {
			c.sessions = append(c.sessions, t.session)
		}
	}
}

// thread checks a thread, unless its results are known. Of one that was cancelled there
// is no result.
func (c *check) thread(ctx context.Context, info export.ThreadInfo) *threadResult {
	key, keyed := c.threadKey(info)
	if keyed {
		if u := c.results.get(key); u != nil && c.answers(u, info) {
			return c.reuseThread(u, info)
		}
	}
	t := c.newThreadCheck(c.newCollector(""), info)
	t.collector.guard(threadStage, func() { t.run(ctx) })
	if ctx.Err() != nil {
		return nil
	}
	r := &threadResult{collector: t.collector, failures: t.failures, agents: t.agents, unreadable: len(t.found.Faults) > 0}
	if t.replay != nil && len(c.plan.workspace) > 0 {
		t.replaying(func() {
			summarize := t.replay.Summary
			if alone := len(c.in.store.Threads()) == 1 && len(c.in.artifacts) == 0; alone && !keyed {
				summarize = t.replay.SummaryAlone
			}
			r.session = summarize()
			c.reopenThread(r.session, info)
		})
		r.failures = t.failures
	}
	c.threadFacts(t)
	if keyed && !r.unreadable && len(r.failures) == 0 {
		if u := t.collector.unit(); u != nil {
			u.Session, u.Agents, u.Asked = r.session, r.agents.list(), t.asked
			c.results.put(key, u)
		}
	}
	c.finish(t.collector)
	return r
}

// threadFacts checks what reading a thread has shown.
func (c *check) threadFacts(t *threadCheck) {
	if t.found.Count() == 0 {
		return
	}
	s := c.newCollector("")
	s.artifacts = map[string]bool{} // it is mail
	c.checkFacts(s, t.found, nil)
	t.collector.absorb(s)
}

// answers reports whether a thread would be told the same of other threads as when
// its results were found.
func (c *check) answers(u *unit, info export.ThreadInfo) bool {
	return !slices.ContainsFunc(u.Asked, func(q asked) bool { return c.in.store.Has(info.Project, q.ID) != q.Has })
}

// reuseThread takes over what is known of a thread.
func (c *check) reuseThread(u *unit, info export.ThreadInfo) *threadResult {
	r := &threadResult{collector: c.newCollector(""), agents: tallyOf(u.Agents)}
	r.collector.thread = info.ID
	r.collector.reuse(u)
	if u.Session != nil {
		again := *u.Session
		r.session = &again
		c.reopenThread(r.session, info)
	}
	c.finish(r.collector)
	return r
}

// reopenThread lets the summary of a thread find it again.
func (c *check) reopenThread(s *workspace.Session, info export.ThreadInfo) {
	s.Open = func() (*session.Thread, *artifact.Artifact) {
		t := c.in.openThread(info)
		t.run()
		return t.Thread, nil
	}
}
