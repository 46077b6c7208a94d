package rules

import (
	"strings"

	"github.com/brennerlint/brennerlint/delta"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/markdown"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/source"
)

// What a whole body is wrapped in is one fault, not a missing section each
// (decisions.md 44).

// wrapperRules are the rules that report it: the first section rule of each
// type, of DELTA the rule on its blocks.
var wrapperRules = [...]string{
	protocol.Kickoff:  "MB-002",
	protocol.Delta:    "MB-004",
	protocol.Compiled: "AP-004",
	protocol.Critique: "MB-006",
	protocol.Ack:      "MB-016",
	protocol.Claim:    "MB-018",
	protocol.Handoff:  "MB-008",
	protocol.Blocked:  "MB-022",
	protocol.Question: "MB-025",
	protocol.Info:     "",
}

// wrapperRule is the rule that reports what the body is wrapped in, "" if it is
// not, or the type has no sections.
func wrapperRule(m *session.Message) string {
	if m.Wrapper == nil {
		return ""
	}
	return wrapperRules[m.Intended]
}

// wrapped reports whether the body is wrapped, so that nothing can be said of
// its sections, and has the rule whose part it is say so.
func wrapped(p *lint.MessagePass) bool {
	if p.Message.Wrapper != nil && p.Rule.ID == wrapperRule(p.Message) {
		reportWrapper(p)
	}
	return p.Message.Wrapper != nil
}

func reportWrapper(p *lint.MessagePass) {
	m := p.Message
	what := "sections"
	if m.Intended == protocol.Delta {
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
		if m.Intended == protocol.Delta {
			d.Fix = breakLines(m)
		}
	}
	p.Report(d)
}

// breakLines makes line breaks of the \n in a body, and reads the other escapes
// too where the body is escaped as a whole. It is nil where that gives no delta
// block that is valid JSON, or nearly: then some \n are those of its texts.
func breakLines(m *session.Message) *lint.SuggestedFix {
	text := m.Body.Content()
	whole := strings.Contains(string(text), `\"`)
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
	doc := markdown.Parse(source.NewText(source.Apply(text, edits)))
	deltas := delta.Extract(doc, jsontree.Options{})
	for _, d := range deltas {
		if _, ok := jsontree.Repair(d.Text.Data, jsontree.Options{}); d.Syntax != nil && !ok {
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

// unescaped is what a character after a backslash stands for.
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
