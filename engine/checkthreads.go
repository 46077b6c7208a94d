package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/workspace"
)

// threadResult is what became of the check of one thread.
type threadResult struct {
	collector  *collector // nil once nothing is in it
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
	var order []int
	for i := range infos {
		if done[i] = c.keptThread(&infos[i]); done[i] == nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(infos[b].Size, infos[a].Size) })
	c.in.progress.done.Store(0)
	parallel(c.opts.Workers, len(order), func(n int) {
		defer c.in.progress.add(len(order))
		if ctx.Err() == nil {
			t := c.thread(ctx, infos[order[n]])
			if t != nil && t.collector.isSpent() {
				t.collector = nil
			}
			done[order[n]] = t
		}
	})
	for _, t := range done {
		if t == nil {
			continue
		}
		if t.collector != nil {
			c.collectors = append(c.collectors, t.collector)
		}
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
			c.keepThread(info, u)
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
			u.Session, u.Agents, u.Asked = r.session, r.agents.list(), answersOf(t.asked)
			c.results.put(key, u)
			c.keepThread(info, u)
		}
	}
	c.finish(t.collector)
	return r
}

// keepThread remembers the results of a thread for as long as its mail stays as it is,
// unless they depend on more.
func (c *check) keepThread(info export.ThreadInfo, u *unit) {
	if c.in.kept != nil && len(c.in.byThread[info.ID]) == 0 {
		c.in.kept.keep(info, u)
	}
}

// keptThread is what is known of a thread whose mail has not changed; nil if that is
// not enough.
func (c *check) keptThread(info *export.ThreadInfo) *threadResult {
	if c.in.kept == nil || len(c.in.byThread[info.ID]) > 0 {
		return nil
	}
	known := c.in.kept.threads[info.Stamp]
	if known == nil || !c.answers(known.unit, *info) {
		return nil
	}
	c.in.kept.use.Known++
	if known.result == nil {
		return c.reuseThread(known.unit, *info)
	}
	return known.result
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

// answersOf lists questions and their answers.
func answersOf(list map[string]bool) []asked {
	var out []asked
	for _, id := range slices.Sorted(maps.Keys(list)) {
		out = append(out, asked{id, list[id]})
	}
	return out
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
	s.Open = func() (*session.Thread, *artifact.Artifact) { return c.in.reopen(info) }
}
