package engine_test

import (
	"context"
	"os"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/rules"
)

// TestContents reads texts in memory by paths where no files are: a check, a replay
// and a blame give what they give of the files.
func TestContents(t *testing.T) {
	ctx := context.Background()
	files := map[string]string{"artifact.md": "../examples/artifacts/RS-20251230-cell-fate.md", "no/mail.json": "../examples/mail/RS-20251230-cell-fate.json"}
	opts := engine.Options{Contents: map[string][]byte{}}
	for path, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		opts.Contents[path] = data
	}
	got, err := engine.Check(ctx, rules.All(), opts, "artifact.md", "no/mail.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := engine.Check(ctx, rules.All(), opts, files["artifact.md"], files["no/mail.json"])
	if err != nil {
		t.Fatal(err)
	}
	if got.Summary != want.Summary || got.Summary.Errors == 0 {
		t.Errorf("check: %+v, want %+v", got.Summary, want.Summary)
	}
	box, err := engine.Open(ctx, rules.All(), opts, "no/mail.json")
	if err != nil {
		t.Fatal(err)
	}
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
