package artifact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/source"
)

// brief returns the content of an artifact, in short. The text at a span is shown where
// it differs.
func brief(a *Artifact) string {
	var out strings.Builder
	at := func(s source.Span, text string) string {
		if raw := a.Text.Slice(s); raw != text {
			return fmt.Sprintf("%q [%q]", text, raw)
		}
		return fmt.Sprintf("%q", text)
	}
	item := func(it *Item) {
		if it.Killed || it.Struck {
			fmt.Fprintf(&out, "  killed %v struck %v by %q at %q: %q\n", it.Killed, it.Struck, it.KilledBy, it.KilledAt, it.KillReason)
		}
		for _, f := range it.Fields {
			known := ""
			if f.Known == nil {
				known = "?"
			}
			fmt.Fprintf(&out, "  %s%s %s\n", f.Key, known, at(f.Value, f.Text))
			for _, e := range f.Entries {
				fmt.Fprintf(&out, "    %s = %s\n", e.Key, at(e.Span, e.Text))
			}
		}
	}
	for _, s := range a.Sections {
		fmt.Fprintf(&out, "# %v\n", s.Kind)
		for _, st := range s.Malformed {
			fmt.Fprintf(&out, "stray %s %v\n", at(st.ID, st.Text), st.Other)
			if st.Item != nil {
				item(st.Item)
			}
		}
		for _, it := range s.Items {
			fmt.Fprintf(&out, "%v %s", it.ID, at(it.NameSpan, it.Name))
			if it.Total != "" {
				fmt.Fprintf(&out, " total %s", at(it.TotalSpan, it.Total))
			}
			out.WriteByte('\n')
			item(it)
		}
	}
	return out.String()
}

var parseTests = []struct{ name, in, want string }{
	{"headings at H1, without number, in any case", "# research thread\n**RT**: a\n# Hypothesis Slate\n### H1: n\n**Claim**: b\n", `
# research_thread
RT ""
  statement "a"
# hypothesis_slate
H1 "n"
  claim "b"
`},
	{"setext headings", "Hypothesis Slate\n---\n### H1: n\n**Claim**: a\n**Mechanism**: b\n---\n\nTest\n", `
# hypothesis_slate
H1 "n"
  claim "a"
  mechanism "b\n---\n\nTest"
`},
	{"an eighth section ends the last", "## 7. Adversarial Critique\n### C1: n\n**Attack**: a\n\n---\n\n## Validation Checklist\n**Evidence**: b\n### C2: m\n", `
# adversarial_critique
C1 "n"
  attack "a"
`},
	{"labels and where their colon stands", "## 2. Hypothesis Slate\n### H1: n\n**Claim:** a\n**mechanism** : b\n**How this could be true**:c\n**Note**: d\n**Anchors:**\n", `
# hypothesis_slate
H1 "n"
  claim "a"
  mechanism "b"
  how_this_could_be_true "c"
  Note? "d"
  anchors ""
`},
	{"fields as list items, if the first is one", "## 2. Hypothesis Slate\n### H1: n\n- **Claim**: a\n  more\n- **Anchors**: §1\n### H2: m\n**Claim**: a\n- **Mechanism**: not a field\n", `
# hypothesis_slate
H1 "n"
  claim "a\n  more"
  anchors "§1"
     = "§1"
H2 "m"
  claim "a\n- **Mechanism**: not a field"
`},
	{"values over paragraphs, lists and code", "## 4. Discriminative Tests\n### T1: n\n**Procedure**: one\n\ntwo  \n\n- three\n\n```sh\n# comment\n**Discriminates**: in code\n### T2: in code\n```\n\n    **Feasibility**: indented\n\n> **Potency check**: quoted\n\n**Discriminates**: H1 vs H2\n", `
# discriminative_tests
T1 "n"
  procedure "one\n\ntwo\n\n- three\n\n` + "```sh" + `\n# comment\n**Discriminates**: in code\n### T2: in code\n` + "```" + `\n\n    **Feasibility**: indented\n\n> **Potency check**: quoted" ["one\n\ntwo  \n\n- three\n\n` + "```sh" + `\n# comment\n**Discriminates**: in code\n### T2: in code\n` + "```" + `\n\n    **Feasibility**: indented\n\n> **Potency check**: quoted"]
  discriminates "H1 vs H2"
`},
	{"a command without a fence", "## 4. Discriminative Tests\n### T1: n\n**Procedure**: run\n# install first\n\n# then\npip install x\n## 5. Assumption Ledger\n", `
# discriminative_tests
T1 "n"
  procedure "run\n# install first\n\n# then\npip install x"
# assumption_ledger
`},
	{"a command without a fence, sections at H1", "# Discriminative Tests\n### T1: n\n**Procedure**: run\n# install\n**Feasibility**: a\n\n# Version History\n**Status**: b\n", `
# discriminative_tests
T1 "n"
  procedure "run\n# install"
  feasibility "a"
`},
	{"both forms of outcomes", "## 4. Discriminative Tests\n### T1: n\n**Expected outcomes**:\n- H1: a: b\n- If H2: c\n  d\n- H3-roles-help: e\n- **H4**: f\n- **H5:** g\n* no key\n**Actual outcomes**:\n**H1**: bold\n**Feasibility**: f\n", `
# discriminative_tests
T1 "n"
  expected_outcomes "- H1: a: b\n- If H2: c\n  d\n- H3-roles-help: e\n- **H4**: f\n- **H5:** g\n* no key"
    H1 = "a: b"
    H2 = "c\n  d"
    H3-roles-help = "e"
    H4 = "f"
    H5 = "g"
     = "no key"
  actual_outcomes "**H1**: bold"
    H1 = "bold"
  feasibility "f"
`},
	{"both forms of scores", "## 4. Discriminative Tests\n### T1: a (b) (Score: 9/12)\n**Evidence-per-week score**: LR=2, Cost = 3, speed: 3, Ambiguity=high\n### T2: c (score 15/12)\n**Evidence-per-week score**:\n- Likelihood ratio: 3 (>100:1, binary)\n- **Cost**: 2/3\n- Speed:\n- Total: 9\n", `
# discriminative_tests
T1 "a (b)" total "9"
  score "LR=2, Cost = 3, speed: 3, Ambiguity=high"
    likelihood_ratio = "2"
    cost = "3"
    speed = "3"
    ambiguity = "high"
T2 "c" total "15"
  score "- Likelihood ratio: 3 (>100:1, binary)\n- **Cost**: 2/3\n- Speed:\n- Total: 9"
    likelihood_ratio = "3"
    cost = "2"
    speed = ""
    Total = "9"
`},
	{"killed, as the delta specification renders it", "## 2. Hypothesis Slate\n### ~~H2: Gradient-dominant~~ [KILLED]\n**Claim**: ~~Cell fate~~\n**Anchors**: ~~§1, §2~~\n**Third alternative**: ~~true~~\n**Killed by**: GreenDog (2025-12-30T12:10:00Z)\n**Reason**: Subsumed\n\nby H4\n## 4. Discriminative Tests\n### ~~T1: n~~ (Score: 9/12) [KILLED]\n**Expected outcomes**:\n- H1: ~~a~~\n### ~~T2: n (Score: 8/12)~~\n", `
# hypothesis_slate
H2 "Gradient-dominant"
  killed true struck true by "GreenDog" at "2025-12-30T12:10:00Z": "Subsumed\n\nby H4"
  claim "Cell fate"
  anchors "§1, §2"
     = "§1"
     = "§2"
  third_alternative "true"
  killed_by? "GreenDog (2025-12-30T12:10:00Z)"
  kill_reason? "Subsumed\n\nby H4"
# discriminative_tests
T1 "n" total "9"
  killed true struck true by "" at "": ""
  expected_outcomes "- H1: ~~a~~"
    H1 = "a"
T2 "n" total "8"
  killed true struck true by "" at "": ""
`},
	{"killed, as the reference renders it", "## 2. Hypothesis Slate\n### ~~H2: Name~~\n**Claim**: c\n\n**Killed**: true\n**Killed by**: Green (Dog)\n**Killed at**: 2025-12-30T12:10:00Z\n**Kill reason**: r\n### H3: ~~Name~~ [killed]\n### H4: Name\n**Killed**: yes\n### H5: Name\n**Killed**: false\n**Reason**: no kill\n", `
# hypothesis_slate
H2 "Name"
  killed true struck true by "Green (Dog)" at "2025-12-30T12:10:00Z": "r"
  claim "c"
  killed? "true"
  killed_by? "Green (Dog)"
  killed_at? "2025-12-30T12:10:00Z"
  kill_reason? "r"
H3 "Name"
  killed true struck false by "" at "": ""
H4 "Name"
  killed true struck false by "" at "": ""
  killed? "yes"
H5 "Name"
  killed? "false"
  kill_reason? "no kill"
`},
	{"item headings", "## 2. Hypothesis Slate\n### H1\n### H2 - dash\n### H3: H3: twice\n### **H4: bold**\n### H5. point\n### H06: zero\n### Critique 1: word\n**Claim**: of a stray\n### T1: of tests\n### \n", `
# hypothesis_slate
stray "H06" 0
stray "Critique" 0
  claim "of a stray"
stray "T1" T1
stray "" 0
H1 ""
H2 "dash"
H3 "H3: twice"
H4 "bold"
H5 "point"
`},
	{"the table", "## 3. Predictions Table\nWords before.\n\n| ID | Condition | H1 (lineage) | H2 predicts | ~~H3~~ | Else |\n|---|---|---|---|---|---|\n| P1 | a \\| b | one<br/>two | — | x | y |\n| ~~P2~~ | c | d |\n| **P3.H1** | e | f | g | h | i | surplus |\n| Q1 | | | | | |\n", `
# predictions_table
stray "Q1" 0
  condition ""
  predictions "" ["| | | "]
    H1 = ""
    H2 = ""
    H3 = ""
    Else = ""
P1 ""
  condition "a | b" ["a \\| b"]
  predictions "" ["one<br/>two | — | x | y"]
    H1 = "one\ntwo" ["one<br/>two"]
    H2 = "" ["—"]
    H3 = "x"
    Else = "y"
P2 ""
  killed true struck true by "" at "": ""
  condition "c"
  predictions "" ["d"]
    H1 = "d"
P3.H1 ""
  condition "e"
  predictions "" ["f | g | h | i"]
    H1 = "f"
    H2 = "g"
    H3 = "h"
    Else = "i"
`},
	{"lists", "## 6. Anomaly Register\n### X1: n\n**Conflicts with**: Pure H1 (some, not all), A2,\n§3\n**Anchors**:\n- §161 (\"a, b\")\n- [inference] — c, d\n**Status**: active (e)\n### X2: m\n**Conflicts with**: —\n**Quarantine status**: deferred\n", `
# anomaly_register
X1 "n"
  conflicts_with "Pure H1 (some, not all), A2,\n§3"
     = "Pure H1 (some, not all)"
     = "A2"
     = "§3"
  anchors "- §161 (\"a, b\")\n- [inference] — c, d"
     = "§161 (\"a, b\")"
     = "[inference] — c, d"
  status "active (e)"
X2 "m"
  conflicts_with "" ["—"]
  status "deferred"
`},
	{"anchors under an assumption, a status with a remark, synonyms", "## 5. Assumption Ledger\n### A1: n\n**Status**: verified (see §150)\n**Anchors**: §155\n## 7. Adversarial Critique\n### C1: n\n**Evidence that would confirm this**: e\n", `
# assumption_ledger
A1 "n"
  status "verified (see §150)"
  anchors "§155"
     = "§155"
# adversarial_critique
C1 "n"
  evidence "e"
`},
	{"comments and rules are no content", "## 2. Hypothesis Slate\n### H1: n\n**Claim**: a\n\n<!-- brennerlint:ignore EH-004 -- why -->\n\n### H2: m\n**Claim**: b\n***\n\n<!--\n**Mechanism**: hidden\n-->\n", `
# hypothesis_slate
H1 "n"
  claim "a"
H2 "m"
  claim "b"
`},
	{"what stands in HTML is read", "## 2. Hypothesis Slate\n### H1: n\n**Claim**: a\n<details>\n**Mechanism**: b\n</details>\n", `
# hypothesis_slate
H1 "n"
  claim "a\n<details>"
  mechanism "b\n</details>"
`},
	{"CRLF", "## 2. Hypothesis Slate\r\n### H1: n\r\n**Claim**: a\r\nb\r\n\r\n**Mechanism**:\r\n**Anchors**: §1\r\n", `
# hypothesis_slate
H1 "n"
  claim "a\nb" ["a\r\nb"]
  mechanism ""
  anchors "§1"
     = "§1"
`},
	{"ordered lists, a remark before the list", "## 4. Discriminative Tests\n### T1: n\n**Expected outcomes**:\nEither of\n1. H1: a\n2) H2: b\n10\n", `
# discriminative_tests
T1 "n"
  expected_outcomes "Either of\n1. H1: a\n2) H2: b\n10"
    H1 = "a"
    H2 = "b\n10"
`},
	{"headings that are no items", "## 1. Research Thread\n**RT**: a\n### Background\nb\n**Context**: c\n## 2. Hypothesis Slate\n### H1: n\n**Claim**: d\n#### Details\ne\n- # f\n# Brenner Protocol Artifact: again\n### H2: m\n", `
# research_thread
RT ""
  statement "a"
  context "c"
# hypothesis_slate
H1 "n"
  claim "d\n#### Details\ne\n- # f"
`},
	{"a run of a test", "## 4. Discriminative Tests\n### T1: n\n**Last run**:\n- Result ID: `x`\n- Timed out: yes\n", `
# discriminative_tests
T1 "n"
  last_run "- Result ID: ` + "`x`" + `\n- Timed out: yes"
    Result ID = "` + "`x`" + `"
    Timed out = "yes"
`},
}

func TestParseMarkdown(t *testing.T) {
	for _, tt := range parseTests {
		t.Run(tt.name, func(t *testing.T) {
			a := ParseMarkdown(source.NewText([]byte(tt.in)), Limits{})
			if diff := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), brief(a)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkSpans(t, a)
		})
	}
}
