package brenner

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestAnchorConditions has a text for each condition of the anchors' grammar that only
// this condition decides.
func TestAnchorConditions(t *testing.T) {
	for in, want := range map[string][]string{
		// blanks
		"§\t42":               {"section §\t42"},
		"§\u00a042":           {"section §\u00a042"},
		"§42\u00a0–\u00a0§45": {"range §42\u00a0–\u00a0§45 [42-45]"},
		// where a word goes on, there is no anchor
		"§161_a":       {"unknown §161_a"},
		"§161٣":        {"unknown §161٣"},
		"important":    {"unknown important"},
		"inference_":   {"unknown inference_"},
		"[see: Crick]": {"unknown [see: Crick]"},
		// a range has a second number, close to the dash or with a sign
		"§42-":              {"section §42"},
		"§161 -3 reasons":   {"section §161"},
		"§161- 3 reasons":   {"section §161"},
		"§161 - §3 reasons": {"range §161 - §3 [161-3]"},
		// each part may be mis-decoded
		"¬ß127-§129":        {"mojibake ¬ß127-§129 [127-129] = §127-§129"},
		"§127‚Äì129":        {"mojibake §127‚Äì129 [127-129] = §127–129"},
		"§127‚Äì§129":       {"mojibake §127‚Äì§129 [127-129] = §127–§129"},
		"¬ß161 - 3 reasons": {"mojibake ¬ß161 [161-161] = §161"},
	} {
		if diff := cmp.Diff(want, showAll(in, ParseAnchors(in))); diff != "" {
			t.Errorf("ParseAnchors(%q) (-want +got):\n%s", in, diff)
		}
	}
	for in, want := range map[string][]string{
		"(§42 - 45) holds":         {"range §42 - 45 [42-45]"},
		"see §42 - 45, then":       {"range §42 - 45 [42-45]"},
		"see §42-45 times":         {"range §42-45 [42-45]"},
		"see §42 - 45 times":       {"section §42"},
		"EV-001, 12 more":          {"evidence EV-001"},
		"ECT123, _EV-001, 1EV-001": nil,
	} {
		if diff := cmp.Diff(want, showAll(in, slices.Collect(Citations(in)))); diff != "" {
			t.Errorf("Citations(%q) (-want +got):\n%s", in, diff)
		}
	}
	sections := map[AnchorKind]bool{SectionAnchor: true, RangeAnchor: true, MojibakeAnchor: true}
	for k := SectionAnchor; k <= UnknownAnchor; k++ {
		if got := (Anchor{Kind: k}).IsSection(); got != sections[k] {
			t.Errorf("kind %d: IsSection is %v", k, got)
		}
	}
}

// TestSplitFields splits list fields: commas after a dash belong to a remark among
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

// TestIsArray: arrays are united by an EDIT, references like lists (decisions.md 20: EDIT of arrays).
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
		"9. Hypothesis Slate": HypothesisSlate, "09. Hypothesis Slate": HypothesisSlate,
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
	for in, want := range map[string]int{"H999999999": 999999999, "H1000000000": MaxItemNumber, "H2000000000": MaxItemNumber + 1, "H99999999999999999999": MaxItemNumber + 1} {
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
		for m := range ItemMentions(in) {
			got = append(got, in[m.Span.Start:m.Span.End])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ItemMentions(%q) (-want +got):\n%s", in, diff)
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
