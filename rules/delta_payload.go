package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// deltaPayloadRules are about the content of a delta.
var deltaPayloadRules = []*lint.Rule{
	{ID: "DL-005", Name: "delta-payload", Severity: lint.Error, SpecRef: "delta_output_format#Field Definitions",
		Summary: "ADD and EDIT carry a non-empty object `payload`.",
		Help:    "set payload to an object with the fields of the item",
		Check:   noPayload.check(),
		Rejects: noPayload.reason},
	{ID: "DL-006", Name: "delta-required-field", Severity: lint.Error, Code: "MISSING_REQUIRED_FIELD", SpecRef: "delta_output_format#Failure Mode 5",
		Summary: "ADD payload has every required field of its section, non-empty, and no EDIT blanks one; one finding per delta naming all missing fields, with the likely misnamed field where there is one.",
		Help:    "add the missing fields to the payload",
		Check:   lacksFields.check(),
		Rejects: lacksFields.reason},
	{ID: "DL-007", Name: "delta-field-value", Severity: lint.Error, SpecRef: "delta_output_format#Payload Schemas by Section",
		Summary: "Payload fields have the type, enumeration and range that the section's schema gives (score parts are integers 0 to 3).",
		Help:    "write lists as arrays of strings, score parts as integers from 0 to 3, flags as true or false, and all else as text",
		Check:   badValue.check()},
	{ID: "DL-008", Name: "delta-kill-reason", Severity: lint.Error, SpecRef: "delta_output_format#KILL payload",
		Summary: "KILL payload has a non-empty string `reason`.",
		Help:    `give the reason in the payload: {"reason": "…"}`,
		Check:   noReason.check(),
		Rejects: noReason.reason},
}

var (
	noPayload   = faultRule{[]delta.Kind{delta.NoPayload}, diagnosePayload}
	lacksFields = faultRule{[]delta.Kind{delta.LacksFields}, diagnoseFields}
	badValue    = faultRule{[]delta.Kind{delta.BadValue}, diagnoseValue}
	noReason    = faultRule{[]delta.Kind{delta.NoReason}, diagnoseReason}
)

// diagnosePayload words an ADD or EDIT without content. If the fields are next to
// operation, it names them (decisions.md 50).
func diagnosePayload(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	var out lint.Diagnostic
	switch {
	case f.Node == nil:
		out.Message = fmt.Sprintf("%s has no payload; expected an object with the fields of the item%s", d.Operation, misnamedMember(d, "payload"))
		if n := d.Root.Get(d.Misnamed("payload")); n.Is(jsontree.Object) {
			renameMember(&out, d, "payload")
		}
	case d.QuotedPayload() != nil:
		out.Message = fmt.Sprintf("payload of the %s is a string with an object; expected the object", d.Operation)
		out.Suggestion = "write the object itself, without the quotation marks around it and the backslashes"
		out.Fix = newFix(out.Suggestion, d.Text, source.Edit{Span: f.Node.Span(), Text: string(d.QuotedPayload())})
		if object := string(d.QuotedPayload()); len(object) <= maxBlock {
			out.Suggestion = `write "payload": ` + object
		}
		return out
	case d.Payload == nil:
		out.Message = fmt.Sprintf("payload of the %s is %s; expected an object", d.Operation, f.Node.Kind)
		if changes := d.Changes(f.Node.Items()); len(changes) == 1 && changes[0].Operation == brenner.Edit && changes[0].Target == d.Target && len(changes[0].Payload) <= maxBlock {
			out.Message = fmt.Sprintf("payload of the %s is a JSON patch; expected an object with the fields that change", d.Operation)
			out.Suggestion = `write "payload": ` + changes[0].Payload
			out.Fix = newFix(out.Suggestion, d.Text, source.Edit{Span: f.Node.Span(), Text: changes[0].Payload})
			return out
		}
		if name := d.NamedPayload(); name != "" {
			out.Message += fmt.Sprintf("; %s may be meant as payload", text.Quote(name))
			out.Suggestion = fmt.Sprintf("rename %s to payload, instead of this one", text.Quote(name))
		}
	default:
		out.Message = fmt.Sprintf("payload of the %s is empty", d.Operation)
	}
	if out.Suggestion == "" {
		out.Suggestion = `write "payload": ` + payloadTemplate(d)
	}
	if len(f.Misplaced) > 0 && out.Fix == nil {
		verb := "are"
		if len(f.Misplaced) == 1 {
			verb = "is"
		}
		out.Message += fmt.Sprintf("; %s %s next to operation instead of in payload", text.And(shortened(f.Misplaced)), verb)
		out.Suggestion = "move them into payload"
		if d.Payload != nil || f.Node == nil {
			if edits := d.MoveToPayload(f.Misplaced); edits != nil {
				out.Fix = newFix(out.Suggestion, d.Text, edits...)
			}
		}
	}
	return out
}

// payloadTemplate shows the payload that a delta must have: for an ADD all required
// fields.
func payloadTemplate(d *delta.Delta) string {
	section := d.Section
	if section == 0 {
		section, _ = delta.SuggestSection(d.Root.Get("section").StringOr(""))
	}
	required := requiredKeys(section)
	switch {
	case section == 0:
		return "{…}, with the fields of the item"
	case d.Operation == brenner.Add && len(required) > 0:
		return "{" + templates(section, required) + "}"
	}
	return "{" + templates(section, section.Keys()[:1]) + "}, or what else of the item changes"
}

// shortened returns at most eight names.
func shortened(names []string) []string {
	const most = 8
	out := text.QuoteAll(names[:min(len(names), most)])
	if more := len(names) - most; more > 0 {
		out = append(out, text.Count(more, "other", "others"))
	}
	return out
}

func requiredKeys(s brenner.Section) []string {
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
	if d.Operation == brenner.Edit {
		return lint.Diagnostic{
			Message:    fmt.Sprintf("EDIT in %s blanks %s, which each %s must have", d.Section, text.And(f.Empty), d.Section.Singular()),
			Suggestion: "leave unchanged fields out of the payload, or write " + templates(d.Section, f.Empty),
		}
	}
	var parts []string
	if len(f.Missing) > 0 {
		parts = append(parts, "lacks "+text.And(f.Missing))
	}
	var left, empty []string
	for _, key := range f.Empty {
		if delta.PlaceholderIn(d.Payload.Get(key)) != nil {
			left = append(left, key)
		} else {
			empty = append(empty, key)
		}
	}
	if len(left) > 0 {
		parts = append(parts, "leaves the placeholder in "+text.And(left))
	}
	if len(empty) > 0 {
		parts = append(parts, "leaves "+text.And(empty)+" empty")
	}
	out := lint.Diagnostic{
		Message:    fmt.Sprintf("ADD to %s %s", d.Section, strings.Join(parts, " and ")),
		Suggestion: "write into the payload: " + templates(d.Section, slices.Concat(f.Missing, f.Empty)),
	}
	if suggestOutcomes(&out, d, f) {
		return out
	}
	if hints := misnamedFields(d, f.Missing); len(hints) > 0 {
		out.Message += "; " + text.And(hints)
		renameFields(&out, d, f)
	}
	return out
}

// renameFields offers to rename the fields that may be meant as missing ones, and
// suggests to write the others.
func renameFields(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	meant := d.MisnamedFields()
	var edits []source.Edit
	var names, rest []string
	for _, key := range slices.Concat(f.Missing, f.Empty) {
		name, ok := meant[key]
		if !ok || !slices.Contains(f.Missing, key) {
			rest = append(rest, key)
			continue
		}
		names = append(names, text.Quote(name)+" to "+key)
		edits = append(edits, d.Rename(d.Payload.Member(name), key))
	}
	slices.SortFunc(edits, func(a, b source.Edit) int { return a.Span.Start - b.Span.Start })
	out.Suggestion = "rename " + text.And(names)
	fix := newFix(out.Suggestion, d.Text, edits...)
	if len(rest) == 0 {
		out.Fix = fix
		return
	}
	out.Assume = fix // it does not clear the finding
	out.Suggestion += ", and write into the payload: " + templates(d.Section, rest)
}

// suggestOutcomes moves outcomes next to the field that lacks them into it.
func suggestOutcomes(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) bool {
	if len(f.Missing) != 1 || len(f.Empty) > 0 || d.Section.Field(f.Missing[0]).Kind != brenner.OutcomesField {
		return false
	}
	var names, outcomes []string
	for _, m := range d.Payload.Members() {
		if id, ok := brenner.ParseItemID(m.Name); ok && !m.Repeated && id.Section == brenner.HypothesisSlate && m.Value.Is(jsontree.String) && says(m.Value.Text) {
			names = append(names, m.Name)
			outcomes = append(outcomes, jsontree.Quote(m.Name)+": "+jsontree.Quote(m.Value.Text))
		}
	}
	if len(names) == 0 {
		return false
	}
	verb := "are"
	if len(names) == 1 {
		verb = "is"
	}
	out.Message += fmt.Sprintf("; %s %s next to it", text.And(shortened(names)), verb)
	out.Suggestion = "move them into " + f.Missing[0]
	if object := "{" + strings.Join(outcomes, ", ") + "}"; len(object) <= maxBlock {
		out.Suggestion = "write into the payload: " + strconv.Quote(f.Missing[0]) + ": " + object + ", instead of " + text.And(shortened(names))
	}
	return true
}

// templates shows the form of fields.
func templates(s brenner.Section, keys []string) string {
	var out []string
	for _, key := range keys {
		out = append(out, strconv.Quote(key)+": "+s.Field(key).Placeholder())
	}
	return strings.Join(out, ", ")
}

// misnamedFields returns which unknown fields may be meant as missing ones.
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

// diagnoseValue words a value of the wrong type, range or enumeration.
func diagnoseValue(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	problem := valueProblem(f)
	if problem == "" {
		verb := "is"
		if f.Node != d.Payload.Get(f.Field) {
			verb = "holds"
		}
		problem = fmt.Sprintf("%s %s; expected %s", verb, f.Node.Kind, expectedValue(f.Schema))
	}
	out := lint.Diagnostic{Message: f.Field + " " + problem}
	suggestValue(&out, d, f)
	return out
}

// valueProblem says what is wrong with a value of the right type.
func valueProblem(f *delta.Fault) string {
	switch {
	case f.Node.Is(jsontree.String) && brenner.IsPlaceholder(f.Node.Text):
		return "is still the placeholder " + f.Node.Text + "; expected a value of your own"
	case f.Schema == nil:
	case len(f.Parts) > 0 && f.Schema.Kind == brenner.OutcomesField:
		return badOutcomes(f.Parts)
	case len(f.Parts) > 0:
		return badParts(f.Parts)
	case len(f.Schema.Values) > 0 && f.Node.Is(jsontree.String):
		problem := fmt.Sprintf("is %s; expected %s", text.Quote(f.Node.Text), text.Or(f.Schema.Values))
		if meant := valueMeant(strings.ToLower(strings.Trim(f.Node.Text, " .")), f.Schema.Values); meant != "" {
			problem += fmt.Sprintf("; did you mean %q?", meant)
		}
		return problem
	}
	return ""
}

// expectedValue describes what a field takes; nil is a replace key.
func expectedValue(f *brenner.Field) string {
	if f == nil {
		return "true or false"
	}
	switch f.Kind {
	case brenner.ListField:
		return "an array of strings"
	case brenner.FlagField:
		return "true or false"
	case brenner.OutcomesField:
		return `an object from hypothesis ids to texts, {"H1": "…"}`
	case brenner.ScoreField:
		return "an object of " + text.And(brenner.ScoreParts[:])
	case brenner.ReferenceField:
		return "an array of references"
	default:
		return "a string"
	}
}

// badOutcomes says which outcomes are of no hypothesis.
func badOutcomes(outcomes []jsontree.Member) string {
	var names []string
	for _, m := range outcomes[:min(len(outcomes), maxNamed)] {
		names = append(names, m.Name)
	}
	named := text.And(text.QuoteAll(names))
	if more := len(outcomes) - maxNamed; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return "has outcomes of " + named + "; expected ids of hypotheses, such as H1"
}

// maxNamed bounds the members of a value that a message names.
const maxNamed = 4

// badParts says which parts of a score are wrong.
func badParts(parts []jsontree.Member) string {
	var bad []string
	for _, m := range parts[:min(len(parts), maxNamed)] {
		if slices.Contains(brenner.ScoreParts[:], m.Name) {
			bad = append(bad, m.Name+" is "+shownValue(m.Value))
		} else {
			bad = append(bad, text.Quote(m.Name)+" is not a part of a score")
		}
	}
	if more := len(parts) - maxNamed; more > 0 {
		bad = append(bad, fmt.Sprintf("%d more", more))
	}
	return "part " + text.And(bad) + "; expected integers from 0 to 3 for " + text.And(brenner.ScoreParts[:])
}
