package engine

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/source"
)

// Thread is a thread of a Mailbox, read once and replayed. It is safe for concurrent use, and can
// be asked as long as its mailbox is open.
type Thread struct {
	inputs *inputs
	info   export.ThreadInfo
	mu     sync.Mutex // guards what is asked of the replay
	thread *session.Thread
	replay *replay.Thread // nil where only a part of the thread is there
	fault  error          // why it cannot be compiled
}

// Thread reads and replays the thread that a Ref names: without a thread id, the only thread of
// the inputs; without a project, the thread of the only project that has the id.
func (b *Mailbox) Thread(ctx context.Context, ref mail.Ref) (*Thread, error) {
	in, err := b.ofThread(ctx, ref.Thread)
	if err != nil {
		return nil, err
	}
	info, err := in.oneThread(ref.Thread, ref.Project)
	if err != nil {
		return nil, cmp.Or(in.unreadableMail(), err)
	}
	return in.replayed(ctx, info)
}

// ofThread returns the inputs for a caller that asks for a thread, "" for all.
func (b *Mailbox) ofThread(ctx context.Context, thread string) (*inputs, error) {
	if thread == "" {
		return b.of(ctx, allThreads)
	}
	return b.of(ctx, []string{thread})
}

// replayed reads and replays a thread.
func (in *inputs) replayed(ctx context.Context, info export.ThreadInfo) (*Thread, error) {
	r := in.openThread(info)
	for range r.messages() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	r.endReplay()
	out := &Thread{inputs: in, info: info, thread: r.Thread, replay: r.replay}
	if out.fault = in.unreadableMail(); out.fault == nil {
		out.fault = r.fault()
	}
	return out, nil
}

// ThreadOf returns the thread of the artifact at a path; false if it has no mail.
func (b *Mailbox) ThreadOf(ctx context.Context, path string, a *artifact.Artifact) (ref ThreadInfo, found bool, _ error) {
	in, err := b.of(ctx, allThreads)
	if err != nil {
		return ThreadInfo{}, false, err
	}
	_, infos := in.threadsOf(threadOfFile(path, a))
	if len(infos) == 0 {
		return ThreadInfo{}, false, nil
	}
	return infoOf(in.threadOf(a, infos)), true, nil
}

// Err returns why the thread cannot be replayed whole: mail cannot be read, or only a part of the
// thread is there; nil if it can.
func (t *Thread) Err() error { return t.fault }

// State returns what the deltas of the thread give now; nil if only a part of it is there.
func (t *Thread) State() *state.State {
	if t.replay == nil {
		return nil
	}
	return t.replay.Pending.State
}

// Artifact returns State as Markdown. Blame of this artifact is as of now, not of a published
// version.
func (t *Thread) Artifact() *artifact.Artifact {
	if t.replay == nil {
		return &artifact.Artifact{Text: source.NewText(nil)}
	}
	return artifact.ParseMarkdown(source.NewText(artifact.Render(t.State(), artifact.RenderMeta{SessionID: t.info.ID})), t.inputs.opts.Limits.ofArtifacts())
}

// Windows returns the merges of the thread, one for each COMPILED; nil if only a part of it is
// there.
func (t *Thread) Windows() []*replay.Window {
	if t.replay == nil {
		return nil
	}
	return t.replay.Windows
}

// LatestVersion returns the highest version that the thread has published, 0 if none.
func (t *Thread) LatestVersion() int { return latestVersion(t.Windows()) }

// latestVersion returns the highest version that windows publish.
func latestVersion(windows []*replay.Window) int {
	n := 0
	for _, w := range windows {
		n = max(n, w.Compiled.Version.Number)
	}
	return n
}

// Published returns the number of a version, as front matter writes it, and the id of the
// COMPILED that published it; 0 if none did.
func (t *Thread) Published(version string) (number int, messageID string) {
	for _, m := range t.thread.Messages {
		if m.Intended == brenner.Compiled && brenner.SameVersion(version, m.Version.Number) {
			return m.Version.Number, m.ID
		}
	}
	return 0, ""
}

// PublishedItem returns the first version that published an item; false if none did.
func (t *Thread) PublishedItem(id brenner.ItemID) (version int, ok bool) {
	for _, w := range t.Windows() {
		if w.State.Find(id) != nil || w.Published != nil && w.Published.Find(id) != nil {
			return w.Compiled.Version.Number, true
		}
	}
	return 0, false
}

// threadRunner reads one thread, message by message in order of time, and replays
// it on the way. It is the only way in which threads are read.
type threadRunner struct {
	*session.Thread
	inputs   *inputs
	info     export.ThreadInfo
	reading  *export.ThreadReader
	failures failures
	mended   int // messages (maxMendedMessages)
	// replay is nil where the thread is not there as a whole.
	replay *replay.Thread
}

// openThread begins to read and replay a thread.
func (in *inputs) openThread(info export.ThreadInfo) *threadRunner {
	r := in.openMail(info)
	if r.reading.Whole {
		opts := in.replayOptions(r.reading)
		r.replaying(func() { r.replay = replay.Begin(r.Thread, opts) })
	}
	return r
}

// openMail begins to read a thread that is not replayed.
func (in *inputs) openMail(info export.ThreadInfo) *threadRunner {
	reading := in.store.Open(info)
	return &threadRunner{Thread: session.Begin(&reading.Thread, in.opts.Limits.ofArtifacts()), inputs: in, info: info, reading: reading}
}

// messages returns those of the export, each replayed before it is shown.
func (r *threadRunner) messages() iter.Seq[*session.Message] {
	return func(yield func(*session.Message) bool) {
		for _, m := range r.read() {
			if read := r.add(m); read != nil && !yield(read) {
				return
			}
		}
	}
}

func (r *threadRunner) read() []*mail.Message {
	defer r.inputs.opts.Trace.end(readStage, r.inputs.opts.Trace.start())
	return r.reading.Read()
}

// add reads and replays the next message; nil where that breaks.
func (r *threadRunner) add(m *mail.Message) (read *session.Message) {
	start := r.inputs.opts.Trace.start()
	ok := r.guard(parseStage, func() {
		if m.Garbled && r.mended < maxMendedMessages {
			r.mended++
			m = r.inputs.mendMessage(r.Thread.Thread, m)
		}
		read = r.Thread.Add(m)
	})
	r.inputs.opts.Trace.end(parseStage, start)
	if !ok {
		r.replay = nil // the thread is no longer there as a whole
		return nil
	}
	if r.replay != nil {
		r.replaying(func() { r.replay.Add(read) })
	}
	return read
}

// endReplay ends the replay. It returns a notice about messages that the replay
// leaves out, or "".
func (r *threadRunner) endReplay() string {
	if len(r.Messages) == 0 {
		r.replay = nil
	}
	if r.replay == nil {
		return ""
	}
	r.replaying(r.replay.End)
	if r.replay == nil {
		return ""
	}
	return r.replay.Notice()
}

// run reads the whole thread.
func (r *threadRunner) run() (notice string) {
	for range r.messages() { //revive:disable-line:empty-block each is replayed
	}
	return r.endReplay()
}

// reopen reads a thread again, for the rules on references between sessions.
func (in *inputs) reopen(info export.ThreadInfo) (*session.Thread, *artifact.Artifact) {
	t := in.openMail(info)
	t.run()
	return t.Thread, nil
}

// facts returns what reading the thread has shown.
func (r *threadRunner) facts() export.Facts { return r.reading.Facts }

// fault returns why a thread that was read is not replayed whole; nil if it is.
func (r *threadRunner) fault() error {
	facts := r.facts()
	switch {
	case len(r.failures) > 0:
		return &r.failures[0]
	case len(facts.Faults) > 0:
		return fmt.Errorf("thread %s cannot be replayed whole: %w", r.ID, &facts.Faults[0])
	case r.replay == nil:
		return fmt.Errorf("thread %s cannot be replayed whole: the inputs have only part of it (a listing, or single messages)%s", r.ID, r.hint())
	}
	return nil
}

// hint says where the rest of the thread may be.
func (r *threadRunner) hint() string {
	if notices := r.inputs.store.Notices(); len(notices) > 0 {
		return ": " + strings.Join(notices, "; ")
	}
	return ""
}

// replaying does a part of the replay. If it panics, the thread is checked without a replay.
func (r *threadRunner) replaying(do func()) {
	defer r.inputs.opts.Trace.end(replayStage, r.inputs.opts.Trace.start())
	if !r.guard(replayStage, do) {
		r.replay = nil
	}
}

func (r *threadRunner) guard(stage string, do func()) bool {
	path := ""
	if len(r.Messages) > 0 {
		path = r.Messages[0].ExportInfo.Path
	}
	return r.failures.guard(stage, path, r.ID, do)
}

// replayOptions returns what the replay of a thread needs in addition: the settings, and
// the thread's artifact files among the inputs.
func (in *inputs) replayOptions(t *export.ThreadReader) replay.Options {
	opts := replay.Options{Roster: in.opts.RuleConfig.Roster, Priority: in.opts.RuleConfig.Priority, Gap: t.Gap}
	if t.ID == "" {
		return opts
	}
	for _, f := range in.artifacts.byThread[t.ID] {
		if a, _ := in.readArtifact(f.in); a != nil && (in.countThreads(t.ID) < 2 || namesMessageOf(a, t)) {
			opts.Files = append(opts.Files, replay.File{Path: f.in.Path(), Artifact: a})
		}
	}
	return opts
}
