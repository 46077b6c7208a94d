package brenner

import (
	"testing"
)

// TestIsArray: arrays are united by an EDIT, references like lists (decisions.md 20: EDIT of arrays).
func TestIsArray(t *testing.T) {
	for kind := TextField; kind <= RecordField; kind++ {
		if f := (&Field{Kind: kind}); f.IsArray() != (kind == ListField || kind == ReferenceField) {
			t.Errorf("kind %d is an array: %v", kind, f.IsArray())
		}
	}
}

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

// TestSectionByTitle: case and number do not count (decisions.md 30: section headings).
func TestSectionByTitle(t *testing.T) {
	for heading, want := range map[string]Section{
		"Hypothesis Slate": HypothesisSlate, " HYPOTHESIS slate ": HypothesisSlate, "2. Hypothesis Slate": HypothesisSlate,
		"2) Hypothesis Slate": HypothesisSlate, "2 Hypothesis Slate": HypothesisSlate, "10. Hypothesis Slate": HypothesisSlate,
		`2\. Hypothesis Slate`: HypothesisSlate, "9. Hypothesis Slate": HypothesisSlate, "09. Hypothesis Slate": HypothesisSlate,
		". Hypothesis Slate": 0, ") Hypothesis Slate": 0, "2-Hypothesis Slate": 0, "Hypothesis Slate 2": 0, "2": 0, "": 0, "Hypotheses": 0,
	} {
		if got := SectionByTitle(heading); got != want {
			t.Errorf("SectionByTitle(%q) = %v, want %v", heading, got, want)
		}
	}
}

func TestParseItemID(t *testing.T) {
	for in, want := range map[string]ItemID{
		"RT": {Section: ResearchThread}, "H1": {Section: HypothesisSlate, Number: 1}, "P10": {Section: PredictionsTable, Number: 10},
		"P1.H2": {Section: PredictionsTable, Number: 1, Hypothesis: 2}, "C9": {Section: AdversarialCritique, Number: 9},
	} {
		got, ok := ParseItemID(in)
		if !ok || got != want || got.String() != in {
			t.Errorf("ParseItemID(%q) = %+v, %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "H", "Q1", "h1", "H0", "H01", "RT1", "R1", "H1.H2", "P1.", "P1.H", "P1.H0", "P1.X2", "P1.1", "P1.H2.H3", "H1 ", "H1x"} {
		if got, ok := ParseItemID(in); ok {
			t.Errorf("ParseItemID(%q) = %+v", in, got)
		}
	}
}

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
