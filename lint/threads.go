package lint

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/mail"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/replay"
	"github.com/brennerlint/brennerlint/internal/session"
	"github.com/brennerlint/brennerlint/internal/wording"
)

// threads checks the threads, each as a whole on one worker and the largest
// first, so that no worker is left with a large one at the end.
func (c *check) threads(ctx context.Context) {
	c.problems = append(c.problems, c.store.Problems()...)
	infos := c.store.Threads()
	sinks := make([]*sink, len(infos))
	problems := make([][]mail.Problem, len(infos))
	sessions := make([]*replay.Session, len(infos))
	if c.opts.Threads {
		c.views = make([]ThreadView, len(infos))
	}
	order := make([]int, len(infos))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(infos[b].Size, infos[a].Size) })
	c.done.Store(0)
	parallel(c.opts.Workers, len(order), func(n int) {
		defer c.progress(len(order))
		i := order[n]
		sinks[i] = c.newSink("")
		if ctx.Err() != nil {
			return
		}
		var t *mail.Thread
		start := c.opts.Profile.start()
		t, problems[i] = c.store.Load(infos[i])
		c.opts.Profile.add(readStage, start)
		if len(t.Messages) == 0 {
			return
		}
		start = c.opts.Profile.start()
		st := session.NewThread(t)
		c.opts.Profile.add(parseStage, start)
		r := c.thread(sinks[i], st)
		if c.views != nil {
			c.views[i] = viewOf(st)
		}
		if r != nil && len(c.plan.workspace) > 0 {
			sessions[i] = r.Summary()
			sessions[i].Open = func() (*session.Thread, *artifact.Artifact) {
				t, _ := c.store.Load(infos[i])
				return session.NewThread(t), nil
			}
		}
	})
	for _, s := range sessions {
		if s != nil {
			c.sessions = append(c.sessions, s)
		}
	}
	c.sinks = append(c.sinks, sinks...)
	c.problems = append(c.problems, slices.Concat(problems...)...)
}

// thread checks one thread: its messages, then the whole.
func (c *check) thread(s *sink, t *session.Thread) *replay.Thread {
	s.thread = t.ID
	s.path = t.Messages[0].Facts.Path
	r := c.replay(s, t)
	counted := make(map[*session.Message]*faults)
	for _, m := range t.Messages {
		if f := c.message(s, t, m, r); f != nil {
			counted[m] = f
		}
	}
	c.threadRules(s, t, r, counted)
	return r
}

// threadRules checks a thread as a whole. The faults of inline artifacts may have
// been counted already.
func (c *check) threadRules(s *sink, t *session.Thread, r *replay.Thread, counted map[*session.Message]*faults) {
	p := &ThreadPass{Pass: c.pass(s), Thread: t, Whole: t.Whole, Replay: r}
	p.Count = func(m *session.Message) (least, most Tally) { return c.tally(m, r, counted[m]) }
	p.HasMessage = func(id string) bool { return c.store.Has(t.Project, id) }
	for _, r := range c.plan.thread {
		p.rule = r
		s.try(r.ID, func() { r.Check.(ThreadCheck)(p) })
	}
}

// replay merges a thread again, and holds what was published against it, the
// thread's artifact files among the inputs included. It is nil for a thread that
// is not there as a whole.
func (c *check) replay(s *sink, t *session.Thread) (r *replay.Thread) {
	if !t.Whole {
		return nil
	}
	opts := replay.Options{Roster: c.opts.Settings.Roster, Priority: c.opts.Settings.Priority}
	if t.ID != "" {
		for _, task := range c.byThread[t.ID] {
			if a, _ := readArtifact(task.in, c.opts.Profile); a != nil && (!c.shared(t.ID) || names(a, t)) {
				opts.Files = append(opts.Files, replay.File{Path: task.in.Path(), Artifact: a})
			}
		}
	}
	s.try(replayStage, func() { r = replay.New(t, opts) })
	if r != nil && len(r.Outside) > 0 {
		s.notices = append(s.notices, outside(r))
	}
	return r
}

// shared reports that threads of several projects have one id: then a file alone
// does not tell whose artifact it is.
func (c *check) shared(id string) bool {
	c.countIDs.Do(func() {
		c.threadIDs = map[string]int{}
		for _, info := range c.store.Threads() {
			c.threadIDs[info.ID]++
		}
	})
	return c.threadIDs[id] > 1
}

// names reports whether the front matter of an artifact names a message of the
// thread.
func names(a *artifact.Artifact, t *session.Thread) bool {
	id := a.Meta.Get("agent_mail_message_id")
	return id != nil && slices.ContainsFunc(t.Messages, func(m *session.Message) bool { return m.ID != "" && m.ID == id.Text })
}

// outside says which messages the replay leaves out.
func outside(r *replay.Thread) string {
	return fmt.Sprintf("thread %s: %s outside the replay, whose time cannot be read", r.Thread.ID, wording.Count(len(r.Outside), "message is", "messages are"))
}

// message checks one message, its deltas and its inline artifact, whose faults it
// returns.
func (c *check) message(s *sink, t *session.Thread, m *session.Message, r *replay.Thread) *faults {
	p := &MessagePass{Pass: c.pass(s), Message: m, Thread: t}
	for _, r := range c.plan.message[m.Intended] {
		p.rule = r
		s.try(r.ID, func() { r.Check.(MessageCheck)(p) })
	}
	if m.Intended == protocol.Delta {
		c.deltas(s, t, m)
	}
	if m.Artifact == nil {
		return nil
	}
	return c.inlineArtifact(s, m, r)
}

func (c *check) deltas(s *sink, t *session.Thread, m *session.Message) {
	for _, d := range m.Deltas {
		p := &DeltaPass{Pass: c.pass(s), Message: m, Thread: t, Delta: d}
		for _, r := range c.plan.delta {
			p.rule = r
			s.try(r.ID, func() { r.Check.(DeltaCheck)(p) })
		}
	}
}

// workspace checks what all inputs together hold.
func (c *check) workspace() {
	s := c.newSink("")
	c.sinks = append(c.sinks, s)
	p := &WorkspacePass{Pass: c.pass(s), Sessions: c.sessions}
	for _, r := range c.plan.workspace {
		p.rule = r
		s.try(r.ID, func() { r.Check.(WorkspaceCheck)(p) })
	}
}

// inputs reports faults that readers or suppressions have.
func (c *check) inputs(problems []mail.Problem) {
	if len(problems) == 0 {
		return
	}
	s := c.newSink("")
	c.sinks = append(c.sinks, s)
	p := &InputPass{Pass: c.pass(s), Problems: problems}
	for _, r := range c.plan.input {
		p.rule = r
		s.try(r.ID, func() { r.Check.(InputCheck)(p) })
	}
	artifacts := make(map[string]bool, len(c.artifacts))
	for _, t := range c.artifacts {
		artifacts[t.in.Path()] = true
	}
	for _, f := range s.findings {
		f.Artifact = artifacts[f.Path] // --fix mends artifact files only
	}
}

// viewOf is a thread as a report shows it.
func viewOf(t *session.Thread) ThreadView {
	v := ThreadView{Project: t.Project, ID: t.ID, Messages: make([]MessageView, 0, len(t.Messages))}
	for _, m := range t.Messages {
		mv := MessageView{Path: m.Facts.Path, ID: m.ID, Type: m.Intended.String(), Subject: m.SubjectText, From: textOf(m.From), Time: m.Time}
		if m.File != nil {
			mv.Path = m.File.Path
		}
		if m.Body != nil {
			mv.Body = string(m.Body.Data)
		}
		v.Messages = append(v.Messages, mv)
	}
	return v
}
