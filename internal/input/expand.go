package input

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/source"
)

// root is what the command line asks for: a file, or a folder to walk.
type root struct {
	in     *Input // nil for a folder
	dir    folder
	walked bool
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
			w.emit(r.in, nil)
		case !r.walked:
			r.walked = true
			if len(w.held) < maxHeld {
				r.dir.tree.Hold()
				w.held = append(w.held, r.dir.tree)
			}
			w.walk(r.dir)
		}
	}
	return nil
}

// maxHeld is how many of the named folders stay open.
const maxHeld = 64

// expand adds the roots that a path names.
func (w *walker) expand(p string) error {
	name := p // as reports show it
	if p == "-" {
		name = filepath.ToSlash(cmp.Or(w.opts.StdinName, p))
	}
	if data, known := w.opts.Contents[p]; known {
		if p != "-" {
			p = realPath(p)
		}
		w.add(p, root{in: NewBytes(0, name, data)})
		return nil
	}
	switch {
	case p == "":
		return &UsageError{Path: p, Reason: "is not a path"}
	case p == "-" && w.opts.Stdin == nil:
		return &UsageError{Path: p, Reason: "cannot be read: there is no standard input"}
	case p == "-":
		return w.readStream(p, name, w.opts.Stdin)
	}
	base, pattern := SplitPath(p)
	if pattern != "" {
		return w.expandGlob(strings.TrimSuffix(p, "/..."), base, pattern)
	}
	info, err := os.Stat(base)
	switch {
	case err == nil && info.IsDir():
		w.add(realPath(base), root{dir: newWalk(base)})
	case errors.Is(err, fs.ErrNotExist):
		return &UsageError{Path: base, Reason: "does not exist"}
	case err == nil && (!info.Mode().IsRegular() || isGone(base)):
		if f, err := os.Open(base); err == nil {
			defer f.Close()
			return w.readStream(base, base, f)
		}
		fallthrough
	default: // it may exist, though its information cannot be read
		w.add(realPath(base), root{in: &Input{Named: true, path: base, ref: files.Named(base)}})
	}
	return nil
}

// isGone reports whether a path opens a file that has no name any more, such as /dev/stdin where a
// shell passes a here-document.
func isGone(p string) bool {
	_, err := filepath.EvalSymlinks(p)
	return err != nil
}

// readStream reads a stream to its end, or to the limit: a stream cut there is reported
// when it is opened.
func (w *walker) readStream(p, name string, r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, w.opts.MaxFileSize+1))
	if err != nil {
		return &UsageError{Path: name, Reason: "cannot be read: " + source.Reason(err).Error()}
	}
	if w.opts.Contents != nil {
		w.opts.Contents[p] = data
	}
	w.add(p, root{in: NewBytes(0, name, data)})
	return nil
}

// add adds a root by its real path, once. A stream has only its name.
func (w *walker) add(real string, r root) {
	known := w.known[real]
	if known == nil {
		w.known[real] = &r
		w.roots = append(w.roots, &r)
	} else if known.in != nil && r.in != nil {
		known.in.Named = known.in.Named || r.in.Named
	}
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

// glob is a pattern without its fixed beginning.
type glob struct {
	pattern string
	deep    bool // it has `**`: a match can be at any depth
	found   bool // something
	leftOut bool // something that may match is excluded, or ignored by git
}

// expandGlob adds what a doublestar glob matches: files, and whole folders that it matches
// without `**`. It walks by itself: the library walks a folder once for each way in which the
// pattern matches it.
func (w *walker) expandGlob(p, base, pattern string) error {
	if !ValidGlob(p) {
		return &UsageError{Path: p, Reason: "is not a valid glob; expected *, **, ?, [abc] or {a,b}"}
	}
	dir := newWalk(base)
	if base == "." && strings.HasPrefix(p, "./") {
		dir.shown = "./"
	}
	g := &glob{pattern: pattern, deep: strings.Contains(pattern, "**")}
	dir.tree.Hold()
	defer dir.tree.Release()
	switch w.match(dir, g); {
	case g.found:
		return nil
	case g.leftOut:
		return &UsageError{Path: p, Reason: "matches no file, apart from what is excluded or git ignores"}
	}
	return &UsageError{Path: p, Reason: "matches no file"}
}

// matches reports whether the pattern matches a path, and notes that.
func (g *glob) matches(name string) bool {
	ok, err := doublestar.Match(g.pattern, name)
	g.found = g.found || ok
	return err == nil && ok
}

// leaves notes that a file or folder is left out.
func (g *glob) leaves(name string, folder bool) {
	if g != nil {
		match, _ := doublestar.Match(g.pattern, name)
		g.leftOut = g.leftOut || match || folder && g.deep
	}
}

// Roots are the absolute paths of the files and folders that the paths of a run name, and of the
// fixed beginnings of patterns.
type Roots map[string]bool

// NewRoots returns the roots of the paths of a run.
func NewRoots(paths []string) Roots {
	roots := Roots{}
	for _, p := range paths {
		base, _ := SplitPath(filepath.ToSlash(p))
		if base, err := filepath.Abs(base); err == nil {
			roots[base] = true
		}
	}
	return roots
}

// Cover reports whether a path is at or below one of the roots. The file need not exist.
func (r Roots) Cover(file string) bool {
	at, err := filepath.Abs(file)
	for err == nil && !r[at] && at != filepath.Dir(at) {
		at = filepath.Dir(at)
	}
	return err == nil && r[at]
}

// SplitPath returns the file or folder that a path names, or for a pattern the folder of all matches
// and the rest of the pattern.
func SplitPath(p string) (base, pattern string) {
	if _, err := os.Lstat(p); err == nil {
		return p, ""
	}
	if dir, ok := withoutDots(p); ok {
		return SplitPath(dir)
	}
	if !strings.ContainsAny(p, "*?[{") {
		return p, ""
	}
	return doublestar.SplitPattern(p)
}

// withoutDots returns the folder of a Go-style pattern such as ./artifacts/...
func withoutDots(p string) (dir string, ok bool) {
	dir, ok = strings.CutSuffix(p, "...")
	if !ok || dir != "" && !strings.HasSuffix(dir, "/") {
		return "", false
	}
	return cmp.Or(strings.TrimSuffix(dir, "/"), dir, "."), true
}
