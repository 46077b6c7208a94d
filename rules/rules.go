// Package rules is the catalogue: every rule of the Brenner Protocol as a
// [lint.Rule] value.
//
// Rules of one family share a file. Each rule has an archive doc/ID.txtar, which is its
// documentation, its examples and its test; doc/README.md describes its format. To add a
// rule, write the value, write the archive, and add its line to testdata/rules.tsv;
// CONTRIBUTING.md names the records to update.
package rules

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/lint"
)

//go:embed doc
var archives embed.FS

// pages is where the pages of the rules can be read.
const pages = "https://github.com/brennerlint/brennerlint/blob/main/docs/rules/"

// families lists the rules in the order of the catalogue.
var families = [][]*lint.Rule{
	byID(prefixRules, bodyRules, deltaJSONRules, handoffRules, ackRules),
	threadRules,
	subjectRules,
	byID(deltaRules, deltaObjectRules, deltaPayloadRules, deltaFieldRules, deltaCitationRules, deltaEnvelopeRules, deltaPlaceRules),
	replayRules,
	byID(publishRules, persistenceRules, persistedArtifactRules, fileVersionRules, lifecycleRules),
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
func All() []*lint.Rule { return slices.Clone(all()) }

var all = sync.OnceValue(func() []*lint.Rule {
	rules := slices.Concat(families...)
	for _, r := range rules {
		r.Protocol = true
		r.Archive = archive(r.ID)
		r.URL = pages + r.ID + ".md"
	}
	return rules
})

// archive reads a rule's archive on demand.
func archive(id string) func() []byte {
	return func() []byte {
		data, err := archives.ReadFile("doc/" + id + ".txtar")
		if err != nil {
			return nil // a test checks that every rule has its archive
		}
		return data
	}
}
