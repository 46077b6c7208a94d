package config

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// off is the level of rules that do not run.
const off Level = "off"

// LevelWord gives a level to the rules that a word names. Ignored rules have the level off.
type LevelWord struct {
	Rules lint.Catalogue
	Level Level
}

// Levels returns the level of each rule that the words name, by rule id. If two words name
// a rule, the word that names fewer rules wins: a single rule over its family. If both name
// equally many, the later wins.
func Levels(words []LevelWord) map[string]Level {
	byCount := func(a, b LevelWord) int { return cmp.Compare(len(b.Rules), len(a.Rules)) }
	out := map[string]Level{}
	for _, w := range slices.SortedStableFunc(slices.Values(words), byCount) {
		for _, r := range w.Rules {
			out[r.ID] = w.Level
		}
	}
	return out
}

// severities turns the levels and ignored words of a configuration into severities for the
// engine. If an ignored word and a level name equally many rules, the level wins.
func severities(rules lint.Catalogue, ignore []string, by map[string]Level) (ignored map[string]bool, severity map[string]lint.Severity) {
	var words []LevelWord
	for _, word := range ignore {
		words = append(words, LevelWord{match(rules, word), off})
	}
	for _, word := range slices.Sorted(maps.Keys(by)) {
		words = append(words, LevelWord{match(rules, word), by[word]})
	}
	ignored, severity = map[string]bool{}, map[string]lint.Severity{}
	for id, level := range Levels(words) {
		if s, err := lint.ParseSeverity(string(level)); err == nil {
			severity[id] = s
		} else {
			ignored[id] = true
		}
	}
	return ignored, severity
}

// ids returns the rules that words name; the decoder has checked the words.
func ids(rules lint.Catalogue, words []string) map[string]bool {
	out := make(map[string]bool)
	for _, w := range words {
		for _, r := range match(rules, w) {
			out[r.ID] = true
		}
	}
	return out
}

// match finds the rules that a text names: a word, or several separated by commas.
func match(rules lint.Catalogue, words string) lint.Catalogue {
	var out lint.Catalogue
	for w := range strings.SplitSeq(words, ",") {
		out = append(out, rules.Match(strings.TrimSpace(w))...)
	}
	return out
}
