package engine

import (
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
	"github.com/brennerlint/brennerlint/source"
)

// idleSuppressions returns the suppressions that are malformed, or match nothing
// although their rules ran. Of a directive that names several rules only the words at
// fault are reported, if others are not. Entries are about mail and artifacts that are
// there: an entry is not at fault if a draft lacks what it is for.
func (c *check) idleSuppressions(failures []result.Failure) []lint.IdleSuppression {
	if c.draftOnly || len(c.sups) == 0 {
		return nil
	}
	failed := map[string]bool{}
	for _, f := range failures {
		failed[f.Rule] = true
	}
	threads := map[string]bool{}
	for _, t := range c.in.store.Threads() {
		threads[""], threads[t.ID] = true, true
	}
	var out []lint.IdleSuppression
	for _, s := range c.sups {
		idle := lint.IdleSuppression{
			At: s.at, Directive: s.entry == nil, Fault: s.fault, Word: s.word, Reason: s.reason, Suggestion: s.suggestion, SuggestionAt: s.suggestionAt,
		}
		switch {
		case s.fault == lint.UnknownRule && idle.Directive:
			idle.Words, idle.OthersValid = s.words(func(word string) bool {
				return c.rules.named(word).bits == nil
			})
		case s.fault == 0:
			idle.Fault = lint.Unused
			ran := c.ran(s, threads, failed)
			isIdle := func(rules ruleSet) bool {
				for i, b := range rules.bits {
					if b&^ran.bits[i] != 0 || b&s.used[i].Load() != 0 {
						return false
					}
				}
				return true
			}
			if !isIdle(s.rules) { // not as a whole
				if !idle.Directive {
					continue
				}
				idle.Words, idle.OthersValid = s.words(func(word string) bool {
					return isIdle(c.rules.named(word))
				})
				if len(idle.Words) == 0 {
					continue
				}
			}
		}
		out = append(out, idle)
	}
	return out
}

// words returns those of a directive's list that are wanted, and whether there are others.
func (s *suppression) words(wanted func(string) bool) (found []source.Span, others bool) {
	for span := range words(s.at.Text.Slice(s.list)) {
		span = span.Shift(s.list.Start)
		if wanted(s.at.Text.Slice(span)) {
			found = append(found, span)
		} else {
			others = true
		}
	}
	return found, others
}

// ran returns the rules of a suppression that ran where it counts: rules on threads only
// if its thread was among the inputs, rules on the workspace only if there were
// several sessions, and none that failed.
func (c *check) ran(s *suppression, threads, failed map[string]bool) ruleSet {
	out := s.rules.list.newSet()
	for _, r := range c.plan.rules {
		if !s.rules.has(r.ID) || failed[r.ID] ||
			r.Scope() == lint.ThreadScope && !threads[s.thread] ||
			r.Scope() == lint.WorkspaceScope && len(c.sessions) < 2 {
			continue
		}
		out.add(s.rules.list.numbers[r.ID])
	}
	return out
}

// use notes that the suppression matched a finding of a rule. It is
// safe for concurrent use.
func (s *suppression) use(rule string) {
	if n, known := s.rules.list.numbers[rule]; known {
		s.used[n/64].Or(1 << (n % 64))
	}
}
