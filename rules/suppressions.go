package rules

import (
	"bytes"
	"fmt"
	"unicode"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// noEffect is the advice on a suppression that is not valid.
const noEffect = "correct it, or remove it: as it is, it has no effect"

func checkSuppressions(p *lint.InputPass) {
	for i := range p.Suppressions {
		s := &p.Suppressions[i]
		for _, id := range s.Words {
			reportSuppressedID(p, s, id)
		}
		if len(s.Words) > 0 {
			continue
		}
		d := lint.Diagnostic{At: s.At, Message: suppressionProblem(s), Suggestion: noEffect}
		switch {
		case s.Fault == lint.Unused:
			d.Suggestion = "remove it"
		case s.Suggestion != "":
			d.Suggestion = "write " + s.Suggestion
		}
		switch {
		case s.SuggestionAt.Len() > 0: // the rules that it names would then be suppressed
			d.Fix = &lint.SuggestedFix{Description: "write " + s.Suggestion, Unsafe: true, Edits: []lint.TextEdit{{At: s.At.Text.Place(s.SuggestionAt), Text: s.Suggestion}}}
		case s.Directive && s.Suggestion == "":
			d.Fix = removal(s)
		}
		p.Report(d)
	}
}

// reportSuppressedID reports one of the words that name rules in a directive.
func reportSuppressedID(p *lint.InputPass, s *lint.UnusedSuppression, id source.Span) {
	word := s.At.Text.Slice(id)
	d := lint.Diagnostic{At: s.At.Text.Place(id), Message: word + " matches no finding here", Suggestion: "remove it from the directive"}
	if s.Fault == lint.UnknownRule {
		d.Message, d.Suggestion = (&lint.UnknownRuleError{Word: word}).Error(), noEffect
	}
	if s.OthersValid {
		d.Fix = &lint.SuggestedFix{Description: "remove " + text.Quote(word), Edits: []lint.TextEdit{{At: s.At.Text.Place(listed(s.At.Text, s.At.Span, id))}}}
	} else {
		d.Fix = removal(s)
	}
	p.Report(d)
}

// listed returns a word of a list in a directive, with the comma and the space that
// separate it from the next one, or from the previous one if it is the last.
func listed(t *source.Text, directive, word source.Span) source.Span {
	after := t.Bytes(source.Span{Start: word.End, End: directive.End})
	if rest := bytes.TrimLeftFunc(after, unicode.IsSpace); bytes.HasPrefix(rest, []byte(",")) {
		rest = bytes.TrimLeftFunc(rest[1:], unicode.IsSpace)
		word.End += len(after) - len(rest)
		return word
	}
	before := t.Bytes(source.Span{Start: directive.Start, End: word.Start})
	if rest := bytes.TrimRightFunc(before, unicode.IsSpace); bytes.HasSuffix(rest, []byte(",")) {
		word.Start = directive.Start + len(bytes.TrimRightFunc(rest[:len(rest)-1], unicode.IsSpace))
	}
	return word
}

func suppressionProblem(s *lint.UnusedSuppression) string {
	what, end := "the suppression", ""
	if s.Directive {
		what, end = "the directive", "; write it after --"
	}
	switch s.Fault {
	case lint.UnknownDirective:
		return fmt.Sprintf("unknown directive %q; expected brennerlint:ignore or brennerlint:ignore-file", s.Word)
	case lint.UnknownRule:
		return (&lint.UnknownRuleError{Word: s.Word}).Error()
	case lint.NoRuleNamed:
		return what + " names no rule"
	case lint.NoReasonGiven:
		return what + " gives no reason" + end
	case lint.NotFirstComment:
		return "ignore-file must be in the first comment after the front matter"
	case lint.NothingFollows:
		return "no item or section follows the directive"
	case lint.TooManyDirectives:
		return "the file has too many directives: this one and those after it have no effect"
	default:
		return "this suppression matches no finding"
	}
}

// removal removes a directive from an artifact, with its line if nothing else is on it.
// Entries of the configuration are for people to remove, and so are reasons: the fix of
// a directive with a reason is unsafe.
func removal(s *lint.UnusedSuppression) *lint.SuggestedFix {
	at := s.At
	if !at.Known() || !bytes.HasPrefix(at.Text.Bytes(at.Span), []byte("<!--")) {
		return nil
	}
	span := at.Span
	line := at.Text.Line(at.Text.LineAt(span.Start))
	before, after := source.Span{Start: line.Start, End: span.Start}, source.Span{Start: span.End, End: max(line.End, span.End)}
	// On a line with very many directives, each looks no further than its neighbours.
	if len(bytes.TrimRightFunc(at.Text.Bytes(before), unicode.IsSpace))+len(bytes.TrimLeftFunc(at.Text.Bytes(after), unicode.IsSpace)) == 0 {
		span = source.Span{Start: line.Start, End: after.End}
		for span.End < len(at.Text.Data) && at.Text.Data[span.End-1] != '\n' {
			span.End++ // the line end is also removed
		}
	}
	return &lint.SuggestedFix{
		Description: "remove the directive",
		Edits:       []lint.TextEdit{{At: at.Text.Place(span)}},
		Unsafe:      s.Reason,
	}
}
