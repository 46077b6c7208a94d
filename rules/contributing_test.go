package rules

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/protocol"
)

// workedRules is the worked example of CONTRIBUTING.md: what stands there must
// build and do what is said of it.
var workedRules = []*lint.Rule{
	{
		ID: "WX-003", Name: "anomaly-resolution-test", Severity: lint.Warning, Scope: lint.ArtifactScope, SpecRef: artifactFormat,
		Summary: "The resolution plan of each active anomaly names a test.",
		Check:   lint.ArtifactCheck(checkResolutionTest),
	},
}

func checkResolutionTest(p *lint.ArtifactPass) {
	isTest := func(m protocol.ItemMention) bool { return m.ID.Section == protocol.DiscriminativeTests }
	for _, it := range active(p.Artifact, protocol.AnomalyRegister) {
		plan := it.Field("resolution_plan")
		if plan == nil || slices.ContainsFunc(protocol.ItemMentions(plan.Text), isTest) {
			continue
		}
		itemReport(p, it, plan.Key, plan.Value, lint.Diagnostic{
			Message:    itemName(it) + " has a resolution plan that names no test; expected the id of one",
			Suggestion: "name the test that will decide, as in `run T2`",
		})
	}
}

// TestContributing holds that the worked example of CONTRIBUTING.md is the code
// above, that its line of the catalogue says the same, and that its archive
// tells what the rule finds.
func TestContributing(t *testing.T) {
	guide, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("contributing_test.go")
	if err != nil {
		t.Fatal(err)
	}
	r := workedRules[0]
	if err := r.Validate(); err != nil {
		t.Error(err)
	}
	code := block(t, string(guide), "go")
	if !strings.Contains(unindented(string(own)), unindented(code)) {
		t.Errorf("CONTRIBUTING.md shows other code than contributing_test.go holds:\n%s", code)
	}
	columns := strings.Split(strings.TrimSpace(block(t, string(guide), "tsv")), "\t")
	if want := []string{r.ID, r.Name, r.Scope.String(), r.Severity.String(), r.Code, r.SpecRef, r.Summary}; !slices.Equal(columns, want) {
		t.Errorf("the line of the catalogue is %q, want %q", columns, want)
	}
	checkWorkedArchive(t, r, txtar.Parse([]byte(block(t, string(guide), "txtar"))))
}

// block is the content of the only fence of a language, at any indentation.
func block(t *testing.T, text, language string) string {
	t.Helper()
	found := regexp.MustCompile("(?ms)^( *)```"+language+"\n(.*?)^ *```$").FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		t.Fatalf("CONTRIBUTING.md has %d fences of %s, expected one", len(found), language)
	}
	return strings.TrimPrefix(strings.ReplaceAll("\n"+found[0][2], "\n"+found[0][1], "\n"), "\n")
}

func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "\n")
}

// checkWorkedArchive runs the rule over the examples: of a bad one it must find
// what want says, of a good one nothing.
func checkWorkedArchive(t *testing.T, r *lint.Rule, a *txtar.Archive) {
	t.Helper()
	want, got := map[string]string{}, map[string]string{}
	for _, f := range a.Files {
		parts := strings.SplitN(f.Name, "/", 3)
		example := parts[0] + "/" + parts[1]
		if parts[2] == "want" {
			want[example] = string(f.Data)
			continue
		}
		path := filepath.Join(t.TempDir(), filepath.FromSlash(parts[2]))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		rep, err := engine.MustNew([]*lint.Rule{r}, engine.Options{}).Check(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		got[example] = ""
		for _, found := range rep.Findings {
			got[example] += fmt.Sprintf("%s:%d:%d: %s\n    = %s\n", parts[2], found.Range.Start.Line, found.Range.Start.Column, found.Message, found.Suggestion)
		}
	}
	if len(got) < 4 {
		t.Errorf("the archive has %d examples, needs two bad and two good ones", len(got))
	}
	for example, findings := range got {
		if findings != want[example] || strings.HasPrefix(example, "bad/") == (findings == "") {
			t.Errorf("%s:\n got:\n%s\nwant:\n%s", example, findings, want[example])
		}
	}
}
