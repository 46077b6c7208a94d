// Package text helps to word findings: it quotes text of inputs, joins words to lists, and
// finds the nearest known word. It knows nothing of the protocol.
package text

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Pattern returns a regular expression that is compiled when it is first needed.
func Pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// maxQuoted is how many code points of a quoted text a message shows.
const maxQuoted = 48

// Quote quotes a text of an input for a message: in double quotes, on one line, with
// control and bidirectional characters escaped, and cut if it is long.
func Quote(s string) string {
	if cut, isLong := cutTo(s, maxQuoted); isLong {
		s = cut + "…"
	}
	return strconv.Quote(s)
}

// cutTo returns the beginning of a text that has more than a number of code points: one less
// than that, for an ellipsis.
func cutTo(s string, most int) (cut string, isLong bool) {
	n := 0
	for i := range s {
		if n == most-1 {
			cut = s[:i]
		}
		if n++; n > most {
			return cut, true
		}
	}
	return s, false
}

// sinceDifference returns two different texts from shortly before their first difference on.
func sinceDifference(a, b string, most int) (string, string) {
	alike := 0
	for alike < min(len(a), len(b)) && a[alike] == b[alike] {
		alike++
	}
	for alike > 0 && (!startsRune(a, alike) || !startsRune(b, alike)) {
		alike--
	}
	for range most / 3 {
		_, n := utf8.DecodeLastRuneInString(a[:alike])
		alike -= n
	}
	return "…" + a[alike:], "…" + b[alike:]
}

// startsRune reports whether a code point begins, or the text ends, at i.
func startsRune(s string, i int) bool { return i == len(s) || utf8.RuneStart(s[i]) }

// QuotePath returns a path in double quotes. Control characters are escaped, but the
// backslashes of Windows paths are not.
func QuotePath(path string) string { return strings.ReplaceAll(strconv.Quote(path), `\\`, `\`) }

// QuoteBoth quotes two texts that differ. If they are long and begin alike, it shows them
// from shortly before the difference, so that the reader sees it.
func QuoteBoth(a, b string) (string, string) {
	if a != b && Quote(a) == Quote(b) {
		a, b = sinceDifference(a, b, maxQuoted)
	}
	return Quote(a), Quote(b)
}

// QuoteAll quotes every text.
func QuoteAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = Quote(s)
	}
	return out
}

// And joins words as a sentence does: a, b and c.
func And(words []string) string { return join(words, "and") }

// Or joins words as a sentence does: a, b or c.
func Or(words []string) string { return join(words, "or") }

func join(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}

// Count returns a number with its noun: 1 hypothesis, 3 hypotheses.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
