package input

import (
	"os"
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

// excludes are the patterns of --exclude, and those of a configuration.
type excludes struct {
	*gitignore.Patterns
	above int    // how many folders above the working folder one of them begins
	wd    string // the working folder
	// absolute are those that begin with a slash: they may be absolute paths, too.
	absolute *gitignore.Patterns
}

func newExcludes(patterns []string) excludes {
	slashed := make([]string, len(patterns))
	out := excludes{}
	out.wd, _ = os.Getwd()
	var absolute []string
	for i, p := range patterns {
		p = strings.Replace(filepath.ToSlash(p), "..//", "../", 1)
		if folder, ok := withoutDots(p); ok {
			p = folder + "/**"
		} else if strings.HasSuffix(p, "/.") {
			p = strings.TrimSuffix(p, ".")
		}
		slashed[i] = p
		bare := strings.TrimPrefix(p, "!")
		n, _ := cutAbove(bare)
		out.above = max(out.above, n)
		if path.IsAbs(bare) || filepath.IsAbs(bare) {
			absolute = append(absolute, p)
		}
	}
	out.Patterns, out.absolute = gitignore.Globs(slashed), gitignore.Globs(absolute)
	return out
}

// match reports whether a file or folder is excluded, by its path as shown, by its path from the
// root of the walk, by that from a folder above the working folder, or by its absolute path.
func (ex excludes) match(folder bool, shown, below string) bool {
	spellings := []string{path.Clean(shown), below}
	if ex.above > 0 {
		spellings = append(spellings, strings.Repeat("../", ex.above)+fromAbove(ex.wd, ex.above, shown))
	}
	excluded, decided := ex.Match(folder, spellings...)
	if !decided && ex.absolute.Len() > 0 {
		full := shown
		if !filepath.IsAbs(full) {
			full = filepath.Join(ex.wd, full)
		}
		excluded, _ = ex.absolute.Match(folder, strings.TrimPrefix(filepath.ToSlash(full), "/"))
	}
	return excluded
}

// cutAbove returns how many folders above the working folder a glob begins, and the rest of it.
func cutAbove(glob string) (n int, rest string) {
	for rest = glob; strings.HasPrefix(rest, "../"); n++ {
		rest = rest[len("../"):]
	}
	return n, rest
}

// fromAbove returns a path as it is seen from n folders above the working folder wd; a path
// elsewhere stays as it is.
func fromAbove(wd string, n int, file string) string {
	folder := filepath.Join(wd, strings.Repeat("../", n))
	full := filepath.FromSlash(file)
	if !filepath.IsAbs(full) {
		full = filepath.Join(wd, full)
	}
	rel, err := filepath.Rel(folder, full)
	if rel = filepath.ToSlash(rel); err != nil || strings.HasPrefix(rel, "../") {
		return file
	}
	return rel
}

// MatchesEnd reports whether a glob matches a path, or any end of it that begins at a folder,
// unless the glob begins with a slash. One that begins with ../ is about paths as a folder above
// the working folder wd sees them.
func MatchesEnd(wd, glob, file string) bool {
	n, glob := cutAbove(strings.TrimPrefix(glob, "./"))
	seen := strings.TrimPrefix(file, "./")
	rooted, isRooted := strings.CutPrefix(glob, "/")
	if n > 0 || isRooted {
		seen = fromAbove(wd, n, file)
	}
	if isRooted {
		whole, _ := doublestar.Match(rooted, seen)
		full, _ := doublestar.Match(glob, file)
		return whole || full
	}
	for more := true; more; _, seen, more = strings.Cut(seen, "/") {
		if ok, _ := doublestar.Match(glob, seen); ok {
			return true
		}
	}
	return false
}

// Excluded reports whether patterns exclude a file, by its path or by the path of a folder that
// contains it.
func Excluded(patterns []string, file string) bool {
	ex := newExcludes(patterns)
	at := path.Clean(filepath.ToSlash(file))
	for folder := false; at != "." && at != "/"; folder = true {
		if ex.match(folder, at, at) {
			return true
		}
		if at == path.Dir(at) {
			break
		}
		at = path.Dir(at)
	}
	return false
}
