package rules

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about the assumption ledger.
var assumptionRules = []*lint.Rule{
	{ID: "EA-001", Name: "assumptions-minimum", Severity: lint.Error, SpecRef: "artifact_format#Assumption Ledger",
		Summary: "At least 3 active assumptions.",
		Help:    "add assumptions until 3 are active",
		Check:   atLeast(brenner.AssumptionLedger)},
	{ID: "EA-002", Name: "scale-check", Severity: lint.Error, SpecRef: "artifact_format#Assumption Ledger",
		Summary: "An active assumption is a scale or physics check (name, or `Scale check: true`).",
		Help:    "add (Scale Check) to the name of one active assumption, and put the calculation there",
		Check: oneIs(scaleCheck, "no active scale or physics check",
			"add an assumption that calculates whether the hypotheses are possible, and mark it with")},
	field("EA-003", "assumption-statement", lint.Error, fieldReq{section: brenner.AssumptionLedger, key: "statement", want: "what is assumed to be true"}, "add **Statement**: with what is assumed to be true"),
	{ID: "WA-001", Name: "assumption-load", Severity: lint.Warning, SpecRef: "artifact_format#Assumption Ledger",
		Summary: "Each active assumption other than the scale check has `Load`.",
		Check:   requireField(fieldReq{section: brenner.AssumptionLedger, key: "load", want: "what breaks if it is wrong", filter: isNoScale})},
	{ID: "WA-002", Name: "assumption-test", Severity: lint.Warning, SpecRef: "artifact_format#Assumption Ledger",
		Summary: "Each active assumption other than the scale check has `Test`.",
		Check:   requireField(fieldReq{section: brenner.AssumptionLedger, key: "test", want: "how to check it", filter: isNoScale})},
	{ID: "WA-003", Name: "scale-check-calculation", Severity: lint.Warning, SpecRef: "artifact_format#Assumption Ledger",
		Summary: "The scale check has a `Calculation`.",
		Check:   requireField(fieldReq{section: brenner.AssumptionLedger, key: "calculation", want: "the numbers and units of the check", filter: isScale})},
	{ID: "IA-001", Name: "assumption-status", Severity: lint.Info, SpecRef: "artifact_format#Assumption Ledger",
		Summary: "Each active assumption has `Status`, which begins with unchecked, verified or falsified.",
		Check:   beginsWith(brenner.AssumptionLedger, "status", true)},
}

// isScaleCheck reports whether an assumption is a scale or physics check.
func isScaleCheck(it *artifact.Item) bool { return scaleCheck.on(it) }

// isScale and isNoScale select the assumptions that are a scale check, and those that are
// not one in the merge either.
func isScale(_ *lint.ArtifactPass, it *artifact.Item) bool { return isScaleCheck(it) }

func isNoScale(p *lint.ArtifactPass, it *artifact.Item) bool {
	return !isScaleCheck(it) && !scaleCheck.unclear(it) && !scaleCheck.lostBy(p, it)
}
