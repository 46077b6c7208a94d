package engine

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

const (
	directiveWord      = "brennerlint:"
	itemDirective      = "ignore"
	wholeFileDirective = "ignore-file"
)

// maxDirectives bounds the directives of a file that have an effect: each is compared with
// each finding of the file.
const maxDirectives = 1000

// directives finds the suppression comments of a Markdown artifact. Those within a line of other text
// have no effect.
func directives(a *artifact.Artifact, thread string, rules lint.Catalogue) []*suppression {
	if a.Doc == nil || !bytes.Contains(a.Text.Data, []byte("<!--")) {
		return nil
	}
	var out []*suppression
	first := true
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind == markdown.Fence || b.Kind == markdown.Code {
			continue
		}
		data := a.Text.Bytes(b.Span)
		ticks, counted := 0, 0
		for _, c := range comment.FindAllIndex(data, -1) {
			ticks += bytes.Count(data[counted:c[0]], []byte("`"))
			counted = c[0]
			inCode := ticks%2 == 1
			s := directive(a, source.Span{Start: c[0], End: c[1]}.Shift(b.Span.Start), first, rules)
			first = first && b.Kind != markdown.HTML
			if s == nil || b.Kind != markdown.HTML && inCode {
				continue
			}
			if b.Kind != markdown.HTML {
				s.Fault = lint.NotOnOwnLine
			}
			s.thread = thread
			out = append(out, s)
			if len(out) > maxDirectives {
				s.Fault = lint.TooManyDirectives
				return out
			}
		}
	}
	return out
}

// comment is an HTML comment in a block, with its delimiters. The last may lack its end.
var comment = regexp.MustCompile(`(?s)<!(?:-->|--->|--.*?(?:-->|$))`)

// separator is between the rules and the reason.
var separator = regexp.MustCompile(`(^|\s)--(\s|$)`)

// directive reads one comment; nil if it is not a directive.
func directive(a *artifact.Artifact, span source.Span, first bool, rules lint.Catalogue) *suppression {
	inner := strings.TrimSuffix(strings.TrimPrefix(a.Text.Slice(span), "<!--"), "-->")
	said := strings.TrimLeft(inner, white)
	n := directiveLength(said)
	if n == 0 {
		return nil
	}
	start := span.Start + len("<!--") + len(inner) - len(said)
	word := strings.TrimRight(said[:n], white)
	if word != directiveWord {
		word = strings.TrimRight(word, ":")
	}
	name, known := strings.CutPrefix(word, directiveWord)
	if known = known && (name == itemDirective || name == wholeFileDirective); !known {
		name = likelyDirective(word)
	}
	list, reason := strings.TrimRight(said[n:], white), ""
	if at := separator.FindStringIndex(list); at != nil {
		list, reason = list[:at[0]], list[at[1]:]
	}
	s := &suppression{list: start + n}
	s.At, s.Directive, s.Reason = a.Text.Place(span), true, strings.TrimSpace(reason) != ""
	s.resolve(a, name, list, first, rules)
	if known {
		return s
	}
	if name != "" {
		s.Suggestion = directiveWord + name
		if s.Fault == 0 {
			s.SuggestionAt = source.Span{Start: start, End: start + len(word)}
		}
	}
	s.Reason = true // a directive that cannot be read may give one
	s.Fault, s.Word = lint.UnknownDirective, word
	return s
}

// resolve finds what a directive covers and for which rules, or why it has no effect.
func (s *suppression) resolve(a *artifact.Artifact, name, list string, first bool, rules lint.Catalogue) {
	switch {
	case strings.TrimSpace(strings.ReplaceAll(list, ",", "")) == "":
		s.Fault = lint.NoRuleNamed
	case !s.Reason:
		s.find(rules, list)
		s.Reason = s.Fault != 0 // an unknown word may be a reason
		s.Fault, s.Word = lint.NoReasonGiven, ""
	case name == wholeFileDirective && !first:
		s.Fault = lint.NotFirstComment
	default:
		s.find(rules, list)
	}
	if s.Fault != 0 {
		return
	}
	what, found := source.Span{End: len(a.Text.Data)}, true
	if name == itemDirective {
		what, found = following(a, s.At.Span)
	}
	if !found {
		s.Fault = lint.NothingFollows
		return
	}
	s.span, _ = a.Text.ToFile(what)
}

// slip is how directives are misspelt: the word of another tool, or other signs. Prose about the
// program does not match, because a rule or the separator must follow.
var slip = regexp.MustCompile(`^(?i:brenner[-_ ]?lint)[\s:_/-]{1,3}(?i:ignore|disable|suppress|noqa|nolint|skip|off|allow)((?i)[-_ ]?(file|all|next[-_ ]?line|next|line|this))?[:\s]*`)

// likeRule is what looks like the id or family of a rule.
var likeRule = regexp.MustCompile(`^(?i)[a-z]{2}(-[a-z]?\d|[,\s]|$)|^--|^$`)

// longestSlip is how much of a comment may name a directive.
const longestSlip = 60

// white is the white space that Markdown knows.
const white = " \t\r\n"

// directiveLength returns how much of a comment's text names a directive, well or not; 0 if
// it is not a directive.
func directiveLength(s string) int {
	word := s
	if i := strings.IndexAny(s, white); i >= 0 {
		word = s[:i]
	}
	if strings.HasPrefix(word, directiveWord) && len(word) > len(directiveWord) {
		return len(word)
	}
	head := s[:min(len(s), longestSlip)]
	if at := slip.FindStringIndex(head); at != nil && likeRule.MatchString(s[at[1]:]) {
		return at[1]
	}
	if word == directiveWord || strings.ContainsAny(word, ":-_") && nearDirective(word) != "" {
		return len(word)
	}
	return 0
}

// likelyDirective returns the directive that a word probably means; "" if none.
func likelyDirective(word string) string {
	switch {
	case !slip.MatchString(word):
		return nearDirective(word)
	case strings.Contains(strings.ToLower(word), "file"):
		return wholeFileDirective
	}
	return itemDirective
}

// nearDirective returns the directive that a word is nearly; "" if none.
func nearDirective(word string) string {
	return strings.TrimPrefix(text.Nearest(word, []string{directiveWord + itemDirective, directiveWord + wholeFileDirective}), directiveWord)
}

// following returns the item or section that a comment is about: the one after it. Research Thread
// and Predictions Table count as one item each.
func following(a *artifact.Artifact, comment source.Span) (next source.Span, found bool) {
	consider := func(s source.Span) {
		if s.Start >= comment.End && (!found || s.Start < next.Start) {
			next, found = s, true
		}
	}
	for _, sec := range a.Sections {
		consider(sec.Span)
		n := len(sec.Items)
		switch {
		case sec.Kind != brenner.ResearchThread && sec.Kind != brenner.PredictionsTable:
			for _, it := range sec.Items {
				consider(it.Span)
			}
		case n > 0 && sec.Span.Contains(comment) && sec.Items[n-1].Span.End > comment.End:
			return sec.Span, true
		}
	}
	return next, found
}
