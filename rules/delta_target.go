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

// deltaRules are about what a delta does to which item: operation, section and target.
var deltaRules = []*lint.Rule{
	faultRule(&lint.Rule{
		ID: "DL-001", Name: "delta-operation", Severity: lint.Error, SpecRef: "delta_output_format#Field Definitions; message_body_schema#DELTA Messages",
		Summary: "`operation` is ADD, EDIT or KILL.",
		Help:    `set operation to "ADD", "EDIT" or "KILL"`,
	}, []delta.Kind{delta.BadOperation}, diagnoseOperation),
	faultRule(&lint.Rule{
		ID: "DL-002", Name: "delta-section", Severity: lint.Error, SpecRef: "delta_output_format#Failure Mode 2",
		Summary: "`section` is one of the seven section ids.",
		Help:    `set section to the id of the section that the item belongs to, such as "hypothesis_slate"`,
	}, []delta.Kind{delta.BadSection}, diagnoseSection),
	faultRule(&lint.Rule{
		ID: "DL-003", Name: "delta-target-missing", Severity: lint.Error, SpecRef: "delta_output_format#Failure Mode 3",
		Summary: "EDIT and KILL carry a string `target_id` (EDIT of research_thread may leave it null).",
		Help:    "set target_id to the id of the item that is meant, as the artifact shows it",
	}, []delta.Kind{delta.MissingTarget}, func(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
		what, example := "no target_id", ""
		if f.Node != nil {
			what = "target_id " + shownValue(f.Node)
		}
		if d.Section != 0 {
			example = ", " + d.Section.Prefix() + " and a number"
		}
		out := lint.Diagnostic{
			Message:    fmt.Sprintf("%s has %s; expected the id of the item%s", d.Operation, what, example),
			Suggestion: `write "target_id": "` + brenner.ItemPlaceholder + `", as the artifact shows it`,
		}
		switch {
		case f.Node == nil:
			renameMember(&out, d, "target_id")
		case suggestTargets(&out, d, f.Node):
			return out
		}
		if name, id := d.TargetInPayload(); name != "" && out.Fix == nil {
			offer(&out, fmt.Sprintf("move %q out of the payload: \"target_id\": %q", name, id), d.Text, d.MoveFromPayload(name, "target_id")...)
		}
		return out
	}),
	faultRule(&lint.Rule{
		ID: "DL-004", Name: "delta-add-target", Severity: lint.Error, SpecRef: "artifact_delta_spec#ADD",
		Summary: "ADD has `target_id` null or absent: ids are assigned by the merge.",
		Help:    "set target_id to null: the merge assigns the id",
	}, []delta.Kind{delta.TargetOfAdd}, func(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
		out := lint.Diagnostic{
			Message:    fmt.Sprintf("ADD has target_id %s; expected null: ids are assigned by the merge", shownValue(f.Node)),
			Suggestion: "set target_id to null, or write EDIT to change an item",
			Fix:        newFix("set target_id to null", d.Text, replace(f.Node, "null")),
		}
		_, namesItem := delta.SuggestTarget(f.Node.StringOr("")) // it may be an EDIT
		out.Fix.Unsafe = len(d.Faults) > 1 && namesItem || len(f.Node.Members())+len(f.Node.Items()) > 0
		return out
	}),
	faultRule(&lint.Rule{
		ID: "DL-009", Name: "delta-research-thread", Severity: lint.Error,
		SpecRef: "delta_output_format#Valid Section Values; artifact_delta_spec#Research Thread",
		Summary: "research_thread takes EDIT only, with target_id RT or null.",
		Help:    `write an EDIT with target_id "RT"`,
	}, []delta.Kind{delta.ThreadOperation, delta.ThreadTarget}, func(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
		if f.Kind == delta.ThreadTarget {
			out := lint.Diagnostic{Message: fmt.Sprintf("target_id of research_thread is %s; expected \"RT\" or null", shownValue(f.Node))}
			if id, _ := brenner.ParseItemID(f.Node.StringOr("")); d.FieldsOf(id.Section) > d.FieldsOf(d.Section) {
				suggestItsSection(&out, d, id)
				return out
			}
			offerIf(isThreadTarget(f.Node.StringOr("")), &out, `write "RT"`, d.Text, replace(f.Node, `"RT"`))
			return out
		}
		out := lint.Diagnostic{Message: fmt.Sprintf("research_thread takes EDIT only, not %s: there is exactly one research thread", d.Operation)}
		if d.FieldsOf(brenner.ResearchThread) == 0 || d.BelongsTo != 0 {
			out.Suggestion = otherSection(d)
			return out
		}
		offerIf(d.Operation == brenner.Add, &out, `write "EDIT"`, d.Text, replace(d.Root.Get("operation"), `"EDIT"`))
		if target := d.Root.Get("target_id"); !target.Absent() && target.StringOr("") != "RT" {
			out.Suggestion += ` and, as target_id, "RT"`
			out.Fix.Edits = append(out.Fix.Edits, lint.TextEdit{At: d.Text.Place(target.Span()), Text: `"RT"`})
			out.Fix.Unsafe = out.Fix.Unsafe || !isThreadTarget(target.StringOr(""))
		}
		return out
	}),
	faultRule(&lint.Rule{
		ID: "DL-010", Name: "delta-target-prefix", Severity: lint.Error, Code: "INVALID_TARGET", SpecRef: "delta_output_format#Valid Section Values",
		Summary: "`target_id` has the id form of its section (H, P, T, A, X, C followed by a number; P also P1.H1; RT).",
		Help:    "write the id as the artifact shows it, such as H2",
	}, []delta.Kind{delta.ForeignTarget}, func(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
		form := d.Section.Prefix() + " followed by a number"
		if d.Section == brenner.PredictionsTable {
			form += " (or P1.H1)"
		}
		written := f.Node.Text
		out := lint.Diagnostic{Message: fmt.Sprintf("target_id %s is not an id of %s; expected %s", text.Quote(written), d.Section, form)}
		if id, ok := brenner.ParseItemID(written); ok {
			if d.FieldsOf(id.Section) < d.FieldsOf(d.Section) {
				out.Suggestion = fmt.Sprintf("%s is an item of %s: write %q, an item of %s", text.Quote(written), id.Section, brenner.ItemPlaceholder, d.Section)
			} else {
				suggestItsSection(&out, d, id)
			}
		} else if id, ok := d.TargetMeant(written); ok {
			offer(&out, fmt.Sprintf("write %q", id), d.Text, replace(f.Node, strconv.Quote(id.String())))
		} else if suggestTargets(&out, d, f.Node) {
			return out
		} else if id := idIn(d.Section, written); id != "" {
			out.Suggestion = fmt.Sprintf("write %q, or the id of another item of %s as the artifact shows it", id, d.Section)
		} else {
			out.Suggestion = fmt.Sprintf("write %q: %s and a number, as the artifact shows it", brenner.ItemPlaceholder, d.Section.Prefix())
		}
		return out
	}),
	faultRule(&lint.Rule{
		ID: "DL-024", Name: "delta-object", Severity: lint.Error, SpecRef: "delta_output_format#Delta Block Format",
		Summary: "A delta block is one JSON object, not an array or another value, and not empty.",
		Help:    "write one JSON object with operation, section, target_id, payload and rationale",
	}, []delta.Kind{delta.NotObject}, diagnoseObject),
}

// diagnoseOperation words an operation that is absent or wrong.
func diagnoseOperation(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	expected := text.Or(delta.Operations)
	out := lint.Diagnostic{Message: "delta has no operation; expected " + expected}
	if suggestShape(&out, d, "operation") {
		return out
	}
	likely, certain := d.LikelyOperation()
	switch {
	case f.Node == nil:
		renameMember(&out, d, "operation")
		switch {
		case out.Fix != nil:
		case d.ShowsOperation():
			addMissing(&out, d, "operation", string(likely), certain)
		case d.Section == 0 && d.Root.Get("section") == nil:
			out.Suggestion = anyDelta(d.Index)
		}
		return out
	case !f.Node.Is(jsontree.String):
		out.Message = fmt.Sprintf("operation is %s; expected %s", f.Node.Kind, expected)
		assume(&out, d, "operation", string(d.OperationMeant(f.Node)))
		return out
	}
	out.Message = fmt.Sprintf("operation %s is not %s", text.Quote(f.Node.Text), expected)
	meant, sure := delta.SuggestOperation(f.Node.Text)
	switch likely := d.OperationMeant(f.Node); {
	case meant == "" && likely == brenner.Kill && !delta.Blank(f.Node): // the word may say the opposite
		out.Suggestion = `to kill the item, write "KILL"; to restore a killed one, write an ADD with the same content`
	case meant != likely:
		assume(&out, d, "operation", string(likely))
	default:
		suggestWord(&out, d, f.Node, string(meant), sure)
		if strings.EqualFold(f.Node.Text, "replace") || strings.EqualFold(f.Node.Text, "set") {
			suggestReplacing(&out, d)
		}
	}
	return out
}

// suggestShape says how to write a delta in another shape, which has no operation or no section for that: in
// another object, as the value of a key, as a JSON patch, or under the id of its item. It reports whether the
// delta has one.
func suggestShape(out *lint.Diagnostic, d *delta.Delta, member string) bool {
	isFirst := member == "operation" // else DL-001 shows what to write
	names, items := d.Wrapped()
	in, texts := d.WrappedTexts()
	switch key, deltas := d.Keyed(); {
	case in != nil:
		names = []string{in.Name}
		suggestUnwrapping(out, names, len(texts))
		if isText := func(n *jsontree.Node) bool { return n.Is(jsontree.String) }; isText(in.Value) || slices.ContainsFunc(in.Value.Items(), isText) {
			out.Message += ", as text"
			out.Suggestion += ", without the quotation marks around it and the backslashes"
		}
		out.Block = deltaBlock(texts...)
		offerIf(false, out, out.Suggestion, d.Fence.Text, d.Separate(texts)...) // it may be a record of a call
	case len(items) > 0:
		suggestUnwrapping(out, names, len(items))
		isUnwanted := slices.ContainsFunc(names, delta.SaysUnwanted)
		if isUnwanted {
			out.Suggestion += ", if it is to be merged"
		}
		if said := saidBeside(d, names); isFirst {
			offerIf(said == nil && !isUnwanted, out, out.Suggestion, d.Fence.Text, d.Split()...)
			if said != nil {
				out.Suggestion += "; keep " + quoted(maxNamed, said) + " (a member of a delta goes into each, other text above the fence)"
			}
		}
	case key != nil:
		name := text.Quote(key.Name)
		out.Message += "; " + name + " is a key of it"
		if _, isItem := delta.SuggestTarget(key.Name); isItem && member == "section" {
			member = "target_id"
		}
		suggestion := "write the " + member + " as the value of " + member + ", with what is in " + name + " next to it"
		if key.Value.Is(jsontree.Array) {
			out.Message += ", with a list"
			suggestion = splitDeltas
		}
		out.Block = deltaBlock(deltas...)
		offer(out, suggestion, d.Fence.Text, d.Separate(deltas)...)
	case d.IsPatch():
		if isFirst {
			out.Message = "delta is an operation of a JSON patch; expected an object with operation, section, target_id and payload"
		}
		suggestPatch(out, d, []*jsontree.Node{d.Root})
	case d.Root.Get("operation") != nil || d.Root.Get(member) != nil:
		return false
	case isFirst:
		return suggestItem(out, d)
	case suggestItem(&lint.Diagnostic{}, d):
		out.Suggestion = "write the block that DL-001 shows"
	default:
		return false
	}
	return true
}

// suggestItem shows the block that an object with an id as its key most likely means, {"H2": "…"},
// and reports whether it is one. What it says of the item is in its first text field.
func suggestItem(out *lint.Diagnostic, d *delta.Delta) bool {
	m := d.Root.Members()[0]
	id, ok := brenner.ParseItemID(m.Name)
	if !ok || id.Section == brenner.ResearchThread || !hasContent(m.Value.StringOr("")) || len(m.Value.Text) > maxBlock {
		return false
	}
	out.Message += "; " + text.Quote(m.Name) + " is a key of it"
	out.Suggestion = "write the whole block: an EDIT of " + m.Name + ", with the field that changes in its payload"
	out.Block = blockTemplate(brenner.Edit, id, "", map[string]string{id.Section.MainField(): jsontree.Quote(m.Value.Text)})
	return true
}

// unlessReplaced says why a replace key is needed.
const unlessReplaced = ": an EDIT adds to a list otherwise"

// suggestReplacing suggests to say that the lists of an EDIT replace the present ones, which it
// would add to otherwise.
func suggestReplacing(out *lint.Diagnostic, d *delta.Delta) {
	var flags []string
	for _, m := range d.Payload.Members() {
		flag := m.Name + "_replace"
		if m.Value.Is(jsontree.Array) && len(flags) < maxNamed && len(m.Name) <= maxShownValue && d.Payload.Get(flag) == nil && d.Payload.Get("replace") == nil {
			flags = append(flags, jsontree.Quote(flag)+": true")
		}
	}
	if len(flags) == 0 {
		return
	}
	out.Suggestion += ", and into the payload " + strings.Join(flags, ", ") + unlessReplaced
	members := d.Payload.Members()
	at := members[len(members)-1].Value.Span().End
	out.Fix.Edits = append(out.Fix.Edits, lint.TextEdit{At: d.Text.Place(source.Span{Start: at, End: at}), Text: ", " + strings.Join(flags, ", ")})
}

// suggestPatch suggests to write the operations of a JSON patch as deltas.
func suggestPatch(out *lint.Diagnostic, d *delta.Delta, ops []*jsontree.Node) {
	changes := d.Changes(ops)
	if changes == nil {
		id, rest := d.PatchTarget(ops[0])
		out.Suggestion = "write each change as a delta of its own; a list in an EDIT is added to the present one, unless a member such as anchors_replace is true"
		if id.Section != 0 {
			out.Block = blockTemplate(brenner.Edit, id, fieldNamed(id.Section, strings.Join(rest, " ")), nil)
		}
		return
	}
	out.Suggestion = "write it as an " + string(changes[0].Operation) + " with the fields in its payload"
	if changes[0].Operation == brenner.Kill {
		out.Suggestion = "write it as a KILL with the reason in its payload"
	}
	if len(changes) > 1 {
		out.Suggestion = splitDeltas
	}
	var blocks, fixed [][]byte
	var unknown []string // items that the patch names only by their place
	kills := false
	for _, c := range changes {
		target, payload := jsontree.Quote(c.Target.String()), c.Payload
		switch {
		case c.Index != "":
			target = `"` + brenner.ItemPlaceholder + `"`
			unknown = append(unknown, "/"+c.Target.Section.ID()+"/"+c.Index)
		case c.Operation == brenner.Add:
			target = "null"
		}
		if c.Operation == brenner.Kill { // no patch gives a reason
			kills, payload = true, `{"reason": "`+brenner.KillReasonPlaceholder+`"}`
		}
		json := fmt.Sprintf(`{"operation": "%s", "section": "%s", "target_id": %s, "payload": %s`,
			c.Operation, c.Target.Section.ID(), target, payload)
		blocks = append(blocks, []byte(json+`, "rationale": "`+brenner.RationalePlaceholder+`"}`))
		fixed = append(fixed, []byte(json+"}"))
	}
	out.Block = deltaBlock(blocks...)
	switch fix := newFix(out.Suggestion, d.Fence.Text, d.Separate(fixed)...); {
	case unknown != nil:
		out.Suggestion += "; for " + text.And(atMost(maxNamed, unknown)) + " write the id of the item, as the artifact shows it"
	case kills:
		out.Assume = fix
	default:
		out.Fix = fix
	}
}

// suggestUnwrapping suggests to take deltas out of the object that wraps them.
func suggestUnwrapping(out *lint.Diagnostic, names []string, deltas int) {
	if name := text.Quote(names[0]); deltas == 1 {
		out.Message += fmt.Sprintf("; %s contains the delta", name)
		out.Suggestion = "write what is in " + name + " alone"
		return
	}
	verb := "contain"
	if len(names) == 1 {
		verb = "contains"
	}
	out.Message += fmt.Sprintf("; %s %s %d deltas", quoted(maxNamed, names), verb, deltas)
	out.Suggestion = splitDeltas
}

// saidBeside returns the members of a delta and the texts that an object has around deltas, and that
// would be lost without it. A word, as for a version, is no text. An agent and an id are of the message.
func saidBeside(d *delta.Delta, wrappers []string) (names []string) {
	for _, m := range d.Root.Members() {
		isText := m.Value.Is(jsontree.String) && len(strings.Fields(m.Value.Text)) > 1
		if !slices.Contains(wrappers, m.Name) && (isText || delta.IsMember(m.Name) && m.Name != "agent" && m.Name != "delta_id") {
			names = append(names, m.Name)
		}
	}
	return names
}

// renameMember names the member that may be meant as a missing one, if there is one, and
// offers to rename it.
func renameMember(out *lint.Diagnostic, d *delta.Delta, missing string) {
	if name := d.Misnamed(missing); name != "" {
		out.Message += fmt.Sprintf("; %s may be meant as %s", text.Quote(name), missing)
		m := d.Root.Member(name)
		edits, certain := []source.Edit{d.Rename(m, missing)}, true
		for _, flag := range d.ListFlags(m) {
			edits = append(edits, insert(m.Value.Span().Start+1, fmt.Sprintf("%q: true, ", flag)))
			certain = !slices.ContainsFunc(d.Root.Members(), func(o jsontree.Member) bool { return d.IsFormer(o.Name) })
		}
		offerIf(certain, out, fmt.Sprintf("rename %s to %s", text.Quote(name), missing)+andFlags(d, m), d.Text, edits...)
	}
}

// assume suggests the most likely value of a member; the check continues with it.
func assume(out *lint.Diagnostic, d *delta.Delta, name, value string) {
	out.Suggestion = fmt.Sprintf("write %q", value)
	edit := replace(d.Root.Get(name), strconv.Quote(value))
	if d.Root.Get(name) == nil {
		out.Suggestion = fmt.Sprintf("add %q: %q", name, value)
		edit = insert(d.Root.Span().Start+1, fmt.Sprintf("%q: %q, ", name, value))
	}
	out.Assume = newFix(out.Suggestion, d.Text, edit)
}

// addMissing is assume for a missing operation or section. If the value is certain, it offers to add it: both,
// if the delta has neither, not even in its payload, and both are certain, because two fixes could not be
// at one place.
func addMissing(out *lint.Diagnostic, d *delta.Delta, name, value string, certain bool) {
	assume(out, d, name, value)
	if !certain {
		return
	}
	out.Fix, out.Assume = out.Assume, nil
	section, isSection := d.LikelySection()
	op, isOperation := d.LikelyOperation()
	isAbsent := d.Root.Get("operation") == nil && d.Root.Get("section") == nil && delta.SectionNamed(d.Payload.Get("section")) == 0
	if isSection && isOperation && isAbsent {
		out.Fix.Edits[0].Text = fmt.Sprintf(`"operation": "%s", "section": "%s", `, op, section.ID())
	}
}

// suggestWord asks whether another word is meant by a value, and offers to write it.
func suggestWord(out *lint.Diagnostic, d *delta.Delta, n *jsontree.Node, meant string, sure bool) {
	out.Message += fmt.Sprintf("; did you mean %q?", meant)
	offerIf(sure, out, fmt.Sprintf("write %q", meant), d.Text, replace(n, strconv.Quote(meant)))
}

// diagnoseSection words a section that is absent or wrong.
func diagnoseSection(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	expected := text.Or(delta.SectionIDs)
	out := lint.Diagnostic{Message: "delta has no section; expected " + expected}
	switch edits := sectionInPayload(d); {
	case suggestShape(&out, d, "section"):
		return out
	case f.Node == nil && edits != nil:
		out.Message += "; it is in the payload"
		offer(&out, "move section out of the payload", d.Text, edits...)
		return out
	case f.Node == nil:
		if renameMember(&out, d, "section"); out.Fix != nil {
			return out
		}
	case !f.Node.Is(jsontree.String):
		out.Message = fmt.Sprintf("section is %s; expected %s", f.Node.Kind, expected)
	case delta.SectionNamed(f.Node) != 0:
		out.Message = fmt.Sprintf("section %s is not a section id", text.Quote(f.Node.Text))
		suggestWord(&out, d, f.Node, delta.SectionNamed(f.Node).ID(), true)
		return out
	default:
		out.Message = fmt.Sprintf("section %s is not a section id; expected %s", text.Quote(f.Node.Text), expected)
	}
	// The target names it, which is certain if no other is written, or the payload has its fields. Where
	// nothing shows it, only the writer knows.
	if section, certain := d.LikelySection(); section != 0 {
		named := delta.SectionNamed(d.Payload.Get("section"))
		addMissing(&out, d, "section", section.ID(), certain && f.Node.Absent() && (named == 0 || named == section))
	}
	return out
}

// sectionInPayload returns the edits that move the section out of the payload; nil if it is not
// there, or the rest of the delta says something else.
func sectionInPayload(d *delta.Delta) []source.Edit {
	named := delta.SectionNamed(d.Payload.Get("section"))
	likely, certain := d.LikelySection()
	if _, target := d.TargetInPayload(); target.Section != 0 && !certain {
		likely, certain = target.Section, true
	}
	if named == 0 || certain && likely != named || d.Misnamed("section") != "" {
		return nil
	}
	return d.MoveFromPayload("section", "section")
}

// suggestItsSection suggests the section of the item that a target names.
func suggestItsSection(out *lint.Diagnostic, d *delta.Delta, id brenner.ItemID) {
	written := text.Quote(d.Root.Get("target_id").StringOr(id.String()))
	assume(out, d, "section", id.Section.ID())
	out.Suggestion = fmt.Sprintf("%s is an item of %s: write %q as section, if that is what you mean", written, id.Section, id.Section.ID())
}

// suggestTargets reads a target that is written as a number, as a list of ids, or as a text with
// several, and reports whether it is one.
func suggestTargets(out *lint.Diagnostic, d *delta.Delta, n *jsontree.Node) bool {
	var words []string
	for _, item := range entriesOf(n) {
		words = append(words, item.Text)
	}
	if members := n.Members(); len(members) == 1 { // {"id": "T2"}
		words = []string{members[0].Value.Text}
	} else if n.Is(jsontree.String) && !versus().MatchString(n.Text) {
		words = idSeparator().Split(n.Text, maxTargets+1)
	}
	var ids []string
	for _, word := range words {
		id, ok := d.TargetMeant(word)
		if !ok || len(ids) == maxTargets {
			return false
		}
		ids = append(ids, id.String())
	}
	switch len(ids) {
	case 0:
		return false
	case 1:
		offer(out, `write "target_id": "`+ids[0]+`"`, d.Text, replace(n, strconv.Quote(ids[0])))
		return true
	}
	for i := range ids {
		ids[i] = strconv.Quote(ids[i])
	}
	offerEach(out, d, n, ids)
	if n.Is(jsontree.String) { // it may be meant as a remark
		out.Fix = nil
	}
	return true
}

// versus is in a text that compares items; nobody lists targets so.
var versus = text.Pattern(`(?i)\b(?:vs|versus)\b`)

// offerEach suggests several deltas in place of one, each with another value of a member.
func offerEach(out *lint.Diagnostic, d *delta.Delta, n *jsontree.Node, values []string) {
	if !d.Root.Get("delta_id").Absent() {
		out.Suggestion = "write a delta for each item, with a delta_id and in a fence of its own"
		return
	}
	var objects [][]byte
	for _, value := range values {
		at := n.Span().Shift(-d.Root.Span().Start)
		objects = append(objects, source.Apply([]byte(d.Text.Slice(d.Root.Span())), []source.Edit{{Span: at, Text: value}}))
	}
	out.Block = deltaBlock(objects...)
	offer(out, "write a delta for each item, in a fence of its own", d.Fence.Text, d.Separate(objects)...)
}

// maxTargets bounds the ids in other forms that one fix writes: of a delta that is to be several, of
// outcomes.
const maxTargets = 12

// otherSection says what to do with a change of the research thread that has none of its
// fields.
func otherSection(d *delta.Delta) string {
	if d.Operation == brenner.Kill {
		if id, ok := delta.SuggestTarget(d.Root.Get("target_id").StringOr("")); ok && id.Section != brenner.ResearchThread {
			return fmt.Sprintf("write %q as section, if %s is meant", id.Section.ID(), id)
		}
		return "remove the delta, or write an EDIT of what changes"
	}
	if s := d.BelongsTo; s > brenner.ResearchThread {
		return fmt.Sprintf("write %q as section, if an item is meant", s.ID())
	}
	return "write an EDIT of what changes: statement, context, why_it_matters or anchors"
}

// isThreadTarget reports whether a target plainly means the research thread.
func isThreadTarget(word string) bool {
	return slices.Contains([]string{"", "rt", "rt1", brenner.ResearchThread.ID()}, strings.ToLower(strings.TrimSpace(word)))
}

// shownValue returns a value as messages name it.
func shownValue(n *jsontree.Node) string {
	switch {
	case n.Is(jsontree.String):
		return text.Quote(n.Text)
	case n.Is(jsontree.Number), n.Is(jsontree.Bool):
		return strings.Trim(text.Quote(n.Text), `"`)
	}
	return n.Kind.String()
}

// idIn returns the id of a section that a word begins with, as H9x does; "" if none.
func idIn(s brenner.Section, word string) string {
	rest, ok := strings.CutPrefix(strings.ToUpper(word[:min(len(word), maxShownValue)]), s.Prefix())
	number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	if id, isID := brenner.ParseItemID(s.Prefix() + number); ok && isID {
		return id.String()
	}
	return ""
}
