package fix

import (
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
)

// region is the part of a content that a fix is about: where its finding is, and
// all its edits. Both ends are in it.
type region struct {
	start, end int
	finding    *result.Finding
	alone      bool // no other region touches it
}

// sift parts fixes that were tried together and did not do, by what became of
// their regions. A fix whose region touches no other and got no better is left
// out: it is at fault, and trying it alone would show the same. Sound are those
// whose region got better, unsure those that share theirs.
func sift(before *content, t *trial, level lint.Severity) (sound, unsure []*result.Finding) {
	moved := newShift(t.applied)
	was, is := byOffset(before.findings), byOffset(t.after.findings)
	for _, r := range regionsOf(t.tried) {
		if !r.alone {
			unsure = append(unsure, r.finding)
			continue
		}
		old := &content{findings: within(was, r.start, r.end)}
		now := &content{findings: within(is, moved.start(r.start), moved.end(r.end))}
		if better(old, now, level, 1) {
			sound = append(sound, r.finding)
		}
	}
	return sound, unsure
}

// regionsOf returns the regions of findings with fixes, in their order. The region of
// a finding without a place is not known: it counts as shared.
func regionsOf(findings []*result.Finding) []region {
	out := make([]region, 0, len(findings))
	for _, f := range findings {
		r := region{start: f.Fix.Edits[0].Range.Start.Offset, finding: f, alone: f.Range != nil}
		r.end = r.start
		for _, e := range f.Fix.Edits {
			r.start, r.end = min(r.start, e.Range.Start.Offset), max(r.end, e.Range.End.Offset)
		}
		if f.Range != nil {
			r.start, r.end = min(r.start, f.Range.Start.Offset), max(r.end, f.Range.Start.Offset)
		}
		out = append(out, r)
	}
	sorted := make([]*region, len(out))
	for i := range out {
		sorted[i] = &out[i]
	}
	slices.SortStableFunc(sorted, func(a, b *region) int { return cmp.Compare(a.start, b.start) })
	var last *region // the one that reaches furthest so far
	for _, r := range sorted {
		if last != nil && r.start <= last.end {
			r.alone, last.alone = false, false
		}
		if last == nil || r.end > last.end {
			last = r
		}
	}
	return out
}

// byOffset returns the findings that have a place, in its order.
func byOffset(findings []*result.Finding) []*result.Finding {
	out := make([]*result.Finding, 0, len(findings))
	for _, f := range findings {
		if f.Range != nil {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b *result.Finding) int { return cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset) })
	return out
}

// within returns the findings from one offset to another, of sorted ones.
func within(sorted []*result.Finding, start, end int) []*result.Finding {
	find := func(offset int) int {
		i, _ := slices.BinarySearchFunc(sorted, offset, func(f *result.Finding, at int) int { return cmp.Compare(f.Range.Start.Offset, at) })
		return i
	}
	return sorted[find(start):max(find(start), find(end+1))]
}

// shift maps places of a content to where they are once edits were applied.
type shift struct {
	edits []result.TextEdit // sorted
	by    []int             // by[i] is how far the first i edits move what comes after them
}

func newShift(findings []*result.Finding) *shift {
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
	i, _ := slices.BinarySearchFunc(s.edits, offset, func(e result.TextEdit, at int) int { return cmp.Compare(e.Range.Start.Offset, at) })
	return i
}
