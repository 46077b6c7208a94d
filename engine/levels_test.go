package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
)

// TestLevels checks that the last override of a path wins, and that globs with a slash begin in the
// folder.
func TestLevels(t *testing.T) {
	l := &Severities{
		Ignore:   map[string]bool{"BB-001": true},
		Severity: map[string]lint.Severity{"AA-001": lint.Error, "AA-002": lint.Info},
		Overrides: []SeverityOverride{
			{Paths: []string{"old/**"}, Ignore: map[string]bool{"AA-001": true}},
			{Paths: []string{"./old/kept/*.md", "x.md"}, Severity: map[string]lint.Severity{"AA-001": lint.Info}},
		},
	}
	folder := input.NewFolder("")
	var globs []input.Globs
	for _, o := range l.Overrides {
		globs = append(globs, folder.Globs(o.Paths...))
	}
	for _, c := range []struct {
		rule  int
		path  string
		level lint.Severity
		on    bool
	}{
		{0, "a.md", lint.Error, true}, {1, "a.md", lint.Info, true},
		{0, "old/a.md", lint.Error, false}, {0, "./old/a.md", lint.Error, false}, {0, "below/old/a.md", lint.Error, true}, {0, "older/a.md", lint.Error, true},
		{0, "old/kept/a.md", lint.Info, true}, {0, "old/kept/deep/a.md", lint.Error, false}, {0, "y/x.md", lint.Info, true}, {1, "x.md", lint.Info, true},
	} {
		r := *threeRules[c.rule]
		r.Severity = lint.Warning
		if level, on := l.of(&r, l.at(globs, folder.Spellings(c.path)), false); level != c.level || on != c.on {
			t.Errorf("%s in %s: %v, on %v; want %v, %v", r.ID, c.path, level, on, c.level, c.on)
		}
	}
	drafts := &lint.Rule{ID: "AA-009", Severity: lint.Warning, DraftSeverity: lint.Error}
	for draft, want := range map[bool]lint.Severity{false: lint.Warning, true: lint.Error} {
		if level, _ := l.of(drafts, nil, draft); level != want {
			t.Errorf("draft %v: %v, want %v", draft, level, want)
		}
		set := &Severities{Severity: map[string]lint.Severity{"AA-009": lint.Info}}
		if level, _ := set.of(drafts, nil, draft); level != lint.Info {
			t.Errorf("draft %v: %v, but the configuration says info", draft, level)
		}
	}
	selected := &Severities{Select: map[string]bool{"AA-001": true, "BB-001": true}, Ignore: l.Ignore}
	var runs []string
	for _, r := range threeRules {
		if selected.runs(r) {
			runs = append(runs, r.ID)
		}
	}
	if !slices.Equal(runs, []string{"AA-001"}) {
		t.Errorf("%v run", runs)
	}
}

func TestBaselineFile(t *testing.T) {
	rep := &lint.Report{Findings: []*lint.Finding{
		{Path: "b.md", Rule: "AA-001", Fingerprint: "1"},
		{Path: "a.md", Rule: "BB-001", Fingerprint: "2"},
		{Path: "a.md", Rule: "AA-001", Fingerprint: "4"},
		{Path: "a.md", Rule: "AA-001", Fingerprint: "3"},
	}}
	var order []string
	for _, e := range NewBaseline(rep.Findings).Findings {
		order = append(order, e.Fingerprint)
	}
	if got := strings.Join(order, ""); got != "3421" {
		t.Errorf("findings are in the order %s, want by path, rule and fingerprint", got)
	}
	begin := `{"schema": "` + BaselineSchema + `", `
	for text, want := range map[string]string{
		"":                      "it is empty",
		"{":                     "unexpected EOF",
		"[]":                    "it has the wrong type: array",
		begin + `"findings":1}`: "findings has the wrong type: number",
		`{"schema": "other"}`:   `schema is "other"`,
		begin + `"more": 1}`:    `unknown field "more"`,
		begin + `"findings": [{"rule": "AA-001", "path": "a.md"}]}`: "entry 1 (AA-001, a.md) has no fingerprint",
		begin + "\"findings\": []}\n>>>>>>> theirs\n":               "it goes on after its end",
	} {
		if _, err := ReadBaseline(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), "read baseline: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, expected %q", text, err, want)
		}
	}
	for _, mark := range []string{"", "\ufeff"} {
		if b, err := ReadBaseline(strings.NewReader(mark + begin + `"findings": []}`)); err != nil || len(b.Findings) != 0 {
			t.Errorf("an empty baseline gives %v, %v", b, err)
		}
	}
}

// TestSuppressionFaults checks what is wrong with entries of the configuration.
func TestSuppressionFaults(t *testing.T) {
	for _, c := range []struct {
		entry Suppression
		fault lint.SuppressionFault
		word  string
	}{
		{Suppression{Rule: "AA", Reason: "x"}, 0, ""},
		{Suppression{Rule: "AA-001, three", Reason: "x"}, 0, ""},
		{Suppression{Reason: "x"}, lint.NoRuleNamed, ""},
		{Suppression{Rule: "AA", Reason: " \t"}, lint.NoReasonGiven, ""},
		{Suppression{Rule: "AA,ZZ", Reason: "x"}, lint.UnknownRule, "ZZ"},
	} {
		got := entrySuppressions([]Suppression{c.entry}, threeRules, input.NewFolder(""))[0]
		if got.Fault != c.fault || got.Word != c.word || c.fault == 0 && len(got.rules) != 2 {
			t.Errorf("%+v covers %v, has fault %d at %q; want %d at %q", c.entry, got.rules, got.Fault, got.Word, c.fault, c.word)
		}
	}
}
