package brenner

import "testing"

func TestCompareMessageIDs(t *testing.T) {
	want := []string{"0", "2", "10", "11", "99999999999999999999", "100000000000000000000", "", "10a", "m2"}
	for i, a := range want {
		for j, b := range want {
			got, expected := CompareMessageIDs(a, b), 0
			if i < j {
				expected = -1
			} else if i > j {
				expected = 1
			}
			if got < 0 && expected >= 0 || got > 0 && expected <= 0 || got == 0 && expected != 0 {
				t.Errorf("CompareMessageIDs(%q, %q) = %d, want %d", a, b, got, expected)
			}
		}
	}
	if CompareMessageIDs("10", "010") != 0 || CompareMessageIDs("0", "00") != 0 {
		t.Error("leading zeros make another id")
	}
}
