package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// CheckDraft checks a message before it is sent: message, subject, thread-id and delta rules
// (decisions.md 17: drafts). The draft is in any form that contract.md names; name is how
// reports call it. If the mailbox was opened with paths, thread and merge rules run too, as if
// the draft were the last message of its thread.
func (b *Mailbox) CheckDraft(ctx context.Context, name string, data []byte) (*lint.Draft, error) {
	d, _, err := b.checkDraft(ctx, name, data, false)
	return d, err
}

// checkDraft is CheckDraft; it also gives the message, if the draft is one. A reply
// can be checked as if it were sent as a DELTA.
func (b *Mailbox) checkDraft(ctx context.Context, name string, data []byte, asDelta bool) (d *lint.Draft, m *mail.Message, err error) {
	c := b.newCheck(nil)
	c.draftOnly, c.files = true, 1
	t, call := c.readDraft(source.NewFile(name, data))
	threads := []string{} // from a database only the draft's thread
	if m = call.Message; m != nil {
		if m.ReplyDraft && asDelta {
			m.ReplyDraft, m.Subject = false, source.NewText([]byte(replySubject))
		}
		if id := m.Thread.String(); id != "" {
			threads = append(threads, id)
		}
	}
	if c.index, err = b.read(ctx, threads); err != nil {
		return nil, nil, err
	}
	// Faults of the mail are notices, because only findings of the draft are reported.
	c.failures = c.index.broken()
	c.extraNotices, c.quoted = unreadable(c.index.faults())
	d = &lint.Draft{Hook: call.Hook}
	if m != nil {
		joined := false
		if len(c.paths) > 0 {
			t.guard(threadStage, func() { joined = c.inThread(m) })
		}
		c.checkAlone(t, m, joined)
		d.Sends, d.OfProtocol, d.InScope = true, c.inScope, call.HoldsBody && c.inScope
		d.Subject = m.Subject.String()
	} else {
		d.Sends = c.facts.Count() > 0 && !call.Hook && call.Tool == ""
	}
	c.add(c.mergeTask(t))
	c.checkInputs(c.facts, nil)
	if d.Report, err = c.report(ctx); err != nil {
		return nil, nil, err
	}
	d.MergePreview = c.preview
	d.Summary.Files, d.Summary.Threads, d.Summary.Messages, d.Summary.SkippedMessages = 1, 0, c.drafts, 0
	return d, m, nil
}

// draftFile checks a draft that was named.
func (c *check) draftFile(in *input.Input) {
	f, fault := in.File()
	if f == nil {
		fault.Sensitive = true
		c.facts.Faults = append(c.facts.Faults, *fault)
		return
	}
	t, call := c.readDraft(f)
	c.checkAlone(t, call.Message, false)
	c.add(c.mergeTask(t))
}

// readDraft begins to check a draft.
func (c *check) readDraft(f *source.File) (t *task, call *export.Call) {
	t, call = c.newTask(f.Path), &export.Call{}
	t.guard(draftStage, func() {
		read, facts := export.ReadDraft(f, c.opts.Limits.ofArtifacts().JSON())
		c.facts.Add(facts)
		call = read
	})
	return t, call
}

// checkAlone checks a draft without its thread. With joined set, only thread rules run: the message
// rules ran with the thread.
func (c *check) checkAlone(t *task, m *mail.Message, joined bool) {
	if m == nil {
		return
	}
	t.guard(draftStage, func() {
		c.drafts++
		t.thread = m.Thread.String()
		alone := session.Begin(&mail.Thread{ID: t.thread, Roster: c.index.store.RosterOf(m)}, c.opts.Limits.ofArtifacts())
		if m.Garbled {
			m = c.restoreMessage(alone.Thread, m)
		}
		read := alone.Add(m)
		c.inScope = isOfProtocol(read)
		if !joined {
			t.message(read, nil, alone.Roster, nil)
		}
		if m.ReplyDraft {
			return
		}
		pass := t.threadPass(alone, nil, func(id string) bool { return c.index.store.Has(m.Project, id) || c.index.store.Has("", id) })
		if !joined {
			t.visitor(pass)(read)
		}
		t.wholeThread(pass)
	})
}

// isOfProtocol reports whether a draft is a message of the protocol: by its
// subject, its thread, or delta JSON in its body (decisions.md 36: the scope of hooks).
func isOfProtocol(m *session.Message) bool {
	kind, _ := brenner.ClassifyThreadID(m.Thread.String())
	return m.Intended != "" || kind != brenner.EngineeringThread || m.HoldsDeltas()
}

// inThread checks a draft with its thread, if the exports have that.
func (c *check) inThread(m *mail.Message) (joined bool) {
	if info := c.index.store.ThreadOf(m); info != nil {
		return c.afterThread(m, *info)
	}
	c.unreadable = c.unreadable || len(c.index.faults()) > 0 && c.index.store.Counts().Threads == 0
	reason := "the draft names no thread"
	if id := m.Thread.String(); id != "" {
		reason = fmt.Sprintf("thread %q is not in the exports", id)
	}
	if !m.ReplyDraft {
		c.extraNotices = append(c.extraNotices, reason+": the draft was checked alone")
	}
	return false
}

// afterThread checks a draft as the last message of a thread. What is found without the draft is not
// reported, even if the draft changes its words (fewer agents owe an answer): see Since.
func (c *check) afterThread(m *mail.Message, info export.ThreadInfo) (joined bool) {
	before, after := c.newThreadCheck(info), c.newThreadCheck(info)
	before.task.suppressible = false
	before.task.findings.perFile, after.task.findings.perFile = MaxFindings, MaxFindings // what one leaves out would look new
	before.threadRules(nil)
	after.threadRules(m)
	after.task.findings.list = Since(sortFindings(before.task.findings.list), sortFindings(after.task.findings.list))
	c.add(c.mergeTask(after.task))
	c.failures = slices.Concat(c.failures, before.task.failures, before.failures, after.failures)
	if after.replay != nil {
		c.preview = c.deltaViews(after.replay.MergePreview())
	}
	return after.joined
}

// threadRules runs the rules on the thread and on the workspace, for the thread alone. A draft, if
// one is given, is checked as its last message.
func (t *threadCheck) threadRules(draft *mail.Message) {
	t.run(context.Background(), draft, false)
	if t.replay != nil {
		t.task.workspace([]*session.Session{t.index.reopening(t.replay.Summary(), t.info, draft)})
	}
}

// replySubject is the subject under which a reply with deltas is checked once more.
const replySubject = "DELTA[opus]: a reply"

// ReviewDraft checks a draft, repairs it in memory (guesses included), and reports in AfterFixes
// what would remain.
func (b *Mailbox) ReviewDraft(ctx context.Context, name string, data []byte) (*lint.Draft, error) {
	d, m, err := b.checkDraft(ctx, name, data, false)
	if err != nil || len(d.Failures) > 0 {
		return d, err
	}
	findings, asDelta := d.Findings, m != nil && m.ReplyDraft && len(d.Findings) > 0
	if asDelta { // a reply with deltas is to be sent as a DELTA: what does that hide?
		end := source.NewFile(name, data).Range(source.Span{Start: len(data), End: len(data)})
		assumed := &lint.Fix{Edits: []lint.Edit{{Range: end, Text: "\n"}}}
		findings = append(slices.Clone(findings), &lint.Finding{Severity: lint.Error, Assume: assumed})
	}
	d.AfterFixes, err = fix.Ahead(data, findings, func(data []byte) ([]*lint.Finding, error) {
		next, _, err := b.checkDraft(ctx, name, data, false)
		if err != nil {
			return nil, err
		}
		if !asDelta {
			return next.Findings, nil
		}
		sent, _, err := b.checkDraft(ctx, name, data, true)
		if err != nil {
			return nil, err
		}
		ofDeltas := slices.DeleteFunc(sent.Findings, func(f *lint.Finding) bool { return f.Delta == 0 })
		return append(next.Findings, ofDeltas...), nil
	})
	if err != nil {
		return nil, err
	}
	for _, f := range d.AfterFixes {
		if f.Body = nil; m != nil && m.Body != nil && f.Range != nil {
			if at := m.Body.FromFile(f.Range.Start.Offset); at >= 0 {
				p := m.Body.Position(at)
				f.Body = &lint.BodyPosition{Line: p.Line, Column: p.Column}
			}
		}
	}
	return d, nil
}

// RepairDraft applies the fixes of a draft, and reviews what they make of it. The draft is checked
// alone on the way, many times: no rule on threads and merges has a fix, and a fault that only the
// thread shows is no reason to leave another.
func (b *Mailbox) RepairDraft(ctx context.Context, name string, data []byte, unsafe bool) (res fix.Result, left *lint.Draft, err error) {
	alone, err := Open(ctx, b.rules, b.opts)
	if err != nil {
		return res, nil, err
	}
	defer alone.Close()
	res, err = fix.All(data, unsafe, fix.OfReport(name, func(data []byte) (*lint.Report, error) {
		d, err := alone.CheckDraft(ctx, name, data)
		if err != nil {
			return nil, err
		}
		return d.Report, nil
	}))
	if err != nil {
		return res, nil, err
	}
	if left, err = b.ReviewDraft(ctx, name, res.Data); err == nil {
		res.Explain(left.Findings)
	}
	return res, left, err
}
