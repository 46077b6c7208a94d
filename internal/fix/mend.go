package fix

import "github.com/brennerlint/brennerlint/lint"

// maxRounds bounds how often a file is mended anew: fixes that overlapped come
// in the next round, and a rule whose fix begets its own fault must not spin.
const maxRounds = 16

// Check tells the findings of a content.
type Check func(data []byte) ([]*lint.Finding, error)

// Result is a mended content.
type Result struct {
	Data  []byte
	Fixed int // findings that are gone
	Left  int // findings with a fix that was not applied, because it did not help or is not allowed
}

// Mend applies the fixes of a content's findings until none is left. A fix that
// does not make its finding go away, or makes another one come, is undone.
// Unsafe fixes are only applied if allowed.
func Mend(data []byte, unsafe bool, check Check) (Result, error) {
	before, err := check(data)
	if err != nil {
		return Result{}, err
	}
	out, first := data, before
	for range maxRounds {
		next, after, err := round(out, before, unsafe, check)
		if err != nil {
			return Result{}, err
		}
		if next == nil {
			break
		}
		out, before = next, after
	}
	r := Result{Data: out, Fixed: len(first) - len(before)}
	for _, f := range before {
		if f.Fix != nil {
			r.Left++
		}
	}
	return r, nil
}

// round applies what can be applied at once; nil if nothing can.
func round(data []byte, before []*lint.Finding, unsafe bool, check Check) ([]byte, []*lint.Finding, error) {
	var fixes []*lint.Fix
	for _, f := range before {
		if f.Fix != nil && (unsafe || !f.Fix.Unsafe) {
			fixes = append(fixes, f.Fix)
		}
	}
	if len(fixes) == 0 {
		return nil, nil, nil
	}
	next, _ := Apply(data, fixes)
	after, err := check(next)
	if err != nil || better(before, after) {
		return next, after, err
	}
	for _, f := range fixes { // one of them is no good: find those that are
		next, _ := Apply(data, []*lint.Fix{f})
		after, err := check(next)
		if err != nil || better(before, after) {
			return next, after, err
		}
	}
	return nil, nil, nil
}

// better reports whether there are fewer findings now, and of no rule more.
func better(before, after []*lint.Finding) bool {
	if len(after) >= len(before) {
		return false
	}
	count := map[string]int{}
	for _, f := range before {
		count[f.Rule]++
	}
	for _, f := range after {
		if count[f.Rule]--; count[f.Rule] < 0 {
			return false
		}
	}
	return true
}
