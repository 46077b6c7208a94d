package session

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFields(t *testing.T) {
	m := message("INFO: x", strings.Join([]string{
		"**Base Version**: v2",
		"**Action:** Response to C1",
		"",
		"- **Artifact Path**: `artifacts/RS-20251230-cell-fate.md` (pending)",
		"* **Status** :  **Persisted**  ",
		"+ **Git Commit**:",
		"  1. **Deep**: _nested_",
		"",
		"> **Quoted**: no",
		"",
		"    **Code**: no",
		"",
		"**Bold** alone, **not a**field",
		"****: no",
		"Schema: PASS",
		"** Spaced **: yes",
		"**Twice**: 1",
		"**twice**: 2",
		"__Version__: v3",
		"- __Path:__ `p`",
		"__Mixed**: no",
		"_Thin_: no",
	}, "\n"))
	type field struct{ Name, Text string }
	var got []field
	for i := range m.Fields {
		f := &m.Fields[i]
		got = append(got, field{f.Name, f.Text})
		if m.Body.Slice(f.Value) != f.Text {
			t.Errorf("%s: the span of the value holds %q, the text is %q", f.Name, m.Body.Slice(f.Value), f.Text)
		}
		if m.Body.Slice(f.Label) != f.Name {
			t.Errorf("%s: the span of the label holds %q", f.Name, m.Body.Slice(f.Label))
		}
	}
	want := []field{
		{"Base Version", "v2"}, {"Action", "Response to C1"}, {"Artifact Path", "artifacts/RS-20251230-cell-fate.md"},
		{"Status", "Persisted"}, {"Git Commit", ""}, {"Deep", "nested"}, {"Spaced", "yes"}, {"Twice", "1"}, {"twice", "2"},
		{"Version", "v3"}, {"Path", "p"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if f := m.Field("TWICE"); f == nil || f.Text != "1" {
		t.Errorf("Field finds %v, want the first", f)
	}
	if m.Field("Schema") != nil {
		t.Error("a line without a bold name is a field line")
	}
}

func TestPairs(t *testing.T) {
	m := message("COMPILED: v1", strings.Join([]string{
		"## Statistics", "- Hypotheses: 3", "- **Tests**: `2`", "no pair", ": neither", "", "## Other", "- Tests: 9",
	}, "\n"))
	var got []string
	for _, f := range m.Section("Statistics").Pairs() {
		got = append(got, f.Name+"="+f.Text)
	}
	if want := []string{"Hypotheses=3", "Tests=2"}; !cmp.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if f := m.Section("Other").Field("Tests"); f != nil {
		t.Errorf("Field of a section finds the line %q, whose name is not bold", f.Text)
	}
}

func TestIsPlaceholder(t *testing.T) {
	for text, want := range map[string]bool{
		"{Session/Work Title}": true, " {a\nb} ": true, "{}": false, `{"a": 1}`: false, "{a} b": false, "a}": false, "xa}": false, "{ab": false, "{a}{b}": false, "": false, "{": false,
	} {
		if got := IsPlaceholder(text); got != want {
			t.Errorf("IsPlaceholder(%q) = %v", text, got)
		}
	}
}
