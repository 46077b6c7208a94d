package rules

import (
	"fmt"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// postConditionRules are the post-conditions of a merge. What a published artifact
// shows itself is left to its own rules (decisions.md 1).
var postConditionRules = []*lint.Rule{
	{ID: "MR-005", Name: "no-third-alternative", Severity: lint.Warning, Code: "NO_THIRD_ALTERNATIVE", SpecRef: "artifact_delta_spec#Post-conditions",
		Summary: "An active third alternative remains after a window's KILLs.",
		Check: lostMark(brenner.HypothesisSlate, "third alternative",
			"no third alternative is left among the active hypotheses after this window's KILLs",
			"ADD a hypothesis with third_alternative: true before you kill the last one")},
	{ID: "MR-006", Name: "no-scale-check", Severity: lint.Warning, Code: "NO_SCALE_CHECK", SpecRef: "artifact_delta_spec#Post-conditions",
		Summary: "An active scale/physics assumption remains after a window's KILLs.",
		Check: lostMark(brenner.AssumptionLedger, "scale check",
			"no scale or physics check is left among the active assumptions after this window's KILLs",
			"ADD an assumption with scale_check: true")},
	{ID: "MR-007", Name: "below-minimum", Severity: lint.Warning, Code: "BELOW_MINIMUM", SpecRef: "artifact_delta_spec#Post-conditions",
		Summary: "At each COMPILED the merged state has the minimum active items: 3 hypotheses, 3 predictions, 2 tests, 3 assumptions, 2 critiques.",
		Check:   lint.ThreadCheck(checkMergedMinimum)},
}

// lostMark returns a check that a window does not end without an active marked item of
// a section that had one.
func lostMark(sec brenner.Section, what, message, suggestion string) lint.ThreadCheck {
	return func(p *lint.ThreadPass) {
		for _, f := range factsOf(p).LostMarks {
			if f.Last.Section != sec {
				continue
			}
			d := lint.Diagnostic{At: f.In.SubjectPlace(), In: f.In, Item: f.Last.String(), Message: message, Suggestion: suggestion}
			if kill := f.Kill; kill != nil {
				d.Related = append(d.Related, related(kill, kill.MemberPlace("target_id"), "%s, the last %s, was killed by %s", d.Item, what, deltaName(kill)))
			}
			p.Report(d)
		}
	}
}

// checkMergedMinimum is MR-007: a merged state that has too few active items.
func checkMergedMinimum(p *lint.ThreadPass) {
	for _, f := range factsOf(p).Shortages {
		d := lint.Diagnostic{At: f.In.SubjectPlace(), In: f.In}
		var lacking []string
		for _, s := range f.Sections {
			lack := fmt.Sprintf("%d %s (expected %d)", s.Active, s.Section.Plural(), s.Section.Minimum())
			var rejected []string
			for _, add := range s.RejectedAdds {
				rule, _ := p.RejectedBy(add.Rejection)
				rejected = append(rejected, fmt.Sprintf("that by %s, %s", deltaName(add), rule))
				d.Related = append(d.Related, related(add, add.WholePlace(), "ADD by %s, rejected (%s)", deltaName(add), rule))
			}
			if n := len(rejected); n > 0 {
				lack += fmt.Sprintf(" where %s rejected (%s)", text.Count(n, "ADD was", "ADDs were"), text.And(short(rejected)))
			}
			lacking = append(lacking, lack)
		}
		d.Message = "the merged artifact has too few active items: " + text.And(lacking)
		p.Report(d)
	}
}
