package lsp

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/watch"
)

// lookAgain is how long a look at the files is good enough, unless the client reports a change.
const lookAgain = 2 * time.Second

// workspace holds the mailbox of the workspace folders. A mailbox shows one state of their
// files. A request that needs it looks at the files first, and makes a new one if they have
// changed.
type workspace struct {
	mu       sync.RWMutex // held for reading by who uses the mailbox, for writing by who makes one
	mailbox  *mailbox     // nil before the first use
	looked   time.Time    // when the last look began
	previous engine.Previous

	changed atomic.Pointer[time.Time] // when the client last reported a change
}

// mailbox is the mail and the artifact files of the workspace as they were at one time.
type mailbox struct {
	*engine.Mailbox       // nil if there are no folders
	err             error // why there is none
	settings        *Settings
	paths           []string
	look            watch.Look

	replaying sync.Mutex
	ref       mail.Ref
	last      *engine.Thread // of ref, the last that was replayed; nil before the first

	checking  sync.Mutex
	documents []workspaceDocument // what a check found; nil before the first
}

// recently returns the time since when a look at the files is good enough.
func (w *workspace) recently() time.Time {
	since := time.Now().Add(-lookAgain)
	if changed := w.changed.Load(); changed != nil && changed.After(since) {
		return *changed
	}
	return since
}

// withMailbox calls do with a mailbox of the files as they were at since or later. It does not
// call do if there are no folders.
func (s *server) withMailbox(ctx context.Context, since time.Time, do func(*mailbox) error) error {
	w := &s.workspace
	w.mu.RLock()
	for !s.isFresh(since) {
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

// isFresh reports whether the mailbox is good enough: it has the settings and folders of now,
// and the last look at the files is not older than since.
func (s *server) isFresh(since time.Time) bool {
	w := &s.workspace
	paths, _ := s.mailPaths()
	return !w.looked.Before(since) && w.mailbox.isOf(s.settings.Load(), paths)
}

func (b *mailbox) isOf(settings *Settings, paths []string) bool {
	return b != nil && b.settings == settings && slices.Equal(b.paths, paths)
}

// makeMailbox looks at the files, and makes a new mailbox if they, the folders or the settings
// have changed.
func (s *server) makeMailbox(since time.Time) {
	w := &s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.isFresh(since) {
		return // another request was faster
	}
	now := s.settings.Load()
	paths, missing := s.mailPaths()
	w.looked = time.Now()
	look, err := watch.LookAt(s.ctx, paths, now.Options)
	old := w.mailbox
	isSame := old.isOf(now, paths)
	if isSame && old.err == nil && err == nil && len(old.look.Changed(look)) == 0 {
		return
	}
	if old != nil && old.Mailbox != nil {
		old.Close()
	}
	if !isSame {
		w.previous.Close()
		for _, dir := range missing {
			s.show(warningMessage, dir+" does not exist: only the other folders are read")
		}
	}
	w.mailbox = &mailbox{err: err, settings: now, paths: paths, look: look}
	if err != nil || len(paths) == 0 {
		return
	}
	w.mailbox.Mailbox, w.mailbox.err = w.previous.Open(s.ctx, now.Rules, now.Options, paths...)
}

// hasMailbox reports whether there is a mailbox, even an old one. If not, it begins to make one
// for the next request.
func (s *server) hasMailbox() bool {
	w := &s.workspace
	if !w.mu.TryRLock() {
		return false // it is being made
	}
	defer w.mu.RUnlock()
	if w.mailbox == nil {
		s.begin("index", func() { s.makeMailbox(time.Now()) })
	}
	return w.mailbox != nil
}

// thread replays a thread. The last one is kept: who reads a document asks about its thread
// again and again.
func (b *mailbox) thread(ctx context.Context, ref mail.Ref) (_ *engine.Thread, err error) {
	b.replaying.Lock()
	defer b.replaying.Unlock()
	if b.last == nil || b.ref != ref {
		b.ref = ref
		b.last, err = b.Thread(ctx, ref)
	}
	return b.last, err
}

// inThread calls do with the replayed thread of an artifact, or of a draft. It does not call do
// if the workspace has no mail of it.
func (s *server) inThread(ctx context.Context, snap *snapshot, do func(*engine.Thread) error) error {
	a, named := snap.model(), ""
	if a == nil && !snap.isConfig() {
		named = snap.threadID()
	}
	if a == nil && named == "" {
		return nil
	}
	return s.withMailbox(ctx, s.workspace.recently(), func(b *mailbox) error {
		var ref mail.Ref
		found := false
		var err error
		if a != nil {
			ref, found, err = b.ThreadOf(ctx, snap.path, a)
		} else {
			var threads []mail.Ref
			threads, err = b.Threads(ctx)
			if i := slices.IndexFunc(threads, func(t mail.Ref) bool { return t.Thread == named }); i >= 0 {
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

// setFolders adds and removes workspace folders.
func (s *server) setFolders(added, removed []document) {
	dirs := slices.Clone(*s.dirs.Load())
	for _, r := range removed {
		dirs = slices.DeleteFunc(dirs, func(dir string) bool { return dir == filePath(r.URI) })
	}
	for _, a := range added {
		if dir := filePath(a.URI); dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
			s.noteConfig(dir)
		}
	}
	slices.Sort(dirs)
	s.dirs.Store(&dirs)
}

// noteConfig says that the configuration of a folder is not read, if it has one: that of the first folder
// holds for all.
func (s *server) noteConfig(dir string) {
	for _, name := range [...]string{config.FileName, config.ShortFileName} {
		file := filepath.Join(dir, name)
		if _, err := os.Stat(file); err == nil && s.client.root != "" && !isWithin(s.client.root, dir) {
			s.show(warningMessage, file+" is not read: the configuration of the first workspace folder holds for all")
		}
	}
}

// mailPaths returns the paths with the mail of the workspace, and the folders that are missing: they
// are left out, unless all are. So is a folder inside another.
func (s *server) mailPaths() (out, missing []string) {
	dirs := *s.dirs.Load()
	for _, dir := range dirs {
		_, err := os.Stat(dir)
		switch within := func(other string) bool { return other != dir && isWithin(dir, other) }; {
		case slices.ContainsFunc(dirs, within):
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, dir)
		case dir == s.client.root:
			out = append(out, s.settings.Load().Paths...)
		default:
			out = append(out, dir)
		}
	}
	if len(out) == 0 {
		return missing, nil
	}
	return out, missing
}

// isWithin reports whether a path is in a folder.
func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
