package fix

import (
	"cmp"
	"slices"
	"sort"

	"github.com/brennerlint/brennerlint/internal/steps"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

const (
	// maxSteps bounds how many layers of faults are looked through: JSON that
	// hides an operation, which hides a payload.
	maxSteps = 6
	// maxAhead bounds how many bytes are checked on the way; the first step is
	// always taken.
	maxAhead = 64 << 20
)

// Ahead returns what would still be wrong with a content once its findings are fixed:
// what they hide. It applies every fix, however unsafe, or else what the finding
// assumes, checks the result, and goes on with what was found then. A fault is
// reported once: what was found before is not in the result, although it may still be
// there.
//
// The findings returned have the ranges of the places in data that they are about,
// neither frame nor fix: those would be of a text that does not exist.
func Ahead(data []byte, findings []*lint.Finding, check Check) ([]*lint.Finding, error) {
	a := &ahead{file: source.NewFile("", data), data: data}
	a.found(findings)
	for step, work := 0, 0; step < maxSteps && (step == 0 || work < maxAhead); step++ {
		next, moved := a.apply(findings)
		if moved == nil {
			break
		}
		var err error
		if findings, err = check(next); err != nil {
			return nil, err
		}
		work += len(next)
		a.data = next
		a.moves = append(a.moves, moved)
		a.found(findings)
	}
	return a.out, nil
}

// ahead is the way through a content that changes with every step.
type ahead struct {
	file  *source.File // the content as it was
	data  []byte       // as it is now
	moves []*shift     // from one step to the next
	known []known
	out   []*lint.Finding
}

// known is a finding of a step, and whether one of a later step repeats it.
type known struct {
	finding *lint.Finding
	step    int
	taken   bool
}

// apply makes the edits that the findings ask for, or assume; nil if there are
// none that change anything.
func (a *ahead) apply(findings []*lint.Finding) ([]byte, *shift) {
	var fixes []*lint.Fix
	for level := lint.Error; level <= lint.Info; level++ {
		for _, f := range findings {
			if fix := cmp.Or(f.Fix, f.Assume); f.Severity == level && fix != nil {
				fixes = append(fixes, fix)
			}
		}
	}
	next, applied := Apply(a.data, fixes)
	if string(next) == string(a.data) {
		return nil, nil
	}
	s := &shift{by: []int{0}}
	for i, f := range fixes {
		if applied[i] {
			s.edits = append(s.edits, f.Edits...)
		}
	}
	slices.SortFunc(s.edits, byPlace)
	s.edits = slices.CompactFunc(s.edits, same)
	for i, e := range s.edits {
		s.by = append(s.by, s.by[i]+len(e.Text)-(e.Range.End.Offset-e.Range.Start.Offset))
	}
	return next, s
}

// found takes what a check found after so many steps, and keeps a copy of what no earlier
// check found. Each earlier finding matches one at most; one with the same message first.
func (a *ahead) found(findings []*lint.Finding) {
	for i := range a.known {
		a.known[i].taken = false
	}
	byRule := map[string][]*known{}
	for i := range a.known {
		k := &a.known[i]
		byRule[k.finding.Rule] = append(byRule[k.finding.Rule], k)
	}
	rest := a.unlike(findings, byRule, func(k, f *lint.Finding) bool { return k.Message == f.Message && k.Field == f.Field })
	for _, f := range a.unlike(rest, byRule, func(_, _ *lint.Finding) bool { return true }) {
		a.known = append(a.known, known{finding: f, step: len(a.moves)})
		if len(a.moves) == 0 {
			continue
		}
		g := *f
		g.Fix, g.Assume, g.Frame, g.Related = nil, nil, nil, nil
		if f.Range != nil {
			start, _ := a.before(f.Range.Start.Offset, 0)
			end, _ := a.before(f.Range.End.Offset, 0)
			r := a.file.Range(source.Span{Start: start, End: max(start, end)})
			g.Range = &r
		}
		a.out = append(a.out, &g)
	}
}

// unlike returns the findings for which there is no known one of the same rule at the same
// place that is alike.
func (a *ahead) unlike(findings []*lint.Finding, byRule map[string][]*known, alike func(k, f *lint.Finding) bool) []*lint.Finding {
	var rest []*lint.Finding
	for _, f := range findings {
		i := slices.IndexFunc(byRule[f.Rule], func(k *known) bool {
			steps.Add(1)
			return !k.taken && a.samePlace(k, f) && alike(k.finding, f)
		})
		if i < 0 {
			rest = append(rest, f)
			continue
		}
		byRule[f.Rule][i].taken = true
	}
	return rest
}

// samePlace reports whether a finding is where a known one was, or in what was written there.
func (a *ahead) samePlace(k *known, f *lint.Finding) bool {
	if f.Range == nil || k.finding.Range == nil {
		return f.Range == k.finding.Range
	}
	from, to := a.before(f.Range.Start.Offset, k.step)
	at := k.finding.Range.Start.Offset
	return from <= at && at <= to
}

// before returns where a place of the content as it is now was after so many steps: of what an
// edit has written the first and the last byte that it has replaced.
func (a *ahead) before(offset, step int) (from, to int) {
	from, to = offset, offset
	for _, s := range slices.Backward(a.moves[step:]) {
		from, _ = s.before(from)
		_, to = s.before(to)
	}
	return from, to
}

// shift maps places of a content with edits to where they were without.
type shift struct {
	edits []lint.Edit // sorted
	by    []int       // by[i] is how far the first i edits move what comes after them
}

// before returns where a place was before the edits; of what an edit has written, the first and
// the last byte that it has replaced.
func (s *shift) before(offset int) (from, to int) {
	i := sort.Search(len(s.edits), func(i int) bool { return s.edits[i].Range.Start.Offset+s.by[i] > offset })
	if i == 0 {
		return offset, offset
	}
	e := s.edits[i-1]
	if written := e.Range.Start.Offset + s.by[i-1] + len(e.Text); offset < written {
		return e.Range.Start.Offset, max(e.Range.Start.Offset, e.Range.End.Offset-1)
	}
	return offset - s.by[i], offset - s.by[i]
}
