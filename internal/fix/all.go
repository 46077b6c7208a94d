package fix

import (
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/steps"
	"github.com/brennerlint/brennerlint/lint"
)

const (
	// maxRounds bounds how often a content is fixed again: fixes that overlapped
	// come in the next round, and a rule whose fix begets its own fault must not
	// spin.
	maxRounds = 16
	// maxWork bounds the search for the fixes that are good, in bytes that are checked;
	// each check counts for checkWork more, so that there are 128 at most.
	maxWork = 16 << 20
	// fewFindings are no reason to stop: one broken block may hide all that is wrong in it.
	fewFindings = 16
	checkWork   = 128 << 10
)

// Check returns the findings of a content.
type Check func(data []byte) ([]*lint.Finding, error)

// Result is a fixed content.
type Result struct {
	Data  []byte
	Fixed int // findings that were fixed
	// Held are the findings of Data whose fix was not applied; Fix.NotApplied says why.
	Held []*lint.Finding
}

// Explain tells findings of Data why their fixes were not applied.
func (r *Result) Explain(findings []*lint.Finding) {
	for _, f := range findings {
		for _, h := range r.Held {
			if f.Fix != nil && f.Rule == h.Rule && f.Message == h.Message && (f.Range == nil) == (h.Range == nil) && (f.Range == nil || *f.Range == *h.Range) {
				f.Fix.NotApplied = h.Fix.NotApplied
			}
		}
	}
}

// All applies the fixes of a content's findings until none is left, the most severe
// first. A fix that does not make its finding go away, or makes one come that is
// as severe, is undone; one that uncovers faults that can be fixed too is seen
// through. Lesser faults may come to light: a delta that could not be read may
// lack a rationale. Unsafe fixes are only applied if allowed.
func All(data []byte, unsafe bool, check Check) (Result, error) {
	m := &fixer{unsafe: unsafe, check: check}
	first, err := m.look(data)
	if err != nil {
		return Result{}, err
	}
	last := first
	for range maxRounds {
		next, err := m.round(last)
		if err != nil {
			return Result{}, err
		}
		if next == nil {
			break
		}
		last = next
	}
	r := Result{Data: last.data, Fixed: m.fixed}
	for _, f := range last.findings {
		if f.Fix == nil {
			continue
		}
		if f.Fix.NotApplied, err = m.whyHeld(last, f); err != nil {
			return Result{}, err
		}
		r.Held = append(r.Held, f)
	}
	return r, nil
}

// whyHeld returns why the fix of a finding was not applied.
func (m *fixer) whyHeld(c *content, f *lint.Finding) (string, error) {
	switch {
	case f.Fix.Unsafe && !m.unsafe:
		return "it may change the meaning", nil
	case m.spent():
		return "there are too many fixes to try", nil
	}
	after, applied, err := m.apply(c, []*lint.Finding{f})
	if err != nil {
		return "", err
	}
	count := map[string]int{}
	for _, known := range c.findings {
		count[known.Rule]++
	}
	var uncovered []string
	for _, found := range after.findings {
		if count[found.Rule]--; count[found.Rule] < 0 && found.Severity <= f.Severity && !slices.Contains(uncovered, found.Rule) {
			uncovered = append(uncovered, found.Rule)
		}
	}
	if len(applied) == 0 || len(uncovered) == 0 {
		return "it does not clear the finding", nil
	}
	return "it uncovers " + strings.Join(uncovered, ", "), nil
}

type fixer struct {
	unsafe bool
	check  Check
	work   int // bytes checked
	fixed  int
}

// content is a text and what is wrong with it.
type content struct {
	data     []byte
	findings []*lint.Finding
}

func (m *fixer) look(data []byte) (*content, error) {
	m.work += checkWork + len(data)
	steps.Add(len(data))
	findings, err := m.check(data)
	return &content{data, findings}, err
}

// spent reports whether the search has taken as long as it may.
func (m *fixer) spent() bool { return m.work >= maxWork }

// fixable returns the findings of a content from one level to another whose fixes are
// allowed.
func (m *fixer) fixable(c *content, from, to lint.Severity) []*lint.Finding {
	var out []*lint.Finding
	for _, f := range c.findings {
		if f.Fix != nil && (m.unsafe || !f.Fix.Unsafe) && from <= f.Severity && f.Severity <= to {
			out = append(out, f)
		}
	}
	return out
}

// apply returns a content with the fixes of findings, and those of which the fix was
// applied: of fixes that overlap only the first is.
func (m *fixer) apply(c *content, findings []*lint.Finding) (after *content, applied []*lint.Finding, err error) {
	data, done := Apply(c.data, fixesOf(findings))
	for i, f := range findings {
		if done[i] {
			applied = append(applied, f)
		}
	}
	after, err = m.look(data)
	return after, applied, err
}

func fixesOf(findings []*lint.Finding) []*lint.Fix {
	out := make([]*lint.Fix, len(findings))
	for i, f := range findings {
		out[i] = f.Fix
	}
	return out
}

// round applies fixes of one level, the most severe for which that helps; nil if none
// does.
func (m *fixer) round(c *content) (next *content, err error) {
	for level := lint.Error; level <= lint.Info; level++ {
		findings := m.fixable(c, level, level)
		if len(findings) == 0 {
			continue
		}
		if next, err = m.together(c, level, findings); next != nil || err != nil {
			return next, err
		}
		s := selection{fixer: m, level: level, from: c, best: c}
		if err := s.add(findings); err != nil || s.best != c {
			return s.best, err
		}
	}
	return nil, nil
}

// together applies all fixes, and those of the faults that come to light, for as long as
// it takes; nil if that ends no better. A delta whose JSON is fixed may have a faulty
// operation, too.
func (m *fixer) together(c *content, level lint.Severity, findings []*lint.Finding) (*content, error) {
	next, n := c, 0
	for i := range maxRounds {
		after, applied, err := m.apply(next, findings)
		if err != nil {
			return nil, err
		}
		if next = after; i == 0 {
			n = len(applied)
		}
		if better(c, next, level, n) {
			m.fixed += n
			return next, nil
		}
		findings = m.fixable(next, lint.Error, level)
		if len(findings) == 0 || len(next.findings) > 2*len(c.findings)+fewFindings || m.spent() {
			break
		}
	}
	return nil, nil
}

// selection is the fixes of a content that are good, as far as they are known.
type selection struct {
	*fixer
	level lint.Severity
	from  *content
	kept  []*lint.Finding // whose fixes are good
	best  *content        // with those applied
}

// add keeps those of some fixes that leave the content better: all of them, else those of
// each half. One by one it would take as many checks as there are fixes.
func (s *selection) add(some []*lint.Finding) error {
	if len(some) == 0 || s.spent() {
		return nil
	}
	next, applied, err := s.apply(s.from, slices.Concat(s.kept, some))
	if err != nil {
		return err
	}
	if n := len(applied) - len(s.kept); better(s.best, next, s.level, n) {
		s.fixed += n
		s.kept, s.best = applied, next
		return nil
	}
	if len(some) == 1 {
		return nil
	}
	if err := s.add(some[:len(some)/2]); err != nil {
		return err
	}
	return s.add(some[len(some)/2:])
}

// better reports whether n fixes of one level did what they promise: at least n
// findings of that level are gone, and of no rule there are more, lesser ones
// left aside.
func better(before, after *content, level lint.Severity, n int) bool {
	count, gone := map[string]int{}, 0
	for _, f := range before.findings {
		if f.Severity <= level {
			count[f.Rule]++
			gone++
		}
	}
	for _, f := range after.findings {
		if f.Severity > level {
			continue
		}
		if count[f.Rule]--; count[f.Rule] < 0 {
			return false
		}
		gone--
	}
	return n > 0 && gone >= n
}
