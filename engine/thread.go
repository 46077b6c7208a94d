package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Thread is a thread of a Mailbox. Its messages are read in order of time, and then replayed; there
// is no other way in which threads are read. [Mailbox.Thread] returns it when that is done: then it
// is safe for concurrent use, and can be asked as long as its mailbox is open.
type Thread struct {
	index    *mailIndex
	info     export.ThreadInfo
	reader   *export.ThreadReader
	session  *session.Thread
	replays  bool           // the thread is there as a whole
	joined   bool           // a draft is its last message
	replay   *replay.Thread // nil until it is read, and where it is not there as a whole
	failures failures
	restored int        // messages (maxRestoredMessages)
	asking   sync.Mutex // guards what is asked of the replay
}

// Thread reads and replays the thread that a Ref names: without a thread id, the only thread of
// the inputs; without a project, the thread of the only project that has the id.
func (b *Mailbox) Thread(ctx context.Context, ref mail.Ref) (*Thread, error) {
	x, err := b.readFor(ctx, ref.Thread)
	if err != nil {
		return nil, err
	}
	info, err := x.oneThread(ref.Thread, ref.Project)
	if err != nil {
		return nil, cmp.Or(x.unreadableMail(), err)
	}
	t := x.openThread(info)
	t.read(ctx, nil)
	return t, ctx.Err()
}

// readFor is read for a caller that asks for a thread, "" for all. If there is no such thread,
// the index has all: one of them may be meant.
func (b *Mailbox) readFor(ctx context.Context, thread string) (*mailIndex, error) {
	if thread != "" {
		if x, err := b.read(ctx, []string{thread}); err != nil || x.hasThread(thread) {
			return x, err
		}
	}
	return b.read(ctx, allThreads)
}

// ThreadOf returns the thread of the artifact at a path; false if it has no mail.
func (b *Mailbox) ThreadOf(ctx context.Context, path string, a *artifact.Artifact) (ref mail.Ref, found bool, _ error) {
	x, err := b.read(ctx, allThreads)
	if err != nil {
		return mail.Ref{}, false, err
	}
	info, found := x.threadOf(path, a)
	return refOf(info), found, nil
}

// openThread opens a thread that is replayed, if it is there as a whole.
func (x *mailIndex) openThread(info export.ThreadInfo) *Thread {
	t := x.openMail(info)
	all := x.store.Threads()
	isStray := info.ID == "" && all[len(all)-1].ID != "" // TH-007: the session that it is of is unknown
	t.replays = t.reader.Whole && !isStray
	return t
}

// openMail opens a thread that is not replayed.
func (x *mailIndex) openMail(info export.ThreadInfo) *Thread {
	reader := x.store.Open(info)
	return &Thread{index: x, info: info, reader: reader, session: session.Begin(&reader.Thread, x.opts.Limits.ofArtifacts())}
}

// replayOptions returns what the replay of a thread needs in addition: the settings, and
// the thread's artifact files among the inputs.
func (x *mailIndex) replayOptions(r *export.ThreadReader) replay.Options {
	opts := replay.Options{Roster: x.opts.RuleConfig.Roster, Priority: x.opts.RuleConfig.Priority}
	if r.ID == "" {
		return opts
	}
	for _, f := range x.artifacts.byThread[r.ID] {
		if a, _ := x.readArtifact(f.in); a != nil && (len(x.threadsNamed(r.ID)) < 2 || namesMessageOf(a, r)) {
			opts.Files = append(opts.Files, replay.File{Path: f.in.Path(), Artifact: a})
		}
	}
	return opts
}

// read reads the thread, with a draft, if one is given, as its last message, and replays it, unless
// it is cancelled.
func (t *Thread) read(ctx context.Context, draft *mail.Message) {
	end := t.index.opts.Trace.time(readStage)
	list := t.reader.Read()
	end()
	for _, m := range list {
		if ctx.Err() != nil {
			return
		}
		t.add(m)
	}
	if n := len(t.session.Messages); n > 0 && draft != nil {
		last := *draft
		last.Time, last.HasTime = t.session.Messages[n-1].Time.Add(time.Second), true
		info := *t.session.Messages[0].ExportInfo
		info.AckFlagsCleared = false // that of the draft is known
		last.ExportInfo = &info
		t.joined = t.add(&last)
	}
	if t.replays && len(t.session.Messages) > 0 {
		opts := t.index.replayOptions(t.reader)
		defer t.index.opts.Trace.time(replayStage)()
		t.guard(replayStage, func() { t.replay = replay.New(t.session, opts) })
	}
}

// add reads the next message. Where that breaks, it returns false, and the thread is no longer there
// as a whole.
func (t *Thread) add(m *mail.Message) (ok bool) {
	defer t.index.opts.Trace.time(parseStage)()
	ok = t.guard(parseStage, func() {
		if m.Garbled && t.restored < maxRestoredMessages {
			t.restored++
			m = t.index.restoreMessage(t.session.Thread, m)
		}
		t.session.Add(m)
	})
	t.replays = t.replays && ok
	return ok
}

func (t *Thread) guard(stage string, do func()) bool {
	path := ""
	if len(t.session.Messages) > 0 {
		path = t.session.Messages[0].ExportInfo.Path
	}
	return t.failures.guard(stage, path, t.info.ID, do)
}

// Err returns why the thread cannot be replayed whole: mail cannot be read, or only a part of the
// thread is there; nil if it can.
func (t *Thread) Err() error {
	faults := t.reader.Facts.Faults
	if err := t.index.unreadableMail(); err != nil {
		return err
	}
	switch {
	case len(t.failures) > 0:
		return &t.failures[0]
	case len(faults) > 0:
		return fmt.Errorf("thread %s cannot be replayed whole: %w", t.info.ID, &faults[0])
	case t.replay != nil:
		return nil
	}
	where := "" // the rest may be
	if notices := t.index.store.Notices(); len(notices) > 0 {
		where = ": " + strings.Join(notices, "; ")
	}
	return fmt.Errorf("thread %s cannot be replayed whole: the inputs have only part of it (a listing, or single messages)%s", t.info.ID, where)
}

// State returns what the deltas of the thread give now; nil if only a part of it is there.
func (t *Thread) State() *brenner.State {
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
	return artifact.ParseMarkdown(source.NewText(artifact.Render(t.State(), artifact.RenderMeta{SessionID: t.info.ID})), t.index.opts.Limits.ofArtifacts())
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
func (t *Thread) LatestVersion() int { return replay.LatestVersion(t.Windows()) }

// Published returns the number of a version, as front matter writes it, and the id of the
// COMPILED that published it; 0 if none did.
func (t *Thread) Published(version string) (number int, messageID string) {
	for _, m := range t.session.Messages {
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

// Compile makes the COMPILED that publishes the next version of the thread, or an
// earlier one as it should have been published. Of the options only Version, Compiler and At count:
// the mailbox has the others. A thread that cannot be replayed whole
// is not compiled: the error is that of Err. It is a [*replay.NothingError] if there is
// nothing to publish.
func (t *Thread) Compile(opts replay.CompileOptions) (*replay.Compiled, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	t.asking.Lock()
	defer t.asking.Unlock()
	var broke failures
	b := t.index.Mailbox
	opts.Roster, opts.ArtifactsDir, opts.RejectedBy = b.opts.RuleConfig.Roster, b.opts.RuleConfig.ArtifactsDir, b.rules.RejectedBy
	opts.Validate = func(body string) []replay.ValidationFinding { return b.validate(t.session, body, &broke) }
	out, err := replay.Compile(t.replay, opts)
	if len(broke) > 0 {
		return nil, &broke[0]
	}
	return out, err
}

// validate checks the artifact in the body of a COMPILED by all rules on artifacts, also those
// that the configuration ignores (decisions.md 27: published claims).
func (b *Mailbox) validate(thread *session.Thread, body string, broke *failures) (out []replay.ValidationFinding) {
	t := session.Begin(&mail.Thread{ID: thread.ID, Project: thread.Project, Roster: thread.Roster}, b.opts.Limits.ofArtifacts())
	m := t.Add(&mail.Message{
		Subject: source.NewText([]byte("COMPILED: v1")), Body: source.NewText([]byte(body)), BodyState: mail.BodyPresent,
		Thread: source.NewText([]byte(thread.ID)),
	})
	if m.Artifact == nil {
		return nil
	}
	record := func(r *lint.Rule, d lint.Diagnostic) {
		if r.Severity < lint.Info {
			out = append(out, replay.ValidationFinding{Rule: r.ID, Severity: r.Severity.String(), Message: d.Message, At: d.At.Span.Start})
		}
	}
	run := b.newRunner("", record)
	run.thread = thread.ID
	run.artifactAsIs(b.plan.counted, &lint.ArtifactPass{Artifact: m.Artifact, Message: m}, record)
	*broke = run.failures
	slices.SortStableFunc(out, func(a, b replay.ValidationFinding) int { return cmp.Or(a.At-b.At, strings.Compare(a.Rule, b.Rule)) })
	return out
}

// Version is one side of a Diff: an artifact file, the present state of a thread, or a
// version that it published.
type Version struct {
	Thread string // "" if an artifact does not say
	Number int    // 0 if an artifact gives none, and for a thread as it is now
	// Pending counts the deltas after the last version, of a thread as it is now.
	Pending int
	// MessageID is that of the COMPILED that published the version. Merged reports that the
	// COMPILED holds no artifact, so that the merged state stands for it.
	MessageID string
	Merged    bool
	// IsFile reports that the version is an artifact file.
	IsFile bool

	state    *brenner.State
	rendered bool // it is what Markdown shows
}

// Diff returns the differences between two versions, item by item.
func Diff(a, b *Version) []diff.Change {
	switch {
	case a.rendered || b.rendered:
		return slices.Collect(diff.Renderings(a.state, b.state))
	case a.IsFile || b.IsFile:
		return slices.Collect(diff.Contents(a.state, b.state))
	}
	return slices.Collect(diff.States(a.state, b.state))
}

// ArtifactVersion returns the content of the only artifact file. It returns nil if the mailbox
// has mail, or several files.
func (b *Mailbox) ArtifactVersion(ctx context.Context) (*Version, error) {
	x, err := b.read(ctx, allThreads)
	if err != nil {
		return nil, err
	}
	if broke := x.broken(); len(broke) > 0 {
		return nil, &broke[0]
	}
	if len(x.store.Threads()) > 0 {
		return nil, nil
	}
	f, a, err := b.onlyArtifact(ctx)
	if a == nil {
		return nil, err
	}
	out := &Version{Thread: f.thread, IsFile: true, state: a.State(), rendered: !a.IsJSON()}
	if v := a.Meta.Get("version"); v != nil && brenner.IsNumber(v.Text) {
		out.Number, _ = brenner.ParseNumber(v.Text)
	}
	return out, nil
}

// Version returns a published version of the thread; for 0, the thread as it is now.
func (t *Thread) Version(n int) (*Version, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	out := &Version{Thread: t.info.ID, Number: n}
	if n == 0 {
		if t.replay.Pending.Unread {
			return nil, fmt.Errorf("thread %s cannot be replayed whole: the export lacks the bodies of DELTA messages", t.info.ID)
		}
		out.state, out.Pending = t.replay.Pending.State, len(t.replay.Pending.Deltas)
		return out, nil
	}
	w := t.replay.Version(n)
	switch {
	case w == nil && len(t.replay.Windows) == 0:
		return nil, fmt.Errorf("thread %s has no version %d: none is published", t.info.ID, n)
	case w == nil:
		return nil, fmt.Errorf("thread %s has no version %d: the latest is v%d", t.info.ID, n, t.LatestVersion())
	case w.Published == nil && w.Unread:
		return nil, fmt.Errorf("what v%d of thread %s holds is not known: bodies are missing", n, t.info.ID)
	}
	out.state, out.MessageID = w.Published, w.Compiled.ID
	if out.state == nil {
		out.state, out.Merged = w.State, true
	}
	return out, nil
}
