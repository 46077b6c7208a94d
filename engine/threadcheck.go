package engine

import (
	"context"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/brenner/workspace"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/lint"
)

// threadCheck is the check of one thread: of each message as it is read, then of
// the whole.
type threadCheck struct {
	*threadRunner
	task       *task
	visitors   []visitor // nil until the first message is read
	asksOthers bool      // what it finds depends on other threads
}

func (c *check) newThreadCheck(info export.ThreadInfo) *threadCheck {
	t := &threadCheck{threadRunner: c.in.openThread(info), task: c.newTask("")}
	t.task.project, t.task.thread = info.Project, info.ID
	return t
}

// thread checks a thread. The result is nil if the check was cancelled.
func (c *check) thread(ctx context.Context, info *export.ThreadInfo) *result {
	t := c.newThreadCheck(*info)
	t.task.guard(threadStage, func() { t.run(ctx) })
	if ctx.Err() != nil {
		return nil
	}
	var summary *workspace.Session
	if t.replay != nil && len(c.plan.workspace) > 0 {
		t.replaying(func() { summary = c.reopening(t.replay.Summary(), info) })
	}
	t.task.failures = slices.Concat(t.failures, t.task.failures)
	facts := t.facts()
	t.task.path, t.task.project, t.task.thread = "", "", "" // faults of the mail, not of the thread
	t.task.input(facts, nil)
	var known *knownThread
	if c.previous != nil {
		known = t.asKnown(summary, len(facts.Faults) > 0)
	}
	out := c.absorb(t.task)
	out.session, out.known = summary, known
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unreadable = c.unreadable || len(facts.Faults) > 0
	if c.previous == nil { // else known threads are not read, and cannot be counted
		c.agents.count(t.Thread, t.replay)
	}
	return out
}

// reopening returns a summary of a thread that can find the thread again.
func (c *check) reopening(s *workspace.Session, info *export.ThreadInfo) *workspace.Session {
	in := c.in
	s.Open = func() (*session.Thread, *artifact.Artifact) { return in.reopen(*info) }
	return s
}

// run checks the messages, then the whole. If it is cancelled it ends before the next
// message.
func (t *threadCheck) run(ctx context.Context) {
	for m := range t.messages() {
		if ctx.Err() != nil {
			return
		}
		t.message(m, true)
		if follow := t.inputs.opts.Trace.Message; follow != nil {
			follow(mail.Ref{Project: t.info.Project, Thread: t.info.ID, ID: m.ID})
		}
	}
	t.end()
}

// message runs the rules that go through the thread on the message that was read last; with
// alone, the rules on single messages first.
func (t *threadCheck) message(m *session.Message, alone bool) {
	if t.visitors == nil {
		t.task.path = t.Messages[0].ExportInfo.Path
		t.visitors = t.task.visitors(t.pass())
	}
	if alone {
		t.task.message(m, t.Thread, t.Roster, t.replay)
	}
	t.task.visit(t.visitors, m)
}

// end runs the rules that look at the whole.
func (t *threadCheck) end() {
	if notice := t.endReplay(); notice != "" {
		t.task.notices = append(t.task.notices, notice)
	}
	if len(t.Messages) == 0 {
		return
	}
	if f := t.Messages[0].ExportInfo; !t.Complete && isAlone(f) {
		t.task.alone = f.Path
	}
	t.task.wholeThread(t.pass())
}

// pass shows a rule the thread.
func (t *threadCheck) pass() *lint.ThreadPass {
	return t.task.threadPass(t.Thread, t.replay, func(id string) bool {
		if t.reading.Has(id) {
			return true
		}
		t.asksOthers = true
		return t.inputs.store.Has(t.Project, id)
	})
}
