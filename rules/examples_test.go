package rules_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/rules"
)

// specFamilies are the families that the tests of the specifications' examples check:
// the rules on messages, threads, subjects and publication.
var specFamilies = []string{"MB", "TH", "SU", "AP"}

// checkMessage checks a single message, and lists the rules that find something.
func checkMessage(t *testing.T, subject, thread, body string, ack bool) []string {
	t.Helper()
	rep, err := engine.Check(context.Background(), rules.All(), engine.Options{Workers: 1}, mailFile(t, "RedCreek", subject, thread, body, ack))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range rep.Findings {
		if slices.Contains(specFamilies, f.Rule[:2]) && !slices.Contains(judgedElsewhere, f.Rule) && !slices.Contains(out, f.Rule) {
			out = append(out, f.Rule)
		}
	}
	slices.Sort(out)
	return out
}

// TestSpecificationBodies checks the bodies that message_body_schema and
// artifact_publish_spec show. The comment of the archive states the subject of each,
// and what is found: unfilled templates are reported, the same with every placeholder
// filled in have no findings.
func TestSpecificationBodies(t *testing.T) {
	a, err := txtar.ParseFile("testdata/spec-bodies.txtar")
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]string{}
	for _, f := range a.Files {
		bodies[f.Name] = string(f.Data)
	}
	used := map[string]bool{}
	for line := range strings.Lines(string(a.Comment)) {
		columns := strings.Split(strings.TrimSpace(line), " | ")
		if len(columns) < 3 {
			continue
		}
		name, subject, want := columns[0], columns[1], columns[2]
		body, ok := bodies[name]
		if !ok {
			t.Errorf("no body %q", name)
			continue
		}
		used[name] = true
		ack := slices.ContainsFunc([]string{"KICKOFF", "CRITIQUE", "HANDOFF", "BLOCKED", "QUESTION"}, func(p string) bool { return strings.HasPrefix(subject, p) })
		got := strings.Join(checkMessage(t, subject, "RS-20251230-gradient-vs-lineage", body, ack), " ")
		if got != strings.Trim(want, "-") {
			t.Errorf("%s (%s): found [%s], want [%s]", name, subject, got, want)
		}
	}
	for name := range bodies {
		if !used[name] {
			t.Errorf("the body %q is not checked", name)
		}
	}
}

// TestSpecificationSubjects checks every subject that thread_subject_conventions
// and artifact_publish_spec show.
func TestSpecificationSubjects(t *testing.T) {
	for _, subject := range []string{
		"DELTA[opus]: Added H4 (epigenetic memory hypothesis)",
		"DELTA[gpt]: Updated T1 potency check with viability assay",
		"DELTA[gemini]: Added critique C3 re: dichotomy framing",
		"DELTA[human]: Corrected §42 citation anchor",
		"KICKOFF: Cell fate coordinate system investigation (RS-20251230-cell-fate)",
		"DELTA[opus]: Added third alternative H3 + supporting predictions",
		"DELTA[gpt]: Revised likelihood ratios for T1, T2 based on literature",
		"COMPILED: v3 artifact with contributions from 3 agents",
		"CRITIQUE: Challenging A2 (gradient stability assumption)",
		"ACK: Received and integrated DELTA from RedCreek",
		"CLAIM: Taking brenner_bot-5so.3.4.2 (delta parser implementation)",
		"HANDOFF: Passing brenner_bot-5so.3.4.2 to RedLake due to session end",
		"BLOCKED: Need artifact schema clarification before proceeding",
		"QUESTION: Which test scoring rubric applies to meta-analyses?",
		"INFO: Agent Mail server restarting at 02:00 UTC",
		"KICKOFF: Cell fate dichotomy investigation",
		"DELTA[opus]: Added H3 third alternative",
		"DELTA[gpt]: Updated test scores T1-T3",
		"COMPILED: v2 with 3 agent contributions",
		"CRITIQUE: A2 stability assumption is weak",
		"CLAIM: Taking thread conventions bead",
		"ACK: Confirming claim on 1.4.1",
		"COMPILED: v1 initial artifact with 3 hypotheses",
		"COMPILED: v2 integrated opus critique on H2",
		"COMPILED: v3 added T4 viability assay from gpt delta",
		"INFO: Artifact v3 persisted to repository",
	} {
		found := checkMessage(t, subject, "RS-20251230-cell-fate", "x", false)
		for _, rule := range []string{"MB-001", "SU-001", "SU-002", "SU-003", "SU-004", "AP-001", "TH-007", "TH-008"} {
			if slices.Contains(found, rule) {
				t.Errorf("%q breaks %s", subject, rule)
			}
		}
	}
	// What the patterns of the specification do not cover.
	for subject, rule := range map[string]string{
		"KICKOFF:":                          "SU-001",
		"kickoff: Cell fate":                "MB-001",
		"DELTA[Opus]: x":                    "MB-001",
		"DELTA: x":                          "MB-001",
		"Re: KICKOFF: x":                    "MB-001",
		"COMPILED: three":                   "AP-001",
		"INFO: " + strings.Repeat("x", 115): "SU-002",
		"INFO: \u202e" + strings.Repeat("\u200f", 114): "SU-002", // invisible characters also count
		"INFO: \x1b[2J" + strings.Repeat("x", 111):     "SU-002",
	} {
		if found := checkMessage(t, subject, "RS-20251230-cell-fate", "x", false); !slices.Contains(found, rule) {
			t.Errorf("%q: found %v, want %s", subject, found, rule)
		}
	}
}

// TestSpecificationThreads checks every thread id that the specifications show.
func TestSpecificationThreads(t *testing.T) {
	for id, want := range map[string]string{
		"brenner_bot-5so.1.4.1":                   "",
		"brenner_bot-5so.3.4.2":                   "",
		"RS-20251230-cell-fate-dichotomy":         "",
		"RS-20251230-gradient-vs-lineage":         "",
		"RS-20251102-c-elegans-coordinate-system": "",
		"RS-20251215-mRNA-decay-paradox":          "TH-002", // breaks its own rule
		"RS-20251230-cell-fate":                   "TH-005", // 9 characters, expected 10
		"COORD-agent-handoff":                     "",
		"COORD-daily-sync":                        "",
		"COORD-file-reservations":                 "",
		// What the rules do not cover.
		"brenner_bot 5so":        "TH-001",
		"RS-2025-cell-fate":      "TH-002",
		"COORD-":                 "TH-003",
		"RS-20250231-cell-fates": "TH-004",
		"RS-20250228-session-1":  "TH-005",
		"a/b":                    "TH-001 TH-006",
	} {
		found := checkMessage(t, "INFO: x", id, "# Information", false)
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%q: found [%s], want [%s]", id, got, want)
		}
	}
}
