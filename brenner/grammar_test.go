package brenner

import (
	"testing"
	"time"
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

// TestLargeItemNumbers: numbers that no session can have are one number.
func TestLargeItemNumbers(t *testing.T) {
	for in, want := range map[string]int32{"H999999999": 999999999, "H1000000000": MaxItemNumber, "H2000000000": MaxItemNumber + 1, "H99999999999999999999": MaxItemNumber + 1} {
		if id, ok := ParseItemID(in); !ok || id.Number != want {
			t.Errorf("ParseItemID(%q) = %+v, %v; want %d", in, id, ok, want)
		}
	}
}

func TestSectionByID(t *testing.T) {
	for _, s := range Sections {
		if got := SectionByID(s.ID()); got != s {
			t.Errorf("SectionByID(%q) = %v", s.ID(), got)
		}
		if got := SectionByID(s.Title()); got != 0 {
			t.Errorf("SectionByID(%q) = %v", s.Title(), got)
		}
	}
}

func TestCompareItemIDs(t *testing.T) {
	order := []string{"RT", "H1", "H2", "H10", "P1", "P1.H1", "P1.H2", "P2", "T1", "A1", "X1", "C1"}
	for i, a := range order {
		for j, b := range order {
			x, _ := ParseItemID(a)
			y, _ := ParseItemID(b)
			if c := x.Compare(y); (c < 0) != (i < j) || (c > 0) != (i > j) {
				t.Errorf("%s compared with %s is %d", a, b, c)
			}
		}
	}
}

func TestIsRole(t *testing.T) {
	for tag, want := range map[string]bool{"az": true, "a": true, "": false, "a`": false, "a{": false, "aB": false, "a1": false, "a b": false} {
		if IsRole(tag) != want {
			t.Errorf("IsRole(%q) = %v", tag, !want)
		}
	}
}

// TestTimeSeparators has times that lack one sign, so that each is required.
func TestTimeSeparators(t *testing.T) {
	for _, in := range []string{
		"20251230", "202512-30", "2025-1230", "2025/12/30", "2025T12:05Z", "2025-12-3012:05:00Z", "2025-12-30T1205:00Z",
		"2025-12-30T12:05:00Zx", "2025-12-30T12:05:000100", "2025-12-30T12:05:00x01", "2025-12-30T12:05:00+01:60",
		"2025-12-30T12:05:00+01:00x", "2025-00-10", "2025-12-00", "2025-04-31",
	} {
		if got, ok := ParseTime(in); ok {
			t.Errorf("%q is taken for the time %v", in, got.Time)
		}
	}
	if got := FormatTime(time.Time{}); got != "" {
		t.Errorf("no time is written as %q", got)
	}
	if _, ok := ParseISO("2025-12-30T12:05:00Z"); !ok {
		t.Error("ISO 8601 is not read")
	}
	if _, ok := ParseISO("2025-12-30 12:05:00Z"); ok {
		t.Error("a space is taken for ISO 8601")
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
