package fix

import (
	"slices"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
)

const (
	// maxRounds bounds how often a content is fixed again: fixes that overlapped
	// come in the next round, and a rule whose fix begets its own fault must not
	// spin.
	maxRounds = 16
	// maxChecks bounds the search for the fixes that are good, maxWork that of a
	// large content: how many bytes are checked once the first minChecks are made.
	maxChecks = 128
	minChecks = 2 * maxRounds
	maxWork   = 8 << 20
)

// Check returns the findings of a content.
type Check func(data []byte) ([]*result.Finding, error)

// Result is a fixed content.
type Result struct {
	Data  []byte
	Fixed int // findings that were fixed
	Left  int // findings with a fix that was not applied, because it did not help or is not allowed
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
		if f.Fix != nil {
			r.Left++
		}
	}
	return r, nil
}

type fixer struct {
	unsafe bool
	check  Check
	checks int
	work   int // bytes checked
	fixed  int
}

// content is a text and what is wrong with it.
type content struct {
	data     []byte
	findings []*result.Finding
}

func (m *fixer) look(data []byte) (*content, error) {
	m.checks++
	m.work += len(data)
	findings, err := m.check(data)
	return &content{data, findings}, err
}

// spent reports whether the search has taken as long as it may.
func (m *fixer) spent() bool {
	return m.checks >= maxChecks || m.checks >= minChecks && m.work >= maxWork
}

// fixable returns the findings of a content from one level to another whose fixes are
// allowed.
func (m *fixer) fixable(c *content, from, to lint.Severity) []*result.Finding {
	var out []*result.Finding
	for _, f := range c.findings {
		if f.Fix != nil && (m.unsafe || !f.Fix.Unsafe) && from <= f.Severity && f.Severity <= to {
			out = append(out, f)
		}
	}
	return out
}

// trial is a content after the fixes of some of its findings. Of those that
// overlap only the first is applied.
type trial struct {
	tried, applied []*result.Finding // the findings whose fixes were
	after          *content
}

// try applies the fixes of findings.
func (m *fixer) try(c *content, findings []*result.Finding) (*trial, error) {
	data, applied := Apply(c.data, fixesOf(findings))
	t := &trial{tried: findings}
	for i, f := range findings {
		if applied[i] {
			t.applied = append(t.applied, f)
		}
	}
	var err error
	t.after, err = m.look(data)
	return t, err
}

func fixesOf(findings []*result.Finding) []*result.SuggestedFix {
	out := make([]*result.SuggestedFix, len(findings))
	for i, f := range findings {
		out[i] = f.Fix
	}
	return out
}

// round applies what can be applied at once; nil if nothing can.
func (m *fixer) round(c *content) (next *content, err error) {
	for level := lint.Error; level <= lint.Info && next == nil && err == nil; level++ {
		findings := m.fixable(c, level, level)
		if len(findings) == 0 {
			continue
		}
		all, err := m.try(c, findings)
		if err != nil {
			return nil, err
		}
		if next, err = m.seeThrough(c, level, all); next != nil || err != nil {
			return next, err
		}
		if next, err = m.good(c, level, all); next != nil || err != nil {
			return next, err
		}
	}
	return nil, nil
}

// seeThrough takes all fixes, and those of the faults that come to light, for as
// long as it takes; nil if that ends no better. A delta whose JSON is fixed may
// have a faulty operation, too.
func (m *fixer) seeThrough(c *content, level lint.Severity, all *trial) (*content, error) {
	n, next := len(all.applied), all.after
	for range maxRounds {
		if better(c, next, level, n) {
			m.fixed += n
			return next, nil
		}
		findings := m.fixable(next, lint.Error, level)
		if len(findings) == 0 || len(next.findings) > 2*len(c.findings) || m.spent() {
			return nil, nil
		}
		t, err := m.try(next, findings)
		if err != nil {
			return nil, err
		}
		next = t.after
	}
	return nil, nil
}

// good applies those fixes that each leave the content better, after all of them
// together did not; nil if none does. Those that helped at their places are tried
// together; if that does not decide, halves of them.
func (m *fixer) good(c *content, level lint.Severity, all *trial) (*content, error) {
	s := search{fixer: m, level: level, from: c, best: c}
	sound, unsure := sift(c, all, level)
	if err := s.bisect(sound); err != nil {
		return nil, err
	}
	if err := s.bisect(unsure); err != nil || s.best == c {
		return nil, err
	}
	return s.best, nil
}

// search looks for the fixes of a content that are good.
type search struct {
	*fixer
	level lint.Severity
	from  *content
	kept  []*result.Finding // whose fixes are good
	best  *content          // with those applied
}

// bisect keeps the good ones of some fixes: all at once if that is good, else of
// each half.
func (s *search) bisect(some []*result.Finding) error {
	if len(some) == 0 || s.spent() {
		return nil
	}
	t, err := s.try(s.from, slices.Concat(s.kept, some))
	if err != nil {
		return err
	}
	n := len(t.applied) - len(s.kept) // what was kept is applied again, before the others
	switch {
	case better(s.best, t.after, s.level, n):
		s.fixed += n
		s.kept, s.best = t.applied, t.after
		return nil
	case len(some) == 1:
		return nil
	}
	if err := s.bisect(some[:len(some)/2]); err != nil {
		return err
	}
	return s.bisect(some[len(some)/2:])
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
