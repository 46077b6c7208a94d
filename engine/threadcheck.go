package engine

import (
	"context"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/lint"
)

// threadCheck is the check of one thread: of each message as it is read, then of
// the whole.
type threadCheck struct {
	*threadRunner
	check      *check
	info       export.ThreadInfo
	task       *task
	visitors   []visitor // nil until the first message is read
	asksOthers bool      // what it finds depends on other threads
}

func (c *check) newThreadCheck(path string, info export.ThreadInfo) *threadCheck {
	t := &threadCheck{threadRunner: c.in.openThread(info), check: c, info: info, task: c.newTask(path)}
	t.task.project, t.task.thread = info.Project, info.ID
	return t
}

// run checks the messages, then the whole. If it is cancelled it ends before the next
// message.
func (t *threadCheck) run(ctx context.Context) {
	for m := range t.messages() {
		if ctx.Err() != nil {
			return
		}
		t.begin()
		t.message(m)
		if follow := t.check.opts.Trace.Message; follow != nil {
			follow(mail.Ref{Project: t.info.Project, Thread: t.info.ID, ID: m.ID})
		}
	}
	t.end()
}

// begin begins the rules that go through the thread, once the first message is read.
func (t *threadCheck) begin() {
	if t.visitors == nil {
		t.task.path = t.Messages[0].ExportInfo.Path
		t.visitors = t.task.visitors(t.pass())
	}
}

// message checks the message that was read last.
func (t *threadCheck) message(m *session.Message) {
	t.task.message(m, t.Thread, t.Roster, t.replay)
	t.task.visit(t.visitors, m)
}

// end runs the rules that look at the whole.
func (t *threadCheck) end() {
	if notice := t.finish(); notice != "" {
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
	return t.task.threadPass(t.Thread, t.replay, t.hasMessage)
}

// hasMessage reports whether the project has a message.
func (t *threadCheck) hasMessage(id string) bool {
	if t.reading.Has(id) {
		return true
	}
	t.asksOthers = true
	return t.inputs.store.Has(t.Project, id)
}
