package protocol

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSplitFields parts list fields: commas after a dash are a remark's among
// anchors, and only there.
func TestSplitFields(t *testing.T) {
	for _, tt := range []struct {
		section Section
		key, in string
		want    []string
	}{
		{HypothesisSlate, "anchors", "[inference] — not shown, but likely", []string{"[inference] — not shown, but likely"}},
		{HypothesisSlate, "anchors", "[inference] — not shown, §5", []string{"[inference] — not shown", "§5"}},
		{HypothesisSlate, "anchors", "[inference] — not, shown, §5, or", []string{"[inference] — not, shown", "§5", "or"}},
		{HypothesisSlate, "anchors", "§1 -x, y", []string{"§1 -x", "y"}},
		{HypothesisSlate, "anchors", "§1- x, y", []string{"§1- x", "y"}},
		{HypothesisSlate, "anchors", "§1 x, y", []string{"§1 x", "y"}},
		{HypothesisSlate, "anchors", "§1 —", []string{"§1 —"}},
		{AnomalyRegister, "conflicts_with", "H1 — mostly, H2", []string{"H1 — mostly", "H2"}},
		{AnomalyRegister, "conflicts_with", "(a (b, c), d), e", []string{"(a (b, c), d)", "e"}},
		{AnomalyRegister, "conflicts_with", "“a ‘b’, c” d, e", []string{"“a ‘b’, c” d", "e"}},
		{AnomalyRegister, "conflicts_with", "“a, b” c, ‘d, e’", []string{"“a, b” c", "‘d", "e’"}},
	} {
		var got []string
		for _, s := range tt.section.Field(tt.key).Split(tt.in) {
			got = append(got, tt.in[s.Start:s.End])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", tt.key, tt.in, diff)
		}
	}
}

// TestIsArray: arrays are united by an EDIT, references like lists (decisions.md 20).
func TestIsArray(t *testing.T) {
	for _, tt := range []struct {
		section Section
		key     string
		want    bool
	}{
		{HypothesisSlate, "anchors", true},
		{AnomalyRegister, "conflicts_with", true},
		{AnomalyRegister, "references", true},
		{HypothesisSlate, "claim", false},
		{PredictionsTable, "predictions", false},
		{DiscriminativeTests, "score", false},
	} {
		f := tt.section.Field(tt.key)
		if f == nil || f.IsArray() != tt.want {
			t.Errorf("%s of %s: %+v, want an array: %v", tt.key, tt.section, f, tt.want)
		}
	}
}
