package conformance_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	suite "github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/conformance"
	"github.com/brennerlint/brennerlint/internal/must"
)

// everyStatus returns a report with a case of each status, in two kinds.
func everyStatus() *conformance.Report {
	var results []conformance.Result
	for i, s := range conformance.Statuses {
		kind := suite.SubjectKind
		if i%2 == 1 {
			kind = suite.DeltaKind
		}
		res := conformance.Result{Status: s, Case: &suite.Case{
			ID: string(kind) + "/" + string(s), Title: "Case # of | <" + string(s) + ">", Kind: kind, Decisions: []int{7},
			Spec: []suite.Passage{{Document: "delta_output_format", Section: "Parsing Rules", Line: 492}, {Document: "delta_output_format", Section: "Parsing Rules", Line: 493}},
		}}
		if s.Failed() {
			res.Message = "got \x1b[31m<a>|b`\nsecond \u202eline"
		}
		results = append(results, res)
	}
	return conformance.NewReport([]string{"./x"}, results)
}

// TestCounts checks that cases are counted by status, kind and passage, each once.
func TestCounts(t *testing.T) {
	r := everyStatus()
	s := r.Summary
	if s.Cases != 8 || s.Passed != 1 || s.Unsupported != 1 || s.Failed != 6 || len(s.Statuses) != 8 || r.Passed() {
		t.Errorf("the summary is %+v", s)
	}
	if len(r.Kinds) != 2 || r.Kinds[0].Kind != suite.SubjectKind || r.Kinds[0].Cases+r.Kinds[1].Cases != 8 {
		t.Errorf("the kinds are %+v", r.Kinds)
	}
	if len(r.Passages) != 1 || r.Passages[0].Cases != 8 || r.Passages[0].Failed != 6 {
		t.Errorf("the passages are %+v", r.Passages)
	}
}

// TestFormats checks what the formats say of each status, and that what the command
// wrote breaks none of them.
func TestFormats(t *testing.T) {
	out := map[string]string{}
	for _, format := range conformance.Formats {
		var b bytes.Buffer
		must.OK(t, everyStatus().Write(&b, format))
		out[format] = b.String()
		if strings.ContainsAny(out[format], "\x1b\u202e") && format != "json" {
			t.Errorf("%s shows control characters:\n%s", format, out[format])
		}
	}
	for format, wanted := range map[string][]string{
		"text":     {"subject/timeout: timeout: got  [31m<a>|b` second  line\n    Case # of | <timeout> (delta_output_format, Parsing Rules, line 492; ", "6      8  delta_output_format, Parsing Rules\n", "1 of 8 cases passed, 1 fail, 1 timeout, 1 crash, 1 garbage, 1 flood, 1 unsupported, 1 not-run"},
		"tap":      {"1..8\n", "ok 1 - subject/pass Case \\# of", "not ok 2 - delta/fail", "# SKIP unsupported\n", "  status: not-run\n  message: \"got  [31m"},
		"markdown": {"| subject | 4 | 1 | 2 | 1 |\n", "| delta_output_format, Parsing Rules | 8 | 6 |\n", "| delta/fail | fail | got  \\[31m&lt;a&gt;&#124;b\\` second  line |\n"},
	} {
		for _, want := range wanted {
			if !strings.Contains(out[format], want) {
				t.Errorf("%s lacks %q:\n%s", format, want, out[format])
			}
		}
	}
	var junit struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	if err := xml.Unmarshal([]byte(out["junit"]), &junit); err != nil || junit.Tests != 8 || junit.Failures != 1 || junit.Errors != 5 || junit.Skipped != 1 {
		t.Errorf("junit: %v, %+v", err, junit)
	}
	var report conformance.Report
	if err := json.Unmarshal([]byte(out["json"]), &report); err != nil || report.Schema != conformance.Schema || len(report.Cases) != 8 || report.Suite != suite.Version {
		t.Errorf("json: %v, %+v", err, report)
	}
}

// TestBadge checks the color of the badge.
func TestBadge(t *testing.T) {
	for want, statuses := range map[string]string{"brightgreen": "pp", "green": "pu", "yellow": "pppppppppf", "orange": "pf", "red": "pff"} {
		var results []conformance.Result
		for _, s := range statuses {
			status := map[rune]conformance.Status{'p': conformance.Pass, 'f': conformance.Fail, 'u': conformance.Unsupported}[s]
			results = append(results, conformance.Result{Case: &suite.Case{Kind: suite.LintKind}, Status: status})
		}
		if b := conformance.NewReport(nil, results).Badge(); b.Color != want || b.SchemaVersion != 1 {
			t.Errorf("%s: %+v; expected %s", statuses, b, want)
		}
	}
	only := conformance.NewReport(nil, []conformance.Result{{Case: &suite.Case{Kind: suite.LintKind}, Status: conformance.Unsupported}})
	if only.Passed() {
		t.Error("an implementation that supports nothing passes")
	}
}
