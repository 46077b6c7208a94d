package rules

import (
	"bytes"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// A wrapper around a whole body is one fault, not one missing section each
// (decisions.md 44).

// orWrapper returns the check of the first section rule of a type: if the whole body is
// wrapped it reports that, and no rule of the type reports anything else about the
// sections.
func orWrapper(check lint.MessageCheck) lint.MessageCheck {
	return func(p *lint.MessagePass) {
		if isWrapped(p.Message) {
			reportWrapper(p)
			return
		}
		check(p)
	}
}

// isWrapped reports whether the body is wrapped, so that its sections cannot be checked.
func isWrapped(m *session.Message) bool { return m.Doc != nil && m.Wrapper != nil }

// reportsWrapper reports whether a rule reports the wrapper of the body: it is wrapped,
// and its type has sections.
func reportsWrapper(m *session.Message) bool {
	return isWrapped(m) && m.Intended != 0 && m.Intended != brenner.Info
}

func reportWrapper(p *lint.MessagePass) {
	m := p.Message
	what := "sections"
	if m.Intended == brenner.Delta {
		what = "delta blocks"
	}
	d := lint.Diagnostic{
		At:         m.InBody(m.Wrapper.Span),
		Message:    m.Intended.String() + " body is one fence from its first to its last line; its content is code, without " + what,
		Suggestion: "remove the fence around the text",
	}
	if !m.Wrapper.Fence {
		d.Message = "line breaks of the " + m.Intended.String() + ` body are written as \n; it is a single line, without ` + what
		d.Suggestion = `replace each \n with a line break`
		if m.Intended == brenner.Delta {
			d.Fix = breakLines(m)
		}
		if m.Form == mail.Draft && d.Fix == nil {
			d.Assume = newFix(d.Suggestion, m.Body, unescapes(m.Body.Data)...)
		}
	} else if m.Form == mail.Draft {
		d.Assume = newFix(d.Suggestion, m.Body, withoutFence(m)...)
	}
	p.Report(d)
}

// withoutFence removes the fence around a whole body.
func withoutFence(m *session.Message) []source.Edit {
	text := m.Body.Data
	start := bytes.LastIndexByte(text[:m.Wrapper.Span.Start], '\n') + 1
	first := source.Span{Start: start, End: m.Wrapper.Span.End}
	if n := bytes.IndexByte(text[first.End:], '\n'); n >= 0 {
		first.End += n + 1
	}
	edits := []source.Edit{{Span: first}}
	end := len(bytes.TrimRight(text, " \t\r\n"))
	last := source.Span{Start: bytes.LastIndexByte(text[:end], '\n') + 1, End: end}
	if last.Start >= first.End && len(bytes.Trim(text[last.Start:last.End], "`~ \t")) == 0 {
		edits = append(edits, source.Edit{Span: last})
	}
	return edits
}

// breakLines turns the \n in a body into line breaks, and decodes the other escapes too
// if the whole body is escaped. It returns nil if that produces no delta block with
// valid or nearly valid JSON: then some \n belong to its texts.
func breakLines(m *session.Message) *lint.SuggestedFix {
	text := m.Body.Data
	edits := unescapes(text)
	doc := markdown.Parse(source.NewText(source.Apply(text, edits)))
	deltas := delta.Extract(doc, jsontree.Options{})
	for _, d := range deltas {
		if d.Syntax == nil {
			continue
		}
		r := jsontree.Recover(d.Text.Data, jsontree.Options{})
		if !r.Certain || slices.ContainsFunc(r.Edits, func(e source.Edit) bool { return strings.TrimSpace(e.Text) != "" }) {
			return nil
		}
	}
	if len(deltas) == 0 {
		return nil
	}
	fix := newFix(`replace each \n with a line break`, m.Body, edits...)
	fix.Unsafe = true
	return fix
}

// unescapes returns the edits that turn \n into line breaks, and decode the other
// escapes too if the whole text is escaped.
func unescapes(text []byte) []source.Edit {
	whole := bytes.Contains(text, []byte(`\"`))
	var edits []source.Edit
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if r, ok := unescaped(text[i+1], whole); ok {
			edits = append(edits, source.Edit{Span: source.Span{Start: i, End: i + 2}, Text: r})
		}
		i++
	}
	return edits
}

// unescaped returns what a character after a backslash means.
func unescaped(c byte, whole bool) (string, bool) {
	switch {
	case c == 'n':
		return "\n", true
	case c == 'r':
		return "", true
	case c == 't':
		return "\t", true
	case whole && strings.IndexByte(`"\/`, c) >= 0:
		return string(rune(c)), true
	}
	return "", false
}
