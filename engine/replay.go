package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/jsontree"
)

// ReplayOptions are the options of Replay.
type ReplayOptions struct {
	Thread       string // only this thread; "" for all
	Project      string // only threads of this project; "" for all
	Artifact     bool   // render the last state
	Permutations int    // how often the messages are shuffled and replayed again
}

// Replay replays the merges of the threads that lie at the paths. Threads are
// listed by thread id, then project.
func (l *Linter) Replay(ctx context.Context, opts ReplayOptions, paths ...string) (*replay.Results, error) {
	in := newInputs(l)
	defer in.close()
	if opts.Thread != "" {
		in.only(opts.Thread)
	}
	if err := in.load(ctx, paths, nil); err != nil {
		return nil, err
	}
	infos := in.store.Threads()
	if opts.Thread != "" {
		if infos = in.threadsNamed(opts.Thread); len(infos) == 0 {
			return nil, in.notFound(opts.Thread)
		}
	}
	infos, err := ofProject(infos, opts.Thread, opts.Project)
	if err != nil {
		return nil, err
	}
	found, broken := make([]*replay.ThreadResult, len(infos)), make([]failures, len(infos))
	parallel(l.opts.Workers, len(infos), func(i int) {
		if ctx.Err() != nil {
			return
		}
		broken[i].guard(threadStage, "", infos[i].ID, func() {
			t := in.openThread(infos[i])
			notice := t.run()
			broken[i] = append(broken[i], t.failures...)
			if t.replay == nil {
				return
			}
			found[i] = l.threadResult(t.replay, opts)
			found[i].Untimed = notice
			if opts.Permutations > 0 {
				found[i].Shuffled, found[i].Stable = opts.Permutations, l.stable(in, infos[i], found[i], opts.Permutations)
			}
		})
	})
	out := &replay.Results{Threads: make([]replay.ThreadResult, 0, len(found)), Notices: slices.Concat(in.notices, in.store.Notices())}
	for _, t := range found {
		if t != nil {
			out.Threads = append(out.Threads, *t)
		}
		if t != nil && t.Untimed != "" {
			out.Notices = append(out.Notices, t.Untimed)
		}
	}
	for _, f := range in.faults() {
		out.Unreadable = true
		out.Notices, out.Quoted = append(out.Notices, f.Error()), append(out.Quoted, jsontree.Quoted(f.Err)...)
	}
	for _, broke := range append([]failures{in.failures}, broken...) {
		for i := range broke {
			out.Failures = append(out.Failures, &broke[i])
		}
	}
	return out, ctx.Err()
}

// threadResult returns the replay of one thread as reports show it.
func (l *Linter) threadResult(r *replay.Thread, opts ReplayOptions) *replay.ThreadResult {
	hashes, published, pending := r.Hashes()
	out := &replay.ThreadResult{
		Thread: r.Thread.ID, Project: r.Thread.Project, Windows: make([]replay.WindowResult, 0, len(r.Windows)),
		Pending: len(r.Pending.Deltas), PendingHash: pending,
	}
	for i, w := range r.Windows {
		out.Windows = append(out.Windows, l.windowResult(w, hashes[i], published[i]))
	}
	if opts.Artifact {
		out.Artifact = artifact.Render(r.Pending.State, metaOf(r)) // PendingHash stands for it
	}
	return out
}

func (l *Linter) windowResult(w *replay.Window, hash, published string) replay.WindowResult {
	out := replay.WindowResult{
		Version: max(0, w.Compiled.Version.Number), MessageID: w.Compiled.ID, Base: w.Base, Applied: w.Applied, Rejected: make([]replay.RejectedDelta, 0, len(w.Rejected)),
		Hash: hash, PublishedHash: published, Matches: w.Matches, OrderSensitive: w.OrderSensitive,
	}
	for _, d := range w.Rejected {
		rule, reason := l.rules.rejectedBy(d.Rejection)
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
	for _, c := range diff.States(w.State, w.Published, diff.Stored) {
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
		meta.Version = max(1, latestVersion(r))
		meta.Status = "active"
		if len(r.Pending.Deltas) > 0 {
			meta.Version++ // that of the coming COMPILED (decisions.md 58)
		}
	}
	for _, agent := range r.Contributors() {
		meta.Contributors = append(meta.Contributors, artifact.Contributor{Agent: agent})
	}
	return meta
}

// latestVersion returns the highest version that a thread has published.
func latestVersion(r *replay.Thread) int {
	n := 0
	for _, w := range r.Windows {
		n = max(n, w.Compiled.Version.Number)
	}
	return n
}

const timeLayout = time.RFC3339Nano

// stable replays a thread with its messages shuffled, and reports whether every
// hash stays what it was. The seed is fixed: the same input gives the same
// answer.
func (l *Linter) stable(in *inputs, info export.ThreadInfo, want *replay.ThreadResult, permutations int) bool {
	random := rand.New(rand.NewPCG(1, 2))
	mt, _ := in.store.Load(info)
	opts := in.replayOptions(in.store.Open(info))
	for range permutations {
		shuffled := *mt
		shuffled.Messages = slices.Clone(mt.Messages)
		random.Shuffle(len(shuffled.Messages), func(i, j int) {
			shuffled.Messages[i], shuffled.Messages[j] = shuffled.Messages[j], shuffled.Messages[i]
		})
		export.Sort(shuffled.Messages)
		got := l.threadResult(replay.New(session.NewThread(&shuffled, in.opts.Limits.ofArtifacts()), opts), ReplayOptions{})
		if got.PendingHash != want.PendingHash || !slices.EqualFunc(got.Windows, want.Windows, func(a, b replay.WindowResult) bool { return a.Hash == b.Hash }) {
			return false
		}
	}
	return true
}
