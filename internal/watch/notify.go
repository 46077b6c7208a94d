package watch

import (
	"os"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// maxFolders bounds the folders whose changes the system reports: its own limit is shared
// with other programs. Further folders are looked at on each tick only.
const maxFolders = 4096

// Events of one change arrive together: a hint is sent after a quiet time without events,
// but no later than latest.
const (
	quiet  = 100 * time.Millisecond
	latest = time.Second
)

// Notifier sends hints that files may have changed, as the file system reports it. It
// does not report what changed; a Look does.
type Notifier struct {
	hints   chan struct{}
	watcher *fsnotify.Watcher

	mu    sync.Mutex
	known map[string]bool // the folders that it listens to
}

// NewNotifier starts listening. The error says why the system reports no changes; the
// notifier can still be used then, but sends no hints.
func NewNotifier() (*Notifier, error) {
	n := &Notifier{hints: make(chan struct{}, 1), known: map[string]bool{}}
	var err error
	if n.watcher, err = fsnotify.NewWatcher(); err != nil {
		return n, err
	}
	go n.listen()
	return n, nil
}

// Hints returns the channel of the hints. Hints are merged until one is received.
func (n *Notifier) Hints() <-chan struct{} { return n.hints }

// Follow listens to the folders of the files in a look, and to those named. A folder that
// was removed and created again is added again.
func (n *Notifier) Follow(l Look, paths []string) {
	if n.watcher == nil {
		return
	}
	now := l.folders(paths)
	n.mu.Lock()
	defer n.mu.Unlock()
	for dir := range n.known {
		if !now[dir] {
			_ = n.watcher.Remove(dir) // it is gone, or no longer needed
			delete(n.known, dir)
		}
	}
	for dir := range now {
		n.add(dir) // again, too: that costs a system call, and catches one that was replaced
	}
}

// add listens to a folder, if it listens to less than it may.
func (n *Notifier) add(dir string) {
	if len(n.known) < maxFolders && n.watcher.Add(dir) == nil {
		n.known[dir] = true
	}
}

// Close stops listening.
func (n *Notifier) Close() {
	if n.watcher != nil {
		_ = n.watcher.Close()
	}
}

func (n *Notifier) listen() {
	var due <-chan time.Time
	var first time.Time
	for {
		select {
		case e, ok := <-n.watcher.Events:
			if !ok {
				return
			}
			if e.Op == fsnotify.Chmod {
				continue
			}
			n.descend(e)
			if due == nil {
				first = time.Now()
			}
			due = time.After(min(quiet, max(0, latest-time.Since(first))))
		case _, ok := <-n.watcher.Errors: // events were lost
			if !ok {
				return
			}
			n.hint()
		case <-due:
			due = nil
			n.hint()
		}
	}
}

// descend listens to a new folder immediately, so that its first files are noticed too,
// until the next Follow: it may be one of no interest.
func (n *Notifier) descend(e fsnotify.Event) {
	if !e.Has(fsnotify.Create) {
		return
	}
	if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
		n.mu.Lock()
		n.add(e.Name)
		n.mu.Unlock()
	}
}

func (n *Notifier) hint() {
	select {
	case n.hints <- struct{}{}:
	default:
	}
}
