package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

const exampleArtifact = "../examples/artifacts/RS-20251230-cell-fate.md"

// exampleThread returns the thread of the example's artifact, from mail at some paths.
func exampleThread(t *testing.T, paths ...string) (*engine.Mailbox, *engine.Thread, *artifact.Artifact) {
	t.Helper()
	b := mailboxAt(t, paths...)
	data := must.Read(t, exampleArtifact)
	a := artifact.ParseMarkdown(source.NewText(data), artifact.DefaultLimits)
	ref, ok, err := b.ThreadOf(t.Context(), "elsewhere/name.md", a)
	if err != nil || !ok || ref.Thread != "RS-20251230-cell-fate" {
		t.Fatalf("the thread of the artifact is %+v, %v", ref, ok)
	}
	thread, err := b.Thread(t.Context(), ref)
	must.OK(t, err)
	return b, thread, a
}

// TestMailboxBlame checks that a mailbox answers the same about an artifact as Blame.
func TestMailboxBlame(t *testing.T) {
	for _, mail := range []string{"../examples/mail", "../examples/mailbox/storage.sqlite3"} {
		b, thread, a := exampleThread(t, mail)
		got := thread.Blame(a)
		want, err := b.Blame(t.Context(), exampleArtifact, false)
		must.OK(t, err)
		if d := cmp.Diff(want.Fields, got, cmpopts.IgnoreTypes(&replay.Rejection{})); d != "" || len(got) == 0 {
			t.Errorf("%s: blame differs:\n%s", mail, d)
		}
	}
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
	_, thread, a := exampleThread(t, file)
	for field, want := range map[string]string{"claim": `\"Fate follows ancestry.\"`, "": "{", "no_such_field": "{"} {
		key := field
		if field == "no_such_field" {
			key = "claim"
		}
		path, at, ok, err := thread.DeltaPlace(t.Context(), by(thread, a, key), field)
		if err != nil || !ok || path != file || string(data[at.Start.Offset:at.End.Offset]) != want {
			t.Errorf("%q is at %v in %s (%v, %v), expected at %s", field, at, path, ok, err, want)
		}
	}
	if v := thread.VersionOf(by(thread, a, "claim")); v != 1 {
		t.Errorf("the claim is of version %d, expected 1", v)
	}
	if v := thread.VersionOf(&replay.Blame{MessageID: "none"}); v != 0 {
		t.Errorf("an unknown delta is of version %d", v)
	}
	if _, _, ok, _ := thread.DeltaPlace(t.Context(), &replay.Blame{MessageID: "none"}, ""); ok {
		t.Error("a message that is not there has a place")
	}
	_, inDatabase, _ := exampleThread(t, "../examples/mailbox/storage.sqlite3")
	if path, _, ok, err := inDatabase.DeltaPlace(t.Context(), by(inDatabase, a, "claim"), "claim"); ok || err != nil {
		t.Errorf("in a database the claim is in %s (%v)", path, err)
	}
}

// TestThreadFacts checks what a thread says of its versions and items.
func TestThreadFacts(t *testing.T) {
	_, thread, _ := exampleThread(t, "../examples")
	if n, id := thread.Published("1"); n != 1 || id != "18" {
		t.Errorf("version 1 is published by %q, %d", id, n)
	}
	if n, id := thread.Published("2"); n != 0 {
		t.Errorf("version 2 is published by %q", id)
	}
	if v, ok := thread.PublishedItem(brenner.ItemID{Section: brenner.HypothesisSlate, Number: 3}); !ok || v != 1 {
		t.Errorf("H3 is published in %d, %v", v, ok)
	}
	if v, ok := thread.PublishedItem(brenner.ItemID{Section: brenner.HypothesisSlate, Number: 9}); ok {
		t.Errorf("H9 is published in %d", v)
	}
	if n := len(thread.State().Items(brenner.HypothesisSlate)); n != 3 || thread.LatestVersion() != 1 {
		t.Errorf("the thread has %d hypotheses and version %d", n, thread.LatestVersion())
	}
}

// TestMailboxErrors checks that who reads can stop, and what is not there.
func TestMailboxErrors(t *testing.T) {
	b, _, _ := exampleThread(t, "../examples/mail")
	ref := threads(t, b)[0]
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Thread(cancelled, ref); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled replay ends with %v", err)
	}
	if _, err := b.Thread(t.Context(), mail.Ref{Thread: "none"}); err == nil {
		t.Error("a thread that is not there is replayed")
	}
	if _, err := engine.Open(t.Context(), rules.All(), engine.Options{}, filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that is not there is opened")
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
		_, at, ok, err := thread.DeltaPlace(t.Context(), f.By, "name")
		if err != nil || !ok || !strings.Contains(string(data[at.Start.Offset:at.End.Offset]), f.Value) {
			t.Errorf("%s is at %v (%v, %v)", f.Value, at, ok, err)
		}
		versions[f.Value] = thread.VersionOf(f.By)
	}
	if len(versions) != 2 || versions["First"] != 1 || versions["Second"] != 2 {
		t.Errorf("the versions are %v", versions)
	}
}
