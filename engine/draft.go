package engine

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/source"
)

// CheckDraft checks a message before it is sent: message, subject, thread-id
// and delta rules (decisions.md 17). The draft is in any form that contract.md
// names; name is how it is shown. If exports of mail are given, thread and merge
// rules are judged for the draft too, as if it were the last message of its
// thread.
func (l *Linter) CheckDraft(ctx context.Context, name string, data []byte, exports ...string) (*lint.Draft, error) {
	c := &check{Linter: l}
	defer c.close()
	c.store = export.NewStore(export.Options{Scope: export.AllScope})
	if len(exports) > 0 {
		if err := c.gather(ctx, exports); err != nil {
			return nil, err
		}
		c.forgetFindings()
	}
	f := source.NewFile(name, data)
	c.files = 1
	out := &lint.Draft{}
	var outlook []string
	if p := input.CheckUTF8(f); p != nil {
		p.Private = true
		c.problems = append(c.problems, *p)
	} else {
		s, call := c.draft(f)
		out.Hook = call.Hook
		if m := call.Message; m != nil {
			out.Sends = true
			out.Subject = m.Subject.Str()
			if len(exports) > 0 {
				s.guard(threadStage, func() { outlook = c.inThread(m) })
			}
		} else {
			out.Sends = len(c.problems) > 0 && !call.Hook && call.Tool == ""
		}
	}
	c.inputs(c.problems)
	out.Report = c.report()
	out.Outlook = outlook
	advise(out)
	out.Summary.Files, out.Summary.Threads, out.Summary.Messages, out.Summary.SkippedMessages = 1, 0, c.drafts, 0
	return out, nil
}

// forgetFindings drops what gathering the exports of a draft's thread found:
// only the draft is reported.
func (c *check) forgetFindings() {
	c.sinks, c.sups, c.problems, c.artifacts = nil, nil, nil, nil
}

// draft reads a draft and checks it by itself.
func (c *check) draft(f *source.File) (*sink, *export.Call) {
	s, call := c.newSink(f.Path), &export.Call{}
	c.sinks = append(c.sinks, s)
	s.guard(draftStage, func() {
		read, problems := export.ReadDraft(f, c.opts.Limits.ofArtifacts().JSON())
		c.problems = append(c.problems, problems...)
		call = read
		if call.Message != nil {
			c.draftMessage(s, call.Message)
		}
	})
	return s, call
}

func (c *check) draftMessage(s *sink, m *mail.Message) {
	c.drafts++
	mt := &mail.Thread{ID: m.Thread.Str(), Messages: []*mail.Message{m}}
	s.thread = mt.ID
	t := session.NewThread(mt, c.opts.Limits.ofArtifacts())
	c.message(s, nil, t.Messages[0], nil)
	if !m.ReplyDraft {
		c.threadRules(s, t, nil)
	}
}

// inThread holds a draft against its thread: what the thread's rules report
// with the draft, and did not without it, is the draft's doing.
func (c *check) inThread(m *mail.Message) []string {
	infos := c.store.Threads()
	for i := range infos {
		if infos[i].ID == m.Thread.Str() && infos[i].ID != "" && (m.Project == "" || infos[i].Project == "" || infos[i].Project == m.Project) {
			return c.inLoadedThread(m, infos[i])
		}
	}
	c.notices = append(c.notices, fmt.Sprintf("no thread %q among the exports: the draft is judged by itself", m.Thread.Str()))
	return nil
}

func (c *check) inLoadedThread(m *mail.Message, info export.ThreadInfo) []string {
	mt, _ := c.store.Load(info)
	if len(mt.Messages) == 0 {
		return nil
	}
	before := c.newSink("")
	before.thread = mt.ID
	alone := session.NewThread(mt, c.opts.Limits.ofArtifacts())
	c.threadRules(before, alone, c.replay(before, alone))
	known := map[string]bool{}
	for _, f := range before.findings {
		known[findingKey(f)] = true
	}

	last := *m
	last.Time, last.HasTime = mt.Messages[len(mt.Messages)-1].Time.Add(time.Second), true
	last.Facts = mt.Messages[0].Facts
	mt.Messages = append(mt.Messages, &last)
	after := c.newSink(m.File.Path)
	after.thread = mt.ID
	t := session.NewThread(mt, c.opts.Limits.ofArtifacts())
	r := c.replay(after, t)
	c.threadRules(after, t, r)
	kept := after.findings[:0]
	for _, f := range after.findings {
		if !known[findingKey(f)] {
			kept = append(kept, f)
		}
	}
	after.findings = kept
	after.failures = append(after.failures, before.failures...)
	c.sinks = append(c.sinks, after)
	if r == nil {
		return nil
	}
	return r.Outlook()
}

// key tells findings of one thread apart.
func findingKey(f *lint.Finding) string {
	return fmt.Sprintf("%s\x00%s\x00%d\x00%s\x00%s", f.Rule, f.Path, offsetOf(f), f.MessageID, f.Message)
}

// advise gives every finding that has none a suggestion: who writes a draft can
// still change it.
func advise(d *lint.Draft) {
	advice := map[string]string{}
	for _, r := range d.Rules {
		advice[r.ID] = r.Advice
	}
	for _, f := range d.Findings {
		f.Suggestion = cmp.Or(f.Suggestion, advice[f.Rule])
	}
}
