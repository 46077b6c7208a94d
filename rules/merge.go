package rules

import (
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/replay"
)

// mergeRules are about what the deltas of a thread make when they are merged
// (artifact_delta_spec). The replay finds all of it together, because one fault
// explains another; these rules report it.
var mergeRules = []*lint.Rule{
	{
		ID: "MR-001", Name: "invalid-target", Severity: lint.Error, Scope: lint.ThreadScope, Code: "INVALID_TARGET",
		SpecRef: "artifact_delta_spec#Pre-conditions",
		Summary: "EDIT and KILL name an item that exists in the state they apply to.",
		Help:    "name an item that is in the artifact, or ADD it first",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-002", Name: "target-killed", Severity: lint.Warning, Scope: lint.ThreadScope, Code: "TARGET_KILLED",
		SpecRef: "artifact_delta_spec#Pre-conditions; artifact_delta_spec#Merge Algorithm",
		Summary: "EDIT does not name a killed item (a second KILL is idempotent and fine).",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-003", Name: "section-limit", Severity: lint.Error, Scope: lint.ThreadScope, Code: "SECTION_LIMIT_EXCEEDED",
		SpecRef: "artifact_delta_spec#Hypothesis Slate",
		Summary: "ADD does not take the hypothesis slate past 6 active items.",
		Help:    "KILL a hypothesis first: at most 6 may be active",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-004", Name: "unknown-agent", Severity: lint.Error, Scope: lint.ThreadScope, Code: "UNKNOWN_AGENT",
		SpecRef: "artifact_delta_spec#Pre-conditions",
		Summary: "The contributing agent is registered (configured roster, or the agents in the export); not checked where neither is known.",
		Help:    "send under a registered name, or add the agent to the roster of the configuration",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-005", Name: "no-third-alternative", Severity: lint.Warning, Scope: lint.ThreadScope, Code: "NO_THIRD_ALTERNATIVE",
		SpecRef: "artifact_delta_spec#Post-conditions",
		Summary: "An active third alternative remains after a window's KILLs.",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-006", Name: "no-scale-check", Severity: lint.Warning, Scope: lint.ThreadScope, Code: "NO_SCALE_CHECK",
		SpecRef: "artifact_delta_spec#Post-conditions",
		Summary: "An active scale/physics assumption remains after a window's KILLs.",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-007", Name: "below-minimum", Severity: lint.Warning, Scope: lint.ThreadScope, Code: "BELOW_MINIMUM",
		SpecRef: "artifact_delta_spec#Post-conditions",
		Summary: "At each COMPILED the merged state has the minimum active items: 3 hypotheses, 3 predictions, 2 tests, 3 assumptions, 2 critiques.",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-008", Name: "unresolved-conflict", Severity: lint.Error, Scope: lint.ThreadScope, Code: "CONFLICT",
		SpecRef: "artifact_delta_spec#Resolution Hierarchy",
		Summary: "No two deltas of equal time and equal or undefined agent priority set the same scalar field of the same item to different values.",
		Help:    "send the delta again later, so that one of the two stands",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-009", Name: "order-sensitive-merge", Severity: lint.Warning, Scope: lint.ThreadScope,
		SpecRef: "artifact_delta_spec#Implementation Notes",
		Summary: "No pair of deltas with equal times gives a different merged state when the two are swapped (ids assigned to tied ADDs, EDIT beside KILL).",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-010", Name: "timestamp-order-hazard", Severity: lint.Warning, Scope: lint.ThreadScope,
		SpecRef: "artifact_delta_spec#Ordering Rules",
		Summary: "Timestamps in a window sort the same as text and as instants (mixed offsets, precision or zones do not).",
		Check:   lint.ThreadCheck(replayed),
	},
}

// publishedRules are about what was published, held against the merge.
var publishedRules = []*lint.Rule{
	{
		ID: "MR-011", Name: "compiled-item-missing", Severity: lint.Error, Scope: lint.ThreadScope,
		SpecRef: "artifact_delta_spec#Merge Algorithm; artifact_delta_spec#Important: KILL vs DELETE",
		Summary: "Every item of the replayed state stands in the published artifact (killed items too: nothing is deleted).",
		Help:    "publish every item of the merged state, killed ones included",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-012", Name: "compiled-item-unexplained", Severity: lint.Error, Scope: lint.ThreadScope,
		SpecRef: "artifact_delta_spec#Merge Algorithm",
		Summary: "Every item of the published artifact comes from a delta or from the version before.",
		Help:    "leave the item out, or add it by a delta",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-013", Name: "compiled-field-differs", Severity: lint.Error, Scope: lint.ThreadScope,
		SpecRef: "artifact_delta_spec#Conflict Resolution Policy",
		Summary: "Every field of a published item has the replayed value; related locations name the delta that set it.",
		Help:    "publish the value that the deltas give",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-014", Name: "compiled-kill-differs", Severity: lint.Error, Scope: lint.ThreadScope,
		SpecRef: "artifact_delta_spec#KILL",
		Summary: "Killed items are published as killed, with who and why, and no others are.",
		Help:    "mark as killed the items that the deltas kill, with who and why, and no others",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-015", Name: "compiled-id-reassigned", Severity: lint.Error, Scope: lint.ThreadScope,
		SpecRef: "artifact_delta_spec#ID Assignment Order",
		Summary: "An item keeps its id from version to version, and ids are never reused.",
		Help:    "keep the id that the item had, and give new items ids that were never used",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-016", Name: "prediction-of-killed-hypothesis", Severity: lint.Warning, Scope: lint.ThreadScope,
		SpecRef: "artifact_delta_spec#Predictions Table",
		Summary: "Predictions of a killed hypothesis are N/A in the published artifact.",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-017", Name: "compiled-tests-unranked", Severity: lint.Warning, Scope: lint.ThreadScope,
		SpecRef: "artifact_delta_spec#Discriminative Tests",
		Summary: "Tests of the published artifact are ordered by total score, highest first.",
		Check:   lint.ArtifactCheck(checkPublishedRanking),
	},
	{
		ID: "MR-018", Name: "compiled-contributors-differ", Severity: lint.Warning, Scope: lint.ThreadScope,
		SpecRef: "artifact_delta_spec#Merge Output Format; artifact_publish_spec#Body Schema (Extended)",
		Summary: "The listed contributors are the agents whose deltas were applied, with true delta counts where counts are given.",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-019", Name: "compiled-statistics-differ", Severity: lint.Warning, Scope: lint.ThreadScope,
		SpecRef: "artifact_publish_spec#Body Schema (Extended)",
		Summary: "The Statistics counts are those of the published artifact.",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-020", Name: "persisted-artifact-differs", Severity: lint.Error, Scope: lint.ThreadScope,
		SpecRef: "artifact_publish_spec#Latest Artifact Pointer",
		Summary: "The file artifacts/{thread_id}.md equals, item by item, the COMPILED version whose number it carries.",
		Help:    "write the file from the COMPILED of its version",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-021", Name: "persisted-artifact-stale", Severity: lint.Info, Scope: lint.ThreadScope,
		SpecRef: "artifact_publish_spec#Latest Artifact Pointer",
		Summary: "The file's version is the latest COMPILED version.",
		Check:   lint.ThreadCheck(replayed),
	},
	{
		ID: "MR-022", Name: "rejected-delta-applied", Severity: lint.Error, Scope: lint.ThreadScope,
		SpecRef: "delta_output_format#Error Handling",
		Summary: "A delta that must be rejected (invalid JSON, missing required field, invalid target, section limit) is not in the published artifact.",
		Help:    "leave the delta out, and ask its sender to mend it",
		Check:   lint.ThreadCheck(replayed),
	},
}

// replayed reports what the replay found under the rule.
func replayed(p *lint.ThreadPass) {
	if p.Replay == nil {
		return
	}
	for i := range p.Replay.Problems {
		if f := &p.Replay.Problems[i]; f.Rule == p.Rule.ID {
			p.Report(diagnostic(f))
		}
	}
}

func diagnostic(f *replay.Problem) lint.Diagnostic {
	d := lint.Diagnostic{
		At: f.At, In: f.In, Path: f.Path, Message: f.Message, Suggestion: f.Suggestion,
		Item: f.Item, Field: f.Field, Delta: f.Delta,
	}
	for _, n := range f.Related {
		d.Related = append(d.Related, lint.RelatedLocation{At: n.At, In: n.In, Path: n.Path, Message: n.Message})
	}
	return d
}

// checkPublishedRanking is WT-002 on what a COMPILED holds (decisions.md 1).
func checkPublishedRanking(p *lint.ArtifactPass) {
	if p.Message != nil {
		rankTests(p)
	}
}
