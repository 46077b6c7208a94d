package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/rules"
)

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
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mail.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := engine.Open(t.Context(), rules.All(), engine.Options{}, path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	thread, err := b.Thread(t.Context(), threads(t, b)[0].Ref)
	if err != nil {
		t.Fatal(err)
	}
	all, err := thread.Blame(thread.Artifact())
	if err != nil {
		t.Fatal(err)
	}
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
