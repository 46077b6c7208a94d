package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/watch"
)

const (
	// lookAgain is how long a look at the files serves, unless the client reports a change;
	// where looking takes long, lookShare times as long as it took.
	lookAgain = 2 * time.Second
	lookShare = 10
	// maxReplayed bounds the threads that are kept in memory, and maxReplayedSize what
	// they hold in bytes; one may be larger.
	maxReplayed     = 8
	maxReplayedSize = 64 << 20
	// maxFolders bounds the workspace folders.
	maxFolders = 64
)

// workspace has the mailbox of the workspace folders: one for each state of their files. A
// request that needs it looks at the files first, and makes another one if they have changed.
type workspace struct {
	mu       sync.RWMutex // held for reading by who uses the mailbox, for writing by who makes one
	mailbox  *mailbox     // nil before the first use
	looked   time.Time    // when the last look began
	previous engine.Previous

	serves   atomic.Int64                 // how long a look serves, a time.Duration
	changed  atomic.Pointer[time.Time]    // when the client last reported a change
	progress atomic.Pointer[workProgress] // of the check that is under way
}

// mailbox is the mail and the artifact files of the workspace as they were at one time.
type mailbox struct {
	*engine.Mailbox       // nil if there are no folders
	err             error // why there is none
	settings        *Settings
	paths           []string
	look            watch.Look

	mu      sync.Mutex
	threads map[engine.ThreadInfo]*mailThread // those that were asked for
	size    int64                             // of these threads

	checking  sync.Mutex
	documents []workspaceDocument // what a check found; nil before the first
}

// fileChanged notes that files of the workspace may have changed.
func (w *workspace) fileChanged() {
	now := time.Now()
	w.changed.Store(&now)
}

// recently is since when a look at the files serves.
func (w *workspace) recently() time.Time {
	since := time.Now().Add(-max(lookAgain, time.Duration(w.serves.Load())))
	if changed := w.changed.Load(); changed != nil && changed.After(since) {
		return *changed
	}
	return since
}

// withMailbox calls do with the mailbox as the files were at some time, or later; not where
// there are no folders.
func (s *server) withMailbox(ctx context.Context, since time.Time, do func(*mailbox) error) error {
	w := &s.workspace
	w.mu.RLock()
	for !s.isMade(since) {
		w.mu.RUnlock()
		s.makeMailbox(since)
		w.mu.RLock()
	}
	defer w.mu.RUnlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if w.mailbox.Mailbox == nil {
		return w.mailbox.err
	}
	return do(w.mailbox)
}

// isMade reports whether there is a mailbox under the settings of now, of a look that is not
// older than since.
func (s *server) isMade(since time.Time) bool {
	w := &s.workspace
	return !w.looked.Before(since) && s.isOf(w.mailbox, s.settings.Load(), s.mailPaths())
}

func (s *server) isOf(b *mailbox, settings *Settings, paths []string) bool {
	return b != nil && b.settings == settings && slices.Equal(b.paths, paths)
}

// makeMailbox looks at the files, and makes a mailbox if they or the settings have changed.
func (s *server) makeMailbox(since time.Time) {
	w := &s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.isMade(since) {
		return // another request was faster
	}
	now, paths := s.settings.Load(), s.mailPaths()
	w.looked = time.Now()
	look, err := watch.LookAt(s.ctx, paths, input.Options{As: input.As(now.Kind), Exclude: now.Exclude, GitIgnore: now.GitIgnore})
	w.serves.Store(int64(lookShare * time.Since(w.looked)))
	old := w.mailbox
	if s.isOf(old, now, paths) && old.err == nil && err == nil && len(old.look.Changed(look)) == 0 {
		return
	}
	if old != nil && old.Mailbox != nil {
		old.Close()
	}
	if !s.isOf(old, now, paths) {
		w.previous.Close()
	}
	w.mailbox = &mailbox{err: err, settings: now, paths: paths, look: look, threads: map[engine.ThreadInfo]*mailThread{}}
	if err == nil && len(paths) > 0 {
		opts := now.Options
		opts.Trace = &engine.Trace{Progress: func(done, total int) {
			if p := w.progress.Load(); p != nil {
				p.report(done, total)
			}
		}}
		w.mailbox.Mailbox, w.mailbox.err = w.previous.Open(s.ctx, now.Rules, opts, paths...)
	}
}

// hasMailbox reports whether a mailbox was made, be it some time ago. If not, one is made for
// the next request.
func (s *server) hasMailbox() bool {
	w := &s.workspace
	if !w.mu.TryRLock() {
		return false // it is being made
	}
	defer w.mu.RUnlock()
	if w.mailbox == nil {
		s.begin(&s.work, func() { s.guard("index", func() { s.makeMailbox(time.Now()) }) })
	}
	return w.mailbox != nil
}

// thread replays a thread, or gives it as it was replayed before.
func (b *mailbox) thread(ctx context.Context, ref engine.ThreadInfo) (*mailThread, error) {
	t := b.hold(ref)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Thread == nil {
		replayed, err := b.Thread(ctx, ref.Ref)
		if err != nil {
			return nil, err
		}
		t.Thread = replayed
	}
	return t, nil
}

// hold finds the place of a thread among those that are kept. Where there is no room for
// another all go.
func (b *mailbox) hold(ref engine.ThreadInfo) *mailThread {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.threads[ref]
	if t == nil {
		if len(b.threads) == maxReplayed || b.size+ref.Size > maxReplayedSize {
			clear(b.threads)
			b.size = 0
		}
		t = &mailThread{}
		b.threads[ref] = t
		b.size += ref.Size
	}
	return t
}

// inThread calls do with the thread of an artifact, or the one that a draft names, replayed;
// not where the workspace has no mail of it.
func (s *server) inThread(ctx context.Context, snap *snapshot, do func(*mailThread) error) error {
	a, named := snap.model(), ""
	if a == nil && !snap.isConfig() {
		named = snap.threadID()
	}
	if a == nil && named == "" {
		return nil
	}
	return s.withMailbox(ctx, s.workspace.recently(), func(b *mailbox) error {
		var ref engine.ThreadInfo
		found := false
		var err error
		if a != nil {
			ref, found, err = b.ThreadOf(ctx, snap.path, a)
		} else {
			var threads []engine.ThreadInfo
			threads, err = b.Threads(ctx)
			if i := slices.IndexFunc(threads, func(t engine.ThreadInfo) bool { return t.Thread == named }); i >= 0 {
				ref, found = threads[i], true
			}
		}
		if err != nil || !found {
			return err
		}
		t, err := b.thread(ctx, ref)
		if err != nil {
			return err
		}
		return do(t)
	})
}

// folders are the workspace folders.
type folders struct {
	mu   sync.Mutex
	dirs []string
}

// set takes in folders and forgets others.
func (f *folders) set(added, removed []workspaceFolder) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range removed {
		f.dirs = slices.DeleteFunc(f.dirs, func(dir string) bool { return dir == filePath(r.URI) })
	}
	for _, a := range added {
		if dir := filePath(a.URI); dir != "" && !slices.Contains(f.dirs, dir) && len(f.dirs) < maxFolders {
			f.dirs = append(f.dirs, dir)
		}
	}
	slices.Sort(f.dirs)
}

// mailPaths returns where the mail of the workspace is: in its folders, each once.
func (s *server) mailPaths() []string {
	f := &s.folders
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, dir := range f.dirs {
		switch within := func(other string) bool { return other != dir && isWithin(dir, other) }; {
		case slices.ContainsFunc(f.dirs, within):
		case dir == s.client.root:
			out = append(out, s.settings.Load().Paths...)
		default:
			out = append(out, dir)
		}
	}
	return out
}

// isWithin reports whether a path is in a folder.
func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
