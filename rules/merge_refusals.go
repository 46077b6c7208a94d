package rules

import (
	"fmt"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// mergeRefusalRules are about well-formed deltas that the merge does not apply.
var mergeRefusalRules = []*lint.Rule{
	{ID: "MR-001", Name: "invalid-target", Severity: lint.Error, Code: "INVALID_TARGET", SpecRef: "artifact_delta_spec#Pre-conditions",
		Summary: "EDIT and KILL name an item that exists in the state they apply to.",
		Help:    "name an item that is in the artifact, or ADD it first",
		Rejects: refusedFor(merge.NoTarget, noTarget),
		Check:   lint.ThreadCheck(checkTargetExists)},
	{ID: "MR-002", Name: "target-killed", Severity: lint.Warning, Code: "TARGET_KILLED",
		SpecRef: "artifact_delta_spec#Pre-conditions; artifact_delta_spec#Merge Algorithm",
		Summary: "EDIT does not name a killed item (a second KILL is idempotent and fine).",
		Check:   lint.ThreadCheck(checkTargetAlive)},
	{ID: "MR-003", Name: "section-limit", Severity: lint.Error, Code: "SECTION_LIMIT_EXCEEDED", SpecRef: "artifact_delta_spec#Hypothesis Slate",
		Summary: "ADD does not take the hypothesis slate past 6 active items.",
		Help:    "KILL a hypothesis first: at most 6 may be active",
		Rejects: refusedFor(merge.SectionFull, sectionFull),
		Check:   lint.ThreadCheck(checkSectionLimit)},
	{ID: "MR-004", Name: "unknown-agent", Severity: lint.Error, Code: "UNKNOWN_AGENT", SpecRef: "artifact_delta_spec#Pre-conditions",
		Summary: "The contributing agent is registered (configured roster, or the agents in the export); not checked where neither is known.",
		Help:    "send under a registered name, or add the agent to the roster of the configuration",
		Rejects: unknownAgent,
		Check:   lint.ThreadCheck(checkAgentKnown)},
}

// checkTargetExists is MR-001: an EDIT or KILL whose target does not exist.
func checkTargetExists(p *lint.ThreadPass) {
	for _, f := range factsOf(p).Refusals {
		if f.Reason != merge.NoTarget {
			continue
		}
		d := atDelta(f.Delta, f.Delta.MemberPlace("target_id"))
		d.Item, d.Message = targetName(f.Delta), noTarget(f.Delta, f.Refusal)
		if add := f.Cause; add != nil {
			why := "has a later time"
			if f.Tied {
				why = "has the same time, and is applied after it"
			}
			d.Suggestion = fmt.Sprintf("send it again: the ADD of %s by %s %s", d.Item, deltaName(add), why)
			d.Related = append(d.Related, related(add, add.ObjectStart(), "%s is added only later, by %s", d.Item, deltaName(add)))
		}
		p.Report(d)
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

// checkTargetAlive is MR-002: an EDIT whose target is killed.
func checkTargetAlive(p *lint.ThreadPass) {
	for _, f := range factsOf(p).Refusals {
		if f.Reason != merge.TargetKilled {
			continue
		}
		d := atDelta(f.Delta, f.Delta.MemberPlace("target_id"))
		d.Item = targetName(f.Delta)
		d.Message = fmt.Sprintf("EDIT names %s, but %s: killed items are not edited", d.Item, killSentence(f.Kill))
		if kill := f.Cause; kill != nil {
			d.Related = append(d.Related, related(kill, kill.MemberPlace("target_id"), "%s was killed by %s", d.Item, deltaName(kill)))
		}
		p.Report(d)
	}
}

// checkSectionLimit is MR-003: an ADD to a section that is full.
func checkSectionLimit(p *lint.ThreadPass) {
	for _, f := range factsOf(p).Refusals {
		if f.Reason == merge.SectionFull {
			d := atDelta(f.Delta, f.Delta.MemberPlace("section"))
			d.Message = sectionFull(f.Delta, f.Refusal)
			if d.Suggestion = "KILL a hypothesis that is superseded before you ADD another"; f.Delta.Section != brenner.HypothesisSlate || f.Members > 0 {
				d.Suggestion = "continue in another thread"
			}
			p.Report(d)
		}
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
		if f.Nearest != "" {
			d.Suggestion = fmt.Sprintf("did you mean %s?", f.Nearest)
		}
		p.Report(d)
	}
}

func unknownAgent(r *replay.Rejection) string {
	if r.Fault != 0 || r.Refusal != nil {
		return ""
	}
	return fmt.Sprintf("agent %s is not registered", text.Quote(r.Delta.Agent))
}
