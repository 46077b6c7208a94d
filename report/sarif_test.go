package report

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
)

// schemas are those of formats. That of json is published.
var schemas = sync.OnceValue(func() map[string]*jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	return map[string]*jsonschema.Schema{
		"json":   c.MustCompile("../docs/schema/report.json"),
		"sarif":  c.MustCompile("testdata/schema/sarif-schema-2.1.0.json"),
		"rdjson": c.MustCompile("testdata/schema/reviewdog-DiagnosticResult.json"),
	}
})

// valid holds a JSON text against a schema.
func valid(t testing.TB, s *jsonschema.Schema, data []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	if err != nil {
		t.Fatalf("not JSON: %v\n%.2000s", err, data)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("not valid: %v", err)
	}
}

// TestSchemas holds reports against the schemas of their formats.
func TestSchemas(t *testing.T) {
	for _, r := range []*lint.Report{sample(), clear(), broken(), {}} {
		for format, s := range schemas() {
			valid(t, s, write(t, format, r, Options{Version: "1.2.3"}))
		}
		for _, by := range StatisticsBy {
			valid(t, schemas()["json"], write(t, "json", r, Options{Statistics: by}))
		}
	}
}

// sarifLog is what code scanning reads of a file.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID, Name                                string
					ShortDescription, FullDescription, Help struct{ Text, Markdown string }
					Properties                              map[string]any
				}
			}
		}
		Invocations []struct {
			ExecutionSuccessful        *bool
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
		AutomationDetails any
		ColumnKind        string
		Results           []sarifRead
	}
}

type sarifRead struct {
	RuleID              string
	RuleIndex           *int
	Level               string
	Message             struct{ Text string }
	Locations           []sarifPlace
	RelatedLocations    []sarifPlace
	PartialFingerprints map[string]string
	Suppressions        any
}

type sarifPlace struct {
	ID               int
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
	}
}

// readSARIF reads a file and holds it against what GitHub code scanning asks for
// (ids, texts and their lengths, locations, limits).
func readSARIF(t *testing.T, data []byte) *sarifLog {
	t.Helper()
	var log sarifLog
	must.OK(t, json.Unmarshal(data, &log))
	if len(log.Runs) != 1 {
		t.Fatalf("%d runs", len(log.Runs))
	}
	run := log.Runs[0]
	if run.ColumnKind != "utf16CodeUnits" || run.AutomationDetails != nil {
		t.Errorf("columnKind %q, automationDetails %v", run.ColumnKind, run.AutomationDetails)
	}
	for _, rule := range run.Tool.Driver.Rules {
		for what, text := range map[string]string{"id": rule.ID, "short": rule.ShortDescription.Text, "full": rule.FullDescription.Text} {
			if n := len([]rune(text)); n == 0 || n > 1024 {
				t.Errorf("rule %s: %s has %d characters", rule.ID, what, n)
			}
		}
		if rule.Help.Text == "" || rule.Help.Markdown == "" || len(rule.Name) > 255 {
			t.Errorf("rule %s lacks help, or its name is too long", rule.ID)
		}
		if n := len(rule.Properties["tags"].([]any)); n == 0 || n > 10 {
			t.Errorf("rule %s has %d tags", rule.ID, n)
		}
		oneOf(t, rule.Properties["precision"].(string), "very-high", "high", "medium", "low")
		oneOf(t, rule.Properties["problem.severity"].(string), "error", "warning", "recommendation")
		if _, ok := rule.Properties["security-severity"]; ok {
			t.Errorf("rule %s would be a security alert", rule.ID)
		}
	}
	if len(run.Results) > maxResults {
		t.Errorf("%d results", len(run.Results))
	}
	for i := range run.Results {
		checkResult(t, &run.Results[i], func(n int) string { return run.Tool.Driver.Rules[n].ID })
	}
	return &log
}

var link = regexp.MustCompile(`(^|[^\\])\]\((\w*)\)`)

func checkResult(t *testing.T, res *sarifRead, ruleID func(int) string) {
	t.Helper()
	if res.Message.Text == "" || res.RuleIndex == nil || ruleID(*res.RuleIndex) != res.RuleID || res.Suppressions != nil {
		t.Errorf("result of %s: message %q, ruleIndex %v", res.RuleID, res.Message.Text, res.RuleIndex)
	}
	if len(res.Locations) != 1 || res.PartialFingerprints["brennerlint/v1"] == "" {
		t.Errorf("result of %s: %d locations, fingerprints %v", res.RuleID, len(res.Locations), res.PartialFingerprints)
	}
	ids := map[string]bool{}
	for _, p := range append(res.Locations, res.RelatedLocations...) {
		ids[fmt.Sprint(p.ID)] = true
		u, err := url.Parse(p.PhysicalLocation.ArtifactLocation.URI)
		if err != nil || u.Scheme != "" || u.Path == "" || strings.ContainsAny(u.String(), " []\"<>#?\\") {
			t.Errorf("result of %s: URI %q (%v) is not relative and encoded", res.RuleID, p.PhysicalLocation.ArtifactLocation.URI, err)
		}
		g := p.PhysicalLocation.Region
		if g.StartLine < 1 || g.StartColumn < 1 || g.EndLine < g.StartLine || g.EndLine == g.StartLine && g.EndColumn < g.StartColumn || g.EndColumn < 1 {
			t.Errorf("result of %s: region %+v", res.RuleID, g)
		}
	}
	for _, m := range link.FindAllStringSubmatch(res.Message.Text, -1) {
		if !ids[m[2]] {
			t.Errorf("message %q has a link to %q", res.Message.Text, m[2])
		}
	}
}

func oneOf(t *testing.T, s string, known ...string) {
	t.Helper()
	for _, k := range known {
		if s == k {
			return
		}
	}
	t.Errorf("%q is none of %q", s, known)
}

func TestSARIFForGitHub(t *testing.T) {
	log := readSARIF(t, write(t, "sarif", sample(), Options{Version: "1.2.3"}))
	results := log.Runs[0].Results
	database := results[len(results)-2:]
	if a, b := database[0].PartialFingerprints["primaryLocationLineHash"], database[1].PartialFingerprints["primaryLocationLineHash"]; a == "" || a == b {
		t.Errorf("findings of a database would become one alert: %q, %q", a, b)
	}
	if *log.Runs[0].Invocations[0].ExecutionSuccessful != true {
		t.Error("the run was successful")
	}
	r := clear()
	r.Unreadable = true
	if log := readSARIF(t, write(t, "sarif", r, Options{})); *log.Runs[0].Invocations[0].ExecutionSuccessful {
		t.Error("a run with an unreadable input was not successful")
	}
}

// TestSARIFLimits writes as many results as code scanning takes, the most severe, and says how
// many are left out.
func TestSARIFLimits(t *testing.T) {
	const n = maxResults + 10
	r := &lint.Report{Summary: lint.Summary{Errors: 1, Warnings: n - 1}}
	for i := range n {
		f := &lint.Finding{Rule: "WT-001", Name: "x", Severity: lint.Warning, Message: "m", Path: "a.md", Fingerprint: fmt.Sprint(i)}
		r.Findings = append(r.Findings, f)
	}
	r.Findings[n-1].Severity = lint.Error
	var notices []string
	log := readSARIF(t, write(t, "sarif", r, Options{Notice: func(s string) { notices = append(notices, s) }}))
	results := log.Runs[0].Results
	if len(results) != maxResults {
		t.Fatalf("%d results, want %d", len(results), maxResults)
	}
	if last := results[len(results)-1]; last.Level != "error" {
		t.Errorf("the most severe finding is not kept in its place: the last one is of level %s", last.Level)
	}
	const want = "10 findings left out"
	notes := log.Runs[0].Invocations[0].ToolExecutionNotifications
	if len(notices) != 1 || !strings.Contains(notices[0], want) || len(notes) != 1 || !strings.Contains(notes[0].Message.Text, want) {
		t.Errorf("notices %q and %v, want %q", notices, notes, want)
	}
}

// TestSARIFOutside checks that no URI is absolute or leads out: such findings are left
// out, and that both the report and a notice say so.
func TestSARIFOutside(t *testing.T) {
	paths := []string{"in.md", "./x//y.md", "../up.md", "/home/me/repo/abs.md", "/real/repo/linked.md", "../../out.md", "/etc/out.md", "/home/me/repository/out.md", "C:/out.md", "-"}
	r := &lint.Report{}
	for _, p := range paths {
		related := []lint.Related{{Path: "/etc/far.md", Message: "far"}, {Path: "near.md", Message: "near"}}
		r.Findings = append(r.Findings, &lint.Finding{Rule: "X-1", Name: "x", Severity: lint.Error, Path: p, Message: "m", Fingerprint: p, Related: related})
	}
	for name, c := range map[string]struct {
		o    Options
		want string
		left int
	}{
		"repository":     {Options{Dir: "/home/me/repo/sub", Root: "/home/me/repo", RealRoot: "/real/repo"}, "sub/in.md sub/x/y.md up.md abs.md linked.md -", 4},
		"working folder": {Options{Dir: "/home/me/repo", RealRoot: "/real/repo"}, "in.md x/y.md abs.md linked.md -", 5},
	} {
		o := c.o
		var notices []string
		o.Notice = func(text string) { notices = append(notices, text) }
		log := readSARIF(t, write(t, "sarif", r, o))
		var uris []string
		for _, res := range log.Runs[0].Results {
			uris = append(uris, res.Locations[0].PhysicalLocation.ArtifactLocation.URI)
			if len(res.RelatedLocations) != 1 || !strings.HasSuffix(res.Message.Text, "See [near](1).") {
				t.Errorf("%s: related %d, %q", name, len(res.RelatedLocations), res.Message.Text)
			}
		}
		if got := strings.Join(uris, " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		notes := log.Runs[0].Invocations[0].ToolExecutionNotifications
		if left := fmt.Sprint(c.left, " findings left out: code scanning accepts only files of the repository"); len(notices) != 1 || !strings.Contains(notices[0], left) || len(notes) != 1 || !strings.HasPrefix(notes[0].Message.Text, left) {
			t.Errorf("%s: notices %q", name, notices)
		}
	}
}
