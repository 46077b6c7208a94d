package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// This file has what the rules on facts of the replay share: how they name deltas,
// messages and items.

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
func itemTitle(it *state.Item) string {
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
func killSentence(k *state.Kill) string {
	out := "it is killed"
	if k.By != "" {
		out = k.By + " killed it"
	}
	if !k.At.IsZero() {
		out += " at " + brenner.FormatTime(k.At)
	}
	return out
}

// short cuts a long list for a message.
func short(words []string) []string {
	const most = 4
	if len(words) <= most {
		return words
	}
	return append(slices.Clone(words[:most-1]), fmt.Sprintf("%d more", len(words)-most+1))
}

// valuesOf returns two values as messages show them; nil is absent.
func valuesOf(want, got any) (string, string) {
	if want == nil || got == nil {
		return valueOr(want), valueOr(got)
	}
	return text.QuoteBoth(state.OneLine(want), state.OneLine(got))
}

func valueOr(v any) string {
	if v == nil {
		return "absent"
	}
	return text.Quote(state.OneLine(v))
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
