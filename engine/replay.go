package engine

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/parallel"
	"github.com/brennerlint/brennerlint/source"
)

// ReplayOptions are the options of Replay.
type ReplayOptions struct {
	Thread       string // only this thread; "" for all
	Project      string // only threads of this project; "" for all
	Artifact     bool   // render the last state; there must be one thread
	Permutations int    // how often the messages are shuffled and replayed again
}

// Replay replays the merges of the threads. They are listed by thread id, then project.
func (b *Mailbox) Replay(ctx context.Context, opts ReplayOptions) (*replay.Results, error) {
	x, err := b.readFor(ctx, opts.Thread)
	if err != nil {
		return nil, err
	}
	infos, err := x.threadsOfProject(opts.Thread, opts.Project)
	if err != nil {
		return nil, err
	}
	if opts.Artifact {
		one, err := x.oneThread(opts.Thread, opts.Project)
		if err != nil {
			return nil, cmp.Or(x.unreadableMail(), err)
		}
		infos = []export.ThreadInfo{one}
	}
	found, broken, untimed := make([]*replay.ThreadResult, len(infos)), make([]failures, len(infos)), make([]string, len(infos))
	parallel.Do(b.opts.Workers, len(infos), func(i int) {
		if ctx.Err() != nil {
			return
		}
		broken[i].guard(threadStage, "", infos[i].ID, func() {
			t := x.openThread(infos[i])
			t.read(ctx, nil)
			if t.replay != nil && ctx.Err() == nil { // else only a part of it is there
				out := b.threadResult(t.replay, opts.Artifact)
				untimed[i] = t.replay.Notice()
				if opts.Permutations > 0 {
					out.Shuffled, out.Stable = opts.Permutations, t.stable(out, opts.Permutations)
				}
				found[i] = out
			}
			broken[i] = append(broken[i], t.failures...)
		})
	})
	out := &replay.Results{Threads: make([]replay.ThreadResult, 0, len(found)), Notices: slices.Concat(b.Notices(), x.store.Notices())}
	for i, t := range found {
		if t == nil {
			continue
		}
		out.Threads = append(out.Threads, *t)
		if untimed[i] != "" {
			out.Notices = append(out.Notices, untimed[i])
		}
	}
	for _, f := range x.faults() {
		out.Unreadable = true
		out.Notices, out.Quoted = append(out.Notices, f.Error()), append(out.Quoted, jsontree.Quoted(f.Err)...)
	}
	for _, broke := range append([]failures{x.broken()}, broken...) {
		for i := range broke {
			out.Failures = append(out.Failures, &broke[i])
		}
	}
	return out, ctx.Err()
}

// threadResult returns the replay of one thread as reports show it, perhaps with the last state.
func (b *Mailbox) threadResult(r *replay.Thread, withState bool) *replay.ThreadResult {
	out := &replay.ThreadResult{
		Thread: r.Thread.ID, Project: r.Thread.Project, Windows: make([]replay.WindowResult, 0, len(r.Windows)),
		Pending: replay.PendingResult{Deltas: len(r.Pending.Deltas), Hash: r.Pending.Hash()},
	}
	for _, w := range r.Windows {
		out.Windows = append(out.Windows, b.windowResult(w))
	}
	if withState {
		out.Artifact = artifact.Render(r.Pending.State, metaOf(r)) // the hash of Pending stands for it
	}
	return out
}

func (b *Mailbox) windowResult(w *replay.Window) replay.WindowResult {
	out := replay.WindowResult{
		MessageID: w.Compiled.ID, Base: w.Base, Applied: w.Applied, Rejected: make([]replay.RejectedDelta, 0, len(w.Rejected)),
		Hash: w.Hash(), PublishedHash: w.PublishedHash(), Matches: w.Matches, OrderSensitive: w.OrderSensitive,
	}
	if n := w.Compiled.Version.Number; n > 0 {
		out.Version = &n
	}
	for _, d := range w.Rejected {
		if d.Allowed {
			continue
		}
		rule, reason := b.rules.RejectedBy(d.Rejection)
		out.Rejected = append(out.Rejected, replay.RejectedDelta{MessageID: d.In.ID, Delta: d.Index, Rule: rule, Message: reason, Quoted: d.Rejection.Quoted()})
	}
	if w.Published != nil && w.Matches != nil && !*w.Matches {
		out.Differences, out.Differing = differences(w)
	}
	return out
}

// maxDifferences is how many differences of a window are shown.
const maxDifferences = 10

// differences returns the first differences of a published artifact, and counts all.
func differences(w *replay.Window) (first []replay.Difference, n int) {
	for c := range diff.States(w.State, w.Published) {
		if c.Before == nil || c.After == nil {
			if n++; n <= maxDifferences {
				first = append(first, replay.Difference{Item: c.ID.String(), Missing: c.After == nil, Added: c.Before == nil})
			}
			continue
		}
		for i := range c.Fields {
			f := &c.Fields[i]
			if n++; n <= maxDifferences {
				merged, published := f.Values()
				first = append(first, replay.Difference{Item: c.ID.String(), Key: f.Key, Part: f.Part, Merged: merged, Published: published})
			}
		}
	}
	return first, n
}

// metaOf returns the front matter of the last state of a thread.
func metaOf(r *replay.Thread) artifact.RenderMeta {
	meta := artifact.RenderMeta{SessionID: r.Thread.ID, Version: 1, Status: "draft"}
	for _, m := range r.Thread.Messages {
		if m.HasTime {
			meta.UpdatedAt = m.Time.Format(time.RFC3339Nano)
			meta.CreatedAt = cmp.Or(meta.CreatedAt, meta.UpdatedAt)
		}
	}
	if len(r.Windows) > 0 {
		meta.Version = max(1, replay.LatestVersion(r.Windows))
		meta.Status = "active"
		if len(r.Pending.Deltas) > 0 {
			meta.Version++ // that of the coming COMPILED (decisions.md 58: versions of replay and compile)
		}
	}
	for _, agent := range r.Contributors(r.Pending) {
		meta.Contributors = append(meta.Contributors, artifact.Contributor{Agent: agent})
	}
	return meta
}

// stable replays the thread with its messages shuffled, and reports whether every
// hash stays what it was. The seed is fixed: the same input gives the same
// answer.
func (t *Thread) stable(want *replay.ThreadResult, permutations int) bool {
	random := rand.New(rand.NewPCG(1, 2))
	opts := t.index.replayOptions(t.reader)
	shuffled := *t.session.Thread
	for _, m := range t.session.Messages {
		shuffled.Messages = append(shuffled.Messages, m.Message)
	}
	for range permutations {
		random.Shuffle(len(shuffled.Messages), func(i, j int) {
			shuffled.Messages[i], shuffled.Messages[j] = shuffled.Messages[j], shuffled.Messages[i]
		})
		export.Sort(shuffled.Messages)
		got := t.index.threadResult(replay.New(session.NewThread(&shuffled, t.index.opts.Limits.ofArtifacts()), opts), false)
		if got.Pending.Hash != want.Pending.Hash || !slices.EqualFunc(got.Windows, want.Windows, func(a, b replay.WindowResult) bool { return a.Hash == b.Hash }) {
			return false
		}
	}
	return true
}

// Blame finds which delta, message and agent set each item and field of the artifact file at a
// path; with history also the earlier values. The mailbox must have the mail of the artifact's
// thread; without a project, the artifact or the inputs must tell which one it is of.
func (b *Mailbox) Blame(ctx context.Context, file, project string, history bool) (*replay.BlameResult, error) {
	a, err := b.artifactAt(ctx, file)
	if err != nil {
		return nil, err
	}
	thread := threadOfFile(file, a)
	x, err := b.read(ctx, []string{thread, nameOfFile(file)})
	if err == nil {
		err = x.unreadableMail()
	}
	if err != nil {
		return nil, err
	}
	info, found := x.threadOf(file, a)
	if !found {
		return nil, fmt.Errorf("find thread %q: the inputs have no mail of it", thread)
	}
	if project != "" || !namesMessageOf(a, x.store.Open(info)) {
		if info, err = x.oneThread(info.ID, project); err != nil {
			return nil, err
		}
	}
	t := x.openThread(info)
	t.read(ctx, nil)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case len(t.failures) > 0:
		return nil, &t.failures[0]
	case t.replay == nil:
		return nil, fmt.Errorf("replay thread %q: the inputs have only part of it", info.ID)
	}
	return &replay.BlameResult{Path: file, Thread: info.ID, Fields: t.blame(a, history)}, nil
}

// artifactAt reads the artifact file at a path, which need not be one of the mailbox.
func (b *Mailbox) artifactAt(ctx context.Context, path string) (*artifact.Artifact, error) {
	opts := b.opts
	opts.Trace, opts.Workers = nil, 1
	at, err := Open(ctx, b.rules, opts, path)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	_, a, err := at.onlyArtifact(ctx)
	if a == nil && err == nil {
		err = fmt.Errorf("%s is not an artifact", path)
	}
	return a, err
}

// Blame finds which delta, message and agent set each item and field of an artifact. It returns
// nothing if only a part of the thread is there.
func (t *Thread) Blame(a *artifact.Artifact) []replay.FieldBlame {
	if t.replay == nil {
		return nil
	}
	t.asking.Lock()
	defer t.asking.Unlock()
	return t.blame(a, false)
}

// blame returns the blame of an artifact, with the rules for which deltas were to be
// rejected.
func (t *Thread) blame(a *artifact.Artifact, history bool) []replay.FieldBlame {
	out := t.replay.Blame(a, history)
	name := func(by *replay.Blame) {
		if by != nil {
			by.RejectedBy, _ = t.index.rules.RejectedBy(by.Rejection)
		}
	}
	for i := range out {
		name(out[i].By)
		for j := range out[i].History {
			name(out[i].History[j].By)
		}
	}
	return out
}

// VersionOf returns the version that published a delta, or will; 0 if it is not known.
func (t *Thread) VersionOf(by *replay.Blame) int {
	for _, w := range t.Windows() {
		if w.Holds(by) {
			return max(0, w.Compiled.Version.Number)
		}
	}
	if t.replay != nil && t.replay.Pending.Holds(by) {
		return t.LatestVersion() + 1
	}
	return 0
}

// DeltaPlace returns where a delta sets a field: the path and the place in the file. If the delta
// does not set the field, the place is that of the delta. ok is false if no file holds it as text.
func (t *Thread) DeltaPlace(by *replay.Blame, field string) (path string, at source.Range, ok bool) {
	for _, m := range t.session.Messages {
		for _, d := range m.Deltas {
			if !by.IsOf(m.ID, m.Index) || d.Index != by.Delta {
				continue
			}
			place := fieldPlace(d, field)
			if r := rangeOf(place); r != nil {
				return filepath.ToSlash(place.Text.File.Path), *r, true
			}
		}
	}
	return "", at, false
}

func fieldPlace(d *delta.Delta, field string) source.Place {
	switch n := d.Payload.Get(field); {
	case d.Root == nil:
		return d.Fence
	case field != "" && n != nil:
		return d.Pos(n)
	}
	return d.ObjectStart()
}
