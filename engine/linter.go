// Package engine checks inputs by rules: it finds and reads them, replays threads,
// runs the checks side by side, and brings what they report into one report:
// suppressed, with its severity, without what the baseline accepts, sorted.
package engine

import (
	"runtime"

	"github.com/brennerlint/brennerlint/lint"
)

// Linter checks inputs by rules. It is safe for concurrent use, unless its options have
// what belongs to one check: Stdin, Previous, Origins, BaselineUse or Profile.
type Linter struct {
	rules *ruleList
	plan  *plan
	opts  Options
}

// maxWorkers bounds the checks that run side by side: each holds a thread.
const maxWorkers = 256

// New makes a linter of rules. The zero Options are those of the program without
// flags and configuration. The error is a rule that is invalid, or one whose id or
// name another has (lint.Validate).
func New(rules []*lint.Rule, opts Options) (*Linter, error) {
	if err := lint.Validate(rules); err != nil {
		return nil, err
	}
	opts.RuleConfig.SetDefaults()
	opts.Limits.setDefaults()
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	opts.Workers = min(opts.Workers, maxWorkers)
	return &Linter{rules: newRuleList(rules), plan: newPlan(rules, &opts.Severities), opts: opts}, nil
}

// MustNew is New for rules that are known to be valid, such as those of the
// catalogue; it panics if they are not.
func MustNew(rules []*lint.Rule, opts Options) *Linter {
	l, err := New(rules, opts)
	if err != nil {
		panic(err)
	}
	return l
}
