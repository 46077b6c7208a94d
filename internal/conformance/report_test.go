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

// TestJudge checks what counts as the expected answer.
func TestJudge(t *testing.T) {
	const merged = `{"windows": [{"version": 1, "state": {"research_thread": null, "hypothesis_slate": [{"id": "H1", "anchors": ["a", "b"]}]}, "hash": "x", "applied": 1, "rejected": [{"message_id": "1", "delta": 1, "code": "A"}, {"message_id": "2", "delta": 1, "code": "B"}], "conflicts": []}]}`
	for _, c := range []struct {
		name, expected, answer, wrong string
	}{
		{"same", `{"type": null, "codes": ["A", "B"]}`, `{"codes": ["A", "B"], "type": null}`, ""},
		{"codes in any order", `{"codes": ["A", "B"]}`, `{"codes": ["B", "A"]}`, ""},
		{"a code given twice", `{"codes": ["A", "B"]}`, `{"codes": ["A", "A"]}`, `codes: missing B; unexpected A`},
		{"null left out", `{"type": null}`, `{}`, ""},
		{"text left out", `{"type": "INFO"}`, `{}`, `type is absent; expected "INFO"`},
		{"list left out", `{"codes": []}`, `{}`, `codes is absent; expected []`},
		{"another type", `{"version": 1}`, `{"version": "1"}`, `version is "1"; expected 1`},
		{"further member", `{"version": 1}`, `{"version": 1, "more": 2}`, ""},
		{"not an object", `{"version": 1}`, `[1]`, `the result is [1]; expected {"version":1}`},
		{"windows in order", `{"windows": [1, 2]}`, `{"windows": [2, 1]}`, `windows[0] is 2; expected 1`},
		{"a window too many", `{"windows": [1]}`, `{"windows": [1, 2]}`, `windows has 2 entries; expected 1`},
		{"findings left out", `{"rules": [], "findings": [1]}`, `{"rules": []}`, ""},
		{"findings given", `{"rules": [], "findings": [1]}`, `{"rules": [], "findings": []}`, `findings: missing 1; unexpected —`},
		{"rules", `{"rules": ["MR-013", "MR-001"]}`, `{"rules": ["MR-001", "MB-005"]}`, `rules: missing MR-013; unexpected MB-005`},
		{"a finding by its line", `{"findings": [{"rule": "MB-001", "line": 2, "column": 3}]}`, `{"findings": [{"rule": "MB-001", "line": 2}]}`, ""},
		{"a finding in another column", `{"findings": [{"rule": "MB-001", "line": 2, "column": 3}]}`, `{"findings": [{"rule": "MB-001", "line": 2, "column": 4}]}`,
			`findings: missing {"column":3,"line":2,"rule":"MB-001"}; unexpected {"column":4,"line":2,"rule":"MB-001"}`},
		{"a finding in another line", `{"findings": [{"rule": "MB-001", "line": 2, "column": 3}]}`, `{"findings": [{"rule": "MB-001", "line": 3}]}`,
			`findings: missing {"line":2,"rule":"MB-001"}; unexpected {"line":3,"rule":"MB-001"}`},
		{"merge", merged, merged, ""},
		{"rejected in any order", merged, strings.NewReplacer(`"1", "delta": 1, "code": "A"`, `"2", "delta": 1, "code": "B"`, `"2", "delta": 1, "code": "B"`, `"1", "delta": 1, "code": "A"`).Replace(merged), ""},
		{"further field of a state", merged, strings.Replace(merged, `"id": "H1"`, `"id": "H1", "name": "n"`, 1), `windows[0].state.hypothesis_slate[0].name is "n"; expected none`},
		{"a state's lists are in order", merged, strings.Replace(merged, `["a", "b"]`, `["b", "a"]`, 1), `windows[0].state.hypothesis_slate[0].anchors[0] is "b"; expected "a"`},
		{"the state is told before the hash", merged, strings.NewReplacer(`"x"`, `"y"`, `"H1"`, `"H2"`).Replace(merged), `windows[0].state.hypothesis_slate[0].id is "H2"; expected "H1"`},
		{"the hash counts", merged, strings.Replace(merged, `"x"`, `"y"`, 1), `windows[0].hash is "y"; expected "x"`},
	} {
		each := &suite.Case{Kind: suite.MergeKind, Expected: json.RawMessage(c.expected)}
		if got := conformance.Judge(each, json.RawMessage(c.answer)); got != c.wrong {
			t.Errorf("%s: %q; expected %q", c.name, got, c.wrong)
		}
	}
}

// TestJudgeRendering checks what counts as a rendering of a state.
func TestJudgeRendering(t *testing.T) {
	const expected = `{"state": {"hypothesis_slate": [{"id": "H1", "name": "a", "claim": "c", "killed": true, "killed_by": "Ada", "killed_at": "2026-01-02T03:04:05Z", "kill_reason": "no"}, {"id": "H2", "name": "b", "claim": "d"}]}, "lines": ["### ~~H1: a~~ [KILLED]", "### H2: b"]}`
	const good = "## 1. Research Thread\n\n## 2. Hypothesis Slate\n\n### ~~H1: a~~ [KILLED]\n**Claim**: ~~c~~\n**Killed by**: Ada (2026-01-02T03:04:05Z)\n**Reason**: no\n\n### H2: b\n**Claim**: d\n\n" +
		"## 3. Predictions Table\n\n| ID | Condition |\n|---|---|\n\n## 4. Discriminative Tests\n\n## 5. Assumption Ledger\n\n## 6. Anomaly Register\n\nNone registered.\n\n## 7. Adversarial Critique\n"
	for _, c := range []struct{ old, changed, wrong string }{
		{"", "", ""},
		{"## 5. Assumption Ledger\n", "", "markdown lacks the section assumption_ledger"},
		{"### H2: b\n**Claim**: d\n", "", "markdown lacks H2"},
		{"## 3.", "### H3: more\n**Claim**: e\n\n## 3.", "markdown has H3, which is not in the state"},
		{"**Claim**: d", "**Claim**: e\n**Claim**: d", `H2.claim reads back as "e"; expected "d"`},
		{"**Claim**: d", "**Claim**: e", `H2.claim reads back as "e"; expected "d"`},
		{"### ~~H1: a~~ [KILLED]\n**Claim**: ~~c~~\n**Killed by**: Ada (2026-01-02T03:04:05Z)\n**Reason**: no\n", "### H1: a\n**Claim**: c\n", "H1 is not killed as in the state"},
		{"**Killed by**: Ada (2026-01-02T03:04:05Z)", "**Killed by**: Ada (2026-01-02T03:04:06Z)", `H1.killed_at reads back as "2026-01-02T03:04:06Z"; expected "2026-01-02T03:04:05Z"`},
		{"**Reason**: no", "**Reason**: yes", `H1.kill_reason reads back as "yes"; expected "no"`},
		{" [KILLED]", "", `markdown lacks the line "### ~~H1: a~~ [KILLED]", or has it too early`},
	} {
		answer, err := json.Marshal(suite.RenderResult{Markdown: strings.Replace(good, c.old, c.changed, 1)})
		must.OK(t, err)
		each := &suite.Case{Kind: suite.RenderKind, Expected: json.RawMessage(expected)}
		if got := conformance.Judge(each, answer); got != c.wrong {
			t.Errorf("%q for %q: %q; expected %q", c.changed, c.old, got, c.wrong)
		}
	}
}
