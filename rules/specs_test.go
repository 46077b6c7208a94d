package rules_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
)

// foundIn checks a single message in the form of the git archive, and lists the rules that
// find something.
func foundIn(t *testing.T, sender, subject, thread, body string) string {
	t.Helper()
	asksForAck := func(t string) bool { return strings.HasPrefix(subject, t) }
	head, err := json.Marshal(map[string]any{
		"id": 17, "from": sender, "to": []string{"RedLake"}, "created": "2025-12-30T10:00:00+00:00", "subject": subject, "thread_id": thread,
		"ack_required": slices.ContainsFunc([]string{"KICKOFF", "CRITIQUE", "HANDOFF", "BLOCKED", "QUESTION"}, asksForAck),
	})
	must.OK(t, err)
	file := filepath.Join(t.TempDir(), "message.md")
	must.Write(t, file, "---json\n"+string(head)+"\n---\n\n"+body)
	var out []string
	for _, f := range checked(t, engine.Options{Workers: 1}, file).Findings {
		out = append(out, f.Rule)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

// TestSpecificationExamples checks the bodies and deltas that the specifications show. The
// comment of the archive has the sender and the subject of each, and what is found: unfilled
// templates are reported, the same with every placeholder filled in have no findings.
func TestSpecificationExamples(t *testing.T) {
	a, err := txtar.ParseFile("testdata/spec-examples.txtar")
	must.OK(t, err)
	bodies := map[string]string{}
	for _, f := range a.Files {
		bodies[f.Name] = string(f.Data)
	}
	for line := range strings.Lines(string(a.Comment)) {
		columns := strings.Split(strings.TrimSpace(line), " | ")
		if len(columns) < 4 {
			continue
		}
		name, want := columns[0], strings.Trim(columns[3], "-")
		body, ok := bodies[name]
		if got := foundIn(t, columns[1], columns[2], "RS-20251230-gradient-vs-lineage", body); !ok || got != want {
			t.Errorf("%s: found [%s], want [%s]", name, got, want)
		}
		delete(bodies, name)
	}
	for name := range bodies {
		t.Errorf("the body %q is not checked", name)
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
		found := foundIn(t, "RedCreek", subject, "RS-20251230-cell-fate", "x")
		for _, rule := range []string{"MB-001", "SU-001", "SU-002", "SU-003", "SU-004", "AP-001", "TH-007", "TH-008"} {
			if strings.Contains(found, rule) {
				t.Errorf("%q breaks %s", subject, rule)
			}
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
	} {
		if got := foundIn(t, "RedCreek", "INFO: x", id, "# Information"); got != want {
			t.Errorf("%q: found [%s], want [%s]", id, got, want)
		}
	}
}
