// Package globs finds those of many doublestar globs that may match a path,
// without trying each: a configuration may have thousands, and be asked about
// every file and finding.
package globs

import (
	"slices"
	"strings"
)

// Index finds globs by what they begin or end with. The zero Index is empty; once
// it is filled, it is safe for concurrent use.
type Index struct {
	n int
	// The numbers of globs: of those without wildcards by the whole glob, else by
	// the text before the first wildcard or after the last one.
	whole          map[string][]int
	prefix, suffix affixes
	rest           []int // of those that begin and end with wildcards
}

// affixes are numbers of globs by text at one of their ends.
type affixes struct {
	globs   map[string][]int
	lengths []int // of the texts, each once
}

// maxAffix bounds how much of a path is looked up at each of its slashes.
const maxAffix = 32

func (a *affixes) add(text string, glob int) {
	if a.globs == nil {
		a.globs = map[string][]int{}
	}
	a.globs[text] = append(a.globs[text], glob)
	if !slices.Contains(a.lengths, len(text)) {
		a.lengths = append(a.lengths, len(text))
	}
}

// Add adds a glob; it has the number of those that were added before.
func (x *Index) Add(glob string) {
	if x.whole == nil {
		x.whole = map[string][]int{}
	}
	for strings.HasPrefix(glob, "**/") { // matches what the rest matches after some slash
		glob = glob[len("**/"):]
	}
	glob, below := strings.CutSuffix(glob, "/**") // matches what the rest matches before some slash
	prefix, suffix := ends(glob)
	whole := !below && len(prefix) == len(glob)
	prefix, suffix = prefix[:min(len(prefix), maxAffix)], suffix[max(0, len(suffix)-maxAffix):]
	switch {
	case prefix == "" && suffix == "":
		x.rest = append(x.rest, x.n)
	case whole:
		x.whole[glob] = append(x.whole[glob], x.n)
	case suffix == "" || prefix != "" && len(x.prefix.globs[prefix]) < len(x.suffix.globs[suffix]): // fewer share it
		x.prefix.add(prefix, x.n)
	default:
		x.suffix.add(suffix, x.n)
	}
	x.n++
}

// ends returns the text before the first wildcard of a glob and that after the last
// one, without the slashes next to a wildcard: `a/**` matches `a` too. Both are
// the whole glob if it has none.
func ends(glob string) (prefix, suffix string) {
	const wildcards = `*?[]{},\`
	first := strings.IndexAny(glob, wildcards)
	if first < 0 {
		return glob, glob
	}
	last := strings.LastIndexAny(glob, wildcards)
	return strings.TrimSuffix(glob[:first], "/"), strings.TrimPrefix(glob[last+1:], "/")
}

// Candidates returns the numbers, in order, of the globs that may match a path or what
// follows one of its slashes. All others match none of them. What it costs grows
// with the slashes of the path and the candidates.
func (x *Index) Candidates(path string) []int {
	out := slices.Clone(x.rest)
	for tail, more := path, true; more; _, tail, more = strings.Cut(tail, "/") {
		out = append(out, x.whole[tail]...)
		for _, n := range x.prefix.lengths {
			if n <= len(tail) {
				out = append(out, x.prefix.globs[tail[:n]]...)
			}
		}
	}
	for end := len(path); end >= 0; end = strings.LastIndexByte(path[:end], '/') {
		for _, n := range x.suffix.lengths {
			if n <= end {
				out = append(out, x.suffix.globs[path[end-n:end]]...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
