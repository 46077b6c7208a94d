package engine_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// A thread that is checked message by message, each let go of before the next, has
// the findings of one that is held whole.
func TestLargeThreads(t *testing.T) {
	dir := t.TempDir()
	if err := gen.Generate(gen.Options{Out: dir, Seed: 3, Artifacts: 20, Threads: 20, Defects: 0.8, Forms: []string{"json", "archive", "sqlite"}}); err != nil {
		t.Fatal(err)
	}
	inputs := [][]string{{filepath.Join(dir, "json"), filepath.Join(dir, "artifacts")}, {filepath.Join(dir, "storage.sqlite3")}, {dir}}
	err := filepath.WalkDir("../testdata/corpus/realmail", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".json", ".sqlite3", ".zip", ".sse", ".jsonl":
			inputs = append(inputs, []string{path})
		}
		return nil
	})
	if err != nil || len(inputs) < 10 {
		t.Fatal(len(inputs), err)
	}
	inputs = append(inputs, []string{"../testdata/corpus"})
	found := 0
	for _, paths := range inputs {
		whole := findings(t, 1<<40, paths)
		found += len(whole)
		if d := cmp.Diff(whole, findings(t, 1, paths)); d != "" {
			t.Errorf("%s: checked whole, and piece by piece:\n%s", paths, d)
		}
	}
	replays := 0
	for _, paths := range inputs {
		whole := replayed(t, 1<<40, paths)
		replays += strings.Count(whole, `"Hash"`)
		if d := cmp.Diff(whole, replayed(t, 1, paths)); d != "" {
			t.Errorf("%s: replayed whole, and piece by piece:\n%s", paths, d)
		}
	}
	if replays < 50 {
		t.Errorf("only %d hashes were compared", replays)
	}
	if found < 300 {
		t.Errorf("only %d findings were compared", found)
	}
}

// findings returns those of a check, with all that reports show of them.
func findings(t *testing.T, large int64, paths []string) []string {
	t.Helper()
	opts := engine.Options{LargeThread: large, RuleConfig: lint.DefaultRuleConfig, Limits: engine.DefaultLimits, Mail: export.AllScope}
	report, err := engine.MustNew(rules.All(), opts).Check(context.Background(), paths...)
	if err != nil {
		if strings.Contains(err.Error(), "has no mail") || strings.Contains(err.Error(), "not recognised") {
			return nil
		}
		t.Fatal(paths, err)
	}
	for _, f := range report.Failures {
		t.Errorf("%s broke: %s", f.Rule, f.Reason)
	}
	var out []string
	for _, f := range report.Findings {
		frame := f.Frame
		if f.Body == nil && !strings.Contains(f.Path, "thread") {
			frame = nil // the line of a listing: a message is shown with neighbours of other threads
		}
		data, err := json.Marshal([]any{f, f.Mail, frame})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return append(out, report.Notices...)
}

// replayed returns the report of a replay as JSON.
func replayed(t *testing.T, large int64, paths []string) string {
	t.Helper()
	r, err := engine.MustNew(rules.All(), engine.Options{LargeThread: large}).Replay(context.Background(), engine.ReplayOptions{Artifact: true}, paths...)
	if err != nil {
		return err.Error()
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Threads {
		data = append(data, r.Threads[i].Artifact...)
	}
	return string(data)
}
