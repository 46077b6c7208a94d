package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// broken returns a message whose deltas each have a text with raw line breaks.
func broken(t *testing.T, thread string, deltas, breaks int) []byte {
	t.Helper()
	block := "```delta\n" + `{"operation": "KILL", "section": "hypothesis_slate", "target_id": "H1", "payload": {}, "rationale": "a` + strings.Repeat("\n", breaks) + "\"}\n```\n\n"
	data, err := json.Marshal(map[string]any{
		"id": 1, "subject": "DELTA[gpt]: x", "thread_id": thread, "from": "BlueLake", "to": []string{"RedLake"},
		"created_ts": "2025-12-30T10:00:00Z", "body_md": "## Deltas\n\n" + strings.Repeat(block, deltas),
	})
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
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
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", i)), broken(t, fmt.Sprintf("RS-20251230-x%d", i), 10, 900), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rep, err := engine.Check(context.Background(), rules.All(), engine.Options{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if all, _ := edits(rep.Findings); all < 10_000-900 || all > 10_000+len(rep.Findings) {
		t.Errorf("the fixes have %d edits", all)
	}
	if want := "19 fixes are not offered, because they have too many edits together: make those of the report, and check again"; !strings.Contains(strings.Join(rep.Notices, "\n"), want) {
		t.Errorf("the notices are %q, want %q", rep.Notices, want)
	}
}
