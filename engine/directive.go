package engine

import (
	"iter"
	"regexp"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

const (
	directiveWord      = "brennerlint:"
	itemDirective      = "ignore"
	wholeFileDirective = "ignore-file"
)

// directiveText is what a comment says that is a directive, or meant as one. Spans are
// those of the comment.
type directiveText struct {
	name       string      // one of the directives, "" for none
	suggestion string      // if none, the one that is probably meant, perhaps ""
	word       source.Span // what names the directive
	list       source.Span // the rules
	reason     bool
}

// separator is between the rules and the reason.
var separator = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|\s)--(\s|$)`)
})

// slip is how directives are misspelt: the word of another tool, or other signs. Prose about the
// program does not match, because a rule or the separator must follow.
var slip = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:brenner[-_ ]?lint)[\s:_/-]{1,3}(?i:ignore|disable|suppress|noqa|nolint|skip|off|allow)((?i)[-_ ]?(file|all|next[-_ ]?line|next|line|this))?[:\s]*`)
})

// ruleWord is what looks like the id or family of a rule.
var ruleWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i)[a-z]{2}(-[a-z]?\d|[,\s]|$)|^--|^$`)
})

// longestSlip is how much of a comment may name a directive.
const longestSlip = 60

// parseDirective reads a comment with its delimiters; false if it is not a directive.
func parseDirective(comment string) (d directiveText, ok bool) {
	inner := strings.TrimSuffix(strings.TrimPrefix(comment, "<!--"), "-->")
	said := strings.TrimLeft(inner, white)
	n := directiveLength(said)
	if n == 0 {
		return d, false
	}
	start := len("<!--") + len(inner) - len(said)
	word := strings.TrimRight(said[:n], white)
	if bare := strings.TrimRight(word, ":"); strings.Contains(bare, ":") || word != directiveWord {
		word = bare
	}
	d.word = source.Span{Start: start, End: start + len(word)}
	switch {
	case word == directiveWord+itemDirective, word == directiveWord+wholeFileDirective:
		d.name = strings.TrimPrefix(word, directiveWord)
	case !slip().MatchString(word):
		d.suggestion = nearDirective(word)
	case strings.Contains(strings.ToLower(word), "file"):
		d.suggestion = wholeFileDirective
	default:
		d.suggestion = itemDirective
	}
	rest := strings.TrimRight(said[n:], white)
	d.list = source.Span{Start: start + n, End: start + n + len(rest)}
	if at := separator().FindStringIndex(rest); at != nil {
		d.list.End = d.list.Start + at[0]
		d.reason = strings.TrimSpace(rest[at[1]:]) != ""
	}
	return d, true
}

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
	if at := slip().FindStringIndex(head); at != nil && ruleWord().MatchString(s[at[1]:]) {
		return at[1]
	}
	if word == directiveWord || strings.ContainsAny(word, ":-_") && nearDirective(word) != "" {
		return len(word)
	}
	return 0
}

// nearDirective returns the directive that a word is nearly; "" if none.
func nearDirective(word string) string {
	return strings.TrimPrefix(text.Nearest(word, []string{directiveWord + itemDirective, directiveWord + wholeFileDirective}), directiveWord)
}

// words returns the parts of a list that commas separate, without the white space around
// them.
func words(list string) iter.Seq[source.Span] {
	return func(yield func(source.Span) bool) {
		at := 0
		for part := range strings.SplitSeq(list, ",") {
			word := strings.TrimSpace(part)
			start := at + strings.Index(part, word)
			if !yield(source.Span{Start: start, End: start + len(word)}) {
				return
			}
			at += len(part) + 1
		}
	}
}
