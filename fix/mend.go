package fix

import (
	"slices"

	"github.com/brennerlint/brennerlint/lint"
)

const (
	// maxRounds bounds how often a content is mended anew: fixes that overlapped
	// come in the next round, and a rule whose fix begets its own fault must not
	// spin.
	maxRounds = 16
	// maxChecks bounds the search for the fixes that are good.
	maxChecks = 128
)

// Check tells the findings of a content.
type Check func(data []byte) ([]*lint.Finding, error)

// Result is a mended content.
type Result struct {
	Data  []byte
	Fixed int // findings that were mended
	Left  int // findings with a fix that was not applied, because it did not help or is not allowed
}

// Mend applies the fixes of a content's findings until none is left, the gravest
// first. A fix that does not make its finding go away, or makes one come that is
// as grave, is undone; one that uncovers faults that can be mended too is seen
// through. Lesser faults may come to light: a delta that could not be read may
// lack a rationale. Unsafe fixes are only applied if allowed.
func Mend(data []byte, unsafe bool, check Check) (Result, error) {
	m := &mending{unsafe: unsafe, check: check}
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

type mending struct {
	unsafe bool
	check  Check
	checks int
	fixed  int
}

// content is a text and what is wrong with it.
type content struct {
	data     []byte
	findings []*lint.Finding
}

func (m *mending) look(data []byte) (*content, error) {
	m.checks++
	findings, err := m.check(data)
	return &content{data, findings}, err
}

// fixes are the allowed ones of a content's findings from one level to another.
func (m *mending) fixes(c *content, from, to lint.Severity) []*lint.Fix {
	var out []*lint.Fix
	for _, f := range c.findings {
		if f.Fix != nil && (m.unsafe || !f.Fix.Unsafe) && from <= f.Severity && f.Severity <= to {
			out = append(out, f.Fix)
		}
	}
	return out
}

// round applies what can be applied at once; nil if nothing can.
func (m *mending) round(c *content) (next *content, err error) {
	for level := lint.Error; level <= lint.Info && next == nil && err == nil; level++ {
		fixes := m.fixes(c, level, level)
		if len(fixes) == 0 {
			continue
		}
		if next, err = m.seeThrough(c, level, fixes); next == nil && err == nil {
			next, err = m.good(c, level, fixes)
		}
	}
	return next, err
}

// seeThrough applies all fixes, and those of the faults that come to light, for
// as long as it takes; nil if that ends no better. A delta whose JSON is mended
// may have a faulty operation, too.
func (m *mending) seeThrough(c *content, level lint.Severity, fixes []*lint.Fix) (*content, error) {
	data, applied := Apply(c.data, fixes)
	n := countTrue(applied)
	for range maxRounds {
		next, err := m.look(data)
		if err != nil {
			return nil, err
		}
		if better(c, next, level, n) {
			m.fixed += n
			return next, nil
		}
		fixes = m.fixes(next, lint.Error, level)
		if len(fixes) == 0 || len(next.findings) > 2*len(c.findings) || m.checks >= maxChecks {
			return nil, nil
		}
		data, _ = Apply(next.data, fixes)
	}
	return nil, nil
}

// good applies those fixes that each leave the content better: halves of which
// all are good are taken at once. Nil if none is.
func (m *mending) good(c *content, level lint.Severity, fixes []*lint.Fix) (*content, error) {
	var kept []*lint.Fix
	best := c
	var try func(some []*lint.Fix) error
	try = func(some []*lint.Fix) error {
		if m.checks >= maxChecks {
			return nil
		}
		all := slices.Concat(kept, some)
		data, applied := Apply(c.data, all)
		next, err := m.look(data)
		n := countTrue(applied[len(kept):])
		switch {
		case err != nil:
			return err
		case better(best, next, level, n):
			m.fixed += n
			kept, best = all, next
			return nil
		case len(some) == 1:
			return nil
		}
		if err := try(some[:len(some)/2]); err != nil {
			return err
		}
		return try(some[len(some)/2:])
	}
	if err := try(fixes); err != nil || best == c {
		return nil, err
	}
	return best, nil
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

func countTrue(list []bool) int {
	n := 0
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}
