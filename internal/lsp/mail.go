package lsp

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/watch"
)

const (
	// lookAgain is how long the server relies on its last look at the files at least,
	// unless the client reports a change: of many files longer, lookShare times as long as
	// the look took.
	lookAgain = 2 * time.Second
	lookShare = 10
	// maxReplayed bounds the threads that are kept in memory, and maxReplayedSize what
	// they hold in bytes; one may be larger.
	maxReplayed     = 8
	maxReplayedSize = 64 << 20
	// maxFolders bounds the workspace folders.
	maxFolders = 64
)

// mailModel is the mail of the workspace. It is indexed on first use, and
// again after a file has changed.
type mailModel struct {
	mu     sync.Mutex
	index  *mailIndex // the last one, nil if none was made
	making *making    // under way, or nil
	again  time.Time  // when to look at the files again; zero after a change

	previous engine.Previous // what the last index left
}

// making is an index that is being made.
type making struct {
	done     chan struct{}
	index    *mailIndex // once it is done
	outdated bool       // files have changed since it began
	settings *settings
	paths    []string
}

// mailIndex is the mail of the workspace as it was when the files were looked at.
type mailIndex struct {
	settings  *settings
	paths     []string
	look      watch.Look
	box       *engine.Mailbox
	err       error           // why there is no box
	artifacts map[string]bool // the paths of artifact files: they hold no mail

	mu       sync.Mutex
	replayed []*replayed // the one used last at the end
}

// replayed is a thread that was asked for.
type replayed struct {
	ref    engine.ThreadInfo
	thread chan *mailThread // holds one: nil until it is read
}

// changed notes that files of the workspace may have changed.
func (m *mailModel) changed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.again = (time.Time{}); m.making != nil {
		m.making.outdated = true
	}
}

// delayNextLook puts off the next look after one that took long.
func (m *mailModel) delayNextLook(took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if later := time.Now().Add(lookShare * took); later.After(m.again) && !m.again.IsZero() {
		m.again = later
	}
}

// known reports whether the mail was indexed, be it some time ago.
func (m *mailModel) known() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.index != nil && m.making == nil
}

// mail returns the mail of the workspace as it is now.
func (s *server) mail(ctx context.Context) (*mailIndex, error) {
	for {
		index, making, outdated := s.beginMail()
		if making == nil {
			return index, index.err
		}
		select {
		case <-making.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch {
		case outdated: // it began before the change that the request knows of
		case making.index == nil:
			return nil, errors.New("the mail of the workspace cannot be read")
		default:
			return making.index, making.index.err
		}
	}
}

// beginMail gives the index of the mail if it is known to be as the files are; else
// the one that is being made, possibly of what the files were before.
func (s *server) beginMail() (_ *mailIndex, _ *making, outdated bool) {
	m := &s.mailbox
	m.mu.Lock()
	defer m.mu.Unlock()
	now, paths := s.settings.Load(), s.mailPaths()
	if m := m.making; m != nil {
		return nil, m, m.outdated || m.settings != now || !slices.Equal(m.paths, paths)
	}
	if m.index != nil && m.index.serves(now, paths) && time.Now().Before(m.again) {
		return m.index, nil, false
	}
	m.making = &making{done: make(chan struct{}), settings: now, paths: paths}
	m.again = time.Now().Add(lookAgain)
	s.work.Go(func() { s.guard("index", func() { s.makeIndex(now, paths) }) })
	return nil, m.making, false
}

// serves reports whether an index was made under these settings.
func (x *mailIndex) serves(now *settings, paths []string) bool {
	return x.settings == now && slices.Equal(x.paths, paths)
}

// makeIndex looks at the files, and indexes the mail if some of it has changed.
func (s *server) makeIndex(now *settings, paths []string) {
	m := &s.mailbox
	m.mu.Lock()
	old, making := m.index, m.making
	m.mu.Unlock()
	var fresh *mailIndex
	defer func() {
		m.mu.Lock()
		if m.making = nil; fresh != nil {
			m.index, making.index = fresh, fresh
		}
		m.mu.Unlock()
		close(making.done)
		if old != nil && old != fresh && old.box != nil && fresh != nil {
			old.box.Close()
		}
	}()
	began := time.Now()
	look, err := watch.LookAt(s.ctx, paths, input.Options{As: input.As(now.opts.Kind), Exclude: now.opts.Exclude, GitIgnore: now.opts.GitIgnore})
	m.delayNextLook(time.Since(began))
	if err == nil && old != nil && old.serves(now, paths) && old.covers(look) {
		fresh = old
		return
	}
	x := &mailIndex{settings: now, paths: paths, look: look, err: err, artifacts: map[string]bool{}}
	switch {
	case err != nil || len(paths) == 0:
	default:
		m.mu.Lock()
		m.index = nil // a caller of the old one gets the error that it is closed, and asks again
		m.mu.Unlock()
		if old != nil && old.box != nil {
			old.box.Close()
		}
		if old == nil || !old.serves(now, paths) {
			m.previous.Close()
		}
		x.box, x.err = m.previous.Open(s.ctx, now.rules, now.opts, paths...)
	}
	if x.box != nil {
		for _, path := range x.box.Artifacts() {
			x.artifacts[path] = true
		}
	}
	fresh = x
}

// covers reports whether the mail is as it was: all that changed are artifact files.
func (x *mailIndex) covers(now watch.Look) bool {
	if x.look == nil {
		return false
	}
	for _, path := range x.look.Changed(now) {
		if !x.artifacts[path] || now[path] == nil {
			return false
		}
	}
	return true
}

// thread replays a thread, or gives it as it was replayed before.
func (x *mailIndex) thread(ctx context.Context, ref engine.ThreadInfo) (*mailThread, error) {
	r := x.hold(ref)
	var t *mailThread
	select {
	case t = <-r.thread:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { r.thread <- t }()
	if t != nil {
		return t, nil
	}
	fresh, err := x.box.Thread(ctx, ref.Ref)
	if err != nil {
		return nil, err
	}
	t = &mailThread{Thread: fresh}
	return t, nil
}

// hold finds the place of a thread among those that are kept. The one that was not
// used for longest goes.
func (x *mailIndex) hold(ref engine.ThreadInfo) *replayed {
	x.mu.Lock()
	defer x.mu.Unlock()
	var found *replayed
	if i := slices.IndexFunc(x.replayed, func(r *replayed) bool { return r.ref == ref }); i >= 0 {
		found = x.replayed[i]
		x.replayed = slices.Delete(x.replayed, i, i+1)
	} else {
		found = &replayed{ref, make(chan *mailThread, 1)}
		found.thread <- nil
	}
	x.replayed = append(x.replayed, found)
	size := int64(0)
	for i, r := range slices.Backward(x.replayed) {
		if size += r.ref.Size; i < len(x.replayed)-1 && (size > maxReplayedSize || len(x.replayed)-i > maxReplayed) {
			x.replayed = slices.Delete(x.replayed, 0, i+1)
			break
		}
	}
	return found
}

// inThread calls do with the thread of an artifact, replayed; not where the workspace
// has no mail of it.
func (s *server) inThread(ctx context.Context, snap *snapshot, do func(*mailThread) error) error {
	a := snap.model()
	if a == nil {
		return nil
	}
	return s.inMail(ctx, func(x *mailIndex) (engine.ThreadInfo, bool, error) { return x.box.ThreadOf(ctx, snap.doc.path, a) }, do)
}

// inMail calls do with the thread that find chooses; not where it finds none. If the
// mail changes meanwhile it is asked again.
func (s *server) inMail(ctx context.Context, find func(*mailIndex) (engine.ThreadInfo, bool, error), do func(*mailThread) error) error {
	var err error
	for range 3 { // mail that arrives must not keep the answer away
		var x *mailIndex
		if x, err = s.mail(ctx); err != nil || x.box == nil {
			return err
		}
		ref, ok, finding := find(x)
		if err = finding; err == nil && !ok {
			return nil
		}
		var t *mailThread
		if err == nil {
			t, err = x.thread(ctx, ref)
		}
		if err == nil {
			err = do(t)
		}
		if !errors.Is(err, engine.ErrClosed) {
			return err
		}
	}
	return err
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
			out = append(out, s.settings.Load().paths...)
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
