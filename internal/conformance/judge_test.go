package conformance_test

import (
	"encoding/json"
	"strings"
	"testing"

	suite "github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/conformance"
	"github.com/brennerlint/brennerlint/internal/must"
)

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
		{"**Claim**: d", "**Claim**: e", `H2.claim reads back as "e"; expected "d"`},
		{"### ~~H1: a~~ [KILLED]\n**Claim**: ~~c~~\n**Killed by**: Ada (2026-01-02T03:04:05Z)\n**Reason**: no\n", "### H1: a\n**Claim**: c\n", "H1 is not killed as in the state"},
		{"**Killed by**: Ada (2026-01-02T03:04:05Z)", "**Killed by**: Ada (2026-01-02T03:04:06Z)", "H1 is not killed as in the state"},
		{"**Reason**: no", "**Reason**: yes", "H1 is not killed as in the state"},
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
