package watch

import (
	"os"
	"time"

	"github.com/fsnotify/fsnotify"
)

// maxFolders bounds the folders whose changes the system reports: it has a limit of
// its own, which other programs share. Those beyond are looked at on each tick only.
const maxFolders = 4096

// Events of one change come together: a hint is given once there was none for a
// while, but not later than latest.
const (
	quiet  = 20 * time.Millisecond
	latest = 200 * time.Millisecond
)

// Notifier gives hints that files may have changed, as the file system reports it.
// It never says what changed: a look does.
type Notifier struct {
	hints   chan struct{}
	watcher *fsnotify.Watcher
	known   map[string]bool
}

// NewNotifier begins to listen. The error is why the system reports no changes;
// the notifier then gives no hints, and can be used all the same.
func NewNotifier() (*Notifier, error) {
	n := &Notifier{hints: make(chan struct{}, 1), known: map[string]bool{}}
	var err error
	if n.watcher, err = fsnotify.NewWatcher(); err != nil {
		return n, err
	}
	go n.listen()
	return n, nil
}

// Hints is the channel of the hints. One that nobody took yet stands for all.
func (n *Notifier) Hints() <-chan struct{} { return n.hints }

// Follow listens to the folders of what a look saw, and to those named. A folder
// that was removed and made again is added again.
func (n *Notifier) Follow(l Look, paths []string) {
	if n.watcher == nil {
		return
	}
	now := l.folders(paths)
	for dir := range n.known {
		if !now[dir] {
			_ = n.watcher.Remove(dir) // it is gone, or of no use
			delete(n.known, dir)
		}
	}
	for dir := range now {
		// To add a folder again costs a system call, and finds one that was replaced.
		if len(n.known) < maxFolders && n.watcher.Add(dir) == nil {
			n.known[dir] = true
		}
	}
}

// Close ends it.
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

// descend listens to a new folder at once, so that its first files are noticed too.
func (n *Notifier) descend(e fsnotify.Event) {
	if !e.Has(fsnotify.Create) {
		return
	}
	if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
		_ = n.watcher.Add(e.Name)
	}
}

func (n *Notifier) hint() {
	select {
	case n.hints <- struct{}{}:
	default:
	}
}
