package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

// mailOf is a message in thread JSON; later ones have later times.
type mailOf struct {
	subject, from, body, time string
	ack                       bool
}

// checkThread checks thread JSON and lists the rules that find something. It has
// recipients as outbox JSON does.
func checkThread(t *testing.T, thread string, mail []mailOf) []string {
	t.Helper()
	var out []string
	for _, f := range threadReport(t, rules.All(), engine.Severities{}, thread, mail).Findings {
		out = append(out, f.Rule)
	}
	return out
}

// threadReport returns the report of rules on a thread.
func threadReport(t *testing.T, all []*lint.Rule, levels engine.Severities, thread string, mail []mailOf) *lint.Report {
	t.Helper()
	if thread == "" {
		thread = "RS-20251230-gradient-vs-lineage"
	}
	var messages []any
	for i, m := range mail {
		for value, usual := range map[*string]string{&m.from: "BlueLake", &m.time: "2025-12-30T10:00:00Z"} {
			if *value == "" {
				*value = usual
			}
		}
		messages = append(messages, map[string]any{
			"id": i + 1, "from": m.from, "to": []string{"GreenDog", "BlueLake"}, "created_ts": m.time,
			"subject": m.subject, "thread_id": thread, "body_md": m.body, "ack_required": m.ack,
		})
	}
	data, err := json.Marshal(map[string]any{"project": "/x", "thread_id": thread, "messages": messages})
	must.OK(t, err)
	opts := engine.Options{Severities: levels, Workers: 1, Stdin: engine.Stdin{Reader: bytes.NewReader(data)}}
	rep, err := engine.Check(context.Background(), all, opts, "-")
	must.OK(t, err)
	return rep
}

const claimOf99 = "# Compiled Artifact v1\n\n## Validation Status\n- Linter: 99 warnings, 99 errors\n\n## Full Artifact\n\n"

// TestInlineOnce checks that rules examine an inline artifact once, although their
// findings are both reported and counted, and once more only where they yield to the
// replay.
func TestInlineOnce(t *testing.T) {
	added := deltaBlock("ADD", "null", `{"name": "One", "claim": "c", "mechanism": "m", "anchors": ["§1"]}`)
	slate := "# Brenner Protocol Artifact: x\n\n## 2. Hypothesis Slate\n\n### H1: One\n**Claim**: c\n**Mechanism**: m\n**Anchors**: §1\n\n"
	predictions := "## 3. Predictions Table\n\n| ID | Condition | H1 | H2 |\n|---|---|---|---|\n"
	for _, tt := range []struct {
		name, deltas, artifact string
		looks                  int
	}{
		{"nothing yields", added, slate, 1},
		{"a rule yields to MR-011", added + added, slate + predictions, 2},
	} {
		mail := []mailOf{
			{subject: "DELTA[opus]: x", body: "## Deltas\n\n" + tt.deltas},
			{subject: "COMPILED: v1 x", body: claimOf99 + tt.artifact, time: "2025-12-30T11:00:00Z"},
		}
		looks := map[string]int{}
		full := threadReport(t, watched(looks), engine.Severities{}, "", mail)
		if looks["ES-001"] != tt.looks {
			t.Errorf("%s: ES-001 looks %d times at the artifact, want %d", tt.name, looks["ES-001"], tt.looks)
		}
		for rule, n := range looks {
			if n > tt.looks {
				t.Errorf("%s: %s looks %d times at the artifact, want at most %d", tt.name, rule, n, tt.looks)
			}
		}
		// What is counted does not depend on which rules run.
		want := claims(full)
		if len(want) != 1 {
			t.Errorf("%s: the claims are met with %q, want one finding", tt.name, want)
		}
		for _, levels := range []engine.Severities{
			{Select: map[string]bool{"AP-019": true}},
			{Ignore: map[string]bool{"WS-102": true, "EH-003": true}},
			{Severity: map[string]lint.Severity{"EH-003": lint.Info}},
		} {
			if got := claims(threadReport(t, rules.All(), levels, "", mail)); !slices.Equal(got, want) {
				t.Errorf("%s: with %+v the claims are met with %q, want %q", tt.name, levels, got, want)
			}
		}
	}
}

// watched returns the rules, counting how often each examines an inline artifact.
func watched(looks map[string]int) []*lint.Rule {
	all := slices.Clone(rules.All())
	for i, r := range all {
		check, ok := r.Check.(lint.ArtifactCheck)
		if !ok {
			continue
		}
		w := *r
		w.Check = lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			looks[r.ID]++
			check(p)
		})
		all[i] = &w
	}
	return all
}

// claims returns the findings about claims of a COMPILED.
func claims(rep *lint.Report) []string {
	var out []string
	for _, f := range rep.Findings {
		if f.Rule == "AP-019" {
			out = append(out, fmt.Sprintf("%d:%d %s", f.Body.Line, f.Body.Column, f.Message))
		}
	}
	return out
}

// TestOneFaultOneFinding checks that a fault in an otherwise conforming artifact is
// reported once, and nothing that follows from it (decisions.md 1).
func TestOneFaultOneFinding(t *testing.T) {
	clean := must.Read(t, cleanArtifact)
	for _, tt := range []struct {
		fault    string
		old, new string
		want     []string
	}{
		{"item in <pre> that is not of a log", "### A2: Fate is stable\n", "<pre>\n### A2: Fate is stable\n</pre>\n", []string{"ES-003"}},
		{"log in <pre>", "### A2: Fate is stable\n", "### A2: Fate is stable\n<pre>\n### A9: a line\n</pre>\n", nil},
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
		{"the name of a part", [][2]string{{"Cost=2", "Price=2"}}, "MR-013", "WT-003"},
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
		{"a field under another name", []string{"**Potency check**: The", "**Controls**: The"}, "MR-013", "", ""},
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
