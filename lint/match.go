package lint

import (
	"fmt"
	"slices"
	"strings"
)

// Match finds the rules that a word of --select, --ignore or a configuration
// names: an id, a name, a code, or a prefix of ids such as MB.
func Match(rules []*Rule, word string) []*Rule {
	var out []*Rule
	name := strings.ToLower(word)
	for _, r := range rules {
		if r.Name == name || len(r.ID) == len(word) && strings.EqualFold(r.ID, word) {
			return []*Rule{r}
		}
		if r.Code != "" && len(r.Code) == len(word) && strings.EqualFold(r.Code, word) {
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
		family := Family(r)
		if prefix != "" && strings.HasPrefix(r.ID, prefix) && (len(prefix) >= len(family) || prefix == family) {
			out = append(out, r)
		}
	}
	return out
}

// MatchAll returns the ids of the rules that several words name. An unknown word is an
// error.
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

// UnknownRuleError names a word that is not a rule.
type UnknownRuleError struct{ Word string }

// Error says which word it is.
func (e *UnknownRuleError) Error() string { return fmt.Sprintf("unknown rule %q", e.Word) }
