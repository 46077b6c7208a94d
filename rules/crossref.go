package rules

import (
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/workspace"
)

// crossReferenceRules are about what sessions say of each other
// (delta_output_format, Cross-Session References).
var crossReferenceRules = []*lint.Rule{
	{
		ID: "XR-001", Name: "unknown-session", Severity: lint.Warning, Scope: lint.WorkspaceScope,
		Source:  "delta_output_format#Reference Validation",
		Summary: "A referenced session is among the inputs (checked only when other sessions are).",
		Check:   crossed(workspace.UnknownSessions),
	},
	{
		ID: "XR-002", Name: "unknown-session-item", Severity: lint.Warning, Scope: lint.WorkspaceScope,
		Source:  "delta_output_format#Reference Validation",
		Summary: "A referenced item exists in its session.",
		Check:   crossed(workspace.UnknownItems),
	},
	{
		ID: "XR-003", Name: "reference-cycle", Severity: lint.Error, Scope: lint.WorkspaceScope,
		Source:  "delta_output_format#Reference Validation",
		Summary: "References form no cycle; the finding names the whole chain.",
		Advice:  "take one of the references of the chain out",
		Check:   crossed(workspace.Cycles),
	},
	{
		ID: "XR-004", Name: "killed-item-proposed-again", Severity: lint.Info, Scope: lint.WorkspaceScope,
		Source:  "delta_output_format#Cross-Session References",
		Summary: "An ADDed item does not repeat the name and claim of one killed in this or another session.",
		Check:   crossed(workspace.ProposedAgain),
	},
}

// crossed is the check that reports what a search over all sessions finds. The
// sessions are summaries: the source is opened again for the place.
func crossed(find func([]*workspace.Session) []workspace.Crossing) lint.WorkspaceCheck {
	return func(p *lint.WorkspacePass) {
		var locator workspace.Locator
		for _, c := range find(p.Sessions) {
			at := locator.Find(c.From, c.At)
			d := lint.Diagnostic{
				At: at.At, In: at.In, Path: at.Path, Delta: at.Delta, Thread: c.From.ID,
				Item: c.At.Item.String(), Field: c.Field, Message: c.Message, Suggestion: c.Suggestion,
			}
			if c.Other != nil {
				var locator workspace.Locator
				o := locator.Find(c.Other, c.OtherAt)
				d.Related = []lint.Note{{At: o.At, In: o.In, Path: o.Path, Message: c.Note}}
			}
			p.Report(d)
		}
	}
}
