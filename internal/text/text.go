// Package text helps to word findings: it quotes text of inputs, joins words to lists, and
// finds the nearest known word. It knows nothing of the protocol.
package text

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxQuoted is how many code points of a quoted text a message shows.
const maxQuoted = 48

// Quote quotes a text of an input for a message: in double quotes, on one line, with
// control and bidirectional characters escaped, and cut if it is long.
func Quote(s string) string {
	// A code point has at most four bytes, so the rest of a long text need not be counted.
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

// QuotePath returns a path in double quotes. Control characters are escaped, but the
// backslashes of Windows paths are not.
func QuotePath(path string) string { return strings.ReplaceAll(strconv.Quote(path), `\\`, `\`) }

// QuoteBoth quotes two texts that differ. If they are long and begin alike, it shows them
// from shortly before the difference, so that the reader sees it.
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
