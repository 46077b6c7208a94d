package brenner

import (
	"strings"
	"testing"
)

// TestJoinedAnchors checks which citations are written as one, in one string and
// among the entries of a list, and how they are written alone.
func TestJoinedAnchors(t *testing.T) {
	for _, c := range []struct{ text, inString, inList string }{
		{"§161; §42", "§161 §42", "§161 §42"},
		{"§161, §205", "§161 §205", ""},
		{"§161；§205", "§161 §205", "§161 §205"},
		{"§161、§205，EV-001", "§161 §205 EV-001", "§161 §205 EV-001"},
		{"§161（x、§205）", "", ""},
		{"§161 §205", "§161 §205", "§161 §205"},
		{"§161 and §205 or EV-001", "§161 §205 EV-001", "§161 §205 EV-001"},
		{"§161/§162 & §163", "§161 §162 §163", "§161 §162 §163"},
		{`§161 ("a quotation"); §42`, "§161 §42", "§161 §42"},
		{`§161 ("a quotation"), §42`, "§161 §42", ""},
		{"§42, and §43", "", ""},
		{"§42 to §161", "§42 §161", "§42 §161"},
		{"§42…§161", "§42 §161", "§42 §161"},
		{"§42:§161", "§42 §161", "§42 §161"},
		{"§42 — compare §12 to §13", "", ""},
		{"§42 (see §161)", "", ""},
		{"§42 – §161", "", ""},
		{"[inference] from §42 and §43", "§42 §43", "§42 §43"},
		{"¬ß161; §42", "§161 §42", "§161 §42"},
		{"§§161-163; §42", "§161-§163 §42", "§161-§163 §42"},
		{"§161", "", ""},
		{"§127-§129", "", ""},
		{"[inference] from §42", "", ""},
		{"§42 [inference]", "", ""},
		{"§42, inference", "", ""},
		{"§42 extends §161", "", ""},
		{"§42 (see §161; §162)", "", ""},
		{"none", "", ""},
	} {
		for commas, want := range map[bool]string{true: c.inString, false: c.inList} {
			var got []string
			for _, a := range JoinedAnchors(c.text, ParseAnchors(c.text), commas) {
				got = append(got, a.Single(c.text))
			}
			if s := strings.Join(got, " "); s != want {
				t.Errorf("%q, in one string %v: %q, want %q", c.text, commas, s, want)
			}
		}
	}
}
