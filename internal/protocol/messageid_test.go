package protocol

import (
	"slices"
	"testing"
)

func TestCompareMessageIDs(t *testing.T) {
	want := []string{"0", "2", "10", "010", "99999999999999999999", "100000000000000000000", "", "10a", "m2"}
	for i, a := range want {
		for j, b := range want {
			got, expected := CompareMessageIDs(a, b), 0
			if i < j {
				expected = -1
			} else if i > j {
				expected = 1
			}
			// "10" and "010" are one number written twice: text decides.
			if a != b && slices.Contains([]string{"10", "010"}, a) && slices.Contains([]string{"10", "010"}, b) {
				if got == 0 || got != -CompareMessageIDs(b, a) {
					t.Errorf("CompareMessageIDs(%q, %q) = %d", a, b, got)
				}
				continue
			}
			if got < 0 && expected >= 0 || got > 0 && expected <= 0 || got == 0 && expected != 0 {
				t.Errorf("CompareMessageIDs(%q, %q) = %d, want %d", a, b, got, expected)
			}
		}
	}
}
