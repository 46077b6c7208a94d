// Package rules is the catalogue: every rule of the Brenner Protocol as a
// [lint.Rule] value.
//
// Rules of one family share a file. Each rule has a page doc/ID.md, which is its
// documentation, its examples and its test; doc/README.md describes its form. To add a
// rule, write the value and the page; CONTRIBUTING.md shows how.
package rules

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/lint"
)

//go:embed doc
var pages embed.FS

// pagesURL is where the pages of the rules can be read.
const pagesURL = "https://github.com/brennerlint/brennerlint/blob/main/rules/doc/"

// families lists the rules in the order of the catalogue.
var families = [][]*lint.Rule{
	byID(prefixRules, bodyRules, deltaJSONRules),
	threadRules,
	subjectRules,
	byID(deltaRules, deltaPayloadRules, deltaFieldRules, deltaPlaceRules),
	replayRules,
	publishRules,
	crossReferenceRules,
	frontMatterRules, sectionRules, researchThreadRules, hypothesisRules, predictionRules, testRules,
	assumptionRules, anomalyRules, critiqueRules, anchorRules, consistencyRules, renderingRules,
	inputRules,
}

// byID joins lists of rules whose ids have one prefix.
func byID(lists ...[]*lint.Rule) []*lint.Rule {
	return slices.SortedStableFunc(slices.Values(slices.Concat(lists...)), func(a, b *lint.Rule) int {
		return strings.Compare(a.ID, b.ID)
	})
}

// All returns every rule, in the order of the catalogue. The slice is the
// caller's, the rules are shared: do not change them.
func All() lint.Catalogue { return slices.Clone(all()) }

var all = sync.OnceValue(func() lint.Catalogue {
	rules := slices.Concat(families...)
	for _, r := range rules {
		r.Protocol = true
		r.Page = func() []byte {
			data, _ := pages.ReadFile("doc/" + r.ID + ".md") // a test checks that every rule has its page
			return data
		}
		r.URL = pagesURL + r.ID + ".md"
	}
	return rules
})
