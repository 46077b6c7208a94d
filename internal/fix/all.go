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
	// each check counts for checkWork more, so that there are 128 at most, and each finding
	// beyond manyFindings for findingWork.
	maxWork = 16 << 20
	// fewFindings are no reason to stop: one broken block may hide all that is wrong in it.
	fewFindings = 16
	checkWork   = 128 << 10

	manyFindings = 1000
	findingWork  = 4 << 10
)

// Check returns the findings of a content.
type Check func(data []byte) ([]*lint.Finding, error)

// OfReport returns a Check that takes the findings of a path from a report. If a rule failed, it
// is unknown which faults are left: the failure is the error.
func OfReport(path string, check func(data []byte) (*lint.Report, error)) Check {
	return func(data []byte) ([]*lint.Finding, error) {
		rep, err := check(data)
		switch {
		case err != nil:
			return nil, err
		case len(rep.Failures) > 0:
			return nil, &rep.Failures[0]
		}
		return slices.DeleteFunc(rep.Findings, func(f *lint.Finding) bool { return f.Path != path }), nil
	}
}

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
	now := m.look(data)
	for range maxRounds {
		next := m.round(now)
		if next == now {
			break
		}
		now = next
	}
	r := Result{Data: now.data, Fixed: m.fixed}
	for _, f := range now.findings {
		if f.Fix != nil {
			f.Fix.NotApplied = m.whyHeld(now, f)
			r.Held = append(r.Held, f)
		}
	}
	if m.err != nil {
		return Result{}, m.err
	}
	return r, nil
}

// whyHeld returns why the fix of a finding was not applied.
func (m *fixer) whyHeld(c *content, f *lint.Finding) string {
	switch {
	case f.Fix.Unsafe && !m.unsafe:
		return "it may change the meaning"
	case m.spent():
		return "there are too many fixes to try"
	}
	after, applied := m.apply(c, []*lint.Finding{f})
	rules, _ := compare(c, m.uncovered(c, after, f.Severity, len(applied)), f.Severity)
	if len(applied) == 0 || len(rules) == 0 {
		return "it does not clear the finding"
	}
	return "it uncovers " + strings.Join(rules, ", ")
}

type fixer struct {
	unsafe bool
	check  Check
	work   int // bytes checked
	fixed  int
	err    error // the first of a check, which ends the search
}

// content is a text and what is wrong with it.
type content struct {
	data     []byte
	findings []*lint.Finding
}

func (m *fixer) look(data []byte) *content {
	m.work += checkWork + len(data)
	steps.Add(len(data))
	c := &content{data: data}
	if m.err == nil {
		c.findings, m.err = m.check(data)
		m.work += findingWork * max(0, len(c.findings)-manyFindings)
	}
	return c
}

// spent reports whether the search has taken as long as it may, or a check has failed.
func (m *fixer) spent() bool { return m.err != nil || m.work >= maxWork }

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

// apply returns a content with the fixes of findings, and the findings whose fix was applied. Of
// overlapping fixes only the first is applied.
func (m *fixer) apply(c *content, findings []*lint.Finding) (after *content, applied []*lint.Finding) {
	fixes := make([]*lint.Fix, len(findings))
	for i, f := range findings {
		fixes[i] = f.Fix
	}
	data, done := Apply(c.data, fixes)
	for i, f := range findings {
		if done[i] {
			applied = append(applied, f)
		}
	}
	return m.look(data), applied
}

// round applies fixes of one level, the most severe for which that helps; c itself if none
// does. If all of them together do not help, it tries each half, and so on down to single
// fixes: one by one it would take as many checks as there are fixes.
func (m *fixer) round(c *content) *content {
	for level := lint.Error; level <= lint.Info; level++ {
		findings := m.fixable(c, level, level)
		var kept []*lint.Finding // whose fixes are good
		best := c                // with those applied
		for todo := [][]*lint.Finding{findings}; len(todo) > 0 && !m.spent(); {
			some := todo[0]
			todo = todo[1:]
			if len(some) == 0 {
				continue
			}
			next, applied := m.apply(c, slices.Concat(kept, some))
			n := len(applied) - len(kept)
			if len(some) == len(findings) {
				next = m.uncovered(c, next, level, n)
			}
			if better(best, next, level, n) {
				m.fixed += n
				best, kept = next, applied
			} else if half := len(some) / 2; half > 0 {
				todo = append([][]*lint.Finding{some[:half], some[half:]}, todo...)
			}
		}
		if best != c {
			return best
		}
	}
	return c
}

// uncovered applies also the fixes of what n fixes of a level brought to light, until the
// content is better than before or no such fix is left. A delta whose JSON is fixed may have
// a faulty operation, too.
func (m *fixer) uncovered(before, next *content, level lint.Severity, n int) *content {
	for range maxSteps {
		findings := m.fixable(next, lint.Error, level)
		if better(before, next, level, n) || len(findings) == 0 || len(next.findings) > 2*len(before.findings)+fewFindings || m.spent() {
			break
		}
		next, _ = m.apply(next, findings)
	}
	return next
}

// better reports whether n fixes of one level did what they promise: at least n
// findings of that level are gone, and of no rule there are more, lesser ones
// left aside.
func better(before, after *content, level lint.Severity, n int) bool {
	rules, gone := compare(before, after, level)
	return n > 0 && gone >= n && len(rules) == 0
}

// compare returns the rules that have more findings than before, and how many findings are
// gone in all. It looks at findings of one level and more severe ones.
func compare(before, after *content, level lint.Severity) (rules []string, gone int) {
	count := map[string]int{}
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
		gone--
		if count[f.Rule]--; count[f.Rule] < 0 && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules, gone
}
