package rules

import (
	"fmt"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/lint"
)

// appliedRejectRules are about deltas that were published although they should have
// been rejected.
var appliedRejectRules = []*lint.Rule{{
	ID: "MR-022", Name: "rejected-delta-applied", Severity: lint.Error,
	SpecRef: "delta_output_format#Error Handling",
	Summary: "A delta that must be rejected (invalid JSON, missing required field, invalid target, section limit) is not in the published artifact.",
	Help:    "leave the delta out, and ask its sender to fix it",
	Check:   lint.ThreadCheck(checkAppliedRejects),
}}

// checkAppliedRejects is MR-022: a rejected delta that shows in what was published.
func checkAppliedRejects(p *lint.ThreadPass) {
	for _, f := range factsOf(p).AppliedRejects {
		d := atSite(f.Site, f.Item)
		verb := "shows in"
		if f.Operation == brenner.Add {
			verb = "is in"
		}
		if f.Delta.Rejection == nil {
			rule := "MB-001"
			if f.Delta.In.Intended != 0 {
				rule = "DL-021"
			}
			d.Message = fmt.Sprintf("the %s by %s %s the published artifact, although its message is no DELTA (%s)", f.Operation, deltaName(f.Delta), verb, rule)
			d.Related = []lint.RelatedLocation{related(f.Delta, f.Delta.WholePlace(), "%s by %s, which is not merged", f.Operation, deltaName(f.Delta))}
			p.Report(d)
			continue
		}
		rule, reason := p.RejectedBy(f.Delta.Rejection)
		d.Message = fmt.Sprintf("the %s by %s %s the published artifact, although it had to be rejected (%s: %s)", f.Operation, deltaName(f.Delta), verb, rule, reason)
		d.Quoted = f.Delta.Rejection.Quoted()
		d.Related = []lint.RelatedLocation{related(f.Delta, f.Delta.WholePlace(), "rejected %s by %s", f.Operation, deltaName(f.Delta))}
		p.Report(d)
	}
}
