package rules_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
)

// TestOneFaultOneFinding checks that a fault in an otherwise conforming artifact is
// reported once, and nothing that follows from it (decisions.md 1).
func TestOneFaultOneFinding(t *testing.T) {
	clean := must.Read(t, cleanArtifact)
	for _, tt := range []struct {
		fault    string
		old, new string
		want     []string
	}{
		{"id of another section", "### H2: Gradient", "### T3: Gradient", []string{"ES-003"}},
		{"malformed id", "### H2: Gradient", "### Hx: Gradient", []string{"ES-003"}},
		{"id given twice", "### A2: Fate", "### A1: Fate", []string{"ES-004 A1"}},
		{"item in <pre> that is not of a log", "### A2: Fate is stable\n", "<pre>\n### A2: Fate is stable\n</pre>\n", []string{"ES-003"}},
		{"log in <pre>", "### A2: Fate is stable\n", "### A2: Fate is stable\n<pre>\n### A9: a line\n</pre>\n", nil},
		{"id of a row given twice", "| P2 |", "| P1 |", []string{"ES-004 P1"}},
		{"cells missing", "| P2 | Late transplant \\| control | Fate unchanged | Fate changes | indeterminate |",
			"| P2 | Late transplant | Fate unchanged |", []string{"EP-003 P2"}},
		{"heading lost", "### H2: Gradient\n", "", []string{"ES-005 H1"}},
		{"heading of a test lost", "### T1: Transplantation (Score: 9/12)\n", "", []string{"ES-005 T2"}},
		{"field given twice", "**Claim**: Cell fate is determined by ancestry.\n**Mechanism**", "**Claim**: a\n**Claim**: b\n**Mechanism**", []string{"ES-005 H1"}},
		{"two fields given twice", "**Anchors**: §155, E", "**Anchors**: §155\n**Mechanism**: m\n**Anchors**: E", []string{"ES-005 H2", "ES-005 H2"}},
		{"column headed twice", "| H3 (third alt) |", "| H2 |", []string{"EP-003"}},
		{"surplus column headed twice", "| H3 (third alt) |\n| --- |", "| H3 (third alt) | H1 |\n| --- | --- |", []string{"EP-003", "EP-003 P1", "EP-003 P2", "EP-003 P3", "EP-003 P4"}},
		{"fields as headings", "**Claim**: Cell fate is determined by position.\n**Mechanism**: ", "### Claim\nx\n### Mechanism: ", []string{"EH-004 H2", "IH-001 H2"}},
		{"a field as a heading", "**Procedure**: Move", "### Procedure\nMove", []string{"ET-002 T1"}},
		{"the question as a heading", "**RT**: ", "### RT: ", []string{"ER-001 RT"}},
		{"another heading", "**Mechanism**: Cells", "### Notes\nMechanism: Cells", []string{"ES-003", "IH-001 H2", "WH-001 H2"}},
		{"conflict about a heading", "### H2: Gradient\n", "<<<<<<< HEAD\n### H2: Gradient\n=======\n### H2: Field\n>>>>>>> main\n", []string{"ES-006"}},
		{"conflict about an assumption", "### A2: Fate is stable\n", "<<<<<<< HEAD\n### A2: Fate\n=======\n### A2: Fate is stable\n>>>>>>> main\n", []string{"ES-006"}},
		{"conflict about a section", "## 3. Predictions Table\n", "<<<<<<< HEAD\n## 3. Predictions Table\n=======\n# 3) predictions table\n>>>>>>> main\n", []string{"ES-006"}},
		{"fence not closed in the table", "| P2 |", "```\n| P2 |", []string{"ES-001"}},
		{"comment not closed in the table", "| P2 |", "<!--\n| P2 |", []string{"ES-001"}},
		{"fence not closed below the header", "| --- |", "```\n| --- |", []string{"ES-001"}},
		{"field as a heading", "**Claim**: Cell fate is determined by position.", "### Claim\nCell fate is determined by position.", []string{"EH-004 H2"}},
		{"field as a heading of text", "**Context**: Its", "### Context: Its", []string{"ER-002 RT"}},
		{"heading without an id", "**Mechanism**: Cells read", "### Notes\n\n**Mechanism**: Cells read", []string{"ES-003", "IH-001 H2", "WH-001 H2"}},
		{"empty version", "version: 3", "version:", []string{"IM-002"}},
		{"conflict of a part of a score", "- Cost: 2 ($5K)", "- Cost: CONFLICT: 2 | 3", []string{"RD-002 T1"}},
		{"conflict of a list", "§155, EV-001#E1 [verbatim]", `CONFLICT: ["§155"] | ["§161"]`, []string{"RD-002 H2"}},
		{"conflict of a flag", "**Why it might be right**: It would explain partial changes.\n**Current status**: High priority.\n**Real third alternative**: true",
			"**Evidence**: Partial changes.\n**Current status**: High.\n**Real third alternative**: CONFLICT: false | true", []string{"RD-002 C2"}},
	} {
		text := strings.Replace(string(clean), tt.old, tt.new, 1)
		if text == string(clean) {
			t.Fatalf("%s: %q is not in %s", tt.fault, tt.old, cleanArtifact)
		}
		path := filepath.Join(t.TempDir(), filepath.Base(cleanArtifact))
		must.Write(t, path, text)
		same(t, tt.fault, lintFile(t, path), tt.want)
	}
}

// TestNoSubjectNoType checks that a message without a subject is only IN-003: its type,
// and so whether its delta is merged, is unknown.
func TestNoSubjectNoType(t *testing.T) {
	body := "```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": \"H1\", \"payload\": {\"reason\": \"r\"}, \"rationale\": \"r\"}\n```"
	if found := checkThread(t, "", []mailOf{{subject: "", body: body}}); !slices.Equal(found, []string{"IN-003"}) {
		t.Errorf("found %v, want IN-003 alone", found)
	}
}

// TestUnrankedIsNoFalseClaim checks that unranked tests of a published artifact are
// only MR-017: a claim of no warnings is as right as a claim of the one that WT-002
// reports for the file.
func TestUnrankedIsNoFalseClaim(t *testing.T) {
	clean := must.Read(t, cleanArtifact)
	_, text, _ := strings.Cut(string(clean), "---\n\n# ")
	unranked := strings.Replace(strings.Replace("# "+text, "(Score: 10/12)", "(Score: 8/12)", 1), "LR=3, Cost=2, Speed=2, Ambiguity=3", "LR=1, Cost=2, Speed=2, Ambiguity=3", 1)
	for claim, want := range map[string]bool{"0 warnings, 0 errors": false, "1 warning, 0 errors": false, "2 warnings, 0 errors": true} {
		body := "# Compiled Artifact v1\n\n## Validation Status\n- Linter: " + claim + "\n\n## Full Artifact\n\n" + unranked
		found := checkThread(t, "RS-20251230-cell-fate", []mailOf{{subject: "COMPILED: v1 x", body: body}})
		if !slices.Contains(found, "MR-017") {
			t.Errorf("%s: found %v, want MR-017 among them", claim, found)
		}
		if got := slices.Contains(found, "AP-019"); got != want {
			t.Errorf("claim of %s: AP-019 is %t, want %t", claim, got, want)
		}
	}
}

// TestLeftOutIsNotNamed checks that naming an item that a COMPILED left out is not a
// separate fault.
func TestLeftOutIsNotNamed(t *testing.T) {
	add := func(name string) string {
		return deltaBlock("ADD", "null", `{"name": "`+name+`", "claim": "c", "mechanism": "m", "anchors": ["§1"]}`)
	}
	artifact := "# Brenner Protocol Artifact: x\n\n## 2. Hypothesis Slate\n\n### H1: One\n**Claim**: c\n**Mechanism**: m\n**Anchors**: §1\n\n" +
		"## 3. Predictions Table\n\n| ID | Condition | H1 | H2 |\n|---|---|---|---|\n"
	found := checkThread(t, "", []mailOf{
		{subject: "DELTA[opus]: x", body: "## Deltas\n\n" + add("One") + add("Two")},
		{subject: "COMPILED: v1 x", body: "# Compiled Artifact v1\n\n## Full Artifact\n\n" + artifact, time: "2025-12-30T11:00:00Z"},
	})
	if !slices.Contains(found, "MR-011") || slices.Contains(found, "WS-102") {
		t.Errorf("found %v, want MR-011 and no WS-102", found)
	}
}

// TestAnchorsUnlikeTheMerge checks that malformed anchors of a COMPILED are a separate fault only
// where the deltas gave them.
func TestAnchorsUnlikeTheMerge(t *testing.T) {
	for anchors, want := range map[string]string{`["§1", "§2"]`: "MR-013", `["§1 and §2"]`: "WH-002", `["§1 and §2", "§3"]`: "MR-013 WH-002"} {
		found := checkThread(t, "", []mailOf{
			{subject: "DELTA[opus]: x", body: "## Deltas\n\n" + deltaBlock("ADD", "null", `{"name": "One", "claim": "c", "mechanism": "m", "anchors": `+anchors+`}`)},
			{subject: "COMPILED: v1 x", time: "2025-12-30T11:00:00Z", body: "# Compiled Artifact v1\n\n## Full Artifact\n\n# Brenner Protocol Artifact: x\n\n" +
				"## 2. Hypothesis Slate\n\n### H1: One\n**Claim**: c\n**Mechanism**: m\n**Anchors**: §1 and §2\n"},
		})
		var got []string
		for _, f := range found {
			if id, _, _ := strings.Cut(f, " "); id == "MR-013" || id == "WH-002" {
				got = append(got, id)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: found %v, want %s", anchors, got, want)
		}
	}
}
