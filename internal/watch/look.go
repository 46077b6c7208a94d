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

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/input"
)

// Look is what the file system says about each file, by its path: enough to detect that it was
// changed or replaced.
type Look map[string]fs.FileInfo

// LookAt looks at the files of paths that a mailbox with these options would read. It opens none
// of them: a connection to a database, which could ask for its data_version, would take a lock. A
// commit changes the database or its log, and so the size or the time of one of them.
func LookAt(ctx context.Context, paths []string, opts engine.Options) (Look, error) {
	look := Look{}
	found := input.Options{
		As: input.As(opts.Kind), Exclude: opts.Files.Exclude, Folder: opts.Files.Folder, ConfigExclude: opts.Files.ConfigExclude, GitIgnore: opts.Files.GitIgnore,
	}
	err := input.List(ctx, paths, found, func(path string, folder bool) {
		if !folder {
			look.Add(path)
			if ext := strings.ToLower(filepath.Ext(path)); ext != ".md" && ext != ".json" { // it may be a database
				look.Add(path + "-wal")
				look.Add(path + "-journal")
			}
			return
		}
		_ = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error { // what cannot be read counts as missing
			if err == nil && d.Type().IsRegular() {
				look.Add(filepath.ToSlash(path))
			}
			return nil
		})
	})
	return look, err
}

// Add adds a file, if it exists. It leaves out the shared memory of a database, which no check
// reads.
func (l Look) Add(path string) {
	if info, err := os.Stat(path); err == nil && !strings.HasSuffix(path, "-shm") {
		l[path] = info
	}
}

// Changed returns the paths of files that were added, removed, replaced or written before
// the second look, sorted.
func (l Look) Changed(now Look) (out []string) {
	for path, was := range l {
		if is := now[path]; is == nil || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime()) || !os.SameFile(is, was) {
			out = append(out, path)
		}
	}
	for path := range now {
		if l[path] == nil {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// quiet is how long nothing happens before it is time to look: events of one change arrive
// together.
const quiet = 100 * time.Millisecond

// Notifier waits until files may have changed: the file system reports it, or it is time to
// look. It does not know what changed; a Look does.
type Notifier struct {
	poll    time.Duration
	due     *time.Timer       // fires when the file system is quiet after a change
	watcher *fsnotify.Watcher // nil if the system reports no changes
}

// NewNotifier starts listening. If the system cannot report changes, the error says why, and
// the notifier only polls.
func NewNotifier(poll time.Duration) (*Notifier, error) {
	n := &Notifier{poll: poll, due: time.NewTimer(poll)}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return n, err
	}
	n.watcher = watcher
	go n.listen()
	return n, nil
}

func (n *Notifier) listen() {
	for ok := true; ok; {
		var e fsnotify.Event
		select {
		case e, ok = <-n.watcher.Events:
		case _, ok = <-n.watcher.Errors: // events were lost
		}
		if e.Op != fsnotify.Chmod {
			n.due.Reset(quiet)
		}
	}
}

// Wait returns when it is time to look, and when the context ends.
func (n *Notifier) Wait(ctx context.Context) {
	select {
	case <-n.due.C:
	case <-time.After(n.poll):
	case <-ctx.Done():
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
	for dir := range dirs {
		_ = n.watcher.Add(dir) // again, too: that catches one that was replaced
	}
}

// Close stops listening.
func (n *Notifier) Close() {
	if n.watcher != nil {
		_ = n.watcher.Close()
	}
}
