// Package words writes the parts of messages that people read: what somebody
// wrote, quoted safely; the word that was probably meant; lists.
//
// What it quotes is untrusted mail: nothing it returns can break a line, move a
// terminal's cursor or turn the writing direction.
package words

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// quoteLimit is how many code points of a text a message quotes.
const quoteLimit = 60

// Quote is s in double quotes, cut to 60 code points and with everything that
// is not printable escaped.
func Quote(s string) string {
	return strconv.Quote(Short(s))
}

// Short is the beginning of s, at most 60 code points, with an ellipsis where it
// was cut.
func Short(s string) string {
	if len(s) <= quoteLimit {
		return s
	}
	cut, n := 0, 0
	for i := range s {
		if n == quoteLimit-1 {
			cut = i
		}
		if n == quoteLimit {
			return strings.TrimRight(s[:cut], " \t\r\n") + "…"
		}
		n++
	}
	return s
}

// List joins items as a sentence does: "a", "a and b", "a, b and c".
func List(items []string) string { return join(items, " and ") }

// Or joins items as a choice: "a", "a or b", "a, b or c".
func Or(items []string) string { return join(items, " or ") }

func join(items []string, last string) string {
	switch n := len(items); n {
	case 0:
		return ""
	case 1:
		return items[0]
	default:
		return strings.Join(items[:n-1], ", ") + last + items[n-1]
	}
}

// Count is a number with its noun: "1 hypothesis", "3 hypotheses".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Nearest is the candidate that was probably meant by word: the one with the
// fewest edits (a letter added, left out, changed, or two neighbours swapped),
// case aside, if they are few for its length; "" if none is near or two are
// equally near. Words longer than 40 bytes are near nothing.
func Nearest(word string, candidates []string) string {
	if len(word) > 40 {
		return ""
	}
	folded := strings.ToLower(strings.TrimSpace(word))
	best, distance, tied := "", 1000, false
	for _, c := range candidates {
		d := edits(folded, strings.ToLower(c))
		switch {
		case d > max(utf8.RuneCountInString(c), 3)/3:
		case d < distance:
			best, distance, tied = c, d, false
		case d == distance:
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}

// edits counts the edits between two words (optimal string alignment).
func edits(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}
