package suggest

import "testing"

func TestNearest(t *testing.T) {
	sections := []string{"hypothesis_slate", "predictions_table", "discriminative_tests", "research_thread"}
	for _, tc := range []struct {
		word       string
		candidates []string
		want       string
	}{
		{"hypothesis_slat", sections, "hypothesis_slate"},
		{"Hypothesis_Slate", sections, "hypothesis_slate"},
		{"prediction_table", sections, "predictions_table"},
		{"banana", sections, ""},
		{"", sections, ""},
		{"AD", []string{"ADD", "EDIT", "KILL"}, "ADD"},
		{"EIDT", []string{"ADD", "EDIT", "KILL"}, "EDIT"},
		{"x", []string{"y"}, "y"},
		{"selct", []string{"severity", "select"}, "select"},
	} {
		if got := Nearest(tc.word, tc.candidates); got != tc.want {
			t.Errorf("Nearest(%q) = %q, want %q", tc.word, got, tc.want)
		}
	}
}
