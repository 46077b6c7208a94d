package input

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/gitignore"
	"github.com/brennerlint/brennerlint/source"
)

// walker turns the paths of the command line into files to look at. Files come in the order of
// the paths and, below a folder, of their names.
type walker struct {
	ctx  context.Context
	opts Options
	ex   *gitignore.Patterns
	emit func(in *Input, err error) // receives each file; err says why a folder cannot be read

	roots  []root
	named  map[string]bool   // real paths of files named or matched by a glob
	walked map[string]bool   // real paths of folders to walk; true once walked
	reals  map[string]string // real paths of the folders of Options.Contents
	held   []*files.Dir      // stay open until Set.Close
	order  int

	above        map[string]*ignores // what folders outside of the walks ignore
	ignoredFiles int                 // files and folders that .gitignore files leave out
	notices      []string
}

// root is what the command line asks for: a file, or a folder to walk.
type root struct {
	in  *Input  // nil for a folder
	dir *folder // nil for a file
}

// walk is a walk through a folder and all below it.
type walk struct {
	tree *files.Dir
	base string // the real path of tree
	top  string // the real path of the folder where the walk begins
	skip int    // the length of the path of tree as shown, with the slash after it
}

// newWalk returns the first folder of a walk, shown under a path.
func newWalk(name, shown string) *folder {
	if shown != "/" {
		shown = strings.TrimRight(shown, "/")
	}
	if shown == "." {
		shown = ""
	}
	real := realPath(name)
	dir := &folder{walk: &walk{tree: files.NewDir(name), base: real, top: real}, path: shown, real: real}
	dir.skip = len(dir.join(""))
	return dir
}

// folder is a folder on a walk, or a file in one.
type folder struct {
	*walk
	path    string // as shown, "" for the working folder
	real    string // the real path
	ignores *ignores
}

// ref returns the reference to open it.
func (f *folder) ref() files.Ref {
	return files.Ref{Dir: f.tree, Name: cmp.Or(f.path[min(f.skip, len(f.path)):], ".")}
}

func newWalker(ctx context.Context, opts Options, emit func(*Input, error)) *walker {
	return &walker{
		ctx: ctx, opts: opts, ex: newExcludes(opts.Exclude), emit: emit,
		named: map[string]bool{}, walked: map[string]bool{}, reals: map[string]string{}, above: map[string]*ignores{},
	}
}

// find emits the files that paths name. It determines what each path is before any file is
// emitted, so that an invalid path is reported immediately.
func (w *walker) find(paths []string) error {
	var errs []error
	seen := make(map[string]bool, len(paths))
	for _, p := range paths {
		if !seen[p] {
			seen[p] = true
			errs = append(errs, w.expand(filepath.ToSlash(p)))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, r := range w.roots {
		switch {
		case r.in != nil:
			w.send(r.in)
		case !w.walked[r.dir.real]:
			w.walked[r.dir.real] = true
			if tree := r.dir.tree; len(w.held) < maxHeld {
				tree.Hold()
				w.held = append(w.held, tree)
			}
			w.list(r.dir, "", nil)
		}
	}
	return nil
}

// maxHeld is how many of the named folders stay open.
const maxHeld = 64

// send emits a file.
func (w *walker) send(in *Input) {
	in.Order = w.order
	w.order++
	w.emit(in, nil)
}

// expand adds the roots that a path names.
func (w *walker) expand(p string) error {
	if data, ok := w.opts.Contents[p]; ok {
		// The file need not exist, and there may be very many: only the folders are looked up.
		dir := path.Dir(p)
		if w.reals[dir] == "" {
			w.reals[dir] = realPath(dir)
		}
		w.addFile(filepath.Join(w.reals[dir], path.Base(p)), NewBytes(0, p, data))
		return nil
	}
	if p == "-" {
		if w.opts.Stdin == nil {
			return &UsageError{Path: "-", Reason: "cannot be read: there is no standard input"}
		}
		return w.addStream("-", filepath.ToSlash(cmp.Or(w.opts.StdinName, "-")), w.opts.Stdin)
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
		w.addFolder(newWalk(p, p))
	case err == nil && (!info.Mode().IsRegular() || isGone(p)):
		if _, known := w.opts.Streams[p]; known {
			return w.addStream(p, p, nil)
		}
		if f, err := os.Open(p); err == nil {
			defer f.Close()
			return w.addStream(p, p, f)
		}
		w.addNamed(p)
	case err == nil:
		w.addNamed(p)
	case strings.ContainsAny(p, "*?[{"):
		return w.expandGlob(p)
	case errors.Is(err, fs.ErrNotExist):
		return &UsageError{Path: p, Reason: "does not exist"}
	default: // it may exist, but its information cannot be read
		w.addNamed(p)
	}
	return nil
}

// isGone reports whether a path opens a file that has no name any more, such as /dev/stdin after
// the file was removed.
func isGone(p string) bool {
	_, err := filepath.EvalSymlinks(p)
	return err != nil
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
	w.roots = append(w.roots, root{in: NewBytes(0, name, data)})
	return nil
}

// addNamed adds a file that the command line names.
func (w *walker) addNamed(p string) {
	w.addFile(realPath(p), &Input{Named: true, path: p, ref: files.Named(p)})
}

func (w *walker) addFile(real string, in *Input) {
	if !w.named[real] {
		w.named[real] = true
		w.roots = append(w.roots, root{in: in})
	}
}

// addFolder adds a folder to walk.
func (w *walker) addFolder(dir *folder) {
	if _, known := w.walked[dir.real]; known {
		return
	}
	w.walked[dir.real] = false
	w.roots = append(w.roots, root{dir: dir})
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

// expandGlob adds what a doublestar glob matches: files, and whole folders that it matches
// without `**`. It walks by itself: the library walks a folder once for each way in which the
// pattern matches it.
func (w *walker) expandGlob(pattern string) error {
	if !ValidGlob(pattern) {
		return &UsageError{Path: pattern, Reason: "is not a valid glob; expected *, **, ?, [abc] or {a,b}"}
	}
	base, rest := doublestar.SplitPattern(pattern)
	dir := newWalk(base, base)
	if base == "." && strings.HasPrefix(pattern, "./") {
		dir.path, dir.skip = ".", len("./")
	}
	g := &glob{pattern: rest, depth: strings.Count(rest, "/")}
	if strings.Contains(rest, "**") {
		g.depth = math.MaxInt
	}
	dir.tree.Hold()
	defer dir.tree.Release()
	if w.list(dir, "", g); !g.found {
		return &UsageError{Path: pattern, Reason: "matches no file"}
	}
	return nil
}

// glob is a pattern without its fixed beginning.
type glob struct {
	pattern string
	depth   int  // how many folders below the first one a match can be
	found   bool // something
}

// maxPath bounds the paths of folders that are walked, in bytes. No system call accepts a
// longer one, but a walk, which descends one level at a time, could go on without end.
const maxPath = 4096

var errDeep = errors.New("its path is too long")

// list sends the files in a folder and below it that are not excluded; with a glob it adds what
// the glob matches to the roots instead. below is the path from the first folder of the walk, ""
// for that one itself.
func (w *walker) list(dir *folder, below string, g *glob) {
	if w.ctx.Err() != nil {
		return
	}
	here := dir.ref()
	entries, err := here.Dir.ReadDir(here.Name)
	dir.ignores = w.ignoresIn(dir, entries, below == "")
	if len(dir.path) > maxPath {
		err = errDeep
	}
	switch {
	case err != nil && g != nil && errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		w.emit(&Input{path: cmp.Or(dir.path, ".")}, err)
		if g != nil {
			g.found = true // files in it may match
		}
		return
	case g == nil && isBundle(here, entries):
		w.send(&Input{Kind: Bundle, Named: below == "", path: cmp.Or(dir.path, "."), ref: here, walk: dir.walk})
		return
	}
	for _, e := range entries {
		name, link := e.Name(), e.Type()&fs.ModeSymlink != 0
		sub := &folder{walk: dir.walk, path: dir.join(name), real: filepath.Join(dir.real, name), ignores: dir.ignores}
		below := path.Join(below, name)
		switch {
		case (e.IsDir() || link) && isMessagePlace(name, dir.real):
			w.found(sub, below, g) // it cannot be read: the reader knows what the thread lacks (decisions.md 76)
		case link:
			// its target is in the tree anyway, or outside of it
		case w.excluded(sub.path, below, e.IsDir()):
		case w.ignored(dir, name, e.IsDir()):
		case e.IsDir() && name != ".git":
			if w.enters(sub, below, g) {
				w.list(sub, below, g)
			}
		case e.Type().IsRegular():
			w.found(sub, below, g)
		}
	}
}

// excluded reports whether a file or folder is excluded, by its path as shown or by the end of
// that, its path from the root of the walk.
func (w *walker) excluded(shown, below string, dir bool) bool {
	if len(w.opts.Exclude) == 0 {
		return false
	}
	excluded, _ := w.ex.Match(dir, path.Clean(shown), below)
	return excluded
}

func (f *folder) join(name string) string {
	if f.path == "" || strings.HasSuffix(f.path, "/") {
		return f.path + name
	}
	return f.path + "/" + name
}

// enters reports whether a walk goes on in a folder. A folder that is a root is walked once, and a
// whole folder that a glob matches becomes a root.
func (w *walker) enters(dir *folder, below string, g *glob) bool {
	if g == nil {
		walked, root := w.walked[dir.real]
		if root {
			w.walked[dir.real] = true
		}
		return !walked
	}
	if g.depth < math.MaxInt && matches(g.pattern, below) {
		g.found = true
		w.addFolder(&folder{walk: &walk{tree: dir.tree, base: dir.base, top: dir.real, skip: dir.skip}, path: dir.path, real: dir.real})
	}
	return strings.Count(below, "/") < g.depth
}

// found takes a file that a walk found.
func (w *walker) found(file *folder, below string, g *glob) {
	in := &Input{path: file.path, ref: file.ref()}
	switch {
	case g != nil && matches(g.pattern, below):
		g.found = true
		w.addFile(realPath(file.path), in)
	case g == nil && !w.named[file.real]:
		in.walk = file.walk
		w.send(in)
	}
}

func matches(pattern, name string) bool {
	ok, err := doublestar.Match(pattern, name)
	return err == nil && ok
}

// Covers reports whether a path is at or below one of the paths of a run, or below the fixed
// beginning of a pattern. The file need not exist.
func Covers(paths []string, file string) bool {
	file, err := filepath.Abs(file)
	if err != nil {
		return false
	}
	for _, p := range paths {
		base, err := filepath.Abs(fixedPart(filepath.ToSlash(p)))
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(base, file); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// fixedPart returns the file or folder that a path names; for a pattern, the folder of all
// matches.
func fixedPart(p string) string {
	if _, err := os.Lstat(p); err == nil {
		return p
	}
	if dir, ok := withoutDots(p); ok {
		return dir
	}
	base, _ := doublestar.SplitPattern(p)
	if base == "." && !strings.ContainsAny(p, "*?[{") {
		return p
	}
	return base
}

// withoutDots returns the folder of a Go-style pattern such as ./artifacts/...
func withoutDots(p string) (dir string, ok bool) {
	dir, ok = strings.CutSuffix(p, "...")
	if !ok || dir != "" && !strings.HasSuffix(dir, "/") {
		return "", false
	}
	return cmp.Or(strings.TrimSuffix(dir, "/"), dir, "."), true
}

// maxManifest is how much of a manifest is read to find its database, in bytes.
const maxManifest = 64 << 20

// isBundle reports whether a folder is that of a share: a manifest that names a database, and
// that database or its pieces (mail_formats.md section 3).
func isBundle(dir files.Ref, entries []fs.DirEntry) bool {
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
	f, _, err := dir.In("manifest.json").Open()
	if err != nil {
		return false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest))
	return err == nil && bytes.Contains(data, []byte(`"database"`))
}
