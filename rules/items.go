package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about the research thread, the one item that an artifact begins with.
var researchThreadRules = []*lint.Rule{
	field("ER-001", "research-thread-statement", lint.Error, fieldReq{section: brenner.ResearchThread, key: "statement", want: "the session's question",
		summary: "Research Thread has a non-empty `RT` field."}),
	field("ER-002", "research-thread-context", lint.Error, fieldReq{section: brenner.ResearchThread, key: "context", want: "what is known and why the question is open",
		summary: "Research Thread has a non-empty `Context` field."}),
	field("WR-001", "research-thread-anchors", lint.Warning, fieldReq{section: brenner.ResearchThread, key: "anchors", want: "its sources (§161, EV-001), or inference"}),
	field("IR-001", "research-thread-why", lint.Info, fieldReq{section: brenner.ResearchThread, key: "why_it_matters", want: "what an answer would change"}),
}

// Rules about the hypothesis slate.
var hypothesisRules = []*lint.Rule{
	minimum("EH-001", "hypotheses-minimum", brenner.HypothesisSlate, "hypotheses"),
	{ID: "EH-002", Name: "hypotheses-maximum", Severity: lint.Error, SpecRef: "artifact_format#Hypothesis Slate",
		Summary: "At most 6 active hypotheses.",
		Help:    "kill the weakest hypotheses until 6 are active",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			const kind = brenner.HypothesisSlate
			a := p.Artifact
			all := active(a, kind)
			if len(all) <= kind.Maximum() {
				return
			}
			it := all[kind.Maximum()]
			itemReport(p, it, "", it.Heading,
				shortage(a, kind, len(all)),
				"KILL or merge the weakest; a killed hypothesis keeps its place and does not count")
		})},
	{ID: "EH-003", Name: "third-alternative", Severity: lint.Error, SpecRef: "artifact_format#Hypothesis Slate",
		Summary: "An active hypothesis is labelled third alternative (name, or `Third alternative: true`).",
		Help:    "add (Third Alternative) to the name of one active hypothesis",
		Check: oneIs(thirdAlternative, "no active third alternative",
			"add the hypothesis that all others are wrong, and mark it with")},
	field("EH-004", "hypothesis-claim", lint.Error, fieldReq{section: brenner.HypothesisSlate, key: "claim", want: "one sentence that an experiment can refute"}),
	field("WH-001", "hypothesis-anchors", lint.Warning, fieldReq{section: brenner.HypothesisSlate, key: "anchors", want: "its sources (§161, EV-001), or inference"}),
	{ID: "WH-002", Name: "anchor-format", Severity: lint.Warning, SpecRef: "artifact_format#Anchors",
		Summary: "Anchors follow the anchor grammar.",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			a := p.Artifact
			cited := a.Citations()
			for i := range cited {
				if c := &cited[i]; c.Kind == brenner.MojibakeAnchor {
					f := misdecoded(asWritten(c), "file")
					citeReport(p, c, f.message, f.suggestion)
				}
			}
			for _, kind := range brenner.Sections {
				for _, it := range active(a, kind) {
					f := it.Field("anchors")
					if f == nil {
						continue
					}
					for _, e := range f.Entries {
						for _, fault := range anchorFaults(e.Text, brenner.ParseAnchors(e.Text), 0) {
							itemReport(p, it, "anchors", e.Span, fault.message, fault.suggestion)
						}
					}
				}
			}
		})},
	{ID: "WH-003", Name: "inference-label", Severity: lint.Info, SpecRef: "artifact_format#Anchors",
		Summary: "A hypothesis whose anchors are `inference` alone is labelled [inference] somewhere in its block.",
		Check: eachActive(brenner.HypothesisSlate, func(p *lint.ArtifactPass, it *artifact.Item) {
			f := it.Field("anchors")
			isOther := func(k brenner.AnchorKind) bool { return k != brenner.InferenceAnchor }
			if f == nil || len(anchorKinds(f)) == 0 || slices.ContainsFunc(anchorKinds(f), isOther) || blockContains(p.Artifact, it, inferenceLabel) ||
				mergedText(p, it, func(text string) bool { return strings.Contains(text, inferenceLabel) }) {
				return
			}
			itemReport(p, it, "anchors", f.Value,
				fmt.Sprintf("%s rests on inference alone but lacks the label [inference]", it.ID),
				"write [inference] in the claim or among the anchors")
		})},
	{ID: "IH-001", Name: "hypothesis-mechanism", Severity: lint.Info, SpecRef: "artifact_format#Hypothesis Slate",
		Summary: "Each active hypothesis has `Mechanism` (third alternative: or `How this could be true`).",
		Check: eachActive(brenner.HypothesisSlate, func(p *lint.ArtifactPass, it *artifact.Item) {
			n := fieldReq{section: brenner.HypothesisSlate, key: "mechanism", want: "how it would work"}
			if thirdAlternative.set(it) || thirdAlternative.publishedWithout(p, it) {
				n.alternatives = []string{"how_this_could_be_true"}
			}
			n.check(p, it)
		})},
}

// inferenceLabel marks a block as inferred.
const inferenceLabel = "[inference]"

// anchorKinds returns the kinds of the anchors in a field.
func anchorKinds(f *artifact.Field) []brenner.AnchorKind {
	var out []brenner.AnchorKind
	for _, e := range f.Entries {
		for _, a := range brenner.ParseAnchors(e.Text) {
			out = append(out, a.Kind)
		}
	}
	return out
}

// Rules about the assumption ledger.
var assumptionRules = []*lint.Rule{
	minimum("EA-001", "assumptions-minimum", brenner.AssumptionLedger, "assumptions"),
	{ID: "EA-002", Name: "scale-check", Severity: lint.Error, SpecRef: "artifact_format#Assumption Ledger",
		Summary: "An active assumption is a scale or physics check (name, or `Scale check: true`).",
		Help:    "add (Scale Check) to the name of one active assumption, and put the calculation there",
		Check: oneIs(scaleCheck, "no active scale or physics check",
			"add an assumption that calculates whether the hypotheses are possible, and mark it with")},
	field("EA-003", "assumption-statement", lint.Error, fieldReq{section: brenner.AssumptionLedger, key: "statement", want: "what is assumed to be true"}),
	field("WA-001", "assumption-load", lint.Warning, fieldReq{section: brenner.AssumptionLedger, key: "load", want: "what breaks if it is wrong", filter: isNoScale,
		summary: "Each active assumption other than the scale check has `Load`."}),
	field("WA-002", "assumption-test", lint.Warning, fieldReq{section: brenner.AssumptionLedger, key: "test", want: "how to check it", filter: isNoScale,
		summary: "Each active assumption other than the scale check has `Test`."}),
	field("WA-003", "scale-check-calculation", lint.Warning, fieldReq{section: brenner.AssumptionLedger, key: "calculation", want: "the numbers and units of the check", filter: isScale,
		summary: "The scale check has a `Calculation`."}),
	{ID: "IA-001", Name: "assumption-status", Severity: lint.Info, SpecRef: "artifact_format#Assumption Ledger",
		Summary: "Each active assumption has `Status`, which begins with unchecked, verified or falsified.",
		Check:   beginsWith(brenner.AssumptionLedger, "status", true)},
}

// isScale and isNoScale select the assumptions that are a scale check, and those that are
// not one in the merge either.
func isScale(_ *lint.ArtifactPass, it *artifact.Item) bool { return scaleCheck.set(it) }

func isNoScale(p *lint.ArtifactPass, it *artifact.Item) bool {
	return !scaleCheck.set(it) && !scaleCheck.unclear(it) && !scaleCheck.publishedWithout(p, it)
}

// Rules about the anomaly register.
var anomalyRules = []*lint.Rule{
	{ID: "EX-002", Name: "anomalies-empty-state", Severity: lint.Error, SpecRef: "artifact_format#Anomaly Register",
		Summary: "An Anomaly Register without items says `None registered`, or in other words that there are none.",
		Help:    "write None registered",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			a := p.Artifact
			s := a.Section(brenner.AnomalyRegister)
			if s == nil || a.IsJSON() || len(a.ItemsOf(s.Kind))+malformedIDs(a, s.Kind) > 0 || omitted(p, s.Kind, anyItem, 1) {
				return
			}
			for _, other := range a.Sections {
				if other.Kind == s.Kind && other.NoneRegistered {
					return
				}
			}
			d := lint.Diagnostic{
				At:         heading(a, s),
				Message:    "Anomaly Register has no anomalies and does not say so; expected `None registered`",
				Suggestion: "write `None registered.`",
			}
			if loose := unheadedItem(a, s); loose != "" {
				d.Message = "Anomaly Register has no readable anomalies: " + loose + " is not in a heading"
				d.Suggestion = "start each anomaly with a heading, `### " + loose + ": name`, and put its fields below"
			}
			p.Report(d)
		})},
	field("WX-001", "anomaly-observation", lint.Warning, fieldReq{section: brenner.AnomalyRegister, key: "observation", want: "what was observed"}),
	field("WX-002", "anomaly-conflicts", lint.Warning, fieldReq{section: brenner.AnomalyRegister, key: "conflicts_with", want: "the items it contradicts (H1, A2)"}),
	{ID: "IX-001", Name: "anomaly-status", Severity: lint.Info, SpecRef: "artifact_format#Anomaly Register",
		Summary: "`Quarantine status` begins with active, resolved or deferred.",
		Check:   beginsWith(brenner.AnomalyRegister, "status", false)},
}

// Rules about the adversarial critique.
var critiqueRules = []*lint.Rule{
	minimum("EC-001", "critiques-minimum", brenner.AdversarialCritique, "critiques"),
	field("EC-002", "critique-item-attack", lint.Error, fieldReq{section: brenner.AdversarialCritique, key: "attack", want: "how the framing could be wrong"}),
	{ID: "WC-001", Name: "real-third-alternative", Severity: lint.Warning, SpecRef: "artifact_format#Adversarial Critique",
		Summary: "An active critique offers a real third alternative (name, `Real third alternative: true`, or `Why it might be right`).",
		Check: oneIs(realAlternative, "no active critique that offers a real third alternative",
			"state what else could be true, and mark it with")},
	field("WC-002", "critique-evidence", lint.Warning, fieldReq{section: brenner.AdversarialCritique, key: "evidence", want: "what would confirm it", alternatives: []string{"why_it_might_be_right"},
		summary: "Each active critique has `Evidence`, `Evidence that would confirm` (this) or `Why it might be right`."}),
	field("IC-001", "critique-status", lint.Info, fieldReq{section: brenner.AdversarialCritique, key: "current_status", want: "how serious it is"}),
}
