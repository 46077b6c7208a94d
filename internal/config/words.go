package config

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// rule checks words that name rules.
func (d *decoder) rule(n *yaml.Node) {
	var names []string
	for _, r := range d.rules {
		names = append(names, r.ID, r.Name)
	}
	for _, word := range strings.Split(n.Value, ",") {
		word = strings.TrimSpace(word)
		if len(d.rules.Match(word)) > 0 {
			continue
		}
		if best := text.Nearest(word, names); best != "" {
			d.fault(n, "unknown rule %q; did you mean %s?", word, best)
		} else {
			d.fault(n, "unknown rule %q", word)
		}
	}
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
