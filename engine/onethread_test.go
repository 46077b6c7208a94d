package engine_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
)

// TestOneThread checks that replay, blame and the check of a draft say the same of a
// thread, whether it is all that is read of a database, or the whole is: that is so
// where there is other mail.
func TestOneThread(t *testing.T) {
	dir := t.TempDir()
	must.OK(t, gen.Generate(gen.Options{Out: dir, Seed: 5, Artifacts: 12, Threads: 12, Defects: 0.8, Forms: []string{"sqlite"}}))
	other := filepath.Join(write(t, map[string]string{"other.json": `{"thread_id": "x", "messages": [{"id": 1, "subject": "x", "body_md": "x"}]}`}), "other.json")
	artifacts, err := filepath.Glob(filepath.Join(dir, "artifacts", "*"))
	if err != nil || len(artifacts) != 12 {
		t.Fatal(artifacts, err)
	}
	compared := 0
	for _, database := range []string{
		filepath.Join(dir, "storage.sqlite3"), "../testdata/corpus/realmail/storage.sqlite3",
		"../testdata/corpus/realmail/bundle/mailbox.sqlite3", "../testdata/corpus/realmail/bundle-strict/mailbox.sqlite3",
	} {
		box := mailboxAt(t, database)
		whole, err := box.Replay(context.Background(), engine.ReplayOptions{})
		must.OK(t, err)
		ids := []string{"RS-20251230-not-there", "", "947"}
		for _, r := range whole.Threads {
			ids = append(ids, r.Thread)
		}
		for _, id := range ids {
			for what, say := range map[string]func(paths ...string) string{
				"replay": func(paths ...string) string { return sayReplay(t, cmp.Or(id, "absent"), paths) },
				"kill": func(paths ...string) string {
					return sayDraft(t, draftOf(id, "DELTA[opus]: less", killing), paths)
				},
				"ack": func(paths ...string) string { return sayDraft(t, draftOf(id, "ACK: 5", "Message ID: 5"), paths) },
				"question": func(paths ...string) string {
					return sayDraft(t, draftOf(id, "QUESTION: what", "## Question\nWhat?"), paths)
				},
				"reply": func(paths ...string) string { return sayDraft(t, `{"message_id": 5, "body_md": "x"}`, paths) },
			} {
				if d := diff.Diff(say(database, other), say(database)); d != "" {
					t.Errorf("%s of %q in %s: whole (-), thread (+):\n%s", what, id, database, d)
				}
				compared++
			}
		}
	}
	for _, a := range artifacts {
		database := filepath.Join(dir, "storage.sqlite3")
		if d := diff.Diff(sayBlame(t, a, database, other), sayBlame(t, a, database)); d != "" {
			t.Errorf("blame of %s: whole (-), thread (+):\n%s", a, d)
		}
		if d := diff.Diff(sayBlame(t, a, dir, other), sayBlame(t, a, dir)); d != "" {
			t.Errorf("blame of %s with artifacts: whole (-), thread (+):\n%s", a, d)
		}
	}
	if compared < 100 {
		t.Errorf("only %d answers were compared", compared)
	}
}

const killing = "## Deltas\n\n```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": \"H9\", \"payload\": {\"reason\": \"x\"}}\n```\n"

func draftOf(thread, subject, body string) string {
	return fmt.Sprintf(`{"project_key": "/p", "sender_name": "Nobody", "to": ["BlueLake", "Anybody"], "thread_id": %q, "subject": %q, "body_md": %q}`, thread, subject, body)
}

func sayReplay(t *testing.T, id string, paths []string) string {
	r, err := mailboxAt(t, paths...).Replay(context.Background(), engine.ReplayOptions{Thread: id, Artifact: true})
	if err != nil {
		said, _, _ := strings.Cut(err.Error(), "; they have ") // with those of other mail
		return said
	}
	out := report.ReplayJSON(r)
	for _, t := range r.Threads {
		out += string(t.Artifact)
	}
	return fmt.Sprint(out, r.Notices, r.Unreadable)
}

func sayDraft(t *testing.T, draft string, paths []string) string {
	d, err := mailboxAt(t, paths...).CheckDraft(context.Background(), "draft.json", []byte(draft))
	if err != nil {
		return err.Error()
	}
	var out bytes.Buffer
	err = report.Write(&out, "json", d.Report, report.Options{})
	return fmt.Sprint(out.String(), d.MergePreview, d.Notices, d.Failures, err)
}

func sayBlame(t *testing.T, file string, paths ...string) string {
	r, err := mailboxAt(t, paths...).Blame(context.Background(), file, false)
	if err != nil {
		return err.Error()
	}
	return report.BlameJSON(r)
}

// mailboxAt opens a mailbox for the rest of the test.
func mailboxAt(t *testing.T, paths ...string) *engine.Mailbox {
	t.Helper()
	box, err := engine.Open(t.Context(), rules.All(), engine.Options{}, paths...)
	must.OK(t, err)
	t.Cleanup(box.Close)
	return box
}
