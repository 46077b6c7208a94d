package input

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/source"
)

// walker turns the paths of the command line into files to look at. It runs in one goroutine,
// so that the order of files is that of the paths and, below a folder, that of the names.
type walker struct {
	ctx  context.Context
	opts Options
	ex   *excludes
	jobs chan *Input // the files

	roots  []root
	named  map[string]bool       // clean absolute paths of files named or matched by a glob
	walked map[string]bool       // clean absolute paths of folders to walk; true once walked
	dirs   map[string]*files.Dir // of the files named

	folders map[string]string // absolute paths of folders of Options.Contents

	held   []*files.Dir
	order  int
	faults []ordered[source.Fault]

	repositories map[string]repository // by folders that walks do not go through
	ignoredFiles int                   // files and folders that .gitignore files leave out
	notices      []string
}

func newWalker(ctx context.Context, paths []string, opts Options, ahead int) (*walker, error) {
	w := &walker{ctx: ctx, opts: opts, ex: newExcludes(opts.Exclude), jobs: make(chan *Input, ahead)}
	return w, w.expand(paths)
}

// run sends the files at and below all roots to the workers.
func (w *walker) run() {
	defer close(w.jobs)
	for _, r := range w.roots {
		switch {
		case r.in != nil:
			w.hold(r.in.top())
			w.send(r.in)
		case !w.walked[r.dir.abs]:
			w.walked[r.dir.abs] = true
			w.hold(r.dir.root)
			w.walk(r.dir, "", nil)
		}
	}
}

// hold keeps the folder of a root open, unless too many are.
func (w *walker) hold(dir *files.Dir) {
	if dir != nil && len(w.held) < maxHeld && !slices.Contains(w.held, dir) {
		dir.Hold()
		w.held = append(w.held, dir)
	}
}

// send sends a file to the workers. Its folder is held until a worker is done with it.
func (w *walker) send(in *Input) {
	in.Order = w.order
	w.order++
	in.top().Hold()
	select {
	case w.jobs <- in:
	case <-w.ctx.Done():
		in.top().Release()
	}
}

// maxPath bounds the paths of folders that are walked, in bytes. No system call accepts a
// longer one, but a walk, which descends one level at a time, could go on without end.
const maxPath = 4096

var errDeep = errors.New("its path is too long")

// walk sends the files in a folder and below it that are not excluded; with a glob it finds what
// the glob matches instead. below is the path from the first folder of the walk, "" for that one
// itself.
func (w *walker) walk(dir *folder, below string, g *glob) {
	if w.ctx.Err() != nil {
		return
	}
	entries, err := dir.root.ReadDir(dir.rel)
	dir.ignores = w.ignoresIn(dir, entries, below == "")
	if len(dir.path) > maxPath {
		err = errDeep
	}
	switch {
	case err != nil:
		if g == nil || !errors.Is(err, fs.ErrNotExist) {
			w.faults = append(w.faults, ordered[source.Fault]{w.order, source.UnreadableFault(cmp.Or(dir.path, "."), err)})
			g.find() // files in it may match
		}
		return
	case g == nil && isBundle(dir, entries):
		w.send(&Input{Kind: Bundle, Named: below == "", dir: dir})
		return
	}
	for _, e := range entries {
		name := e.Name()
		path := path.Join(below, name)
		switch {
		case (e.IsDir() || e.Type()&fs.ModeSymlink != 0) && isMessagePlace(name, dir.abs):
			w.found(dir, name, path, g) // it cannot be read: the reader knows what the thread lacks (decisions.md 76)
		case e.Type()&fs.ModeSymlink != 0:
			// its target is in the tree anyway, or outside of it
		case w.ex.matchPath(dir.join(name), path, e.IsDir()):
		case w.ignored(dir.ignores, dir.abs, name, e.IsDir()):
		case e.IsDir() && name != ".git":
			if sub := dir.in(name); w.enters(sub, path, g) {
				w.walk(sub, path, g)
			}
		case e.Type().IsRegular():
			w.found(dir, name, path, g)
		}
	}
}

// enters reports whether a walk goes on in a folder. A folder that is a root is walked once, and a
// whole folder that a glob matches becomes a root.
func (w *walker) enters(dir *folder, below string, g *glob) bool {
	if g == nil {
		walked, root := w.walked[dir.abs]
		if root {
			w.walked[dir.abs] = true
		}
		return !walked
	}
	if g.depth < math.MaxInt && matches(g.pattern, below) {
		g.find()
		w.addFolder(dir.path, files.Ref{Dir: dir.root, Name: dir.rel})
	}
	return strings.Count(below, "/") < g.depth
}

// found takes a file that a walk found.
func (w *walker) found(dir *folder, name, below string, g *glob) {
	shown := dir.join(name)
	switch {
	case g != nil && matches(g.pattern, below):
		g.find()
		w.addFile(&Input{name: shown, ref: &files.Ref{Dir: dir.root, Name: below}})
	case g == nil && !w.named[filepath.Join(dir.abs, name)]:
		w.send(&Input{dir: dir, path: shown, name: shown[len(shown)-len(name):]})
	}
}

// maxManifest is how much of a manifest is read to find its database, in bytes.
const maxManifest = 64 << 20

// isBundle reports whether a folder is that of a share: a manifest that names a database, and
// that database or its pieces (mail_formats.md section 3).
func isBundle(dir *folder, entries []fs.DirEntry) bool {
	manifest, database := false, false
	for _, e := range entries {
		switch e.Name() {
		case "manifest.json":
			manifest = e.Type().IsRegular()
		case "mailbox.sqlite3", "mailbox.sqlite3.config.json", "chunks":
			database = true
		}
	}
	if !manifest || !database {
		return false
	}
	f, _, err := dir.root.Open(path.Join(dir.rel, "manifest.json"))
	if err != nil {
		return false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest))
	return err == nil && bytes.Contains(data, []byte(`"database"`))
}

// isOfBundle reports whether a file of that name in the folder of a share is a part
// of the share.
func isOfBundle(name string) bool {
	switch name {
	case "manifest.json", "mailbox.sqlite3", "mailbox.sqlite3.config.json", "chunks.sha256":
		return true
	}
	return false
}
