package text

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/internal/steps"
)

// maxWord bounds the words that Nearest compares. Longer words are not misspelt names, and
// hostile input must not cost time.
const maxWord = 64

// Nearest returns the known word that a misspelt word most likely means: the first of
// those with the fewest edits, ignoring case, hyphens and spaces. It returns "" if more
// than a third of the word would have to change.
func Nearest(word string, known []string) string {
	word = fold(word)
	if word == "" || len(word) > maxWord {
		return ""
	}
	steps.Add(len(known))
	best, least := "", max(1, len(word)/3)+1
	for i, k := range known {
		if gap := len(word) - len(k); gap >= least || -gap >= least {
			continue
		}
		k := fold(k)
		if d := distance(word, k); d < least && !negates(word, k, d) && !negates(k, word, d) && (!isPassive(word) || isPassive(k)) {
			best, least = known[i], d
		}
	}
	return best
}

// Unknown returns the error for a word that is none of those known.
func Unknown(what, word string, known []string) error {
	if best := Nearest(word, known); best != "" {
		return fmt.Errorf("unknown %s %q; did you mean %s?", what, word, best)
	}
	return fmt.Errorf("unknown %s %q; expected %s", what, word, Or(known))
}

// negations are prefixes that turn a word into its opposite.
var negations = []string{"not_", "non_", "no_", "non", "un", "in", "de", "dis"}

// negates reports whether a word means the opposite of a word that is close to it:
// unverified is not verified.
func negates(word, of string, far int) bool {
	for _, n := range negations {
		if rest, ok := strings.CutPrefix(word, n); ok && !strings.HasPrefix(of, n) && distance(rest, of) < far {
			return true
		}
	}
	return false
}

// isPassive reports whether a word is a passive: superseded_by is not supersedes.
func isPassive(word string) bool { return strings.HasSuffix(word, "_by") }

func fold(s string) string {
	if len(s) > 2*maxWord {
		return s
	}
	return underscores.Replace(strings.ToLower(strings.TrimSpace(s)))
}

var underscores = strings.NewReplacer("-", "_", " ", "_")

// distance returns the number of insertions, deletions, substitutions and swaps of
// neighbours (optimal string alignment) that turn a into b. It works on bytes,
// as the words compared are ASCII.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
