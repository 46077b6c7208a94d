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
	l := engine.MustNew(rules.All(), opts)
	got, err := l.Check(ctx, "artifact.md", "no/mail.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := l.Check(ctx, files["artifact.md"], files["no/mail.json"])
	if err != nil {
		t.Fatal(err)
	}
	if got.Summary != want.Summary || got.Summary.Errors == 0 {
		t.Errorf("check: %+v, want %+v", got.Summary, want.Summary)
	}
	r, err := l.Replay(ctx, engine.ReplayOptions{}, "no/mail.json")
	if err != nil || len(r.Threads) != 1 || len(r.Threads[0].Windows) != 1 {
		t.Errorf("replay: %+v, error %v", r, err)
	}
	b, err := l.Blame(ctx, "artifact.md", "no/mail.json")
	if err != nil || len(b.Fields) == 0 || b.Unexplained() == len(b.Fields) {
		t.Errorf("blame: %+v, error %v", b, err)
	}
	if _, err := l.Check(ctx, "mail.json"); err == nil {
		t.Error("a path that is neither a file nor among the contents is checked")
	}
}

func TestRecognize(t *testing.T) {
	contents := map[string][]byte{"a": []byte("---\nsession_id: RS-20251230-cell-fate\n---\n"), "b": []byte("Hello"), "c.json": []byte(`{"subject": "INFO: x", "to": ["A"], "body_md": "x"}`)}
	l := engine.MustNew(rules.All(), engine.Options{Contents: contents})
	for path, want := range map[string]engine.Kind{
		"a": engine.AsArtifact, "b": engine.Auto, "c.json": engine.AsDraft, "../examples/mail/RS-20251230-cell-fate.json": engine.AsMail,
		"../examples": engine.Auto, "nowhere": engine.Auto,
	} {
		got, form, err := l.Recognize(context.Background(), path)
		if got != want || (err != nil) != (want == engine.Auto) || (form == "") != (want == engine.Auto) {
			t.Errorf("%s: %v (%s), error %v", path, got, form, err)
		}
	}
}
