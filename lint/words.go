package lint

import (
	"fmt"
	"strings"
)

// RuleWord is a word that names rules, and its meaning: the summary of a rule, or how
// many rules a family has.
type RuleWord struct{ Word, Description string }

// RuleWords lists the words by which rules can be named, as the catalogue writes
// them: ids, names, codes, families such as MB, and ALL. [Match] also takes other
// case and longer prefixes.
func RuleWords(rules []*Rule) []RuleWord {
	var out, families []RuleWord
	byCode := map[string]int{} // the index of a code in out
	sizes := map[string]int{}
	for _, r := range rules {
		out = append(out, RuleWord{r.ID, r.Name + ": " + r.Summary}, RuleWord{r.Name, r.ID + ": " + r.Summary})
		if at, known := byCode[r.Code]; known {
			out[at].Description += ", " + r.ID
		} else if r.Code != "" {
			byCode[r.Code] = len(out)
			out = append(out, RuleWord{r.Code, "the code of " + r.ID})
		}
		family := Family(r)
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
	return append(append(out, families...), RuleWord{"ALL", fmt.Sprintf("all %d rules", len(rules))})
}

// Family returns the letters that a rule's id begins with, such as MB.
func Family(r *Rule) string {
	family, _, _ := strings.Cut(r.ID, "-")
	return family
}
