package export

import (
	"cmp"
	"reflect"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
)

// TestEntryHasNoPointers checks what the garbage collector relies on.
func TestEntryHasNoPointers(t *testing.T) {
	e := reflect.TypeFor[indexEntry]()
	for i := range e.NumField() {
		if k := e.Field(i).Type.Kind(); k < reflect.Bool || k > reflect.Float64 {
			t.Errorf("field %s is a %s", e.Field(i).Name, k)
		}
	}
}

// TestMessageIDs compares ids as the index holds them with ids as they are written.
func TestMessageIDs(t *testing.T) {
	ids := []string{
		"", "0", "00", "1", "01", "7", "10", "1106", "9223372036854775807", "9223372036854775808", "09223372036854775807",
		"18446744073709551616", "-1", "-0", "-9223372036854775808", "+1", "1.0", "1e3", " 1", "a", "msg-1", "msg-10", "ä", "\x00",
	}
	s := &Store{exports: []*export{{}, {}}} // of two exports
	for i, id := range ids {
		x := s.exports[2*i/len(ids)]
		x.entries = append(x.entries, indexEntry{id: x.keepID(id)})
	}
	s.gather()
	entries, set := s.entries, &idSet{}
	for i, id := range ids {
		s.addID(set, &entries[i])
		if got := s.id(&entries[i]); got != id {
			t.Errorf("id %q becomes %q", id, got)
		}
		if none := entries[i].id == noID; none != (id == "") {
			t.Errorf("id %q is none: %v", id, none)
		}
	}
	set.sort()
	for i, a := range ids {
		for j, b := range ids {
			if got, want := s.compareIDs(&entries[i], &entries[j]), brenner.CompareMessageIDs(a, b); cmp.Compare(got, 0) != cmp.Compare(want, 0) {
				t.Errorf("%q is to %q as %d to 0, expected %d", a, b, got, want)
			}
		}
		if !set.has(a) {
			t.Errorf("the set lacks %q", a)
		}
	}
	for _, id := range []string{"2", "007", "-2", "b", "11060"} {
		if set.has(id) {
			t.Errorf("the set has %q", id)
		}
	}
}
