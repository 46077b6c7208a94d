package watch

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/brennerlint/brennerlint/internal/input"
)

// Look is what the file system says about each file, by its path: enough to detect that it was
// changed or replaced.
type Look map[string]fs.FileInfo

// LookAt looks at the files of paths. It opens none of them: a connection to a
// database, which could ask for its data_version, would take a lock. A commit
// changes the database or its log, and so the size or the time of one of them.
func LookAt(ctx context.Context, paths []string, opts input.Options) (Look, error) {
	look := Look{}
	err := input.List(ctx, paths, opts, func(path string, folder bool) {
		if folder {
			look.addFolder(path)
			return
		}
		look.Add(path)
		if ext := strings.ToLower(filepath.Ext(path)); ext != ".md" && ext != ".json" { // it may be a database
			look.Add(path + "-wal")
			look.Add(path + "-journal")
		}
	})
	return look, err
}

// Add adds a file, if it exists. It leaves out the shared memory of a database, which no check
// reads.
func (l Look) Add(path string) {
	if strings.HasSuffix(path, "-shm") {
		return
	}
	if info, err := os.Stat(path); err == nil {
		l[path] = info
	}
}

// addFolder adds the files of a share. It follows no link.
func (l Look) addFolder(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read counts as missing
		}
		if d.Type().IsRegular() {
			l.Add(filepath.ToSlash(path))
		}
		return nil
	})
}

// Changed returns the paths of files that were added, removed, replaced or written before
// the second look, sorted.
func (l Look) Changed(now Look) []string {
	var out []string
	for path, was := range l {
		is, ok := now[path]
		if !ok || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime()) || !os.SameFile(is, was) {
			out = append(out, path)
		}
	}
	for path := range now {
		if _, ok := l[path]; !ok {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// quiet is how long nothing happens before a hint is sent: events of one change arrive
// together.
const quiet = 100 * time.Millisecond

// Notifier waits until files may have changed: the file system reports it, or it is time to
// look. It does not know what changed; a Look does.
type Notifier struct {
	poll    *time.Ticker
	hints   chan struct{}
	watcher *fsnotify.Watcher // nil if the system reports no changes
}

// NewNotifier starts listening. If the system cannot report changes, the error says why, and
// the notifier only polls.
func NewNotifier(poll time.Duration) (*Notifier, error) {
	n := &Notifier{poll: time.NewTicker(poll), hints: make(chan struct{}, 1)}
	var err error
	if n.watcher, err = fsnotify.NewWatcher(); err != nil {
		n.watcher = nil
		return n, err
	}
	go n.listen()
	return n, nil
}

// Wait returns when it is time to look, and when the context ends. Hints are merged until then.
func (n *Notifier) Wait(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-n.hints:
	case <-n.poll.C:
	}
}

// Follow listens to the folders of the files in a look, and to those named. A folder that
// was removed and created again is added again. Beyond what the system can listen to, changes
// are seen on each tick only.
func (n *Notifier) Follow(l Look, paths []string) {
	if n.watcher == nil {
		return
	}
	dirs := map[string]bool{}
	for path := range l {
		dirs[filepath.Dir(path)] = true
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			path = filepath.Dir(path)
		}
		dirs[filepath.Clean(path)] = true
	}
	for _, dir := range n.watcher.WatchList() {
		if !dirs[dir] {
			_ = n.watcher.Remove(dir) // it is gone, or no longer needed
		}
	}
	for dir := range dirs {
		_ = n.watcher.Add(dir) // again, too: that catches one that was replaced
	}
}

// Close stops listening.
func (n *Notifier) Close() {
	n.poll.Stop()
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
