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

// faultRule completes a rule on the structure of deltas: package delta finds the faults of
// some kinds, and the rule words them. The merge rejects deltas for most of them, so reports
// of merges name them too.
func faultRule(r *lint.Rule, kinds []delta.Kind, diagnose func(*delta.Delta, *delta.Fault) lint.Diagnostic) *lint.Rule {
	r.Check = lint.DeltaCheck(func(p *lint.DeltaPass) {
		for i := range p.Delta.Faults {
			f := &p.Delta.Faults[i]
			if !slices.Contains(kinds, f.Kind) || f.Kind == delta.BlankBlock && isNextToJSON(p) {
				continue
			}
			d := diagnose(p.Delta, f)
			d.At, d.Field = f.At, f.Field
			for i := range d.Related {
				d.Related[i].In = p.Message
			}
			p.Report(d)
		}
	})
	r.Rejects = func(why *replay.Rejection) string {
		if !slices.Contains(kinds, why.Fault) {
			return ""
		}
		return diagnose(why.Delta.Delta, why.Delta.Rejected()).Message
	}
	return r
}

// isNextToJSON reports whether a delta fence with nothing in it is next to the JSON that should be in it:
// DL-012 says so.
func isNextToJSON(p *lint.DeltaPass) bool {
	all, block := p.Message.UnfencedDeltas, p.Delta.Block
	i, _ := slices.BinarySearchFunc(all, block.Span.Start, func(x delta.UnfencedDelta, at int) int { return cmp.Compare(x.Span.Start, at) })
	return i < len(all) && all[i].Blank == block || i > 0 && all[i-1].Blank == block
}

// newFix returns a fix by edits of one text; nil if there are none.
func newFix(description string, text *source.Text, edits ...source.Edit) *lint.SuggestedFix {
	if len(edits) == 0 {
		return nil
	}
	fix := &lint.SuggestedFix{Description: description, Edits: make([]lint.TextEdit, len(edits))}
	for i, e := range edits {
		fix.Edits[i] = lint.TextEdit{At: text.Place(e.Span), Text: e.Text}
	}
	return fix
}

// unsafeIf returns a fix, if there is one, as one that may change what is meant.
func unsafeIf(doubtful bool, fix *lint.SuggestedFix) *lint.SuggestedFix {
	if fix != nil {
		fix.Unsafe = doubtful
	}
	return fix
}

// offer suggests a change, and offers to make it if there are edits for it.
func offer(d *lint.Diagnostic, suggestion string, text *source.Text, edits ...source.Edit) {
	offerIf(true, d, suggestion, text, edits...)
}

// offerIf is offer of a fix that is unsafe unless it is certain.
func offerIf(certain bool, d *lint.Diagnostic, suggestion string, text *source.Text, edits ...source.Edit) {
	d.Suggestion, d.Fix = suggestion, unsafeIf(!certain, newFix(suggestion, text, edits...))
}

// replace returns the edit that writes something else in place of a value.
func replace(n *jsontree.Node, text string) source.Edit {
	return source.Edit{Span: n.Span(), Text: text}
}

// insert returns the edit that writes something at an offset.
func insert(at int, text string) source.Edit {
	return source.Edit{Span: source.Span{Start: at, End: at}, Text: text}
}

// eachDelta returns the check of each delta that is a JSON object with members, and has the shape
// of a delta: others have already been reported (decisions.md 1).
func eachDelta(check func(p *lint.DeltaPass, d *delta.Delta)) lint.DeltaCheck {
	return func(p *lint.DeltaPass) {
		if d := p.Delta; len(d.Root.Members()) > 0 && !d.OtherShape {
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
		// It reports nothing if DL-012 or DL-013 reports that the deltas are there, but in the wrong place (decisions.md 1).
		Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			escaped := m.Wrapper != nil && !m.Wrapper.Fence
			switch {
			case m.Doc == nil || !escaped && !onlyWrapped(m):
				return
			case m.Wrapper != nil:
				reportWrapper(p)
				return
			}
			d := finding(m.SubjectPlace(),
				"DELTA has no delta block: the compiler finds nothing to merge",
				"write each change as a JSON object in a fence tagged delta")
			if m.Form == mail.Draft {
				d.Block = templateFor(&d, 1, m.SubjectText+"\n"+string(m.Body.Data[:min(m.Body.Len(), maxBlock)]), m.Fields...)
				d.Suggestion += "; a message that changes nothing begins with INFO: instead"
			}
			unwrapDeltas(m, &d)
			p.Report(d)
		})},
	faultRule(&lint.Rule{
		ID: "MB-005", Name: "delta-json", Severity: lint.Error, SpecRef: "message_body_schema#MB-005",
		Summary: "Every delta block is one valid RFC 8259 JSON value; the finding points at the offending byte and says what is wrong (trailing comma, comment, single quotes, unquoted key, data after the object, invalid UTF-8 or escape).",
		Help:    "write the block as one JSON object: keys and texts in double quotes, no comments, no comma before } or ]",
	}, []delta.Kind{delta.InvalidJSON, delta.BlankBlock, delta.UnclosedFence}, diagnoseJSON),
}

func diagnoseJSON(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	switch {
	case f.Kind == delta.BlankBlock && d.CutOff():
		return lint.Diagnostic{
			Message:    fmt.Sprintf("delta %d is cut off: the body ends where its JSON is to begin", d.Index),
			Suggestion: sendAgain + "write the delta, and " + fenceMarks(d.Block) + " on a line of its own; or remove the fence",
		}
	case f.Kind == delta.BlankBlock:
		return lint.Diagnostic{
			Message:    fmt.Sprintf("delta %d is blank: a delta block holds one JSON object", d.Index),
			Suggestion: "write the delta, or remove the fence",
		}
	case f.Kind == delta.UnclosedFence:
		out := notJSON(d, "its fence is not closed before the next block")
		out.Related = []lint.RelatedLocation{{At: d.Fence, Message: "the fence that is not closed"}}
		offerClosing(&out, d, "close the fence")
		out.Suggestion = "write " + fenceMarks(d.Block) + " on a line of its own before this one"
		return out
	case d.OnFence:
		return diagnoseOnFence(d)
	case d.Marks.Why != delta.NoMarks:
		return diagnoseMarks(d)
	case d.CutOff() && d.Outside != nil && strings.Contains(d.Outside.Text, "}"):
		return endsOutside(d, "delta %d is not valid JSON: its last lines, and the marks below them, are")
	case d.CutOff():
		return diagnoseCutOff(d)
	}
	if objects := d.Sequence(); objects != nil && !d.IsSequence() {
		out := notJSON(d, fmt.Sprintf("the block contains %d deltas", len(objects)))
		offerSplit(&out, d)
		return out
	}
	out := notJSON(d, d.Syntax.Message)
	out.Suggestion, out.Quoted = d.Syntax.Hint, d.Syntax.Quoted
	if !d.Block.Closed {
		if end, ok := jsontree.ValueEnd(d.Text.Data); ok && end <= d.Syntax.Span.Start {
			out = notJSON(d, "text is below it, because its fence is not closed") // DL-023 offers to close it
			out.Suggestion = "write " + fenceMarks(d.Block) + " on a line of its own above the text"
			return out
		}
	}
	if d.IsSequence() {
		if offerSplit(&out, d); out.Fix != nil {
			return out
		}
	}
	if objects, language := d.Translated(); objects != nil {
		out.Message = fmt.Sprintf("delta %d is not valid JSON: it is written in %s", d.Index, language)
		out.Block = deltaBlock(objects...)
		suggestion := "write the whole block as JSON"
		if len(objects) > 1 {
			suggestion = splitDeltas + ", as JSON"
		}
		offer(&out, suggestion, d.Fence.Text, d.Separate(objects)...)
		return out
	}
	edits, safe := d.Repair()
	if edits == nil {
		if text := bytes.TrimLeft(d.Text.Data, " \t\r\n"); out.Suggestion == "" || len(text) > 0 && text[0] == '<' { // XML
			out.Suggestion = "write the whole block as JSON, with what it says"
			out.Block = templateFor(&out, d.Index, string(d.Text.Data[:min(len(d.Text.Data), maxBlock)]))
		}
		return out
	}
	out.Fix = unsafeIf(!safe, newFix(cmp.Or(d.Syntax.Hint, "write it as JSON"), d.Text, edits...))
	// A truncated text lacks the ends of everything open: then the hint is only the first part.
	first, adds := strings.CutPrefix(d.Syntax.Hint, "add ")
	isPart := adds && len(first) == 1 && strings.TrimSpace(edits[0].Text) != first
	if len(edits) > 1 || out.Suggestion == "" || isPart {
		if out.Suggestion != "" {
			out.Suggestion += "; "
		}
		out.Suggestion += "write the whole block as JSON"
		out.Block = deltaBlock(source.Apply(d.Text.Data, edits))
	}
	return out
}

// notJSON says why a block is not valid JSON.
func notJSON(d *delta.Delta, why string) lint.Diagnostic {
	return lint.Diagnostic{Message: fmt.Sprintf("delta %d is not valid JSON: %s", d.Index, why)}
}

// offerClosing suggests how to close the fence of a block, and offers to close it.
func offerClosing(out *lint.Diagnostic, d *delta.Delta, suggestion string, before ...source.Edit) {
	edits, certain := d.CloseFence()
	offerIf(certain, out, suggestion, d.Fence.Text, append(before, edits...)...)
}

// offerSplit suggests to put several deltas into fences of their own. Text around them may be meant
// as a part of them.
func offerSplit(out *lint.Diagnostic, d *delta.Delta) {
	suggestion, edits, isAlone := splitDeltas, d.Split(), !d.HasProse()
	if !isAlone && edits != nil {
		suggestion += ", and the text around them outside of the fences"
	}
	offerIf(isAlone, out, suggestion, d.Fence.Text, edits...)
}

// sendAgain is what to do about a message that is cut off.
const sendAgain = "send the whole again: "

// diagnoseCutOff describes a block that ends in the middle, maybe without its closing fence.
func diagnoseCutOff(d *delta.Delta) lint.Diagnostic {
	out := lint.Diagnostic{
		Message:    fmt.Sprintf("delta %d is cut off: %s", d.Index, d.Syntax.Message),
		Suggestion: d.Syntax.Hint,
	}
	marks := ", and " + fenceMarks(d.Block) + " on a line of its own"
	lacksRest, lost := d.Syntax.CutOff || d.LacksRest(), ""
	if lacksRest {
		lost = lostFields(d)
	}
	switch {
	case lost != "":
		out.Suggestion = sendAgain + "write the rest of the payload, with " + lost + " in it, then the rationale, the closing braces" + marks
		marks = ""
	case d.Syntax.CutOff:
		out.Suggestion = sendAgain + d.Syntax.Hint
	case lacksRest:
		out.Suggestion = sendAgain + "write the rest, then " + d.Syntax.Open
	default:
		out.Suggestion = "write " + d.Syntax.Open + " at its end"
	}
	does, closing := "close the JSON", ""
	if !d.Block.Closed {
		does, closing = does+" and its fence", markdown.Below(d.Fence.Text, d.Fence.Span.Start)+d.Block.Marks()
		out.Message += ", and its fence is not closed"
		out.Suggestion += marks
	}
	if !lacksRest {
		out.Suggestion += "; if more of the delta is lost, write that first"
	}
	if edits, _ := d.Repair(); len(edits) > 0 && !lacksRest {
		edits[len(edits)-1].Text += closing
		out.Fix = unsafeIf(true, newFix(does, d.Text, edits...))
	}
	return out
}

// lostFields shows the required fields that an ADD that is cut off does not have yet.
func lostFields(d *delta.Delta) string {
	root := d.Beginning()
	section := delta.SectionNamed(root.Get("section"))
	if op, _ := delta.SuggestOperation(root.Get("operation").StringOr("")); op != brenner.Add || section == 0 {
		return ""
	}
	return templates(section, slices.DeleteFunc(requiredKeys(section), func(key string) bool { return root.Get("payload").Get(key) != nil }), nil)
}

// marksWords say what is wrong with marks that are meant to close a fence, and what to do. MARKS are those of the fence.
var marksWords = map[delta.FenceDefect][2]string{
	delta.Glued:    {"the marks on its last line do not close the fence", "write MARKS on a line of its own below the JSON"},
	delta.Followed: {"the marks below it do not close the fence, because text follows them", "write the text after MARKS on a line of its own"},
	delta.Preceded: {"the marks below it do not close the fence, because other characters are before them", "write MARKS alone on the line"},
	delta.Tagged:   {"the marks below it do not close the fence, because a tag follows them", "write MARKS without the tag"},
	delta.Escaped:  {"the marks below it do not close the fence, because they have backslashes", "write MARKS"},
	delta.Indented: {"the marks below it are indented too far to close the fence", "write MARKS without the indentation"},
	delta.Surplus:  {"marks are below it that do not close the fence: the next ones do", "remove these marks"},
	delta.Nested:   {"another fence is inside its fence", "remove the marks of the inner fence"},
	delta.Unlike:   {"the marks below it do not close the fence, which opens with MARKS", "write MARKS"},
}

// diagnoseMarks describes marks that are meant to close a fence, and do not.
func diagnoseMarks(d *delta.Delta) lint.Diagnostic {
	marks, closing := d.Marks, fenceMarks(d.Block)
	words := marksWords[marks.Why]
	why, suggestion := strings.ReplaceAll(words[0], "MARKS", closing), strings.ReplaceAll(words[1], "MARKS", closing)
	if marks.Rest > 0 && marks.Why != delta.Followed {
		suggestion += ", and the text after them on another"
	}
	if brackets := d.Unclosed(); brackets != "" {
		why += ", and the JSON lacks " + brackets
		suggestion = "write " + brackets + " at its end, and " + suggestion
	}
	out := notJSON(d, why)
	offerClosing(&out, d, suggestion)
	if objects := d.Objects(); marks.Why == delta.Nested && len(objects) > 1 {
		out.Suggestion = splitDeltas + ", in place of this one and those in it"
		out.Block = deltaBlock(objects...)
		switch {
		case d.HasProse(): // which the fix would take away
			out.Fix = nil
		case out.Block != "" && d.Block.Closed && !d.Block.InList && !d.Block.InQuote:
			out.Fix = newFix(splitDeltas, d.Fence.Text, source.Edit{Span: d.Block.Span, Text: d.EndLines(out.Block)})
		}
	}
	return out
}

// diagnoseOnFence describes JSON on the line that opens the fence.
func diagnoseOnFence(d *delta.Delta) lint.Diagnostic {
	out := notJSON(d, d.Syntax.Message)
	json, _ := d.Text.Within(d.Fence.Text, source.Span{})
	broken := source.Edit{
		Span: source.Span{Start: d.Fence.Span.End, End: json.Start}, Text: markdown.Below(d.Fence.Text, d.Fence.Span.Start),
	}
	hint := d.Syntax.Hint
	if len(d.Objects()) > 1 {
		hint = ownFences
	}
	if d.Marks.Why == delta.NoMarks {
		offer(&out, hint, d.Fence.Text, append([]source.Edit{broken}, d.Split()...)...)
	} else {
		offerClosing(&out, d, hint+", and write "+fenceMarks(d.Block)+" on a line of its own below it", broken)
	}
	return out
}

// ownFences is what to do about several deltas, of which one is on the line that opens a fence.
const ownFences = "write each delta in a fence of its own, on the line below ```delta"

// maxBlock bounds the corrected delta blocks that reports show.
const maxBlock = 8 << 10

// deltaBlock returns a fence with corrected JSON, or one for each of several objects; "" if that
// is too long to be shown.
func deltaBlock(objects ...[]byte) string {
	var out []string
	size := 0
	for _, json := range objects {
		json = bytes.TrimSpace(json)
		if size += len(json); size > maxBlock || !utf8.Valid(json) {
			return ""
		}
		out = append(out, "```delta\n"+string(json)+"\n```")
	}
	return strings.Join(out, "\n\n")
}

const splitDeltas = "write each delta in a fence of its own"

func diagnoseObject(d *delta.Delta, _ *delta.Fault) lint.Diagnostic {
	var out lint.Diagnostic
	items := d.Root.Items()
	isOther := func(item *jsontree.Node) bool { return !item.Is(jsontree.Object) }
	switch {
	case d.Quoted() != nil:
		out.Message = "delta block contains a string with a JSON object; expected the object"
		out.Block = deltaBlock(d.Quoted())
		offer(&out, withoutQuotes, d.Text, replace(d.Root, string(d.Quoted())))
		return out
	case delta.IsPatch(items):
		out.Message = "delta block contains a JSON patch; expected one JSON object with operation, section, target_id and payload"
		suggestPatch(&out, d, items)
		return out
	case d.Root.Is(jsontree.Object):
		out.Message = "delta is an empty object: it says neither operation nor section"
	case !d.Root.Is(jsontree.Array):
		out.Message = fmt.Sprintf("delta block contains %s; expected a JSON object", d.Root.Kind)
	case len(items) == 0:
		out.Message = "delta block contains an empty array; expected a JSON object"
	default:
		out.Message = fmt.Sprintf("delta block contains an array of %d; expected one JSON object", len(items))
		if !slices.ContainsFunc(items, isOther) {
			offer(&out, splitDeltas, d.Fence.Text, d.Split()...)
			return out
		}
	}
	out.Suggestion = "write the whole block as one JSON object with operation, section, target_id, payload and rationale, or remove its fence"
	above := d.Fence.Text.Data[:d.Fence.Span.Start] // which may say what the block should
	out.Block = templateFor(&out, d.Index, string(d.Text.Data[:min(len(d.Text.Data), maxBlock)])+"\n"+string(above[max(0, len(above)-256):]))
	return out
}

// withoutQuotes is what to do about an object that is written as a string.
const withoutQuotes = "write the object itself, without the quotation marks around it and the backslashes"

// unwrapDeltas offers to put the deltas that are inside other objects into their own fences.
func unwrapDeltas(m *session.Message, d *lint.Diagnostic) {
	var edits []source.Edit
	var json [][]byte
	certain := true
	for _, x := range m.UnfencedDeltas {
		if x.Form != delta.WrappedJSON || x.Edits == nil {
			continue
		}
		certain = certain && x.Certain && !x.Unwanted // else the wrapper may have a meaning
		edits = append(edits, x.Edits...)
		json = append(json, x.JSON...)
		if x.Wrapper != "" && d.Related == nil { // {"delta": {"operation": …}}
			d.Message += "; the delta in its fence is wrapped in " + text.Quote(x.Wrapper)
			d.Related = []lint.RelatedLocation{{At: m.InBody(source.Span{Start: x.Inner.Start, End: x.Inner.Start + 1}), In: m, Message: "the inner object"}}
		}
	}
	if edits == nil {
		return
	}
	d.Block = ""
	suggestion := "write the inner object alone, in a fence tagged delta"
	if d.Related == nil {
		d.Message += "; " + text.Count(len(json), "delta is", "deltas are") + " inside another object, in a fence with another tag"
		suggestion = "write each delta as an object of its own, in a fence tagged delta"
		d.Block = deltaBlock(json...)
	}
	offerIf(certain, d, suggestion, m.Body, edits...)
}

// onlyWrapped reports whether all deltas of a message are inside objects of another form.
func onlyWrapped(m *session.Message) bool {
	return len(m.Deltas) == 0 && !slices.ContainsFunc(m.UnfencedDeltas, func(x delta.UnfencedDelta) bool { return x.Form != delta.WrappedJSON })
}

// hidesText reports whether a fence hides text of a DELTA: what is missing may be in it
// (decisions.md 44).
func hidesText(m *session.Message) bool {
	return m.Wrapper != nil || slices.ContainsFunc(m.UnfencedDeltas, func(x delta.UnfencedDelta) bool { return x.Form == delta.OuterFence })
}

// Corrected deltas as reports of drafts show them.

// lineAsBlock returns the delta block that a line `DELTA[opus]: Kill H2, refuted` may
// mean: the operation and the item that it names, and placeholders for the rest. What it says
// is the reason; below the tag of a section it is the item.
func lineAsBlock(line string) string {
	tag, said, _ := strings.Cut(line, ":")
	said = strings.Trim(said, "*_ \t\r\n")
	_, tag, _ = strings.Cut(strings.TrimRight(tag, "*_] \t"), "[")
	op, id := meantBy(tag + " " + said)
	values := map[string]string{"rationale": jsontree.Quote(said)}
	if section := delta.SuggestSection(tag); section > brenner.ResearchThread && op == brenner.Add && hasContent(said) { // DELTA[test]: with what is done
		id, values = brenner.ItemID{Section: section}, map[string]string{section.MainField(): jsontree.Quote(said)}
	}
	return blockTemplate(op, id, fieldNamed(id.Section, said), values)
}

// words finds words of prose, and ids such as P1.H1.
var words = text.Pattern(`[\w.]+`)

// meantBy returns the operation, and the section or the item of it, that a text names first: an
// item counts before a section, except for what is added. Without an item it is an ADD.
func meantBy(said string) (op brenner.Operation, id brenner.ItemID) {
	var section brenner.Section
	for _, word := range words().FindAllString(said, -1) {
		if op == "" {
			if named, sure := delta.SuggestOperation(operationWord().ReplaceAllString(word, "$1")); sure {
				op = named
			}
		}
		if named, ok := delta.SuggestTarget(word); ok && id.Number == 0 && word == strings.ToUpper(word) {
			id = named
		}
		if section == 0 && len(word) > 2 {
			section = cmp.Or(delta.SectionOfOperation(word), delta.SuggestSection(word)) // add_hypothesis
		}
	}
	if section != 0 && (id.Number == 0 || op == brenner.Add) {
		id = brenner.ItemID{Section: section}
	}
	if op == "" || id.Number == 0 {
		op = brenner.Add
	}
	return op, id
}

// templateFor returns the block that a text is to be written as: with the operation, and the
// section or the item, that it names, and the values of field lines. Where it names none, there is no
// block, and the suggestion describes all.
func templateFor(out *lint.Diagnostic, index int, said string, lines ...session.Field) string {
	op, id := meantBy(said)
	if id.Section == 0 {
		out.Suggestion += "; " + anyDelta(index)
		return ""
	}
	values, size := map[string]string{}, 0
	for _, line := range lines[:min(len(lines), maxLines)] {
		key, value := strings.ReplaceAll(strings.ToLower(line.Name), " ", "_"), jsontree.Quote(line.Text)
		field := id.Section.Field(key)
		switch {
		case field == nil && key != "rationale" && key != "reason" || values[key] != "":
			continue
		case key == "anchors":
			value, _ = anchorsOf(line.Text)
		case field != nil && field.Kind == brenner.ListField:
			value = listOf(line.Text)
		}
		if size += len(value); size > maxBlock/2 {
			break
		}
		values[key] = value
	}
	return blockTemplate(op, id, fieldNamed(id.Section, said), values)
}

// maxLines bounds the field lines that are read for a block.
const maxLines = 40

// anyDelta describes the deltas of all operations, for the first blocks that name none.
func anyDelta(index int) string {
	if index > maxNamed {
		return "name the operation, the section and the fields"
	}
	const s = brenner.HypothesisSlate
	return `to add an item, write {"operation": "ADD", "section": "` + s.ID() + `", "target_id": null, "payload": {` + templates(s, requiredKeys(s), nil) +
		`}, "rationale": "` + brenner.RationalePlaceholder + `"}, or another section with its fields; to change an item, write "EDIT", its id as target_id, and in the payload only the fields that change; to kill one, write "KILL", its id, and {"reason": "` + brenner.KillReasonPlaceholder + `"} as the payload`
}

// fieldNamed returns the field of a section that a text names first; "" if none.
func fieldNamed(s brenner.Section, said string) string {
	for _, word := range words().FindAllString(strings.ToLower(said), -1) {
		if isListed(s, word) {
			return word
		}
	}
	return ""
}

// operationWord is a form of the name of an operation: added, killing.
var operationWord = text.Pattern(`^(?i)(add|edit|kill)(?:ed|d|ing)?$`)

// blockTemplate returns a delta block with everything required: values of fields and the rationale, as JSON,
// and placeholders for what only the writer knows. An EDIT changes a field, or if that is "" the one that says
// what the item is about. The section is the item's; a line that names none is about hypotheses.
func blockTemplate(op brenner.Operation, id brenner.ItemID, field string, values map[string]string) string {
	section, target, rationale := cmp.Or(id.Section, brenner.HypothesisSlate), "null", brenner.RationalePlaceholder
	if section == brenner.ResearchThread {
		op = brenner.Edit // there is exactly one
	}
	if op != brenner.Add {
		target = jsontree.Quote(id.String())
		if id.Number == 0 && section != brenner.ResearchThread {
			target = jsontree.Quote(brenner.ItemPlaceholder)
		}
	}
	keys := requiredKeys(section)
	switch op {
	case brenner.Kill:
		rationale = brenner.KillReasonPlaceholder
	case brenner.Edit:
		keys = []string{cmp.Or(field, section.MainField())}
	}
	rationale = cmp.Or(values["rationale"], jsontree.Quote(rationale))
	payload := templates(section, keys, values)
	if op == brenner.Kill {
		payload = `"reason": ` + cmp.Or(values["reason"], rationale)
	}
	return deltaBlock([]byte(`{
  "operation": "` + string(op) + `",
  "section": "` + section.ID() + `",
  "target_id": ` + target + `,
  "payload": {` + payload + `},
  "rationale": ` + rationale + `
}`))
}
