package rules

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about the hypothesis slate.
var hypothesisRules = []*lint.Rule{
	{ID: "EH-001", Name: "hypotheses-minimum", Severity: lint.Error, SpecRef: "artifact_format#Hypothesis Slate",
		Summary: "At least 3 active hypotheses.",
		Help:    "add hypotheses until 3 are active",
		Check:   atLeast(brenner.HypothesisSlate)},
	{ID: "EH-002", Name: "hypotheses-maximum", Severity: lint.Error, SpecRef: "artifact_format#Hypothesis Slate",
		Summary: "At most 6 active hypotheses.",
		Help:    "kill the weakest hypotheses until 6 are active",
		Check:   lint.ArtifactCheck(checkHypothesesMaximum)},
	{ID: "EH-003", Name: "third-alternative", Severity: lint.Error, SpecRef: "artifact_format#Hypothesis Slate",
		Summary: "An active hypothesis is labelled third alternative (name, or `Third alternative: true`).",
		Help:    "add (Third Alternative) to the name of one active hypothesis",
		Check: oneIs(thirdAlternative, "no active third alternative",
			"add the hypothesis that all others are wrong, and mark it with")},
	field("EH-004", "hypothesis-claim", lint.Error, fieldReq{section: brenner.HypothesisSlate, key: "claim", want: "one sentence that an experiment can refute"}, "add **Claim**: with one sentence that an experiment can refute"),
	field("WH-001", "hypothesis-anchors", lint.Warning, fieldReq{section: brenner.HypothesisSlate, key: "anchors", want: "its sources (§161, EV-001), or inference"}, ""),
	{ID: "WH-002", Name: "anchor-format", Severity: lint.Warning, SpecRef: "artifact_format#Anchors",
		Summary: "Anchors follow the anchor grammar.",
		Check:   lint.ArtifactCheck(checkAnchorFormat)},
	{ID: "WH-003", Name: "inference-label", Severity: lint.Info, SpecRef: "artifact_format#Anchors",
		Summary: "A hypothesis whose anchors are `inference` alone is labelled [inference] somewhere in its block.",
		Check:   lint.ArtifactCheck(checkInferenceLabel)},
	{ID: "IH-001", Name: "hypothesis-mechanism", Severity: lint.Info, SpecRef: "artifact_format#Hypothesis Slate",
		Summary: "Each active hypothesis has `Mechanism` (third alternative: or `How this could be true`).",
		Check:   lint.ArtifactCheck(checkMechanism)},
}

// isThirdAlternative reports whether a hypothesis is labelled third alternative.
func isThirdAlternative(it *artifact.Item) bool { return thirdAlternative.on(it) }

// checkHypothesesMaximum reports the first hypothesis above the maximum.
func checkHypothesesMaximum(p *lint.ArtifactPass) {
	const kind = brenner.HypothesisSlate
	a := p.Artifact
	all := active(a, kind)
	if len(all) <= kind.Maximum() {
		return
	}
	it := all[kind.Maximum()]
	itemReport(p, it, "", it.Heading, lint.Diagnostic{
		Message:    shortage(a, kind, len(all)),
		Suggestion: "KILL or merge the weakest; a killed hypothesis keeps its place and does not count",
	})
}

func checkMechanism(p *lint.ArtifactPass) {
	n := fieldReq{section: brenner.HypothesisSlate, key: "mechanism", want: "how it would work"}
	third := n
	third.alternatives = []string{"how_this_could_be_true"}
	for _, it := range active(p.Artifact, n.section) {
		if isThirdAlternative(it) || thirdAlternative.lostBy(p, it) {
			third.check(p, it)
		} else {
			n.check(p, it)
		}
	}
}

// inferenceLabel marks a block as inferred.
const inferenceLabel = "[inference]"

func checkInferenceLabel(p *lint.ArtifactPass) {
	a := p.Artifact
	for _, it := range active(a, brenner.HypothesisSlate) {
		f := it.Field("anchors")
		if f == nil || !inferenceAlone(f) || blockContains(a, it, inferenceLabel) ||
			lostText(p, it, func(text string) bool { return strings.Contains(text, inferenceLabel) }) {
			continue
		}
		itemReport(p, it, "anchors", f.Value, lint.Diagnostic{
			Message:    fmt.Sprintf("%s rests on inference alone but lacks the label [inference]", it.ID),
			Suggestion: "write [inference] in the claim or among the anchors",
		})
	}
}

// inferenceAlone reports whether all anchors of a field are inference.
func inferenceAlone(f *artifact.Field) bool {
	n := 0
	for _, e := range f.Entries {
		for _, a := range brenner.ParseAnchors(e.Text) {
			if a.Kind != brenner.InferenceAnchor {
				return false
			}
			n++
		}
	}
	return n > 0
}
