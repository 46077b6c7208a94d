package engine_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// TestOpenContent checks that a content is checked as the file with that content is:
// with its path, what the configuration says of it, and the baseline.
func TestOpenContent(t *testing.T) {
	path := filepath.ToSlash(filepath.Join("..", "examples", "mail", "RS-20251230-cell-fate.json"))
	data := must.Read(t, path)
	check := func(opts engine.Options) (file, content []*lint.Finding) {
		t.Helper()
		a, err := engine.Check(t.Context(), rules.All(), opts, path)
		must.OK(t, err)
		b, err := checkContent(t, opts, path, data)
		must.OK(t, err)
		return a.Findings, b.Findings
	}
	all, content := check(engine.Options{})
	if diff := cmp.Diff(all, content); diff != "" || len(all) == 0 {
		t.Errorf("%d findings in the file; in the content: %s", len(all), diff)
	}
	file, content := check(engine.Options{Baseline: engine.NewBaseline(all[:1])})
	if diff := cmp.Diff(file, content); diff != "" || len(file) != len(all)-1 {
		t.Errorf("with a baseline %d findings in the file; in the content: %s", len(file), diff)
	}
	off := engine.SeverityOverride{Paths: []string{"../examples/mail/**"}, Ignore: map[string]bool{all[0].Rule: true}}
	file, content = check(engine.Options{Severities: engine.Severities{Overrides: []engine.SeverityOverride{off}}})
	if diff := cmp.Diff(file, content); diff != "" || len(file) >= len(all) {
		t.Errorf("with an override %d findings in the file; in the content: %s", len(file), diff)
	}
}

// TestOpenContentScope checks which contents are left alone.
func TestOpenContentScope(t *testing.T) {
	draft := []byte(`{"to": ["BlueLake"], "thread_id": "RS-20251230-x", "subject": "DELTA[gpt]: x", "body_md": "no delta"}`)
	for _, c := range []struct {
		name, path string
		exclude    []string
		data       []byte
		found      bool
	}{
		{"a draft", "drafts/a.json", nil, draft, true},
		{"a draft that is excluded", "drafts/a.json", []string{"a.json"}, draft, false},
		{"a draft in a folder that is excluded", "drafts/new/a.json", []string{"drafts/"}, draft, false},
		{"a draft beside what is excluded", "drafts/a.json", []string{"other/", "b.json"}, draft, true},
		{"other JSON", "package.json", nil, []byte(`{"name": "x"}`), false},
		{"other Markdown", "README.md", nil, []byte("# Readme\n\n## Hypothesis\n"), false},
		{"nothing", "artifacts.md", nil, nil, false},
	} {
		rep, err := checkContent(t, engine.Options{Files: engine.Files{Exclude: c.exclude}}, c.path, c.data)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if found := slices.ContainsFunc(rep.Findings, func(f *lint.Finding) bool { return f.Path == c.path }); found != c.found {
			t.Errorf("%s: findings: %v, expected %v", c.name, found, c.found)
		}
	}
}

func checkContent(t *testing.T, opts engine.Options, path string, data []byte) (*lint.Report, error) {
	t.Helper()
	box, err := engine.OpenContent(t.Context(), rules.All(), opts, path, data)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	return box.Check(t.Context())
}

// TestContents reads texts in memory by paths where no files are: a check, a replay
// and a blame give what they give of the files.
func TestContents(t *testing.T) {
	ctx := context.Background()
	files := map[string]string{"artifact.md": "../examples/artifacts/RS-20251230-cell-fate.md", "no/mail.json": "../examples/mail/RS-20251230-cell-fate.json"}
	opts := engine.Options{Contents: map[string][]byte{}}
	for path, file := range files {
		data := must.Read(t, file)
		opts.Contents[path] = data
	}
	got, err := engine.Check(ctx, rules.All(), opts, "artifact.md", "no/mail.json")
	must.OK(t, err)
	want, err := engine.Check(ctx, rules.All(), opts, files["artifact.md"], files["no/mail.json"])
	must.OK(t, err)
	if got.Summary != want.Summary || got.Summary.Errors == 0 {
		t.Errorf("check: %+v, want %+v", got.Summary, want.Summary)
	}
	box, err := engine.Open(ctx, rules.All(), opts, "no/mail.json")
	must.OK(t, err)
	defer box.Close()
	r, err := box.Replay(ctx, engine.ReplayOptions{})
	if err != nil || len(r.Threads) != 1 || len(r.Threads[0].Windows) != 1 {
		t.Errorf("replay: %+v, error %v", r, err)
	}
	b, err := box.Blame(ctx, "artifact.md", false)
	if err != nil || len(b.Fields) == 0 || b.Unexplained() == len(b.Fields) {
		t.Errorf("blame: %+v, error %v", b, err)
	}
	if _, err := engine.Check(ctx, rules.All(), opts, "mail.json"); err == nil {
		t.Error("a path that is neither a file nor among the contents is checked")
	}
}

// TestInputs checks as what paths are recognised.
func TestInputs(t *testing.T) {
	opts := engine.Options{Contents: map[string][]byte{"a": []byte("---\nsession_id: RS-20251230-cell-fate\n---\n"), "b": []byte("Hello"), "c.json": []byte(`{"subject": "INFO: x", "to": ["A"], "body_md": "x"}`)}}
	for path, want := range map[string]engine.Kind{
		"a": engine.AsArtifact, "b": engine.Auto, "c.json": engine.AsDraft, "../examples/mail/RS-20251230-cell-fate.json": engine.AsMail, "nowhere": engine.Auto,
	} {
		box, err := engine.Open(t.Context(), rules.All(), opts, path)
		if (err != nil) != (want == engine.Auto) {
			t.Errorf("%s: error %v", path, err)
		}
		if err != nil {
			continue
		}
		if got, unreadable := box.Inputs(); len(got) != 1 || got[0].Kind != want || got[0].Path != path || got[0].Form == "" || len(unreadable) > 0 {
			t.Errorf("%s: %v, %v", path, got, unreadable)
		}
		box.Close()
	}
}
