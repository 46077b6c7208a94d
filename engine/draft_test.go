package engine_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
)

// TestDraftAsSent checks that a draft with its thread has the findings that it has in the
// mail once it is sent, and no others: what the merge says of an artifact counts in both.
func TestDraftAsSent(t *testing.T) {
	dir := t.TempDir()
	must.OK(t, gen.Generate(gen.Options{Out: dir, Seed: 7, Threads: 12, Defects: 1, Findings: 0.2, Forms: []string{"json"}}))
	threads, err := filepath.Glob(filepath.Join(dir, "json", "*"))
	if err != nil || len(threads) != 12 {
		t.Fatal(threads, err)
	}
	found := map[string]int{}
	for at, path := range threads {
		var thread struct {
			Project  string           `json:"project"`
			ID       string           `json:"thread_id"`
			Messages []map[string]any `json:"messages"`
		}
		data := must.Read(t, path)
		must.OK(t, json.Unmarshal(data, &thread))
		messages := thread.Messages
		for i := 1; i < len(messages); i++ {
			m := messages[i]
			m["body_md"] = withoutField(m["body_md"].(string), at+i)
			export := func(n int) string {
				thread.Messages = messages[:n]
				data, err := json.Marshal(thread)
				must.OK(t, err)
				return filepath.Join(write(t, map[string]string{"thread.json": string(data)}), "thread.json")
			}
			draft, err := json.Marshal(map[string]any{
				"sender_name": m["from"], "to": []string{"Operator"}, "thread_id": thread.ID,
				"subject": m["subject"], "body_md": m["body_md"], "ack_required": m["ack_required"],
			})
			must.OK(t, err)
			sent, err := engine.Check(context.Background(), rules.All(), engine.Options{}, export(i+1))
			must.OK(t, err)
			d, err := mailboxAt(t, export(i)).CheckDraft(context.Background(), "draft.json", draft)
			must.OK(t, err)
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

// broken returns a message whose deltas each have a text with raw line breaks.
func broken(t *testing.T, thread string, deltas, breaks int) []byte {
	t.Helper()
	block := "```delta\n" + `{"operation": "KILL", "section": "hypothesis_slate", "target_id": "H1", "payload": {}, "rationale": "a` + strings.Repeat("\n", breaks) + "\"}\n```\n\n"
	data, err := json.Marshal(map[string]any{
		"id": 1, "subject": "DELTA[gpt]: x", "thread_id": thread, "from": "BlueLake", "to": []string{"RedLake"},
		"created_ts": "2025-12-30T10:00:00Z", "body_md": "## Deltas\n\n" + strings.Repeat(block, deltas),
	})
	must.OK(t, err)
	return data
}

// edits counts the edits of fixes, and those of the largest.
func edits(findings []*lint.Finding) (all, most int) {
	for _, f := range findings {
		if f.Fix != nil {
			all += len(f.Fix.Edits)
			most = max(most, len(f.Fix.Edits))
		}
	}
	return all, most
}

// TestEditsAreBounded checks that a fix has a bounded number of edits, and that a finding
// without one for that reason says so.
func TestEditsAreBounded(t *testing.T) {
	empty := mailboxAt(t)
	for _, c := range []struct {
		deltas, breaks, all, most int
		says                      bool
	}{
		{1, 1000, 1000, 1000, false},
		{1, 1001, 0, 0, true},
		{30, 900, 11 * 900, 900, false}, // the others come when these are made
	} {
		d, err := empty.CheckDraft(context.Background(), "-", broken(t, "RS-20251230-x", c.deltas, c.breaks))
		must.OK(t, err)
		if all, most := edits(d.Findings); all != c.all || most != c.most {
			t.Errorf("%d deltas with %d line breaks have fixes of %d edits, %d at most; want %d and %d", c.deltas, c.breaks, all, most, c.all, c.most)
		}
		says := false
		for _, f := range d.Findings {
			says = says || strings.Contains(f.Suggestion, fmt.Sprintf("; no fix is offered: it would have %d edits", c.breaks))
		}
		if says != c.says {
			t.Errorf("%d line breaks: a finding says that no fix is offered: %t", c.breaks, says)
		}
	}
}

// TestEditsOfReport checks that the fixes of a report have a bounded number of edits
// together, and that a notice says what is missing.
func TestEditsOfReport(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		must.Write(t, filepath.Join(dir, fmt.Sprintf("%d.json", i)), broken(t, fmt.Sprintf("RS-20251230-x%d", i), 10, 900))
	}
	rep, err := engine.Check(context.Background(), rules.All(), engine.Options{}, dir)
	must.OK(t, err)
	if all, _ := edits(rep.Findings); all < 10_000-900 || all > 10_000+len(rep.Findings) {
		t.Errorf("the fixes have %d edits", all)
	}
	if want := "19 fixes are not offered, because they have too many edits together: make those of the report, and check again"; !strings.Contains(strings.Join(rep.Notices, "\n"), want) {
		t.Errorf("the notices are %q, want %q", rep.Notices, want)
	}
}

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
		for i, id := range ids {
			if !testenv.Sampled(i, 4) {
				continue
			}
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
	if compared < 50 {
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
	r, err := mailboxAt(t, paths...).Blame(context.Background(), file, "", false)
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
