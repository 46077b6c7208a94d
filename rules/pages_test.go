package rules_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	udiff "github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/ruletest"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/lint/linttest"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

var update = flag.Bool("update", false, "write what the pages and goldens should hold")

// TestPages runs every rule over the examples of its own page.
func TestPages(t *testing.T) {
	linttest.Run(t, rules.All()...)
	if err := rules.All().Validate(); err != nil {
		t.Error(err)
	}
	for _, path := range files(t, "doc/*.md") {
		id := strings.TrimSuffix(filepath.Base(path), ".md")
		if id != "README" && len(rules.All().Match(id)) != 1 {
			t.Errorf("%s is the page of no rule", path)
		}
	}
	for _, r := range rules.All() {
		if len(r.Page()) == 0 {
			t.Errorf("doc/%s.md is missing", r.ID)
			continue
		}
		if title := "# " + r.ID + " " + r.Name + "\n"; !strings.HasPrefix(string(r.Page()), title) {
			t.Errorf("doc/%s.md does not begin with %q", r.ID, title)
		}
		if !strings.HasSuffix(r.URL, "/rules/doc/"+r.ID+".md") {
			t.Errorf("%s says that its page is %q", r.ID, r.URL)
		}
		count := map[string]int{}
		names := map[string]bool{}
		for _, ex := range examplesIn(t, r.Page()) {
			count[ex.Kind]++
			if key := ex.Kind + " " + ex.Name(); names[key] {
				t.Errorf("doc/%s.md has two examples %q", r.ID, ex.Title)
			} else {
				names[key] = true
			}
		}
		for _, kind := range []string{"bad", "good"} {
			if count[kind] < 2 {
				t.Errorf("doc/%s.md has %d %s examples, expected at least 2", r.ID, count[kind], kind)
			}
		}
	}
}

// files returns the files that a pattern matches: one or more.
func files(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no file is called %s: %v", pattern, err)
	}
	return paths
}

// TestEdges runs rules over the examples of testdata/edges, which have the form of
// pages. They test the conditions of a rule exactly, each side of a boundary and
// each operand, where that would make its page long.
func TestEdges(t *testing.T) {
	for _, path := range files(t, "testdata/edges/*.md") {
		id := strings.TrimSuffix(filepath.Base(path), ".md")
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			at := slices.IndexFunc(rules.All(), func(r *lint.Rule) bool { return r.ID == id })
			if at < 0 {
				t.Fatalf("%s is the id of no rule", id)
			}
			linttest.RunFile(t, path, rules.All()[at], rules.All()...)
		})
	}
}

// compareGolden compares what was found with a golden file, and writes it on -update.
func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		must.Write(t, file, got)
	}
	want := must.Read(t, file)
	if diff := udiff.Unified("want", "got", string(want), got); diff != "" {
		t.Errorf("read this, then go test ./rules -run %s -update:\n%s", t.Name(), diff)
	}
}

// TestDraftSuggestions checks every message of the rules' examples as a draft: an agent
// whose message is refused must get a suggestion what to write instead.
func TestDraftSuggestions(t *testing.T) {
	box, err := engine.Open(t.Context(), rules.All(), engine.Options{})
	must.OK(t, err)
	fired := map[string]bool{}
	for _, r := range rules.All() {
		for _, f := range badFiles(t, r) {
			if !strings.HasSuffix(f.Name, ".md") && !strings.HasSuffix(f.Name, "draft.json") {
				continue
			}
			d, err := box.CheckDraft(t.Context(), f.Name, f.Data)
			must.OK(t, err)
			for _, found := range d.Findings {
				if found.Severity != lint.Error {
					continue
				}
				fired[found.Rule] = true
				if found.Suggestion == "" {
					t.Errorf("%s %s: %s: %s: no suggestion", r.ID, f.Name, found.Rule, found.Message)
				}
			}
		}
	}
	if len(fired) < 50 {
		t.Errorf("only %d rules fired on drafts", len(fired))
	}
}

// badFiles returns the files that a rule's page reports.
func badFiles(t *testing.T, r *lint.Rule) (out []txtar.File) {
	t.Helper()
	for _, ex := range examplesIn(t, r.Page()) {
		if ex.Kind == "bad" {
			out = append(out, ex.Files...)
		}
	}
	return out
}

// TestLongParts checks the advice on outcomes that are next to where they belong, and are too long to be written out.
func TestLongParts(t *testing.T) {
	box, err := engine.Open(t.Context(), rules.All(), engine.Options{})
	must.OK(t, err)
	for _, tt := range []struct {
		said, want string
	}{
		{strings.Repeat("x", 9000), "move them into predictions, with all else"},
		{"x", `write "predictions": {"H1": "x", "H2": "y"}, instead of "H1" and "H2", with all else`},
	} {
		delta := "Subject: DELTA[opus]: x\n\n## Deltas\n\n```delta\n" + `{"operation": "EDIT", "section": "predictions_table", "target_id": "P1", "payload": {"H1": "` +
			tt.said + `", "H2": "y"}, "rationale": "r"}` + "\n```\n"
		d, err := box.CheckDraft(t.Context(), "draft.md", []byte(delta))
		must.OK(t, err)
		i := slices.IndexFunc(d.Findings, func(f *lint.Finding) bool { return f.Rule == "DL-015" })
		if i < 0 || !strings.HasPrefix(d.Findings[i].Suggestion, tt.want) {
			t.Errorf("%d bytes: findings %+v; want the suggestion %q", len(delta), d.Findings, tt.want)
		}
	}
}

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

// TestStructureOfDeltas checks that each structural fault of the deltas in all examples is the
// finding of one rule, and that one of these rules says why the merge rejects a delta.
func TestStructureOfDeltas(t *testing.T) {
	var structural []*lint.Rule
	for _, r := range rules.All() {
		if _, ok := r.Check.(lint.DeltaCheck); ok && r.Rejects != nil {
			structural = append(structural, r)
		}
	}
	for _, r := range rules.All() {
		for _, ex := range examplesOf(t, r) {
			for _, f := range ex.Files {
				if !strings.HasSuffix(f.Name, ".md") {
					continue
				}
				for _, d := range delta.Extract(markdown.Parse(source.NewText(f.Data)), jsontree.Options{}) {
					found, rejected := 0, 0
					for _, r := range structural {
						record := func(*lint.Rule, lint.Diagnostic) { found++ }
						r.Check.(lint.DeltaCheck)(&lint.DeltaPass{Pass: lint.NewPass(&lint.DefaultRuleConfig, record, nil), Message: &session.Message{}, Delta: d})
						if why := d.Rejected(); why != nil && r.Rejects(&replay.Rejection{Delta: &replay.Delta{Delta: d}, Fault: why.Kind}) != "" {
							rejected++
						}
					}
					if found != len(d.Faults) || (rejected == 1) != (d.Rejected() != nil) {
						t.Errorf("%s, %s, delta %d: %d findings of %d faults, rejected by %d rules", r.ID, ex.Title, d.Index, found, len(d.Faults), rejected)
					}
				}
			}
		}
	}
}
