package config

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/lint"
)

// rule checks words that name rules.
func (d *decoder) rule(n *yaml.Node) {
	for _, word := range strings.Split(n.Value, ",") {
		word = strings.TrimSpace(word)
		if len(d.rules.Match(word)) > 0 {
			continue
		}
		if best := d.nearest(word, d.names()); best != "" {
			d.fault(n, "unknown rule %q; did you mean %s?", word, best)
		} else {
			d.fault(n, "unknown rule %q", word)
		}
	}
}

// names returns the ids and names of all rules.
func (d *decoder) names() []string {
	if d.ruleNames == nil {
		for _, r := range d.rules {
			d.ruleNames = append(d.ruleNames, r.ID, r.Name)
		}
	}
	return d.ruleNames
}

// once checks that no two words of a mapping name the same single rule.
func (d *decoder) once(words []*yaml.Node) {
	named := map[*lint.Rule]string{}
	for _, n := range words {
		found := match(d.rules, n.Value)
		if len(found) != 1 {
			continue
		}
		if other, twice := named[found[0]]; twice {
			d.fault(n, "%q and %q name the same rule", other, n.Value)
		}
		named[found[0]] = n.Value
	}
}
