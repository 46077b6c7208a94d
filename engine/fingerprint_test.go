package engine

import (
	"cmp"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// prints gives findings their fingerprints and returns these.
func prints(findings ...*lint.Finding) []string {
	setFingerprints(findings)
	out := make([]string, len(findings))
	for i, f := range findings {
		out[i] = f.Fingerprint
	}
	return out
}

func base() *lint.Finding {
	return &lint.Finding{
		Rule: "MB-005", Message: "delta 2 is not valid JSON", Path: "mail/thread.json",
		Thread: "RS-20251230-cell-fate", MessageID: "17", Item: "T1", Field: "name",
		Range: &source.Range{Start: source.Position{Line: 41, Column: 330}},
		Frame: &lint.Frame{Line: 12, Lines: []string{"above", `  "anchors": ["§161",]`}, Start: 20, End: 21},
	}
}

// TestFingerprint checks what changes the fingerprint of a finding, and what does not.
func TestFingerprint(t *testing.T) {
	ofFile := func(path, thread string) func(*lint.Finding) {
		return func(f *lint.Finding) { f.Path, f.Thread, f.MessageID, f.Artifact = path, thread, "", true }
	}
	ofLine := func(before, after string) func(*lint.Finding) {
		return func(f *lint.Finding) {
			line := before + `"§161",]` + strings.Repeat("§", 150) + after
			f.Frame = &lint.Frame{Lines: []string{line}, Start: len(before), End: len(before) + 1}
		}
	}
	seen := map[string]string{}
	for _, group := range []map[string]func(*lint.Finding){ // those of one group have one fingerprint
		{
			"the finding itself": func(*lint.Finding) {}, "a moved line": func(f *lint.Finding) { f.Range.Start.Line, f.Frame.Line = 99, 40 },
			"another line above": func(f *lint.Finding) { f.Frame.Lines[0] = "new" }, "no line above": func(f *lint.Finding) { f.Frame.Lines = f.Frame.Lines[1:] },
			"another export": func(f *lint.Finding) { f.Path = "storage.sqlite3" }, "another wording": func(f *lint.Finding) { f.Message = "delta 2 is no JSON" },
			"indentation": func(f *lint.Finding) { f.Frame.Lines[1] = "\t\"anchors\":  [\"§161\",]" },
		},
		{"rule": func(f *lint.Finding) { f.Rule = "DL-006" }},
		{"thread": func(f *lint.Finding) { f.Thread = "RS-20260101-other" }},
		{"message": func(f *lint.Finding) { f.MessageID = "18" }},
		{"item": func(f *lint.Finding) { f.Item = "T2" }},
		{"field": func(f *lint.Finding) { f.Field = "anchors" }},
		{"line": func(f *lint.Finding) { f.Frame.Lines[1] = `"anchors": ["§162",]` }},
		{"no text": func(f *lint.Finding) { f.Frame = nil }},
		{"no message": func(f *lint.Finding) { f.MessageID, f.Thread = "", "" }},
		{
			"an artifact":         ofFile("artifacts/RS-20251230-cell-fate.md", "RS-20251230-cell-fate"),
			"in another folder":   ofFile("/home/me/old/RS-20251230-cell-fate.md", "RS-20251230-cell-fate"),
			"without its session": ofFile("artifacts/RS-20251230-cell-fate.md", ""),
		},
		{"another artifact": ofFile("artifacts/RS-20260101-other.md", "RS-20251230-cell-fate")},
		{"a long line": ofLine(strings.Repeat("x", 500), ""), "text far from the fault": ofLine(strings.Repeat("y", 900), " more")},
	} {
		first := ""
		for name, change := range group {
			f := base()
			change(f)
			got := prints(f)[0]
			if other, ok := seen[got]; ok && first == "" {
				t.Errorf("%s has the fingerprint of %s", name, other)
			}
			if first = cmp.Or(first, got); got != first || len(got) != 32 {
				t.Errorf("%s changes the fingerprint to %s", name, got)
			}
			seen[got] = name
		}
	}
}

// TestFingerprintCounts checks that alike findings are told apart by counting them.
func TestFingerprintCounts(t *testing.T) {
	three := prints(base(), base(), base())
	if three[0] == three[1] || three[1] == three[2] || three[0] == three[2] {
		t.Errorf("alike findings share a fingerprint: %q", three)
	}
	if two := prints(base(), base()); two[0] != three[0] || two[1] != three[1] {
		t.Error("a further alike finding changes those before it")
	}
}

// TestFindingsOfBaseline checks that a baseline is given all findings of a file, and
// that those beyond its bound are counted.
func TestFindingsOfBaseline(t *testing.T) {
	b := &Mailbox{opts: Options{Limits: Limits{Findings: MaxFindings}}}
	found := b.newFindings()
	for i := range MaxFindings + 5 {
		found.add(&lint.Finding{Path: "a.md", Severity: lint.Error, Delta: i})
	}
	found.prune()
	if n := found.omitted["a.md"]; len(found.list) != MaxFindings || n != 5 {
		t.Errorf("%d findings are kept and %d counted", len(found.list), n)
	}
}
