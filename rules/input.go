package rules

import (
	"bytes"
	"unicode"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// inputRules are about the inputs themselves. Their faults are met by the
// readers (and, for IN-005, by the engine after all other rules have run).
var inputRules = []*lint.Rule{
	{
		ID: "IN-001", Name: "unreadable-input", Scope: lint.InputScope, Severity: lint.Error,
		SpecRef: "input contract",
		Summary: "The input can be read and is valid UTF-8 (a BOM and CRLF are accepted).",
		Help:    "save the input as UTF-8",
		Check:   lint.InputCheck(problems),
	},
	{
		ID: "IN-002", Name: "malformed-export", Scope: lint.InputScope, Severity: lint.Error,
		SpecRef: "input contract",
		Summary: "A mail export parses as its format; the finding has the position of the fault.",
		Help:    "write valid JSON: keys and texts in double quotes, no comments, no comma before } or ]",
		Check:   lint.InputCheck(problems),
	},
	{
		ID: "IN-003", Name: "malformed-message", Scope: lint.InputScope, Severity: lint.Error,
		SpecRef: "input contract",
		Summary: "Every message has a subject, a body, a sender and a timestamp that parses; one finding per message naming what is missing, and the rest of the export is still checked.",
		Help:    "give a subject, a body and a sender",
		Check:   lint.InputCheck(problems),
	},
	{
		ID: "IN-004", Name: "copies-differ", Scope: lint.InputScope, Severity: lint.Warning,
		SpecRef: "input contract",
		Summary: "Copies of one message (canonical, inbox, outbox) have the same subject and body.",
		Check:   lint.InputCheck(problems),
	},
	{
		ID: "IN-005", Name: "unused-suppression", Scope: lint.InputScope, Severity: lint.Warning,
		SpecRef: "input contract",
		Summary: "Every suppression (comment or configuration entry) is well formed, gives a reason, names known rules and silences something.",
		Fixable: true,
		Check:   lint.InputCheck(problems),
	},
}

// problems reports what the readers met under the rule.
func problems(p *lint.InputPass) {
	for i := range p.Problems {
		q := &p.Problems[i]
		if q.Rule != p.Rule.ID {
			continue
		}
		d := lint.Diagnostic{At: q.Place, Path: q.Path, Message: q.Message, Suggestion: q.Hint, Thread: q.Thread, MessageID: q.ID, Sensitive: q.Private}
		for _, r := range q.Related {
			d.Related = append(d.Related, lint.RelatedLocation{At: r.Place, Path: r.Path, Message: r.Message})
		}
		if q.Rule == "IN-005" {
			d.Fix = removal(q.Place)
		}
		p.Report(d)
	}
}

// removal takes a directive out of an artifact, with its line if nothing else
// stands there. Entries of the configuration are for people to remove.
func removal(at source.Place) *lint.SuggestedFix {
	if !at.Known() || !bytes.HasPrefix(at.Text.Bytes(at.Span), []byte("<!--")) {
		return nil
	}
	span := at.Span
	line := at.Text.Line(at.Text.Position(span.Start).Line)
	before, after := source.Span{Start: line.Start, End: span.Start}, source.Span{Start: span.End, End: max(line.End, span.End)}
	// Of a line with very many directives, each looks no further than its neighbours.
	if len(bytes.TrimRightFunc(at.Text.Bytes(before), unicode.IsSpace))+len(bytes.TrimLeftFunc(at.Text.Bytes(after), unicode.IsSpace)) == 0 {
		span = source.Span{Start: line.Start, End: after.End}
		for span.End < len(at.Text.Data) && at.Text.Data[span.End-1] != '\n' {
			span.End++ // the line end goes too
		}
	}
	return &lint.SuggestedFix{
		Description: "remove the directive",
		Edits:       []lint.TextEdit{{At: at.Text.Place(span)}},
	}
}
