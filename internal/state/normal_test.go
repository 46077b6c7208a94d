package state

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/protocol"
)

func TestFold(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain", "plain"},
		{"  a \t\r\n\r\n  b  \n", "a b"},
		{"a<br/>b<br>c<br />d\re", "a b c d e"},
		{"~~struck~~", "struck"},
		{"~~ ~~twice~~ ~~", "twice"},
		{"~~open", "~~open"},
		{"~~~", "~~~"},
		{"—", ""},
		{"~~—~~", ""},
		{"a — b", "a — b"},
		{`a\|b \*c\* \\d \e`, `a|b *c* \d \e`},
		{`\\\#`, "#"},
		{"\u00a0x", "\u00a0x"},
	}
	for _, tt := range tests {
		got := Fold(tt.in)
		if got != tt.want {
			t.Errorf("Fold(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if again := Fold(got); again != got {
			t.Errorf("Fold(%q) = %q, folded again %q", tt.in, got, again)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{`~~a\|b<br/>~~`, " \\\\\n—\r", "~~~~"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s)
		if twice := Fold(once); twice != once {
			t.Errorf("%q folds to %q, then to %q", s, once, twice)
		}
	})
}

func TestNormal(t *testing.T) {
	at := time.Date(2025, 12, 30, 12, 10, 0, 0, time.FixedZone("", 3600))
	var s State
	s.Add(&Item{ID: id(t, "RT"), Fields: map[string]any{"statement": " — ", "references": []any{}}})
	s.Add(&Item{ID: id(t, "H1"), Fields: map[string]any{
		"name": "All Wrong (third alternative)", "claim": "a<br/>b", "mechanism": 3.5,
		"anchors": []any{"§1, §2", " ", "§3"}, "labels": "one", "third_alternative": "true", "references": []any{"lost"}, "unknown": "lost",
	}})
	s.Add(&Item{ID: id(t, "H2"), Fields: map[string]any{"name": "(Third Alternative)", "third_alternative": false}, Killed: &Kill{By: " A ", At: at, Reason: "x\n\ny"}})
	s.Add(&Item{ID: id(t, "P1"), Fields: map[string]any{"predictions": map[string]any{"H1": "N/A", "H2": "N/A", "": "lost", "H3": nil}, "anchors": []any{"§1"}}, Killed: &Kill{By: "A"}})
	s.Add(&Item{ID: id(t, "P2"), Fields: map[string]any{"predictions": map[string]any{"H2": "N/A"}}})
	s.Add(&Item{ID: id(t, "T1"), Fields: map[string]any{
		"score":             map[string]any{"likelihood_ratio": "3 (much)", "cost": 2.0, "speed": "high!", "ambiguity": nil, "total": 9.0},
		"expected_outcomes": "no object",
		"last_run":          map[string]any{"exit_code": "0", "timed_out": false, "duration_ms": 1234.0, "summary": "s", "host": "lost"},
	}})

	got := map[string]any{}
	n := Normal(&s)
	for _, sec := range protocol.Sections {
		for _, it := range n.Items(sec) {
			got[it.ID.String()] = it.Fields
			if it.Killed != nil {
				got[it.ID.String()+" killed"] = *it.Killed
			}
		}
	}
	want := map[string]any{
		"H1":        map[string]any{"name": "All Wrong", "claim": "a b", "mechanism": "3.5", "anchors": []any{"§1", "§2", "§3"}, "labels": []any{"one"}, "third_alternative": true},
		"H2":        map[string]any{"name": "(Third Alternative)"},
		"H2 killed": Kill{By: "A", At: at.UTC(), Reason: "x y"},
		"P1":        map[string]any{"predictions": map[string]any{"H1": "N/A"}},
		"P1 killed": Kill{},
		"P2":        map[string]any{},
		"T1": map[string]any{
			"score":    map[string]any{"likelihood_ratio": 3.0, "cost": 2.0, "speed": "high"},
			"last_run": map[string]any{"exit_code": 0.0, "duration_ms": 123.0, "summary": "s"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
