package cli

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/lint"
)

// levelWord is a word of --ignore, or one RULE=LEVEL of --severity.
type levelWord struct {
	text   string
	ignore bool
}

// levelFlags declares --ignore and --severity. Their common order on the command line counts.
func (s *settings) levelFlags(f *flags) {
	f.Var(&levelValue{words: &s.levelWords, ignore: true}, "ignore", "do not run these `RULES`")
	f.declared("ignore", listOf(s.ruleWords))
	f.Var(&levelValue{words: &s.levelWords}, "severity", "set the level of a rule to error, warning, info or off: `RULE=LEVEL`; may be repeated")
	f.declared("severity", pairOf(s.ruleWords, []string{"error", "warning", "info", "off"}))
}

// levelValue is the value of --ignore or --severity.
type levelValue struct {
	words  *[]levelWord // of both
	given  []string
	ignore bool
}

// Set adds words.
func (v *levelValue) Set(value string) error {
	words := []string{value}
	if v.ignore {
		words = strings.Split(value, ",")
	}
	v.given = append(v.given, words...)
	for _, word := range words {
		*v.words = append(*v.words, levelWord{word, v.ignore})
	}
	return nil
}

func (v *levelValue) String() string { return strings.Join(v.given, ",") }

// Type returns the name of the value in the help.
func (v *levelValue) Type() string { return "WORDS" }

// levels applies --select, --ignore and --severity. What the user names wins over the
// configuration, and its overrides too.
func (s *settings) levels(l *engine.Severities, all lint.Catalogue) error {
	if len(s.selected) > 0 {
		found, err := findRules(all, s.selected)
		if err != nil {
			return err
		}
		l.Select, l.Ignore = found, nil
	}
	words := make([]config.LevelWord, len(s.levelWords))
	for i, w := range s.levelWords {
		var err error
		if words[i], err = w.parse(all); err != nil {
			return err
		}
	}
	levels := config.Levels(words)
	if len(levels) == 0 {
		return nil
	}
	l.Ignore, l.Severity, l.Fixed = copied(l.Ignore), copied(l.Severity), map[string]bool{}
	for id, level := range levels {
		delete(l.Ignore, id)
		if severity, err := lint.ParseSeverity(string(level)); err == nil {
			l.Severity[id], l.Fixed[id] = severity, true
		} else {
			l.Ignore[id] = true
		}
	}
	return nil
}

// parse reads a word and finds the rules that it names.
func (w levelWord) parse(all lint.Catalogue) (out config.LevelWord, err error) {
	name, level := w.text, "off"
	if !w.ignore {
		var ok bool
		if name, level, ok = strings.Cut(w.text, "="); !ok {
			return out, fmt.Errorf("--severity %q: expected RULE=LEVEL", w.text)
		}
	}
	name = strings.TrimSpace(name)
	out = config.LevelWord{Rules: all.Match(name), Level: config.Level(level)}
	if len(out.Rules) == 0 {
		return out, unknownRule(all, name)
	}
	if _, err := lint.ParseSeverity(level); err != nil && level != "off" {
		return out, fmt.Errorf("--severity %q: unknown level %q; expected error, warning, info or off", w.text, level)
	}
	return out, nil
}

// copied returns a copy of a map, which the configuration may hold, too.
func copied[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return maps.Clone(m)
}

// findRules returns the ids of the rules that words name.
func findRules(all lint.Catalogue, words []string) (map[string]bool, error) {
	found, err := all.Select(words...)
	var unknown *lint.UnknownRuleError
	if errors.As(err, &unknown) {
		return nil, unknownRule(all, unknown.Word)
	}
	return found, err
}
