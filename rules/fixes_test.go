package rules_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/ruletest"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// uncovers are the examples whose fix reveals other faults, which were not visible
// before: what a non-delta lacks as a delta, what a message lacks whose type was
// hidden. No tool may invent what is missing, so these stay.
var uncovers = map[string]string{
	"MB-001 round-brackets":           "MB-004",        // a DELTA after all
	"MB-001 no-colon":                 "MB-011 MB-026", // a QUESTION after all
	"MB-004 wrapped-object":           "DL-002 DL-005 DL-011 DL-022",
	"MB-001 misspelt":                 "MB-003 MB-010 MB-027 MB-029", // a KICKOFF after all
	"MB-005 comments":                 "DL-011",
	"MB-005 javascript":               "DL-002 DL-005 DL-011",
	"MB-005 line-break-in-a-string":   "DL-011",
	"DL-005 under-another-name":       "DL-006 DL-015 DL-025",
	"MB-005 in-a-draft":               "DL-002 DL-003 DL-008 DL-011",
	"MB-005 in-json":                  "MR-001",
	"DL-012 bare-json":                "DL-022",
	"DL-012 with-an-ellipsis":         "DL-022 MB-005",
	"DL-012 in-a-sentence-and-a-list": "DL-008 DL-011 DL-022",
	"DL-012 indented":                 "DL-022",
	"DL-013 colons":                   "DL-011 DL-022",
	"DL-013 faulty-json-in-a-reply":   "DL-021",
}

// checkFiles returns what all rules find in files.
func checkFiles(t *testing.T, list []txtar.File) []*lint.Finding {
	t.Helper()
	findings, err := ruletest.Check(list, rules.All()...)
	must.OK(t, err)
	return findings
}

// TestFixes checks the fixes that pages show: after each, by all rules, the finding is gone and
// no other has appeared except what it uncovers; and it makes the same of a message with JSON
// escapes.
func TestFixes(t *testing.T) {
	used := map[string]bool{}
	for _, r := range rules.All() {
		for _, ex := range examplesIn(t, r.Page()) {
			if len(ex.Fixed) == 0 {
				continue
			}
			name := r.ID + " " + ex.Name()
			used[name] = true
			after := slices.Clone(ex.Files)
			for i, f := range after {
				if text, ok := ex.Fixed[f.Name]; ok {
					after[i].Data = []byte(text)
					throughJSON(t, r, name, string(f.Data), text)
				}
			}
			count := map[string]int{}
			fixes := 0
			for _, f := range checkFiles(t, ex.Files) {
				count[f.Rule]++
				if f.Rule == r.ID && f.Fix != nil {
					fixes++
				}
			}
			for _, f := range checkFiles(t, after) {
				count[f.Rule]--
			}
			if count[r.ID] != fixes {
				t.Errorf("%s: %d fixes for %d findings", name, fixes, count[r.ID])
			}
			var came []string
			for rule, n := range count {
				if n < 0 {
					came = append(came, rule)
				}
			}
			slices.Sort(came)
			if got := strings.Join(came, " "); got != uncovers[name] {
				t.Errorf("%s: the fix brings %q, want %q", name, got, uncovers[name])
			}
		}
	}
	for name := range uncovers {
		if !used[name] {
			t.Errorf("there is no example %s with a fix", name)
		}
	}
}

// throughJSON fixes a message of the archive form as the arguments of send_message,
// with every character escaped: the body must become the same.
func throughJSON(t *testing.T, r *lint.Rule, name, bad, fixed string) {
	t.Helper()
	head, body, ok := archived(bad)
	if !ok {
		return
	}
	_, want, _ := archived(fixed)
	var m map[string]any
	if err := json.Unmarshal([]byte(head), &m); err != nil {
		return // not reached by a message that can be read
	}
	subject, _ := m["subject"].(string)
	thread, _ := m["thread_id"].(string)
	draft := fmt.Sprintf(`{"subject": %s, "thread_id": %s, "body_md": %s}`, escaped(subject), escaped(thread), escaped(body))
	box, err := engine.Open(t.Context(), rules.All(), engine.Options{})
	must.OK(t, err)
	d, err := box.CheckDraft(t.Context(), "draft.json", []byte(draft))
	must.OK(t, err)
	var fixes []*lint.Fix
	for _, f := range d.Findings {
		if f.Rule == r.ID && f.Fix != nil {
			fixes = append(fixes, f.Fix)
		}
	}
	data, applied := fix.Apply([]byte(draft), fixes)
	var got struct {
		Body string `json:"body_md"`
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Errorf("%s: mended JSON cannot be read: %v\n%s", name, err, data)
	}
	if got.Body != want || len(applied) == 0 || slices.Contains(applied, false) {
		t.Errorf("%s: as JSON, mended by %v:\n%s\nwant:\n%s", name, applied, got.Body, want)
	}
}

// archived splits a message of the git archive.
func archived(text string) (head, body string, ok bool) {
	text, ok = strings.CutPrefix(text, "---json\n")
	if !ok {
		return "", "", false
	}
	head, body, ok = strings.Cut(text, "\n---\n")
	return head, strings.TrimSpace(body), ok
}

// escaped returns a JSON string with every character escaped.
func escaped(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, `\u%04x`, u)
	}
	b.WriteByte('"')
	return b.String()
}
