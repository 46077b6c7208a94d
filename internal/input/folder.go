package input

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// Folder is where the globs of a configuration begin. It is safe for concurrent use.
type Folder struct {
	path  string
	known sync.Map // what resolve has returned
}

// NewFolder returns the folder of a name; "" is the working folder.
func NewFolder(name string) *Folder {
	f := &Folder{}
	f.path = f.resolve(cmp.Or(name, "."))
	return f
}

// Path returns the absolute path by which globs know a file. Links that lead to the folder are
// resolved, and those in it are not, so that all ways to a file of the folder are one path.
func (f *Folder) Path(file string) string {
	return f.seen(filepath.Join(f.resolve(filepath.Dir(file)), filepath.Base(file)))
}

// seen returns a path of resolve as globs see it. The folder is /. there: `**/mail/**` is not about
// the names of folders above it.
func (f *Folder) seen(at string) string {
	if rel, err := filepath.Rel(f.path, at); err == nil && filepath.IsLocal(rel) {
		return strings.TrimSuffix("/./"+filepath.ToSlash(rel), "/.")
	}
	return filepath.ToSlash(at)
}

// resolve is Path for a folder, which is resolved itself if it leads to this folder.
func (f *Folder) resolve(dir string) string {
	if at, ok := f.known.Load(dir); ok {
		return at.(string)
	}
	at, err := filepath.Abs(dir)
	if up := filepath.Dir(at); err == nil && up != at {
		up = f.resolve(up)
		at = filepath.Join(up, filepath.Base(at))
		rel, err := filepath.Rel(f.path, up)
		inside := f.path != "" && err == nil && filepath.IsLocal(rel)
		if _, err := os.Readlink(at); err == nil && !inside {
			at = realPath(at)
		}
	}
	f.known.Store(dir, at)
	return at
}

// anchored returns what a glob means that begins in a folder. One without a slash is about names at
// any depth. One that begins with a slash may be an absolute path, too.
func (f *Folder) anchored(folder, glob string) []string {
	glob = filepath.ToSlash(glob)
	if dir, ok := withoutDots(glob); ok {
		glob = dir + "/**"
	} else if dir, ok := strings.CutSuffix(glob, "/."); ok {
		glob = dir + "/"
	}
	if !strings.Contains(strings.TrimSuffix(glob, "/"), "/") {
		return []string{"**/" + glob}
	}
	if strings.HasPrefix(glob, "**/") {
		return []string{glob}
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
	for ; strings.HasPrefix(rest, "../"); rest = rest[len("../"):] {
		folder = filepath.Join(folder, "..")
	}
	base, rest := doublestar.SplitPattern(rest)
	globs := f.below(filepath.Join(folder, base), rest)
	if path.IsAbs(glob) || filepath.IsAbs(glob) {
		base, rest := doublestar.SplitPattern(glob)
		globs = append(globs, f.below(f.resolve(base), rest)...)
	}
	return globs
}

// below returns globs of what is below another folder, which may be above this one.
func (f *Folder) below(folder, glob string) []string {
	globs := []string{GlobIn(f.seen(folder), glob)}
	if rel, err := filepath.Rel(folder, f.path); err == nil && filepath.IsLocal(rel) && strings.HasPrefix(glob, "**") {
		globs = append(globs, GlobIn("/.", glob))
	}
	return globs
}

// Globs are globs of files. What names a folder is about all in it.
type Globs []string

// Globs returns globs that begin in the folder.
func (f *Folder) Globs(globs ...string) (out Globs) {
	for _, glob := range globs {
		for _, g := range f.anchored(f.path, glob) {
			switch {
			case strings.HasSuffix(g, "/"):
				g += "**/*"
			case !strings.ContainsAny(path.Base(g), "*?[{"):
				g += "/**"
			}
			out = append(out, g)
		}
	}
	return out
}

// Match reports whether one of the globs matches a path that Folder.Path gave.
func (gs Globs) Match(at string) bool {
	return slices.ContainsFunc(gs, func(g string) bool {
		ok, _ := doublestar.Match(g, at)
		return ok
	})
}
