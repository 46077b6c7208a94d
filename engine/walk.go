package engine

import (
	"fmt"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/session"
)

// walk is the check of one thread. It goes through the messages in order of time:
// each is read, replayed, checked and, in a large thread, let go of before the
// next ones are read.
type walk struct {
	*check
	*session.Thread
	in      *export.Reading
	sink    *sink
	replay  *replay.Thread // nil for a thread that is not there as a whole
	counted map[*session.Message]*faults
	steps   []func(*session.Message) // of the rules that walk
	views   []lint.MessageView       // if the report wants them
}

func (c *check) newWalk(s *sink, in *export.Reading) *walk {
	return &walk{check: c, Thread: session.Begin(&in.Thread, c.opts.Limits.ofArtifacts()), in: in, sink: s, counted: map[*session.Message]*faults{}}
}

// thread checks the messages, then the whole.
func (w *walk) thread() {
	w.sink.thread = w.ID
	messages := w.next()
	if messages == nil {
		return
	}
	w.sink.path = messages[0].Facts.Path
	w.beginReplay()
	w.begin()
	for ; messages != nil; messages = w.next() {
		for _, m := range messages {
			w.message(m)
		}
	}
	w.endReplay()
	w.end()
}

// threadRules checks a thread as a whole that is read and replayed already.
func (c *check) threadRules(s *sink, t *session.Thread, r *replay.Thread) {
	w := &walk{check: c, Thread: t, sink: s, replay: r}
	w.begin()
	for _, m := range t.Messages {
		w.step(m)
	}
	w.end()
}

// begin begins the rules that walk, step takes them to a message, and end runs
// those that look at the whole.
func (w *walk) begin() {
	w.steps = make([]func(*session.Message), len(w.plan.walk))
	for i, r := range w.plan.walk {
		p := w.pass() // of each its own: the rule keeps it while it walks
		p.Rule = r
		w.sink.try(r.ID, func() { w.steps[i] = r.Check.(lint.WalkCheck)(p) })
	}
}

func (w *walk) step(m *session.Message) {
	for i, r := range w.plan.walk {
		if w.steps[i] != nil { // else it failed when it began
			w.sink.try(r.ID, func() { w.steps[i](m) })
		}
	}
}

func (w *walk) end() {
	p := w.pass()
	for _, r := range w.plan.thread {
		p.Rule = r
		w.sink.try(r.ID, func() { r.Check.(lint.ThreadCheck)(p) })
	}
}

// next reads the next messages.
func (w *walk) next() []*mail.Message {
	defer w.opts.Profile.add(readStage, w.opts.Profile.start())
	return w.in.Next()
}

// pass shows a rule the thread. The faults of inline artifacts may have been
// counted already.
func (w *walk) pass() *lint.ThreadPass {
	p := &lint.ThreadPass{Pass: w.sink.pass, Thread: w.Thread, Whole: w.Whole, Replay: w.replay}
	p.Count = func(m *session.Message) (least, most lint.Tally) { return w.tally(m, w.replay, w.counted[m]) }
	p.HasMessage = func(id string) bool { return w.store.Has(w.Project, id) }
	return p
}

// message reads a message and checks all that it holds.
func (w *walk) message(in *mail.Message) {
	var m *session.Message
	if w.sink.try(parseStage, func() { m = w.Add(in) }); m == nil {
		w.replay = nil // the thread is no longer there as a whole
		return
	}
	if w.replay != nil {
		w.tryReplay(func() { w.replay.Add(m) })
	}
	if f := w.check.message(w.sink, w.Thread, m, w.replay); f != nil {
		w.counted[m] = f
	}
	w.step(m)
	if w.opts.Threads {
		w.views = append(w.views, viewOf(m))
	}
	if w.in.Large {
		m.Shed()
	}
}

// beginReplay begins to merge a thread again, and to hold what was published
// against it, the thread's artifact files among the inputs included.
func (w *walk) beginReplay() {
	if !w.Whole {
		return
	}
	opts := w.replayOptions(w.ID, w.in.Has)
	if len(opts.Roster) == 0 {
		opts.Roster = w.in.Roster
	}
	w.tryReplay(func() { w.replay = replay.Begin(w.Thread, opts) })
}

func (w *walk) endReplay() {
	if w.replay == nil {
		return
	}
	if w.tryReplay(w.replay.End); w.replay != nil && len(w.replay.Outside) > 0 {
		w.sink.notices = append(w.sink.notices, outside(w.replay))
	}
}

// tryReplay does a part of the replay. One that breaks is a fault of the program:
// the thread goes without.
func (w *walk) tryReplay(do func()) {
	defer w.opts.Profile.add(replayStage, w.opts.Profile.start())
	if !w.sink.guard(replayStage, do) {
		w.replay = nil
	}
}

// replayOptions are what the replay of a thread needs besides it; has tells
// whether the thread has a message with an id.
func (c *check) replayOptions(thread string, has func(id string) bool) replay.Options {
	opts := replay.Options{Roster: c.opts.Settings.Roster, Priority: c.opts.Settings.Priority}
	if thread == "" {
		return opts
	}
	for _, task := range c.byThread[thread] {
		if a, _ := c.readArtifact(task.in, c.opts.Profile); a != nil && (!c.shared(thread) || names(a, has)) {
			opts.Files = append(opts.Files, replay.File{Path: task.in.Path(), Artifact: a})
		}
	}
	return opts
}

// names reports whether the front matter of an artifact names a message of a
// thread; has tells whether the thread has one with an id.
func names(a *artifact.Artifact, has func(id string) bool) bool {
	id := a.Meta.Get("agent_mail_message_id")
	return id != nil && id.Text != "" && has(id.Text)
}

// outside says which messages the replay leaves out.
func outside(r *replay.Thread) string {
	return fmt.Sprintf("thread %s: %s outside the replay, whose time cannot be read", r.Thread.ID, wording.Count(len(r.Outside), "message is", "messages are"))
}

// open reads a thread again, as a check leaves it.
func (c *check) open(info export.ThreadInfo) *session.Thread {
	in := c.store.Open(info)
	t := session.Begin(&in.Thread, c.opts.Limits.ofArtifacts())
	for messages := in.Next(); messages != nil; messages = in.Next() {
		for _, m := range messages {
			if s := t.Add(m); in.Large {
				s.Shed()
			}
		}
	}
	return t
}

// message checks one message, its deltas and its inline artifact, whose faults it
// returns.
func (c *check) message(s *sink, t *session.Thread, m *session.Message, r *replay.Thread) *faults {
	p := &lint.MessagePass{Pass: s.pass, Message: m, Thread: t}
	for _, r := range c.plan.message[m.Intended] {
		p.Rule = r
		s.try(r.ID, func() { r.Check.(lint.MessageCheck)(p) })
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
	p := &lint.DeltaPass{Pass: s.pass, Message: m, Thread: t}
	for _, p.Delta = range m.Deltas {
		for _, r := range c.plan.delta {
			p.Rule = r
			s.try(r.ID, func() { r.Check.(lint.DeltaCheck)(p) })
		}
	}
}

// viewOf is a message as a report shows it.
func viewOf(m *session.Message) lint.MessageView {
	v := lint.MessageView{Path: m.Facts.Path, ID: m.ID, Type: m.Intended.String(), Subject: m.SubjectText, From: m.From.Str(), Time: m.Time}
	if m.File != nil {
		v.Path = m.File.Path
	}
	if m.Body != nil {
		v.Body = string(m.Body.Content())
	}
	return v
}
