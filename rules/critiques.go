package rules

import (
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/protocol"
)

// Rules about the adversarial critique.
var critiqueRules = []*lint.Rule{
	{ID: "EC-001", Name: "critiques-minimum", Severity: lint.Error, SpecRef: artifactFormat,
		Summary: "At least 2 active critiques.",
		Help:    "add critiques until 2 are active",
		Check:   atLeast(protocol.AdversarialCritique)},
	{ID: "EC-002", Name: "critique-item-attack", Severity: lint.Error, SpecRef: artifactFormat,
		Summary: "Each active critique has a non-empty `Attack`.",
		Help:    "add **Attack**: with the challenge",
		Check:   requireField(fieldReq{section: protocol.AdversarialCritique, key: "attack", want: "how the framing could be wrong"})},
	{ID: "WC-001", Name: "real-third-alternative", Severity: lint.Warning, SpecRef: artifactFormat,
		Summary: "An active critique offers a real third alternative (name, `Real third alternative: true`, or `Why it might be right`).",
		Check: oneIs(realAlternative, "no active critique that offers a real third alternative",
			"state what else could be true, and mark it with")},
	{ID: "WC-002", Name: "critique-evidence", Severity: lint.Warning, SpecRef: artifactFormat,
		Summary: "Each active critique has `Evidence`, `Evidence that would confirm` (this) or `Why it might be right`.",
		Check: requireField(fieldReq{
			section: protocol.AdversarialCritique, key: "evidence", want: "what would confirm it", alternatives: []string{"why_it_might_be_right"},
		})},
	{ID: "IC-001", Name: "critique-status", Severity: lint.Info, SpecRef: artifactFormat,
		Summary: "Each active critique has `Current status`.",
		Check:   requireField(fieldReq{section: protocol.AdversarialCritique, key: "current_status", want: "how serious it is"})},
}
