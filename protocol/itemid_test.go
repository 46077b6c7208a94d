package protocol

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

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

// TestLargeItemNumbers: what no session can hold is one number.
func TestLargeItemNumbers(t *testing.T) {
	for in, want := range map[string]int{"H999999999": 999999999, "H1000000000": MaxItemNumber, "H2000000000": MaxItemNumber + 1, "H99999999999999999999": MaxItemNumber + 1} {
		if id, ok := ParseItemID(in); !ok || id.Number != want {
			t.Errorf("ParseItemID(%q) = %+v, %v; want %d", in, id, ok, want)
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

func TestItemMentionConditions(t *testing.T) {
	for in, want := range map[string][]string{
		"H1 2 times, A1,2": {"H1", "A1"},
		"A1.0 and A1.9":    nil,
		"H1.H2":            {"H1", "H2"}, // only predictions have scoped ids
		"P1, 2":            {"P1"},
		"P1.A2":            {"P1", "A2"},
		"Q1, HX":           nil,
		"_H1, 1H1":         nil,
		"H1_":              nil,
	} {
		var got []string
		for _, m := range ItemMentions(in) {
			got = append(got, in[m.Span.Start:m.Span.End])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ItemMentions(%q) (-want +got):\n%s", in, diff)
		}
	}
}
