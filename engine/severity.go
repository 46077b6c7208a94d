package engine

import (
	"cmp"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
)

// Severities decides which rules run, and how severe their findings are. The zero
// Severities runs every rule at its own severity.
type Severities struct {
	// Select, if not nil, are the only rules that run; Ignore are rules that do
	// not. Both hold rule ids.
	Select, Ignore map[string]bool
	// Severity holds the severities of rules that shall not have their own.
	Severity map[string]lint.Severity
	// Overrides apply to findings in some paths, the later over the earlier.
	Overrides []SeverityOverride
	// Fixed holds the ids of rules that no override applies to.
	Fixed map[string]bool
}

// SeverityOverride changes levels for findings in paths that match a glob.
type SeverityOverride struct {
	Paths    []string // doublestar globs
	Ignore   map[string]bool
	Severity map[string]lint.Severity
}

// runs reports whether a rule runs at all.
func (l *Severities) runs(r *lint.Rule) bool {
	return (l.Select == nil || l.Select[r.ID]) && !l.Ignore[r.ID]
}

// at returns the overrides that apply to a file, by its Folder.Spellings and by their globs.
func (l *Severities) at(globs []input.Globs, spellings []string) (out []*SeverityOverride) {
	for i := range l.Overrides {
		if globs[i].Match(spellings) {
			out = append(out, &l.Overrides[i])
		}
	}
	return out
}

// of returns the severity of a rule's findings, perhaps in a draft, where overrides
// apply; false if they are off.
func (l *Severities) of(r *lint.Rule, overrides []*SeverityOverride, draft bool) (lint.Severity, bool) {
	level := r.Severity
	if draft {
		level = cmp.Or(r.DraftSeverity, level)
	}
	if s, ok := l.Severity[r.ID]; ok {
		level = s
	}
	on := true
	if l.Fixed[r.ID] {
		return level, on
	}
	for _, o := range overrides {
		if s, ok := o.Severity[r.ID]; ok {
			level, on = s, true
		}
		if o.Ignore[r.ID] {
			on = false
		}
	}
	return level, on
}
