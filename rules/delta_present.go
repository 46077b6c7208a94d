package rules

import (
	"strings"

	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

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
