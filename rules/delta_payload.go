package rules

import (
	"cmp"
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
	deltaValueRule,
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
	out := lint.Diagnostic{Message: fmt.Sprintf("payload of the %s is empty", d.Operation)}
	switch {
	case f.Node == nil:
		out.Message = fmt.Sprintf("%s has no payload; expected an object with the fields of the item", d.Operation)
		for _, name := range []string{"", d.Misnamed("payload")} {
			if payload, used, edits, certain := d.WithFields(name); edits != nil && len(payload) <= maxBlock {
				offerIf(certain, &out, `write "payload": `+payload+", instead of "+quoted(maxNamed, used), d.Text, edits...)
				return out
			}
		}
		if renameMember(&out, d, "payload"); !d.Root.Get(d.Misnamed("payload")).Is(jsontree.Object) {
			out.Suggestion, out.Fix = "", nil
		}
	case d.Payload == nil:
		if object, _ := d.ObjectIn(f.Node); object != nil {
			out.Message = fmt.Sprintf("payload of the %s is a string with an object; expected the object", d.Operation)
			offerPayload(true, &out, d, string(object), withoutQuotes)
			return out
		}
		if c := d.Changes(f.Node.Items()); len(c) == 1 && c[0].Operation == brenner.Edit && c[0].Target == d.Target {
			out.Message = fmt.Sprintf("payload of the %s is a JSON patch; expected an object with the fields that change", d.Operation)
			offerPayload(true, &out, d, c[0].Payload, "")
			return out
		}
		out.Message = fmt.Sprintf("payload of the %s is %s; expected an object", d.Operation, f.Node.Kind)
		fields, _, _, certain := d.WithFields("payload")
		if payload := cmp.Or(d.JoinedPayload(), fields); payload != "" { // objects in a list, or names of fields with their values
			offerPayload(certain || payload != fields, &out, d, payload, "")
			return out
		}
		if items := d.Payloads(); d.Operation == brenner.Add && 1 < len(items) && len(items) <= maxTargets {
			offerEach(&out, d, f.Node, items)
			return out
		}
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
		out.Message += nextToOperation(f)
		offer(&out, "move them into payload", d.Text, d.MoveToPayload(f.Misplaced)...)
	}
	return out
}

// offerPayload offers to write an object in place of the payload.
func offerPayload(certain bool, out *lint.Diagnostic, d *delta.Delta, payload, does string) {
	suggestion := `write "payload": ` + payload
	if len(payload) > maxBlock {
		suggestion = cmp.Or(does, "write the payload as one object")
	}
	offerIf(certain, out, cmp.Or(does, suggestion), d.Text, replace(d.Root.Get("payload"), payload))
	out.Suggestion = suggestion
}

// nextToOperation names the members of a delta that belong in its payload.
func nextToOperation(f *delta.Fault) string {
	return fmt.Sprintf("; %s %s next to operation instead of in payload", quoted(8, f.Misplaced), isOrAre(f.Misplaced))
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
		return "{" + templates(section, required, nil) + "}"
	}
	return "{" + templates(section, section.Keys()[:1], nil) + "}, or what else of the item changes"
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
			Suggestion: "leave unchanged fields out of the payload, or write " + templates(d.Section, f.Empty, nil),
		}
	}
	if d.BelongsTo != 0 {
		out := lint.Diagnostic{Message: fmt.Sprintf("payload of the ADD to %s is that of an item of %s", d.Section, d.BelongsTo)}
		assume(&out, d, "section", d.BelongsTo.ID())
		out.Suggestion += " as section"
		return out
	}
	if d.ChangesItem() {
		out := lint.Diagnostic{Message: fmt.Sprintf("ADD to %s lacks %s, and has target_id %q", d.Section, text.And(f.Missing), cmp.Or(d.TargetID, d.Root.Get(d.Misnamed("target_id")).StringOr("")))}
		op, _ := d.LikelyOperation()
		assume(&out, d, "operation", string(op))
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
	for _, fault := range []struct {
		form string
		keys []string
	}{{"lacks %s", f.Missing}, {"leaves the placeholder in %s", left}, {"leaves %s empty", empty}} {
		if len(fault.keys) > 0 {
			parts = append(parts, fmt.Sprintf(fault.form, text.And(fault.keys)))
		}
	}
	out := lint.Diagnostic{
		Message:    fmt.Sprintf("ADD to %s %s", d.Section, strings.Join(parts, " and ")),
		Suggestion: "write into the payload: " + templates(d.Section, slices.Concat(f.Missing, f.Empty), nil),
	}
	if inner := d.NestedPayload(); inner != nil {
		out.Message += fmt.Sprintf("; they are inside %s", text.Quote(inner.Name))
		offer(&out, "write what is in "+text.Quote(inner.Name)+" as the payload", d.Text, d.Spread(inner)...)
	} else if len(f.Misplaced) > 0 {
		out.Message += nextToOperation(f)
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
		out.Suggestion += ", and write into the payload: " + templates(d.Section, rest, nil)
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
	offerTogether(true, out, d, names, f.Missing[0], object, "write into the payload: ")
	return true
}

// offerTogether offers to write parts of a value that are next to each other into their field.
func offerTogether(isWhole bool, out *lint.Diagnostic, d *delta.Delta, names []string, key, object, write string) {
	out.Suggestion = "move them into " + key
	if len(object) <= maxBlock {
		offerIf(isWhole, out, write+strconv.Quote(key)+": "+object+", instead of "+quoted(8, names), d.Text, d.Gather(names, key, object)...)
	}
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
		case m.Replaced:
		case isScore && slices.Contains(brenner.ScoreParts[:], name):
			value = partValue(m.Value)
		case !isScore && strings.HasPrefix(name, "H") && hasContent(m.Value.StringOr("")):
			name = suffixed().ReplaceAllString(name, "$1")
			if isHypothesis(name) {
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

// templates shows the form of fields, with values as JSON for some of them.
func templates(s brenner.Section, keys []string, values map[string]string) string {
	var out []string
	for _, key := range keys {
		out = append(out, strconv.Quote(key)+": "+cmp.Or(values[key], s.Field(key).Placeholder()))
	}
	return strings.Join(out, ", ")
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
		if f.Node.Absent() {
			edits = d.MoveToPayload(f.Misplaced)
		}
		offer(out, "move reason into the payload", d.Text, edits...)
	case object != nil:
		offerPayload(true, out, d, string(object), withoutQuotes)
	case root != nil: // it gives no reason for this item
	case said(payload):
		written := `{"reason": ` + jsontree.Quote(payload.Text) + `}`
		isJSON := strings.HasPrefix(strings.TrimSpace(payload.Text), "{")
		offerPayload(!isJSON, out, d, written, "write it as the reason")
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
		if d.Payload == nil {
			offerPayload(true, out, d, `{"reason": `+reason+"}", "write it as the reason")
			return
		}
		offer(out, `write "reason": `+reason, d.Text, replace(f.Node, reason))
	case said(rationale) && d.Misnamed("payload") == "" && (payload.Absent() || d.Payload != nil && len(d.Payload.Members()) == 0):
		reason := jsontree.Quote(rationale.Text)
		edits := d.Gather(nil, "reason", reason)
		does := `write "payload": {"reason": ` + reason + `}`
		if len(reason) > maxShownValue {
			does = "write the rationale as the reason in the payload, too"
		}
		offerIf(false, out, does, d.Text, edits...)
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
