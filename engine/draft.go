package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/brenner/workspace"
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
func (b *Mailbox) checkDraft(ctx context.Context, name string, data []byte, asDelta bool) (*lint.Draft, *mail.Message, error) {
	c := b.newCheck(nil)
	c.draftOnly, c.asDelta, c.files = true, asDelta, 1
	t, call := c.readDraft(source.NewFile(name, data))
	if err := c.join(ctx, call.Message); err != nil {
		return nil, nil, err
	}
	out, err := c.draft(ctx, t, call)
	return out, call.Message, err
}

// join adds the mailbox to the check of a draft; from a database only the draft's thread. Faults
// of the mail become notices, because only findings of the draft are reported.
func (c *check) join(ctx context.Context, m *mail.Message) (err error) {
	threads := []string{}
	if m != nil && m.Thread.String() != "" {
		threads = append(threads, m.Thread.String())
	}
	if c.in, err = c.of(ctx, threads); err != nil {
		return err
	}
	c.notices, c.failures = c.in.Notices(), c.in.broken()
	c.more, c.quoted = unreadable(c.in.faults())
	return nil
}

// draft checks a draft that was read.
func (c *check) draft(ctx context.Context, t *task, call *export.Call) (_ *lint.Draft, err error) {
	out := &lint.Draft{Hook: call.Hook}
	var preview []lint.DeltaPreview
	if m := call.Message; m != nil {
		joined := false
		if len(c.paths) > 0 {
			t.guard(threadStage, func() { preview, joined = c.inThread(m) })
		}
		c.checkAlone(t, m, joined)
		out.Sends, out.OfProtocol, out.InScope = true, c.inScope, call.HoldsBody && c.inScope
		out.Subject = m.Subject.String()
	} else {
		out.Sends = c.facts.Count() > 0 && !call.Hook && call.Tool == ""
	}
	c.add(c.absorb(t))
	c.checkInputs(c.facts, nil)
	if out.Report, err = c.report(ctx); err != nil {
		return nil, err
	}
	out.MergePreview = preview
	help := map[string]string{}
	for _, r := range c.plan.rules {
		help[r.ID] = r.Help
	}
	for _, f := range out.Findings { // who writes a draft can still change it
		f.Suggestion = cmp.Or(f.Suggestion, help[f.Rule])
	}
	out.Summary.Files, out.Summary.Threads, out.Summary.Messages, out.Summary.SkippedMessages = 1, 0, c.drafts, 0
	return out, nil
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
	c.add(c.absorb(t))
}

// readDraft begins to check a draft.
func (c *check) readDraft(f *source.File) (t *task, call *export.Call) {
	t, call = c.newTask(f.Path), &export.Call{}
	t.guard(draftStage, func() {
		read, facts := export.ReadDraft(f, c.opts.Limits.ofArtifacts().JSON())
		c.facts.Add(facts)
		call = read
		if m := read.Message; m != nil && m.ReplyDraft && c.asDelta {
			m.ReplyDraft, m.Subject = false, source.NewText([]byte(assumedSubject))
		}
	})
	return t, call
}

// checkAlone checks a draft alone, if it is a message. If joined, it was checked with its thread
// already: then only rules on whole threads run, in a thread of this message alone.
func (c *check) checkAlone(s *task, m *mail.Message, joined bool) {
	if m == nil {
		return
	}
	s.guard(draftStage, func() {
		c.drafts++
		s.thread = m.Thread.String()
		t := session.Begin(&mail.Thread{ID: s.thread, Roster: c.in.store.RosterOf(m)}, c.opts.Limits.ofArtifacts())
		if m.Garbled {
			m = c.mendMessage(t.Thread, m)
		}
		read := t.Add(m)
		c.inScope = isOfProtocol(read)
		if !joined {
			s.message(read, nil, t.Roster, nil)
		}
		if m.ReplyDraft {
			return
		}
		pass := s.threadPass(t, nil, func(id string) bool { return c.in.store.Has(m.Project, id) || c.in.store.Has("", id) })
		if !joined {
			s.visit(s.visitors(pass), read)
		}
		s.wholeThread(pass)
	})
}

// isOfProtocol reports whether a draft is a message of the protocol: by its
// subject, its thread, or delta JSON in its body (decisions.md 36: the scope of hooks).
func isOfProtocol(m *session.Message) bool {
	kind, _ := brenner.ClassifyThreadID(m.Thread.String())
	return m.Intended != 0 || kind != brenner.EngineeringThread || len(m.Deltas) > 0 ||
		slices.ContainsFunc(m.UnfencedDeltas, func(x delta.UnfencedDelta) bool { return x.Form != delta.InlineLine })
}

// inThread checks a draft with its thread, if the exports have that: what the rules
// report with the draft, and did not without it, is the draft's doing.
func (c *check) inThread(m *mail.Message) (preview []lint.DeltaPreview, joined bool) {
	if info := c.in.store.ThreadOf(m); info != nil {
		return c.afterThread(m, *info)
	}
	reason := "the draft names no thread"
	if id := m.Thread.String(); id != "" {
		reason = fmt.Sprintf("thread %q is not in the exports", id)
	}
	if !m.ReplyDraft {
		c.more = append(c.more, reason+": the draft was checked alone")
	}
	return nil, false
}

func (c *check) afterThread(m *mail.Message, info export.ThreadInfo) (preview []lint.DeltaPreview, joined bool) {
	before := c.newThreadCheck(info)
	before.task.suppressible = false
	known, at := map[findingKey]bool{}, map[findingKey]int{}
	before.task.keep = func(f *lint.Finding) bool {
		known[keyOf(f)] = true
		at[keyOf(f).ofPlace()]++
		return false
	}
	before.threadRules(nil)
	after := c.newThreadCheck(info)
	after.task.keep = func(f *lint.Finding) bool {
		at[keyOf(f).ofPlace()]--
		return !known[keyOf(f)]
	}
	joined = after.threadRules(m)
	after.task.found.list = slices.DeleteFunc(after.task.found.list, func(f *lint.Finding) bool {
		return f.Path != m.File.Path && at[keyOf(f).ofPlace()] >= 0
	})
	c.add(c.absorb(after.task))
	c.failures = slices.Concat(c.failures, before.task.failures, before.failures, after.failures)
	if after.replay != nil {
		preview = c.preview(after.replay)
	}
	return preview, joined
}

// threadRules runs the rules on the thread as a whole. A draft, if one is given, is
// checked as its last message: threadRules reports whether it was.
func (t *threadCheck) threadRules(draft *mail.Message) (joined bool) {
	for m := range t.messages() {
		t.message(m, false)
	}
	if m := t.addDraft(draft); m != nil {
		joined = true
		t.message(m, true)
	}
	t.end()
	if t.replay != nil {
		t.crossReferences(draft)
	}
	return joined
}

// addDraft adds a draft as the thread's last message; nil if there is none.
func (r *threadRunner) addDraft(draft *mail.Message) *session.Message {
	n := len(r.Messages)
	if n == 0 || draft == nil {
		return nil
	}
	last := *draft
	last.Time, last.HasTime = r.Messages[n-1].Time.Add(time.Second), true
	info := *r.Messages[0].ExportInfo
	info.AckFlagsCleared = false // that of the draft is known
	last.ExportInfo = &info
	return r.add(&last)
}

// crossReferences runs the rules on the workspace for a thread alone, with a
// draft, if one is given.
func (t *threadCheck) crossReferences(draft *mail.Message) {
	s := t.replay.Summary()
	s.Open = func() (*session.Thread, *artifact.Artifact) {
		again := t.inputs.openMail(t.info)
		again.run()
		again.addDraft(draft)
		return again.Thread, nil
	}
	t.task.workspace([]*workspace.Session{s})
}

// findingKey distinguishes the findings of one thread.
type findingKey struct {
	rule, path, messageID string
	offset                int
	message               string
}

func keyOf(f *lint.Finding) findingKey {
	return findingKey{f.Rule, f.Path, f.MessageID, offsetOf(f), f.Message}
}

// ofPlace distinguishes findings by rule and place. A finding about a message that is only worded
// differently because of the draft (fewer agents owe an answer) is not new.
func (k findingKey) ofPlace() findingKey {
	k.message = ""
	return k
}

// assumedSubject is under what a reply with deltas is checked once more.
const assumedSubject = "DELTA[opus]: a reply"

// ReviewDraft is CheckDraft and one step further: if faults hide others, it repairs the draft in
// memory, also by guesses, and AfterFixes has the findings that would remain.
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
	after, err := fix.Ahead(data, findings, func(data []byte) ([]*lint.Finding, error) {
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
	for _, f := range after {
		if f.Body = nil; m != nil && f.Range != nil {
			f.Body = bodyPosition(m, f.Range.Start.Offset)
		}
	}
	d.AfterFixes = after
	return d, nil
}

// bodyPosition returns the place in the body of a byte of the draft; nil if it is not in
// the body.
func bodyPosition(m *mail.Message, offset int) *lint.BodyPosition {
	body := m.Body
	if body == nil {
		return nil
	}
	inFile := func(off int) int {
		span, ok := body.ToFile(source.Span{Start: off, End: off})
		if !ok {
			return -1
		}
		return span.Start
	}
	size := body.Len()
	if first, last := inFile(0), inFile(size); first < 0 || offset < first || offset > last {
		return nil
	}
	at := max(0, sort.Search(size+1, func(i int) bool { return inFile(i) > offset })-1)
	p := body.Position(at)
	return &lint.BodyPosition{Line: p.Line, Column: p.Column}
}
