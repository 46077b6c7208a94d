package rules

import (
	"fmt"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

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
		want, got := valuesOf(f.Field.Want, f.Field.Got)
		switch {
		case f.By != nil:
			d.Message = fmt.Sprintf("%s was last set by %s, to %s", what, deltaName(f.By), want)
			d.Related = []lint.RelatedLocation{related(f.By, f.By.FieldPlace(f.Field.Key, f.Field.Part), "set by %s", deltaName(f.By))}
		case f.Field.Want == nil:
			d.Message = fmt.Sprintf("%s was set by no delta and was not in the version before", what)
		default:
			d.Message = fmt.Sprintf("%s was %s in the version before, and no delta changed it", what, want)
		}
		if f.Field.Got == nil {
			d.Message += "; the published artifact lacks it"
		} else {
			d.Message += "; published is " + got
		}
		p.Report(d)
	}
}

// checkPublishedKills is MR-014: an item whose KILL is not published as merged.
func checkPublishedKills(p *lint.ThreadPass) {
	for i := range factsOf(p).KillDiffs {
		f := &p.Replay.Facts.KillDiffs[i]
		d := atSite(f.Site, f.Item)
		d.Field, d.Related = f.Field, relatedKill(f.Kill, d.Item)
		d.Message, d.Suggestion = killDiff(f)
		p.Report(d)
	}
}

func killDiff(f *replay.KillDiff) (message, suggestion string) {
	switch f.Aspect {
	case replay.NotKilled:
		return fmt.Sprintf("%s is published as killed, but no delta killed it", f.Item), "send a KILL with the reason before it is compiled"
	case replay.NotActive:
		return fmt.Sprintf("%s is published as active, but %s", f.Item, killSentence(f.Want)), "publish it struck through, with Killed by and Reason"
	case replay.KilledBy:
		return fmt.Sprintf("%s is published as killed by %s, but %s", f.Item, text.Quote(f.Got.By), killSentence(f.Want)), ""
	case replay.KilledAt:
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
