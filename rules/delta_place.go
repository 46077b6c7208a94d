package rules

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/delta"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/markdown"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/source"
)

// deltaPlaceRules are about where deltas stand: in a fence tagged delta, under
// Deltas, in a DELTA message.
var deltaPlaceRules = []*lint.Rule{
	{
		ID: "DL-012", Name: "delta-inline-json", Severity: lint.Error, Scope: lint.MessageScope, Fixable: true,
		Source:  "delta_output_format#Failure Mode 1",
		Summary: "Delta JSON (an object with `operation` and `section`) does not stand outside a fence; inline `DELTA[x]: text` lines in the body are reported too.",
		Advice:  "put the delta into a fence of its own that begins with ```delta",
		Check:   lint.MessageCheck(checkInline),
	},
	{
		ID: "DL-013", Name: "delta-wrong-fence", Severity: lint.Error, Scope: lint.MessageScope, Fixable: true,
		Source:  "delta_output_format#Failure Mode 1",
		Summary: "Delta JSON does not stand in a fence with another tag (json, none, Delta, :::delta).",
		Advice:  "begin the fence with ```delta",
		Check:   lint.MessageCheck(checkWrongFence),
	},
	{
		ID: "DL-021", Name: "delta-outside-delta-message", Severity: lint.Warning, Scope: lint.MessageScope,
		Source:  "artifact_publish_spec#For Orchestrator/Compiler",
		Summary: "A message that is not DELTA holds no delta block: it would never be merged.",
		Check:   lint.MessageCheck(checkOutsideDelta),
	},
	{
		ID: "DL-022", Name: "deltas-section", Severity: lint.Info, Scope: lint.MessageScope,
		Source:  "delta_output_format#Message Structure",
		Summary: "A DELTA body has a `Deltas` section above its blocks.",
		Types:   []protocol.MessageType{protocol.Delta},
		Check:   lint.MessageCheck(checkDeltasSection),
	},
	{
		ID: "DL-023", Name: "delta-unclosed-fence", Severity: lint.Warning, Scope: lint.DeltaScope, Fixable: true,
		Source:  "delta_output_format#Delta Block Format",
		Summary: "A delta fence is closed.",
		Check:   lint.DeltaCheck(checkClosed),
	},
}

// checkBlockPresent is silent where DL-012 or DL-013 says that the deltas are
// there, but in the wrong place (decisions.md 1).
func checkBlockPresent(p *lint.MessagePass) {
	m := p.Message
	if m.Doc == nil || len(m.Deltas) > 0 || len(m.Misplaced()) > 0 {
		return
	}
	d := lint.Diagnostic{
		At:         m.SubjectPlace(),
		Message:    "DELTA has no delta block: the compiler finds nothing to merge",
		Suggestion: "write each change as a JSON object in a fence tagged delta",
	}
	if name, inner := wrapped(m.Doc); inner.Known() {
		d.Message += "; the delta in its fence is wrapped in " + wording.Quote(name)
		d.Suggestion = "write the inner object alone, in a fence tagged delta"
		d.Fix = unwrap(m.Doc)
		d.Related = []lint.Note{{At: inner, In: m, Message: "the inner object"}}
	}
	p.Report(d)
}

// wrapped is the delta in the first fence at the top of the body that holds one
// object with one member, the delta: {"delta": {"operation": …}}.
func wrapped(doc *markdown.Document) (name string, inner source.Place) {
	for i := range doc.Blocks {
		if text, m := unwrapped(doc, &doc.Blocks[i]); m != nil {
			return m.Name, text.Place(source.Span{Start: m.Value.Span.Start, End: m.Value.Span.Start + 1})
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
	if !root.Is(jsontree.Object) || len(root.Members) != 1 {
		return nil, nil
	}
	m := &root.Members[0]
	if m.Value.Get("operation") == nil || m.Value.Get("section") == nil {
		return nil, nil
	}
	return text, m
}

// unwrap is the mend of all such fences: the inner object alone, the tag delta.
func unwrap(doc *markdown.Document) *lint.Mend {
	out := &lint.Mend{Description: "write the inner object alone, in a fence tagged delta", Unsafe: true}
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		text, m := unwrapped(doc, b)
		if m == nil {
			continue
		}
		inner := m.Value
		after := source.Span{Start: inner.Span.End, End: len(strings.TrimRight(string(text.Data), " \t\r\n"))}
		out.Edits = append(out.Edits,
			lint.PlacedEdit{At: doc.Text.Place(fenceTag(doc, b)), Text: "delta"},
			lint.PlacedEdit{At: text.Place(source.Span{Start: 0, End: inner.Span.Start})},
			lint.PlacedEdit{At: text.Place(after)})
	}
	return out
}

// fenceTag is the first word of a fence's info string.
func fenceTag(doc *markdown.Document, b *markdown.Block) source.Span {
	word, _, _ := strings.Cut(strings.ReplaceAll(doc.Text.String(b.Info), "\t", " "), " ")
	return source.Span{Start: b.Info.Start, End: b.Info.Start + len(word)}
}

func checkInline(p *lint.MessagePass) {
	m := p.Message
	for _, x := range m.Misplaced() {
		d := lint.Diagnostic{At: m.InBody(x.Span)}
		switch x.Form {
		case delta.BareJSON:
			d.At.Span.End = d.At.Span.Start + 1
			d.Message = "inline delta JSON is not in a fence: the compiler drops it silently"
			d.Suggestion = "put it in a fence tagged delta"
			if x.Fencing != nil {
				d.Fix = mend("put it in a fence tagged delta", m.Body, x.Fencing...)
				d.Fix.Unsafe = !x.Valid
			}
		case delta.BareLine:
			d.Message = "inline " + wording.Quote(m.Body.String(x.Span)) + " is no delta block: the compiler drops it silently"
			d.Suggestion = "write the change as a JSON object in a fence tagged delta"
		default:
			continue
		}
		p.Report(d)
	}
}

func checkWrongFence(p *lint.MessagePass) {
	m := p.Message
	for _, x := range m.Misplaced() {
		switch x.Form {
		case delta.OtherFence:
			reportWrongFence(p, x, m.Body.String(x.Tag))
		case delta.ColonFence:
			reportColonFence(p, x)
		}
	}
}

func reportWrongFence(p *lint.MessagePass, x delta.Misplaced, tag string) {
	m := p.Message
	what := "without a tag"
	if tag != "" {
		what = "tagged " + wording.Quote(tag)
	}
	d := lint.Diagnostic{
		At:         m.InBody(x.Span),
		Message:    "delta JSON stands in a fence " + what + ": the compiler reads only fences tagged delta",
		Suggestion: "write delta as the fence's tag",
		Fix:        mend("tag the fence delta", m.Body, source.Edit{Span: x.Tag, Text: "delta"}),
	}
	d.Fix.Unsafe = m.Intended != protocol.Delta
	p.Report(d)
}

func reportColonFence(p *lint.MessagePass, x delta.Misplaced) {
	m := p.Message
	d := lint.Diagnostic{
		At:         m.InBody(x.Span),
		Message:    wording.Quote(m.Body.String(x.Span)) + " opens no fence of Markdown: the compiler reads only fences tagged delta",
		Suggestion: "write ```delta, and ``` at the end",
	}
	if !x.Closing.Empty() {
		d.Fix = mend("write a fence", m.Body,
			source.Edit{Span: x.Span, Text: "```delta"}, source.Edit{Span: x.Closing, Text: "```"})
		d.Fix.Unsafe = !x.Valid
	}
	p.Report(d)
}

func checkOutsideDelta(p *lint.MessagePass) {
	m := p.Message
	if m.Intended == protocol.Delta || !m.ReplyDraft && strings.TrimSpace(m.SubjectText) == "" {
		return // IN-003 says that the subject is missing, without which there is no type
	}
	what := "a message without a type"
	hint := "send it under a subject DELTA[role]: …"
	switch {
	case m.Intended != 0:
		what = "a " + m.Intended.String()
		if strings.ContainsRune("AEIOU", rune(what[2])) {
			what = "an" + what[1:]
		}
	case m.Reply || m.Subject == nil: // the draft of a reply has no subject
		what = "a reply"
		hint = "give the reply a subject of its own: DELTA[role]: …"
	}
	for _, d := range m.Deltas {
		p.Report(lint.Diagnostic{
			At: d.Fence, Delta: d.Index,
			Message:    "delta block in " + what + ": only those of DELTA messages are merged",
			Suggestion: hint,
		})
	}
}

func checkDeltasSection(p *lint.MessagePass) {
	m := p.Message
	if len(m.Deltas) == 0 {
		return
	}
	first := m.Deltas[0].Block.Span.Start
	d := lint.Diagnostic{
		At:         m.SubjectPlace(),
		Message:    "DELTA has no section Deltas above its blocks",
		Suggestion: "add the line ## Deltas above the first block",
	}
	if s := deltasSection(m); s != nil {
		if s.Heading.Start < first {
			return
		}
		d.At = m.InBody(s.Heading)
		d.Message = "section Deltas stands below the first delta block, expected above it"
		d.Suggestion = "move the heading up"
	}
	p.Report(d)
}

// deltasSection is the first section titled Deltas, or nil.
func deltasSection(m *session.Message) *session.Section {
	for i := range m.Sections {
		if m.Sections[i].Is("Deltas") {
			return &m.Sections[i]
		}
	}
	return nil
}

func checkClosed(p *lint.DeltaPass) {
	d := p.Delta
	if d.Block.Closed {
		return
	}
	closing := strings.Repeat(string(d.Block.FenceChar), d.Block.FenceLen)
	reportDelta(p, lint.Diagnostic{
		At:         d.Fence,
		Message:    fmt.Sprintf("fence of delta %d is not closed: everything up to the end counts as delta", d.Index),
		Suggestion: "close it with " + fenceMarks(d.Block),
		Fix:        closeFence(d, closing),
	})
}

// fenceMarks names the marks that close a fence.
func fenceMarks(b *markdown.Block) string {
	if b.FenceLen > 8 {
		return fmt.Sprintf("a line of %d times %c", b.FenceLen, b.FenceChar)
	}
	return strings.Repeat(string(b.FenceChar), b.FenceLen)
}

// closeFence closes a fence at its end or, if other text follows the JSON, after
// the JSON.
func closeFence(d *delta.Delta, closing string) *lint.Mend {
	below := markdown.Below(d.Fence.Text, d.Fence.Span.Start)
	if d.Syntax != nil && d.Syntax.ValueEnd > 0 && len(d.Swallowed) == 0 {
		after := source.Span{Start: d.Syntax.ValueEnd, End: d.Syntax.ValueEnd}
		next := below
		if rest, ok := nextLine(d.Text.Data[after.End:]); ok {
			next = strings.TrimRight(below, " \t") // a blank line
			if _, ok := nextLine(rest); ok {
				next = "" // there is one
			}
		}
		fix := mend("close the fence after the JSON", d.Text, source.Edit{Span: after, Text: below + closing + next})
		fix.Unsafe = true
		return fix
	}
	end := source.Span{Start: d.Block.Span.End, End: d.Block.Span.End}
	fix := mend("close the fence", d.Fence.Text, source.Edit{Span: end, Text: below + closing})
	fix.Unsafe = d.Root == nil
	return fix
}

// nextLine is what follows the line that text begins with, if that is blank.
func nextLine(text []byte) (rest []byte, ok bool) {
	return bytes.CutPrefix(bytes.TrimLeft(text, " \t\r"), []byte{'\n'})
}
