package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// deltaPayloadRules are about the content of a delta.
var deltaPayloadRules = []*lint.Rule{
	faultRule(&lint.Rule{
		ID: "DL-005", Name: "delta-payload", Severity: lint.Error, SpecRef: "delta_output_format#Field Definitions",
		Summary: "ADD and EDIT carry a non-empty object `payload`.",
		Help:    "set payload to an object with the fields of the item",
	}, []delta.Kind{delta.NoPayload}, diagnosePayload),
	faultRule(&lint.Rule{
		ID: "DL-006", Name: "delta-required-field", Severity: lint.Error, Code: "MISSING_REQUIRED_FIELD", SpecRef: "delta_output_format#Failure Mode 5",
		Summary: "ADD payload has every required field of its section, non-empty, and no EDIT blanks one; one finding per delta naming all missing fields, with the likely misnamed field where there is one.",
		Help:    "add the missing fields to the payload",
	}, []delta.Kind{delta.LacksFields}, diagnoseFields),
	faultRule(&lint.Rule{
		ID: "DL-007", Name: "delta-field-value", Severity: lint.Error, SpecRef: "delta_output_format#Payload Schemas by Section",
		Summary: "Payload fields have the type, enumeration and range that the section's schema gives (score parts are integers 0 to 3).",
		Help:    "write lists as arrays of strings, score parts as integers from 0 to 3, flags as true or false, and all else as text",
	}, []delta.Kind{delta.BadValue}, func(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
		verb := "is"
		if f.Node != d.Payload.Get(f.Field) {
			verb = "holds"
		}
		problem := fmt.Sprintf("%s %s; expected %s", verb, f.Node.Kind, expectedValue(f.Schema))
		isText := f.Node.Is(jsontree.String)
		switch {
		case isText && brenner.IsPlaceholder(f.Node.Text):
			problem = "is still the placeholder " + f.Node.Text + "; expected a value of your own"
		case f.Schema == nil: // a replace key
		case len(f.Parts) > 0 && f.Schema.Kind == brenner.OutcomesField:
			problem = badOutcomes(f.Parts)
		case len(f.Parts) > 0:
			problem = badParts(f.Parts)
		case len(f.Schema.Values) > 0 && isText:
			problem = fmt.Sprintf("is %s; expected %s", text.Quote(f.Node.Text), text.Or(f.Schema.Values))
			if meant := valueMeant(f.Node.Text, f.Schema.Values); meant != "" {
				problem += fmt.Sprintf("; did you mean %q?", meant)
			}
		}
		out := lint.Diagnostic{Message: f.Field + " " + problem}
		suggestValue(&out, d, f)
		return out
	}),
	faultRule(&lint.Rule{
		ID: "DL-008", Name: "delta-kill-reason", Severity: lint.Error, SpecRef: "delta_output_format#KILL payload",
		Summary: "KILL payload has a non-empty string `reason`.",
		Help:    `give the reason in the payload: {"reason": "…"}`,
	}, []delta.Kind{delta.NoReason}, func(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
		out := lint.Diagnostic{Suggestion: `write "payload": {"reason": "` + brenner.KillReasonPlaceholder + `"}`}
		switch payload := d.Root.Get("payload"); {
		case payload == nil:
			out.Message = "KILL has no payload; expected one with a reason"
		case d.Payload == nil:
			out.Message = fmt.Sprintf("payload of the KILL is %s; expected an object with a reason", payload.Kind)
		case f.Node == nil:
			out.Message = "KILL has no reason in its payload"
		default:
			what := f.Node.Kind.String()
			if brenner.IsPlaceholder(f.Node.StringOr("")) {
				what = "still a placeholder"
			} else if f.Node.Is(jsontree.String) {
				what = "empty"
			}
			out.Message = "reason of the KILL is " + what + "; expected a text that says why the item is killed"
		}
		moveReason(&out, d, f)
		return out
	}),
}

// diagnosePayload words an ADD or EDIT without content. If the fields are next to
// operation, it names them (decisions.md 50).
func diagnosePayload(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	var out lint.Diagnostic
	switch object, _ := d.ObjectIn(f.Node); {
	case f.Node == nil:
		out.Message = fmt.Sprintf("%s has no payload; expected an object with the fields of the item", d.Operation)
		for _, name := range []string{"", d.Misnamed("payload")} {
			if payload, used, edits := d.WithFields(name); edits != nil && len(payload) <= maxBlock {
				offer(&out, `write "payload": `+payload+", instead of "+quoted(maxNamed, used), d.Text, edits...)
				return out
			}
		}
		if renameMember(&out, d, "payload"); !d.Root.Get(d.Misnamed("payload")).Is(jsontree.Object) {
			out.Suggestion, out.Fix = "", nil
		}
	case object != nil:
		out.Message = fmt.Sprintf("payload of the %s is a string with an object; expected the object", d.Operation)
		offer(&out, withoutQuotes, d.Text, replace(f.Node, string(object)))
		if len(object) <= maxBlock {
			out.Suggestion = `write "payload": ` + string(object)
		}
		return out
	case d.Payload == nil:
		out.Message = fmt.Sprintf("payload of the %s is %s; expected an object", d.Operation, f.Node.Kind)
		payload := d.JoinedPayload()
		if changes := d.Changes(f.Node.Items()); len(changes) == 1 && changes[0].Operation == brenner.Edit && changes[0].Target == d.Target && len(changes[0].Payload) <= maxBlock {
			out.Message = fmt.Sprintf("payload of the %s is a JSON patch; expected an object with the fields that change", d.Operation)
			payload = changes[0].Payload
		} else if payload == "" {
			payload, _, _ = d.WithFields("payload")
		}
		if payload != "" && len(payload) <= maxBlock {
			offer(&out, `write "payload": `+payload, d.Text, replace(f.Node, payload))
			return out
		}
		if items := d.Payloads(); d.Operation == brenner.Add && 1 < len(items) && len(items) <= maxTargets {
			offerEach(&out, d, f.Node, items)
			return out
		}
	default:
		out.Message = fmt.Sprintf("payload of the %s is empty", d.Operation)
	}
	if name := d.NamedPayload(); name != "" && f.Node != nil {
		out.Message += fmt.Sprintf("; %s may be meant as payload", text.Quote(name))
		out.Suggestion = fmt.Sprintf("rename %s to payload, instead of this one", text.Quote(name))
		if f.Node.Absent() || d.Payload != nil {
			out.Fix = newFix(out.Suggestion, d.Text, d.Without("payload", name)...)
		}
	}
	if out.Suggestion == "" {
		out.Suggestion = `write "payload": ` + payloadTemplate(d)
	}
	if len(f.Misplaced) > 0 && out.Fix == nil {
		out.Message += fmt.Sprintf("; %s %s next to operation instead of in payload", quoted(8, f.Misplaced), isOrAre(f.Misplaced))
		var edits []source.Edit
		if d.Payload != nil || f.Node == nil {
			edits = d.MoveToPayload(f.Misplaced)
		}
		offer(&out, "move them into payload", d.Text, edits...)
	}
	return out
}

// payloadTemplate shows the payload that a delta must have: for an ADD all required
// fields.
func payloadTemplate(d *delta.Delta) string {
	section := cmp.Or(d.Section, delta.SectionNamed(d.Root.Get("section")))
	required := requiredKeys(section)
	switch {
	case section == 0:
		return "{…}, with the fields of the item"
	case d.Operation == brenner.Add && len(required) > 0:
		return "{" + templates(section, required) + "}"
	}
	return "{" + templates(section, section.Keys()[:1]) + "}, or what else of the item changes"
}

// requiredKeys returns the fields that a new item must have, and the potency check that DL-025 asks for.
func requiredKeys(s brenner.Section) []string {
	var keys []string
	for _, f := range s.Fields() {
		if f.Required || f.Key == "potency_check" {
			keys = append(keys, f.Key)
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
	if d.Misfiled != 0 {
		out := lint.Diagnostic{Message: fmt.Sprintf("payload of the ADD to %s is that of an item of %s", d.Section, d.Misfiled)}
		assumeValue(&out, d, f.Node, d.Misfiled.ID())
		out.Suggestion += " as section"
		return out
	}
	if d.ChangesItem() {
		out := lint.Diagnostic{Message: fmt.Sprintf("ADD to %s lacks %s, and has target_id %q", d.Section, text.And(f.Missing), cmp.Or(d.TargetID, d.Root.Get(d.Misnamed("target_id")).StringOr("")))}
		op, _ := d.LikelyOperation()
		assumeValue(&out, d, d.Root.Get("operation"), string(op))
		return out
	}
	var left, empty, parts []string
	for _, key := range f.Empty {
		if delta.PlaceholderIn(d.Payload.Get(key)) != nil {
			left = append(left, key)
		} else {
			empty = append(empty, key)
		}
	}
	if len(f.Missing) > 0 {
		parts = append(parts, "lacks "+text.And(f.Missing))
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
	if inner := d.NestedPayload(); inner != nil {
		out.Message += fmt.Sprintf("; they are inside %s", text.Quote(inner.Name))
		offer(&out, "write what is in "+text.Quote(inner.Name)+" as the payload", d.Text, d.Spread(inner)...)
	} else if len(f.Misplaced) > 0 {
		out.Message += fmt.Sprintf("; %s %s next to operation instead of in payload", quoted(8, f.Misplaced), isOrAre(f.Misplaced))
		offer(&out, "move "+quoted(len(f.Misplaced), f.Misplaced)+" into payload", d.Text, d.MoveToPayload(f.Misplaced)...)
		var moved []string
		for _, name := range f.Misplaced {
			moved = append(moved, d.FieldMeant(name))
		}
		isMoved := func(key string) bool { return slices.Contains(moved, key) }
		addRest(&out, d, slices.DeleteFunc(slices.Concat(f.Missing, f.Empty), isMoved))
	} else if !suggestOutcomes(&out, d, f) {
		renameFields(&out, d, f)
	}
	return out
}

// addRest suggests to write fields that a fix of others does not give.
func addRest(out *lint.Diagnostic, d *delta.Delta, rest []string) {
	if len(rest) > 0 {
		out.Fix, out.Assume = nil, out.Fix // it does not clear the finding
		out.Suggestion += ", and write into the payload: " + templates(d.Section, rest)
	}
}

// renameFields names the unknown fields that may be meant as missing ones, if there are any. It
// offers to rename them, and suggests to write the others.
func renameFields(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	meant := d.MisnamedFields()
	var edits []source.Edit
	var hints, renames, rest []string
	for _, key := range f.Missing {
		name, ok := meant[key]
		if !ok {
			rest = append(rest, key)
			continue
		}
		as := " as "
		if hints == nil {
			as = " may be meant as "
		}
		hints = append(hints, text.Quote(name)+as+key)
		renames = append(renames, text.Quote(name)+" to "+key)
		edits = append(edits, d.Rename(d.Payload.Member(name), key))
	}
	if hints == nil {
		return
	}
	out.Message += "; " + text.And(hints)
	slices.SortFunc(edits, func(a, b source.Edit) int { return a.Span.Start - b.Span.Start })
	offer(out, "rename "+text.And(renames), d.Text, edits...)
	addRest(out, d, append(rest, f.Empty...))
}

// suggestOutcomes moves outcomes next to the field that lacks them into it, and reports whether
// there are any.
func suggestOutcomes(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) bool {
	if len(f.Missing) != 1 || len(f.Empty) > 0 || d.Section.Field(f.Missing[0]).Kind != brenner.OutcomesField {
		return false
	}
	names, object := partsBeside(d, d.Section.Field(f.Missing[0]))
	if len(names) == 0 {
		return false
	}
	out.Message += fmt.Sprintf("; %s %s next to it", quoted(8, names), isOrAre(names))
	out.Suggestion = "move them into " + f.Missing[0]
	if len(object) <= maxBlock {
		offer(out, "write into the payload: "+strconv.Quote(f.Missing[0])+": "+object+", instead of "+quoted(8, names), d.Text, d.Gather(names, f.Missing[0], object)...)
	}
	return true
}

// suffixed is an outcome next to predictions under a longer name: H1_prediction.
var suffixed = text.Pattern(`^(H[1-9][0-9]*)_(?:prediction|outcome)s?$`)

// partsBeside returns the members of the payload that are outcomes, or parts of a score, of a field that it does not
// have, and the object of them.
func partsBeside(d *delta.Delta, f *brenner.Field) (names []string, object string) {
	if d.Payload.Get(f.Key) != nil {
		return nil, ""
	}
	isScore := f.Kind == brenner.ScoreField
	var parts []string
	for _, m := range d.Payload.Members() {
		name, value := m.Name, ""
		switch {
		case m.Repeated:
		case isScore && slices.Contains(brenner.ScoreParts[:], name):
			value = partValue(m.Value)
		case !isScore && strings.HasPrefix(name, "H") && hasContent(m.Value.StringOr("")):
			name = suffixed().ReplaceAllString(name, "$1")
			if id, ok := brenner.ParseItemID(name); ok && id.Section == brenner.HypothesisSlate {
				value = jsontree.Quote(m.Value.Text)
			}
		}
		if value != "" {
			names = append(names, m.Name)
			parts = append(parts, jsontree.Quote(name)+": "+value)
		}
	}
	return names, "{" + strings.Join(parts, ", ") + "}"
}

// templates shows the form of fields.
func templates(s brenner.Section, keys []string) string {
	var out []string
	for _, key := range keys {
		out = append(out, strconv.Quote(key)+": "+s.Field(key).Placeholder())
	}
	return strings.Join(out, ", ")
}

// expectedValues describe what fields take; all others take a string.
var expectedValues = map[brenner.FieldKind]string{
	brenner.ListField:      "an array of strings",
	brenner.FlagField:      "true or false",
	brenner.OutcomesField:  `an object from hypothesis ids to texts, {"H1": "…"}`,
	brenner.ScoreField:     "an object of " + text.And(brenner.ScoreParts[:]),
	brenner.ReferenceField: "an array of references",
}

// expectedValue describes what a field takes; nil is a replace key.
func expectedValue(f *brenner.Field) string {
	if f == nil {
		return expectedValues[brenner.FlagField]
	}
	return cmp.Or(expectedValues[f.Kind], "a string")
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

// moveReason offers to move the reason to its place: it is next to operation, the payload
// itself, under another name, or only in the rationale.
func moveReason(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	payload, rationale := d.Root.Get("payload"), d.Root.Get("rationale")
	said := func(n *jsontree.Node) bool { return hasContent(n.StringOr("")) }
	object, root := d.QuotedKill()
	switch name, certain := reasonMeant(d); {
	case len(f.Misplaced) > 0 && !delta.Blank(d.Root.Get("reason")):
		var edits []source.Edit
		if f.Node == nil && (payload == nil || d.Payload != nil) {
			edits = d.MoveToPayload(f.Misplaced)
		}
		offer(out, "move reason into the payload", d.Text, edits...)
	case object != nil:
		if offer(out, withoutQuotes, d.Text, replace(payload, string(object))); len(object) <= maxBlock {
			out.Suggestion = `write "payload": ` + string(object)
		}
	case root.Get("reason") != nil: // it is blank
	case said(payload):
		written := `{"reason": ` + jsontree.Quote(payload.Text) + `}`
		isJSON := strings.HasPrefix(strings.TrimSpace(payload.Text), "{")
		if offerIf(!isJSON, out, "write it as the reason", d.Text, replace(payload, written)); len(written) <= maxBlock {
			out.Suggestion = `write "payload": ` + written
		}
	case name != "" && f.Node == nil:
		out.Quoted = []string{name}
		offerIf(certain, out, "rename "+strings.Trim(text.Quote(name), `"`)+" to reason", d.Text, d.Rename(d.Payload.Member(name), "reason"))
		if d.Root.Get(name) != nil {
			out.Suggestion += " in the payload"
		}
	case d.NestedPayload() != nil:
		inner := d.NestedPayload()
		out.Message += "; it is inside " + text.Quote(inner.Name)
		offer(out, "write what is in "+text.Quote(inner.Name)+" as the payload", d.Text, replace(d.Payload, d.Text.Slice(inner.Value.Span())))
	case payload == nil && d.KillsUnder() != "":
		renameMember(out, d, "payload")
	case joinedTexts(f.Node) != "":
		reason := jsontree.Quote(joinedTexts(f.Node))
		offer(out, `write "reason": `+reason, d.Text, replace(f.Node, reason))
	case said(rationale) && d.Misnamed("payload") == "" && (payload.Absent() || d.Payload != nil && len(d.Payload.Members()) == 0):
		reason := jsontree.Quote(rationale.Text)
		edits := d.Gather(nil, "reason", reason)
		if len(reason) > maxShownValue {
			reason = `"` + brenner.KillReasonPlaceholder + `"`
		}
		offerIf(false, out, `write "payload": {"reason": `+reason+`}`, d.Text, edits...)
	}
}

// reasonMeant returns the member of the payload that is meant as the reason, by its name or as the only one, which is
// not certain; "" if none is.
func reasonMeant(d *delta.Delta) (name string, certain bool) {
	all := d.Payload.Members()
	if name = delta.MisnamedReason(d.Payload); name != "" || len(all) != 1 || !hasContent(all[0].Value.StringOr("")) {
		return name, true
	}
	name = all[0].Name
	isField := func(s brenner.Section) bool { return isListed(s, name) }
	_, isID := brenner.ParseItemID(all[0].Value.Text)
	if name == "reason" || slices.ContainsFunc(brenner.Sections[:], isField) || brenner.IsSystemField(name) || delta.IsMember(name) || isID {
		return "", false
	}
	return name, false
}

// suggestValue suggests a value for one of the wrong type, range or enumeration, and
// offers to write it if only the notation differs: a list of one without brackets, a
// number in quotes, a word in capitals.
func suggestValue(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	write := func(value string, certain bool) {
		suggestion := "write " + value
		if len(value) > maxShownValue {
			suggestion = "write it as " + expectedValue(f.Schema)
		}
		offerIf(certain, out, suggestion, d.Text, replace(f.Node, value))
	}
	if f.Schema == nil { // a replace key
		names := []string{f.Node.Text} // of the fields that it replaces
		for _, item := range f.Node.Items() {
			names = append(names, item.Text)
		}
		names = slices.DeleteFunc(names, func(key string) bool { // what is no list is replaced anyway
			return key == "" || d.Section.Field(key) != nil && !d.IsReplaceKey(key+"_replace")
		})
		isList := func(key string) bool {
			return d.IsReplaceKey(key+"_replace") && d.Payload.Get(key) != nil && d.Payload.Get(key+"_replace") == nil
		}
		areLists := len(names) > 0 && len(names) <= len(d.Section.Fields()) && !slices.ContainsFunc(names, func(key string) bool { return !isList(key) })
		if value := flagFor(f.Node); value != "" {
			write(value, true)
		} else if f.Field == "replace" && areLists {
			value := "true"
			for _, key := range names[1:] {
				value += fmt.Sprintf(`, "%s_replace": true`, key)
			}
			edits := []source.Edit{d.Rename(d.Payload.Member("replace"), names[0]+"_replace"), replace(f.Node, value)}
			offer(out, fmt.Sprintf(`write "%s_replace": %s`, names[0], value), d.Text, edits...)
		} else if key, isOne := strings.CutSuffix(f.Field, "_replace"); isOne && len(f.Node.Items()) > 0 { // the list itself
			value := jsontree.Compact(d.Text.Slice(f.Node.Span())) + ", " + strconv.Quote(f.Field) + ": true"
			if d.Payload.Get(key) != nil {
				out.Suggestion = fmt.Sprintf("write %q: %s, instead of both", key, value)
			} else if len(value) <= maxBlock {
				edits := []source.Edit{d.Rename(d.Payload.Member(f.Field), key), replace(f.Node, value)}
				offer(out, fmt.Sprintf("write %q: %s", key, value), d.Text, edits...)
			}
		}
		return
	}
	out.Suggestion = "write " + strconv.Quote(f.Field) + ": " + f.Schema.Placeholder()
	whole := f.Node == d.Payload.Get(f.Field) // else it is in the field's array or object
	isText, isScalar := f.Node.Is(jsontree.String), f.Node.Is(jsontree.Number) || f.Node.Is(jsontree.Bool)
	said := isText && hasContent(f.Node.Text)
	isFreeText := f.Schema.Kind == brenner.TextField && len(f.Schema.Values) == 0
	switch kind := f.Schema.Kind; {
	case len(f.Parts) > 0 && kind == brenner.OutcomesField:
		suggestOutcomeNames(out, d, f)
	case isText && brenner.IsPlaceholder(f.Node.Text):
	case kind == brenner.ScoreField && (len(f.Parts) > 0 || isText || f.Node.Is(jsontree.Array)):
		suggestScore(out, d, f)
	case kind == brenner.OutcomesField && whole && suggestOutcomesOf(out, d, f):
	case kind == brenner.OutcomesField && (!isScalar || len(d.Payload.Get(f.Field).Members()) > 1) && suggestOutcomeTexts(out, d, f):
	case kind == brenner.ListField && !whole && !isText && !isScalar && flatList(d.Payload.Get(f.Field)) != nil:
		writeField(out, d, f, arrayOf(flatList(d.Payload.Get(f.Field))), "write one list of texts")
	case whole && suggestNew(out, d, f):
	case f.Field == "anchors" && whole && said:
		suggestAnchors(out, d, f)
	case f.Schema.IsArray() && whole && suggestList(out, d, f):
	case f.Field == "conflicts_with" && (isScalar || whole && said) && idsSaid(f.Node.Text) == nil: // a sentence, or a number
	case kind == brenner.ListField && whole && said:
		write(listOf(f.Node.Text), true)
	case kind == brenner.FlagField && flagFor(f.Node) != "":
		write(flagFor(f.Node), true)
	case kind == brenner.FlagField && len(f.Node.Members()) == 1 && strings.EqualFold(f.Node.Members()[0].Name, "$unset"):
		write("false", true)
	case kind == brenner.FlagField:
		out.Suggestion = "write " + strconv.Quote(f.Field) + ": true, or false"
	case len(f.Schema.Values) > 0 && isText:
		if meant := valueMeant(f.Node.Text, f.Schema.Values); meant != "" {
			write(strconv.Quote(meant), meant == folded(f.Node.Text))
		}
	case f.Field == "anchors" && f.Node.Is(jsontree.Number) && brenner.IsNumber(f.Node.Text): // 42 for §42
		value := `"§` + f.Node.Text + `"`
		if whole {
			value = "[" + value + "]"
		}
		write(value, false)
	case isScalar && (whole && isFreeText || !whole && (kind == brenner.ListField || kind == brenner.OutcomesField)):
		write(strconv.Quote(f.Node.Text), true)
	case isFreeText && joinedTexts(f.Node) != "":
		said := joinedTexts(f.Node)
		isEach := func(ids []string) bool { return len(ids) == len(f.Node.Items()) } // not one of several: H3 vs H1/H2
		if ids := idsSaid(said); f.Field == "discriminates" && isEach(ids) && len(slices.Compact(slices.Sorted(slices.Values(ids)))) == len(ids) {
			said = strings.Join(ids, " vs ")
		}
		write(jsontree.Quote(said), true)
	case kind == brenner.ReferenceField && whole && referencesOf(f.Node) != "":
		write(referencesOf(f.Node), true)
	}
}

// writeField suggests to write another value of a field, and offers to write it.
func writeField(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault, value, description string) {
	out.Suggestion = "write " + strconv.Quote(f.Field) + ": " + value
	out.Fix = newFix(description, d.Text, replace(d.Payload.Get(f.Field), value))
}

// maxShownValue bounds the values that suggestions repeat.
const maxShownValue = 120

// opposites are words that name a value by its opposite: an assumption that is "not verified" is
// unchecked.
var opposites = map[string]string{
	"unverified": "unchecked", "not verified": "unchecked", "not checked": "unchecked", "untested": "unchecked", "pending": "unchecked",
	"unresolved": "active", "not resolved": "active", "open": "active", "postponed": "deferred",
	"not tested": "untested", "not run": "untested", "pass": "passed", "fail": "failed",
}

// valueMeant returns the value that a word most likely means, "" if none.
func valueMeant(word string, values []string) string {
	word = folded(word)
	if meant := opposites[word]; slices.Contains(values, meant) {
		return meant
	}
	return nearestValue(word, values)
}

// folded returns a word in lower case without a full stop.
func folded(word string) string { return strings.ToLower(strings.Trim(word, " .")) }

// flagFor returns the flag that a text or number means, "" if none.
func flagFor(n *jsontree.Node) string {
	if !n.Is(jsontree.String) && !n.Is(jsontree.Number) {
		return ""
	}
	switch strings.ToLower(strings.TrimSpace(n.Text)) {
	case "true", "yes", "1":
		return "true"
	case "false", "no", "0":
		return "false"
	}
	return ""
}

// listOf returns a text as an array: of its parts if it is a list of ids or anchors,
// else of itself.
func listOf(s string) string {
	s = unbracketed(s)
	if ids := idsSaid(s); ids != nil {
		return arrayOf(ids)
	}
	var parts []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); strings.ContainsAny(part, " \t") || part == "" {
			return arrayOf([]string{s})
		}
		parts = append(parts, part)
	}
	return arrayOf(parts)
}

// unbracketed returns a list of several without the brackets around the whole of it.
func unbracketed(s string) string {
	in, opens := strings.CutPrefix(s, "[")
	if in, closes := strings.CutSuffix(in, "]"); opens && closes && strings.Contains(in, ",") && !strings.ContainsAny(in, "[]") {
		return strings.TrimSpace(in)
	}
	return s
}

// arrayOf returns texts as an array of JSON.
func arrayOf(texts []string) string {
	var out []string
	for _, t := range texts {
		out = append(out, jsontree.Quote(t))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// idsSaid returns the ids of a text that holds nothing else: "H1 and A2"; nil if there is more.
func idsSaid(s string) []string {
	if len(s) > maxShownValue {
		return nil
	}
	var ids []string
	for _, word := range idSeparator().Split(strings.TrimLeft(unbracketed(s), "-*• "), -1) {
		id, ok := delta.SuggestTarget(word)
		if !ok || strings.ContainsAny(word, ":(") { // a remark would be lost
			return nil
		}
		ids = append(ids, id.String())
	}
	return ids
}

var idSeparator = text.Pattern(`\s*(?:[,;&/]|\n\s*[-*•]|\b(?:and|vs\.?|versus)\s)\s*(?:and\s+)?`)

// joinedTexts returns an array of texts as one text, "" if it is not such an array.
func joinedTexts(n *jsontree.Node) string {
	var out []string
	for _, item := range n.Items() {
		if !hasContent(item.StringOr("")) {
			return ""
		}
		out = append(out, item.Text)
	}
	return strings.Join(out, "; ")
}

// suggestOutcomeTexts reads outcomes that are in lists, or in objects with nothing else, and writes placeholders
// for others. It reports whether it could.
func suggestOutcomeTexts(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) bool {
	var outcomes []string
	known := true
	for _, m := range d.Payload.Get(f.Field).Members() {
		said := cmp.Or(joinedTexts(m.Value), m.Value.Text)
		if inner := m.Value.Members(); len(inner) == 1 && slices.Contains([]string{"outcome", "prediction", "expected", "result", "text", "value"}, inner[0].Name) {
			said = inner[0].Value.StringOr("")
		}
		if !hasContent(said) {
			if _, isID := brenner.ParseItemID(m.Name); !isID {
				return false
			}
			said, known = brenner.OutcomePlaceholder(m.Name), false
		}
		outcomes = append(outcomes, jsontree.Quote(m.Name)+": "+jsontree.Quote(said))
	}
	object := "{" + strings.Join(outcomes, ", ") + "}"
	if len(outcomes) == 0 || len(object) > maxBlock {
		return false
	}
	if writeField(out, d, f, object, "write each outcome as a text"); !known {
		out.Fix = nil
	}
	return true
}

// flatList returns the texts of a list with entries that are lists, or anchors with quotations; nil if
// others are among them.
func flatList(n *jsontree.Node) (texts []string) {
	for _, item := range n.Items() {
		anchor, quote := item.Get("anchor").StringOr(""), item.Get("quote").StringOr("")
		inner := flatList(item)
		switch {
		case hasContent(item.StringOr("")):
			inner = []string{item.Text}
		case len(item.Members()) == 2 && anchor != "" && quote != "":
			inner = []string{anchor + ` ("` + quote + `")`}
		}
		if inner == nil || len(texts) > maxTargets {
			return nil
		}
		texts = append(texts, inner...)
	}
	return texts
}

// suggestOutcomeNames suggests the hypotheses that outcomes name in another form: h1, H01
// or "H1 (lineage)".
func suggestOutcomeNames(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	out.Suggestion = "name each outcome by the id of its hypothesis, as in " + f.Schema.Placeholder()
	outcomes := d.Payload.Get(f.Field)
	var edits []source.Edit
	var names []string
	for i := range f.Parts {
		m := &f.Parts[i]
		word, rest, _ := strings.Cut(underHypothesis().ReplaceAllString(strings.TrimSpace(m.Name), ""), " ")
		id, ok := delta.SuggestTarget(word)
		if !ok || isOtherwise().MatchString(rest) || id.Section != brenner.HypothesisSlate || outcomes.Get(id.String()) != nil || slices.Contains(names, id.String()) || len(names) == maxTargets {
			return
		}
		names = append(names, id.String())
		edits = append(edits, d.Rename(m, id.String()))
	}
	offer(out, "write "+text.And(names), d.Text, edits...)
}

// underHypothesis is what writers put before the hypothesis of an outcome. isOtherwise is what makes the
// words after it another condition: "H1 and H2", "H1 is false".
var (
	underHypothesis = text.Pattern(`^(?i:if|under) `)
	isOtherwise     = text.Pattern(`(?i)[&+/]|\b[A-Z]{1,2}[0-9]|n't\b|\b(?:and|but|dead|dies|except|fail(?:s|ed|ure)?|false|given|if|killed|lacks|loses|lost|minus|no|not|or|out|plus|refuted|rejected|than|to|unless|until|unlikely|untrue|versus|vs|when|while|with|without|wrong)\b`)
)

// suggestScore suggests what a score says: in an object under other names or in other forms (lr
// for the likelihood ratio, 3 for "3/3"), in an array of the parts in their order, or in a text,
// 9/12 (LR=3, Cost=2, …). A total is left out.
func suggestScore(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	values := map[string]string{}
	score := d.Payload.Get(f.Field)
	members, items := score.Members(), score.Items()
	whole, unsafe := len(members) == 0, score.Is(jsontree.Array) // whether all parts are written
	for i, part := range brenner.ScoreParts {
		if len(items) == len(brenner.ScoreParts) {
			values[part] = partValue(items[i])
		} else {
			values[part] = partIn(score.StringOr(""), part)
		}
	}
	var edits []source.Edit // of the parts alone
	given, total, sum := 0, "", 0
	for i := range members {
		m := &members[i]
		part, value := partMeant(m.Name), partValue(m.Value)
		if m.Replaced { // by a later one
			given++
			continue
		}
		if part == "" {
			isTotal := strings.EqualFold(m.Name, "total") || strings.EqualFold(m.Name, "sum")
			if isTotal && m.Value.Is(jsontree.Number) {
				total = m.Value.Text
			}
			unsafe = unsafe || !isTotal
			continue
		}
		given++
		if values[part] != "" || value == "" {
			values[part] = brenner.ScorePlaceholder
			continue
		}
		values[part] = value
		if m.Name != part {
			edits = append(edits, d.Rename(m, part))
		}
		if d.Text.Slice(m.Value.Span()) != value {
			edits = append(edits, source.Edit{Span: m.Value.Span(), Text: value})
		}
	}
	whole = whole || given == 0 || unsafe
	var parts []string
	known := true
	for _, part := range brenner.ScoreParts {
		value := values[part]
		if value == "" && whole {
			value = brenner.ScorePlaceholder
		}
		if value != "" {
			parts = append(parts, strconv.Quote(part)+": "+value)
		}
		known = known && value != brenner.ScorePlaceholder
		n, _ := strconv.Atoi(value)
		sum += n
	}
	unsafe = unsafe || total != "" && total != strconv.Itoa(sum)
	object := "{" + strings.Join(parts, ", ") + "}"
	writeField(out, d, f, object, "write the score as "+object)
	switch {
	case !known:
		out.Fix = nil
		out.Suggestion += ", integers from 0 to 3; 3 is best in each part (decisive, cheap, quick, unambiguous), because the total ranks the tests"
	case given > 0 && given == len(members):
		out.Fix = newFix(out.Fix.Description, d.Text, edits...)
	default:
		out.Fix.Unsafe = unsafe
	}
}

// partMeant returns the part of a score that a name means, "" if none.
func partMeant(name string) string {
	switch folded := brenner.FoldKey(name); {
	case folded == "lr" || folded == "likelihood":
		return brenner.ScoreParts[0]
	case slices.Contains(brenner.ScoreParts[:], folded):
		return folded
	}
	return text.Nearest(name, brenner.ScoreParts[:])
}

// partIn returns the value of a part in a text, "" if there is none, or another one, or it is in doubt: LR=2-3.
func partIn(said, part string) (value string) {
	said = said[:min(len(said), maxBlock)]
	for _, m := range partNames()[part].FindAllStringSubmatchIndex(said, -1) {
		this := said[m[2]:m[3]]
		if value != "" && value != this || partDoubted().MatchString(said[m[3]:]) {
			return ""
		}
		value = this
	}
	return value
}

// partDoubted is what makes a number of a part a range, a share of another number, or a percentage.
var partDoubted = text.Pattern(`^[ \t]*(?:[-–—→~%±]|\(?(?:out of|of)\s+(?:[^3]|3[0-9])|(?:or|to)\b)`)

// partValue returns the number from 0 to 3 that a value says, "" if none: 3, "3", "3/3" or "3 out
// of 3".
func partValue(n *jsontree.Node) string {
	if n.Is(jsontree.String) || n.Is(jsontree.Number) {
		if m := partSaid().FindStringSubmatch(n.Text); m != nil {
			return m[1]
		}
	}
	return ""
}

var partSaid = text.Pattern(`^\s*([0-3])(?:\.0)?\s*(?:(?:/|out of|of)\s*3\s*)?$`)

// partNames are how writers name the parts of a score in a text.
var partNames = sync.OnceValue(func() map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for part, names := range map[string]string{"likelihood_ratio": "likelihood[ _-]?ratio|likelihood|lr", "cost": "cost", "speed": "speed", "ambiguity": "ambiguity|ambig"} {
		out[part] = regexp.MustCompile(`(?i)\b(?:` + names + `)\b["\x60*]*\s*[:=]?\s*([0-3])(?:\s*/\s*3)?(?:[^0-9./]|[./][^0-9]|$)`)
	}
	return out
})

// noAnchors is a text that says that there are none, deniedAnchors one that says of some that they do not
// count, and newAnchors one that says that they replace others.
var (
	noAnchors     = text.Pattern(`^(?i)\W*(?:none|nothing|nil|null|n/?a|not applicable|tb[ad])?\W*$`)
	deniedAnchors = text.Pattern(`(?i)~~|\b(?:no|not|without|removed?|drop(?:ped)?|deleted?|except|instead|rather|unlike|contrary|contra|con|contradict(?:s|ed)?|reject(?:s|ed)?|refut(?:es|ed)|disput(?:es|ed)|against|oppos(?:es|ed))\b`)
	newAnchors    = text.Pattern(`^(?i)\s*replaced?(?: (?:it|them|all|the anchors|anchors))?(?: with| by|:)\s`)
)

// suggestAnchors reads a text with several citations. An EDIT unites anchors unless it says otherwise.
func suggestAnchors(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	said, replaces := f.Node.Text, ""
	if start := newAnchors().FindString(said); start != "" && d.Operation == brenner.Edit {
		said, replaces = said[len(start):], `, "anchors_replace": true`
	}
	outside := remarks().ReplaceAllString(strings.ReplaceAll(said, "(not)", "not"), "")
	switch {
	case noAnchors().MatchString(said):
	case deniedAnchors().MatchString(outside):
		if d.Operation == brenner.Edit {
			suggestWholeList(out, f)
		}
	default:
		list, certain := anchorsOf(said)
		if list == "" {
			return
		}
		offerIf(certain && replaces == "", out, "write "+list+replaces, d.Text, replace(f.Node, list+replaces))
	}
}

// remarks are what follows anchors in brackets or quotation marks, and anchorParts what a text of anchors
// consists of: these, addresses, what separates anchors, and words.
var (
	remarks     = text.Pattern(`\([^()]*\)|"[^"\n]*"|“[^”\n]*”|\[[A-Za-z][^\[\]]*\]`)
	anchorParts = text.Pattern(`\([^()]*\)|"[^"\n]*"|“[^”\n]*”|\[[A-Za-z][^\[\]]*\]|https?://\S*[^\s,;，；、]|[,;，；、\n]| (?:and|&) |[^\s,;，；、("“\[]+|(?s:.)`)
	sections    = text.Pattern(`^(?i)sections\b`)
	alternative = text.Pattern(`\s*[/|]\s*§`)
)

// anchorsOf returns a text with several citations as an array of anchors. An entry that is no
// anchor becomes a source, which is not certain. The list is empty if words join sections.
func anchorsOf(s string) (list string, certain bool) {
	certain = true
	var out []string
	if in := unbracketed(s); strings.HasPrefix(in, "§") || strings.HasPrefix(in, "inference") {
		s = in
	}
	s = alternative().ReplaceAllString(strings.ReplaceAll(s, "(and ", ";("), "; §")
	start := 0
	for _, part := range append(anchorParts().FindAllStringIndex(s, -1), []int{len(s), len(s)}) {
		switch s[part[0]:part[1]] {
		case ",", ";", "，", "；", "、", "\n", " and ", " & ", "": // the end
		default:
			continue
		}
		entry := strings.TrimSpace(s[start:part[0]])
		if start = part[1]; strings.HasPrefix(entry, "(") {
			entry = strings.Trim(entry, "()")
		}
		if entry != "" {
			anchor, ok := plainAnchor(sections().ReplaceAllString(entry, "section"))
			if anchor == "" {
				return "", false
			}
			certain = certain && ok
			out = append(out, anchor)
		}
	}
	return arrayOf(out), certain
}

// plainAnchor returns what an entry of a list of anchors means, "" if that is unknown, and whether it
// is certain.
func plainAnchor(entry string) (anchor string, certain bool) {
	if !isPlainAnchor(entry) {
		var edits []source.Edit
		for _, a := range brenner.ParseAnchors(entry) {
			if a.Kind == brenner.MojibakeAnchor && len(entry) <= maxBlock {
				edits = append(edits, source.Edit{Span: a.Span, Text: brenner.Restored(entry[a.Span.Start:a.Span.End])})
			}
		}
		entry = string(source.Apply([]byte(entry), edits))
	}
	if isPlainAnchor(entry) {
		return entry, true
	}
	if open, remark, ok := strings.Cut(strings.TrimPrefix(entry, "["), "]"); ok && strings.HasPrefix(entry, "[§") {
		return strings.TrimSpace(open + " " + strings.TrimSpace(remark)), true
	}
	isPage := strings.HasPrefix(strings.ToLower(entry), "p")
	if meant, ok := strings.CutPrefix(suggestAnchor(entry), "write "); ok && !isPage && !strings.Contains(meant, " if ") && !strings.HasPrefix(meant, "each ") {
		return meant, true
	}
	if strings.Contains(entry, "§") {
		return "", false
	}
	return "[external: " + strings.Trim(entry, "[]") + "]", false
}

// isPlainAnchor reports whether all anchors of an entry are as they should be, and not several joined in one.
func isPlainAnchor(entry string) bool {
	all := brenner.ParseAnchors(entry)
	isBad := func(a brenner.Anchor) bool {
		return a.Kind == brenner.UnknownAnchor || a.Kind == brenner.MojibakeAnchor || a.Doubled
	}
	return len(all) > 0 && !slices.ContainsFunc(all, isBad) && len(brenner.JoinedAnchors(entry, all, true)) == 0
}

// replacing, adding and removing are the keys under which writers put a list that is to replace the
// present one, to be added to it, or to be taken out of it, unsaid those that do not say which, and
// former those of the present one.
var (
	former    = []string{"from", "old", "old_value", "before"}
	unsaid    = []string{"value", "values", "items", "list"}
	removing  = []string{"$remove", "remove", "$pull", "pull", "$delete", "delete", "$unset", "-"}
	replacing = []string{"$replace", "replace", "$set", "set", "replace_with", "to", "new", "new_value", "after", "="}
	adding    = []string{"$add", "add", "$append", "append", "$push", "push", "$addtoset", "$union", "union", "+"}
)

// suggestWholeList suggests to write a list anew: no EDIT removes anything from one.
func suggestWholeList(out *lint.Diagnostic, f *delta.Fault) {
	out.Suggestion = fmt.Sprintf(`write the whole list as it is to be: "%s": %s, "%[1]s_replace": true; without %[1]s_replace an EDIT adds to the list`, f.Field, f.Schema.Placeholder())
}

// suggestNew reads the new value of a field inside an object that has the old one too, or only
// says that it is set: {"from": …, "to": …}, {"$set": …}. It reports whether the value is one.
func suggestNew(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) bool {
	var value *jsontree.Node
	for _, m := range f.Node.Members() {
		switch word := strings.ToLower(m.Name); {
		case value == nil && (slices.Contains(replacing, word) || word == "value"):
			value = m.Value
		case !slices.Contains(former, word):
			return false
		}
	}
	if value == nil || f.Schema.IsArray() || f.Schema.Kind == brenner.TextField && !hasContent(value.StringOr("")) {
		return false
	}
	text := jsontree.Compact(d.Text.Slice(value.Span()))
	if len(text) <= maxBlock {
		writeField(out, d, f, text, "write the new value alone")
	}
	return len(text) <= maxBlock
}

// outcomeStart is where the outcome under a hypothesis begins in a text: its id and a colon;
// bareOutcomes are two outcomes or more without one, "H1 none, H2 lost".
var (
	outcomeStart = text.Pattern(`(?:(?:^|[;,.|\n]\s*)(?:[-*•]\s+)?|(?:[;,]\s*)?\b(?i:if|under)\s+)\*{0,2}(H[1-9][0-9]*)\*{0,2}\s*(?::|=>?|->|→)\s*`)
	bareStart    = text.Pattern(`(?:^|[;,\n]\s*)(H[1-9][0-9]*)\s+(?:[-–—]+\s+)?`)
	bareOutcomes = text.Pattern(`^H[1-9][0-9]* [^;,\n]+(?:[;,\n]\s*H[1-9][0-9]* [^;,\n]+)+$`)
	pairsStart   = text.Pattern(`H[1-9][0-9]* (?:(?:and|or|vs|versus|but)\b|[-–—]+ *H[1-9])`)
	hypothesisID = text.Pattern(`(?i)\bh[0-9]`)
)

// suggestOutcomesOf reads outcomes in a text or in an array of texts or objects, and reports
// whether the value is that.
func suggestOutcomesOf(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) bool {
	parts := f.Node.Items()
	if f.Node.Is(jsontree.String) {
		parts = []*jsontree.Node{f.Node}
	}
	var outcomes []string
	seen, guessed := map[string]bool{}, false
	for _, n := range parts {
		found, isGuess := outcomesIn(n)
		if found == nil {
			return outcomesWithoutIDs(out, f, parts)
		}
		guessed = guessed || isGuess
		for _, o := range found {
			if seen[o.id] || !hasContent(o.said) {
				return false
			}
			seen[o.id] = true
			outcomes = append(outcomes, jsontree.Quote(o.id)+": "+jsontree.Quote(o.said))
		}
	}
	object := "{" + strings.Join(outcomes, ", ") + "}"
	if len(outcomes) == 0 || len(object) > maxBlock {
		return false
	}
	writeField(out, d, f, object, "write the outcomes by their hypotheses")
	out.Fix.Unsafe = guessed
	return true
}

// outcome is a hypothesis, and what happens under it.
type outcome struct{ id, said string }

// outcomesIn reads outcomes in an object of two members, the hypothesis and what happens, in an
// object by their ids, or in a text, "H1: …; H2: …". It guesses those of a text without colons. The
// result is nil if there are no ids.
func outcomesIn(n *jsontree.Node) (found []outcome, guessed bool) {
	members := n.Members()
	for i, m := range members {
		isID := strings.HasPrefix(m.Name, "hypothes") || slices.Contains([]string{"id", "if", "under", "h"}, m.Name)
		if id, ok := delta.SuggestTarget(m.Value.StringOr("")); isID && ok && id.Section == brenner.HypothesisSlate && len(members) == 2 {
			return []outcome{{id.String(), members[1-i].Value.StringOr("")}}, false
		}
	}
	found = []outcome{}
	for _, m := range members {
		if id, ok := brenner.ParseItemID(m.Name); !ok || id.Section != brenner.HypothesisSlate {
			return nil, false
		}
		found = append(found, outcome{m.Name, m.Value.StringOr("")})
	}
	if n.Is(jsontree.Object) {
		return found, false
	}
	said := n.StringOr("")
	starts := outcomeStart().FindAllStringSubmatchIndex(said, -1)
	if len(starts) == 0 && bareOutcomes().MatchString(said) && !pairsStart().MatchString(said) {
		starts, guessed = bareStart().FindAllStringSubmatchIndex(said, -1), true
	}
	if len(said) > maxBlock || len(starts) == 0 || starts[0][0] > 0 {
		return nil, false
	}
	for i, m := range starts {
		end := len(said)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		found = append(found, outcome{said[m[2]:m[3]], strings.TrimSpace(said[m[1]:end])})
	}
	return found, guessed
}

// outcomesWithoutIDs suggests texts that name no hypothesis as outcomes, with a placeholder for
// the hypothesis of each, and reports whether the texts are that.
func outcomesWithoutIDs(out *lint.Diagnostic, f *delta.Fault, texts []*jsontree.Node) bool {
	var outcomes []string
	size := 0
	for _, t := range texts {
		if size += len(t.Text); size > maxShownValue || !hasContent(t.StringOr("")) || hypothesisID().MatchString(t.Text) {
			return false
		}
		outcomes = append(outcomes, strconv.Quote(brenner.HypothesisPlaceholder)+": "+jsontree.Quote(t.Text))
	}
	out.Suggestion = "write " + strconv.Quote(f.Field) + ": {" + strings.Join(outcomes, ", ") + "}"
	return true
}

// suggestList reads a list inside an object that says what to do with it, {"$replace": […]} or
// {"value": […], "replace": true}, and reports whether the value is one. An EDIT unites lists unless
// it says otherwise.
func suggestList(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) bool {
	var value *jsontree.Node
	adds, replaces, certain, other := false, false, true, false
	members := f.Node.Members()
	for _, m := range members {
		word := strings.ToLower(m.Name)
		isList := m.Value.Is(jsontree.Array) || hasContent(m.Value.StringOr(""))
		isNew := slices.Contains(replacing, word)
		switch {
		case slices.Contains(removing, word), slices.Contains(adding, word) && len(members) > 1:
			suggestWholeList(out, f)
			return true
		case slices.Contains(former, word): // other entries may be meant to stay
			replaces, certain = true, false
		case isNew && (m.Value.True() || flagFor(m.Value) == "true"), word == "mode" && slices.Contains(replacing, strings.ToLower(m.Value.StringOr(""))):
			replaces = true
		case value == nil && isList && (isNew || slices.Contains(slices.Concat(adding, unsaid), word)):
			value, adds, replaces = m.Value, slices.Contains(adding, word), replaces || isNew
		default:
			other = true
		}
	}
	if other || value == nil || !adds && !replaces {
		return false
	}
	list := jsontree.Compact(d.Text.Slice(value.Span()))
	if value.Is(jsontree.String) {
		list = listOf(value.Text)
		if f.Field == "anchors" {
			anchors, isCertain := anchorsOf(value.Text)
			list, certain = cmp.Or(anchors, list), certain && isCertain
		}
	}
	if replaces {
		list += ", " + strconv.Quote(f.Field+"_replace") + ": true"
	}
	out.Suggestion = "write " + strconv.Quote(f.Field) + ": " + list
	if len(list) > maxShownValue {
		out.Suggestion = "write the list alone, and " + strconv.Quote(f.Field+"_replace") + ": true next to it if it replaces the present one"
	}
	out.Suggestion += "; without " + f.Field + "_replace an EDIT adds to the list"
	out.Fix = unsafeIf(!certain, newFix("write "+list, d.Text, replace(f.Node, list)))
	return true
}

// referencesOf returns references that are not in an array, or are texts, as an array of
// references; "" if one says less or more than a session, an item and a relation.
func referencesOf(n *jsontree.Node) string {
	items := n.Items()
	if !n.Is(jsontree.Array) {
		items = []*jsontree.Node{n}
	}
	var out []string
	for _, item := range items {
		ref := referenceMeant(item)
		if len(ref) != len(referenceKeys) {
			return ""
		}
		out = append(out, writeReference(ref))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// writeReference returns a reference as JSON, with placeholders for what is not known.
func writeReference(ref map[string]string) string {
	var members []string
	for i, placeholder := range []string{brenner.ThreadPlaceholder, brenner.ItemPlaceholder, brenner.RelationPlaceholder} {
		key := referenceKeys[i]
		members = append(members, strconv.Quote(key)+": "+jsontree.Quote(cmp.Or(ref[key], placeholder)))
	}
	return "{" + strings.Join(members, ", ") + "}"
}
