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

// match reports whether a path, which is below the folders of all files, is ignored: the
// deepest .gitignore file with a matching pattern decides.
func (g *ignores) match(abs string, dir bool) bool {
	for ; g != nil; g = g.up {
		if ignored, decided := g.patterns.Match(abs[g.skip:], dir); decided {
			return ignored
		}
	}
	return false
}

// addIgnores adds the .gitignore file of a folder, if it can be read, to those above it.
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
		w.ignoreNotice(fmt.Sprintf("%s:%d: this pattern and those after it have no effect: at most %d apply to a file", filepath.ToSlash(name), patterns.Rest, maxIgnorePatterns))
	}
	if patterns.Len() == 0 {
		return g
	}
	return &ignores{up: g, skip: len(strings.TrimRight(filepath.ToSlash(folder), "/")) + 1, patterns: patterns, total: above + patterns.Len()}
}

// ignoreNotice notes that patterns are left out, once: walks may overlap.
func (w *walker) ignoreNotice(notice string) {
	if !slices.Contains(w.notices, notice) {
		w.notices = append(w.notices, notice)
	}
}

// repository is what a folder outside of a walk ignores; known is false if it is not in a
// git repository.
type repository struct {
	ignores *ignores
	known   bool
}

// repositoryOf reads the .gitignore files from the root of the repository down to a
// folder, once for all walks that begin below it.
func (w *walker) repositoryOf(abs string) repository {
	if r, ok := w.repositories[abs]; ok {
		return r
	}
	git, err := os.Lstat(filepath.Join(abs, ".git"))
	var r repository
	if err == nil {
		r.known = true
		r.ignores = w.addExclude(nil, abs, abs, files.Named(filepath.Join(abs, ".git")), git.IsDir())
	} else if up := filepath.Dir(abs); up != abs {
		r = w.repositoryOf(up)
	}
	if r.known {
		name := filepath.Join(abs, ".gitignore")
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			r.ignores = w.addIgnores(r.ignores, abs, name, files.Named(name))
		}
	}
	if w.repositories == nil {
		w.repositories = map[string]repository{}
	}
	w.repositories[abs] = r
	return r
}

// addExclude adds `.git/info/exclude` of a folder that is shown by a name. If .git is a file,
// it is not followed.
func (w *walker) addExclude(g *ignores, abs, shown string, git files.Ref, isDir bool) *ignores {
	if !isDir {
		return g
	}
	return w.addIgnores(g, abs, path.Join(shown, ".git/info/exclude"), git.In("info/exclude"))
}

// ignoresIn returns what a folder of a walk ignores: what those above it do, unless a
// repository begins here, and what its own .gitignore file says.
func (w *walker) ignoresIn(dir *folder, entries []fs.DirEntry, first bool) *ignores {
	if !w.opts.GitIgnore {
		return nil
	}
	var git, own fs.DirEntry
	for _, e := range entries {
		switch e.Name() {
		case ".git":
			git = e
		case ".gitignore":
			own = e
		}
	}
	g := dir.ignores
	here := files.Ref{Dir: dir.root, Name: dir.rel}
	switch {
	case git != nil:
		g = w.addExclude(nil, dir.abs, dir.path, here.In(".git"), git.IsDir())
	case first:
		g = w.repositoryOf(filepath.Dir(dir.abs)).ignores
	}
	if own != nil && own.Type().IsRegular() {
		g = w.addIgnores(g, dir.abs, dir.join(".gitignore"), here.In(".gitignore"))
	}
	return g
}

// ignored reports whether git ignores a file or folder that a walk found in a folder.
func (w *walker) ignored(g *ignores, folder, name string, isDir bool) bool {
	if g == nil || !g.match(path.Join(filepath.ToSlash(folder), name), isDir) {
		return false
	}
	w.ignoredFiles++
	return true
}
