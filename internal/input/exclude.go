package input

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/internal/globs"
)

// excludes are the patterns of --exclude, made ready once for all walks.
type excludes struct {
	list  []exclude
	index globs.Index // of the patterns, by their numbers in list
}

type exclude struct {
	pattern string
	again   bool // takes in again what an earlier pattern left out
	folder  bool // matches folders only
	name    bool // matches names at any depth
}

// ValidGlob reports whether a pattern can match anything: one that is broken off
// never does. One of more alternatives than anybody writes is none either: each
// may have to be tried with all others.
func ValidGlob(pattern string) bool {
	pattern = strings.TrimPrefix(filepath.ToSlash(pattern), "!")
	return doublestar.ValidatePattern(pattern) && alternatives(pattern) <= maxAlternatives
}

const maxAlternatives = 1000

// alternatives is how many patterns without braces a pattern stands for, at most,
// and no more than one above maxAlternatives.
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

func newExcludes(patterns []string) *excludes {
	ex := &excludes{}
	for _, p := range patterns {
		var e exclude
		e.pattern, e.again = strings.CutPrefix(filepath.ToSlash(p), "!")
		e.pattern, e.folder = strings.CutSuffix(e.pattern, "/")
		e.name = !strings.Contains(e.pattern, "/")
		e.pattern = strings.TrimPrefix(strings.TrimPrefix(e.pattern, "./"), "/")
		ex.list = append(ex.list, e)
		ex.index.Add(e.pattern)
	}
	return ex
}

// matchPath reports whether a file or folder is left out: by its path as shown
// or by its path from the root of the walk, which is the end of the first. The
// last pattern that matches wins.
func (ex *excludes) matchPath(shown, rel string, dir bool) bool {
	if len(ex.list) == 0 {
		return false
	}
	shown = path.Clean(shown)
	for _, i := range slices.Backward(ex.index.Candidates(shown)) {
		if e := &ex.list[i]; (dir || !e.folder) && e.matches(shown, rel) {
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

// matchBelow is matchPath for a file that no walk led to: the folders on the way
// are looked at too.
func (ex *excludes) matchBelow(shown, rel string, dir bool) bool {
	for i := range len(rel) {
		if len(ex.list) > 0 && rel[i] == '/' && ex.matchPath(shown[:len(shown)-len(rel)+i], rel[:i], true) {
			return true
		}
	}
	return ex.matchPath(shown, rel, dir)
}

func matches(pattern, name string) bool {
	ok, err := doublestar.Match(pattern, name)
	return err == nil && ok
}

// Excluded reports whether patterns leave out a file by its path, or by that of a
// folder that it is in.
func Excluded(patterns []string, file string) bool {
	if len(patterns) == 0 {
		return false
	}
	ex := newExcludes(patterns)
	shown := path.Clean(filepath.ToSlash(file))
	if ex.matchPath(shown, shown, false) {
		return true
	}
	for dir := path.Dir(shown); dir != "." && dir != "/" && dir != path.Dir(dir); dir = path.Dir(dir) {
		if ex.matchPath(dir, dir, true) {
			return true
		}
	}
	return false
}
