package rules

import (
	"fmt"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about the research thread, the one item that an artifact begins with.
var researchThreadRules = []*lint.Rule{
	{ID: "ER-001", Name: "research-thread-statement", Severity: lint.Error, SpecRef: "artifact_format#Research Thread",
		Summary: "Research Thread has a non-empty `RT` field.",
		Help:    "add **RT**: with the session's question",
		Check:   requireOfThread("statement", "the session's question")},
	{ID: "ER-002", Name: "research-thread-context", Severity: lint.Error, SpecRef: "artifact_format#Research Thread",
		Summary: "Research Thread has a non-empty `Context` field.",
		Help:    "add **Context**: with what is known and why the question is open",
		Check:   requireOfThread("context", "what is known and why the question is open")},
	{ID: "WR-001", Name: "research-thread-anchors", Severity: lint.Warning, SpecRef: "artifact_format#Research Thread",
		Summary: "Research Thread has `Anchors`.",
		Check:   requireOfThread("anchors", "its sources (§161, EV-001), or inference")},
	{ID: "IR-001", Name: "research-thread-why", Severity: lint.Info, SpecRef: "artifact_format#Research Thread",
		Summary: "Research Thread has `Why it matters`.",
		Check:   requireOfThread("why_it_matters", "what an answer would change")},
}

// requireOfThread is requireField for the research thread, whose section may have no
// line of it (or be null in a JSON artifact): then it lacks every field.
func requireOfThread(key, want string) lint.ArtifactCheck {
	n := fieldReq{section: brenner.ResearchThread, key: key, want: want}
	return func(p *lint.ArtifactPass) {
		a := p.Artifact
		s := a.Section(brenner.ResearchThread)
		if s == nil || a.IsJSON() && len(s.Malformed) > 0 {
			return // ES-001 or ES-003 reports it
		}
		if rt := a.ItemsOf(brenner.ResearchThread); len(rt) > 0 {
			if !rt[0].Killed {
				n.check(p, rt[0])
			}
			return
		}
		p.Report(lint.Diagnostic{
			At: heading(a, s), Item: "RT", Field: key,
			Message:    fmt.Sprintf("Research Thread lacks %s (%s)", fieldName(a, n.section, key), want),
			Suggestion: addition(a, n.section, key),
		})
	}
}
