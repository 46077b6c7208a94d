package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/delta"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/protocol"
)

// deltaPayloadRules are about the content of a delta.
var deltaPayloadRules = []*lint.Rule{
	{
		ID: "DL-005", Name: "delta-payload", Severity: lint.Error, Scope: lint.DeltaScope,
		SpecRef: "delta_output_format#Field Definitions",
		Summary: "ADD and EDIT carry a non-empty object `payload`.",
		Help:    "set payload to an object with the fields of the item",
		Check:   noPayload.check(),
		Rejects: noPayload.reason,
	},
	{
		ID: "DL-006", Name: "delta-required-field", Severity: lint.Error, Scope: lint.DeltaScope, Code: "MISSING_REQUIRED_FIELD",
		SpecRef: "delta_output_format#Failure Mode 5",
		Summary: "ADD payload has every required field of its section, non-empty; one finding per delta naming all missing fields, with the likely misnamed field where there is one.",
		Help:    "add the missing fields to the payload",
		Check:   lacksFields.check(),
		Rejects: lacksFields.reason,
	},
	{
		ID: "DL-007", Name: "delta-field-value", Severity: lint.Error, Scope: lint.DeltaScope,
		SpecRef: "delta_output_format#Payload Schemas by Section",
		Summary: "Payload fields have the type, enumeration and range that the section's schema gives (score parts are integers 0 to 3).",
		Help:    "write lists as arrays of strings, score parts as integers from 0 to 3, flags as true or false, and all else as text",
		Check:   badValue.check(),
	},
	{
		ID: "DL-008", Name: "delta-kill-reason", Severity: lint.Error, Scope: lint.DeltaScope,
		SpecRef: "delta_output_format#KILL payload",
		Summary: "KILL payload has a non-empty string `reason`.",
		Help:    `give the reason in the payload: {"reason": "…"}`,
		Check:   noReason.check(),
		Rejects: noReason.reason,
	},
}

var (
	noPayload   = faultRule{[]delta.Kind{delta.NoPayload}, diagnosePayload}
	lacksFields = faultRule{[]delta.Kind{delta.LacksFields}, diagnoseFields}
	badValue    = faultRule{[]delta.Kind{delta.BadValue}, diagnoseValue}
	noReason    = faultRule{[]delta.Kind{delta.NoReason}, diagnoseReason}
)

// diagnosePayload is about an ADD or EDIT without content. Where the fields are
// beside operation, it names them (decisions.md 50).
func diagnosePayload(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	var out lint.Diagnostic
	switch {
	case f.Node == nil:
		out.Message = fmt.Sprintf("%s has no payload; expected an object with the fields of the item%s", d.Operation, misnamedMember(d, "payload"))
	case d.Payload == nil:
		out.Message = fmt.Sprintf("payload of the %s is %s; expected an object", d.Operation, f.Node.Kind)
	default:
		out.Message = fmt.Sprintf("payload of the %s is empty", d.Operation)
		if required := requiredKeys(d.Section); d.Operation == protocol.Add && len(required) > 0 {
			out.Suggestion = "write " + text.And(required)
		}
	}
	if len(f.Misplaced) > 0 {
		verb := "are"
		if len(f.Misplaced) == 1 {
			verb = "is"
		}
		out.Message += fmt.Sprintf("; %s %s next to operation instead of in payload", text.And(shortened(f.Misplaced)), verb)
		out.Suggestion = "move the fields of the item into payload"
	}
	return out
}

// shortened is at most eight names.
func shortened(names []string) []string {
	const most = 8
	out := text.QuoteAll(names[:min(len(names), most)])
	if more := len(names) - most; more > 0 {
		out = append(out, text.Count(more, "other", "others"))
	}
	return out
}

func requiredKeys(s protocol.Section) []string {
	var keys []string
	if s != 0 {
		for _, f := range s.Fields() {
			if f.Required {
				keys = append(keys, f.Key)
			}
		}
	}
	return keys
}

func diagnoseFields(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	var parts []string
	if len(f.Missing) > 0 {
		parts = append(parts, "lacks "+text.And(f.Missing))
	}
	if len(f.Empty) > 0 {
		parts = append(parts, "leaves "+text.And(f.Empty)+" empty")
	}
	out := lint.Diagnostic{
		Message:    fmt.Sprintf("ADD to %s %s", d.Section, strings.Join(parts, " and ")),
		Suggestion: "write into the payload: " + templates(d.Section, slices.Concat(f.Missing, f.Empty)),
	}
	if hints := misnamedFields(d, f.Missing); len(hints) > 0 {
		out.Message += "; " + text.And(hints)
	}
	return out
}

// templates shows the form of fields.
func templates(s protocol.Section, keys []string) string {
	var out []string
	for _, key := range keys {
		form := `"…"`
		switch f := s.Field(key); {
		case f.Key == "anchors":
			form = `["§…"]`
		case f.Kind == protocol.ListField:
			form = `["…"]`
		case f.Kind == protocol.OutcomesField:
			form = `{"H1": "…"}`
		case f.Kind == protocol.ScoreField:
			form = `{…}`
		case len(f.Values) > 0:
			form = strconv.Quote(strings.Join(f.Values, "|"))
		}
		out = append(out, strconv.Quote(key)+": "+form)
	}
	return strings.Join(out, ", ")
}

// misnamedFields tells which unknown fields may be meant as missing ones.
func misnamedFields(d *delta.Delta, missing []string) []string {
	meant := d.MisnamedFields()
	var hints []string
	for _, key := range missing {
		name, ok := meant[key]
		switch {
		case ok && hints == nil:
			hints = append(hints, text.Quote(name)+" may be meant as "+key)
		case ok:
			hints = append(hints, text.Quote(name)+" as "+key)
		}
	}
	return hints
}

// diagnoseValue is about a value of the wrong type, range or enumeration.
func diagnoseValue(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	problem := valueProblem(f)
	if problem == "" {
		verb := "is"
		if f.Node != d.Payload.Get(f.Field) {
			verb = "holds"
		}
		problem = fmt.Sprintf("%s %s; expected %s", verb, f.Node.Kind, expectedValue(f.Schema))
	}
	return lint.Diagnostic{Message: f.Field + " " + problem}
}

// valueProblem says what is wrong with a value of the right type.
func valueProblem(f *delta.Fault) string {
	switch {
	case f.Schema == nil:
	case len(f.Parts) > 0:
		return badParts(f.Parts)
	case len(f.Schema.Values) > 0 && f.Node.Is(jsontree.String):
		problem := fmt.Sprintf("is %s; expected %s", text.Quote(f.Node.Text), text.Or(f.Schema.Values))
		if meant := text.Nearest(f.Node.Text, f.Schema.Values); meant != "" {
			problem += fmt.Sprintf("; did you mean %q?", meant)
		}
		return problem
	}
	return ""
}

// expectedValue is what a field takes; nil is a replace key.
func expectedValue(f *protocol.Field) string {
	if f == nil {
		return "true or false"
	}
	switch f.Kind {
	case protocol.ListField:
		return "an array of strings"
	case protocol.FlagField:
		return "true or false"
	case protocol.OutcomesField:
		return `an object from hypothesis ids to texts, {"H1": "…"}`
	case protocol.ScoreField:
		return "an object of " + text.And(protocol.ScoreParts[:])
	case protocol.ReferenceField:
		return "an array of references"
	default:
		return "a string"
	}
}

// badParts says which parts of a score are wrong.
func badParts(parts []jsontree.Member) string {
	const most = 4
	var bad []string
	for _, m := range parts[:min(len(parts), most)] {
		problem := "not a part of a score"
		if slices.Contains(protocol.ScoreParts[:], m.Name) {
			problem = shownValue(m.Value)
		}
		bad = append(bad, fmt.Sprintf("%s is %s", strings.Trim(text.Quote(m.Name), `"`), problem))
	}
	if more := len(parts) - most; more > 0 {
		bad = append(bad, fmt.Sprintf("%d more", more))
	}
	return "part " + text.And(bad) + "; expected integers from 0 to 3 for " + text.And(protocol.ScoreParts[:])
}

func diagnoseReason(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	out := lint.Diagnostic{Suggestion: `write "payload": {"reason": "…"}`}
	switch payload := d.Root.Get("payload"); {
	case payload == nil:
		out.Message = "KILL has no payload; expected one with a reason"
	case d.Payload == nil:
		out.Message = fmt.Sprintf("payload of the KILL is %s; expected an object with a reason", payload.Kind)
	case f.Node == nil:
		out.Message = "KILL has no reason in its payload"
	default:
		what := f.Node.Kind.String()
		if f.Node.Is(jsontree.String) {
			what = "empty"
		}
		out.Message = "reason of the KILL is " + what + "; expected a text that says why the item is killed"
		out.Suggestion = ""
	}
	if len(f.Misplaced) > 0 {
		out.Suggestion = "move reason into the payload"
	}
	return out
}
