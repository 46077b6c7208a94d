package rules

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about the adversarial critique.
var critiqueRules = []*lint.Rule{
	{ID: "EC-001", Name: "critiques-minimum", Severity: lint.Error, SpecRef: "artifact_format#Adversarial Critique",
		Summary: "At least 2 active critiques.",
		Help:    "add critiques until 2 are active",
		Check:   atLeast(brenner.AdversarialCritique)},
	field("EC-002", "critique-item-attack", lint.Error, fieldReq{section: brenner.AdversarialCritique, key: "attack", want: "how the framing could be wrong"}, "add **Attack**: with the challenge"),
	{ID: "WC-001", Name: "real-third-alternative", Severity: lint.Warning, SpecRef: "artifact_format#Adversarial Critique",
		Summary: "An active critique offers a real third alternative (name, `Real third alternative: true`, or `Why it might be right`).",
		Check: oneIs(realAlternative, "no active critique that offers a real third alternative",
			"state what else could be true, and mark it with")},
	{ID: "WC-002", Name: "critique-evidence", Severity: lint.Warning, SpecRef: "artifact_format#Adversarial Critique",
		Summary: "Each active critique has `Evidence`, `Evidence that would confirm` (this) or `Why it might be right`.",
		Check: requireField(fieldReq{
			section: brenner.AdversarialCritique, key: "evidence", want: "what would confirm it", alternatives: []string{"why_it_might_be_right"},
		})},
	field("IC-001", "critique-status", lint.Info, fieldReq{section: brenner.AdversarialCritique, key: "current_status", want: "how serious it is"}, ""),
}
