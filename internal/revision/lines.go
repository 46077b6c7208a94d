package revision

import (
	"bytes"
	"sort"
)

// NewLines returns the numbers, from 1, of the lines of a text that an older text does not
// have: added or changed ones. Line ends do not count.
//
// It pairs equal lines as patience diff does: those at both ends, then those that
// occur once in both texts, in the longest run that keeps their order, and so on
// between them. The work is little more than linear: a part without such lines is new.
func NewLines(old, text []byte) map[int]bool {
	ids := map[string]int{}
	d := &lineDiff{old: numbers(split(old), ids), text: numbers(split(text), ids), fresh: map[int]bool{}}
	d.part(0, len(d.old), 0, len(d.text), 0)
	return d.fresh
}

type lineDiff struct {
	old, text []int // lines by their content
	fresh     map[int]bool
}

func split(text []byte) [][]byte {
	lines := bytes.Split(text, []byte("\n"))
	for i, l := range lines {
		lines[i] = bytes.TrimSuffix(l, []byte("\r"))
	}
	return lines
}

// numbers gives equal lines equal numbers.
func numbers(lines [][]byte, ids map[string]int) []int {
	out := make([]int, len(lines))
	for i, l := range lines {
		id, known := ids[string(l)]
		if !known {
			id = len(ids)
			ids[string(l)] = id
		}
		out[i] = id
	}
	return out
}

// maxDepth bounds how often a part is divided.
const maxDepth = 64

// part compares old lines a to b with lines c to d.
func (x *lineDiff) part(a, b, c, d, depth int) {
	for a < b && c < d && x.old[a] == x.text[c] {
		a, c = a+1, c+1
	}
	for a < b && c < d && x.old[b-1] == x.text[d-1] {
		b, d = b-1, d-1
	}
	if a == b || c == d || depth == maxDepth {
		for ; c < d; c++ {
			x.fresh[c+1] = true
		}
		return
	}
	pairs := x.anchors(a, b, c, d)
	if len(pairs) == 0 {
		x.small(a, b, c, d)
		return
	}
	for _, p := range pairs {
		x.part(a, p.old, c, p.text, depth+1)
		a, c = p.old+1, p.text+1
	}
	x.part(a, b, c, d, depth+1)
}

// maxCells bounds the table of small.
const maxCells = 1 << 18

// small compares parts whose lines repeat, by their longest common subsequence.
// Of a large part all lines are new.
func (x *lineDiff) small(a, b, c, d int) {
	rows, columns := b-a, d-c
	if rows > maxCells/columns {
		for ; c < d; c++ {
			x.fresh[c+1] = true
		}
		return
	}
	length := make([]int, (rows+1)*(columns+1)) // of what is common from here on
	at := func(i, j int) *int { return &length[i*(columns+1)+j] }
	for i := rows - 1; i >= 0; i-- {
		for j := columns - 1; j >= 0; j-- {
			if x.old[a+i] == x.text[c+j] {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	for i, j := 0, 0; j < columns; {
		switch {
		case i < rows && x.old[a+i] == x.text[c+j]:
			i, j = i+1, j+1
		case i < rows && *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			x.fresh[c+j+1] = true
			j++
		}
	}
}

type pair struct{ old, text int }

// anchors are lines that occur once in both parts, in the longest sequence whose order
// is the same in both.
func (x *lineDiff) anchors(a, b, c, d int) []pair {
	type seen struct{ old, olds, text, texts int }
	count := map[int]*seen{}
	for i := a; i < b; i++ {
		s := count[x.old[i]]
		if s == nil {
			s = &seen{}
			count[x.old[i]] = s
		}
		s.old, s.olds = i, s.olds+1
	}
	for i := c; i < d; i++ {
		if s := count[x.text[i]]; s != nil {
			s.text, s.texts = i, s.texts+1
		}
	}
	var unique []pair
	for i := c; i < d; i++ {
		if s := count[x.text[i]]; s != nil && s.olds == 1 && s.texts == 1 {
			unique = append(unique, pair{s.old, i})
		}
	}
	return longestIncreasing(unique)
}

// longestIncreasing returns the longest subsequence whose old numbers increase.
func longestIncreasing(list []pair) []pair {
	var tails []int // indexes of the last pair of the best sequence of each length
	before := make([]int, len(list))
	for i, p := range list {
		n := sort.Search(len(tails), func(k int) bool { return list[tails[k]].old >= p.old })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	out := make([]pair, len(tails))
	if len(tails) == 0 {
		return nil
	}
	for i, k := tails[len(tails)-1], len(out)-1; i >= 0; i, k = before[i], k-1 {
		out[k] = list[i]
	}
	return out
}
