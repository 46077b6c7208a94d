// Package globs finds those of many doublestar globs that may match a path,
// without trying each: a configuration may have thousands, and be asked about
// every file and finding.
package globs

import (
	"slices"
	"strings"
)

// Index finds globs by what they begin or end with. The zero Index is empty; once
// it is filled, several goroutines may use it.
type Index struct {
	n int
	// The numbers of globs, by what has no wildcard in them: the whole, else the
	// first segment, else the last one.
	whole, first, last map[string][]int
	rest               []int // of those that begin and end with wildcards
}

// Add adds a glob; it has the number of those that were added before.
func (x *Index) Add(glob string) {
	if x.whole == nil {
		x.whole, x.first, x.last = map[string][]int{}, map[string][]int{}, map[string][]int{}
	}
	first, _, more := strings.Cut(glob, "/")
	last := glob[strings.LastIndexByte(glob, '/')+1:]
	switch {
	case isLiteral(glob):
		x.whole[glob] = append(x.whole[glob], x.n)
	case more && isLiteral(first):
		x.first[first] = append(x.first[first], x.n)
	case isLiteral(last):
		x.last[last] = append(x.last[last], x.n)
	default:
		x.rest = append(x.rest, x.n)
	}
	x.n++
}

// isLiteral reports whether a part of a glob matches itself only.
func isLiteral(part string) bool { return part != "" && !strings.ContainsAny(part, `*?[]{},\`) }

// Candidates are the numbers, in order, of the globs that may match a path or what
// follows one of its slashes. All others match none of them.
func (x *Index) Candidates(path string) []int {
	out := slices.Clone(x.rest)
	for tail, more := path, true; more; {
		first, below, found := strings.Cut(tail, "/")
		out = append(append(out, x.whole[tail]...), x.first[first]...)
		if !found {
			out = append(out, x.last[tail]...)
		}
		tail, more = below, found
	}
	slices.Sort(out)
	return slices.Compact(out)
}
