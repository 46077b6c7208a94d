package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/session"
)

// ReplayOptions say what Replay does besides.
type ReplayOptions struct {
	Thread       string // only this thread; "" for all
	Artifact     bool   // render the last state
	Permutations int    // how often the messages are shuffled and replayed again
}

// Replay replays the merges of the threads that lie at the paths. Threads are
// listed by thread id, then project.
func (l *Linter) Replay(ctx context.Context, opts ReplayOptions, paths ...string) (*replay.Report, error) {
	c := &check{Linter: l}
	defer c.close()
	if err := c.gather(ctx, paths); err != nil {
		return nil, err
	}
	infos := c.store.Threads()
	if opts.Thread != "" {
		infos = only(infos, opts.Thread)
		if len(infos) == 0 {
			return nil, fmt.Errorf("find thread %q: it is not among the inputs", opts.Thread)
		}
	}
	found, sinks := make([]*replay.ThreadReport, len(infos)), make([]*sink, len(infos))
	parallel(c.opts.Workers, len(infos), func(i int) {
		sinks[i] = c.newSink("")
		if ctx.Err() != nil {
			return
		}
		sinks[i].guard(threadStage, func() {
			mt, _ := c.store.Load(infos[i])
			found[i] = c.replayed(sinks[i], mt, opts)
		})
	})
	c.sinks = append(c.sinks, sinks...)
	for _, t := range found {
		if t != nil && t.Untimed != "" {
			c.notices = append(c.notices, t.Untimed)
		}
	}
	out := &replay.Report{Schema: replay.Schema, Threads: make([]replay.ThreadReport, 0, len(found)), Notices: c.notices}
	for _, t := range found {
		if t != nil {
			out.Threads = append(out.Threads, *t)
		}
	}
	for _, p := range append(c.problems, c.store.Problems()...) {
		if p.Fatal {
			out.Unreadable = true
			out.Notices = append(out.Notices, fmt.Sprintf("%s: %s", p.Path, p.Message))
		}
	}
	for _, s := range c.sinks {
		for i := range s.failures {
			out.Failures = append(out.Failures, &s.failures[i])
		}
	}
	return out, ctx.Err()
}

func only(infos []export.ThreadInfo, thread string) []export.ThreadInfo {
	var out []export.ThreadInfo
	for _, t := range infos {
		if t.ID == thread {
			out = append(out, t)
		}
	}
	return out
}

// replayed replays one thread; nil where the export does not hold it whole, or
// it is no thread of the protocol.
func (c *check) replayed(s *sink, mt *mail.Thread, opts ReplayOptions) *replay.ThreadReport {
	if !mt.Whole || len(mt.Messages) == 0 {
		return nil
	}
	s.thread, s.path = mt.ID, mt.Messages[0].Facts.Path
	t := session.NewThread(mt, c.opts.Limits.ofArtifacts())
	r := c.replay(s, t)
	if r == nil {
		return nil
	}
	out := &replay.ThreadReport{
		Thread: t.ID, Project: t.Project, Windows: make([]replay.WindowReport, 0, len(r.Windows)),
		Pending: replay.PendingDeltas{Deltas: len(r.Pending.Deltas), Hash: r.Pending.Hash()},
	}
	for _, w := range r.Windows {
		out.Windows = append(out.Windows, replayedWindow(w))
	}
	if len(r.Outside) > 0 {
		out.Untimed = outside(r)
	}
	if opts.Artifact {
		last := r.Pending
		if n := len(r.Windows); n > 0 && len(last.Deltas) == 0 {
			last = r.Windows[n-1] // what should have been published
		}
		out.Artifact = artifact.Render(last.State, metaOf(r))
	}
	if opts.Permutations > 0 {
		out.Shuffled, out.Stable = opts.Permutations, c.stable(mt, out, opts.Permutations)
	}
	return out
}

// replay merges a thread that is read already; nil where it is not there as a
// whole.
func (c *check) replay(s *sink, t *session.Thread) (r *replay.Thread) {
	if !t.Whole {
		return nil
	}
	opts := c.replayOptions(t.ID, hasMessage(t))
	s.try(replayStage, func() { r = replay.New(t, opts) })
	if r != nil && len(r.Outside) > 0 {
		s.notices = append(s.notices, outside(r))
	}
	return r
}

// hasMessage tells whether a thread that is read already has a message with an id.
func hasMessage(t *session.Thread) func(id string) bool {
	return func(id string) bool {
		return slices.ContainsFunc(t.Messages, func(m *session.Message) bool { return m.ID == id })
	}
}

func replayedWindow(w *replay.Window) replay.WindowReport {
	out := replay.WindowReport{
		MessageID: w.Compiled.ID, Base: string(w.Base), Applied: w.Applied, Rejected: make([]replay.RejectedDelta, 0, len(w.Rejected)),
		Hash: w.Hash(), PublishedHash: w.PublishedHash(), Matches: w.Matches, OrderSensitive: w.OrderSensitive,
	}
	if n := w.Compiled.Version.Number; n > 0 {
		out.Version = &n
	}
	for _, d := range w.Rejected {
		out.Rejected = append(out.Rejected, replay.RejectedDelta{MessageID: d.In.ID, Delta: d.Index, Rule: d.RejectedBy, Message: d.Reason})
	}
	return out
}

// metaOf is the front matter of the last state of a thread.
func metaOf(r *replay.Thread) artifact.RenderMeta {
	meta := artifact.RenderMeta{SessionID: r.Thread.ID, Version: 1, Status: "draft"}
	first, last := true, ""
	for _, m := range r.Thread.Messages {
		if !m.HasTime {
			continue
		}
		last = m.Time.Format(timeLayout)
		if first {
			meta.CreatedAt, first = last, false
		}
	}
	meta.UpdatedAt = last
	if n := len(r.Windows); n > 0 {
		meta.Version = max(1, r.Windows[n-1].Compiled.Version.Number)
		meta.Status = "active"
	}
	for _, agent := range r.Contributors() {
		meta.Contributors = append(meta.Contributors, artifact.Contributor{Agent: agent})
	}
	return meta
}

const timeLayout = "2006-01-02T15:04:05.999999999Z07:00"

// stable replays a thread with its messages shuffled, and reports whether every
// hash stays what it was. The seed is fixed: the same input gives the same
// answer.
func (c *check) stable(mt *mail.Thread, want *replay.ThreadReport, permutations int) bool {
	random := rand.New(rand.NewPCG(1, 2))
	for range permutations {
		shuffled := *mt
		shuffled.Messages = append([]*mail.Message(nil), mt.Messages...)
		random.Shuffle(len(shuffled.Messages), func(i, j int) {
			shuffled.Messages[i], shuffled.Messages[j] = shuffled.Messages[j], shuffled.Messages[i]
		})
		export.Sort(shuffled.Messages)
		got := c.replayed(c.newSink(""), &shuffled, ReplayOptions{})
		if got == nil || got.Pending.Hash != want.Pending.Hash || len(got.Windows) != len(want.Windows) {
			return false
		}
		for i := range got.Windows {
			if got.Windows[i].Hash != want.Windows[i].Hash {
				return false
			}
		}
	}
	return true
}

// threadOf is the thread that an artifact names a message of, where threads of
// several projects have its id; else the first.
func (c *check) threadOf(a *artifact.Artifact, infos []export.ThreadInfo) *session.Thread {
	var first *session.Thread
	for _, info := range infos {
		mt, _ := c.store.Load(info)
		t := session.NewThread(mt, c.opts.Limits.ofArtifacts())
		if len(infos) == 1 || names(a, hasMessage(t)) {
			return t
		}
		if first == nil {
			first = t
		}
	}
	return first
}

// Blame tells for every item and field of an artifact file which delta, message
// and agent set it. The paths hold the mail of the artifact's thread.
func (l *Linter) Blame(ctx context.Context, file string, paths ...string) (*replay.BlameReport, error) {
	own := &check{Linter: l}
	defer own.close()
	if err := own.gather(ctx, []string{file}); err != nil {
		return nil, err
	}
	if len(own.artifacts) != 1 {
		return nil, fmt.Errorf("%s is no artifact", file)
	}
	task := own.artifacts[0]
	a, problem := own.readArtifact(task.in, nil)
	if a == nil {
		return nil, fmt.Errorf("%s: %s", file, problem.Message)
	}
	c := &check{Linter: l}
	defer c.close()
	if err := c.gather(ctx, paths); err != nil {
		return nil, err
	}
	out := &replay.BlameReport{Schema: replay.BlameSchema, Path: file, Thread: task.thread}
	infos := only(c.store.Threads(), task.thread)
	if len(infos) == 0 && task.name() != task.thread {
		out.Thread = task.name()
		infos = only(c.store.Threads(), out.Thread)
	}
	if len(infos) == 0 {
		return nil, fmt.Errorf("find thread %q: no mail of it is among the inputs", task.thread)
	}
	s := c.newSink(file)
	r := c.replay(s, c.threadOf(a, infos))
	if len(s.failures) > 0 {
		return nil, &s.failures[0]
	}
	if r == nil {
		return nil, fmt.Errorf("replay thread %q: the inputs do not hold it whole", out.Thread)
	}
	for _, b := range r.Blame(a) {
		f := replay.BlamedField{Item: b.Item.String(), Field: b.Field, Value: b.Value, Differs: b.Differs, Explained: b.By != nil}
		if b.By != nil {
			f.Agent, f.MessageID, f.Delta, f.Time = b.By.Agent, b.By.MessageID, b.By.Delta, b.By.Time.Format(timeLayout)
			f.Rejected = b.By.Rejected
		} else {
			out.Unproven++
		}
		out.Fields = append(out.Fields, f)
	}
	return out, nil
}
