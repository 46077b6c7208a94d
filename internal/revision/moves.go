package revision

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"slices"
)

// maxPairs is how many pairs of files are compared line by line to find what moved.
const maxPairs = 1000

// Moves finds the files that moved: for files that are new it returns the names of the files
// that they were. Like git it takes two files for the same if at least half of their lines
// are the same. A file that has changed more is found by its name, if only one file of that
// name is gone.
func Moves(gone, added map[string][]byte) map[string]string {
	moves, taken := map[string]string{}, map[string]bool{}
	move := func(from, to string) {
		if moves[to] == "" && !taken[from] {
			moves[to], taken[from] = from, true
		}
	}
	contents, names := map[string][]string{}, map[string][]string{}
	for _, from := range slices.Sorted(maps.Keys(gone)) {
		contents[string(gone[from])] = append(contents[string(gone[from])], from)
		names[path.Base(from)] = append(names[path.Base(from)], from)
	}
	for _, to := range slices.Sorted(maps.Keys(added)) {
		if same := contents[string(added[to])]; len(same) > 0 {
			move(same[0], to)
			contents[string(added[to])] = same[1:]
		}
	}
	for _, p := range alike(gone, added) {
		move(p.from, p.to)
	}
	for _, to := range slices.Sorted(maps.Keys(added)) {
		if named := names[path.Base(to)]; len(named) == 1 {
			move(named[0], to)
		}
	}
	return moves
}

// pair is two files of which so many lines, in percent, are the same.
type pair struct {
	from, to string
	percent  int
}

// alike returns the pairs of files with the same extension that have at least half of their
// lines in common, the most alike first.
func alike(gone, added map[string][]byte) []pair {
	var pairs []pair
	if len(gone)*len(added) > maxPairs {
		return nil
	}
	for from, old := range gone {
		for to, data := range added {
			if n := sameLines(old, data); n >= 50 && path.Ext(from) == path.Ext(to) {
				pairs = append(pairs, pair{from, to, n})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(b.percent-a.percent, cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from))
	})
	return pairs
}

// sameLines returns how many of the lines of two texts, in percent, are in both.
func sameLines(a, b []byte) int {
	count := map[string]int{}
	lines, same := 0, 0
	for line := range bytes.Lines(a) {
		count[string(line)]++
		lines++
	}
	for line := range bytes.Lines(b) {
		lines++
		if count[string(line)]--; count[string(line)] >= 0 {
			same += 2
		}
	}
	return 100 * same / max(lines, 1)
}
