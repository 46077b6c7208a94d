package session

import (
	"strings"
	"testing"
)

// TestContributorConditions has, for each condition, a list that it alone decides.
func TestContributorConditions(t *testing.T) {
	for in, want := range map[string]string{
		// a cell that a row lacks
		"| Rank | Agent |\n|---|---|\n| 1 | opus |\n| 2 |":     "opus",
		"| Agent | Deltas |\n|---|---|\n| opus | 2 |\n| gpt |": "opus=2 gpt",
		"| Deltas | Agent |\n|---|---|\n| 3 | opus |":          "opus=3",
		"| Agent | Share |\n|---|---|\n| opus | 2 |":           "opus",
		// after a remark without brackets, commas part the remark
		"BlueLake: 2 deltas, H3, RedLake":           "BlueLake=2",
		"BlueLake: 2 deltas, RedLake: 1 delta":      "BlueLake=2 RedLake=1",
		"BlueLake: 2 deltas, H3 (new), RedLake (1)": "BlueLake=2 RedLake=1",
		"BlueLake (2 deltas), RedLake":              "BlueLake=2 RedLake",
		"BlueLake [2 deltas], RedLake":              "BlueLake=2 RedLake",
		"All: two, BlueLake":                        "All",
		// names
		"H3, opus":            "opus",
		"opus-4_1, gpt5":      "opus-4_1 gpt5",
		"--, __, -_, opus":    "opus",
		"none, opus":          "opus",
		"opus took part, gpt": "gpt",
		"op.us, gpt":          "gpt",
		// counts: a number alone, or before the word delta
		"opus: 2":                  "opus=2",
		"opus: (2)":                "opus=2",
		"opus: H3, T2":             "opus",
		"opus: 2 tests":            "opus",
		"opus: tests 2":            "opus",
		"opus: 2 tests, 3 deltas":  "opus",
		"opus: 2 tests and deltas": "opus",
		"opus (2 tests, 3 deltas)": "opus=3",
		"opus (H3 deltas)":         "opus",
		"opus (4 Deltas)":          "opus=4",
		"opus (1 2)":               "opus",
		// what is no paragraph lists nobody
		"```\nopus\n```\n\ngpt": "gpt",
		"### opus\n\ngpt":       "gpt",
	} {
		s := message("COMPILED: v1", "## Contributors\n\n"+in).Section("Contributors")
		var got []string
		for _, c := range s.Contributors() {
			one := c.Name
			if c.HasCount {
				one += "=" + s.Text(c.CountSpan)
			}
			got = append(got, one)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for name, want := range map[string]bool{
		"opus": true, "opus-4": true, "4": true, "_a": true, "": false, "-": false, "_": false, "-_": false, "a b": false, "a.b": false, "é": true,
	} {
		if IsAgentName(name) != want {
			t.Errorf("IsAgentName(%q) = %v", name, !want)
		}
	}
}
