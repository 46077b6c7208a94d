package cli

import (
	"path"
	"path/filepath"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
)

// Paths in a baseline are relative to its folder if that is the working folder or above it: so
// they mean the same in every folder below. Otherwise they are relative to the working folder.

// fromBaseline turns the paths of a baseline that was read into those of the working folder.
func fromBaseline(b *engine.Baseline) {
	below := belowBaseline(b.Path)
	for i := range b.Findings {
		e := &b.Findings[i]
		if below == "." || isFixed(e.Path) {
			continue
		}
		if rel, err := filepath.Rel(below, filepath.FromSlash(e.Path)); err == nil {
			e.Path = filepath.ToSlash(rel)
		}
	}
}

// toBaseline returns a baseline with the paths that the file of a path gets.
func toBaseline(file string, b *engine.Baseline) *engine.Baseline {
	below := belowBaseline(file)
	if below == "." {
		return b
	}
	entries := make([]lint.BaselineEntry, len(b.Findings))
	for i, e := range b.Findings {
		if !isFixed(e.Path) {
			e.Path = path.Join(filepath.ToSlash(below), e.Path)
		}
		entries[i] = e
	}
	return engine.NewBaseline(nil, entries...)
}

// isFixed reports whether a path is the same in every folder: an absolute one, or that of
// standard input.
func isFixed(p string) bool { return p == "-" || filepath.IsAbs(p) }

// belowBaseline returns the path of the working folder from the folder of a baseline on;
// "." if that is the same one or is not above it.
func belowBaseline(file string) string {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return "."
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return "."
	}
	if rel, err := filepath.Rel(dir, here); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return "."
}
