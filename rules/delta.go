package rules

import (
	"github.com/brennerlint/brennerlint/delta"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// deltaBlockRules are what the body schema says of delta blocks.
var deltaBlockRules = []*lint.Rule{
	{
		ID: "MB-004", Name: "delta-block-present", Severity: lint.Error, Scope: lint.MessageScope, Fixable: true,
		SpecRef: "message_body_schema#MB-004",
		Summary: "DELTA body has at least one fenced code block whose info string begins with the word `delta`.",
		Help:    "put each delta into a fence of its own that begins with ```delta",
		Types:   []protocol.MessageType{protocol.Delta},
		Check:   lint.MessageCheck(checkBlockPresent),
	},
	{
		ID: "MB-005", Name: "delta-json", Severity: lint.Error, Scope: lint.DeltaScope, Fixable: true, SkipGarbled: true,
		SpecRef: "message_body_schema#MB-005",
		Summary: "Every delta block is one valid RFC 8259 JSON value; the finding points at the offending byte and says what is wrong (trailing comma, comment, single quotes, unquoted key, data after the object, invalid UTF-8 or escape).",
		Help:    "write the block as one JSON object: keys and texts in double quotes, no comments, no comma before } or ]",
		Check:   lint.DeltaCheck(structural),
	},
}

// deltaRules are about the structure of delta blocks. Their faults are found by
// internal/delta, because the merge rejects deltas for most of them.
var deltaRules = []*lint.Rule{
	{
		ID: "DL-001", Name: "delta-operation", Severity: lint.Error, Scope: lint.DeltaScope, Fixable: true,
		SpecRef: "delta_output_format#Field Definitions; message_body_schema#DELTA Messages",
		Summary: "`operation` is ADD, EDIT or KILL.",
		Help:    `set operation to "ADD", "EDIT" or "KILL"`,
		Check:   lint.DeltaCheck(structural),
	},
	{
		ID: "DL-002", Name: "delta-section", Severity: lint.Error, Scope: lint.DeltaScope, Fixable: true,
		SpecRef: "delta_output_format#Failure Mode 2",
		Summary: "`section` is one of the seven section ids.",
		Help:    `set section to the id of the section that the item belongs to, such as "hypothesis_slate"`,
		Check:   lint.DeltaCheck(structural),
	},
	{
		ID: "DL-003", Name: "delta-target-missing", Severity: lint.Error, Scope: lint.DeltaScope,
		SpecRef: "delta_output_format#Failure Mode 3",
		Summary: "EDIT and KILL carry a string `target_id` (EDIT of research_thread may leave it null).",
		Help:    "set target_id to the id of the item that is meant, as the artifact shows it",
		Check:   lint.DeltaCheck(structural),
	},
	{
		ID: "DL-004", Name: "delta-add-target", Severity: lint.Error, Scope: lint.DeltaScope, Fixable: true,
		SpecRef: "artifact_delta_spec#ADD",
		Summary: "ADD has `target_id` null or absent: ids are assigned by the merge.",
		Help:    "set target_id to null: the merge assigns the id",
		Check:   lint.DeltaCheck(structural),
	},
	{
		ID: "DL-005", Name: "delta-payload", Severity: lint.Error, Scope: lint.DeltaScope,
		SpecRef: "delta_output_format#Field Definitions",
		Summary: "ADD and EDIT carry a non-empty object `payload`.",
		Help:    "set payload to an object with the fields of the item",
		Check:   lint.DeltaCheck(structural),
	},
	{
		ID: "DL-006", Name: "delta-required-field", Severity: lint.Error, Scope: lint.DeltaScope, Code: "MISSING_REQUIRED_FIELD",
		SpecRef: "delta_output_format#Failure Mode 5",
		Summary: "ADD payload has every required field of its section, non-empty; one finding per delta naming all missing fields, with the likely misnamed field where there is one.",
		Help:    "add the missing fields to the payload",
		Check:   lint.DeltaCheck(structural),
	},
	{
		ID: "DL-007", Name: "delta-field-value", Severity: lint.Error, Scope: lint.DeltaScope,
		SpecRef: "delta_output_format#Payload Schemas by Section",
		Summary: "Payload fields have the type, enumeration and range that the section's schema gives (score parts are integers 0 to 3).",
		Help:    "write lists as arrays of strings, score parts as integers from 0 to 3, flags as true or false, and all else as text",
		Check:   lint.DeltaCheck(structural),
	},
	{
		ID: "DL-008", Name: "delta-kill-reason", Severity: lint.Error, Scope: lint.DeltaScope,
		SpecRef: "delta_output_format#KILL payload",
		Summary: "KILL payload has a non-empty string `reason`.",
		Help:    `give the reason in the payload: {"reason": "…"}`,
		Check:   lint.DeltaCheck(structural),
	},
	{
		ID: "DL-009", Name: "delta-research-thread", Severity: lint.Error, Scope: lint.DeltaScope,
		SpecRef: "delta_output_format#Valid Section Values; artifact_delta_spec#Research Thread",
		Summary: "research_thread takes EDIT only, with target_id RT or null.",
		Help:    `write an EDIT with target_id "RT"`,
		Check:   lint.DeltaCheck(structural),
	},
	{
		ID: "DL-010", Name: "delta-target-prefix", Severity: lint.Error, Scope: lint.DeltaScope, Code: "INVALID_TARGET",
		SpecRef: "delta_output_format#Valid Section Values",
		Summary: "`target_id` has the id form of its section (H, P, T, A, X, C followed by a number; P also P1.H1; RT).",
		Help:    "write the id as the artifact shows it, such as H2",
		Check:   lint.DeltaCheck(structural),
	},
	{
		ID: "DL-024", Name: "delta-object", Severity: lint.Error, Scope: lint.DeltaScope, Fixable: true,
		SpecRef: "delta_output_format#Delta Block Format",
		Summary: "A delta block is one JSON object, not an array or another value, and not empty.",
		Help:    "write one JSON object with operation, section, target_id, payload and rationale",
		Check:   lint.DeltaCheck(structural),
	},
}

// structural reports what internal/delta found under the rule.
func structural(p *lint.DeltaPass) {
	for i := range p.Delta.Faults {
		f := &p.Delta.Faults[i]
		if f.Rule != p.Rule.ID {
			continue
		}
		d := lint.Diagnostic{At: f.At, Message: f.Message, Suggestion: f.Suggestion, Field: f.Field}
		if f.SuggestedFix != nil {
			d.Fix = newFix(f.SuggestedFix.Description, f.SuggestedFix.Text, f.SuggestedFix.Edits...)
			d.Fix.Unsafe = f.SuggestedFix.Unsafe
		}
		for _, r := range f.Related {
			d.Related = append(d.Related, lint.RelatedLocation{At: r.At, In: p.Message, Message: r.Message})
		}
		reportDelta(p, d)
	}
}

// reportDelta reports a fault of the delta, and names the item that it is about.
func reportDelta(p *lint.DeltaPass, d lint.Diagnostic) {
	if p.Delta.Target != (protocol.ItemID{}) {
		d.Item = p.Delta.Target.String()
	}
	p.Report(d)
}

// newFix is a fix by edits of one text.
func newFix(description string, text *source.Text, edits ...source.Edit) *lint.SuggestedFix {
	fix := &lint.SuggestedFix{Description: description}
	for _, e := range edits {
		fix.Edits = append(fix.Edits, lint.TextEdit{At: text.Place(e.Span), Text: e.Text})
	}
	return fix
}

// eachDelta is the check of one delta that holds a JSON object with members:
// what is none has been reported (decisions.md 1).
func eachDelta(check func(p *lint.DeltaPass, d *delta.Delta)) lint.DeltaCheck {
	return func(p *lint.DeltaPass) {
		if d := p.Delta; d.Root.Is(jsontree.Object) && len(d.Root.Members) > 0 {
			check(p, d)
		}
	}
}
