package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// TestDraftAsSent checks that a draft with its thread has the findings that it has in the
// mail once it is sent, and no others: what the merge says of an artifact counts in both.
func TestDraftAsSent(t *testing.T) {
	dir := t.TempDir()
	if err := gen.Generate(gen.Options{Out: dir, Seed: 7, Threads: 30, Defects: 1, Findings: 0.2, Forms: []string{"json"}}); err != nil {
		t.Fatal(err)
	}
	threads, err := filepath.Glob(filepath.Join(dir, "json", "*"))
	if err != nil || len(threads) != 30 {
		t.Fatal(threads, err)
	}
	found := map[string]int{}
	for at, path := range threads {
		var thread struct {
			Project  string           `json:"project"`
			ID       string           `json:"thread_id"`
			Messages []map[string]any `json:"messages"`
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &thread); err != nil {
			t.Fatal(err)
		}
		messages := thread.Messages
		for i := 1; i < len(messages); i++ {
			m := messages[i]
			m["body_md"] = withoutField(m["body_md"].(string), at+i)
			export := func(n int) string {
				thread.Messages = messages[:n]
				data, err := json.Marshal(thread)
				if err != nil {
					t.Fatal(err)
				}
				return filepath.Join(write(t, map[string]string{"thread.json": string(data)}), "thread.json")
			}
			draft, err := json.Marshal(map[string]any{
				"sender_name": m["from"], "to": []string{"Operator"}, "thread_id": thread.ID,
				"subject": m["subject"], "body_md": m["body_md"], "ack_required": m["ack_required"],
			})
			if err != nil {
				t.Fatal(err)
			}
			sent, err := engine.Check(context.Background(), rules.All(), engine.Options{}, export(i+1))
			if err != nil {
				t.Fatal(err)
			}
			d, err := mailboxAt(t, export(i)).CheckDraft(context.Background(), "draft.json", draft)
			if err != nil {
				t.Fatal(err)
			}
			mine := slices.DeleteFunc(sent.Findings, func(f *lint.Finding) bool { return f.MessageID != fmt.Sprint(m["id"]) })
			want, got := inBody(mine), inBody(d.Findings)
			if d := diff.Diff(want, got); d != "" {
				t.Errorf("%s, message %v: sent (-), draft (+):\n%s", filepath.Base(path), m["id"], d)
			}
			for _, f := range mine {
				found[f.Rule]++
			}
		}
	}
	if len(found) < 15 || found["MR-013"] == 0 {
		t.Errorf("the messages have findings of too few rules to compare: %v", slices.Sorted(maps.Keys(found)))
	}
}

// withoutField takes a field line out of the artifact in a body, if it holds one.
func withoutField(body string, n int) string {
	lines := strings.Split(body, "\n")
	var fields []int
	for i, line := range lines {
		if strings.HasPrefix(line, "**") && strings.Contains(body, "## 7. ") {
			fields = append(fields, i)
		}
	}
	if len(fields) > 0 {
		n = fields[n*7%len(fields)]
		lines = slices.Delete(lines, n, n+1)
	}
	return strings.Join(lines, "\n")
}

// inBody lists findings by what does not depend on where the message is held.
func inBody(findings []*lint.Finding) []string {
	var out []string
	for _, f := range findings {
		place := lint.BodyPosition{}
		if f.Body != nil {
			place = *f.Body
		}
		out = append(out, fmt.Sprintf("%d:%d %s %s %d %s %s", place.Line, place.Column, f.Rule, f.Item, f.Delta, f.Field, f.Message))
	}
	slices.Sort(out)
	return out
}
