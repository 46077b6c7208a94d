package artifact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/testenv"
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
	{"fields as list items", "## 2. Hypothesis Slate\n### H1: n\n- **Claim**: a\n  more\n- **Anchors**: §1\n### H2: m\n**Claim**: a\n- **Mechanism**: b\n- **Claim**: given before\n  - **Anchors**: in a list\n\n1. **Anchors**: in an ordered list\n- **Status**: unknown\n* **Anchors**: §2\n", `
# hypothesis_slate
H1 "n"
  claim "a\n  more"
  anchors "§1"
     = "§1"
H2 "m"
  claim "a"
  mechanism "b\n- **Claim**: given before\n  - **Anchors**: in a list\n\n1. **Anchors**: in an ordered list\n- **Status**: unknown"
  anchors "§2"
     = "§2"
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
  expected_outcomes "- H1: a" ["- H1: ~~a~~"]
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
	{"lines that are only tags of HTML end a value, what stands in HTML is read", "## 2. Hypothesis Slate\n### H1: n\n**Claim**: a\n<details>\n**Mechanism**: b\n</details>\n\n<a id=\"h2\"></a>\n### H2: m\n**Claim**: c<sup>1</sup>\n<div>\n\nd\n\n</div>\n<details><summary>e</summary>\n**Anchors**: §1\n<img src=\"f\">\n</details>\n", `
# hypothesis_slate
H1 "n"
  claim "a"
  mechanism "b"
H2 "m"
  claim "c<sup>1</sup>\n<div>\n\nd\n\n</div>"
  anchors "§1\n<img src=\"f\">"
     = "§1\n<img src=\"f\">"
`},
	{"fields in a list directly below HTML", "## 2. Hypothesis Slate\n### H1: n\n**Claim**: a\n<details>\n\nmore\n\n</details>\n- **Mechanism**: b\n- **Claim**: given before\n* **Anchors:** §1\n", `
# hypothesis_slate
H1 "n"
  claim "a\n<details>\n\nmore\n\n</details>"
  mechanism "b\n- **Claim**: given before"
  anchors "§1"
     = "§1"
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

// TestSaysNone has sentences that state that there are no anomalies, and sentences that
// only look like it.
func TestSaysNone(t *testing.T) {
	for line, want := range map[string]bool{
		"None registered": true, "none registered yet.": true, "**None registered**": true,
		"We found no anomalies.": true, "We have found none.": true, "Zero anomalies": true, "N/A": true, "We found no anomalies but one: twins": false, "We found none of them": false, "N/A for H1": false, "Nasal anomalies": false,
		"None.": true, "_None_": true, "`None`": true, "None so far.": true, "(none yet)": true, "None have been observed at this time.": true, "None\u00a0registered": true, "None fits.": false, "No anomalies": true, "*No anomalies registered in this pilot session.*": true,
		"__No anomaly was seen.__": true, "There are no anomalies so far.": true, "No open or deferred anomalies.": false,
		"No open anomalies.": true, "We looked. No anomalies were found.": true, "No unexplained, open anomalies": true,
		"": false, "None of them is resolved.": false, "Nonetheless": false, "Nothing": false, "Nothing registered": true, "Nothing to report.": true, "Nothing explains it.": false, "Currently none.": true, "There are none.": true, "There are currently no anomalies.": true, "None to date": true, "No quarantined exceptions.": true, "None recorded yet — section intentionally empty": true, "No entries.": true, "**Anomalies**: none": true, "Hypotheses: none": false, "No anomalies except the twin halves.": false, "No anomalies, but H2 looks odd.": false, "None — but see H1": false, "No anomalies were found. But nobody looked.": true, "No.": false,
		"No idea about anomalies": false, "Anomalies: no": false, "No test explains the two anomalies.": false,
		"There were anomalies.": false, "There is": false, "### X1: None registered": false,
	} {
		a := ParseMarkdown(source.NewText([]byte("## 6. Anomaly Register\n\n"+line+"\n")), Limits{})
		if got := a.Section(brenner.AnomalyRegister).NoneRegistered; got != want {
			t.Errorf("%q: got %t, want %t", line, got, want)
		}
	}
}

// TestLabels reads labels in both bold marks of Markdown (decisions.md 42), and lines
// that differ from them in one thing.
func TestLabels(t *testing.T) {
	for line, want := range map[string]string{
		"**Claim**: x":       "x",
		"**Claim:** x":       "x",
		"__Claim__: x":       "x",
		"__Claim:__ x":       "x",
		"__claim__ : x":      "x",
		"- __Claim__: x":     "x",
		"__Claim__:\nx":      "x",
		"__Claim__ x":        "",
		"__Claim**: x":       "",
		"_Claim_: x":         "",
		"___Claim__: x":      "",
		"Claim: x":           "",
		"    __Claim__: x":   "",
		"text __Claim__: x":  "",
		"text\n__Claim__: x": "x",
	} {
		a := ParseMarkdown(source.NewFile("a.md", []byte("## 2. Hypothesis Slate\n\n### H1: n\n"+line+"\n")).Text(), Limits{})
		if got := a.Sections[0].Items[0].Text("claim"); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
	a := ParseMarkdown(source.NewFile("a.md", []byte("## 4. Discriminative Tests\n\n### T1: n\n__Expected outcomes__:\n__H1__: a\n__H2:__ b\n- __H3__: c\n__Score__:\n- __Cost__: 2\n- __Speed:__ 3\n")).Text(), Limits{})
	it := a.Sections[0].Items[0]
	for i, want := range []Entry{{Key: "H1", Text: "a"}, {Key: "H2", Text: "b"}, {Key: "H3", Text: "c"}} {
		if got := it.Field("expected_outcomes").Entries[i]; got.Key != want.Key || got.Text != want.Text {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	for i, want := range []Entry{{Key: "cost", Text: "2"}, {Key: "speed", Text: "3"}} {
		if got := it.Field("score").Entries[i]; got.Key != want.Key || got.Text != want.Text {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// TestLabelsAreNoHeadings checks what the parser relies on: that no line with the label
// of a known field is the heading of an item or a section.
func TestLabelsAreNoHeadings(t *testing.T) {
	for _, kind := range brenner.Sections {
		for _, f := range kind.Fields() {
			for _, label := range append([]string{f.Label}, f.Synonyms...) {
				if id, _ := headingID("**" + label + "**: x"); id.Section > brenner.ResearchThread {
					t.Errorf("label %q of %s begins with the id of an item", label, kind)
				}
				if brenner.SectionByTitle(label) != 0 {
					t.Errorf("label %q of %s is the title of a section", label, kind)
				}
			}
		}
	}
}

func TestEmptyValueHasAPlace(t *testing.T) {
	const in = "## 5. Assumption Ledger\n### A1: n\n**Test**: \n**Load**:\n**Status**: x\n"
	a := ParseMarkdown(source.NewText([]byte(in)), Limits{})
	it := a.Item(brenner.ItemID{Section: brenner.AssumptionLedger, Number: 1})
	for key, before := range map[string]string{"test": "**Test**: ", "load": "**Load**:"} {
		v := it.Field(key).Value
		if !v.Empty() || !strings.HasSuffix(in[:v.Start], before) {
			t.Errorf("%s stands after %q", key, in[:v.Start])
		}
	}
}

func TestByteOrderMark(t *testing.T) {
	const in = "\ufeff---\nsession_id: a\n---\n# Research Thread\n**RT**: b\n"
	a := ParseMarkdown(source.NewText([]byte(in)), Limits{})
	if v := a.Meta.Get("session_id"); v == nil || a.Text.Slice(v.Span) != "a" {
		t.Errorf("session_id is %v", v)
	}
	if a.Section(brenner.ResearchThread) == nil || ParseMarkdown(source.NewText([]byte("\ufeff# Research Thread\n")), Limits{}).Section(brenner.ResearchThread) == nil {
		t.Error("the section is not found")
	}
}

func TestFrontMatterPlaces(t *testing.T) {
	tests := []struct{ name, in, fault, body string }{
		{"none", "# Title\n## 1. Research Thread\n**RT**: a\n", "", "a"},
		{"broken", "---\na: [\nb: c\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not YAML: did not find expected ',' or ']' [c]", "a"},
		{"broken on a later line", "---\na: b\nc: [d\ne: f\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not YAML: did not find expected ',' or ']' [d]", "a"},
		{"an unknown alias", "---\na: b\nc: *d\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not YAML: unknown anchor 'd' referenced [d]", "a"},
		{"a bad indent", "---\na:\n  b: c\n d: e\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not YAML: did not find expected key [d]", "a"},
		{"a control character", "---\na: b\nc: d\x01\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not YAML: control characters are not allowed [\x01]", "a"},
		{"no mapping", "---\n- a\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not a mapping of keys to values [- a]", "a"},
		{"empty", "---\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is empty [---\n---]", "a"},
		{"not closed", "---\nsession_id: a\n## 1. Research Thread\n**RT**: a\n", "front matter is not closed by a line --- [---]", "a"},
		{"a rule above the text", "---\n\n## 1. Research Thread\n**RT**: a\n\n---\n\nb\n", "", "a\n\n---\n\nb"},
		{"blank lines before", "\n\n---\nsession_id: a\n---\n## 1. Research Thread\n**RT**: a\n", "", "a"},
		{"a fence in a string", "---\nsession_id: \"\n  ```\n  \"\n---\n## 1. Research Thread\n**RT**: a\n", "", "a"},
		{"closed by points", "---\nsession_id: a\n...\n## 1. Research Thread\n**RT**: a\n", "", "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ParseMarkdown(source.NewText([]byte(tt.in)), Limits{})
			fault := ""
			if a.MetaFault != nil {
				fault = a.MetaFault.Message + " [" + a.Text.Slice(a.MetaFault.Span) + "]"
			}
			if fault != tt.fault {
				t.Errorf("fault %q, want %q", fault, tt.fault)
			}
			if got := a.Section(brenner.ResearchThread).Items[0].Text("statement"); got != tt.body {
				t.Errorf("RT reads %q, want %q", got, tt.body)
			}
			checkSpans(t, a)
		})
	}
}

// TestFromDocument reads an artifact in a message whose body is already parsed.
func TestFromDocument(t *testing.T) {
	const before = "# Compiled Artifact v1\n\n## Full Artifact\n\n"
	for _, artifact := range []string{
		"---\nsession_id: a\n---\n\n## 1. Research Thread\n**RT**: a\n",
		"---\nsession_id: \"\n```\n\"\n---\n\n## 1. Research Thread\n**RT**: a\n", // a fence, if read as Markdown
		"# Brenner Protocol Artifact: x\n## 1. Research Thread\n**RT**: a\n",
	} {
		text := source.NewText([]byte(before + artifact))
		a := FromDocument(markdown.Parse(text), len(before), Limits{})
		if got := a.Section(brenner.ResearchThread); got == nil || got.Items[0].Text("statement") != "a" {
			t.Errorf("%q: read %s", artifact, brief(a))
		}
		if hasMeta := strings.HasPrefix(artifact, "---"); hasMeta != (a.Meta != nil) || hasMeta && a.Text.Slice(a.Meta.Span)[:3] != "---" {
			t.Errorf("%q: front matter %v", artifact, a.Meta)
		}
		checkSpans(t, a)
	}
}

// TestLinear reads and renders texts for which a careless parser takes quadratic time:
// then this test does not end.
func TestLinear(t *testing.T) {
	testenv.SkipUnderRace(t)
	const size = 1 << 18
	item := "## 4. Discriminative Tests\n### T1: n\n**Procedure**: x\n"
	for _, in := range []struct{ before, unit string }{
		{"", "---\n"}, {"---\n", "a: b\n"}, {"---\na: [", "[1, é], "}, {"---\na: ", "[[[["}, {"---\n", "- a: b\n  c: d\n"}, {"---\na: &a [x]\n", "b: *a\n"}, {"---\n", "? "}, {"---\na: \"", "\\"},
		{"", "## 2. Hypothesis Slate\n"}, {"## 2. Hypothesis Slate\n", "### H1: ~~\n"}, {"## 4. Discriminative Tests\n", "### T1: (Score\n"}, {"## 4. Discriminative Tests\n### T1: ", "(score: "},
		{item, "**Procedure**: y\n"}, {item, "**a**: "}, {item, "# c\n"}, {item, "```a\n"}, {item, "\\```\n````\n"}, {item, "<!-- -->\n\n"}, {item, "---\n\n"}, {item, "- "}, {item, "> "}, {item, "\\"}, {item, "<br/>"},
		{item + "**Expected outcomes**:\n", "- a: b\n"}, {item + "**Expected outcomes**:\n- a", ": "}, {item + "**Evidence-per-week score**: ", "LR=1, "}, {item + "**Anchors**: ", "§1 (, "}, {item + "**Anchors**: ", "[inference] — "},
		{"## 3. Predictions Table\n| ID | c | H1 |\n|---|---|---|\n", "| P1 | a | b |\n"}, {"## 3. Predictions Table\n| ID | c |\n|---|---|\n| P1 ", "| a "}, {"## 3. Predictions Table\n", "|---|\n"},
	} {
		text := in.before + strings.Repeat(in.unit, size/len(in.unit))
		a := ParseMarkdown(source.NewText([]byte(text)), Limits{})
		Render(a.State(), RenderMeta{})
		if strings.HasPrefix(in.before, "---\n") {
			ParseMarkdown(source.NewText([]byte(text+"\n---\n")), Limits{})
		}
	}
	var descending strings.Builder
	for n := 50_000; n > 0; n-- {
		fmt.Fprintf(&descending, "### H%d: n\n", n)
	}
	if s := ParseMarkdown(source.NewText([]byte("## 2. Hypothesis Slate\n"+descending.String())), Limits{}).State(); len(s.Items(brenner.HypothesisSlate)) != 50_000 {
		t.Error("items are missing")
	}
}
