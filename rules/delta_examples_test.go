package rules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

func isDeltaRule(id string) bool {
	return strings.HasPrefix(id, "DL-") || id == "MB-004" || id == "MB-005"
}

// deltaFindings checks the files at a path by the rules on deltas.
func deltaFindings(t *testing.T, path string) []*lint.Finding {
	t.Helper()
	opts := engine.Options{Workers: 1}
	rep, err := engine.Check(context.Background(), rules.All(), opts, path)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rep.Failures {
		t.Errorf("rule %s failed on %s: %s", f.Rule, f.Path, f.Reason)
	}
	return slices.DeleteFunc(rep.Findings, func(f *lint.Finding) bool { return !isDeltaRule(f.Rule) })
}

// mailFile writes a message in the form of the git archive.
func mailFile(t *testing.T, sender, subject, thread, body string, ack bool) string {
	t.Helper()
	head, err := json.Marshal(map[string]any{
		"id": 17, "from": sender, "to": []string{"RedLake"}, "created": "2025-12-30T10:00:00+00:00",
		"subject": subject, "thread_id": thread, "ack_required": ack,
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "message.md")
	if err := os.WriteFile(file, []byte("---json\n"+string(head)+"\n---\n\n"+body), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSpecificationDeltas checks every delta that delta_output_format and
// artifact_delta_spec show: the archive's comment lists what is found in each.
func TestSpecificationDeltas(t *testing.T) {
	a, err := txtar.ParseFile("testdata/spec-deltas.txtar")
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]string{}
	for _, f := range a.Files {
		bodies[f.Name] = string(f.Data)
	}
	for line := range strings.Lines(string(a.Comment)) {
		columns := strings.Split(strings.TrimSpace(line), " | ")
		if len(columns) < 3 || bodies[columns[0]] == "" {
			continue
		}
		name, sender, want := columns[0], columns[1], strings.Trim(columns[2], "-")
		var got []string
		for _, f := range deltaFindings(t, mailFile(t, sender, "DELTA[opus]: x", "RS-20251230-cell-fate", bodies[name], false)) {
			got = append(got, f.Rule)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: found %v, want [%s]", name, got, want)
		}
		delete(bodies, name)
	}
	for name := range bodies {
		t.Errorf("the body %q is not checked", name)
	}
}

// TestRealDeltas checks the findings of the rules on deltas in real mail against the
// manually reviewed list, testdata/real-deltas.txt.
func TestRealDeltas(t *testing.T) {
	threads, err := filepath.Glob("../testdata/corpus/realmail/json/thread-*.json")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, path := range threads {
		if n := strings.Count(filepath.Base(path), "."); n > 1 && !strings.Contains(path, "brenner_bot-5so.3.4.2.json") {
			continue // the same threads in other wrappers
		}
		for _, f := range deltaFindings(t, path) {
			fmt.Fprintf(&b, "%s message %s", f.Thread, f.MessageID)
			if f.Delta > 0 {
				fmt.Fprintf(&b, " delta %d", f.Delta)
			}
			if f.Body != nil {
				fmt.Fprintf(&b, " (%d:%d)", f.Body.Line, f.Body.Column)
			}
			fmt.Fprintf(&b, " %s: %s\n", f.Rule, f.Message)
			if f.Suggestion != "" {
				fmt.Fprintf(&b, "    = %s\n", f.Suggestion)
			}
		}
	}
	compareGolden(t, "testdata/real-deltas.txt", b.String())
}
