package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
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

const exampleArtifact = "../examples/artifacts/RS-20251230-cell-fate.md"

// exampleThread returns the thread of the example's artifact, from mail at a path.
func exampleThread(t *testing.T, path string) (*engine.Thread, *artifact.Artifact) {
	t.Helper()
	b := mailboxAt(t, path)
	data := must.Read(t, exampleArtifact)
	a := artifact.ParseMarkdown(source.NewText(data), artifact.DefaultLimits)
	ref, ok, err := b.ThreadOf(t.Context(), "elsewhere/name.md", a)
	if err != nil || !ok || ref.Thread != "RS-20251230-cell-fate" {
		t.Fatalf("the thread of the artifact is %+v, %v", ref, ok)
	}
	thread, err := b.Thread(t.Context(), ref)
	must.OK(t, err)
	return thread, a
}

// TestDeltaPlace checks where a delta and its fields are in files, and that a database
// has no such place.
func TestDeltaPlace(t *testing.T) {
	const file = "../examples/mail/RS-20251230-cell-fate.json"
	data := must.Read(t, file)
	h1 := brenner.ItemID{Section: brenner.HypothesisSlate, Number: 1}
	by := func(thread *engine.Thread, a *artifact.Artifact, field string) *replay.Blame {
		all := thread.Blame(a)
		for _, b := range all {
			if b.Item == h1 && b.Field == field {
				return b.By
			}
		}
		t.Fatalf("there is no %s of H1", field)
		return nil
	}
	thread, a := exampleThread(t, file)
	for field, want := range map[string]string{"claim": `\"Fate follows ancestry.\"`, "": "{", "no_such_field": "{"} {
		key := field
		if field == "no_such_field" {
			key = "claim"
		}
		path, at, ok := thread.DeltaPlace(by(thread, a, key), field)
		if !ok || path != file || string(data[at.Start.Offset:at.End.Offset]) != want {
			t.Errorf("%q is at %v in %s (%v), expected at %s", field, at, path, ok, want)
		}
	}
	if v := thread.VersionOf(by(thread, a, "claim")); v != 1 {
		t.Errorf("the claim is of version %d, expected 1", v)
	}
	if v := thread.VersionOf(&replay.Blame{MessageID: "none"}); v != 0 {
		t.Errorf("an unknown delta is of version %d", v)
	}
	if _, _, ok := thread.DeltaPlace(&replay.Blame{MessageID: "none"}, ""); ok {
		t.Error("a message that is not there has a place")
	}
	inDatabase, _ := exampleThread(t, "../examples/mailbox/storage.sqlite3")
	if path, _, ok := inDatabase.DeltaPlace(by(inDatabase, a, "claim"), "claim"); ok {
		t.Errorf("in a database the claim is in %s", path)
	}
}

// TestPermutationsOfGarbled checks that a thread is shuffled as it was read: with its replaced bytes
// restored. Where the shuffle read it anew, every order seemed to give another hash.
func TestPermutationsOfGarbled(t *testing.T) {
	data := bytes.Replace(must.Read(t, "../examples/mail/RS-20251230-cell-fate.json"), []byte("```delta"), []byte("`\xff`delta"), 1)
	b := mailboxAt(t, write(t, map[string]string{"mail.json": string(data)}))
	r, err := b.Replay(t.Context(), engine.ReplayOptions{Permutations: 2})
	must.OK(t, err)
	if len(r.Threads) != 1 || r.Threads[0].Shuffled != 2 || !r.Threads[0].Stable {
		t.Errorf("the threads are %+v, expected one that is stable", r.Threads)
	}
}

// threads lists the threads of a mailbox.
func threads(t *testing.T, b *engine.Mailbox) []mail.Ref {
	t.Helper()
	out, err := b.Threads(t.Context())
	must.OK(t, err)
	return out
}

// TestMessagesWithoutID checks that deltas of messages without an id are told apart: each
// has the place and the version of its own message.
func TestMessagesWithoutID(t *testing.T) {
	add := func(name string) string {
		return "## Deltas\n\n```delta\n{\"operation\": \"ADD\", \"section\": \"hypothesis_slate\", \"target_id\": null, \"payload\": {\"name\": \"" + name +
			"\", \"claim\": \"c\", \"mechanism\": \"m\", \"anchors\": [\"§161\"]}, \"rationale\": \"r\"}\n```\n"
	}
	var messages []map[string]any
	for _, m := range [][3]string{
		{"2025-12-30T09:00:00Z", "DELTA[gpt]: nothing", "no block"},
		{"2025-12-30T10:00:00Z", "DELTA[gpt]: a", add("First")},
		{"2025-12-30T11:00:00Z", "COMPILED: v1 x", "no artifact"},
		{"2025-12-30T12:00:00Z", "DELTA[gpt]: b", add("Second")},
	} {
		messages = append(messages, map[string]any{"from": "BlueLake", "created_ts": m[0], "subject": m[1], "body_md": m[2]})
	}
	data, err := json.Marshal(map[string]any{"thread_id": "RS-20251230-cell-fate", "messages": messages})
	must.OK(t, err)
	b := mailboxAt(t, write(t, map[string]string{"mail.json": string(data)}))
	thread, err := b.Thread(t.Context(), threads(t, b)[0])
	must.OK(t, err)
	all := thread.Blame(thread.Artifact())
	versions := map[string]int{}
	for _, f := range all {
		if f.Field != "" {
			continue
		}
		_, at, ok := thread.DeltaPlace(f.By, "name")
		if !ok || !strings.Contains(string(data[at.Start.Offset:at.End.Offset]), f.Value) {
			t.Errorf("%s is at %v (%v)", f.Value, at, ok)
		}
		versions[f.Value] = thread.VersionOf(f.By)
	}
	if len(versions) != 2 || versions["First"] != 1 || versions["Second"] != 2 {
		t.Errorf("the versions are %v", versions)
	}
}

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
