// Package text helps findings to say what was written and what was meant:
// quotation of foreign text, lists of words, and the nearest known word.
//
// It knows nothing of the protocol.
package text

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxQuoted is how many code points of a foreign text a message shows.
const maxQuoted = 48

// Quote returns a foreign text as messages show it: in double quotes, on one line,
// control and bidirectional characters escaped, a long text cut.
func Quote(s string) string {
	// A code point has at most four bytes: no need to count those of a long text.
	if len(s) > maxQuoted && utf8.RuneCountInString(s[:min(len(s), 4*maxQuoted+4)]) > maxQuoted {
		cut := 0
		for range maxQuoted - 1 {
			_, n := utf8.DecodeRuneInString(s[cut:])
			cut += n
		}
		s = s[:cut] + "…"
	}
	return strconv.Quote(s)
}

// QuotePath returns a path in double quotes, as it was written: those of Windows keep
// single backslashes. Control characters are escaped.
func QuotePath(path string) string { return strings.ReplaceAll(strconv.Quote(path), `\\`, `\`) }

// QuoteBoth quotes two texts that differ. Long ones that begin alike are shown
// from shortly before their difference, or a reader would see the same twice.
func QuoteBoth(a, b string) (string, string) {
	if qa, qb := Quote(a), Quote(b); a == b || qa != qb {
		return qa, qb
	}
	alike := 0
	for alike < min(len(a), len(b)) && a[alike] == b[alike] {
		alike++
	}
	for alike > 0 && (!startsRune(a, alike) || !startsRune(b, alike)) {
		alike--
	}
	for range maxQuoted / 3 {
		_, n := utf8.DecodeLastRuneInString(a[:alike])
		alike -= n
	}
	return Quote("…" + a[alike:]), Quote("…" + b[alike:])
}

// startsRune reports whether a code point begins, or the text ends, at i.
func startsRune(s string, i int) bool { return i == len(s) || utf8.RuneStart(s[i]) }

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
