package rules_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// deltasOf returns a body of deltas that make the items of an artifact.
func deltasOf(t *testing.T, text string) string {
	t.Helper()
	st := artifact.ParseMarkdown(source.NewText([]byte(text)), artifact.Limits{}).State()
	var adds, kills strings.Builder
	block := func(b *strings.Builder, d map[string]any) {
		data, err := json.Marshal(d)
		must.OK(t, err)
		fmt.Fprintf(b, "```delta\n%s\n```\n\n", data)
	}
	for _, sec := range brenner.Sections {
		for _, it := range st.Items(sec) {
			d := map[string]any{"operation": "ADD", "section": sec.ID(), "target_id": nil, "payload": it.Fields(), "rationale": "r"}
			if sec == brenner.ResearchThread {
				d["operation"], d["target_id"] = "EDIT", "RT"
			}
			block(&adds, d)
			if !it.Active() {
				block(&kills, map[string]any{
					"operation": "KILL", "section": sec.ID(), "target_id": it.ID.String(),
					"payload": map[string]any{"reason": it.Killed.Reason}, "rationale": "r",
				})
			}
		}
	}
	return "## Deltas\n\n" + adds.String() + kills.String()
}

// completeArtifact returns an artifact in which everything that an ADD must have is there, and
// nothing is killed.
func completeArtifact(t *testing.T) string {
	t.Helper()
	data := must.Read(t, cleanArtifact)
	_, clean, _ := strings.Cut(string(data), "---\n\n")
	clean = regexp.MustCompile(`(?s)### ~~H4.*?(## 3)|\| ~~P3~~.*?\n`).ReplaceAllString(clean, "$1")
	return strings.NewReplacer("| P4 |", "| P3 |",
		"**How this could be true**:", "**Mechanism**: By chance.\n**How this could be true**:",
		"**Status**: verified\n", "**Load**: H2 falls.\n**Test**: Measure.\n**Status**: verified\n",
		"**Why it might be right**:", "**Evidence**: Chromatin marks.\n**Why it might be right**:",
	).Replace(clean)
}

// compiledOf returns the COMPILED of a version.
func compiledOf(version int, artifact string) mailOf {
	return mailOf{
		subject: fmt.Sprintf("COMPILED: v%d", version), time: fmt.Sprintf("2025-12-30T1%d:00:00Z", version),
		body: fmt.Sprintf("# Compiled Artifact v%d\n\n## Full Artifact\n\n%s", version, artifact),
	}
}

// aboutArtifact checks a thread, and lists the rules about its artifacts that find something.
func aboutArtifact(t *testing.T, mail ...mailOf) []string {
	t.Helper()
	return slices.DeleteFunc(checkThread(t, "", mail), func(rule string) bool {
		return slices.ContainsFunc([]string{"AP", "MB", "TH", "DL"}, func(p string) bool { return strings.HasPrefix(rule, p) })
	})
}

// TestPublishedLacks checks that what a published artifact lacks although the merge has
// it is only MR-011, MR-013 or MR-014 (decisions.md 47), and that the artifact's own rules
// report what the deltas also lack.
func TestPublishedLacks(t *testing.T) {
	clean := completeArtifact(t)
	check := func(deltas, published string) []string {
		found := checkThread(t, "", []mailOf{
			{subject: "DELTA[opus]: all", body: deltas},
			{subject: "COMPILED: v1", body: "# Compiled Artifact v1\n\n## Full Artifact\n\n" + published, time: "2025-12-30T11:00:00Z"},
		})
		return slices.DeleteFunc(found, func(rule string) bool {
			return slices.ContainsFunc([]string{"AP", "MB", "TH", "DL", "MR-022"}, func(p string) bool { return strings.HasPrefix(rule, p) })
		})
	}
	if got := check(deltasOf(t, clean), clean); len(got) > 0 {
		t.Fatalf("as the deltas say: %v", got)
	}
	for _, tt := range []struct {
		lost string
		cut  [][2]string
		both string // what is reported if the deltas had it
		own  string // what is reported if they did not; "-" where other ids would follow
	}{
		{"a claim", [][2]string{{"**Claim**: Cell fate is determined by ancestry.\n", ""}}, "MR-013", "EH-004"},
		{"a claim, left empty", [][2]string{{" Cell fate is determined by ancestry.\n", "\n"}}, "MR-013", "EH-004"},
		{"anchors", [][2]string{{"**Anchors**: §155, EV-001#E1 [verbatim]\n", ""}}, "MR-013", "WH-001"},
		{"the context", [][2]string{{"**Context**: Its lineage is invariant, yet some fates depend on position (§161).\n", ""}}, "MR-013", "ER-002"},
		{"a status", [][2]string{{"**Status**: unchecked\n", ""}}, "MR-013", "IA-001"},
		{"evidence", [][2]string{{"**Evidence that would confirm this**: Fate boundaries follow neither clades nor domains.\n", ""}}, "MR-013", "WC-002"},
		{"the third alternative", [][2]string{{"### H3: Third Alternative", "### H3: Neither"}, {"**Third alternative**: true\n", ""}}, "MR-013 MR-013", "EH-003"},
		{"a hypothesis", [][2]string{{clean[strings.Index(clean, "### H1"):strings.Index(clean, "### H2")], ""}}, "MR-011", "-"},
		{"the scale check", [][2]string{{"### A3: Scale check: diffusion", "### A3: Diffusion"}}, "MR-013", "EA-002"},
		{"the real third alternative", [][2]string{{"**Real third alternative**: true\n", ""}, {"**Why it might be right**: It would explain partial changes.\n", ""}}, "MR-013 MR-013", "WC-001"},
		{"a score", [][2]string{{"**Evidence-per-week score**: LR=3, Cost=2, Speed=2, Ambiguity=3\n", ""}}, "MR-013", "WT-003"},
		{"a part of a score", [][2]string{{", Ambiguity=3", ""}}, "MR-013", "WT-003"},
		{"several parts of a score", [][2]string{{", Cost=2, Speed=2", ""}}, "MR-013", "WT-003"},
		{"the form of a score", [][2]string{{"LR=3, Cost=2, Speed=2, Ambiguity=3", "LR 3, Cost 2, Speed 2, Ambiguity 3"}}, "MR-013", "WT-003"},
		{"the value of a part", [][2]string{{"Cost=2", "Cost=1"}}, "MR-013", "WT-003"},
		{"an outcome", [][2]string{{" indeterminate |\n| P2", "\n| P2"}}, "MR-013", "EP-003"},
		{"the outcomes", [][2]string{{"| Fate unchanged | Fate changes | indeterminate |\n| P2", "| — | — | — |\n| P2"}}, "MR-013", "WP-001"},
		{"the only anomaly", [][2]string{{clean[strings.Index(clean, "### X1"):strings.Index(clean, "## 7.")], ""}}, "MR-011", "EX-002"},
		{"a critique", [][2]string{{clean[strings.Index(clean, "### C2"):], ""}}, "MR-011", "EC-001 WC-001"},
		{"a critique, shown as killed", [][2]string{{"### C1: The dichotomy is old\n", "### ~~C1: The dichotomy is old~~ [KILLED]\n**Killed by**: BlueLake (2025-12-30T10:00:00Z)\n**Reason**: r\n"}}, "MR-014", "EC-001"},
		{"the third alternative, shown as killed", [][2]string{{"### H3: Third Alternative\n", "### ~~H3: Third Alternative~~ [KILLED]\n**Killed by**: BlueLake (2025-12-30T10:00:00Z)\n**Reason**: r\n"}}, "MR-014", "-"},
	} {
		cut := clean
		for _, c := range tt.cut {
			before := cut
			if cut = strings.Replace(cut, c[0], c[1], 1); cut == before {
				t.Fatalf("%s: %q is not there", tt.lost, c[0])
			}
		}
		if got := strings.Join(check(deltasOf(t, clean), cut), " "); got != tt.both {
			t.Errorf("%s lost by the publisher: got %q, want %q", tt.lost, got, tt.both)
		}
		if tt.own == "-" {
			continue
		}
		if got := strings.Join(check(deltasOf(t, cut), cut), " "); got != tt.own {
			t.Errorf("%s in no delta: got %q, want %q", tt.lost, got, tt.own)
		}
	}
}

// TestPublishedOnce checks that a fault of a publisher is reported once, and nothing that follows
// from it (decisions.md 1, 25 and 47).
func TestPublishedOnce(t *testing.T) {
	clean := completeArtifact(t)
	deltas := mailOf{subject: "DELTA[opus]: all", body: deltasOf(t, clean)}
	for _, tt := range []struct {
		fault  string
		change []string // pairs of old and new
		want   string
		again  string // what is reported of the same bytes as v2
		after  string // what is reported of a right v2
	}{
		{"nothing", nil, "", "", ""},
		{"a key as the name of a field", []string{"**Current status**:", "**current_status**:"}, "", "", ""},
		{"a field under another name", []string{"**Potency check**: The", "**Controls**: The"}, "MR-013", "", "MR-013"},
		{"a field under another name, and invented", []string{"**Feasibility**: Established", "**Cost**: None"}, "MR-013 MR-013", "", "MR-013"},
		{"a field that no section has", []string{"**Status**: unchecked", "**Status**: unchecked\n**Owner**: me"}, "MR-013", "", ""},
		{"the rows left out that alone are indeterminate", []string{clean[strings.Index(clean, "| P1 |"):strings.Index(clean, "| P3 |")], ""}, "MR-011 MR-011", "MR-011", ""},
		{"a hypothesis that nobody added", []string{"## 3. Pred", "### H4: New\n**Claim**: c\n**Mechanism**: m\n**Anchors**: §1\n\n## 3. Pred"}, "MR-012", "", "MR-011"},
	} {
		published := strings.NewReplacer(tt.change...).Replace(clean)
		if tt.change != nil && published == clean {
			t.Fatalf("%s: %q is not there", tt.fault, tt.change)
		}
		if got := strings.Join(aboutArtifact(t, deltas, compiledOf(1, published)), " "); got != tt.want {
			t.Errorf("%s: found %q, want %q", tt.fault, got, tt.want)
		}
		if got := strings.Join(aboutArtifact(t, deltas, compiledOf(1, published), compiledOf(2, published)), " "); got != strings.TrimSpace(tt.want+" "+tt.again) {
			t.Errorf("%s, twice: found %q, want %q", tt.fault, got, tt.want+" "+tt.again)
		}
		if got := strings.Join(aboutArtifact(t, deltas, compiledOf(1, published), compiledOf(2, clean)), " "); got != strings.TrimSpace(tt.want+" "+tt.after) {
			t.Errorf("%s, then corrected: found %q, want %q", tt.fault, got, tt.want+" "+tt.after)
		}
	}
}
