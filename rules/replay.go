package rules

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// replayRules are about the result of merging the deltas of a thread
// (artifact_delta_spec), and about what was published, compared with that. They word the
// facts of the replay.
var replayRules = []*lint.Rule{
	// Well-formed deltas that the merge does not apply.
	{ID: "MR-001", Name: "invalid-target", Severity: lint.Error, Code: "INVALID_TARGET", SpecRef: "artifact_delta_spec#Pre-conditions",
		Summary: "EDIT and KILL name an item that exists in the state they apply to.",
		Help:    "name an item that is in the artifact, or ADD it first",
		Rejects: refusedFor(merge.NoTarget, noTarget),
		Check: refused(merge.NoTarget, "target_id", func(d *lint.Diagnostic, f *replay.Refusal) {
			d.Item, d.Message = targetName(f.Delta), noTarget(f.Delta, f.Refusal)
			if add := f.Cause; add != nil {
				why := "has a later time"
				if f.Tied {
					why = "has the same time, and is applied after it"
				}
				d.Suggestion = fmt.Sprintf("send it again: the ADD of %s by %s %s", d.Item, deltaName(add), why)
				if add.In == f.Delta.In && add.In.Form == mail.Draft {
					d.Suggestion = fmt.Sprintf("put the ADD of %s, delta %d of the same message, above it", d.Item, add.Index)
				}
				d.Related = append(d.Related, related(add, add.ObjectStart(), "%s is added only later, by %s", d.Item, deltaName(add)))
			} else if add := f.Lost; add != nil {
				d.Suggestion = fmt.Sprintf("if %s is the item of the ADD by %s: that ADD is not applied; send it again first", d.Item, deltaName(add))
				if add.In == f.Delta.In && add.In.Form == mail.Draft {
					d.Suggestion = fmt.Sprintf("if %s is the item of delta %d of the same message: that ADD is not applied; fix it", d.Item, add.Index)
				}
				d.Related = append(d.Related, related(add, add.ObjectStart(), "not applied: the ADD by %s", deltaName(add)))
			}
		})},
	{ID: "MR-002", Name: "target-killed", Severity: lint.Warning, Code: "TARGET_KILLED",
		SpecRef: "artifact_delta_spec#Pre-conditions; artifact_delta_spec#Merge Algorithm",
		Summary: "EDIT does not name a killed item (a second KILL is idempotent and fine).",
		Check: refused(merge.TargetKilled, "target_id", func(d *lint.Diagnostic, f *replay.Refusal) {
			d.Item = targetName(f.Delta)
			d.Message = fmt.Sprintf("EDIT names %s, but %s: killed items are not edited", d.Item, killSentence(f.Kill))
			if kill := f.Cause; kill != nil {
				d.Related = append(d.Related, related(kill, kill.MemberPlace("target_id"), "%s was killed by %s", d.Item, deltaName(kill)))
			}
		})},
	{ID: "MR-003", Name: "section-limit", Severity: lint.Error, Code: "SECTION_LIMIT_EXCEEDED", SpecRef: "artifact_delta_spec#Hypothesis Slate",
		Summary: "ADD does not take the hypothesis slate past 6 active items.",
		Help:    "KILL a hypothesis first: at most 6 may be active",
		Rejects: refusedFor(merge.SectionFull, sectionFull),
		Check: refused(merge.SectionFull, "section", func(d *lint.Diagnostic, f *replay.Refusal) {
			d.Message = sectionFull(f.Delta, f.Refusal)
			d.Suggestion = "continue in another thread"
			if f.Delta.Section == brenner.HypothesisSlate && f.Members == 0 {
				d.Suggestion = "KILL a hypothesis that is superseded before you ADD another"
			}
		})},
	{ID: "MR-004", Name: "unknown-agent", Severity: lint.Error, Code: "UNKNOWN_AGENT", SpecRef: "artifact_delta_spec#Pre-conditions",
		Summary: "The contributing agent is registered (configured roster, or the agents in the export); not checked where neither is known.",
		Help:    "send under a registered name, or add the agent to the roster of the configuration",
		Rejects: func(r *replay.Rejection) string {
			if r.Fault != "" || r.Refusal != nil {
				return ""
			}
			return fmt.Sprintf("agent %s is not registered", text.Quote(r.Delta.Agent))
		},
		Check: each(func(f replay.UnknownAgent) lint.Diagnostic {
			d := atDelta(f.Delta, f.At)
			d.Message = fmt.Sprintf("agent %s of delta %d is not registered, so the delta is rejected", text.Quote(f.Delta.Agent), f.Delta.Index)
			d.Suggestion = didYouMean(f.Nearest)
			return d
		})},

	// The post-conditions of a merge. These rules do not report a fault that a published
	// artifact shows: the rules on artifacts do (decisions.md 1).
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
		Check: lint.ThreadCheck(func(p *lint.ThreadPass) {
			for f := range replay.FactsOf[replay.Shortage](p.Replay) {
				d := lint.Diagnostic{At: f.In.SubjectPlace(), In: f.In}
				var lacking []string
				for _, s := range f.Sections {
					lack := fmt.Sprintf("%d %s (expected %d)", s.Active, s.Section.Plural(), s.Section.Minimum())
					var rejected []string
					for _, add := range s.RejectedAdds {
						rule, _ := p.RejectedBy(add.Rejection)
						rejected = append(rejected, fmt.Sprintf("that by %s, %s", deltaName(add), rule))
						d.Related = append(d.Related, related(add, add.ObjectStart(), "ADD by %s, rejected (%s)", deltaName(add), rule))
					}
					if n := len(rejected); n > 0 {
						lack += fmt.Sprintf(" where %s rejected (%s)", text.Count(n, "ADD was", "ADDs were"), text.And(atMost(3, rejected)))
					}
					lacking = append(lacking, lack)
				}
				d.Message = "the merged artifact has too few active items: " + text.And(lacking)
				p.Report(d)
			}
		})},

	// The order in which deltas are merged.
	{ID: "MR-008", Name: "unresolved-conflict", Severity: lint.Error, Code: "CONFLICT", SpecRef: "artifact_delta_spec#Resolution Hierarchy",
		Summary: "No two deltas of equal time and equal or undefined agent priority set the same scalar field of the same item to different values.",
		Help:    "send a later EDIT with the value that is meant",
		Check: each(func(f replay.Conflict) lint.Diagnostic {
			d := atDelta(f.Last, f.Last.FieldPlace(f.Field, ""))
			d.Item, d.Field = f.Item.String(), f.Field
			var who []string
			for _, by := range f.Deltas {
				who = append(who, deltaName(by))
				if by != f.Last {
					d.Related = append(d.Related, related(by, by.FieldPlace(f.Field, ""), "%s sets it to %s", deltaName(by), text.Quote(brenner.OneLine(by.Value(f.Field)))))
				}
			}
			d.Message = fmt.Sprintf("%s %s is left in conflict: %s set it to different values at the same instant, %s",
				d.Item, d.Field, text.And(atMost(3, who)), brenner.FormatTime(f.Time()))
			d.Suggestion = "set it by a later EDIT, or give the agents priorities in the configuration"
			return d
		})},
	{ID: "MR-009", Name: "order-sensitive-merge", Severity: lint.Warning, SpecRef: "artifact_delta_spec#Implementation Notes",
		Summary: "No pair of deltas with equal times gives a different merged state when the two are swapped (ids assigned to tied ADDs, EDIT beside KILL).",
		Check:   each(tieFinding)},
	{ID: "MR-010", Name: "timestamp-order-hazard", Severity: lint.Warning, SpecRef: "artifact_delta_spec#Ordering Rules",
		Summary: "Timestamps in a window sort the same as text and as instants (mixed offsets, precision or zones do not).",
		Check: each(func(f replay.OrderHazard) lint.Diagnostic {
			a, b := f.Earlier, f.Later
			return lint.Diagnostic{
				At: f.In.SubjectPlace(), In: f.In,
				Message: fmt.Sprintf("%s of %s is before %s of %s, but sorts after it as text: a compiler that compares timestamps as text merges in another order",
					text.Quote(a.Text), deltaName(a), text.Quote(b.Text), deltaName(b)),
				Suggestion: "write all timestamps of a thread in one form, such as 2025-12-30T12:00:00Z",
				Related:    []lint.RelatedLocation{related(a, a.TimePlace(), "earlier instant"), related(b, b.TimePlace(), "later instant")},
			}
		})},

	// The published items, compared with the merge.
	{ID: "MR-011", Name: "compiled-item-missing", Severity: lint.Error,
		SpecRef: "artifact_delta_spec#Merge Algorithm; artifact_delta_spec#Important: KILL vs DELETE",
		Summary: "Every item of the replayed state stands in the published artifact (killed items too: nothing is deleted).",
		Help:    publishAll,
		Check: each(func(fact any) (d lint.Diagnostic) {
			switch f := fact.(type) {
			case replay.OmittedItem:
				d = atSite(f.Site, f.Item.ID)
				from, related := origin(f.Item.ID, f.Added)
				d.Related = related
				d.Message = fmt.Sprintf("%s, %s, is not in the published artifact", itemTitle(f.Item), from)
				d.Suggestion = "publish it; an item that is to go is killed, never left out"
				switch heading := fmt.Sprintf("%s: %s", f.Item.ID, f.Item.Text("name")); {
				case f.Headless:
					if !f.Item.Active() {
						heading = "~~" + heading + "~~ [KILLED]"
					}
					d.Message = fmt.Sprintf("%s, %s, is published without its heading", itemTitle(f.Item), from)
					d.Suggestion = "write it above: " + headingLine(3, heading, f.Item.ID.String()+": …")
				case !f.Item.Active():
					d.Suggestion = "publish it struck through: killed items are never left out"
				}
			case replay.StillOmitted: // one for all items that an earlier version also left out
				ids := idNames(f.Items, f.More)
				return siteFinding(f.Site, publishAll, "%s %s still not in the published artifact, as in an earlier version", text.And(ids), isOrAre(ids))
			}
			return d
		})},
	{ID: "MR-012", Name: "compiled-item-unexplained", Severity: lint.Error, SpecRef: "artifact_delta_spec#Merge Algorithm",
		Summary: "Every item of the published artifact comes from a delta or from the version before.",
		Help:    "leave the item out, or add it by a delta",
		Check: each(func(f replay.UnexplainedItem) lint.Diagnostic {
			d := atSite(f.Site, f.Item.ID)
			what, since := itemTitle(f.Item), ""
			if f.Item.ID.Section == brenner.ResearchThread {
				what = "the research thread"
			}
			if f.Before != nil { // an earlier version that was left out no longer explains anything (decisions.md 24)
				since = fmt.Sprintf(" since %s, which lacks it", versionName(f.Before.Compiled, "the version before"))
			}
			d.Message = what + " comes from no delta" + since
			d.Suggestion = "send it as a delta before it is compiled"
			return d
		})},
	{ID: "MR-013", Name: "compiled-field-differs", Severity: lint.Error, SpecRef: "artifact_delta_spec#Conflict Resolution Policy",
		Summary: "Every field of a published item has the replayed value; related locations name the delta that set it.",
		Help:    "publish the value that the deltas give",
		Check: each(func(f replay.FieldDiff) lint.Diagnostic {
			d := atSite(f.Site, f.Item)
			d.Field = f.Field.Key
			what := fmt.Sprintf("%s %s", f.Item, withPart(&d, &f.Field))
			want, got := valuesOf(f.Field.Before, f.Field.After)
			switch {
			case f.By != nil:
				d.Message = fmt.Sprintf("%s was last set by %s, to %s", what, deltaName(f.By), want)
				if f.Field.Part != "" && f.Field.Before == nil {
					d.Message = fmt.Sprintf("%s is not in the value last set by %s", what, deltaName(f.By))
				}
				d.Related = []lint.RelatedLocation{related(f.By, f.By.FieldPlace(f.Field.Key, f.Field.Part), "set by %s", deltaName(f.By))}
			case f.Field.Before == nil:
				d.Message = fmt.Sprintf("%s was set by no delta and was not in the version before", what)
			default:
				d.Message = fmt.Sprintf("%s was %s in the version before, and no delta changed it", what, want)
			}
			switch {
			case f.Field.As != "" && f.Field.After != nil:
				d.Message += fmt.Sprintf("; published is %s, as %s", got, text.Quote(f.Field.As))
				d.Suggestion = fmt.Sprintf("write `**%s**:`, and the value that the deltas give", f.Item.Section.Field(f.Field.Key).Label)
			case f.Field.As != "":
				d.Message += fmt.Sprintf("; the published artifact has it as %s", text.Quote(f.Field.As))
				d.Suggestion = fmt.Sprintf("write `**%s**:`", f.Item.Section.Field(f.Field.Key).Label)
			case f.Field.After == nil:
				d.Message += "; the published artifact lacks it"
			default:
				d.Message += "; published is " + got
			}
			return d
		})},
	{ID: "MR-014", Name: "compiled-kill-differs", Severity: lint.Error, SpecRef: "artifact_delta_spec#KILL",
		Summary: "Killed items are published as killed, with who and why, and no others are.",
		Help:    "mark as killed the items that the deltas kill, with who and why, and no others",
		Check: each(func(f replay.KillDiff) lint.Diagnostic {
			d := atSite(f.Site, f.Item)
			d.Field, d.Related = f.Field, relatedKill(f.Kill, d.Item)
			d.Message, d.Suggestion = killDiff(&f)
			return d
		})},
	{ID: "MR-015", Name: "compiled-id-reassigned", Severity: lint.Error, SpecRef: "artifact_delta_spec#ID Assignment Order",
		Summary: "An item keeps its id from version to version, and ids are never reused.",
		Help:    "keep the id that the item had, and give new items ids that were never used",
		Check: each(func(fact any) (d lint.Diagnostic) {
			from := ""
			switch f := fact.(type) {
			case replay.RenumberedItem:
				d = atSite(f.Site, f.Item)
				from, d.Related = origin(f.Own, f.Added)
				d.Message = fmt.Sprintf("%s is published as %s: it is %s, %s, and items keep their ids", text.Quote(f.Title), f.Item, f.Own, from)
				d.Suggestion = fmt.Sprintf("publish it as %s", f.Own)
			case replay.ReusedID:
				d = atSite(f.Site, f.Item)
				from, d.Related = origin(f.Owner.ID, f.Added)
				d.Message = fmt.Sprintf("%s is published as %s, but %s is %s, %s: ids are never used again",
					text.Quote(f.Title), f.Item, f.Owner.ID, text.Quote(f.Owner.Text("name")), from)
				d.Suggestion = fmt.Sprintf("give it the next free id, %s", f.Free)
			}
			return d
		})},
	{ID: "MR-016", Name: "prediction-of-killed-hypothesis", Severity: lint.Warning, SpecRef: "artifact_delta_spec#Predictions Table",
		Summary: "Predictions of a killed hypothesis are N/A in the published artifact.",
		Check: each(func(f replay.StaleOutcome) lint.Diagnostic {
			d := atSite(f.Site, f.Item)
			d.Field, d.Related = "predictions", relatedKill(f.Kill, f.Hypothesis)
			d.Message = fmt.Sprintf("%s still predicts %s for %s, which is killed: its predictions are N/A", f.Item, text.Quote(f.Text), f.Hypothesis)
			d.Suggestion = "write N/A"
			return d
		})},

	// The order of what was published, and what a COMPILED says of it.
	{ID: "MR-017", Name: "compiled-tests-unranked", Severity: lint.Warning, About: lint.ThreadScope, SpecRef: "artifact_delta_spec#Discriminative Tests",
		Summary: "Tests of the published artifact are ordered by total score, highest first.",
		Check:   rankedTests(true)},
	{ID: "MR-018", Name: "compiled-contributors-differ", Severity: lint.Warning,
		SpecRef: "artifact_delta_spec#Merge Output Format; artifact_publish_spec#Body Schema (Extended)",
		Summary: "The listed contributors are the agents whose deltas were applied, with true delta counts where counts are given.",
		Check: each(func(fact any) (d lint.Diagnostic) {
			switch f := fact.(type) {
			case replay.OmittedContributors:
				var who []string
				for _, a := range f.Agents {
					who = append(who, fmt.Sprintf("%s (%s)", a.Agent, text.Count(a.Deltas, "delta", "deltas")))
				}
				return siteFinding(f.Site, "", "Contributors leaves out %s, whose deltas were applied", text.And(atMost(3, who)))
			case replay.UnknownContributor:
				return siteFinding(f.Site, didYouMean(f.Nearest), "%s is listed as a contributor, but no delta of that agent was applied", text.Quote(f.Agent))
			case replay.ContributorCount:
				return siteFinding(f.Site, "", "%s is listed with %s, but %s applied since the version before", f.Agent,
					text.Count(f.Listed, "delta", "deltas"), text.Count(f.Applied, "delta of that agent was", "deltas of that agent were"))
			}
			return d
		})},
	{ID: "MR-019", Name: "compiled-statistics-differ", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Body Schema (Extended)",
		Summary: "The Statistics counts are those of the published artifact.",
		Check: each(func(f replay.StatisticsCount) lint.Diagnostic {
			has := fmt.Sprint(f.All)
			if f.Active != f.All {
				has = fmt.Sprintf("%d, %d of them active", f.All, f.Active)
			}
			return siteFinding(f.Site, "", "Statistics counts %s, but the published artifact has %s",
				text.Count(f.Stated, f.Section.Singular(), f.Section.Plural()), has)
		})},

	// The artifact files, compared with what was published.
	{ID: "MR-020", Name: "persisted-artifact-differs", Severity: lint.Error, SpecRef: "artifact_publish_spec#Latest Artifact Pointer",
		Summary: "The file artifacts/{thread_id}.md equals, item by item, the COMPILED version whose number it carries.",
		Help:    "write the file from the COMPILED of its version",
		Check: each(func(fact any) (d lint.Diagnostic) {
			switch f := fact.(type) {
			case replay.MisnumberedFile:
				return siteFinding(f.Site, "", "the file says version %d, but holds v%d as %s published it", f.Version, f.Holds.Version.Number, messageName(f.Holds))
			case replay.FileDiff:
				d = atSite(f.Site, f.Diff.ID)
				if len(f.Diff.Fields) > 0 {
					d.Field = f.Diff.Fields[0].Key
				}
				d.Message = fmt.Sprintf("%s in v%d as %s published it", fileDiff(&d, &f.Diff), f.Compiled.Version.Number, messageName(f.Compiled))
			}
			return d
		})},
	{ID: "MR-021", Name: "persisted-artifact-stale", Severity: lint.Info, SpecRef: "artifact_publish_spec#Latest Artifact Pointer",
		Summary: "The file's version is the latest COMPILED version.",
		Check: each(func(f replay.StaleFile) lint.Diagnostic {
			return siteFinding(f.Site, "", "the file holds version %d, but v%d has been published since", f.Version, f.Latest)
		})},
	{ID: "MR-022", Name: "rejected-delta-applied", Severity: lint.Error, SpecRef: "delta_output_format#Error Handling",
		Summary: "A delta that must be rejected (invalid JSON, missing required field, invalid target, section limit) is not in the published artifact.",
		Help:    "leave the delta out, and ask its sender to fix it",
		Check: lint.ThreadCheck(func(p *lint.ThreadPass) {
			for f := range replay.FactsOf[replay.AppliedReject](p.Replay) {
				d := atSite(f.Site, f.Item)
				verb := "shows in"
				if f.Operation == brenner.Add {
					verb = "is in"
				}
				operation := cmp.Or(f.Delta.Operation, f.Operation) // as written, if that is one
				d.Message = fmt.Sprintf("the %s by %s %s the published artifact, although ", operation, deltaName(f.Delta), verb)
				why := fmt.Sprintf("%s by %s, which is not merged", operation, deltaName(f.Delta))
				switch {
				case f.Delta.Rejection != nil:
					rule, reason := p.RejectedBy(f.Delta.Rejection)
					d.Message += fmt.Sprintf("it had to be rejected (%s: %s)", rule, reason)
					d.Quoted = f.Delta.Rejection.Quoted()
					why = fmt.Sprintf("rejected %s by %s", operation, deltaName(f.Delta))
				case f.Delta.In.Intended != "":
					d.Message += "its message is no DELTA (DL-021)"
				default:
					d.Message += "its message is no DELTA (MB-001)"
				}
				d.Related = []lint.RelatedLocation{related(f.Delta, f.Delta.ObjectStart(), "%s", why)}
				p.Report(d)
			}
		})},
}

// publishAll is what to do about items that are left out.
const publishAll = "publish every item of the merged state, killed ones included"

// each returns the check that words each fact of one type, or of any, of a thread's replay. It reports
// those for which there are words.
func each[F any](word func(F) lint.Diagnostic) lint.ThreadCheck {
	return func(p *lint.ThreadPass) {
		for f := range replay.FactsOf[F](p.Replay) {
			if d := word(f); d.Message != "" {
				p.Report(d)
			}
		}
	}
}

// atDelta returns a diagnostic at a place in a delta.
func atDelta(d *replay.Delta, at source.Place) lint.Diagnostic {
	return lint.Diagnostic{At: at, In: d.In, Delta: d.Index}
}

// atSite returns a diagnostic at a place in a published artifact.
func atSite(s replay.Site, item brenner.ItemID) lint.Diagnostic {
	d := lint.Diagnostic{At: s.At, In: s.In, Path: s.Path}
	if item.Section != 0 {
		d.Item = item.String()
	}
	return d
}

// siteFinding is finding at a place in a published artifact that is of no single item.
func siteFinding(s replay.Site, suggestion, format string, args ...any) lint.Diagnostic {
	return lint.Diagnostic{At: s.At, In: s.In, Path: s.Path, Message: fmt.Sprintf(format, args...), Suggestion: suggestion}
}

// related returns a place in a delta that explains a finding.
func related(d *replay.Delta, at source.Place, format string, args ...any) lint.RelatedLocation {
	return lint.RelatedLocation{At: at, In: d.In, Message: fmt.Sprintf(format, args...)}
}

// relatedKill returns the place of a KILL, which may be nil.
func relatedKill(kill *replay.Delta, item string) []lint.RelatedLocation {
	if kill == nil {
		return nil
	}
	return []lint.RelatedLocation{related(kill, kill.MemberPlace("target_id"), "KILL of %s by %s", item, deltaName(kill))}
}

// origin describes where an item comes from: the delta that added it, or, if that is
// nil, an earlier version.
func origin(id brenner.ItemID, added *replay.Delta) (string, []lint.RelatedLocation) {
	if added == nil {
		return "in the version before", nil
	}
	return "added by " + deltaName(added), []lint.RelatedLocation{related(added, added.ObjectStart(), "%s of %s by %s", cmp.Or(added.Operation, brenner.Add), id, deltaName(added))}
}

// deltaName returns how messages name a delta.
func deltaName(d *replay.Delta) string {
	return fmt.Sprintf("%s in %s, delta %d", cmp.Or(d.Agent, "an unknown agent"), messageName(d.In), d.Index)
}

func messageName(m *session.Message) string {
	if m.ID == "" {
		return "message " + text.Quote(m.SubjectText)
	}
	return "message " + m.ID
}

// versionName names the version of a COMPILED; other is for one whose subject has none.
func versionName(m *session.Message, other string) string {
	if v := m.Version.Number; v > 0 {
		return fmt.Sprintf("v%d", v)
	}
	return other
}

// itemTitle returns an item with its name, as messages name it.
func itemTitle(it *brenner.Item) string {
	name := cmp.Or(it.Text("name"), it.Text(it.ID.Section.MainField()))
	if name == "" {
		return it.ID.String()
	}
	return fmt.Sprintf("%s (%s)", it.ID, text.Quote(name))
}

// targetName returns the target of a delta; a number that no item can have is shown as
// written.
func targetName(d *replay.Delta) string {
	if d.Target.Number > brenner.MaxItemNumber {
		return strings.Trim(text.Quote(d.TargetID), `"`)
	}
	return d.Target.String()
}

// killSentence says who killed an item and when, as far as is known.
func killSentence(k *brenner.Killing) string {
	out := "it is killed"
	if k.By != "" {
		out = k.By + " killed it"
	}
	if !k.At.IsZero() {
		out += " at " + brenner.FormatTime(k.At)
	}
	return out
}

// valuesOf returns two values as messages show them; nil is absent.
func valuesOf(want, got any) (string, string) {
	if want == nil || got == nil {
		return valueOr(want), valueOr(got)
	}
	return text.QuoteBoth(brenner.OneLine(want), brenner.OneLine(got))
}

func valueOr(v any) string {
	if v == nil {
		return "absent"
	}
	return text.Quote(brenner.OneLine(v))
}

// refusedFor makes the Rejects of a rule about deltas that the state of the merge
// refuses for a reason.
func refusedFor(reason merge.Reason, word func(d *replay.Delta, r *merge.Refusal) string) func(*replay.Rejection) string {
	return func(r *replay.Rejection) string {
		if r.Refusal == nil || r.Refusal.Reason != reason {
			return ""
		}
		return word(r.Delta, r.Refusal)
	}
}

// refused returns the check that reports the deltas that the merge refuses for a reason, at one of
// their members.
func refused(reason merge.Reason, member string, word func(*lint.Diagnostic, *replay.Refusal)) lint.ThreadCheck {
	return each(func(f replay.Refusal) (d lint.Diagnostic) {
		if f.Reason == reason {
			d = atDelta(f.Delta, f.Delta.MemberPlace(member))
			word(&d, &f)
		}
		return d
	})
}

func noTarget(d *replay.Delta, r *merge.Refusal) string {
	return fmt.Sprintf("%s names %s, but %s %s at this point", d.Operation, targetName(d), d.Section, itemsHeld(r))
}

// itemsHeld describes the items of a section when a delta was refused.
func itemsHeld(r *merge.Refusal) string {
	switch r.Items {
	case 0:
		return "is empty"
	case 1:
		return fmt.Sprintf("holds only %s", r.First)
	case 2:
		return fmt.Sprintf("holds only %s and %s", r.First, r.Last)
	}
	if r.Some == nil {
		return fmt.Sprintf("holds %s to %s", r.First, r.Last)
	}
	return "holds " + text.And(idNames(r.Some, r.Items-len(r.Some)))
}

// idNames returns ids, and how many more there are, as a message lists them.
func idNames(ids []brenner.ItemID, more int) []string {
	var out []string
	for _, id := range ids {
		out = append(out, id.String())
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return out
}

func sectionFull(d *replay.Delta, r *merge.Refusal) string {
	switch {
	case r.Members > 0:
		return fmt.Sprintf("the EDIT adds to an array of %d values, and no more are merged", r.Members)
	case r.Items >= merge.MaxItems:
		return fmt.Sprintf("%s holds %d items, and no more are merged", d.Section, r.Items)
	}
	return fmt.Sprintf("ADD would make %d active %s: %s holds %d, and at most %d are allowed",
		r.Active+1, d.Section.Plural(), d.Section, r.Active, d.Section.Maximum())
}

// lostMark returns a check that a window does not end without an active marked item of
// a section that had one.
func lostMark(sec brenner.Section, what, message, suggestion string) lint.ThreadCheck {
	return each(func(f replay.LostMark) (d lint.Diagnostic) {
		if f.Last.Section != sec {
			return d
		}
		d = lint.Diagnostic{At: f.In.SubjectPlace(), In: f.In, Item: f.Last.String(), Message: message, Suggestion: suggestion}
		if kill := f.Kill; kill != nil {
			d.Related = append(d.Related, related(kill, kill.MemberPlace("target_id"), "%s, the last %s, was killed by %s", d.Item, what, deltaName(kill)))
		}
		return d
	})
}

func tieFinding(t replay.Tie) lint.Diagnostic {
	at, other := t.Second, t.First
	place := at.MemberPlace("operation")
	when, item, field, message := brenner.FormatTime(t.Time()), "", "", ""
	if t.Item.Section != 0 {
		item = t.Item.String()
	}
	switch t.Kind {
	case merge.TiedKill:
		at, other = t.First, t.Second
		place = at.MemberPlace("target_id")
		message = fmt.Sprintf("EDIT of %s has the same time, %s, as its KILL by %s: the KILL wins and the EDIT is dropped", item, when, deltaName(other))
	case merge.TiedAdds:
		message = fmt.Sprintf("ADD has the same time, %s, as the ADD to %s by %s: which item gets which id depends on their order alone", when, at.Section, deltaName(other))
	case merge.TiedValues:
		field = t.Field
		place = at.FieldPlace(field, "")
		message = fmt.Sprintf("EDIT of %s %s has the same time, %s, as that by %s: the value depends on their order alone", item, field, when, deltaName(other))
	case merge.TiedItem:
		message = fmt.Sprintf("%s has the same time, %s, as the %s by %s: whether %s exists when it is named depends on their order alone", at.Operation, when, other.Operation, deltaName(other), item)
	case merge.TiedLimit:
		message = fmt.Sprintf("%s has the same time, %s, as the %s by %s: whether the new hypothesis fits depends on their order alone", at.Operation, when, other.Operation, deltaName(other))
	case merge.TiedMany:
		message = fmt.Sprintf("so many messages have the time %s that not all orders of them were tried: the merged state may depend on their order alone", when)
	}
	d := atDelta(at, place)
	d.Item, d.Field, d.Message = item, field, message
	d.Suggestion = "send deltas that depend on each other one after the other, or give the agents priorities in the configuration"
	d.Related = []lint.RelatedLocation{related(other, other.MemberPlace("operation"), "%s by %s at the same time", other.Operation, deltaName(other))}
	return d
}

func killDiff(f *replay.KillDiff) (message, suggestion string) {
	switch {
	case f.Want == nil:
		return fmt.Sprintf("%s is published as killed, but no delta killed it", f.Item), "send a KILL with the reason before it is compiled"
	case f.Got == nil && f.Item.Section == brenner.PredictionsTable:
		return fmt.Sprintf("%s is published as active, but %s", f.Item, killSentence(f.Want)), "publish it with its id struck through"
	case f.Got == nil:
		return fmt.Sprintf("%s is published as active, but %s", f.Item, killSentence(f.Want)), "publish it struck through, with Killed by and Reason"
	case f.Field == "killed_by":
		if diff.IsOtherForm(f.Want, f.Got) {
			return fmt.Sprintf("%s is published as killed by %s, not in the form Agent (timestamp)", f.Item, text.Quote(f.Got.By)),
				fmt.Sprintf("write **Killed by**: %s (%s)", f.Want.By, brenner.FormatTime(f.Want.At))
		}
		return fmt.Sprintf("%s is published as killed by %s, but %s", f.Item, text.Quote(f.Got.By), killSentence(f.Want)), ""
	case f.Field == "killed_at":
		return fmt.Sprintf("%s is published as killed at %s, but %s", f.Item, text.Quote(f.GotAt), killSentence(f.Want)), ""
	}
	got, want := text.QuoteBoth(f.Got.Reason, f.Want.Reason)
	return fmt.Sprintf("%s is published as killed because %s, but the reason given was %s", f.Item, got, want), ""
}

// withPart names a field, and the part of it that differs: both may be an author's own.
func withPart(d *lint.Diagnostic, f *diff.FieldChange) string {
	d.Quoted = append(d.Quoted, f.Key, f.Part)
	if f.Part == "" {
		return f.Key
	}
	return f.Key + " (" + f.Part + ")"
}

// fileDiff describes how an item of a file differs from what was published.
func fileDiff(d *lint.Diagnostic, f *diff.Change) string {
	switch f.Kind {
	case diff.ItemRemoved:
		return fmt.Sprintf("the file lacks %s, which is", itemTitle(f.Before))
	case diff.ItemAdded:
		return itemTitle(f.After) + " is not"
	case diff.ItemKilled:
		return fmt.Sprintf("%s is killed in the file, but active", f.ID)
	case diff.ItemRestored:
		return fmt.Sprintf("%s is active in the file, but killed", f.ID)
	}
	var names []string
	for _, field := range f.Fields {
		names = append(names, withPart(d, &field))
	}
	is := "are not what they are"
	if len(f.Fields) == 1 {
		want, got := valuesOf(f.Fields[0].Before, f.Fields[0].After)
		is = fmt.Sprintf("is %s, but %s", got, want)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", f.ID, text.And(atMost(3, names)), is))
}
