package protocol

import (
	"testing"
)

func TestSameVersion(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want bool
	}{
		{"3", 3, true}, {"v3", 3, true}, {" V3 ", 3, true}, {"3", 4, false}, {"v03", 3, false}, {"3.0", 3, false},
		{"0", 0, false}, {"", 0, false}, {"-1", -1, false},
	} {
		if got := SameVersion(tt.text, tt.n); got != tt.want {
			t.Errorf("SameVersion(%q, %d) = %v", tt.text, tt.n, got)
		}
	}
}
