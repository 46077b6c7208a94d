package input

import (
	"path"
	"path/filepath"
	"slices"
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

// GlobIn returns a glob with a folder before it.
func GlobIn(folder, glob string) string {
	return globEscapes.Replace(strings.TrimSuffix(filepath.ToSlash(folder), "/")) + "/" + glob
}

var globEscapes = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`)

// excludes are the globs of paths to leave out: those of the configuration begin in its folder, and
// those of flags in the working folder, or where a walk begins.
type excludes struct {
	folder, wd    *Folder
	config, flags *gitignore.Patterns
}

func newExcludes(opts *Options) excludes {
	ex := excludes{folder: NewFolder(opts.Folder), wd: NewFolder("")}
	takesBack := slices.ContainsFunc(slices.Concat(opts.ConfigExclude, opts.Exclude), func(glob string) bool { return strings.HasPrefix(glob, "!") })
	ex.config = gitignore.Globs(opts.ConfigExclude, takesBack, ex.folder.anchored)
	ex.flags = gitignore.Globs(opts.Exclude, takesBack, func(glob string) []string {
		return append(ex.wd.anchored(glob), relative+strings.TrimPrefix(strings.TrimPrefix(withSlashes(glob), "./"), "/"))
	})
	return ex
}

// match reports whether a file or folder is excluded, by its path as shown and by its path from
// where the walk begins.
func (ex *excludes) match(folder bool, shown, below string) bool {
	if ex.config.Len()+ex.flags.Len() == 0 {
		return false
	}
	excluded, decided := ex.flags.Match(folder, append(ex.wd.Spellings(shown), relative+below)...)
	if !decided {
		excluded, _ = ex.config.Match(folder, ex.folder.Spellings(shown)...)
	}
	return excluded
}

// Excluded reports whether the globs of options exclude a file, by its path or by the path of a
// folder that contains it.
func Excluded(opts *Options, file string) bool {
	ex := newExcludes(opts)
	at := path.Clean(filepath.ToSlash(file))
	for folder := false; at != path.Dir(at); folder = true {
		if ex.match(folder, at, at) {
			return true
		}
		at = path.Dir(at)
	}
	return false
}
