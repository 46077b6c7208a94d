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
	a.found(findings, nil)
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
		a.found(findings, moved)
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

// known is a finding of an earlier step, and where it is now.
type known struct {
	finding    *lint.Finding
	start, end int
	placed     bool
}

// apply makes the edits that the findings ask for, or assume; nil if there are
// none that change anything.
func (a *ahead) apply(findings []*lint.Finding) ([]byte, *shift) {
	var fixable []*lint.Finding
	for level := lint.Error; level <= lint.Info; level++ {
		for _, f := range findings {
			if f.Severity != level {
				continue
			}
			if f.Fix != nil {
				fixable = append(fixable, f)
			} else if f.Assume != nil {
				g := *f
				g.Fix = f.Assume
				fixable = append(fixable, &g)
			}
		}
	}
	if len(fixable) == 0 {
		return nil, nil
	}
	next, applied := Apply(a.data, fixesOf(fixable))
	if string(next) == string(a.data) {
		return nil, nil
	}
	var done []*lint.Finding
	for i, f := range fixable {
		if applied[i] {
			done = append(done, f)
		}
	}
	return next, newShift(done)
}

// found takes what a check found after a step, and keeps a copy of what no earlier
// check found.
func (a *ahead) found(findings []*lint.Finding, moved *shift) {
	if moved == nil {
		for _, f := range findings {
			a.know(f)
		}
		return
	}
	for i := range a.known {
		if k := &a.known[i]; k.placed {
			k.start, k.end = moved.across(k.start, k.end)
		}
	}
	for _, f := range a.unknown(findings) {
		a.know(f)
		g := *f
		g.Fix, g.Assume, g.Frame, g.Related = nil, nil, nil, nil
		if f.Range != nil {
			r := a.file.Range(source.Span{Start: a.before(f.Range.Start.Offset), End: a.before(f.Range.End.Offset)})
			g.Range = &r
		}
		a.out = append(a.out, &g)
	}
}

func (a *ahead) know(f *lint.Finding) {
	k := known{finding: f}
	if f.Range != nil {
		k.start, k.end, k.placed = f.Range.Start.Offset, f.Range.Start.Offset, true
	}
	a.known = append(a.known, k)
}

// unknown returns the findings that do not repeat an earlier one. Each earlier one
// matches one at most; one with the same message first.
func (a *ahead) unknown(findings []*lint.Finding) []*lint.Finding {
	taken := make([]bool, len(a.known))
	rest := a.match(findings, taken, func(k *lint.Finding, f *lint.Finding) bool { return k.Message == f.Message && k.Field == f.Field })
	return a.match(rest, taken, func(*lint.Finding, *lint.Finding) bool { return true })
}

// match takes findings away for which there is a known one of the same rule at the
// same place that is alike.
func (a *ahead) match(findings []*lint.Finding, taken []bool, alike func(k, f *lint.Finding) bool) []*lint.Finding {
	byRule := map[string][]int{}
	for i := range a.known {
		if !taken[i] {
			byRule[a.known[i].finding.Rule] = append(byRule[a.known[i].finding.Rule], i)
		}
	}
	var rest []*lint.Finding
	for _, f := range findings {
		same := byRule[f.Rule]
		i := slices.IndexFunc(same, func(i int) bool {
			steps.Add(1)
			k := &a.known[i]
			at := !k.placed && f.Range == nil || k.placed && f.Range != nil && k.start <= f.Range.Start.Offset && f.Range.Start.Offset <= k.end
			return at && alike(k.finding, f)
		})
		if i < 0 {
			rest = append(rest, f)
			continue
		}
		taken[same[i]] = true
		byRule[f.Rule] = slices.Delete(same, i, i+1)
	}
	return rest
}

// before returns where a place of the content as it is now was before all steps.
func (a *ahead) before(offset int) int {
	for _, m := range slices.Backward(a.moves) {
		offset = m.origin(offset)
	}
	return min(max(offset, 0), len(a.file.Data))
}

// shift maps places of a content to where they are once edits were applied.
type shift struct {
	edits []lint.Edit // sorted
	by    []int       // by[i] is how far the first i edits move what comes after them
}

func newShift(findings []*lint.Finding) *shift {
	s := &shift{by: []int{0}}
	for _, f := range findings {
		s.edits = append(s.edits, f.Fix.Edits...)
	}
	slices.SortFunc(s.edits, byPlace)
	s.edits = slices.CompactFunc(s.edits, same)
	for i, e := range s.edits {
		s.by = append(s.by, s.by[i]+len(e.Text)-(e.Range.End.Offset-e.Range.Start.Offset))
	}
	return s
}

// start returns where what began at an offset begins now, end where what ended there
// ends now: after the edits that begin there.
func (s *shift) start(offset int) int { return offset + s.by[s.before(offset)] }
func (s *shift) end(offset int) int   { return offset + s.by[s.before(offset+1)] }

// before returns the number of edits that begin before an offset.
func (s *shift) before(offset int) int {
	i, _ := slices.BinarySearchFunc(s.edits, offset, func(e lint.Edit, at int) int { return cmp.Compare(e.Range.Start.Offset, at) })
	return i
}

// across returns where a stretch is once the edits are made: with all of each edit that
// it touches.
func (s *shift) across(start, end int) (int, int) {
	from, to := s.start(start), s.end(end)
	for i := s.before(end+1) - 1; i >= 0; i-- {
		e := s.edits[i]
		if e.Range.End.Offset <= start && e.Range.Start.Offset < start {
			break
		}
		from = min(from, s.start(e.Range.Start.Offset))
		to = max(to, e.Range.Start.Offset+s.by[i]+len(e.Text))
	}
	return from, max(from, to)
}

// origin returns where a place was before the edits; of what an edit has written, where
// the edit begins.
func (s *shift) origin(offset int) int {
	i := sort.Search(len(s.edits), func(i int) bool { return s.edits[i].Range.Start.Offset+s.by[i] > offset })
	if i == 0 {
		return offset
	}
	e := s.edits[i-1]
	if written := e.Range.Start.Offset + s.by[i-1] + len(e.Text); offset < written {
		return e.Range.Start.Offset
	}
	return offset - s.by[i]
}
