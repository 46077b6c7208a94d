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
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

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
