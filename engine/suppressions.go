package engine

import (
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/lint"
)

// ruleList is the catalogue, and remembers which rules a word names.
type ruleList struct {
	lint.Catalogue

	mu    sync.Mutex
	words map[string]map[string]bool // the ids of the rules that each names
}

func newRuleList(all lint.Catalogue) *ruleList {
	return &ruleList{Catalogue: all, words: map[string]map[string]bool{}}
}

// named returns the ids of the rules that a word names, not to be changed; nil if none. A
// file may have thousands of directives, each with a word for all rules: they share the ids.
func (l *ruleList) named(word string) map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	ids := l.words[word]
	if ids == nil {
		if ids, _ = l.Select(word); ids != nil {
			l.words[strings.Clone(word)] = ids
		}
	}
	return ids
}

// namedRules are the ids of rules, word by word.
type namedRules []map[string]bool

// match returns the rules that words separated by commas name; unknown is a word that
// names none.
func (l *ruleList) match(words string) (rules namedRules, unknown *lint.UnknownRuleError) {
	for word := range strings.SplitSeq(words, ",") {
		word = strings.TrimSpace(word)
		ids := l.named(word)
		if ids == nil {
			return nil, &lint.UnknownRuleError{Word: word}
		}
		rules = append(rules, ids)
	}
	return rules, nil
}

func (n namedRules) has(id string) bool {
	return slices.ContainsFunc(n, func(ids map[string]bool) bool { return ids[id] })
}

// find looks up the rules of a suppression.
func (s *suppression) find(rules *ruleList, words string) {
	var unknown *lint.UnknownRuleError
	if s.rules, unknown = rules.match(words); unknown != nil {
		s.fault, s.word = lint.UnknownRule, unknown.Word
	}
}

// entrySuppressions makes suppressions of the configuration's entries.
func entrySuppressions(entries []Suppression, rules *ruleList) []*suppression {
	out := make([]*suppression, 0, len(entries))
	for i := range entries {
		e := &entries[i]
		s := &suppression{entry: e, at: e.At, thread: e.Thread}
		switch {
		case e.Rule == "":
			s.fault = lint.NoRuleNamed
		case strings.TrimSpace(e.Reason) == "":
			s.fault = lint.NoReasonGiven
		default:
			s.find(rules, e.Rule)
		}
		out = append(out, s)
	}
	return out
}

// entriesAt returns the entries that may cover findings in a path.
func entriesAt(entries []*suppression, path string) (out []*suppression) {
	for _, s := range entries {
		if s.fault == 0 && (s.entry.Path == "" || matchesPath(s.entry.Path, path)) {
			out = append(out, s)
		}
	}
	return out
}

// suppressedBy reports whether one of the entries that may cover findings in its path covers a
// finding, and marks all that do as used.
func suppressedBy(entries []*suppression, f *lint.Finding) (suppressed bool) {
	for _, s := range entries {
		if e := s.entry; (e.Message == "" || e.Message == f.MessageID) && (e.Thread == "" || e.Thread == f.Thread) &&
			(e.Item == "" || e.Item == f.Item) && s.rules.has(f.Rule) {
			s.use(f.Rule)
			suppressed = true
		}
	}
	return suppressed
}

// matchesPath reports whether a glob matches a path, or any end of it that begins
// at a folder: a configuration speaks of paths below its folder, the command line
// of paths as the user types them.
func matchesPath(glob, path string) bool {
	glob = relativeGlob(glob)
	for p, more := relativePath(path), true; more; _, p, more = strings.Cut(p, "/") {
		if ok, _ := doublestar.Match(glob, p); ok {
			return true
		}
	}
	return false
}

func relativeGlob(glob string) string { return strings.TrimPrefix(glob, "./") }
func relativePath(path string) string { return strings.TrimPrefix(path, "./") }

// suppressedByDirective reports whether one of the directives of a file covers a finding, and
// marks all that do as used.
func suppressedByDirective(directives []*suppression, f *lint.Finding) (suppressed bool) {
	if f.Range == nil {
		return false
	}
	at := f.Range.Start.Offset
	for _, s := range directives {
		if s.fault == 0 && s.span.Start <= at && at < max(s.span.End, s.span.Start+1) && s.rules.has(f.Rule) {
			s.use(f.Rule)
			suppressed = true
		}
	}
	return suppressed
}
