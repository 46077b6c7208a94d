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
)

// walker turns the paths of the command line into files to look at. It runs in
// one goroutine, so that the order of files is that of the paths and, below a
// folder, that of the names.
type walker struct {
	ctx  context.Context
	opts Options
	jobs chan *Input

	targets []target
	named   map[string]bool // clean absolute paths of files named or matched by a glob
	roots   map[string]bool // clean absolute paths of folders to walk; true once walked

	order    int
	problems []ordered[Problem]
}

// target is one thing the command line asks for.
type target struct {
	in  *Input // a file; nil for a folder
	dir folder
}

// plan finds out what each path is before anything is read, so that a mistaken
// path is told at once.
func (w *walker) plan(paths []string) error {
	w.named, w.roots = map[string]bool{}, map[string]bool{}
	var errs []error
	for i, p := range paths {
		if slices.Contains(paths[:i], p) {
			continue
		}
		if err := w.planPath(filepath.ToSlash(p)); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (w *walker) planPath(p string) error {
	if p == "-" {
		return w.planStdin()
	}
	if p == "" {
		return &UsageError{Path: p, Reason: "is no path"}
	}
	if dir, ok := strings.CutSuffix(p, "..."); ok && (dir == "" || strings.HasSuffix(dir, "/")) {
		if _, err := os.Lstat(p); err != nil {
			p = cmp.Or(strings.TrimSuffix(dir, "/"), dir, ".")
		}
	}
	info, err := os.Stat(p)
	switch {
	case err == nil && info.IsDir():
		w.addFolder(p)
	case err == nil && !info.Mode().IsRegular():
		return w.addPipe(p)
	case err == nil:
		w.addFile(p, true)
	case strings.ContainsAny(p, "*?[{"):
		return w.planGlob(p)
	case errors.Is(err, fs.ErrNotExist):
		return &UsageError{Path: p, Reason: "does not exist"}
	default: // it may exist, but cannot be looked at
		w.addFile(p, true)
	}
	return nil
}

func (w *walker) planStdin() error {
	if w.opts.Stdin == nil {
		return &UsageError{Path: "-", Reason: "cannot be read: there is no standard input"}
	}
	name := w.opts.StdinName
	if name == "" {
		name = "-"
	}
	return w.addStream(filepath.ToSlash(name), w.opts.Stdin)
}

func (w *walker) addPipe(p string) error {
	f, err := os.Open(p)
	if err != nil {
		w.addFile(p, true)
		return nil
	}
	defer f.Close()
	return w.addStream(p, f)
}

// addStream reads a stream to its end, or to the limit: what is cut there is
// reported when it is opened.
func (w *walker) addStream(name string, r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, w.opts.MaxFileSize+1))
	if err != nil {
		return &UsageError{Path: name, Reason: "cannot be read: " + reason(err)}
	}
	in := NewBytes(0, name, data)
	w.targets = append(w.targets, target{in: in})
	return nil
}

func (w *walker) addFile(p string, named bool) {
	abs := realPath(p)
	if w.named[abs] {
		return
	}
	w.named[abs] = true
	w.targets = append(w.targets, target{in: &Input{Named: named, name: p}})
}

func (w *walker) addFolder(p string) {
	abs := realPath(p)
	if _, known := w.roots[abs]; known {
		return
	}
	w.roots[abs] = false
	if p != "/" {
		p = strings.TrimRight(p, "/")
	}
	if p == "." {
		p = ""
	}
	w.targets = append(w.targets, target{dir: folder{p, abs}})
}

// realPath is the clean absolute path with links resolved: the same for every
// way to write it.
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
		return &UsageError{Path: pattern, Reason: "is no glob: expected *, **, ?, [abc] or {a,b}"}
	}
	base, rest := doublestar.SplitPattern(pattern)
	// A walk of our own: that of the library goes through a folder once for each
	// way in which the pattern leads there.
	g := glob{pattern: rest, prefix: strings.TrimRight(base, "/") + "/", depth: strings.Count(rest, "/"), ex: newExcludes(w.opts.Exclude)}
	if base == "." && !strings.HasPrefix(pattern, "./") {
		g.prefix = ""
	}
	if strings.Contains(rest, "**") {
		g.depth = math.MaxInt
	}
	err := fs.WalkDir(os.DirFS(base), ".", func(p string, d fs.DirEntry, err error) error { return w.matchGlob(&g, p, d, err) })
	switch {
	case err != nil:
		return &UsageError{Path: pattern, Reason: "cannot be matched: " + reason(err)}
	case !g.found:
		return &UsageError{Path: pattern, Reason: "matches no file"}
	}
	return nil
}

// glob is a pattern whose fixed beginning is taken off.
type glob struct {
	pattern string
	prefix  string // of the paths that are shown
	depth   int    // how many folders below the first one a match can lie
	ex      excludes
	found   bool
}

// matchGlob looks at what a walk for a glob met. What cannot be read matches
// nothing.
func (w *walker) matchGlob(g *glob, p string, d fs.DirEntry, err error) error {
	switch {
	case err != nil || d.IsDir() && (d.Name() == ".git" || w.ctx.Err() != nil):
		return fs.SkipDir
	case p == ".":
		return nil
	}
	full := g.prefix + p
	if matches(g.pattern, p) && !g.ex.matchBelow(full, p, d.IsDir()) {
		switch {
		case d.IsDir() && g.depth < math.MaxInt:
			g.found = true
			w.addFolder(full)
		case d.Type().IsRegular():
			g.found = true
			w.addFile(full, false)
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
		switch {
		case t.in != nil:
			w.send(t.in)
		case !w.roots[t.dir.abs]:
			w.roots[t.dir.abs] = true
			w.walk(&t.dir, "", newExcludes(w.opts.Exclude))
		}
	}
}

func (w *walker) send(in *Input) {
	in.Order = w.order
	w.order++
	select {
	case w.jobs <- in:
	case <-w.ctx.Done():
	}
}

// walk sends the files of a folder and those below it. Rel is the path from the
// root of the walk, "" for the root itself.
func (w *walker) walk(dir *folder, rel string, ex excludes) {
	if w.ctx.Err() != nil {
		return
	}
	entries, err := os.ReadDir(dir.join("."))
	if err != nil {
		w.problems = append(w.problems, ordered[Problem]{w.order, Unreadable(cmp.Or(dir.path, "."), err)})
		return
	}
	if isBundle(dir, entries) {
		w.send(&Input{Kind: Bundle, Named: rel == "", name: cmp.Or(dir.path, ".")})
		return
	}
	for _, e := range entries {
		name := e.Name()
		below := path.Join(rel, name)
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			// what it names is in the tree anyway, or not ours to read
		case ex.matchPath(dir.join(name), below, e.IsDir()):
		case e.IsDir():
			w.walkBelow(dir, name, below, ex)
		case e.Type().IsRegular() && !(len(w.named) > 0 && w.named[filepath.Join(dir.abs, name)]):
			w.send(&Input{dir: dir, name: name})
		}
	}
}

func (w *walker) walkBelow(dir *folder, name, rel string, ex excludes) {
	if name == ".git" {
		return
	}
	sub := &folder{path: dir.join(name), abs: filepath.Join(dir.abs, name)}
	if walked, root := w.roots[sub.abs]; walked {
		return
	} else if root {
		w.roots[sub.abs] = true
	}
	w.walk(sub, rel, ex)
}
