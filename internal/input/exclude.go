package input

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// exclude is a pattern of --exclude.
type exclude struct {
	pattern string
	again   bool // includes again what an earlier pattern excluded
	folder  bool // matches folders only
	name    bool // matches names at any depth
}

// ValidGlob reports whether a pattern is complete and has no more alternatives than anyone
// would write: each may have to be tried with all others.
func ValidGlob(pattern string) bool {
	pattern = strings.TrimPrefix(filepath.ToSlash(pattern), "!")
	return doublestar.ValidatePattern(pattern) && alternatives(pattern) <= maxAlternatives
}

const maxAlternatives = 1000

// alternatives returns how many patterns without braces a pattern expands to at most, but
// no more than maxAlternatives + 1.
func alternatives(pattern string) int {
	total := 1
	var open []int // of each brace that is open, the alternatives so far
	for i := 0; i < len(pattern); i++ {
		switch n := len(open); {
		case pattern[i] == '\\':
			i++
		case pattern[i] == '{':
			open = append(open, 1)
		case pattern[i] == ',' && n > 0:
			open[n-1]++
		case pattern[i] == '}' && n > 0:
			total = min(total*open[n-1], maxAlternatives+1)
			open = open[:n-1]
		}
	}
	return total
}

func newExcludes(patterns []string) []exclude {
	var out []exclude
	for _, p := range patterns {
		var e exclude
		e.pattern, e.again = strings.CutPrefix(filepath.ToSlash(p), "!")
		e.pattern, e.folder = strings.CutSuffix(e.pattern, "/")
		e.name = !strings.Contains(e.pattern, "/")
		e.pattern = strings.TrimPrefix(strings.TrimPrefix(e.pattern, "./"), "/")
		out = append(out, e)
	}
	return out
}

// isExcluded reports whether a file or folder is excluded: by its path as shown or by its
// path from the root of the walk, which is the end of the first. The last matching
// pattern wins.
func isExcluded(patterns []exclude, shown, rel string, dir bool) bool {
	if len(patterns) == 0 {
		return false
	}
	shown = path.Clean(shown)
	for _, e := range slices.Backward(patterns) {
		if (dir || !e.folder) && e.matches(shown, rel) {
			return !e.again
		}
	}
	return false
}

func (e *exclude) matches(shown, rel string) bool {
	if e.name {
		return matches(e.pattern, path.Base(rel))
	}
	return matches(e.pattern, shown) || matches(e.pattern, rel)
}

func matches(pattern, name string) bool {
	ok, err := doublestar.Match(pattern, name)
	return err == nil && ok
}

// Excluded reports whether patterns exclude a file by its path, or by that of a folder
// that contains it.
func Excluded(patterns []string, file string) bool {
	ex := newExcludes(patterns)
	at := path.Clean(filepath.ToSlash(file))
	for folder := false; at != "." && at != "/"; folder = true {
		if isExcluded(ex, at, at, folder) {
			return true
		}
		if at == path.Dir(at) {
			break
		}
		at = path.Dir(at)
	}
	return false
}
