package artifact

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

// TestDetachedRows reads what is below a predictions table.
func TestDetachedRows(t *testing.T) {
	const head = "## 3. Predictions Table\n\n| ID | C | H1 | H2 |\n|---|---|---|---|\n| P1 | c | a | b |\n"
	for below, want := range map[string]string{
		"\n| P2 | c | a | b |":                         "P2",
		"\n| P2 | c | a | b |\n| ~~P3~~ | c | a | b |": "P2 P3",
		"\n| P1 | c | a | b |":                         "P1", // reported by ES-004
		"\nP2 | c | a | b":                             "P2",
		"\nP2 | c":                                     "",
		"\nP2":                                         "",
		"\n| 2 | c | a | b |":                          "",
		"\n| H2 | c | a | b |":                         "",
		"\n- | P2 | c | a | b |":                       "",
		"<!-- x -->\n| P2 | c | a | b |":               "P2",
		"\n| ID | C | H2 | H1 |\n|---|---|---|---|\n| P2 |x|b|a|": "P2",
		"\n| ID | C | H1 |\n|---|---|---|\n| P1 |x|b|":            "",
		"\n| No | C | H1 |\n|---|---|---|\n| P2 |x|b|":            "",
		"\n## 4. Discriminative Tests\n\n| P2 | c | a | b |":      "",
	} {
		a := ParseMarkdown(source.NewFile("a.md", []byte(head+below+"\n")).Text(), Limits{})
		var got []string
		for _, it := range a.Sections[0].Items {
			if it.Detached {
				got = append(got, it.ID.String())
			}
			if o := it.Field("predictions"); it.ID.Number == 2 && (o.Entries[0].Key != "H1") != strings.Contains(below, "H2 |") {
				t.Errorf("%q: the outcomes of P2 begin with %s", below, o.Entries[0].Key)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: got %q, want %q", below, got, want)
		}
	}
}

// TestHeaders reads the headers of outcomes.
func TestHeaders(t *testing.T) {
	for header, want := range map[string]string{
		"H1 (a) | H2 predicts":          "H1 H2",
		"Hypothesis H1 | If H2":         "H1? H2?",
		"[H1](#h1) | h2 | H3<br/>c":     "H1? H2? H3",
		"H1 | If H1 | h1":               "H1 If H1 h1",
		"h1 | H1":                       "h1 H1",
		"h1 | If H1":                    "H1? If H1",
		"\u00a0H1\u00a0 | H2":           "H1 H2",
		"Notes on H1 | T1 | against":    "Notes on H1 T1 against",
		"\\Hypothesis H1 | \\h2 | - | ": "Hypothesis H1 h2 -",
	} {
		a := ParseMarkdown(source.NewFile("a.md", []byte("## 3. Predictions Table\n\n| ID | C | "+header+" |\n|---|---|---|\n")).Text(), Limits{})
		var got []string
		for _, c := range a.Sections[0].Table.Columns {
			if c.Meant {
				c.Key += "?"
			}
			got = append(got, c.Key)
		}
		if got := strings.TrimSpace(strings.Join(got, " ")); got != want {
			t.Errorf("%q: got %q, want %q", header, got, want)
		}
	}
}
