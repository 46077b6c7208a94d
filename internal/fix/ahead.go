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
	// maxCompared bounds the comparisons of findings with those of the steps before.
	maxCompared = 10_000_000
)

// Ahead returns the faults that findings hide: those that remain once the findings are fixed. It
// applies every fix, unsafe ones too, or else the edit that the finding assumes, checks the
// result, and goes on with the new findings. A fault is reported once: earlier findings are not
// in the result, even if they remain.
//
// The findings returned have the ranges of the places in data that they are about,
// neither frame nor fix: those would be of a text that does not exist.
func Ahead(data []byte, findings []*lint.Finding, check Check) ([]*lint.Finding, error) {
	file := source.NewFile("", data)
	a := &ahead{}
	a.unknown(findings)
	var out []*lint.Finding
	for step, work := 0, 0; step < maxSteps && (step == 0 || work < maxAhead) && len(findings)*len(a.known) <= maxCompared; step++ {
		next := a.apply(data, findings)
		if string(next) == string(data) {
			break
		}
		var err error
		if findings, err = check(next); err != nil {
			return nil, err
		}
		data = next
		work += len(data)
		for _, f := range a.unknown(findings) {
			g := *f
			g.Fix, g.Assume, g.Frame, g.Related = nil, nil, nil, nil
			if f.Range != nil {
				start, _ := a.before(f.Range.Start.Offset)
				end, _ := a.before(f.Range.End.Offset)
				r := file.Range(source.Span{Start: start, End: max(start, end)})
				g.Range = &r
			}
			out = append(out, &g)
		}
	}
	return out, nil
}

// ahead is the way through a content that changes with every step.
type ahead struct {
	shifts []shift // one for each step
	known  []known // what was found
}

// known is a finding and where it is in the content as it was at first.
type known struct {
	*lint.Finding
	at    int
	taken bool // a finding of this step repeats it
}

// apply makes the edits that the findings ask for, or assume.
func (a *ahead) apply(data []byte, findings []*lint.Finding) []byte {
	var fixes []*lint.Fix
	for level := lint.Error; level <= lint.Info; level++ {
		for _, f := range findings {
			if fix := cmp.Or(f.Fix, f.Assume); f.Severity == level && fix != nil {
				fixes = append(fixes, fix)
			}
		}
	}
	edits, _ := merged(data, fixes)
	s := shift{edits, []int{0}}
	for i, e := range edits {
		s.by = append(s.by, s.by[i]+len(e.Text)-e.Span.Len())
	}
	a.shifts = append(a.shifts, s)
	return source.Apply(data, edits)
}

// unknown returns the findings that no earlier check found. Each earlier finding matches one
// of the same rule and place; one with the same message first.
func (a *ahead) unknown(findings []*lint.Finding) []*lint.Finding {
	byRule := map[string][]*known{}
	for i := range a.known {
		k := &a.known[i]
		k.taken = false
		byRule[k.Rule] = append(byRule[k.Rule], k)
	}
	for _, exact := range []bool{true, false} {
		findings = slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool {
			from, to := a.place(f)
			i := slices.IndexFunc(byRule[f.Rule], func(k *known) bool {
				steps.Add(1)
				return !k.taken && from <= k.at && k.at <= to && (!exact || k.Message == f.Message && k.Field == f.Field)
			})
			if i >= 0 {
				byRule[f.Rule][i].taken = true
			}
			return i >= 0
		})
	}
	for _, f := range findings {
		from, _ := a.place(f)
		a.known = append(a.known, known{Finding: f, at: from})
	}
	return findings
}

// place returns where a finding begins in the content as it was at first; -1 if it has no place.
func (a *ahead) place(f *lint.Finding) (from, to int) {
	if f.Range == nil {
		return -1, -1
	}
	return a.before(f.Range.Start.Offset)
}

// before returns where a place of the content as it is now was at first: of what an edit has
// written, the first and the last byte that it has replaced.
func (a *ahead) before(offset int) (from, to int) {
	from, to = offset, offset
	for _, s := range slices.Backward(a.shifts) {
		from, _ = s.before(from)
		_, to = s.before(to)
	}
	return from, to
}

// shift maps places of a content with edits to where they were without.
type shift struct {
	edits []source.Edit // in order
	by    []int         // by[i] is how far the first i edits move what comes after them
}

// before returns where an offset was before the edits. In text that an edit wrote, it returns
// the start and the end of the replaced bytes.
func (s *shift) before(offset int) (from, to int) {
	i := sort.Search(len(s.edits), func(i int) bool { return s.edits[i].Span.Start+s.by[i] > offset })
	if i == 0 {
		return offset, offset
	}
	if e := s.edits[i-1]; offset < e.Span.Start+s.by[i-1]+len(e.Text) {
		return e.Span.Start, max(e.Span.Start, e.Span.End-1)
	}
	return offset - s.by[i], offset - s.by[i]
}
