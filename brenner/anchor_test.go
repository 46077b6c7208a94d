package brenner

import (
	"fmt"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// show returns an anchor in short: kind, text, numbers, restored text.
func show(s string, a Anchor) string {
	kind := [...]string{"", "section", "range", "evidence", "inference", "axiomatic", "external", "mojibake", "unknown"}[a.Kind]
	out := kind + " " + s[a.Span.Start:a.Span.End]
	if a.Kind == RangeAnchor || a.Kind == MojibakeAnchor {
		out += fmt.Sprintf(" [%d-%d]", a.First, a.Last)
	}
	if a.Kind == MojibakeAnchor {
		out += " = " + Restored(s[a.Span.Start:a.Span.End])
	}
	return out
}

func showAll(s string, as []Anchor) []string {
	var out []string
	for _, a := range as {
		out = append(out, show(s, a))
	}
	return out
}

func TestParseAnchors(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{" , ,", nil},
		{"§161", []string{"section §161"}},
		{"§ 42", []string{"section § 42"}},
		{"§105, §103, inference", []string{"section §105", "section §103", "inference inference"}},
		{"§103, [inference]", []string{"section §103", "inference [inference]"}},
		{"§127-§129", []string{"range §127-§129 [127-129]"}},
		{"§42-45", []string{"range §42-45 [42-45]"}},
		{"§42–45", []string{"range §42–45 [42-45]"}},
		{"§42 – §45", []string{"range §42 – §45 [42-45]"}},
		{"§42 - 45, §7", []string{"range §42 - 45 [42-45]", "section §7"}},
		{"§45-42", []string{"range §45-42 [45-42]"}},
		{"§161 - 3 reasons", []string{"section §161"}},
		{"§161 — 3", []string{"section §161"}},
		{"§§127-129", []string{"range §§127-129 [127-129]"}},
		{"§1-§999999999999999999999", []string{"range §1-§999999999999999999999 [1-1000000000]"}},
		{"§58; §78", []string{"section §58", "section §78"}},
		{"§58 and §78", []string{"section §58", "section §78"}},
		{`§161 ("lineage-based, with commas §99")`, []string{"section §161"}},
		{`§150 ("isogenic, because"), §161 ("your ancestors")`, []string{"section §150", "section §161"}},
		{`§150 “isogenic, because”, EV-001`, []string{"section §150", "evidence EV-001"}},
		{"§150 (never closed, §161", []string{"section §150", "section §161"}},
		{"EV-001, EV-001#E1", []string{"evidence EV-001", "evidence EV-001#E1"}},
		{"EV-001#E1 [verbatim], EV-002#E1", []string{"evidence EV-001#E1", "evidence EV-002#E1"}},
		{"EV-002#E1 (invariant lineage timing suggests clock-like control)", []string{"evidence EV-002#E1"}},
		{"EV-1", []string{"unknown EV-1"}},
		{"EV-001#", []string{"unknown EV-001#"}},
		{"EV-001#E", []string{"unknown EV-001#E"}},
		{"EV-001x", []string{"unknown EV-001x"}},
		{"[inference] from §42", []string{"inference [inference]", "section §42"}},
		{"[inference] from §42, EV-003", []string{"inference [inference]", "section §42", "evidence EV-003"}},
		{"§42 [inference]", []string{"section §42", "inference [inference]"}},
		{"[inference] — not in the transcript, but likely", []string{"inference [inference]"}},
		{"[inference] — not in the transcript, §5", []string{"inference [inference]", "section §5"}},
		{"§58, domain", []string{"section §58", "unknown domain"}},
		{"Inference", []string{"inference Inference"}},
		{"inferences", []string{"unknown inferences"}},
		{"[axiomatic]", []string{"axiomatic [axiomatic]"}},
		{"[external: Sulston et al., 1983]", []string{"external [external: Sulston et al., 1983]"}},
		{"[external]", []string{"unknown [external]"}},
		{"[external: ]", []string{"unknown [external: ]"}},
		{"[verbatim]", []string{"unknown [verbatim]"}},
		{"¬ß161", []string{"mojibake ¬ß161 [161-161] = §161"}},
		{"Â§161, §2", []string{"mojibake Â§161 [161-161] = §161", "section §2"}},
		{"¬ß127-¬ß129", []string{"mojibake ¬ß127-¬ß129 [127-129] = §127-§129"}},
		{"¬ß127‚Äì129", []string{"mojibake ¬ß127‚Äì129 [127-129] = §127–129"}},
		{"§127-Â§129", []string{"mojibake §127-Â§129 [127-129] = §127-§129"}},
		{"\uFFFD161", []string{"mojibake \uFFFD161 [161-161] = §161"}},
		{"\xA7161", []string{"mojibake \xA7161 [161-161] = §161"}},
		{"ħ161", []string{"unknown ħ161"}},
		{"§161 ħ7", []string{"section §161"}},
		{"¬ß", []string{"unknown ¬ß"}},
		{"§", []string{"unknown §"}},
		{"§n", []string{"unknown §n"}},
		{"§161a", []string{"unknown §161a"}},
		{"§42-45a", []string{"section §42"}},
		{"Brenner §161", []string{"unknown Brenner §161"}},
		{`§1 a\, b, §2`, []string{"section §1", "section §2"}},
		// blanks
		{"§\t42", []string{"section §\t42"}},
		{"§\u00a042", []string{"section §\u00a042"}},
		{"§42\u00a0–\u00a0§45", []string{"range §42\u00a0–\u00a0§45 [42-45]"}},
		// where a word goes on, there is no anchor
		{"§161_a", []string{"unknown §161_a"}},
		{"§161٣", []string{"unknown §161٣"}},
		{"important", []string{"unknown important"}},
		{"inference_x", []string{"unknown inference_x"}},
		{"[see: Crick]", []string{"unknown [see: Crick]"}},
		// a range has a second number, close to the dash or with a sign
		{"§42-", []string{"section §42"}},
		{"§161 -3 reasons", []string{"section §161"}},
		{"§161- 3 reasons", []string{"section §161"}},
		{"§161 - §3 reasons", []string{"range §161 - §3 [161-3]"}},
		// each part may be mis-decoded
		{"¬ß127-§129", []string{"mojibake ¬ß127-§129 [127-129] = §127-§129"}},
		{"§127‚Äì129", []string{"mojibake §127‚Äì129 [127-129] = §127–129"}},
		{"§127‚Äì§129", []string{"mojibake §127‚Äì§129 [127-129] = §127–§129"}},
		{"¬ß161 - 3 reasons", []string{"mojibake ¬ß161 [161-161] = §161"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, showAll(tt.in, ParseAnchors(tt.in))); diff != "" {
			t.Errorf("ParseAnchors(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestCitations(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"no citation, 5 § and §x, ev-001 and XEV-001", nil},
		{`Role separation (§230) per §210, "see §105–§107".`, []string{"section §230", "section §210", "range §105–§107 [105-107]"}},
		{"(EV-001#E1, EV-003#E1 establish) §5's", []string{"evidence EV-001#E1", "evidence EV-003#E1", "section §5"}},
		{"§161-based ħ161 ¬ß7", []string{"section §161", "mojibake ¬ß7 [7-7] = §7"}},
		{"(§42 - 45) holds", []string{"range §42 - 45 [42-45]"}},
		{"see §42 - 45, then", []string{"range §42 - 45 [42-45]"}},
		{"see §42-45 times", []string{"range §42-45 [42-45]"}},
		{"see §42 - 45 times", []string{"section §42"}},
		{"EV-001, 12 more", []string{"evidence EV-001"}},
		{"ECT123, x_EV-001, 1EV-001, §16_2", nil},
		{"_EV-001_ and __§161__", []string{"evidence EV-001", "section §161"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, showAll(tt.in, slices.Collect(Citations(tt.in)))); diff != "" {
			t.Errorf("Citations(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

// TestSplit splits lists: commas after a dash belong to a remark among anchors, and only there.
func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		field *Field
		in    string
		want  []string
	}{
		{labels, "", nil},
		{labels, "H1, A2 ,, X3", []string{"H1", "A2", "X3"}},
		{labels, "Pure H1 (some, not all) and H2", []string{"Pure H1 (some, not all) and H2"}},
		{labels, `a\, b, "c, d" e, [f, g]`, []string{`a\, b`, `"c, d" e`, "[f, g]"}},
		{labels, "a (b, c", []string{"a (b", "c"}},
		{labels, `end\`, []string{`end\`}},
		{labels, "H1 — mostly, H2", []string{"H1 — mostly", "H2"}},
		{labels, "(a (b, c), d), e", []string{"(a (b, c), d)", "e"}},
		{labels, "“a ‘b’, c” d, e", []string{"“a ‘b’, c” d", "e"}},
		{labels, "“a, b” c, ‘d, e’", []string{"“a, b” c", "‘d", "e’"}},
		{anchors, "[inference] — not shown, but likely", []string{"[inference] — not shown, but likely"}},
		{anchors, "[inference] — not shown, §5", []string{"[inference] — not shown", "§5"}},
		{anchors, "[inference] — not, shown, §5, or", []string{"[inference] — not, shown", "§5", "or"}},
		{anchors, "§1 -x, y", []string{"§1 -x", "y"}},
		{anchors, "§1- x, y", []string{"§1- x", "y"}},
		{anchors, "§1 x, y", []string{"§1 x", "y"}},
		{anchors, "§1 —", []string{"§1 —"}},
	} {
		var got []string
		for _, s := range tt.field.Split(tt.in) {
			got = append(got, tt.in[s.Start:s.End])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", tt.field.Key, tt.in, diff)
		}
	}
}

func FuzzAnchors(f *testing.F) {
	for _, s := range []string{`§161 ("a, b"), ¬ß127-Â§129 — c, [inference] from §4`, "EV-001#E1 [verbatim], [external: x]", "\xA7161 \uFFFD1 ħ2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, a := range ParseAnchors(s) {
			if a.Span.Empty() || a.Span.Start < end || a.Span.End > len(s) {
				t.Fatalf("span %v after %d in %q", a.Span, end, s)
			}
			if utf8.ValidString(s) && !utf8.ValidString(s[a.Span.Start:a.Span.End]) {
				t.Fatalf("span %v cuts a rune of %q", a.Span, s)
			}
			if a.First > MaxItemNumber || a.Last > MaxItemNumber {
				t.Fatalf("bad anchor %+v in %q", a, s)
			}
			end = a.Span.End
		}
		end = 0
		for a := range Citations(s) {
			if a.Span.Start < end || a.Kind > MojibakeAnchor {
				t.Fatalf("citation %+v after %d in %q", a, end, s)
			}
			if again := ParseAnchors(s[a.Span.Start:a.Span.End]); len(again) != 1 || again[0].Kind != a.Kind {
				t.Fatalf("citation %q reads alone as %v", s[a.Span.Start:a.Span.End], again)
			}
			end = a.Span.End
		}
	})
}

// TestHasSign checks that no sign, whole or mis-decoded, is missed.
func TestHasSign(t *testing.T) {
	for _, sign := range append([]string{"§"}, signs.broken...) {
		if !HasNonASCII("as in " + sign + "42") {
			t.Errorf("%q is not taken for a sign", sign)
		}
	}
	if HasNonASCII("E1: plain text, 42") {
		t.Error("plain text is taken for a sign")
	}
}
