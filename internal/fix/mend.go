package fix

import "github.com/brennerlint/brennerlint/lint"

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
	Fixed int // by how many there are fewer findings
	Left  int // findings with a fix that was not applied, because it did not help or is not allowed
}

// Mend applies the fixes of a content's findings until none is left. A fix that
// does not make its finding go away, or makes another one come, is undone; one
// that uncovers faults that can be mended too is seen through. Unsafe fixes are
// only applied if allowed.
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
	r := Result{Data: last.data, Fixed: len(first.findings) - len(last.findings)}
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

// fixes are those of a content that are allowed.
func (m *mending) fixes(c *content) []*lint.Fix {
	var out []*lint.Fix
	for _, f := range c.findings {
		if f.Fix != nil && (m.unsafe || !f.Fix.Unsafe) {
			out = append(out, f.Fix)
		}
	}
	return out
}

// round applies what can be applied at once; nil if nothing can.
func (m *mending) round(c *content) (*content, error) {
	fixes := m.fixes(c)
	if len(fixes) == 0 {
		return nil, nil
	}
	next, err := m.seeThrough(c, fixes)
	if next == nil && err == nil {
		next, err = m.good(c, fixes)
	}
	return next, err
}

// seeThrough applies all fixes, and those of the faults that come to light, for
// as long as it takes; nil if that ends no better. A delta whose JSON is mended
// may have a faulty operation, too.
func (m *mending) seeThrough(c *content, fixes []*lint.Fix) (*content, error) {
	data, applied := Apply(c.data, fixes)
	n := countTrue(applied)
	for range maxRounds {
		next, err := m.look(data)
		if err != nil || better(c, next, n) {
			return next, err
		}
		fixes = m.fixes(next)
		if len(fixes) == 0 || len(next.findings) > 2*len(c.findings) || m.checks >= maxChecks {
			return nil, nil
		}
		data, _ = Apply(next.data, fixes)
	}
	return nil, nil
}

// good applies those fixes that each leave the content better: halves of which
// all are good are taken at once. Nil if none is.
func (m *mending) good(c *content, fixes []*lint.Fix) (*content, error) {
	var kept []*lint.Fix
	best := c
	var try func(some []*lint.Fix) error
	try = func(some []*lint.Fix) error {
		if m.checks >= maxChecks {
			return nil
		}
		all := append(kept[:len(kept):len(kept)], some...)
		data, applied := Apply(c.data, all)
		next, err := m.look(data)
		switch {
		case err != nil:
			return err
		case better(best, next, countTrue(applied[len(kept):])):
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

// better reports whether n fixes did what they promise: at least n findings are
// gone, and of no rule there are more.
func better(before, after *content, n int) bool {
	if n == 0 || len(after.findings)+n > len(before.findings) {
		return false
	}
	count := map[string]int{}
	for _, f := range before.findings {
		count[f.Rule]++
	}
	for _, f := range after.findings {
		if count[f.Rule]--; count[f.Rule] < 0 {
			return false
		}
	}
	return true
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
