package engine

import (
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

func with(change func(*lint.Finding)) *lint.Finding {
	f := base()
	change(f)
	return f
}

func TestFingerprintSurvives(t *testing.T) {
	want := prints(base())[0]
	if len(want) != 32 {
		t.Fatalf("fingerprint %q has %d characters, want 32", want, len(want))
	}
	for name, f := range map[string]*lint.Finding{
		"a moved line":       with(func(f *lint.Finding) { f.Range.Start.Line, f.Frame.Line = 99, 40 }),
		"another line above": with(func(f *lint.Finding) { f.Frame.Lines[0] = "new" }),
		"no line above":      with(func(f *lint.Finding) { f.Frame.Lines = f.Frame.Lines[1:] }),
		"another export":     with(func(f *lint.Finding) { f.Path = "storage.sqlite3" }),
		"another wording":    with(func(f *lint.Finding) { f.Message = "delta 2 is no JSON" }),
		"indentation":        with(func(f *lint.Finding) { f.Frame.Lines[1] = "\t\"anchors\":  [\"§161\",]" }),
	} {
		if got := prints(f)[0]; got != want {
			t.Errorf("%s changes the fingerprint", name)
		}
	}
}

func TestFingerprintTellsApart(t *testing.T) {
	seen := map[string]string{prints(base())[0]: "the finding itself"}
	for name, f := range map[string]*lint.Finding{
		"rule":    with(func(f *lint.Finding) { f.Rule = "DL-006" }),
		"thread":  with(func(f *lint.Finding) { f.Thread = "RS-20260101-other" }),
		"message": with(func(f *lint.Finding) { f.MessageID = "18" }),
		"item":    with(func(f *lint.Finding) { f.Item = "T2" }),
		"field":   with(func(f *lint.Finding) { f.Field = "anchors" }),
		"line":    with(func(f *lint.Finding) { f.Frame.Lines[1] = `"anchors": ["§162",]` }),
		"no text": with(func(f *lint.Finding) { f.Frame = nil }),
		"a file":  with(func(f *lint.Finding) { f.MessageID, f.Thread = "", "" }),
	} {
		got := prints(f)[0]
		if other, ok := seen[got]; ok {
			t.Errorf("another %s has the fingerprint of %s", name, other)
		}
		seen[got] = name
	}
}

func TestFingerprintOfFile(t *testing.T) {
	file := func(path, thread string) *lint.Finding {
		return with(func(f *lint.Finding) { f.Path, f.Thread, f.MessageID, f.Artifact = path, thread, "", true })
	}
	want := prints(file("artifacts/RS-20251230-cell-fate.md", "RS-20251230-cell-fate"))[0]
	if prints(file("/home/me/old/RS-20251230-cell-fate.md", ""))[0] != want {
		t.Error("the folder or the session id changes the fingerprint of an artifact's finding")
	}
	if prints(file("artifacts/RS-20260101-other.md", "RS-20251230-cell-fate"))[0] == want {
		t.Error("another file has the same fingerprint")
	}
}

func TestFingerprintCounts(t *testing.T) {
	three := prints(base(), base(), base())
	if three[0] == three[1] || three[1] == three[2] || three[0] == three[2] {
		t.Errorf("alike findings share a fingerprint: %q", three)
	}
	if two := prints(base(), base()); two[0] != three[0] || two[1] != three[1] {
		t.Error("a further alike finding changes those before it")
	}
}

func TestFingerprintOfLongLine(t *testing.T) {
	long := func(before, after string) *lint.Finding {
		return with(func(f *lint.Finding) {
			line := before + `"§161",]` + strings.Repeat("§", 150) + after
			f.Frame = &lint.Frame{Lines: []string{line}, Start: len(before), End: len(before) + 1}
		})
	}
	want := prints(long(strings.Repeat("x", 500), ""))[0]
	if prints(long(strings.Repeat("y", 900), " more"))[0] != want {
		t.Error("text far from the fault changes the fingerprint")
	}
}

// TestFindingsOfBaseline checks that a baseline is given all findings of a file, and
// that those beyond its bound are counted.
func TestFindingsOfBaseline(t *testing.T) {
	b := &Mailbox{opts: Options{Limits: Limits{Findings: AllFindings}}}
	found := b.newFindings()
	for i := range maxBaseline + 5 {
		found.add(&lint.Finding{Path: "a.md", Severity: lint.Error, Delta: i})
	}
	found.prune()
	if n := found.omitted[omission{"a.md", lint.Error}]; len(found.list) != maxBaseline || n != 5 {
		t.Errorf("%d findings are kept and %d counted", len(found.list), n)
	}
}
