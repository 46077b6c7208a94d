package brenner

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"Third Alternative": true, "Timing (third alternative)": true, "H3: THIRD-ALTERNATIVE": true, "third_alternative": true, "Third  alternative": true, "Third\u00a0alternative": true,
		"Third alternatives (both)": true, "第三third alternative": true, "_third alternative_": true, "A third alternativeness": false, "Both wrong": false, "third - alternative": false, "": false, "A third, alternative": false, "third alternativ": false,
	} {
		if got := NamesThirdAlternative(name); got != want {
			t.Errorf("NamesThirdAlternative(%q) = %v", name, got)
		}
	}
	for name, want := range map[string]bool{
		"Scale check — diffusion": true, "Scale/physics check: toy sizes": true, "Physics check": true, "scale-check": true,
		"Scale and physics checks": true, "SCALE CHECKS: sizes": true, "Scale-checked diffusion": true, "Scale checkの計算": true, "Full-scale checkpoint": false, "Grayscale check": false, "Scaled checks": false, "Large scale": false, "": false,
	} {
		if got := NamesScaleCheck(name); got != want {
			t.Errorf("NamesScaleCheck(%q) = %v", name, got)
		}
	}
}

func TestMeant(t *testing.T) {
	for _, c := range []struct {
		section Section
		name    string
		want    string
	}{
		{HypothesisSlate, "Statement", "claim"},
		{HypothesisSlate, "basis", "mechanism"},
		{ResearchThread, "Question", "statement"},
		{DiscriminativeTests, "Design", "procedure"},
		{DiscriminativeTests, "Potency-Check", "potency_check"},
		{AdversarialCritique, "Response", "current_status"},
		{HypothesisSlate, "claim", ""},
		{HypothesisSlate, "Confidence", ""},
		{HypothesisSlate, strings.Repeat("x", 1<<20), ""},
	} {
		got := ""
		if f := c.section.Suggest(c.name); f != nil {
			got = f.Key
		}
		if got != c.want {
			t.Errorf("%s.Meant(%.20q) = %q, want %q", c.section, c.name, got, c.want)
		}
	}
	for _, s := range Sections {
		for _, f := range s.Fields() {
			for _, name := range f.Aliases {
				if s.Field(name) != nil {
					t.Errorf("misnomer %q of %s is a field", name, s)
				}
			}
		}
	}
}

func TestItemMentions(t *testing.T) {
	for s, want := range map[string]string{
		"H1 vs H2/H4":                     "H1 H2 H4",
		"H1-roles-help vs (T10)":          "H1 T10",
		"P1.H2, P3. X1: ok":               "P1.H2 P3 X1",
		"H3K27me3, xH1, H_1, H0, H01":     "",
		"EV-001#E1 and A1.2 and C. el":    "",
		"see A1.":                         "A1",
		"éH1 H1é":                         "",
		"H":                               "",
		"H1":                              "H1",
		"P1.Hx":                           "P1",
		"H1 2 times, A1,2":                "H1 A1",
		"A1.0 and A1.9, Q1, HX":           "",
		"H1.H2, P1, 2, P1.A2":             "H1 H2 P1 P1 A2", // only predictions have scoped ids
		"x_H1, 1H1, H1_x, H1__2":          "",
		"_H1 vs H2_, __T1__":              "H1 H2 T1", // emphasis
		"RS-20251228-initial/H9, H1/H2":   "H1 H2",
		"RS-20251228-initial#H9: H1":      "H1",
		"`RS-20251228-initial:T9`, T1:H1": "T1 H1",
		"[x](#H1) RS-2025:H2 a:H3":        "H1 H2 H3",
		"https://e.org/T9 and T1/T2":      "T1 T2",
		"![](img/H9.png) [H1](#H1) (H2)":  "H1 H1 H2",
		"[x](https://e.org/T9)/T1":        "T1",
		"H99999999999999999999999999999":  "H1000000001",
	} {
		var got []string
		for m := range ItemMentions(s) {
			got = append(got, m.ID.String())
			if len(s) < 30 && s[m.Span.Start:m.Span.End] != m.ID.String() {
				t.Errorf("%q: span %v is not %s", s, m.Span, m.ID)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("ItemMentions(%q) = %v, want %q", s, got, want)
		}
	}
}
