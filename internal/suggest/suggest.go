// Package suggest finds what somebody may have meant.
package suggest

import "strings"

// Nearest is the candidate nearest to a word, without regard to case; "" if
// none is near enough to be meant: at most a third of the letters may differ. Of
// equally near candidates it is the first.
func Nearest(word string, candidates []string) string {
	const longest = 64 // nobody mistypes more; the distance costs the product of lengths
	w := []rune(strings.ToLower(word))
	if len(w) == 0 || len(w) > longest {
		return ""
	}
	best, bestDistance := "", 1+max(1, len(w)/3)
	for _, c := range candidates {
		r := []rune(strings.ToLower(c))
		if d := len(r) - len(w); len(r) > longest || d >= bestDistance || -d >= bestDistance {
			continue
		}
		if d := distance(w, r); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete, replace or swap with
// their neighbour to make a into b.
func distance(a, b []rune) int {
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
