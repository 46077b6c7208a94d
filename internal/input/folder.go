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

// Folder is where globs begin, such as the one of a configuration. It is safe for concurrent use.
type Folder struct {
	path  string
	wd    string   // the working folder
	known sync.Map // what resolve has returned
}

// NewFolder returns the folder of a name; "" is the working folder.
func NewFolder(name string) *Folder {
	f := &Folder{}
	f.wd = f.resolve(".")
	f.path = f.resolve(cmp.Or(name, "."))
	return f
}

// Spellings returns the paths of a file that globs are compared with. Globs that begin in a folder
// are compared with its absolute path; links that lead to the folder are resolved there, and those in
// it are not, so that all ways to a file are one. Globs of any depth are compared with its path from
// the folder, or else from the working folder: they are not about the names of folders above.
func (f *Folder) Spellings(file string) []string {
	at := filepath.Join(f.resolve(filepath.Dir(file)), filepath.Base(file))
	below, err := filepath.Rel(f.path, at)
	if here, _ := filepath.Rel(f.wd, at); !filepath.IsLocal(below) && filepath.IsLocal(here) {
		below = here
	} else if err != nil { // on another volume
		below = at
	}
	return []string{filepath.ToSlash(at), relative + strings.TrimPrefix(filepath.ToSlash(below), "/")}
}

// relative begins paths from a folder and globs of any depth, and no absolute path.
const relative = "./"

// maxPath is how long the path of a file is at most, in bytes: of a longer one no links are resolved.
const maxPath = 1 << 12

// resolve returns the absolute path of a folder, for Spellings.
func (f *Folder) resolve(dir string) string {
	if at, ok := f.known.Load(dir); ok {
		return at.(string)
	}
	at, err := filepath.Abs(dir)
	if up := filepath.Dir(at); err == nil && up != at && len(at) <= maxPath {
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

// withSlashes returns a glob with slashes, and without `/...` or `/.` at its end.
func withSlashes(glob string) string {
	glob = filepath.ToSlash(glob)
	if path.Clean(glob) == "." {
		return "**"
	}
	if dir, ok := withoutDots(glob); ok {
		return dir + "/**"
	} else if dir, ok := strings.CutSuffix(glob, "/."); ok {
		return dir + "/"
	}
	return glob
}

// anchored returns what a glob of the folder means. One without a slash is about names at any depth.
// One that begins with a slash may be an absolute path, too.
func (f *Folder) anchored(glob string) []string {
	glob = withSlashes(glob)
	if !strings.Contains(strings.TrimSuffix(glob, "/"), "/") {
		return []string{relative + "**/" + glob}
	}
	if strings.HasPrefix(glob, "**/") {
		return []string{relative + glob}
	}
	base, rest := doublestar.SplitPattern(strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/"))
	globs := []string{GlobIn(filepath.Join(f.path, base), rest)}
	if path.IsAbs(glob) || filepath.IsAbs(glob) {
		base, rest := doublestar.SplitPattern(glob)
		globs = append(globs, GlobIn(f.resolve(base), rest))
	}
	return globs
}

// Globs are globs of files. What names a folder, without * or ?, is about all in it.
type Globs []string

// Globs returns globs that begin in the folder.
func (f *Folder) Globs(globs ...string) (out Globs) {
	for _, glob := range globs {
		for _, g := range f.anchored(glob) {
			switch {
			case strings.HasSuffix(g, "/"):
				g += "**/*"
			case !strings.ContainsAny(path.Base(g), "*?"):
				g += "/**"
			}
			out = append(out, g)
		}
	}
	return out
}

// Match reports whether one of the globs matches a file, by its Folder.Spellings.
func (gs Globs) Match(spellings []string) bool {
	return slices.ContainsFunc(gs, func(g string) bool {
		return slices.ContainsFunc(spellings, func(s string) bool {
			ok, _ := doublestar.Match(g, s)
			return ok
		})
	})
}
