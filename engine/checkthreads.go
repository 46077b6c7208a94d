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
	collector  *collector // nil if nothing is in it
	session    *workspace.Session
	agents     agentTally
	failures   failures // of reading and replaying
	unreadable bool
	unit       *unit // of which the next check may take over all this, or nil
}

// threads checks the threads, each as a whole on one worker and the largest
// first, so that no worker is left with a large one at the end.
func (c *check) threads(ctx context.Context) {
	c.in.facts.Faults = append(c.in.facts.Faults, c.in.store.Faults()...)
	infos := c.in.store.Threads()
	known := c.knownThreads(infos)
	done := make([]*threadResult, len(infos)) // nil where nothing is left to do
	sessions := make([]*workspace.Session, len(infos))
	var order []int
	for i := range infos {
		if known == nil || !known[i].answers(c, &infos[i]) {
			order = append(order, i)
			continue
		}
		sessions[i] = known[i].session
		if !known[i].clean {
			done[i] = c.reuseThread(known[i].unit, known[i].session)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(infos[b].Size, infos[a].Size) })
	c.in.progress.done.Store(0)
	parallel(c.opts.Workers, len(order), func(n int) {
		defer c.in.progress.add(len(order))
		if ctx.Err() != nil {
			return
		}
		i := order[n]
		if r := c.thread(ctx, &infos[i]); r != nil {
			sessions[i] = r.session
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
	if known != nil && ctx.Err() == nil {
		c.in.kept.use.Known += len(infos) - len(order)
		c.in.kept.keepThreads(known, order, done)
	}
}

// addThread takes over what became of a thread.
func (c *check) addThread(t *threadResult) {
	if t.collector != nil {
		c.collectors = append(c.collectors, t.collector)
	}
	c.unreadable = c.unreadable || t.unreadable
	c.in.failures = append(c.in.failures, t.failures...)
	c.agents.add(t.agents)
}

// knownThreads returns what is known of threads, of each something or nothing; nil where
// nothing is kept. Those with artifact files depend on more than their mail.
func (c *check) knownThreads(infos []export.ThreadInfo) []keptThread {
	if c.in.kept == nil {
		return nil
	}
	known := c.in.kept.recall(infos)
	if len(c.in.byThread) > 0 {
		for i := range infos {
			if len(c.in.byThread[infos[i].ID]) > 0 {
				known[i] = keptThread{stamp: infos[i].Stamp, more: true}
			}
		}
	}
	return known
}

// thread checks a thread, unless its results are known. It returns nil if it was
// cancelled.
func (c *check) thread(ctx context.Context, info *export.ThreadInfo) *threadResult {
	key, keyed := c.threadKey(*info)
	if keyed {
		if u := c.results.get(key); u != nil && c.answers(u, info) {
			return c.reuseThread(u, c.sessionOf(u, info))
		}
	}
	t := c.newThreadCheck(c.newCollector(""), *info)
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
			if !keyed {
				r.session = c.packer.pack(r.session)
			}
		})
		r.failures = t.failures
	}
	c.threadFacts(t)
	if keyed && !r.unreadable && len(r.failures) == 0 {
		if u := t.collector.unit(); u != nil {
			u.Session, u.Agents, u.Asked = r.session, r.agents.list(), answersOf(t.asked)
			c.results.put(key, u)
			r.unit = u
		}
	}
	r.finish(c)
	return r
}

// isEmpty reports whether nothing is left of the check of a thread but its summary, as is
// the case for most threads.
func (r *threadResult) isEmpty() bool {
	return r.collector == nil && r.agents == nil && len(r.failures) == 0 && !r.unreadable && r.unit == nil
}

// finish hands what the collector found to the check, and drops the collector if nothing
// else is in it: there are many threads.
func (r *threadResult) finish(c *check) {
	c.finish(r.collector)
	if r.collector.isEmpty() {
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

// answers reports whether what a thread asked about other threads has the same answers as
// when its results were found.
func (c *check) answers(u *unit, info *export.ThreadInfo) bool {
	return !slices.ContainsFunc(u.Asked, func(q asked) bool { return c.in.store.Has(info.Project, q.ID) != q.Has })
}

// reuseThread takes over what is known of a thread.
func (c *check) reuseThread(u *unit, known *workspace.Session) *threadResult {
	r := &threadResult{unit: u, session: known, agents: tallyOf(u.Agents)}
	if u.hasFindingsOnly() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, f := range u.Findings {
			c.found.add(f)
		}
		return r
	}
	r.collector = c.newCollector("")
	r.collector.reuse(u)
	r.finish(c)
	return r
}

// sessionOf returns the summary of a thread of which the results are known.
func (c *check) sessionOf(u *unit, info *export.ThreadInfo) *workspace.Session {
	if u.Session == nil {
		return nil
	}
	again := *u.Session
	c.reopenThread(&again, info)
	return &again
}

// reopenThread lets the summary of a thread find it again. One that is kept keeps
// neither a check alive nor a list of threads, which may change.
func (c *check) reopenThread(s *workspace.Session, info *export.ThreadInfo) {
	if k := c.in.kept; k != nil {
		thread := *info
		s.Open = func() (*session.Thread, *artifact.Artifact) { return k.inputs.reopen(thread) }
		return
	}
	in := c.in
	s.Open = func() (*session.Thread, *artifact.Artifact) { return in.reopen(*info) }
}
