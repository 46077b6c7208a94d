package input

import (
	"cmp"
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
	"github.com/brennerlint/brennerlint/source"
)

// root is what the command line asks for: a file, or a folder to walk.
type root struct {
	in  *Input  // nil for a folder
	dir *folder // nil for a file
}

// expand determines what each path is before any file is read, so that an invalid path is
// reported immediately.
func (w *walker) expand(paths []string) error {
	w.named, w.walked, w.dirs = map[string]bool{}, map[string]bool{}, map[string]*files.Dir{}
	w.folders = map[string]string{}
	var errs []error
	seen := make(map[string]bool, len(paths))
	for _, p := range paths {
		if !seen[p] {
			seen[p] = true
			errs = append(errs, w.expandPath(filepath.ToSlash(p)))
		}
	}
	return errors.Join(errs...)
}

func (w *walker) expandPath(p string) error {
	if data, ok := w.opts.Contents[p]; ok {
		w.addContent(p, data)
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
		w.addFolder(p, files.Ref{Dir: files.NewDir(p), Name: "."})
	case err == nil && (!info.Mode().IsRegular() || isGone(p)):
		return w.addPipe(p)
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

// isGone reports whether a file can be opened by a path that leads to no name: one
// that was removed while it is standard input, under /dev/stdin.
func isGone(p string) bool {
	_, err := filepath.EvalSymlinks(p)
	return err != nil
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
	w.roots = append(w.roots, root{in: NewBytes(0, name, data)})
	return nil
}

// addContent adds a text that is read instead of a file, which a walk must then leave out. There
// may be very many, so only their folders are looked up.
func (w *walker) addContent(p string, data []byte) {
	dir := path.Dir(p)
	if w.folders[dir] == "" {
		w.folders[dir] = realPath(dir)
	}
	if abs := filepath.Join(w.folders[dir], path.Base(p)); !w.named[abs] {
		w.named[abs] = true
		w.roots = append(w.roots, root{in: NewBytes(0, p, data)})
	}
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
	w.roots = append(w.roots, root{in: in})
}

// addFolder adds a folder to walk, shown as p.
func (w *walker) addFolder(p string, at files.Ref) {
	abs := realPath(p)
	if _, known := w.walked[abs]; known {
		return
	}
	w.walked[abs] = false
	if p != "/" {
		p = strings.TrimRight(p, "/")
	}
	if p == "." {
		p = ""
	}
	w.roots = append(w.roots, root{dir: &folder{top: abs, path: p, abs: abs, root: at.Dir, rel: at.Name}})
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
	dir := &folder{path: base, abs: realPath(base), root: files.NewDir(base), rel: "."}
	if base == "." && !strings.HasPrefix(pattern, "./") {
		dir.path = ""
	}
	g := &glob{pattern: rest, depth: strings.Count(rest, "/")}
	if strings.Contains(rest, "**") {
		g.depth = math.MaxInt
	}
	dir.root.Hold()
	defer dir.root.Release()
	if w.walk(dir, "", g); !g.found {
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

func (g *glob) find() {
	if g != nil {
		g.found = true
	}
}

// Covers reports whether a file lies at or below one of the paths of a run, or below the
// fixed beginning of a pattern. The file need not exist.
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

// fixedPart returns what a path names, of a pattern the folder that all matches are in.
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
