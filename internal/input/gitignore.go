package input

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/gitignore"
)

const (
	// maxIgnoreFile is how much of a .gitignore file is read, in bytes.
	maxIgnoreFile = 1 << 20
	// maxIgnorePatterns bounds the patterns that apply to a file, of all .gitignore files
	// above it: each is tried.
	maxIgnorePatterns = 1000
)

// isIgnored reports whether git ignores a file or folder of a walk.
func (f *folder) isIgnored(isDir bool) bool {
	if f.ignores == nil {
		return false
	}
	ignored, _ := f.ignores.Match(isDir, filepath.ToSlash(f.real()))
	return ignored
}

// addIgnores adds the patterns of a file, if it can be read, to those above it. They apply to
// the folder, and name is how reports show the file.
func (w *walker) addIgnores(above *gitignore.Patterns, folder, name string, f files.Ref) *gitignore.Patterns {
	data, _, err := f.First(maxIgnoreFile)
	if err != nil {
		return above
	}
	if above == nil {
		above = &gitignore.Patterns{}
	}
	g := above.Add(data, len(strings.TrimRight(filepath.ToSlash(folder), "/"))+1, maxIgnorePatterns)
	if g.Rest > 0 {
		notice := fmt.Sprintf("%s:%d: this pattern and those after it have no effect: at most %d apply to a file", filepath.ToSlash(name), g.Rest, maxIgnorePatterns)
		if !slices.Contains(w.notices, notice) { // walks may overlap
			w.notices = append(w.notices, notice)
		}
	}
	return g
}

// ignoresAt returns the patterns for a folder: those of its files, and those above it, of which there are
// none if a repository begins here.
func (w *walker) ignoresAt(dir folder, above *gitignore.Patterns) *gitignore.Patterns {
	g := above
	if t, ok := typeIn(dir.real(), ".git"); ok {
		g = &gitignore.Patterns{}
		if t.IsDir() { // a file is not followed
			g = w.addIgnores(g, dir.real(), path.Join(dir.path(), ".git/info/exclude"), dir.ref().In(".git/info/exclude"))
		}
	}
	if t, ok := typeIn(dir.real(), ".gitignore"); ok && t.IsRegular() {
		file := dir.child(".gitignore")
		g = w.addIgnores(g, dir.real(), file.path(), file.ref())
	}
	return g
}

// typeIn returns the type of a file in a folder, if there is one.
func typeIn(folder, name string) (t fs.FileMode, ok bool) {
	info, err := os.Lstat(filepath.Join(folder, name))
	if err != nil {
		return 0, false
	}
	return info.Mode(), true
}

// ignoresOf returns the patterns for a folder outside of the walks. It reads the .gitignore
// files from the root of the repository down to the folder, once for all walks below it. It
// returns nil if the folder is not in a git repository.
func (w *walker) ignoresOf(folder string) *gitignore.Patterns {
	g, known := w.above[folder]
	if known {
		return g
	}
	_, isTop := typeIn(folder, ".git")
	if up := filepath.Dir(folder); !isTop && up != folder {
		g = w.ignoresOf(up)
	}
	if isTop || g != nil {
		g = w.ignoresAt(newWalk(folder), g)
	}
	w.above[folder] = g
	return g
}
