package input

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

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
