package input

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/internal/gitignore"
)

// ValidGlob reports whether a pattern is complete and its number of alternatives is bounded:
// each may have to be tried with all others.
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

// Excluded reports whether patterns exclude a file, by its path or by the path of a folder that
// contains it.
func Excluded(patterns []string, file string) bool {
	ex := gitignore.Globs(patterns)
	at := path.Clean(filepath.ToSlash(file))
	for folder := false; at != "." && at != "/"; folder = true {
		if excluded, _ := ex.Match(folder, at); excluded {
			return true
		}
		if at == path.Dir(at) {
			break
		}
		at = path.Dir(at)
	}
	return false
}
