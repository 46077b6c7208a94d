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

// specified returns what the specifications show: lists of bodies, subjects and threads, and
// the bodies.
func specified(t *testing.T) map[string]string {
	t.Helper()
	a, err := txtar.ParseFile("testdata/spec-examples.txtar")
	must.OK(t, err)
	out := map[string]string{"bodies": string(a.Comment)}
	for _, f := range a.Files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// TestSpecificationExamples checks the bodies and deltas that the specifications show. The
// comment of the archive has the sender and the subject of each, and what is found: unfilled
// templates are reported, the same with every placeholder filled in have no findings.
func TestSpecificationExamples(t *testing.T) {
	bodies := specified(t)
	for line := range strings.Lines(bodies["bodies"]) {
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
		if !slices.Contains([]string{"bodies", "subjects", "threads"}, name) {
			t.Errorf("the body %q is not checked", name)
		}
	}
}

// TestSpecificationSubjects checks every subject that thread_subject_conventions
// and artifact_publish_spec show.
func TestSpecificationSubjects(t *testing.T) {
	for subject := range strings.Lines(specified(t)["subjects"]) {
		subject = strings.TrimSpace(subject)
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
	for line := range strings.Lines(specified(t)["threads"]) {
		id, want, _ := strings.Cut(strings.TrimSpace(line), " | ")
		if got := foundIn(t, "RedCreek", "INFO: x", id, "# Information"); got != want {
			t.Errorf("%q: found [%s], want [%s]", id, got, want)
		}
	}
}
