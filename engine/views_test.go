package engine_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// viewed checks mail with the data of pages.
func viewed(t *testing.T, opts engine.Options, paths ...string) *lint.Report {
	t.Helper()
	box, err := engine.Open(t.Context(), rules.All(), opts, paths...)
	must.OK(t, err)
	defer box.Close()
	r, err := box.Check(t.Context())
	if err == nil {
		err = box.Show(t.Context(), r, lint.Data{Threads: true})
	}
	must.OK(t, err)
	return r
}

// TestViews shows what became of the deltas of the thread in examples: one is not JSON,
// one names no item, and one was left out of what was published.
func TestViews(t *testing.T) {
	r := viewed(t, engine.Options{}, "../examples/mail", "../examples/artifacts")
	if len(r.Threads) != 1 || len(r.Threads[0].Messages) != 7 || len(r.Threads[0].Versions) != 2 || len(r.Artifacts) != 1 {
		t.Fatalf("%d threads, %d artifacts", len(r.Threads), len(r.Artifacts))
	}
	th := &r.Threads[0]
	v := &th.Versions[0]
	var lost []string
	for _, d := range v.Deltas {
		if d.Outcome != merge.Applied {
			lost = append(lost, fmt.Sprint(th.Messages[d.Message].ID, "/", d.Delta, " ", d.Item, " ", d.Outcome == merge.Rejected, " ", d.Rule))
		}
	}
	if diff := cmp.Diff([]string{"17/2  true MB-005", "17/3 T7 true MR-001"}, lost); diff != "" {
		t.Errorf("lost deltas (-want +got):\n%s", diff)
	}
	if th.Messages[v.Message].ID != "18" || v.Number != 1 || v.Matches == nil || *v.Matches {
		t.Errorf("version %d of message %d", v.Number, v.Message)
	}
	var published, set []string
	for _, it := range v.Published {
		for _, f := range it.Fields {
			published = append(published, it.ID+" "+f.Key+": "+f.Before+" → "+f.After)
		}
	}
	if diff := cmp.Diff([]string{"T1 potency_check: Late transplant control (§50) AND viability by vital dye → Late transplant control (§50)"}, published); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
	for _, it := range v.Changes {
		for _, f := range it.Fields {
			if f.By == nil {
				t.Errorf("no delta has set %s %s", it.ID, f.Key)
			} else if it.ID == "T1" && f.Key == "potency_check" {
				set = append(set, fmt.Sprint(th.Messages[f.By.Message].ID, "/", f.By.Delta))
			}
		}
	}
	if diff := cmp.Diff([]string{"17/1"}, set); diff != "" {
		t.Errorf("who set potency_check of T1 (-want +got):\n%s", diff)
	}
	for _, a := range r.Agents {
		if a.Name == "BlueLake" {
			want := lint.AgentView{Name: "BlueLake", Messages: 1, Deltas: 3, Applied: 1, Rejected: 2, Unpublished: 1}
			if diff := cmp.Diff(want, a); diff != "" || a.Lost() != 3 {
				t.Errorf("BlueLake (-want +got):\n%s", diff)
			}
		}
	}
}

// TestViewsOfAKill checks that a KILL has set the outcomes that it leaves.
func TestViewsOfAKill(t *testing.T) {
	delta := func(at int, op, section, target, payload string) map[string]any {
		body := fmt.Sprintf("```delta\n{\"operation\": %q, \"section\": %q, \"target_id\": %s, \"payload\": %s, \"rationale\": \"because\"}\n```\n", op, section, target, payload)
		return map[string]any{"id": at, "thread_id": "RS-20260303-gradient-vs-lineage", "subject": "DELTA[gpt]: x", "from": fmt.Sprint("BlueLake", at), "to": []string{"RedFox"},
			"created_ts": fmt.Sprintf("2026-03-03T08:%02d:00Z", at), "body_md": body}
	}
	data, err := json.Marshal([]map[string]any{
		delta(1, "ADD", "hypothesis_slate", "null", `{"name": "A", "claim": "b", "mechanism": "c", "anchors": ["§1"]}`),
		delta(2, "ADD", "predictions_table", "null", `{"condition": "x", "predictions": {"H1": "up"}}`),
		delta(3, "KILL", "hypothesis_slate", `"H1"`, `{"reason": "no"}`),
	})
	must.OK(t, err)
	dir := write(t, map[string]string{"mail.json": string(data)})
	r := viewed(t, engine.Options{Mail: engine.AllMail}, filepath.Join(dir, "mail.json"))
	if len(r.Threads) != 1 || len(r.Threads[0].Versions) != 1 {
		t.Fatalf("%d threads", len(r.Threads))
	}
	for _, d := range r.Threads[0].Versions[0].Deltas {
		if d.Outcome != merge.Applied {
			t.Fatalf("delta %+v was not applied", d)
		}
	}
	for _, it := range r.Threads[0].Versions[0].Changes {
		for _, f := range it.Fields {
			if f.Key == "predictions" && (f.Part != "H1" || f.After != "N/A" || f.By == nil || f.By.Message != 2) {
				t.Errorf("%s %s %s is %q, by %v", it.ID, f.Key, f.Part, f.After, f.By)
			}
		}
	}
}

// TestViewsAreDeterministic shows the same of a mailbox in every form, with any number
// of workers, and in large threads too.
func TestViewsAreDeterministic(t *testing.T) {
	dir := t.TempDir()
	must.OK(t, gen.Generate(gen.Options{Out: dir, Seed: 4, Threads: 8, Defects: 0.6, Forms: []string{"json", "sqlite"}}))
	views := func(opts engine.Options, path string) string {
		r := viewed(t, opts, filepath.Join(dir, path))
		for i := range r.Threads {
			for j := range r.Threads[i].Messages {
				r.Threads[i].Messages[j].Path = ""
			}
		}
		data, err := json.Marshal([]any{r.Threads, r.Agents})
		must.OK(t, err)
		return string(data)
	}
	want := views(engine.Options{Workers: 1}, "json")
	if strings.Count(want, `"versions"`) != 8 {
		t.Fatalf("%d threads are shown, want 8", strings.Count(want, `"versions"`))
	}
	for name, got := range map[string]string{
		"four workers": views(engine.Options{Workers: 4}, "json"), "a database": views(engine.Options{}, "storage.sqlite3"),
	} {
		if got != want {
			t.Errorf("%s: another view:\n%s", name, cmp.Diff(want, got))
		}
	}
}
