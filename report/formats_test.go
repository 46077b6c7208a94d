package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
)

func TestQuiet(t *testing.T) {
	for _, name := range []string{"text", "agent"} {
		if got := write(t, name, clear(), Options{Quiet: true}); len(got) > 0 {
			t.Errorf("%s says %q of a clear run", name, got)
		}
		if got := write(t, name, sample(), Options{Quiet: true}); len(got) == 0 {
			t.Errorf("%s says nothing of findings", name)
		}
	}
}

// TestPure checks that writing twice gives the same bytes and that no formatter
// changes the report.
func TestPure(t *testing.T) {
	r := sample()
	for _, f := range Formats {
		first := write(t, f.Name, r, Options{})
		if !bytes.Equal(first, write(t, f.Name, r, Options{})) {
			t.Errorf("%s differs from run to run", f.Name)
		}
	}
	if diff := cmp.Diff(sample().Findings, r.Findings); diff != "" {
		t.Errorf("a formatter changed the findings:\n%s", diff)
	}
}

func TestSummaryLine(t *testing.T) {
	mail := func(id string) *lint.Finding {
		return &lint.Finding{Severity: lint.Error, Path: "m", MessageID: id, Mail: &lint.MailInfo{ID: id}}
	}
	for want, r := range map[string]*lint.Report{
		"no findings: no message or artifact to check":                      {},
		"no findings in 1 message · 1 message outside the protocol skipped": {Summary: lint.Summary{Messages: 1, SkippedMessages: 1}},
		"no findings in 2 artifacts · 3 suppressed · 4 in the baseline":     {Summary: lint.Summary{Artifacts: 2, Suppressed: 3, Baselined: 4}},
		"1 error": {Summary: lint.Summary{Errors: 1}, Findings: []*lint.Finding{{Path: "x"}}},
		"1 error · 2 messages and 1 artifact checked": {Summary: lint.Summary{Errors: 1, Messages: 2, Artifacts: 1}, Findings: []*lint.Finding{{Path: "x"}}},
		"3 errors in 2 of 41 messages and 0 of 3 artifacts": {Summary: lint.Summary{Errors: 3, Messages: 41, Artifacts: 3},
			Findings: []*lint.Finding{mail("1"), mail("1"), mail("2")}},
		"2 info in 1 of 1 message": {Summary: lint.Summary{Info: 2, Messages: 1}, Findings: []*lint.Finding{mail("1"), mail("1")}},
	} {
		if got := Summary(r); got != want {
			t.Errorf("summary %q, want %q", got, want)
		}
	}
}

func TestGitLab(t *testing.T) {
	r := sample()
	r.Failures = broken().Failures
	var issues []gitlabIssue
	must.OK(t, json.Unmarshal(write(t, "gitlab", r, Options{Root: "/r", Dir: "/r/sub"}), &issues))
	seen := map[string]bool{}
	for _, is := range issues {
		if is.Fingerprint == "" || seen[is.Fingerprint] || is.Location.Lines.Begin < 1 || is.Description == "" {
			t.Errorf("issue %+v", is)
		}
		seen[is.Fingerprint] = true
		oneOf(t, is.Severity, "info", "minor", "major", "critical", "blocker")
	}
	if len(issues) != len(r.Failures)+len(r.Findings) || !strings.HasPrefix(issues[0].Location.Path, "sub/") {
		t.Errorf("%d issues, the first at %q", len(issues), issues[0].Location.Path)
	}
}

// readJUnit reads a file and holds its counts against its contents.
func readJUnit(t testing.TB, data []byte) *junitSuites {
	t.Helper()
	var j junitSuites
	if err := xml.Unmarshal(data, &j); err != nil {
		t.Fatalf("not XML: %v\n%.2000s", err, data)
	}
	tests, failures := 0, 0
	for _, s := range j.Suites {
		failed := 0
		for _, c := range s.Cases {
			if c.Failure != nil {
				failed++
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failed {
			t.Errorf("suite %q counts %d tests and %d failures of %d and %d", s.Name, s.Tests, s.Failures, len(s.Cases), failed)
		}
		tests += s.Tests
		failures += s.Failures
	}
	if j.Tests != tests || j.Failures != failures {
		t.Errorf("counts %d tests and %d failures of %d and %d", j.Tests, j.Failures, tests, failures)
	}
	return &j
}

func TestJUnit(t *testing.T) {
	strict := Options{Fails: func(f *lint.Finding) bool { return f.Severity <= lint.Warning }}
	if j, sum := readJUnit(t, write(t, "junit", sample(), strict)), sample().Summary; j.Failures != sum.Errors+sum.Warnings {
		t.Errorf("%d failures where warnings fail the run", j.Failures)
	}
}

func TestGitHubCounts(t *testing.T) {
	r := &lint.Report{Summary: lint.Summary{Errors: 12, Warnings: 11, Info: 30}}
	for i := range 53 {
		s := lint.Info
		switch {
		case i < 11:
			s = lint.Warning
		case i > 40:
			s = lint.Error
		}
		r.Findings = append(r.Findings, &lint.Finding{Rule: "X-1", Severity: s, Path: "a", Message: "m"})
	}
	got := string(write(t, "github", r, Options{}))
	for prefix, want := range map[string]int{"::error ": 10, "::warning ": 10, "::notice ": 10} {
		n := 0
		for _, l := range strings.Split(got, "\n") {
			if strings.HasPrefix(l, prefix) {
				n++
			}
		}
		if n != want {
			t.Errorf("%d commands %s, want %d", n, prefix, want)
		}
	}
	if !strings.Contains(got, "::24 more findings") || strings.Index(got, "::warning") < strings.LastIndex(got, "::error") {
		t.Errorf("the rest is not counted, or the order is wrong:\n%s", got)
	}
	long := &lint.Report{Findings: []*lint.Finding{{Severity: lint.Error, Path: "a", Message: strings.Repeat("§", 9000)}}}
	if n := strings.Count(string(write(t, "github", long, Options{})), "§"); n >= maxAnnotation {
		t.Errorf("a message of %d characters", n)
	}
}

func TestMarkdownLimits(t *testing.T) {
	r := &lint.Report{Summary: lint.Summary{Errors: 20000}}
	for i := range 20000 {
		r.Findings = append(r.Findings, &lint.Finding{Rule: "X-1", Severity: lint.Error, Path: fmt.Sprint(i), Message: strings.Repeat("|", 2000)})
	}
	if n := len(write(t, "markdown", r, Options{})); n > 65536 {
		t.Errorf("a comment of %d bytes", n)
	}
	var b bytes.Buffer
	if err := JobSummary(&b, r, Options{}, 0); err != nil || b.Len() > 1<<20 || b.Len() < 900_000 {
		t.Errorf("a job summary of %d bytes, error %v", b.Len(), err)
	}
	if !strings.Contains(b.String(), "more findings.\n") {
		t.Error("the rest is not counted")
	}
	// Further runs of the same step write what there is still room for.
	for range 10_000 {
		must.OK(t, JobSummary(&b, r, Options{}, int64(b.Len())))
	}
	if b.Len() > 1<<20 || !strings.Contains(b.String(), "The summary of this step is full") {
		t.Errorf("the job summaries of a step have %d bytes", b.Len())
	}
	small := &lint.Report{}
	b.Reset()
	for range 2 {
		must.OK(t, JobSummary(&b, small, Options{}, int64(b.Len())))
	}
	if n := strings.Count(b.String(), "### brennerlint: no findings\n"); n != 2 {
		t.Errorf("%d of two summaries are there", n)
	}
}

// TestJUnitSchema checks the file against the schema that Jenkins uses, where
// xmllint is installed.
func TestJUnitSchema(t *testing.T) {
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint is not installed")
	}
	for name, r := range map[string]*lint.Report{"sample": sample(), "clear": clear()} {
		cmd := exec.Command(xmllint, "--noout", "--nonet", "--schema", "testdata/schema/junit-10.xsd", "-")
		cmd.Stdin = bytes.NewReader(write(t, "junit", r, Options{}))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
