package brenner

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// HasPrefixFold reports whether s begins with a prefix, in any case.
func HasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// ContainsFold reports whether s contains words, in any case.
func ContainsFold(s, words string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(words))
}

// FoldSpace returns a text with one space for each run of Unicode white space, and none around
// the text (decisions.md 64).
func FoldSpace(s string) string {
	for i := range len(s) {
		c := s[i]
		fold := c < ' ' || c == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ')
		if c >= utf8.RuneSelf {
			r, _ := utf8.DecodeRuneInString(s[i:])
			fold = unicode.IsSpace(r)
		}
		if fold {
			return strings.Join(strings.Fields(s), " ")
		}
	}
	return s
}

// FoldKey returns a key or label in the form of a key: `Attack type` is attack_type.
func FoldKey(name string) string { return keyMarks.Replace(strings.ToLower(name)) }

var keyMarks = strings.NewReplacer(" ", "_", "-", "_")

// Unmark returns a text without emphasis and backticks around the whole of it, and how many
// bytes it removed at the beginning: **`true`** becomes true, but **a** and **b** stays
// (decisions.md 7 and 62).
func Unmark(text string) (string, int) {
	const most = 16 // marks in marks
	from := 0
	for range most {
		n := markLen(text)
		if n == 0 {
			break
		}
		in := text[n : len(text)-n]
		left := strings.TrimLeftFunc(in, unicode.IsSpace)
		from += n + len(in) - len(left)
		text = strings.TrimRightFunc(left, unicode.IsSpace)
	}
	return text, from
}

// Unlabel returns the value of a line `**Name:** value` without the emphasis that opened before the
// name and is still open. Other marks are the value's own.
func Unlabel(opened, closed, value string) string {
	open := opened[:max(0, len(opened)-len(closed))]
	if rest, ok := strings.CutPrefix(value, open); ok {
		return strings.TrimSpace(rest)
	}
	return strings.TrimSpace(strings.TrimSuffix(value, open))
}

// markLen returns the length of the mark that is around the whole of a text.
func markLen(text string) int {
	if len(text) < 3 {
		return 0
	}
	c := text[0]
	if c != '*' && c != '_' && c != '`' || text[len(text)-1] != c {
		return 0
	}
	in := strings.Trim(text, string(c))
	before := strings.Index(text, in)
	n := min(before, len(text)-len(in)-before)
	switch {
	case in == "" || in[len(in)-1] == '\\':
		return 0
	case c == '_' && !strings.Contains(in, "_ ") && !strings.Contains(in, " _"):
		return n // of a_b the mark is part of the word
	case strings.IndexByte(in, c) >= 0:
		return 0
	}
	return n
}

// WithoutComments returns a text without its HTML comments, which do not count as text
// (decisions.md 64).
func WithoutComments(s string) string {
	if !strings.Contains(s, "<!--") {
		return s
	}
	return Without(s, Comments(s))
}

// HideComments returns a text with spaces in place of its comments, so that all offsets
// stay.
func HideComments(s string) string {
	if !strings.Contains(s, "<!--") {
		return s
	}
	out := []byte(s)
	for c := range Comments(s) {
		source.Blank(out, c)
	}
	return string(out)
}

// Without returns a text without the parts at spans, which are in order. Of two spaces around a part
// it keeps one. It never joins the text around a part to a new comment.
func Without(s string, spans iter.Seq[source.Span]) string {
	var out strings.Builder
	from := 0
	for c := range spans {
		if from < c.Start { // not a space that was left out
			out.WriteString(s[from:c.Start])
		}
		if from = c.End; c.Start > 0 && strings.IndexByte("<!-", s[c.Start-1]) >= 0 {
			out.WriteByte(' ')
		}
		if c.Start > 0 && s[c.Start-1] == ' ' && from < len(s) && s[from] == ' ' {
			from++
		}
	}
	if from == 0 {
		return s
	}
	out.WriteString(s[from:])
	return out.String()
}

// Comments yields where the HTML comments of a text are. One that is not closed is text,
// and so is one behind a backslash.
func Comments(s string) iter.Seq[source.Span] {
	const open, end = "<!--", "-->"
	return func(yield func(source.Span) bool) {
		for at := 0; ; {
			n := strings.Index(s[at:], open)
			if n < 0 {
				return
			}
			start := at + n
			at = start + len(open)
			if start > 0 && s[start-1] == '\\' {
				continue
			}
			n = strings.Index(s[at-2:], end) // <!--> is one
			if n < 0 {
				return
			}
			at += n - 2 + len(end)
			if !yield(source.Span{Start: start, End: at}) {
				return
			}
		}
	}
}
