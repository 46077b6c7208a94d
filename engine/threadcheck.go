package engine

import (
	"context"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
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
	collector  *collector
	counted    map[*session.Message]*faults
	visitors   []func(*session.Message) // of the rules that visit messages
	agents     agentTally
	found      export.Facts
	asksOthers bool // what it finds depends on other threads
}

func (c *check) newThreadCheck(s *collector, info export.ThreadInfo) *threadCheck {
	s.project, s.thread = info.Project, info.ID
	return &threadCheck{threadRunner: c.in.openThread(info), check: c, info: info, collector: s, counted: map[*session.Message]*faults{}}
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
		t.agents.message(m)
	}
	t.end()
}

// message checks the message that was read last.
func (t *threadCheck) message(m *session.Message) {
	if f := t.check.message(t.collector, &lint.MessagePass{Message: m, Thread: t.Thread, Roster: t.Roster}, t.replay); f != nil {
		t.counted[m] = f
	}
	t.visit(m)
}

// begin begins the rules that visit messages, once the first is read.
func (t *threadCheck) begin() {
	if t.visitors != nil {
		return
	}
	t.collector.path = t.Messages[0].ExportInfo.Path
	t.visitors = t.check.visitors(t.collector, t.pass)
}

func (t *threadCheck) visit(m *session.Message) { t.check.visit(t.collector, t.visitors, m) }

// end runs the rules that look at the whole.
func (t *threadCheck) end() {
	if notice := t.finish(); notice != "" {
		t.collector.notices = append(t.collector.notices, notice)
	}
	if len(t.Messages) > 0 {
		if f := t.Messages[0].ExportInfo; !t.Complete && isAlone(f) {
			t.collector.alone = f.Path
		}
		t.check.wholeThread(t.collector, t.pass())
	}
	t.found = t.facts()
	t.agents.replay(t.replay)
}

// pass shows a rule the thread. The faults of inline artifacts may have been
// counted already.
func (t *threadCheck) pass() *lint.ThreadPass {
	p := &lint.ThreadPass{Pass: t.collector.pass, Thread: t.Thread, Complete: t.Complete, Replay: t.replay}
	p.InlineFindings = func(m *session.Message) (low, high lint.Counts) {
		return t.check.countFaults(t.collector, m, t.replay, t.counted[m])
	}
	p.RejectedBy = t.inputs.rules.RejectedBy
	p.HasMessage = t.hasMessage
	return p
}

// hasMessage reports whether the project has a message.
func (t *threadCheck) hasMessage(id string) bool {
	if t.reading.Has(id) {
		return true
	}
	t.asksOthers = true
	return t.inputs.store.Has(t.Project, id)
}

// visitors begins the rules that visit messages. Each keeps a pass of its own.
func (c *check) visitors(s *collector, pass func() *lint.ThreadPass) []func(*session.Message) {
	out := make([]func(*session.Message), len(c.plan.visit))
	s.each(c.plan.visit, func(i int, r *lint.Rule) {
		p := pass()
		p.Rule = r
		out[i] = r.Check.(lint.MessageVisitor)(p)
	})
	return out
}

// visit shows a message to the rules that visit messages.
func (c *check) visit(s *collector, visitors []func(*session.Message), m *session.Message) {
	s.each(c.plan.visit, func(i int, _ *lint.Rule) {
		if visitors[i] != nil { // else it failed when it began
			visitors[i](m)
		}
	})
}

// wholeThread runs the rules that look at a thread as a whole.
func (c *check) wholeThread(s *collector, p *lint.ThreadPass) {
	s.each(c.plan.thread, func(_ int, r *lint.Rule) {
		p.Rule = r
		r.Check.(lint.ThreadCheck)(p)
	})
}

// message checks one message, its deltas and its inline artifact, whose faults it
// returns.
func (c *check) message(s *collector, p *lint.MessagePass, r *replay.Thread) *faults {
	m := p.Message
	p.Pass = s.pass
	s.each(c.plan.message[m.Intended], func(_ int, r *lint.Rule) {
		p.Rule = r
		r.Check.(lint.MessageCheck)(p)
	})
	if m.Intended == brenner.Delta {
		c.deltas(s, p.Thread, m)
	}
	if m.Artifact == nil {
		return nil
	}
	return c.inlineArtifact(s, m, r)
}

func (c *check) deltas(s *collector, t *session.Thread, m *session.Message) {
	p := &lint.DeltaPass{Pass: s.pass, Message: m, Thread: t}
	for _, d := range m.Deltas {
		p.Delta = d
		s.each(c.plan.delta, func(_ int, r *lint.Rule) {
			p.Rule = r
			r.Check.(lint.DeltaCheck)(p)
		})
	}
}

// faults are the errors and warnings that rules on artifacts have found in the
// artifact of a COMPILED. Rules of another scope do not count: MR-017 looks at
// artifacts too, but is about the thread; nor do rules that are not of the protocol.
type faults struct {
	lint.Counts
	// yielded reports that a rule yielded to what the replay had already reported:
	// without the replay there may be more faults.
	yielded bool
}

func (f *faults) add(r *lint.Rule) {
	switch {
	case r.Scope() != lint.ArtifactScope || !r.Protocol:
	case r.Severity == lint.Error:
		f.Errors++
	case r.Severity == lint.Warning:
		f.Warnings++
	}
}

// reported returns what the replay, if there is one, has found of the artifact of a
// COMPILED.
func reported(r *replay.Thread, m *session.Message) *replay.AlreadyReported {
	if r == nil {
		return nil
	}
	return r.AlreadyReported(m)
}

// inlineArtifact checks the artifact of a COMPILED by rules that yield to what
// the replay has said, and counts what they find.
func (c *check) inlineArtifact(s *collector, m *session.Message, r *replay.Thread) *faults {
	f := &faults{}
	p := &lint.ArtifactPass{Pass: s.pass, Artifact: m.Artifact, Message: m, Reported: reported(r, m)}
	p.Record = func(r *lint.Rule, d lint.Diagnostic) {
		f.add(r)
		s.add(r, d)
	}
	c.checkArtifact(s, p)
	f.yielded = p.Reported != nil && p.Reported.Yielded
	return f
}

// countFaults counts the faults of the artifact of a COMPILED, whatever rules the
// configuration lets run. low leaves out what the replay has reported already, high counts
// all. known are the faults that the check has found, nil if there was none.
func (c *check) countFaults(s *collector, m *session.Message, r *replay.Thread, known *faults) (low, high lint.Counts) {
	var f faults
	if known != nil {
		f = *known
		c.findFaults(s, &f, c.plan.silent, m, reported(r, m))
	} else {
		c.findFaults(s, &f, c.plan.counted, m, reported(r, m))
	}
	if !f.yielded {
		return f.Counts, f.Counts
	}
	var all faults
	c.findFaults(s, &all, c.plan.counted, m, nil)
	return f.Counts, all.Counts
}

// findFaults counts what rules find in the artifact of a COMPILED and reports
// nothing.
func (c *check) findFaults(s *collector, f *faults, rules lint.Catalogue, m *session.Message, known *replay.AlreadyReported) {
	p := &lint.ArtifactPass{Artifact: m.Artifact, Message: m, Reported: known}
	p.Record = func(r *lint.Rule, _ lint.Diagnostic) { f.add(r) }
	c.runInline(rules, p, &s.failures, s.thread)
	f.yielded = f.yielded || known != nil && known.Yielded
}

// runInline runs rules over an artifact that a message of a thread holds, for what they
// report to the pass. One that panics is recorded, and the others go on.
func (b *Mailbox) runInline(rules lint.Catalogue, p *lint.ArtifactPass, broke *failures, thread string) {
	p.RuleConfig, p.Task = &b.opts.RuleConfig, new(lint.Task)
	for _, r := range rules {
		p.Rule = r
		broke.guard(r.ID, "", thread, func() { r.Check.(lint.ArtifactCheck)(p) })
	}
}
