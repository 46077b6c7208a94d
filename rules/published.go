package rules

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// publishedItemRules are about which items were published, and under which ids,
// compared with the merge.
var publishedItemRules = []*lint.Rule{
	{ID: "MR-011", Name: "compiled-item-missing", Severity: lint.Error,
		SpecRef: "artifact_delta_spec#Merge Algorithm; artifact_delta_spec#Important: KILL vs DELETE",
		Summary: "Every item of the replayed state stands in the published artifact (killed items too: nothing is deleted).",
		Help:    "publish every item of the merged state, killed ones included",
		Check:   lint.ThreadCheck(checkOmittedItems)},
	{ID: "MR-012", Name: "compiled-item-unexplained", Severity: lint.Error, SpecRef: "artifact_delta_spec#Merge Algorithm",
		Summary: "Every item of the published artifact comes from a delta or from the version before.",
		Help:    "leave the item out, or add it by a delta",
		Check:   lint.ThreadCheck(checkUnexplainedItems)},
	{ID: "MR-015", Name: "compiled-id-reassigned", Severity: lint.Error, SpecRef: "artifact_delta_spec#ID Assignment Order",
		Summary: "An item keeps its id from version to version, and ids are never reused.",
		Help:    "keep the id that the item had, and give new items ids that were never used",
		Check:   lint.ThreadCheck(checkReassignedIDs)},
}

// checkOmittedItems is MR-011: an item of the merged state that is not published.
func checkOmittedItems(p *lint.ThreadPass) {
	for _, f := range factsOf(p).OmittedItems {
		d := atSite(f.Site, f.Item.ID)
		from, related := origin(f.Item.ID, f.Added)
		d.Related = related
		d.Message = fmt.Sprintf("%s, %s, is not in the published artifact", itemTitle(f.Item), from)
		if f.Item.Active() {
			d.Suggestion = "publish it; an item that is to go is killed, never left out"
		} else {
			d.Suggestion = "publish it struck through: killed items are never left out"
		}
		p.Report(d)
	}
	for _, f := range factsOf(p).StillOmitted { // one for all items that an earlier version also left out
		var ids []string
		for _, id := range f.Items {
			ids = append(ids, id.String())
		}
		if f.More > 0 {
			ids = append(ids, fmt.Sprintf("%d more", f.More))
		}
		d := atSite(f.Site, brenner.ItemID{})
		d.Message = fmt.Sprintf("%s %s still not in the published artifact, as in an earlier version", text.And(ids), isOrAre(ids))
		d.Suggestion = "publish every item of the merged state, killed ones included"
		p.Report(d)
	}
}

// checkUnexplainedItems is MR-012: a published item that no delta explains.
func checkUnexplainedItems(p *lint.ThreadPass) {
	for _, f := range factsOf(p).UnexplainedItems {
		d := atSite(f.Site, f.Item.ID)
		what := itemTitle(f.Item)
		if f.Item.ID.Section == brenner.ResearchThread {
			what = "the research thread"
		}
		d.Message = what + " comes from no delta" + sinceWindow(f.Before)
		d.Suggestion = "send it as a delta before it is compiled"
		p.Report(d)
	}
}

// sinceWindow says since when no delta explains an item: an earlier one that was left
// out no longer explains anything (decisions.md 24).
func sinceWindow(w *replay.Window) string {
	if w == nil {
		return ""
	}
	version := "the version before"
	if v := w.Compiled.Version.Number; v > 0 {
		version = fmt.Sprintf("v%d", v)
	}
	return fmt.Sprintf(" since %s, which lacks it", version)
}

// checkReassignedIDs is MR-015: an item that is published under another id than its
// own, and one that has the id of another.
func checkReassignedIDs(p *lint.ThreadPass) {
	for _, f := range factsOf(p).RenumberedItems {
		d := atSite(f.Site, f.Item)
		from, related := origin(f.Own, f.Added)
		d.Related = related
		d.Message = fmt.Sprintf("%s is published as %s: it is %s, %s, and items keep their ids", text.Quote(f.Title), f.Item, f.Own, from)
		d.Suggestion = fmt.Sprintf("publish it as %s", f.Own)
		p.Report(d)
	}
	for _, f := range factsOf(p).ReusedIDs {
		d := atSite(f.Site, f.Item)
		from, related := origin(f.Owner.ID, f.Added)
		d.Related = related
		d.Message = fmt.Sprintf("%s is published as %s, but %s is %s, %s: ids are never used again",
			text.Quote(f.Title), f.Item, f.Owner.ID, text.Quote(f.Owner.Text("name")), from)
		d.Suggestion = fmt.Sprintf("give it the next free id, %s", f.Free)
		p.Report(d)
	}
}

// publishedFieldRules are about the fields of published items, compared with the merge.
var publishedFieldRules = []*lint.Rule{
	{ID: "MR-013", Name: "compiled-field-differs", Severity: lint.Error, SpecRef: "artifact_delta_spec#Conflict Resolution Policy",
		Summary: "Every field of a published item has the replayed value; related locations name the delta that set it.",
		Help:    "publish the value that the deltas give",
		Check:   lint.ThreadCheck(checkPublishedFields)},
	{ID: "MR-014", Name: "compiled-kill-differs", Severity: lint.Error, SpecRef: "artifact_delta_spec#KILL",
		Summary: "Killed items are published as killed, with who and why, and no others are.",
		Help:    "mark as killed the items that the deltas kill, with who and why, and no others",
		Check:   lint.ThreadCheck(checkPublishedKills)},
	{ID: "MR-016", Name: "prediction-of-killed-hypothesis", Severity: lint.Warning, SpecRef: "artifact_delta_spec#Predictions Table",
		Summary: "Predictions of a killed hypothesis are N/A in the published artifact.",
		Check:   lint.ThreadCheck(checkStaleOutcomes)},
}

// checkPublishedFields is MR-013: a field with another value than in the merge.
func checkPublishedFields(p *lint.ThreadPass) {
	for _, f := range factsOf(p).FieldDiffs {
		d := atSite(f.Site, f.Item)
		d.Field = f.Field.Key
		what := fmt.Sprintf("%s %s", f.Item, f.Field.Key)
		if f.Field.Part != "" {
			what += " (" + f.Field.Part + ")"
		}
		want, got := valuesOf(f.Field.Before, f.Field.After)
		switch {
		case f.By != nil:
			d.Message = fmt.Sprintf("%s was last set by %s, to %s", what, deltaName(f.By), want)
			d.Related = []lint.RelatedLocation{related(f.By, f.By.FieldPlace(f.Field.Key, f.Field.Part), "set by %s", deltaName(f.By))}
		case f.Field.Before == nil:
			d.Message = fmt.Sprintf("%s was set by no delta and was not in the version before", what)
		default:
			d.Message = fmt.Sprintf("%s was %s in the version before, and no delta changed it", what, want)
		}
		if f.Field.After == nil {
			d.Message += "; the published artifact lacks it"
		} else {
			d.Message += "; published is " + got
		}
		p.Report(d)
	}
}

// checkPublishedKills is MR-014: an item whose KILL is not published as merged.
func checkPublishedKills(p *lint.ThreadPass) {
	facts := factsOf(p)
	for i := range facts.KillDiffs {
		f := &facts.KillDiffs[i]
		d := atSite(f.Site, f.Item)
		d.Field, d.Related = f.Field, relatedKill(f.Kill, d.Item)
		d.Message, d.Suggestion = killDiff(f)
		p.Report(d)
	}
}

func killDiff(f *replay.KillDiff) (message, suggestion string) {
	switch {
	case f.Want == nil:
		return fmt.Sprintf("%s is published as killed, but no delta killed it", f.Item), "send a KILL with the reason before it is compiled"
	case f.Got == nil:
		return fmt.Sprintf("%s is published as active, but %s", f.Item, killSentence(f.Want)), "publish it struck through, with Killed by and Reason"
	case f.Field == "killed_by":
		return fmt.Sprintf("%s is published as killed by %s, but %s", f.Item, text.Quote(f.Got.By), killSentence(f.Want)), ""
	case f.Field == "killed_at":
		return fmt.Sprintf("%s is published as killed at %s, but %s", f.Item, text.Quote(f.GotAt), killSentence(f.Want)), ""
	}
	got, want := text.QuoteBoth(f.Got.Reason, f.Want.Reason)
	return fmt.Sprintf("%s is published as killed because %s, but the reason given was %s", f.Item, got, want), ""
}

// checkStaleOutcomes is MR-016: an outcome of a prediction for a killed hypothesis.
func checkStaleOutcomes(p *lint.ThreadPass) {
	for _, f := range factsOf(p).StaleOutcomes {
		d := atSite(f.Site, f.Item)
		d.Field, d.Related = "predictions", relatedKill(f.Kill, f.Hypothesis)
		d.Message = fmt.Sprintf("%s still predicts %s for %s, which is killed: its predictions are N/A", f.Item, text.Quote(f.Text), f.Hypothesis)
		d.Suggestion = "write N/A"
		p.Report(d)
	}
}

// publishedClaimRules are about the order of what was published, and about a COMPILED's
// claims about it.
var publishedClaimRules = []*lint.Rule{
	{ID: "MR-017", Name: "compiled-tests-unranked", Severity: lint.Warning, About: lint.ThreadScope, SpecRef: "artifact_delta_spec#Discriminative Tests",
		Summary: "Tests of the published artifact are ordered by total score, highest first.",
		Check:   rankedTests(true)},
	{ID: "MR-018", Name: "compiled-contributors-differ", Severity: lint.Warning,
		SpecRef: "artifact_delta_spec#Merge Output Format; artifact_publish_spec#Body Schema (Extended)",
		Summary: "The listed contributors are the agents whose deltas were applied, with true delta counts where counts are given.",
		Check:   lint.ThreadCheck(checkContributorCounts)},
	{ID: "MR-019", Name: "compiled-statistics-differ", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Body Schema (Extended)",
		Summary: "The Statistics counts are those of the published artifact.",
		Check:   lint.ThreadCheck(checkStatistics)},
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
			Message: fmt.Sprintf("Contributors leaves out %s, whose deltas were applied", text.And(atMost(3, who))),
		})
	}
	for _, f := range factsOf(p).UnknownContributors {
		p.Report(lint.Diagnostic{
			At: f.At, In: f.In, Suggestion: didYouMean(f.Nearest),
			Message: fmt.Sprintf("%s is listed as a contributor, but no delta of that agent was applied", text.Quote(f.Agent)),
		})
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

// persistedFileRules are about artifact files, compared with what was published.
var persistedFileRules = []*lint.Rule{
	{ID: "MR-020", Name: "persisted-artifact-differs", Severity: lint.Error, SpecRef: "artifact_publish_spec#Latest Artifact Pointer",
		Summary: "The file artifacts/{thread_id}.md equals, item by item, the COMPILED version whose number it carries.",
		Help:    "write the file from the COMPILED of its version",
		Check:   lint.ThreadCheck(checkFiles)},
	{ID: "MR-021", Name: "persisted-artifact-stale", Severity: lint.Info, SpecRef: "artifact_publish_spec#Latest Artifact Pointer",
		Summary: "The file's version is the latest COMPILED version.",
		Check:   lint.ThreadCheck(checkStaleFiles)},
}

// fileVersionRules are about the version and the message that front matter names.
var fileVersionRules = []*lint.Rule{
	{ID: "AP-010", Name: "front-matter-version", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-010",
		Summary: "The version in the artifact's front matter is the COMPILED version.",
		Help:    "write the version of the COMPILED into the front matter",
		Check:   lint.ThreadCheck(checkStatedVersions)},
	{ID: "AP-020", Name: "artifact-message-id", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Artifact File Front Matter",
		Summary: "agent_mail_message_id is the id of the COMPILED message of that version.",
		Check:   lint.ThreadCheck(checkFileMessages)},
}

// checkFiles is MR-020: a file that differs from the COMPILED of its version.
func checkFiles(p *lint.ThreadPass) {
	for _, f := range factsOf(p).MisnumberedFiles {
		p.Report(lint.Diagnostic{
			At: f.At, Path: f.Path,
			Message: fmt.Sprintf("the file says version %d, but holds v%d as %s published it", f.Version, f.Holds.Version.Number, messageName(f.Holds)),
		})
	}
	facts := factsOf(p)
	for i := range facts.FileDiffs {
		f := &facts.FileDiffs[i]
		d := atSite(f.Site, f.Diff.ID)
		if len(f.Diff.Fields) > 0 {
			d.Field = f.Diff.Fields[0].Key
		}
		d.Message = fmt.Sprintf("%s in v%d as %s published it", fileDiff(f), f.Compiled.Version.Number, messageName(f.Compiled))
		p.Report(d)
	}
}

// fileDiff describes how an item of a file differs from what was published.
func fileDiff(f *replay.FileDiff) string {
	switch f.Diff.Kind {
	case diff.ItemRemoved:
		return fmt.Sprintf("the file lacks %s, which is", itemTitle(f.Diff.Before))
	case diff.ItemAdded:
		return itemTitle(f.Diff.After) + " is not"
	case diff.ItemKilled:
		return fmt.Sprintf("%s is killed in the file, but active", f.Diff.ID)
	case diff.ItemRestored:
		return fmt.Sprintf("%s is active in the file, but killed", f.Diff.ID)
	}
	var names []string
	for _, field := range f.Diff.Fields {
		names = append(names, field.Key)
	}
	is := "are not what they are"
	if len(f.Diff.Fields) == 1 {
		want, got := valuesOf(f.Diff.Fields[0].Before, f.Diff.Fields[0].After)
		is = fmt.Sprintf("is %s, but %s", got, want)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Diff.ID, text.And(atMost(3, names)), is))
}

// checkStaleFiles is MR-021: a file of a version that is no longer the latest.
func checkStaleFiles(p *lint.ThreadPass) {
	for _, f := range factsOf(p).StaleFiles {
		p.Report(lint.Diagnostic{
			At: f.At, Path: f.Path,
			Message: fmt.Sprintf("the file holds version %d, but v%d has been published since", f.Version, f.Latest),
		})
	}
}

// checkStatedVersions is AP-010: front matter that states another version than the
// COMPILED, or one that was never published.
func checkStatedVersions(p *lint.ThreadPass) {
	for _, f := range factsOf(p).VersionDiffs {
		p.Report(lint.Diagnostic{
			At: f.At, In: f.In,
			Message:    fmt.Sprintf("the front matter says version %d, but this is COMPILED v%d", f.Stated, f.Published),
			Suggestion: fmt.Sprintf("write version: %d", f.Published),
		})
	}
	for _, f := range factsOf(p).UnpublishedFiles {
		d := lint.Diagnostic{At: f.At, Path: f.Path}
		if f.None {
			d.Message = fmt.Sprintf("version %d was never published: thread %s has no COMPILED message", f.Version, p.Thread.ID)
		} else {
			d.Message = fmt.Sprintf("version %d was never published: the latest COMPILED of thread %s is v%d", f.Version, p.Thread.ID, f.Latest)
		}
		p.Report(d)
	}
}

// checkFileMessages is AP-020: a file that names a message that did not publish its
// version.
func checkFileMessages(p *lint.ThreadPass) {
	for _, f := range factsOf(p).FileMessages {
		p.Report(lint.Diagnostic{
			At: f.At, Path: f.Path,
			Message: fmt.Sprintf("agent_mail_message_id is %s, but v%d was published by %s", text.Quote(f.Named), f.Version, messageName(f.Compiled)),
		})
	}
}
