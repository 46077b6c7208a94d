package engine

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/compile"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/source"
)

// Mailbox is the mail at some paths, indexed once: its threads are read when they are
// asked for. It is safe for concurrent use.
type Mailbox struct {
	linter   *Linter
	previous *Previous    // for Reopen
	mu       sync.RWMutex // who closes it waits for who reads
	in       *inputs      // nil once it is closed
}

// ErrMailboxClosed reports that a Mailbox was closed.
var ErrMailboxClosed = errors.New("the mailbox is closed")

// OpenMailbox indexes the mail that lies at the paths. The error is a path that names
// nothing of ours, or a cancelled context.
func (l *Linter) OpenMailbox(ctx context.Context, paths ...string) (*Mailbox, error) {
	return l.openMailbox(ctx, &Previous{}, paths)
}

func (l *Linter) openMailbox(ctx context.Context, previous *Previous, paths []string) (*Mailbox, error) {
	with := *l
	with.opts.Previous = previous
	b := &Mailbox{linter: l, previous: previous, in: newInputs(&with)}
	if err := b.in.load(ctx, paths, nil); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Reopen closes a mailbox and opens it again, as its mail is now. If nothing happened but that
// messages were added to a live database that is all of it, only these are indexed.
func (b *Mailbox) Reopen(ctx context.Context, paths ...string) (*Mailbox, error) {
	b.mu.Lock()
	in := b.in
	b.in = nil
	b.mu.Unlock()
	if in == nil {
		return b.linter.OpenMailbox(ctx, paths...)
	}
	in.close()
	return b.linter.openMailbox(ctx, b.previous, paths)
}

// Close closes databases. Threads that were replayed cannot be asked any more.
func (b *Mailbox) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.in != nil {
		b.in.close()
		b.previous.Close()
		b.in = nil
	}
}

// use calls do while the mailbox is open.
func (b *Mailbox) use(do func(*inputs) error) error {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.in == nil {
		return ErrMailboxClosed
	}
	return do(b.in)
}

// ThreadRef names a thread of a mailbox.
type ThreadRef struct {
	ID, Project string
	Messages    int
	Size        int64 // in bytes, roughly
}

// Threads lists the threads by thread id, then project.
func (b *Mailbox) Threads() (out []ThreadRef) {
	_ = b.use(func(in *inputs) error { // of a closed one there are none
		for _, info := range in.store.Threads() {
			out = append(out, refOfThread(info))
		}
		return nil
	})
	return out
}

func refOfThread(info export.ThreadInfo) ThreadRef {
	return ThreadRef{info.ID, info.Project, info.Messages, info.Size}
}

// Artifacts lists the paths of the artifact files, in the order of the inputs.
func (b *Mailbox) Artifacts() (out []string) {
	_ = b.use(func(in *inputs) error { // of a closed one there are none
		for _, f := range in.artifacts {
			out = append(out, filepath.ToSlash(f.in.Path()))
		}
		return nil
	})
	return out
}

// ThreadOf returns the thread of the artifact at a path; false if it has no mail.
func (b *Mailbox) ThreadOf(path string, a *artifact.Artifact) (ref ThreadRef, found bool) {
	_ = b.use(func(in *inputs) error { // in a closed one there is none
		_, infos := in.threadsOf(threadOfFile(path, a))
		if found = len(infos) > 0; found {
			ref = refOfThread(in.threadOf(a, infos))
		}
		return nil
	})
	return ref, found
}

// MailThread is a thread of a mailbox, replayed.
type MailThread struct {
	mailbox *Mailbox
	info    export.ThreadInfo
	mu      sync.Mutex // guards what is asked of the replay
	thread  *session.Thread
	replay  *replay.Thread // nil where only a part of the thread is there
	fault   error          // why it cannot be compiled
}

// Replay reads and replays a thread.
func (b *Mailbox) Replay(ctx context.Context, ref ThreadRef) (out *MailThread, _ error) {
	err := b.use(func(in *inputs) error {
		infos, err := ofProject(in.threadsNamed(ref.ID), ref.ID, ref.Project)
		if err != nil {
			return err
		}
		if len(infos) == 0 {
			return in.notFound(ref.ID)
		}
		t := in.openThread(infos[0])
		for range t.messages() {
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		t.finish()
		out = &MailThread{mailbox: b, info: infos[0], thread: t.Thread, replay: t.replay}
		if out.fault = in.unreadableMail(); out.fault == nil {
			_, out.fault = t.whole()
		}
		return nil
	})
	return out, err
}

// use calls do while the thread can be read, with its replay.
func (t *MailThread) use(do func(*inputs) error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.mailbox.use(do)
}

// Blame finds for every item and field of an artifact which delta, message and agent
// set it; nothing if only a part of the thread is there.
func (t *MailThread) Blame(a *artifact.Artifact) (out []replay.FieldBlame, _ error) {
	err := t.use(func(*inputs) error {
		if t.replay != nil {
			out = t.mailbox.linter.blamed(t.replay, a, (*replay.Thread).Blame)
		}
		return nil
	})
	return out, err
}

// Compile is as Linter.Compile, of this thread.
func (t *MailThread) Compile(opts CompileOptions) (out *compile.Result, _ error) {
	err := t.use(func(*inputs) (err error) {
		if t.fault != nil {
			return t.fault
		}
		out, err = t.mailbox.linter.compile(t.replay, opts)
		return err
	})
	return out, err
}

// State returns what the deltas of the thread give now; nil if only a part of it is there.
func (t *MailThread) State() *state.State {
	if t.replay == nil {
		return nil
	}
	return t.replay.Pending.State
}

// Artifact returns the rendering of State: blame of it is of now.
func (t *MailThread) Artifact() *artifact.Artifact {
	if t.replay == nil {
		return &artifact.Artifact{Text: source.NewText(nil)}
	}
	return artifact.ParseMarkdown(source.NewText(artifact.Render(t.State(), artifact.RenderMeta{SessionID: t.info.ID})), t.mailbox.linter.opts.Limits.ofArtifacts())
}

// LatestVersion returns the highest version that the thread has published, 0 if none.
func (t *MailThread) LatestVersion() int {
	if t.replay == nil {
		return 0
	}
	return latestVersion(t.replay)
}

// Published returns the id of the COMPILED that published a version, as front matter writes
// it; false if none did.
func (t *MailThread) Published(version string) (messageID string, ok bool) {
	for _, m := range t.thread.Messages {
		if m.Intended == brenner.Compiled && brenner.SameVersion(version, m.Version.Number) {
			return m.ID, true
		}
	}
	return "", false
}

// PublishedItem returns the first version that published an item; false if none did.
func (t *MailThread) PublishedItem(id brenner.ItemID) (version int, ok bool) {
	if t.replay == nil {
		return 0, false
	}
	for _, w := range t.replay.Windows {
		if w.State.Find(id) != nil || w.Published != nil && w.Published.Find(id) != nil {
			return w.Compiled.Version.Number, true
		}
	}
	return 0, false
}

// VersionOf returns the version that published a delta, or will; 0 if it is not known.
func (t *MailThread) VersionOf(by *replay.Blame) int {
	if t.replay == nil {
		return 0
	}
	for _, w := range t.replay.Windows {
		if w.Holds(by) {
			return max(0, w.Compiled.Version.Number)
		}
	}
	if t.replay.Pending.Holds(by) {
		return latestVersion(t.replay) + 1
	}
	return 0
}

// DeltaPlace returns where a delta sets a field: the path and the place in the file. Where
// it sets no such field it is the delta. It is false where no file holds it as text.
func (t *MailThread) DeltaPlace(ctx context.Context, by *replay.Blame, field string) (path string, at source.Range, ok bool, _ error) {
	err := t.use(func(in *inputs) error {
		reading, index := in.store.Open(t.info), 0
		for _, m := range reading.Read() {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if by.IsOf(m.ID, index) {
				path, at, ok = deltaPlace(m, by.Delta, field, in.opts.Limits.ofArtifacts())
				return nil
			}
			index++
		}
		return nil
	})
	return path, at, ok, err
}

// deltaPlace returns the place of a delta of a message, or of a field that it sets.
func deltaPlace(m *mail.Message, index int, field string, limits artifact.Limits) (string, source.Range, bool) {
	for _, d := range session.Begin(&mail.Thread{}, limits).Add(m).Deltas {
		if d.Index != index {
			continue
		}
		place := fieldPlace(d, field)
		if r := rangeOf(place); r != nil {
			return filepath.ToSlash(place.Text.File.Path), *r, true
		}
	}
	return "", source.Range{}, false
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
