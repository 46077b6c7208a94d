package fix_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

const corpus = "../../testdata/corpus"

// stays names the drafts of the corpus with a fix that are not accepted when all
// is fixed, the errors that stay, and why: what they ask for, no tool may make up.
var stays = []struct{ draft, errors, why string }{
	{"__1105.md", "DL-006 DL-006 DL-006", "how far each assumption is checked is the writer's to say"},
	{"__944.md", "SU-002", "what to leave out of a long subject"},
	{"__945.md", "SU-002", "as 944"},
	{"__21.md", "MB-001 MB-004", "which model contributes is the writer's to say; unwrapped, the deltas have no payload (DL-005)"},
	{"__22.md", "MB-001 MB-004", "as 21"},
	{"__23.md", "MB-001 MB-004", "as 21"},
	{"__1082.md", "DL-006", "what the hypothesis is anchored in, only the writer knows"},
	{"__1092.md", "DL-006 DL-007", "as 1082; and a potency check in parts is the writer's to word"},
	{"__25.md", "MB-006 MB-007", "what is criticised, and how"},
	{"__2.md", "MB-001 MB-004", "as 21"},
	{"__3.md", "MB-001 MB-004", "as 21"},
	{"__4.md", "MB-001 MB-004", "as 21"},
	{"> detects body with JSON but no fenced delta block", "DL-012", "in a fence, it lacks mechanism and anchors (DL-006)"},
	{"> accepts ADD with non-null target_id (ignores it for leniency)", "DL-006", "it lacks claim, mechanism and anchors"},
	{"> parses :::delta blocks", "DL-013", "in a fence, it lacks anchors (DL-006)"},
	{"> rejects invalid operation", "DL-001", "DELETE for KILL lacks a reason (DL-008)"},
}

// TestCorpus turns every message of the corpus into a draft. Each that has a fix
// is fixed and then accepted, but for those of stays: of them, what can be fixed
// without uncovering another error is.
func TestCorpus(t *testing.T) {
	mended := map[string]int{}
	seen, known := 0, map[string]bool{}
	for name, draft := range drafts(t) {
		check := drafting(t, name)
		before, err := check(draft)
		must.OK(t, err)
		promised := map[string]int{}
		for _, f := range before {
			if f.Fix != nil {
				promised[f.Rule]++
			}
		}
		if len(promised) == 0 {
			continue
		}
		r, err := fix.All(draft, true, check)
		must.OK(t, err)
		after, err := check(r.Data)
		must.OK(t, err)
		want, why := "", "what is mended is accepted"
		for _, s := range stays {
			if strings.HasSuffix(name, s.draft) {
				want, why = s.errors, s.why
				seen++
				known[s.draft] = true
			}
		}
		if got := errorRules(after); got != want {
			t.Errorf("%s: mended, it has the errors %q, want %q (%s):\n%s", name, got, want, why, r.Data)
		}
		if left := excess(after, before, lint.Error); left != "" {
			t.Errorf("%s: mending brought up %s:\n%s", name, left, r.Data)
		}
		for _, f := range after {
			if f.Fix == nil {
				continue
			}
			promised[f.Rule]--
			data, _ := fix.Apply(r.Data, []*lint.Fix{f.Fix})
			alone, err := check(data)
			if err != nil || excess(alone, after, f.Severity) == "" {
				t.Errorf("%s: %s %s is left: %s (%v)\n%s", name, f.Rule, f.Message, f.Fix.Description, err, r.Data)
			}
		}
		again, err := fix.All(r.Data, true, check)
		if err != nil || !bytes.Equal(again.Data, r.Data) {
			t.Errorf("%s: a second run changes it again (%v)", name, err)
		}
		for rule, n := range promised {
			mended[rule] += n
		}
	}
	for _, s := range stays {
		if !known[s.draft] {
			t.Errorf("%s does not stay faulty", s.draft)
		}
	}
	if seen != len(stays) {
		t.Errorf("%d drafts are known to stay faulty, the corpus has %d of them", len(stays), seen)
	}
	for _, rule := range []string{"DL-004", "MB-001", "MB-011", "MB-013", "SU-004"} {
		if mended[rule] == 0 {
			t.Errorf("no draft of the corpus was mended of %s: %v", rule, mended)
		}
	}
}

// errorRules returns the rules of the errors, in order.
func errorRules(findings []*lint.Finding) string {
	var out []string
	for _, f := range findings {
		if f.Severity == lint.Error {
			out = append(out, f.Rule)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// drafting checks drafts of a name, for fix.All.
func drafting(t *testing.T, name string) func(data []byte) ([]*lint.Finding, error) {
	box, err := engine.Open(t.Context(), rules.All(), engine.Options{})
	must.OK(t, err)
	return func(data []byte) ([]*lint.Finding, error) {
		d, err := box.CheckDraft(t.Context(), name, data)
		if err != nil {
			return nil, err
		}
		return d.Findings, nil
	}
}

// excess names the finding that came, of some level or a graver one; "" if none
// did.
func excess(after, before []*lint.Finding, level lint.Severity) string {
	count := map[string]int{}
	for _, f := range before {
		count[f.Rule]++
	}
	for _, f := range after {
		if count[f.Rule]--; count[f.Rule] < 0 && f.Severity <= level {
			return f.Rule + " " + f.Message
		}
	}
	return ""
}

// drafts returns the messages of the corpus: real mail as it lies in the archive, and
// the texts of the delta parser's records as bodies.
func drafts(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	root := filepath.Join(corpus, "realmail", "archive")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") || !slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "messages") {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.HasPrefix(string(data), "---json") {
			out[filepath.ToSlash(path)] = data
		}
		return err
	})
	must.OK(t, err)
	f, err := os.Open(filepath.Join(corpus, "vectors", "parse_delta.jsonl"))
	must.OK(t, err)
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var record struct{ Input, Test string }
		must.OK(t, json.Unmarshal(s.Bytes(), &record))
		draft, err := json.Marshal(map[string]any{
			"sender_name": "BlueLake", "to": []string{"Operator"}, "thread_id": "RS-20251230-gradient-vs-lineage",
			"subject": "DELTA[opus]: More", "body_md": record.Input,
		})
		must.OK(t, err)
		out[record.Test] = draft
	}
	must.OK(t, s.Err())
	return out
}
