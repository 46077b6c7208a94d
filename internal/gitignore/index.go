package gitignore

import (
	"slices"
	"strings"
)

// index finds patterns by what they begin or end with, so that of thousands few are
// tried. Unlike that of package globs it looks at a path as a whole only, and not
// at what follows each of its slashes.
type index struct {
	plain          map[string][]int // those without wildcards
	prefix, suffix affixes
	rest           []int // those that begin and end with wildcards
}

type affixes struct {
	patterns map[string][]int
	lengths  []int
}

// maxAffix bounds the lengths that are looked up.
const maxAffix = 16

func (a *affixes) add(text string, number int) {
	if a.patterns == nil {
		a.patterns = map[string][]int{}
	}
	a.patterns[text] = append(a.patterns[text], number)
	if !slices.Contains(a.lengths, len(text)) {
		a.lengths = append(a.lengths, len(text))
	}
}

func (x *index) add(p *pattern, number int) {
	if p.plain {
		if x.plain == nil {
			x.plain = map[string][]int{}
		}
		x.plain[p.glob] = append(x.plain[p.glob], number)
		return
	}
	const wildcards = `*?[]\`
	// A slash next to a wildcard may be no slash of the path: `a/**/b` matches a/b.
	prefix := strings.TrimSuffix(p.glob[:strings.IndexAny(p.glob, wildcards)], "/")
	suffix := strings.TrimPrefix(p.glob[strings.LastIndexAny(p.glob, wildcards)+1:], "/")
	prefix, suffix = prefix[:min(len(prefix), maxAffix)], suffix[max(0, len(suffix)-maxAffix):]
	switch {
	case len(suffix) > len(prefix):
		x.suffix.add(suffix, number)
	case prefix != "":
		x.prefix.add(prefix, number)
	default:
		x.rest = append(x.rest, number)
	}
}

// candidates returns the numbers, in order, of the patterns that may match.
func (x *index) candidates(text string) []int {
	found := x.plain[text]
	shared := true // found is a list of the index
	more := func(list []int) {
		if len(list) == 0 {
			return
		}
		if shared {
			found, shared = slices.Clone(found), false
		}
		found = append(found, list...)
	}
	more(x.rest)
	for _, n := range x.prefix.lengths {
		if n <= len(text) {
			more(x.prefix.patterns[text[:n]])
		}
	}
	for _, n := range x.suffix.lengths {
		if n <= len(text) {
			more(x.suffix.patterns[text[len(text)-n:]])
		}
	}
	if !shared {
		slices.Sort(found)
	}
	return found
}
