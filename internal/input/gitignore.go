package input

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// addIgnores adds the patterns of a file in a folder, if it can be read, to those above it.
func (w *walker) addIgnores(above *gitignore.Patterns, dir folder, name string) *gitignore.Patterns {
	file := dir.child(name)
	data, _, err := file.ref().First(maxIgnoreFile)
	if err != nil {
		return above
	}
	if above == nil {
		above = &gitignore.Patterns{}
	}
	g := above.Add(data, len(strings.TrimRight(filepath.ToSlash(dir.real()), "/"))+1, maxIgnorePatterns)
	if g.Rest > 0 {
		notice := fmt.Sprintf("%s:%d: this pattern and those after it have no effect: at most %d apply to a file", filepath.ToSlash(file.path()), g.Rest, maxIgnorePatterns)
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
			g = w.addIgnores(g, dir, ".git/info/exclude")
		}
	}
	if t, ok := typeIn(dir.real(), ".gitignore"); ok && t.IsRegular() {
		g = w.addIgnores(g, dir, ".gitignore")
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
