package rules

import (
	"fmt"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// publishedClaimRules are about the order of what was published, and about a COMPILED's
// claims about it.
var publishedClaimRules = []*lint.Rule{
	{ID: "MR-017", Name: "compiled-tests-unranked", Severity: lint.Warning, About: lint.ThreadScope, SpecRef: "artifact_delta_spec#Discriminative Tests",
		Summary: "Tests of the published artifact are ordered by total score, highest first.",
		Check:   lint.ArtifactCheck(checkPublishedRanking)},
	{ID: "MR-018", Name: "compiled-contributors-differ", Severity: lint.Warning,
		SpecRef: "artifact_delta_spec#Merge Output Format; artifact_publish_spec#Body Schema (Extended)",
		Summary: "The listed contributors are the agents whose deltas were applied, with true delta counts where counts are given.",
		Check:   lint.ThreadCheck(checkContributorCounts)},
	{ID: "MR-019", Name: "compiled-statistics-differ", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Body Schema (Extended)",
		Summary: "The Statistics counts are those of the published artifact.",
		Check:   lint.ThreadCheck(checkStatistics)},
}

// checkPublishedRanking is WT-002 for an inline artifact of a COMPILED (decisions.md 1).
func checkPublishedRanking(p *lint.ArtifactPass) {
	if p.Message != nil {
		rankTests(p)
	}
}

// checkContributorCounts is MR-018: contributors who are left out, who did not
// contribute, or whose deltas are miscounted.
func checkContributorCounts(p *lint.ThreadPass) {
	for _, f := range factsOf(p).OmittedContributors {
		var who []string
		for _, a := range f.Agents {
			who = append(who, fmt.Sprintf("%s (%s)", a.Agent, text.Count(a.Deltas, "delta", "deltas")))
		}
		p.Report(lint.Diagnostic{
			At: f.At, In: f.In,
			Message: fmt.Sprintf("Contributors leaves out %s, whose deltas were applied", text.And(short(who))),
		})
	}
	for _, f := range factsOf(p).UnknownContributors {
		d := lint.Diagnostic{At: f.At, In: f.In, Message: fmt.Sprintf("%s is listed as a contributor, but no delta of that agent was applied", text.Quote(f.Agent))}
		if f.Nearest != "" {
			d.Suggestion = fmt.Sprintf("did you mean %s?", f.Nearest)
		}
		p.Report(d)
	}
	for _, f := range factsOf(p).ContributorCounts {
		p.Report(lint.Diagnostic{
			At: f.At, In: f.In,
			Message: fmt.Sprintf("%s is listed with %s, but %s applied since the version before", f.Agent,
				text.Count(f.Listed, "delta", "deltas"), text.Count(f.Applied, "delta of that agent was", "deltas of that agent were")),
		})
	}
}

// checkStatistics is MR-019: a number of items that differs from the artifact's.
func checkStatistics(p *lint.ThreadPass) {
	for _, f := range factsOf(p).StatisticsCounts {
		has := fmt.Sprint(f.All)
		if f.Active != f.All {
			has = fmt.Sprintf("%d, %d of them active", f.All, f.Active)
		}
		p.Report(lint.Diagnostic{
			At: f.At, In: f.In,
			Message: fmt.Sprintf("Statistics counts %d %s, but the published artifact has %s", f.Stated, f.Section.Plural(), has),
		})
	}
}
