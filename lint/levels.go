package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Levels decides which rules run, and how grave their findings are. The zero
// Levels runs every rule at its own severity.
type Levels struct {
	// Select, if not nil, are the only rules that run; Ignore are rules that do
	// not. Both hold rule ids.
	Select, Ignore map[string]bool
	// Severity holds the severities of rules that shall not have their own.
	Severity map[string]Severity
	// Overrides apply to findings in some paths, the later over the earlier.
	Overrides []LevelOverride
}

// LevelOverride changes levels for findings in paths that match a glob.
type LevelOverride struct {
	Paths    []string // doublestar globs
	Ignore   map[string]bool
	Severity map[string]Severity
}

// Runs reports whether a rule runs at all.
func (l *Levels) Runs(r *Rule) bool {
	return (l.Select == nil || l.Select[r.ID]) && !l.Ignore[r.ID]
}

// of is the severity of a rule's findings in a file; false if they are off.
func (l *Levels) of(r *Rule, path string) (Severity, bool) {
	level := r.Severity
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

// Match finds the rules that a word of --select, --ignore or a configuration
// names: an id, a name, a code, or a prefix of ids such as MB.
func Match(rules []*Rule, word string) []*Rule {
	var out []*Rule
	for _, r := range rules {
		if strings.EqualFold(r.ID, word) || r.Name == strings.ToLower(word) {
			return []*Rule{r}
		}
		if r.Code != "" && strings.EqualFold(r.Code, word) {
			out = append(out, r)
		}
	}
	if len(out) > 0 {
		return out
	}
	if word == "ALL" {
		return slices.Clone(rules)
	}
	prefix := strings.ToUpper(word)
	for _, r := range rules {
		family, _, _ := strings.Cut(r.ID, "-")
		if prefix != "" && strings.HasPrefix(r.ID, prefix) && (len(prefix) >= len(family) || prefix == family) {
			out = append(out, r)
		}
	}
	return out
}

// MatchAll finds the rules of several words, as a set of ids; an unknown word is
// an error.
func MatchAll(rules []*Rule, words []string) (map[string]bool, error) {
	out := make(map[string]bool)
	for _, w := range words {
		w = strings.TrimSpace(w)
		found := Match(rules, w)
		if len(found) == 0 {
			return nil, &UnknownRuleError{Word: w}
		}
		for _, r := range found {
			out[r.ID] = true
		}
	}
	return out, nil
}

// UnknownRuleError names a word that is no rule.
type UnknownRuleError struct{ Word string }

func (e *UnknownRuleError) Error() string { return fmt.Sprintf("unknown rule %q", e.Word) }
