package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/text"
)

// Catalogue is rules that run together. Words select rules from it: ids, names, codes and
// prefixes.
type Catalogue []*Rule

// Validate returns what makes rules unusable together, or nil: a rule that is
// invalid, an id or name that two of them have, or a name that is also the family or code of another rule.
func (c Catalogue) Validate() error {
	ids, names := make(map[string]bool, len(c)), make(map[string]bool, len(c))
	families := map[string]bool{}
	for _, r := range c {
		families[r.Family()] = true
	}
	for _, r := range c {
		if err := r.Validate(); err != nil {
			return err
		}
		switch {
		case ids[r.ID]:
			return fmt.Errorf("two rules have the id %s", r.ID)
		case names[r.Name]:
			return fmt.Errorf("two rules have the name %s", r.Name)
		case r.namesOthers(families, c):
			return fmt.Errorf("rule %s: the name %s also names other rules", r.ID, r.Name)
		}
		ids[r.ID], names[r.Name] = true, true
	}
	return nil
}

// namesOthers reports whether the name is, in upper case, ALL or a prefix of other ids.
func (r *Rule) namesOthers(families map[string]bool, all Catalogue) bool {
	prefix := strings.ToUpper(r.Name)
	family, _, _ := strings.Cut(prefix, "-")
	return prefix == "ALL" || families[family] && slices.ContainsFunc(all, func(o *Rule) bool { return o != r && strings.HasPrefix(o.ID, prefix) })
}

// Match finds the rules that a word of --select, --ignore or a configuration
// names: an id, a name, a code, or a prefix of ids such as MB. The result must not be changed.
func (c Catalogue) Match(word string) Catalogue {
	var out Catalogue
	name := strings.ToLower(word)
	for _, r := range c {
		if r.Name == name || len(r.ID) == len(word) && strings.EqualFold(r.ID, word) {
			return Catalogue{r}
		}
		if r.Code != "" && len(r.Code) == len(word) && strings.EqualFold(r.Code, word) {
			out = append(out, r)
		}
	}
	if len(out) > 0 {
		return out
	}
	if word == "ALL" {
		return slices.Clip(c)
	}
	prefix := strings.ToUpper(word)
	for _, r := range c {
		family := r.Family()
		if prefix != "" && strings.HasPrefix(r.ID, prefix) && (len(prefix) >= len(family) || prefix == family) {
			out = append(out, r)
		}
	}
	return out
}

// Select returns the ids of the rules that several words name. An unknown word is an
// error.
func (c Catalogue) Select(words ...string) (map[string]bool, error) {
	out := make(map[string]bool)
	for _, w := range words {
		w = strings.TrimSpace(w)
		found := c.Match(w)
		if len(found) == 0 {
			return nil, c.Unknown(w)
		}
		for _, r := range found {
			out[r.ID] = true
		}
	}
	return out, nil
}

// Unknown returns the error for a word that names no rule: what is most likely meant. A long word
// is cut: a program that runs a hook may show the message to an agent.
func (c Catalogue) Unknown(word string) error {
	meant, word := c.meant(word), text.Shorten(word, 80)
	if meant != "" {
		return fmt.Errorf("unknown rule %q; did you mean %s?", word, meant)
	}
	return fmt.Errorf("unknown rule %q; `brennerlint rules` lists them", word)
}

// meant returns what a word that names no rule most likely means; "" if nothing is near.
func (c Catalogue) meant(word string) string {
	if strings.EqualFold(word, "ALL") {
		return "ALL"
	}
	if family := strings.TrimRight(word, "-*"); family != word && len(c.Match(family)) > 0 { // MB-*
		return family
	}
	var words, families []string
	for _, r := range c {
		words = append(words, r.ID, r.Name, r.Code)
		if f := r.Family(); len(word) == 1 && strings.HasPrefix(f, strings.ToUpper(word)) && !slices.Contains(families, f) {
			families = append(families, f) // ruff selects by letters
		}
	}
	if len(families) > 0 {
		return text.Or(families)
	}
	return text.Nearest(word, words)
}

// RuleWord is a word that names rules, and its meaning: the summary of a rule, or how
// many rules a family has.
type RuleWord struct{ Word, Description string }

// Words lists the words by which rules can be named, as the catalogue writes
// them: ids, names, codes, families such as MB, and ALL. Match also takes other
// case and longer prefixes.
func (c Catalogue) Words() []RuleWord {
	var out, families []RuleWord
	byCode := map[string]int{} // the index of a code in out
	sizes := map[string]int{}
	for _, r := range c {
		out = append(out, RuleWord{r.ID, r.Name + ": " + r.Summary}, RuleWord{r.Name, r.ID + ": " + r.Summary})
		if at, known := byCode[r.Code]; known {
			out[at].Description += ", " + r.ID
		} else if r.Code != "" {
			byCode[r.Code] = len(out)
			out = append(out, RuleWord{r.Code, "the code of " + r.ID})
		}
		family := r.Family()
		if sizes[family]++; sizes[family] == 1 {
			families = append(families, RuleWord{Word: family, Description: "such as " + r.ID + " " + r.Name})
		}
	}
	for i := range families {
		f := &families[i]
		if n := sizes[f.Word]; n == 1 {
			f.Description = strings.TrimPrefix(f.Description, "such as ")
		} else {
			f.Description = fmt.Sprintf("%d rules, %s", n, f.Description)
		}
	}
	return append(append(out, families...), RuleWord{"ALL", fmt.Sprintf("all %d rules", len(c))})
}

// Family returns the letters that a rule's id begins with, such as MB.
func (r *Rule) Family() string {
	family, _, _ := strings.Cut(r.ID, "-")
	return family
}

// RejectedBy returns which of the rules rejects a delta, and why. Both are "" if none
// does.
func (c Catalogue) RejectedBy(why *replay.Rejection) (rule, reason string) {
	if why == nil {
		return "", ""
	}
	for _, r := range c {
		if r.Rejects == nil {
			continue
		}
		if reason = r.Rejects(why); reason != "" {
			return r.ID, reason
		}
	}
	return "", ""
}
