package input

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/source"
)

// walker turns the paths of the command line into files to look at. It runs in
// one goroutine, so that the order of files is that of the paths and, below a
// folder, that of the names.
type walker struct {
	ctx  context.Context
	opts Options
	ex   *excludes
	jobs chan *Input

	targets []target
	named   map[string]bool       // clean absolute paths of files named or matched by a glob
	roots   map[string]bool       // clean absolute paths of folders to walk; true once walked
	dirs    map[string]*files.Dir // of the files named

	held   []*files.Dir
	order  int
	faults []ordered[source.Fault]

	repositories map[string]repository // by folders that walks do not go through
	ignoredFiles int                   // files and folders that .gitignore files leave out
	notices      []string
}

// target is one thing the command line asks for.
type target struct {
	in  *Input // a file; nil for a folder
	dir folder
}

// plan determines what each path is before anything is read, so that an invalid path is
// reported immediately.
func (w *walker) plan(paths []string) error {
	w.named, w.roots, w.dirs = map[string]bool{}, map[string]bool{}, map[string]*files.Dir{}
	var errs []error
	seen := make(map[string]bool, len(paths))
	for _, p := range paths {
		if seen[p] {
			continue
		}
		seen[p] = true
		if err := w.planPath(filepath.ToSlash(p)); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (w *walker) planPath(p string) error {
	if data, ok := w.opts.Contents[p]; ok {
		w.addFile(NewBytes(0, p, data))
		return nil
	}
	if p == "-" {
		return w.planStdin()
	}
	if p == "" {
		return &UsageError{Path: p, Reason: "is not a path"}
	}
	if dir, ok := withoutDots(p); ok {
		if _, err := os.Lstat(p); err != nil {
			p = dir
		}
	}
	info, err := os.Stat(p)
	switch {
	case err == nil && info.IsDir():
		w.addFolder(p, folder{root: files.NewDir(p), rel: "."})
	case err == nil && (!info.Mode().IsRegular() || isGone(p)):
		return w.addPipe(p)
	case err == nil:
		w.addNamed(p)
	case strings.ContainsAny(p, "*?[{"):
		return w.planGlob(p)
	case errors.Is(err, fs.ErrNotExist):
		return &UsageError{Path: p, Reason: "does not exist"}
	default: // it may exist, but its information cannot be read
		w.addNamed(p)
	}
	return nil
}

// isGone reports whether a file can be opened by a path that leads to no name: one
// that was removed while it is standard input, under /dev/stdin.
func isGone(p string) bool {
	_, err := filepath.EvalSymlinks(p)
	return err != nil
}

func (w *walker) planStdin() error {
	if w.opts.Stdin == nil {
		return &UsageError{Path: "-", Reason: "cannot be read: there is no standard input"}
	}
	name := w.opts.StdinName
	if name == "" {
		name = "-"
	}
	return w.addStream("-", filepath.ToSlash(name), w.opts.Stdin)
}

func (w *walker) addPipe(p string) error {
	if _, known := w.opts.Streams[p]; known {
		return w.addStream(p, p, nil)
	}
	f, err := os.Open(p)
	if err != nil {
		w.addNamed(p)
		return nil
	}
	defer f.Close()
	return w.addStream(p, p, f)
}

// addStream reads a stream to its end, or to the limit: a stream cut there is reported
// when it is opened.
func (w *walker) addStream(p, name string, r io.Reader) error {
	data, known := w.opts.Streams[p]
	if !known {
		var err error
		if data, err = io.ReadAll(io.LimitReader(r, w.opts.MaxFileSize+1)); err != nil {
			return &UsageError{Path: name, Reason: "cannot be read: " + source.Reason(err).Error()}
		}
		if w.opts.Streams != nil {
			w.opts.Streams[p] = data
		}
	}
	in := NewBytes(0, name, data)
	w.targets = append(w.targets, target{in: in})
	return nil
}

// addNamed adds a file that the command line names. Files in one folder share its Dir.
func (w *walker) addNamed(p string) {
	ref := files.Named(p)
	if dir := w.dirs[ref.Dir.Path()]; dir != nil {
		ref.Dir = dir
	}
	w.dirs[ref.Dir.Path()] = ref.Dir
	w.addFile(&Input{Named: true, name: p, ref: &ref})
}

func (w *walker) addFile(in *Input) {
	abs := realPath(in.Path())
	if w.named[abs] {
		return
	}
	w.named[abs] = true
	w.targets = append(w.targets, target{in: in})
}

// addFolder adds a folder to walk, shown as p.
func (w *walker) addFolder(p string, dir folder) {
	dir.abs = realPath(p)
	dir.top = dir.abs
	if _, known := w.roots[dir.abs]; known {
		return
	}
	w.roots[dir.abs] = false
	if p != "/" {
		p = strings.TrimRight(p, "/")
	}
	if p != "." {
		dir.path = p
	}
	w.targets = append(w.targets, target{dir: dir})
}

// realPath returns the clean absolute path with links resolved: the same for every
// spelling.
func realPath(p string) string {
	if real, err := filepath.EvalSymlinks(p); err == nil {
		p = real
	}
	abs, err := filepath.Abs(p)
	if err != nil {
		return filepath.Clean(p)
	}
	return abs
}

// planGlob adds what a doublestar glob matches: files, and whole folders that
// it matches without `**`.
func (w *walker) planGlob(pattern string) error {
	if !ValidGlob(pattern) {
		return &UsageError{Path: pattern, Reason: "is not a valid glob; expected *, **, ?, [abc] or {a,b}"}
	}
	base, rest := doublestar.SplitPattern(pattern)
	// A walk of our own: the library's walks a folder once for each way in which the
	// pattern matches it.
	g := glob{
		root: files.NewDir(base), pattern: rest, prefix: strings.TrimRight(base, "/") + "/",
		depth: strings.Count(rest, "/"), abs: realPath(base),
	}
	if base == "." && !strings.HasPrefix(pattern, "./") {
		g.prefix = ""
	}
	if strings.Contains(rest, "**") {
		g.depth = math.MaxInt
	}
	err := g.root.Walk(func(p string, d fs.DirEntry, err error) error { return w.matchGlob(&g, p, d, err) })
	switch {
	case err != nil:
		return &UsageError{Path: pattern, Reason: "cannot be matched: " + source.Reason(err).Error()}
	case !g.found:
		return &UsageError{Path: pattern, Reason: "matches no file"}
	}
	return nil
}

// glob is a pattern without its fixed beginning.
type glob struct {
	root    *files.Dir // its fixed beginning
	pattern string
	prefix  string // of the paths that are shown
	depth   int    // how many folders below the first one a match can be
	found   bool
	abs     string     // of root
	ignores []*ignores // of the folders on the walk's current path
}

// matchGlob examines what a walk for a glob found. A folder that cannot be read is a fault:
// files in it may match.
func (w *walker) matchGlob(g *glob, p string, d fs.DirEntry, err error) error {
	switch {
	case err != nil:
		if shown := strings.TrimRight(path.Join(g.prefix, p), "/"); !errors.Is(err, fs.ErrNotExist) && !w.ex.matchBelow(shown, p, true) {
			g.found = true
			w.faults = append(w.faults, ordered[source.Fault]{w.order, source.UnreadableFault(cmp.Or(shown, "/"), err)})
		}
		return fs.SkipDir
	case d.IsDir() && (d.Name() == ".git" || w.ctx.Err() != nil):
		return fs.SkipDir
	case p == ".":
		g.ignores = []*ignores{w.ignoresOf(g, ".", nil, true)}
		return nil
	}
	level := strings.Count(p, "/") + 1
	above := g.ignores[level-1]
	if w.ignored(above, g.abs, p, d.IsDir()) {
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	if d.IsDir() {
		g.ignores = append(g.ignores[:level], w.ignoresOf(g, p, above, false))
	}
	full := g.prefix + p
	if matches(g.pattern, p) && !w.ex.matchBelow(full, p, d.IsDir()) {
		switch {
		case d.IsDir() && g.depth < math.MaxInt:
			g.found = true
			w.addFolder(full, folder{root: g.root, rel: p})
		case d.Type().IsRegular():
			g.found = true
			w.addFile(&Input{name: full, ref: &files.Ref{Dir: g.root, Name: p}})
		}
	}
	if d.IsDir() && strings.Count(p, "/") >= g.depth {
		return fs.SkipDir
	}
	return nil
}

// run sends all files to the workers.
func (w *walker) run() {
	defer close(w.jobs)
	for i := range w.targets {
		t := &w.targets[i]
		w.hold(t)
		switch {
		case t.in != nil:
			w.send(t.in)
		case !w.roots[t.dir.abs]:
			w.roots[t.dir.abs] = true
			w.walk(&t.dir, "")
		}
	}
}

// hold keeps the folder of a target open, unless too many are.
func (w *walker) hold(t *target) {
	dir := t.dir.root
	if t.in != nil {
		dir = t.in.top()
	}
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

// walk sends the files of a folder and those below it. below is the path from the first
// folder of the walk, "" for that one itself.
func (w *walker) walk(dir *folder, below string) {
	if w.ctx.Err() != nil {
		return
	}
	entries, err := dir.root.ReadDir(dir.rel)
	dir.ignores = w.ignoresIn(dir, entries, below == "")
	if len(dir.path) > maxPath {
		err = errDeep
	}
	if err != nil {
		w.faults = append(w.faults, ordered[source.Fault]{w.order, source.UnreadableFault(cmp.Or(dir.path, "."), err)})
		return
	}
	if isBundle(dir, entries) {
		w.send(&Input{Kind: Bundle, Named: below == "", dir: dir})
		return
	}
	for _, e := range entries {
		name := e.Name()
		path, shown := path.Join(below, name), dir.join(name)
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			// its target is in the tree anyway, or outside of it
		case w.ex.matchPath(shown, path, e.IsDir()):
		case w.ignored(dir.ignores, dir.abs, name, e.IsDir()):
		case e.IsDir():
			w.walkBelow(dir, name, path)
		case e.Type().IsRegular() && !(len(w.named) > 0 && w.named[filepath.Join(dir.abs, name)]):
			w.send(&Input{dir: dir, path: shown, name: shown[len(shown)-len(name):]})
		}
	}
}

func (w *walker) walkBelow(dir *folder, name, below string) {
	if name == ".git" {
		return
	}
	sub := dir.in(name)
	if walked, root := w.roots[sub.abs]; walked {
		return
	} else if root {
		w.roots[sub.abs] = true
	}
	w.walk(sub, below)
}
