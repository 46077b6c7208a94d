package rules

import (
	"fmt"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

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
				d.Related = append(d.Related, related(by, by.FieldPlace(f.Field, ""), "%s sets it to %s", deltaName(by), text.Quote(state.OneLine(by.Value(f.Field)))))
			}
		}
		d.Message = fmt.Sprintf("%s %s is left in conflict: %s set it to different values at the same instant, %s",
			d.Item, d.Field, text.And(short(who)), brenner.FormatTime(f.Time))
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
	when, item, field, message := brenner.FormatTime(t.Time), "", "", ""
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
