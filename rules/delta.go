package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// faultRule is the common part of rules on the structure of deltas: package delta finds
// the faults of a kind, and the rule words them. The merge rejects deltas for most of
// them, so reports of merges name them too.
type faultRule struct {
	kinds    []delta.Kind
	diagnose func(*delta.Delta, *delta.Fault) lint.Diagnostic
}

// check reports the faults of the rule's kinds.
func (r faultRule) check() lint.DeltaCheck {
	return func(p *lint.DeltaPass) {
		for i := range p.Delta.Faults {
			f := &p.Delta.Faults[i]
			if !slices.Contains(r.kinds, f.Kind) {
				continue
			}
			d := r.diagnose(p.Delta, f)
			d.At, d.Field = f.At, f.Field
			for i := range d.Related {
				d.Related[i].In = p.Message
			}
			reportDelta(p, d)
		}
	}
}

// reason returns why a delta with the fault is rejected; "" if another rule reports that.
func (r faultRule) reason(why *replay.Rejection) string {
	if !slices.Contains(r.kinds, why.Fault) {
		return ""
	}
	return r.diagnose(why.Delta.Delta, why.Delta.Rejected()).Message
}

// reportDelta reports a fault of the delta, and names the item that it is about.
func reportDelta(p *lint.DeltaPass, d lint.Diagnostic) {
	if p.Delta.Target != (brenner.ItemID{}) {
		d.Item = p.Delta.Target.String()
	}
	p.Report(d)
}

// newFix returns a fix by edits of one text.
func newFix(description string, text *source.Text, edits ...source.Edit) *lint.SuggestedFix {
	fix := &lint.SuggestedFix{Description: description, Edits: make([]lint.TextEdit, len(edits))}
	for i, e := range edits {
		fix.Edits[i] = lint.TextEdit{At: text.Place(e.Span), Text: e.Text}
	}
	return fix
}

// eachDelta returns the check of each delta that is a JSON object with members, and has the shape
// of a delta: others have already been reported (decisions.md 1).
func eachDelta(check func(p *lint.DeltaPass, d *delta.Delta)) lint.DeltaCheck {
	return func(p *lint.DeltaPass) {
		if d := p.Delta; d.HasMembers() && !d.OtherShape() {
			check(p, d)
		}
	}
}

// deltaJSONRules are what the body schema requires of delta blocks: that there is one,
// and that it is JSON.
var deltaJSONRules = []*lint.Rule{
	{ID: "MB-004", Name: "delta-block-present", Severity: lint.Error, SpecRef: "message_body_schema#MB-004",
		Summary: "DELTA body has at least one fenced code block whose info string begins with the word `delta`.",
		Help:    "put each delta into a fence of its own that begins with ```delta",
		Types:   []brenner.MessageType{brenner.Delta},
		Check:   lint.MessageCheck(checkBlockPresent)},
	{ID: "MB-005", Name: "delta-json", Severity: lint.Error, SpecRef: "message_body_schema#MB-005",
		Summary: "Every delta block is one valid RFC 8259 JSON value; the finding points at the offending byte and says what is wrong (trailing comma, comment, single quotes, unquoted key, data after the object, invalid UTF-8 or escape).",
		Help:    "write the block as one JSON object: keys and texts in double quotes, no comments, no comma before } or ]",
		Check:   invalidJSON.check(),
		Rejects: invalidJSON.reason},
}

// deltaObjectRules are about the JSON value in a block.
var deltaObjectRules = []*lint.Rule{
	{ID: "DL-024", Name: "delta-object", Severity: lint.Error, SpecRef: "delta_output_format#Delta Block Format",
		Summary: "A delta block is one JSON object, not an array or another value, and not empty.",
		Help:    "write one JSON object with operation, section, target_id, payload and rationale",
		Check:   notObject.check(),
		Rejects: notObject.reason},
}

var (
	invalidJSON = faultRule{[]delta.Kind{delta.InvalidJSON, delta.BlankBlock, delta.UnclosedFence}, diagnoseJSON}
	notObject   = faultRule{[]delta.Kind{delta.NotObject}, diagnoseObject}
)

func diagnoseJSON(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	switch f.Kind {
	case delta.BlankBlock:
		if d.CutOff() {
			return lint.Diagnostic{
				Message:    fmt.Sprintf("delta %d is cut off: the body ends where its JSON is to begin", d.Index),
				Suggestion: sendAgain + "write the delta, and " + fenceMarks(d.Block) + " on a line of its own; or remove the fence",
			}
		}
		return lint.Diagnostic{
			Message:    fmt.Sprintf("delta %d is blank: a delta block holds one JSON object", d.Index),
			Suggestion: "write the delta, or remove the fence",
		}
	case delta.UnclosedFence:
		return diagnoseUnclosed(d)
	}
	marks := d.WrongMarks()
	switch {
	case d.OnFence:
		return diagnoseOnFence(d, marks)
	case marks.Why != 0:
		return diagnoseMarks(d, marks)
	}
	if d.CutOff() {
		return diagnoseCutOff(d)
	}
	if objects := d.Sequence(); objects != nil && !d.IsSequence() {
		out := lint.Diagnostic{Message: fmt.Sprintf("delta %d is not valid JSON: the block contains %d deltas", d.Index, len(objects)), Suggestion: splitDeltas}
		if edits := d.Split(); edits != nil {
			out.Fix = newFix(out.Suggestion, d.Fence.Text, edits...)
		}
		return out
	}
	out := lint.Diagnostic{
		Message:    fmt.Sprintf("delta %d is not valid JSON: %s", d.Index, d.Syntax.Message),
		Suggestion: d.Syntax.Hint,
		Quoted:     d.Syntax.Quoted,
	}
	if d.IsSequence() {
		out.Suggestion = splitDeltas
		if edits := d.Split(); edits != nil {
			out.Fix = newFix(out.Suggestion, d.Fence.Text, edits...)
			return out
		}
	}
	edits, safe := d.Repair()
	if json := d.YAML(); json != nil {
		out.Message = fmt.Sprintf("delta %d is not valid JSON: it is written in YAML", d.Index)
		out.Suggestion, out.Block = "write the whole block as JSON", deltaBlock(json)
		out.Fix = newFix(out.Suggestion, d.Text, source.Edit{Span: source.Span{End: len(bytes.TrimRight(d.Text.Data, " \t\r\n"))}, Text: string(json)})
		return out
	}
	if edits == nil {
		if out.Suggestion == "" {
			out.Suggestion = "write the whole block as JSON, with what it says"
			out.Block = templateFor(&out, string(d.Text.Data[:min(len(d.Text.Data), maxBlock)]))
		}
		return out
	}
	out.Fix = newFix(cmp.Or(d.Syntax.Hint, "write it as JSON"), d.Text, edits...)
	out.Fix.Unsafe = !safe
	if len(edits) > 1 || out.Suggestion == "" || isPart(d.Syntax.Hint, edits[0].Text) {
		if out.Suggestion != "" {
			out.Suggestion += "; "
		}
		out.Suggestion += "write the whole block as JSON"
		out.Block = deltaBlock(source.Apply(d.Text.Data, edits))
	}
	return out
}

// sendAgain is what to do about a message that is cut off.
const sendAgain = "send the whole again: "

// diagnoseCutOff describes a block that ends in the middle, maybe without its closing fence.
func diagnoseCutOff(d *delta.Delta) lint.Diagnostic {
	out := lint.Diagnostic{
		Message:    fmt.Sprintf("delta %d is cut off: %s", d.Index, d.Syntax.Message),
		Suggestion: d.Syntax.Hint,
	}
	lacksRest := d.Syntax.CutOff || d.LacksRest()
	switch {
	case d.Syntax.CutOff:
		out.Suggestion = sendAgain + out.Suggestion
	case lacksRest:
		out.Suggestion = sendAgain + "write the rest, then " + d.Syntax.Open
	}
	if d.Block.Closed {
		return out
	}
	out.Message += ", and its fence is not closed"
	if !lacksRest {
		out.Suggestion = "write " + d.Syntax.Open
	}
	out.Suggestion += ", and " + fenceMarks(d.Block) + " on a line of its own"
	if lacksRest {
		return out
	}
	if edits, _ := d.Repair(); len(edits) > 0 {
		closing := strings.Repeat(string(d.Block.FenceChar), int(d.Block.FenceLen))
		edits[len(edits)-1].Text += markdown.Below(d.Fence.Text, d.Fence.Span.Start) + closing
		out.Fix = newFix("close the JSON and its fence", d.Text, edits...)
		out.Fix.Unsafe = true
	}
	return out
}

// diagnoseUnclosed describes a fence that is not closed before the next block.
func diagnoseUnclosed(d *delta.Delta) lint.Diagnostic {
	out := lint.Diagnostic{
		Message:    fmt.Sprintf("delta %d is not valid JSON: its fence is not closed before the next block", d.Index),
		Suggestion: "write " + fenceMarks(d.Block) + " on a line of its own before this one",
		Related:    []lint.RelatedLocation{{At: d.Fence, Message: "the fence that is not closed"}},
	}
	edits, certain := d.CloseFence()
	out.Fix = newFix("close the fence", d.Fence.Text, edits...)
	out.Fix.Unsafe = !certain
	return out
}

// diagnoseMarks describes marks that are meant to close a fence, and do not.
func diagnoseMarks(d *delta.Delta, marks delta.Marks) lint.Diagnostic {
	closing := fenceMarks(d.Block)
	why, suggestion := "the marks below it do not close the fence, which opens with "+closing, "write "+closing
	switch marks.Why {
	case delta.Glued:
		why, suggestion = "the marks on its last line do not close the fence", "write "+closing+" on a line of its own below the JSON"
	case delta.Followed:
		why, suggestion = "the marks below it do not close the fence, because text follows them", "write the text after "+closing+" on a line of its own"
	case delta.Escaped:
		why, suggestion = "the marks below it do not close the fence, because they have backslashes", "write "+closing
	case delta.Indented:
		why, suggestion = "the marks below it are indented too far to close the fence", "write "+closing+" without the indentation"
	case delta.Surplus:
		why, suggestion = "marks are below it that do not close the fence: the next ones do", "remove these marks"
	case delta.Nested:
		why, suggestion = "another fence is inside its fence", "remove the marks of the inner fence"
	}
	if marks.Rest > 0 && marks.Why != delta.Followed {
		suggestion += ", and the text after them on another"
	}
	out := lint.Diagnostic{Message: fmt.Sprintf("delta %d is not valid JSON: %s", d.Index, why), Suggestion: suggestion}
	edits, certain := d.CloseFence()
	out.Fix = newFix(suggestion, d.Fence.Text, edits...)
	out.Fix.Unsafe = !certain
	return out
}

// diagnoseOnFence describes JSON on the line that opens the fence.
func diagnoseOnFence(d *delta.Delta, marks delta.Marks) lint.Diagnostic {
	out := lint.Diagnostic{
		Message:    fmt.Sprintf("delta %d is not valid JSON: %s", d.Index, d.Syntax.Message),
		Suggestion: d.Syntax.Hint,
	}
	tag := d.Fence.Span.End
	json, _ := d.Text.Within(d.Fence.Text, source.Span{})
	edits, certain := []source.Edit(nil), true
	if marks.Why != 0 {
		out.Suggestion += ", and write " + fenceMarks(d.Block) + " on a line of its own below it"
		edits, certain = d.CloseFence()
	}
	out.Fix = newFix(out.Suggestion, d.Fence.Text, append([]source.Edit{{
		Span: source.Span{Start: tag, End: json.Start}, Text: markdown.Below(d.Fence.Text, d.Fence.Span.Start),
	}}, edits...)...)
	out.Fix.Unsafe = !certain
	return out
}

// isPart reports whether a hint is only the first part of what an edit adds: a
// truncated text lacks the ends of everything open.
func isPart(hint, added string) bool {
	first, ok := strings.CutPrefix(hint, "add ")
	return ok && len(first) == 1 && strings.TrimSpace(added) != first
}

// maxBlock bounds the corrected delta blocks that reports show.
const maxBlock = 8 << 10

// deltaBlock returns a fence with corrected JSON; "" if that is too long to be shown.
func deltaBlock(json []byte) string {
	json = bytes.TrimSpace(json)
	if len(json) > maxBlock || !utf8.Valid(json) {
		return ""
	}
	return "```delta\n" + string(json) + "\n```"
}

const splitDeltas = "write each delta in a fence of its own"

func diagnoseObject(d *delta.Delta, _ *delta.Fault) lint.Diagnostic {
	var out lint.Diagnostic
	switch n := len(d.Root.Items()); {
	case d.Quoted() != nil:
		out.Message = "delta block contains a string with a JSON object; expected the object"
		out.Suggestion = "write the object itself, without the quotation marks around it and the backslashes"
		out.Block = deltaBlock(d.Quoted())
		out.Fix = newFix(out.Suggestion, d.Text, source.Edit{Span: d.Root.Span(), Text: string(d.Quoted())})
	case d.Root.Is(jsontree.Object):
		out.Message = "delta is an empty object: it says neither operation nor section"
	case !d.Root.Is(jsontree.Array):
		out.Message = fmt.Sprintf("delta block contains %s; expected a JSON object", d.Root.Kind)
	case n == 0:
		out.Message = "delta block contains an empty array; expected a JSON object"
	default:
		out.Message = fmt.Sprintf("delta block contains an array of %d; expected one JSON object", n)
		if delta.IsPatch(d.Root.Items()) {
			out.Message = "delta block contains a JSON patch; expected one JSON object with operation, section, target_id and payload"
			suggestPatch(&out, d, d.Root.Items())
			return out
		}
		if !slices.ContainsFunc(d.Root.Items(), func(item *jsontree.Node) bool { return !item.Is(jsontree.Object) }) {
			out.Suggestion = splitDeltas
		}
		if edits := d.Split(); edits != nil {
			out.Fix = newFix(splitDeltas, d.Fence.Text, edits...)
		}
	}
	return out
}

// checkBlockPresent reports nothing if DL-012 or DL-013 reports that the deltas are
// there, but in the wrong place (decisions.md 1).
func checkBlockPresent(p *lint.MessagePass) {
	m := p.Message
	escaped := m.Wrapper != nil && !m.Wrapper.Fence
	switch {
	case m.Doc == nil || !escaped && (len(m.Deltas) > 0 || !onlyWrapped(m)):
		return
	case m.Wrapper != nil:
		reportWrapper(p)
		return
	}
	d := lint.Diagnostic{
		At:         m.SubjectPlace(),
		Message:    "DELTA has no delta block: the compiler finds nothing to merge",
		Suggestion: "write each change as a JSON object in a fence tagged delta",
	}
	if m.Form == mail.Draft {
		d.Block = templateFor(&d, m.SubjectText+"\n"+string(m.Body.Data[:min(m.Body.Len(), maxBlock)]))
	}
	if name, inner := wrappedDelta(m.Doc); inner.Known() {
		d.Message += "; the delta in its fence is wrapped in " + text.Quote(name)
		d.Suggestion = "write the inner object alone, in a fence tagged delta"
		d.Fix, d.Block = unwrap(m.Doc), ""
		d.Related = []lint.RelatedLocation{{At: inner, In: m, Message: "the inner object"}}
	} else {
		splitWrapped(m, &d)
	}
	p.Report(d)
}

// splitWrapped offers to put the deltas that are inside other objects into their own
// fences.
func splitWrapped(m *session.Message, d *lint.Diagnostic) {
	var edits []source.Edit
	var json [][]byte
	for _, x := range m.UnfencedDeltas {
		if x.Form == delta.WrappedJSON && x.Fencing != nil {
			edits = append(edits, x.Fencing...)
			json = append(json, x.JSON...)
		}
	}
	if edits == nil {
		return
	}
	d.Message += "; " + text.Count(len(json), "delta is", "deltas are") + " inside another object, in a fence with another tag"
	d.Suggestion = "write each delta as an object of its own, in a fence tagged delta"
	d.Fix = newFix(d.Suggestion, m.Body, edits...)
	d.Fix.Unsafe = true // the wrapper may have a meaning
	if d.Block = ""; m.Form == mail.Draft {
		d.Block = deltaBlocks(json)
	}
}

// wrappedDelta returns the delta in the first fence at the top of the body that
// contains one object with one member, the delta: {"delta": {"operation": …}}.
func wrappedDelta(doc *markdown.Document) (name string, inner source.Place) {
	for i := range doc.Blocks {
		if text, m := unwrapped(doc, &doc.Blocks[i]); m != nil {
			return m.Name, text.Place(source.Span{Start: m.Value.Span().Start, End: m.Value.Span().Start + 1})
		}
	}
	return "", source.Place{}
}

func unwrapped(doc *markdown.Document, b *markdown.Block) (*source.Text, *jsontree.Member) {
	if b.Kind != markdown.Fence || b.InList || b.InQuote || !b.Closed {
		return nil, nil
	}
	text := doc.Content(b)
	root, _ := jsontree.Parse(text.Data, jsontree.Options{})
	if !root.Is(jsontree.Object) || len(root.Members()) != 1 {
		return nil, nil
	}
	m := &root.Members()[0]
	if m.Value.Get("operation") == nil || m.Value.Get("section") == nil {
		return nil, nil
	}
	return text, m
}

// unwrap returns the fix of all such fences: only the inner object, and the tag delta.
func unwrap(doc *markdown.Document) *lint.SuggestedFix {
	out := &lint.SuggestedFix{Description: "write the inner object alone, in a fence tagged delta", Unsafe: true}
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		text, m := unwrapped(doc, b)
		if m == nil {
			continue
		}
		inner := m.Value
		after := source.Span{Start: inner.Span().End, End: len(strings.TrimRight(string(text.Data), " \t\r\n"))}
		out.Edits = append(out.Edits,
			lint.TextEdit{At: doc.Text.Place(fenceTag(doc, b)), Text: "delta"},
			lint.TextEdit{At: text.Place(source.Span{Start: 0, End: inner.Span().Start})},
			lint.TextEdit{At: text.Place(after)})
	}
	return out
}

// fenceTag returns the first word of a fence's info string.
func fenceTag(doc *markdown.Document, b *markdown.Block) source.Span {
	word, _, _ := strings.Cut(strings.ReplaceAll(doc.Text.Slice(b.Info), "\t", " "), " ")
	return source.Span{Start: b.Info.Start, End: b.Info.Start + len(word)}
}

// onlyWrapped reports whether all deltas of a message are inside objects of another form.
func onlyWrapped(m *session.Message) bool {
	if len(m.Deltas) > 0 {
		return false
	}
	for _, x := range m.UnfencedDeltas {
		if x.Form != delta.WrappedJSON {
			return false
		}
	}
	return true
}

// hidesText reports whether a fence hides text of a DELTA: what is missing may be in it
// (decisions.md 44).
func hidesText(m *session.Message) bool {
	if m.Wrapper != nil {
		return true
	}
	for _, x := range m.UnfencedDeltas {
		if x.Form == delta.OuterFence {
			return true
		}
	}
	return false
}

// Corrected deltas as reports of drafts show them.

// deltaBlocks is deltaBlock for several objects.
func deltaBlocks(json [][]byte) string {
	var out []string
	size := 0
	for _, one := range json {
		if size += len(one); size > maxBlock {
			return ""
		}
		out = append(out, deltaBlock(one))
	}
	return strings.Join(out, "\n\n")
}

// bodyLine returns the line that a span of the body is on.
func bodyLine(m *session.Message, s source.Span) string {
	line := m.Body.Line(m.Body.LineAt(s.Start))
	return m.Body.Slice(source.Span{Start: s.Start, End: max(s.End, line.End)})
}

// lineAsBlock returns the delta block that a line `DELTA[opus]: Kill H2, refuted` may
// mean: the operation and the item that it names, and placeholders for the rest.
func lineAsBlock(line string) string {
	tag, said, _ := strings.Cut(line, ":")
	said = strings.Trim(said, "*_ \t\r\n")
	_, tag, _ = strings.Cut(strings.TrimRight(tag, "*_] \t"), "[")
	op, id := meantBy(tag + " " + said) // DELTA[test]: names the section
	if op == 0 || op != brenner.Add && id.Number == 0 {
		op, id = brenner.Add, brenner.ItemID{Section: id.Section}
	}
	return blockTemplate(op, id, said)
}

// meantBy returns the operation, and the section or the item of it, that a text names first: an
// item counts before a section.
func meantBy(said string) (op brenner.Operation, id brenner.ItemID) {
	for _, word := range strings.FieldsFunc(said, func(r rune) bool { return !isWordRune(r) }) {
		if op == 0 {
			op = operationNamed(word)
		}
		if named, ok := delta.SuggestTarget(word); ok && id.Number == 0 && word == strings.ToUpper(word) {
			id = named
		}
		if section, sure := delta.SuggestSection(word); sure && id.Section == 0 && len(word) > 2 {
			id.Section = section
		}
	}
	return op, id
}

// templateFor returns the block that a text is to be written as: with the operation, and the
// section or the item, that it names. Where it names none, the suggestion says that the
// section is an example.
func templateFor(out *lint.Diagnostic, said string) string {
	op, id := meantBy(said)
	switch {
	case id.Section == 0:
		op, id.Section = brenner.Add, brenner.HypothesisSlate
		out.Suggestion += ", as shown here for " + id.Section.ID()
	case op == 0 || op != brenner.Add && id.Number == 0:
		op = brenner.Add
	}
	rationale := brenner.RationalePlaceholder
	if op == brenner.Kill {
		rationale = brenner.KillReasonPlaceholder
	}
	return blockTemplate(op, id, rationale)
}

func isWordRune(r rune) bool {
	return r == '_' || r == '.' || r < 0x80 && (isLetter(byte(r)) || '0' <= r && r <= '9')
}

// operationNamed returns the operation that a word of prose names, 0 if none.
func operationNamed(word string) brenner.Operation {
	word = strings.ToLower(word)
	for _, form := range []string{word, strings.TrimSuffix(word, "ed"), strings.TrimSuffix(word, "d"), strings.TrimSuffix(word, "ing")} {
		for _, op := range []brenner.Operation{brenner.Add, brenner.Edit, brenner.Kill} {
			if strings.EqualFold(form, op.String()) {
				return op
			}
		}
	}
	if op, sure := delta.SuggestOperation(word); sure {
		return op
	}
	return 0
}

// blockTemplate returns a delta block with everything required, and placeholders for
// what only the writer knows.
func blockTemplate(op brenner.Operation, id brenner.ItemID, rationale string) string {
	section, target := brenner.HypothesisSlate, "null"
	if id.Section != 0 {
		section = id.Section
	}
	var payload string
	switch op {
	case brenner.Kill:
		payload, target = `{"reason": `+jsontree.Quote(rationale)+`}`, jsontree.Quote(id.String())
	case brenner.Edit:
		keys := append(requiredKeys(section), section.Keys()...)
		payload, target = "{"+templates(section, keys[min(1, len(keys)-1):][:1])+"}", jsontree.Quote(id.String())
	default:
		payload = "{" + templates(section, requiredKeys(section)) + "}"
	}
	return deltaBlock([]byte(`{
  "operation": "` + op.String() + `",
  "section": "` + section.ID() + `",
  "target_id": ` + target + `,
  "payload": ` + payload + `,
  "rationale": ` + jsontree.Quote(rationale) + `
}`))
}
