package rules

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// diagnoseReason words a KILL that does not say why.
func diagnoseReason(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
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
		if f.Node.Is(jsontree.String) {
			what = "empty"
			if !says(f.Node.Text) && strings.TrimSpace(f.Node.Text) != "" {
				what = "still a placeholder"
			}
		}
		out.Message = "reason of the KILL is " + what + "; expected a text that says why the item is killed"
	}
	moveReason(&out, d, f)
	return out
}

// moveReason offers to move the reason to its place: it is next to operation, the payload
// itself, under another name, or only in the rationale.
func moveReason(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	payload := d.Root.Get("payload")
	fix := func(what string, edits []source.Edit) {
		out.Suggestion = what
		if edits != nil {
			out.Fix = newFix(what, d.Text, edits...)
		}
	}
	if len(f.Misplaced) > 0 {
		if f.Node == nil && (payload == nil || d.Payload != nil) {
			fix("move reason into the payload", d.MoveToPayload(f.Misplaced))
		} else {
			out.Suggestion = "move reason into the payload"
		}
		return
	}
	if payload.Is(jsontree.String) && says(payload.Text) {
		const what = "write it as the reason"
		fix(what, []source.Edit{{Span: payload.Span(), Text: `{"reason": ` + jsontree.Quote(payload.Text) + `}`}})
		return
	}
	if name := d.MisnamedReason(); name != "" && f.Node == nil {
		fix("rename "+strings.Trim(text.Quote(name), `"`)+" to reason", []source.Edit{d.Rename(d.Payload.Member(name), "reason")})
		return
	}
	n := d.Root.Get("rationale")
	if n.Is(jsontree.String) && says(n.Text) && (payload == nil || d.Payload != nil && len(d.Payload.Members()) == 0 || payload.Is(jsontree.Null)) {
		reason := jsontree.Quote(n.Text)
		if len(reason) > maxShownValue {
			reason = `"` + brenner.KillReasonPlaceholder + `"`
		}
		fix(`write "payload": {"reason": `+reason+`}`, d.WithPayload("reason", jsontree.Quote(n.Text)))
		if out.Fix != nil {
			out.Fix.Unsafe = true
		}
	}
}
