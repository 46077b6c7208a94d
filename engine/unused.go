package engine

import (
	"slices"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// unusedSuppressions returns the suppressions that are malformed, or match nothing although
// their rules ran. A rule that failed counts as not run, and so does a workspace rule if there
// was only one session. If some words of a directive are at fault, only these are reported.
// Entries are about mail and artifacts that exist: a draft without a match is no fault.
func (c *check) unusedSuppressions() []lint.UnusedSuppression {
	if c.draftOnly || len(c.sups) == 0 {
		return nil
	}
	running := map[string]*lint.Rule{}
	for _, r := range c.plan.rules {
		if r.Scope() != lint.WorkspaceScope || len(c.sessions) > 1 {
			running[r.ID] = r
		}
	}
	for _, f := range c.failures {
		delete(running, f.Rule)
	}
	threads := map[string]bool{}
	for _, t := range c.in.store.Threads() {
		threads[""], threads[t.ID] = true, true
	}
	part := c.isPart()
	var out []lint.UnusedSuppression
	for _, s := range c.sups {
		if part && s.entry != nil && s.fault == 0 && !c.concerns(s.entry, threads) {
			continue
		}
		unused := lint.UnusedSuppression{
			At: s.at, Directive: s.entry == nil, Fault: s.fault, Word: s.word, Reason: s.reason, Suggestion: s.suggestion, SuggestionAt: s.suggestionAt,
		}
		switch {
		case s.fault == lint.UnknownRule && unused.Directive:
			unused.Words, unused.OthersValid = s.words(func(word string) bool {
				return c.rules.named(word) == nil
			})
		case s.fault == 0:
			unused.Fault = lint.Unused
			isUnused := func(ids map[string]bool) bool {
				for id := range ids {
					// Rules on threads count only if its thread was among the inputs.
					if r := running[id]; r == nil || r.Scope() == lint.ThreadScope && !threads[s.thread] || s.used[id] {
						return false
					}
				}
				return true
			}
			if slices.ContainsFunc(s.rules, func(ids map[string]bool) bool { return !isUnused(ids) }) { // not as a whole
				if !unused.Directive {
					continue
				}
				unused.Words, unused.OthersValid = s.words(func(word string) bool {
					return isUnused(c.rules.named(word))
				})
				if len(unused.Words) == 0 {
					continue
				}
			}
		}
		out = append(out, unused)
	}
	return out
}

// isPart reports whether only some files were checked, which the command line names: so does
// pre-commit.
func (c *check) isPart() bool {
	return !slices.ContainsFunc(c.in.found.Inputs, func(in *input.Input) bool { return !in.Named || in.Kind == input.Bundle })
}

// concerns reports whether an entry of the configuration is about a path and a thread that were
// checked.
func (c *check) concerns(e *Suppression, threads map[string]bool) bool {
	ofThread := func(f *artifactFile) bool { return f.thread == e.Thread }
	return (e.Thread == "" || threads[e.Thread] || slices.ContainsFunc(c.artifacts, ofThread)) && (e.Path == "" || slices.ContainsFunc(c.in.found.Inputs, func(in *input.Input) bool {
		return matchesPath(e.Path, in.Path())
	}))
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

// use notes that the suppression matched a finding of a rule. It is
// safe for concurrent use.
func (s *suppression) use(rule string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used == nil {
		s.used = map[string]bool{}
	}
	s.used[rule] = true
}
