package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// crossReferenceRules are about references between sessions (delta_output_format,
// Cross-Session References).
var crossReferenceRules = []*lint.Rule{
	{ID: "XR-001", Name: "unknown-session", Severity: lint.Warning, SpecRef: "delta_output_format#Reference Validation",
		Summary: "A referenced session is among the inputs (checked only when other sessions are).",
		Check: lint.WorkspaceCheck(func(p *lint.WorkspacePass) {
			links := p.Workspace.UnknownSessions()
			if len(links) == 0 {
				return
			}
			ids := p.Workspace.IDs()
			var resolver session.Resolver
			for i, l := range links {
				d := inSession(&resolver, l.Ref, "session")
				d.Message = fmt.Sprintf("%s refers to session %s, which is not among the inputs", l.Item, text.Quote(l.Session))
				if (i+1)*len(ids) <= maxHints {
					d.Suggestion = didYouMean(text.Nearest(l.Session, ids))
				}
				p.Report(d)
			}
		})},
	{ID: "XR-002", Name: "unknown-session-item", Severity: lint.Warning, SpecRef: "delta_output_format#Reference Validation",
		Summary: "A referenced item exists in its session.",
		Check: lint.WorkspaceCheck(func(p *lint.WorkspacePass) {
			var resolver session.Resolver
			for _, l := range p.Workspace.UnknownItems() {
				d := inSession(&resolver, l.Ref, "item")
				d.Message = fmt.Sprintf("%s refers to %s of %s, which has no such item", l.Item, text.Quote(l.Target), l.Session)
				if id, ok := brenner.ParseItemID(l.Target); ok {
					if high := p.Workspace.Highest(l.Session, id.Section); high == 0 {
						d.Suggestion = fmt.Sprintf("that session has no %s", id.Section.Plural())
					} else {
						d.Suggestion = fmt.Sprintf("its last %s is %s%d", id.Section.Singular(), id.Section.Prefix(), high)
					}
				}
				p.Report(d)
			}
		})},
	{ID: "XR-003", Name: "reference-cycle", Severity: lint.Error, SpecRef: "delta_output_format#Reference Validation",
		Summary: "References form no cycle; the finding names the whole chain.",
		Help:    "remove one of the references in the cycle",
		Check: lint.WorkspaceCheck(func(p *lint.WorkspacePass) {
			var resolver session.Resolver
			for _, cycle := range p.Workspace.Cycles() {
				d := inSession(&resolver, cycle[0].Ref, "")
				d.Suggestion = "remove one of the references"
				var chain []string
				for _, l := range cycle {
					chain = append(chain, l.From.ID+" "+l.Item.String())
				}
				d.Message = "references form a cycle: " + strings.Join(append(atMost(12, chain), chain[0]), " → ")
				if len(chain) == 1 {
					d.Message = chain[0] + " refers to itself"
				}
				p.Report(d)
			}
		})},
	{ID: "XR-004", Name: "killed-item-proposed-again", Severity: lint.Info, SpecRef: "delta_output_format#Cross-Session References",
		Summary: "An ADDed item does not repeat the name and claim of one killed in this or another session.",
		Check: lint.WorkspaceCheck(func(p *lint.WorkspacePass) {
			var added, killed session.Resolver
			all := p.Workspace.Reproposals()
			slices.SortStableFunc(all, func(a, b session.Reproposal) int { // each session is read once
				return strings.Compare(a.Of.From.Path+a.Of.From.ID, b.Of.From.Path+b.Of.From.ID)
			})
			for _, r := range all {
				d := inSession(&added, r.Item.Ref, "")
				by, of := "", ""
				if r.Of.By != "" {
					by = " by " + r.Of.By
				}
				if r.Of.From.ID != r.Item.From.ID {
					of = " of " + r.Of.From.ID
				}
				d.Message = fmt.Sprintf("%s repeats the name and text of %s%s, which was killed%s", r.Item.Item, r.Of.Item, of, by)
				d.Suggestion = fmt.Sprintf("say in the rationale what has changed, and add a reference to %s%s", r.Of.Item, of)
				at := killed.Resolve(r.Of.Ref, "")
				d.Related = []lint.RelatedLocation{{At: at.At, In: at.In, Path: at.Path, Message: "killed" + by}}
				p.Report(d)
			}
		})},
}

// inSession returns a diagnostic at a place of a session. The sessions are summaries: the
// source is opened again for the place. A key names the wrong member of the reference.
func inSession(resolver *session.Resolver, ref session.Ref, key string) lint.Diagnostic {
	at, field := resolver.Resolve(ref, key), ""
	if ref.Reference >= 0 {
		field = "references"
	}
	return lint.Diagnostic{At: at.At, In: at.In, Path: at.Path, Delta: at.Delta, Thread: ref.From.ID, Item: ref.Item.String(), Field: field}
}

// maxHints bounds how often two names are compared to find the nearest one.
const maxHints = 500_000
