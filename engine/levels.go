package engine

import (
	"cmp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/lint"
)

// Levels decides which rules run, and how grave their findings are. The zero
// Levels runs every rule at its own severity.
type Levels struct {
	// Select, if not nil, are the only rules that run; Ignore are rules that do
	// not. Both hold rule ids.
	Select, Ignore map[string]bool
	// Severity holds the severities of rules that shall not have their own.
	Severity map[string]lint.Severity
	// Overrides apply to findings in some paths, the later over the earlier.
	Overrides []LevelOverride
}

// LevelOverride changes levels for findings in paths that match a glob.
type LevelOverride struct {
	Paths    []string // doublestar globs
	Ignore   map[string]bool
	Severity map[string]lint.Severity
}

// Runs reports whether a rule runs at all.
func (l *Levels) Runs(r *lint.Rule) bool {
	return (l.Select == nil || l.Select[r.ID]) && !l.Ignore[r.ID]
}

// of is the severity of a rule's findings in a file, which may be a draft; false
// if they are off.
func (l *Levels) of(r *lint.Rule, path string, draft bool) (lint.Severity, bool) {
	level := r.Severity
	if draft {
		level = cmp.Or(r.DraftSeverity, level)
	}
	if s, ok := l.Severity[r.ID]; ok {
		level = s
	}
	on := true
	for i := range l.Overrides {
		o := &l.Overrides[i]
		if !matchesAny(o.Paths, path) {
			continue
		}
		if s, ok := o.Severity[r.ID]; ok {
			level, on = s, true
		}
		if o.Ignore[r.ID] {
			on = false
		}
	}
	return level, on
}

// matchesAny reports whether a path, or any end of it that begins at a folder,
// matches one of the globs: a configuration speaks of paths below its folder,
// the command line of paths as the user types them.
func matchesAny(globs []string, path string) bool {
	path = strings.TrimPrefix(path, "./")
	for _, g := range globs {
		g = strings.TrimPrefix(g, "./")
		for p := path; ; {
			if ok, _ := doublestar.Match(g, p); ok {
				return true
			}
			_, rest, found := strings.Cut(p, "/")
			if !found {
				break
			}
			p = rest
		}
	}
	return false
}
