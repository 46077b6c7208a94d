// Package slab makes many small slices in few pieces of memory: the garbage collector
// visits each piece that is in use, again and again, and need not visit each slice.
package slab

// Slab makes slices of elements. A piece of memory is free once all slices in it are. The
// zero Slab is ready for use, by one goroutine.
type Slab[T any] struct{ rest []T }

// maxPiece is how many elements a piece of memory has room for at most, unless one slice is
// longer: each piece has room for twice as many as the one before.
const maxPiece = 1024

// Make returns a slice of n zero elements, without room for more.
func (s *Slab[T]) Make(n int) []T {
	if n == 0 {
		return nil
	}
	if cap(s.rest)-len(s.rest) < n {
		s.rest = make([]T, 0, max(n, min(2*cap(s.rest), maxPiece)))
	}
	start := len(s.rest)
	s.rest = s.rest[:start+n]
	return s.rest[start : start+n : start+n]
}

// Clone returns a copy of a slice.
func (s *Slab[T]) Clone(list []T) []T {
	out := s.Make(len(list))
	copy(out, list)
	return out
}
