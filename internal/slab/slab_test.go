package slab

import (
	"slices"
	"testing"
)

// TestSlab makes slices of many lengths: each is zero, and stays as it is when another is
// written or grows.
func TestSlab(t *testing.T) {
	var s Slab[int]
	var all [][]int
	for n := range 3 * maxPiece {
		size := n % 7
		if n == maxPiece { // longer than a piece
			size = 2 * maxPiece
		}
		list := s.Make(size)
		if len(list) != size || cap(list) != size || slices.ContainsFunc(list, func(v int) bool { return v != 0 }) {
			t.Fatalf("slice %d has length %d and capacity %d, expected %d zeros", n, len(list), cap(list), size)
		}
		for i := range list {
			list[i] = n
		}
		all = append(all, list)
		_ = append(list, -1)
	}
	for n, list := range all {
		if slices.ContainsFunc(list, func(v int) bool { return v != n }) {
			t.Fatalf("slice %d was changed: %v", n, list)
		}
	}
	if clone := s.Clone(all[6]); !slices.Equal(clone, all[6]) || &clone[0] == &all[6][0] {
		t.Errorf("the clone of %v is %v", all[6], clone)
	}
}

// TestPieces checks how pieces grow: one slice takes no more than it needs, and many take
// few pieces.
func TestPieces(t *testing.T) {
	var s Slab[int]
	if s.Make(3); cap(s.rest) != 3 {
		t.Errorf("one slice of 3 takes a piece of %d", cap(s.rest))
	}
	allocs := testing.AllocsPerRun(1, func() {
		var s Slab[int]
		for range 100 * maxPiece {
			s.Make(1)
		}
	})
	if allocs > 120 {
		t.Errorf("%d slices take %v pieces", 100*maxPiece, allocs)
	}
}
