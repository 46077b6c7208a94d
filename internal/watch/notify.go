package watch

import (
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// maxFolders bounds the folders whose changes the system reports: its own limit is shared
// with other programs. Further folders are looked at on each tick only.
var maxFolders = 4096 // less in a test

// quiet is how long nothing happens before a hint is sent: events of one change arrive
// together.
const quiet = 100 * time.Millisecond

// Notifier sends hints that files may have changed, as the file system reports it. It
// does not report what changed; a Look does.
type Notifier struct {
	hints   chan struct{}
	watcher *fsnotify.Watcher // nil if the system reports no changes
}

// NewNotifier starts listening. If the system cannot report changes, the error says why, and
// the notifier sends no hints.
func NewNotifier() (*Notifier, error) {
	n := &Notifier{hints: make(chan struct{}, 1)}
	var err error
	if n.watcher, err = fsnotify.NewWatcher(); err != nil {
		n.watcher = nil
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
	dirs := l.folders(paths)
	dirs = dirs[:min(len(dirs), maxFolders)]
	for _, dir := range n.watcher.WatchList() {
		if _, found := slices.BinarySearch(dirs, dir); !found {
			_ = n.watcher.Remove(dir) // it is gone, or no longer needed
		}
	}
	for _, dir := range dirs {
		_ = n.watcher.Add(dir) // again, too: that catches one that was replaced
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
	for {
		select {
		case e, ok := <-n.watcher.Events:
			if !ok {
				return
			}
			if e.Op != fsnotify.Chmod {
				due = time.After(quiet)
			}
		case _, ok := <-n.watcher.Errors: // events were lost
			if !ok {
				return
			}
			due = time.After(quiet)
		case <-due:
			select {
			case n.hints <- struct{}{}:
			default: // one is waiting already
			}
		}
	}
}
