package rules

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// How the rules on facts of the replay name deltas, messages and items.

// replayRules are about the result of merging the deltas of a thread
// (artifact_delta_spec), and about what was published, compared with that.
var replayRules = byID(
	mergeRefusalRules, postConditionRules, mergeOrderRules, publishedItemRules, publishedFieldRules, publishedClaimRules,
	persistedFileRules, appliedRejectRules,
)

// factsOf returns the facts of a thread's replay; none if it was not replayed.
func factsOf(p *lint.ThreadPass) *replay.Facts {
	if p.Replay == nil {
		return &replay.Facts{}
	}
	return &p.Replay.Facts
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
	return "added by " + deltaName(added), []lint.RelatedLocation{related(added, added.ObjectStart(), "ADD of %s by %s", id, deltaName(added))}
}

// deltaName returns how messages name a delta.
func deltaName(d *replay.Delta) string {
	return fmt.Sprintf("%s in %s, delta %d", d.Agent, messageName(d.In), d.Index)
}

func messageName(m *session.Message) string {
	if m.ID == "" {
		return "message " + text.Quote(m.SubjectText)
	}
	return "message " + m.ID
}

// itemTitle returns an item with its name, as messages name it.
func itemTitle(it *brenner.Item) string {
	name := it.Text("name")
	if name == "" {
		name = it.Text(it.ID.Section.MainField())
	}
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

// mergeRefusalRules are about well-formed deltas that the merge does not apply.
var mergeRefusalRules = []*lint.Rule{
	{ID: "MR-001", Name: "invalid-target", Severity: lint.Error, Code: "INVALID_TARGET", SpecRef: "artifact_delta_spec#Pre-conditions",
		Summary: "EDIT and KILL name an item that exists in the state they apply to.",
		Help:    "name an item that is in the artifact, or ADD it first",
		Rejects: refusedFor(merge.NoTarget, noTarget),
		Check:   refused(merge.NoTarget, "target_id", diagnoseNoTarget)},
	{ID: "MR-002", Name: "target-killed", Severity: lint.Warning, Code: "TARGET_KILLED",
		SpecRef: "artifact_delta_spec#Pre-conditions; artifact_delta_spec#Merge Algorithm",
		Summary: "EDIT does not name a killed item (a second KILL is idempotent and fine).",
		Check:   refused(merge.TargetKilled, "target_id", diagnoseKilledTarget)},
	{ID: "MR-003", Name: "section-limit", Severity: lint.Error, Code: "SECTION_LIMIT_EXCEEDED", SpecRef: "artifact_delta_spec#Hypothesis Slate",
		Summary: "ADD does not take the hypothesis slate past 6 active items.",
		Help:    "KILL a hypothesis first: at most 6 may be active",
		Rejects: refusedFor(merge.SectionFull, sectionFull),
		Check:   refused(merge.SectionFull, "section", diagnoseFullSection)},
	{ID: "MR-004", Name: "unknown-agent", Severity: lint.Error, Code: "UNKNOWN_AGENT", SpecRef: "artifact_delta_spec#Pre-conditions",
		Summary: "The contributing agent is registered (configured roster, or the agents in the export); not checked where neither is known.",
		Help:    "send under a registered name, or add the agent to the roster of the configuration",
		Rejects: unknownAgent,
		Check:   lint.ThreadCheck(checkAgentKnown)},
}

// refused returns the check that reports the deltas that the merge refuses for a reason, at one of
// their members.
func refused(reason merge.Reason, member string, word func(*lint.Diagnostic, *replay.Refusal)) lint.ThreadCheck {
	return func(p *lint.ThreadPass) {
		for _, f := range factsOf(p).Refusals {
			if f.Reason == reason {
				d := atDelta(f.Delta, f.Delta.MemberPlace(member))
				word(&d, &f)
				p.Report(d)
			}
		}
	}
}

// diagnoseNoTarget words an EDIT or KILL whose target does not exist.
func diagnoseNoTarget(d *lint.Diagnostic, f *replay.Refusal) {
	d.Item, d.Message = targetName(f.Delta), noTarget(f.Delta, f.Refusal)
	if add := f.Cause; add != nil {
		why := "has a later time"
		if f.Tied {
			why = "has the same time, and is applied after it"
		}
		d.Suggestion = fmt.Sprintf("send it again: the ADD of %s by %s %s", d.Item, deltaName(add), why)
		d.Related = append(d.Related, related(add, add.ObjectStart(), "%s is added only later, by %s", d.Item, deltaName(add)))
	}
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
	var ids []string
	for _, id := range r.Some {
		ids = append(ids, id.String())
	}
	if n := r.Items - len(ids); n > 0 {
		ids = append(ids, fmt.Sprintf("%d more", n))
	}
	return "holds " + text.And(ids)
}

// diagnoseKilledTarget words an EDIT whose target is killed.
func diagnoseKilledTarget(d *lint.Diagnostic, f *replay.Refusal) {
	d.Item = targetName(f.Delta)
	d.Message = fmt.Sprintf("EDIT names %s, but %s: killed items are not edited", d.Item, killSentence(f.Kill))
	if kill := f.Cause; kill != nil {
		d.Related = append(d.Related, related(kill, kill.MemberPlace("target_id"), "%s was killed by %s", d.Item, deltaName(kill)))
	}
}

// diagnoseFullSection words an ADD to a section that is full.
func diagnoseFullSection(d *lint.Diagnostic, f *replay.Refusal) {
	d.Message = sectionFull(f.Delta, f.Refusal)
	d.Suggestion = "continue in another thread"
	if f.Delta.Section == brenner.HypothesisSlate && f.Members == 0 {
		d.Suggestion = "KILL a hypothesis that is superseded before you ADD another"
	}
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

// checkAgentKnown is MR-004: a delta of an agent who is not registered.
func checkAgentKnown(p *lint.ThreadPass) {
	for _, f := range factsOf(p).UnknownAgents {
		d := atDelta(f.Delta, f.At)
		d.Message = fmt.Sprintf("agent %s of delta %d is not registered, so the delta is rejected", text.Quote(f.Delta.Agent), f.Delta.Index)
		d.Suggestion = didYouMean(f.Nearest)
		p.Report(d)
	}
}

func unknownAgent(r *replay.Rejection) string {
	if r.Fault != "" || r.Refusal != nil {
		return ""
	}
	return fmt.Sprintf("agent %s is not registered", text.Quote(r.Delta.Agent))
}

// postConditionRules are the post-conditions of a merge. They do not report a fault that a
// published artifact shows: the rules on artifacts do (decisions.md 1).
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
				lack += fmt.Sprintf(" where %s rejected (%s)", text.Count(n, "ADD was", "ADDs were"), text.And(atMost(3, rejected)))
			}
			lacking = append(lacking, lack)
		}
		d.Message = "the merged artifact has too few active items: " + text.And(lacking)
		p.Report(d)
	}
}

// mergeOrderRules are about the order in which deltas are merged.
var mergeOrderRules = []*lint.Rule{
	{ID: "MR-008", Name: "unresolved-conflict", Severity: lint.Error, Code: "CONFLICT", SpecRef: "artifact_delta_spec#Resolution Hierarchy",
		Summary: "No two deltas of equal time and equal or undefined agent priority set the same scalar field of the same item to different values.",
		Help:    "send a later EDIT with the value that is meant",
		Check:   lint.ThreadCheck(checkConflicts)},
	{ID: "MR-009", Name: "order-sensitive-merge", Severity: lint.Warning, SpecRef: "artifact_delta_spec#Implementation Notes",
		Summary: "No pair of deltas with equal times gives a different merged state when the two are swapped (ids assigned to tied ADDs, EDIT beside KILL).",
		Check:   lint.ThreadCheck(checkTies)},
	{ID: "MR-010", Name: "timestamp-order-hazard", Severity: lint.Warning, SpecRef: "artifact_delta_spec#Ordering Rules",
		Summary: "Timestamps in a window sort the same as text and as instants (mixed offsets, precision or zones do not).",
		Check:   lint.ThreadCheck(checkTimeOrder)},
}

// checkConflicts is MR-008: a field that deltas of one instant leave at a CONFLICT
// marker.
func checkConflicts(p *lint.ThreadPass) {
	for _, f := range factsOf(p).Conflicts {
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
		p.Report(d)
	}
}

// checkTies is MR-009: deltas of one instant whose order matters.
func checkTies(p *lint.ThreadPass) {
	for i := range factsOf(p).Ties {
		p.Report(tied(&p.Replay.Facts.Ties[i]))
	}
}

func tied(t *replay.Tie) lint.Diagnostic {
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

// checkTimeOrder is MR-010: times that sort differently as text and as instants.
func checkTimeOrder(p *lint.ThreadPass) {
	for _, f := range factsOf(p).OrderHazards {
		a, b := f.Earlier, f.Later
		p.Report(lint.Diagnostic{
			At: f.In.SubjectPlace(), In: f.In,
			Message: fmt.Sprintf("%s of %s is before %s of %s, but sorts after it as text: a compiler that compares timestamps as text merges in another order",
				text.Quote(a.Text), deltaName(a), text.Quote(b.Text), deltaName(b)),
			Suggestion: "write all timestamps of a thread in one form, such as 2025-12-30T12:00:00Z",
			Related:    []lint.RelatedLocation{related(a, a.TimePlace(), "earlier instant"), related(b, b.TimePlace(), "later instant")},
		})
	}
}

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
