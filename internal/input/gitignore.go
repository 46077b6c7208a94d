package input

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/gitignore"
)

// ignores are the patterns of a .gitignore file, and of those above it in the same
// repository. A nil one ignores nothing.
type ignores struct {
	up       *ignores
	skip     int // the length of the folder's path with the slash after it
	patterns *gitignore.Patterns
	total    int // of patterns, including those above
}

const (
	// maxIgnoreFile is how much of a .gitignore file is read, in bytes.
	maxIgnoreFile = 1 << 20
	// maxIgnorePatterns bounds the patterns that apply to a file, of all .gitignore files
	// above it: each is tried.
	maxIgnorePatterns = 1000
)

// match reports whether a real path, which is below the folders of all files, is ignored: the
// deepest .gitignore file with a matching pattern decides.
func (g *ignores) match(real string, dir bool) bool {
	for ; g != nil; g = g.up {
		if ignored, decided := g.patterns.Match(dir, filepath.ToSlash(real[g.skip:])); decided {
			return ignored
		}
	}
	return false
}

// addIgnores adds the patterns of a file, if it can be read, to those above it. They apply to
// the folder, and name is how reports show the file.
func (w *walker) addIgnores(g *ignores, folder, name string, f files.Ref) *ignores {
	in, _, err := f.Open()
	if err != nil {
		return g
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxIgnoreFile))
	if err != nil {
		return g
	}
	above := 0
	if g != nil {
		above = g.total
	}
	patterns := gitignore.Parse(data, maxIgnorePatterns-above)
	if patterns.Rest > 0 {
		notice := fmt.Sprintf("%s:%d: this pattern and those after it have no effect: at most %d apply to a file", filepath.ToSlash(name), patterns.Rest, maxIgnorePatterns)
		if !slices.Contains(w.notices, notice) { // walks may overlap
			w.notices = append(w.notices, notice)
		}
	}
	return &ignores{up: g, skip: len(strings.TrimRight(filepath.ToSlash(folder), "/")) + 1, patterns: patterns, total: above + patterns.Len()}
}

// repository returns the patterns of .git/info/exclude of a repository. If .git is a file, it is
// not followed.
func (w *walker) repository(folder, shown string, git files.Ref, isDir bool) *ignores {
	empty := &ignores{patterns: &gitignore.Patterns{}}
	if !isDir {
		return empty
	}
	return w.addIgnores(empty, folder, path.Join(shown, ".git/info/exclude"), git.In("info/exclude"))
}

// ignoresOf returns the patterns for a folder outside of the walks. It reads the .gitignore
// files from the root of the repository down to the folder, once for all walks below it. It
// returns nil if the folder is not in a git repository.
func (w *walker) ignoresOf(folder string) *ignores {
	g, known := w.above[folder]
	if known {
		return g
	}
	git := filepath.Join(folder, ".git")
	if info, err := os.Lstat(git); err == nil {
		g = w.repository(folder, folder, files.Named(git), info.IsDir())
	} else if up := filepath.Dir(folder); up != folder {
		g = w.ignoresOf(up)
	}
	name := filepath.Join(folder, ".gitignore")
	if info, err := os.Lstat(name); g != nil && err == nil && info.Mode().IsRegular() {
		g = w.addIgnores(g, folder, name, files.Named(name))
	}
	w.above[folder] = g
	return g
}

// ignoresIn returns the patterns for a folder of a walk: those of its own .gitignore file and,
// unless a repository begins here, of the folders above.
func (w *walker) ignoresIn(dir folder, entries []fs.DirEntry) *ignores {
	if !w.opts.GitIgnore {
		return nil
	}
	g, here := dir.ignores, dir.ref()
	if dir.below() == "" {
		g = w.ignoresOf(filepath.Dir(dir.real()))
	}
	for _, e := range entries { // .git is before .gitignore
		switch {
		case e.Name() == ".git":
			g = w.repository(dir.real(), dir.path(), here.In(".git"), e.IsDir())
		case e.Name() == ".gitignore" && e.Type().IsRegular():
			file := dir.child(".gitignore")
			g = w.addIgnores(g, dir.real(), file.path(), file.ref())
		}
	}
	return g
}
