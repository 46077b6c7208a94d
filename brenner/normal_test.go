package brenner

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain", "plain"},
		{"  a \t\r\n\r\n  b  \n", "a b"},
		{"a<br/>b<br>c<br />d\re", "a b c d e"},
		{"~~struck~~", "struck"},
		{"~~ ~~twice~~ ~~", "twice"},
		{"~~one~~ by ~~one~~", "one by one"},
		{"~~~", "~"},
		{"**bold**", "bold"},
		{"`x = 1`", "x = 1"},
		{"_a_b_", "a_b"},
		{"**a** and **b**", "**a** and **b**"},
		{"`a` and `b`", "`a` and `b`"},
		{"a <!-- remark --> b", "a b"},
		{"a<!-- remark -->b", "ab"},
		{"a\\\nb\\", "a b"},
		{"<!<!-- -->--", "<! --"},
		{"a <!-- b", "a <!-- b"},
		{"—", ""},
		{"~~—~~", ""},
		{"a — b", "a — b"},
		{`a\|b \*c\* \\d \e`, `a|b *c* \d \e`},
		{`\\\#`, "#"},
		{"\u00a0x\u2003\n\u00a0y", "x y"},
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

func TestNormalValue(t *testing.T) {
	for item, fields := range map[string]struct{ given, want map[string]any }{
		"RT": {map[string]any{"statement": " — ", "references": []any{}}, map[string]any{}},
		"H1": {
			map[string]any{
				"name": "All Wrong (third alternative)", "claim": "a<br/>b", "mechanism": 3.5, "anchors": []any{"§1, §2", " ", "§3"},
				"labels": "one", "third_alternative": "true", "references": []any{"lost"},
			},
			map[string]any{
				"name": "All Wrong", "claim": "a b", "mechanism": "3.5", "anchors": []any{"§1", "§2", "§3"},
				"labels": []any{"one"}, "third_alternative": true,
			},
		},
		"H2": {map[string]any{"name": "(Third Alternative)", "third_alternative": false}, map[string]any{"name": "(Third Alternative)"}},
		"H3": {map[string]any{"third_alternative": "CONFLICT: false | true"}, map[string]any{"third_alternative": "CONFLICT: false | true"}},
		"P1": {
			map[string]any{"predictions": map[string]any{"H1": "N/A", "": "lost", "H3": nil}, "anchors": []any{"§1"}},
			map[string]any{"predictions": map[string]any{"H1": "N/A"}},
		},
		"T1": {
			map[string]any{
				"score":             map[string]any{"likelihood_ratio": "3 (much)", "cost": 2.0, "speed": "high!", "ambiguity": nil, "total": 9.0},
				"expected_outcomes": "no object",
				"last_run":          map[string]any{"exit_code": "0", "timed_out": false, "duration_ms": 1234.0, "summary": "s", "host": "lost"},
			},
			map[string]any{
				"score":    map[string]any{"likelihood_ratio": 3.0, "cost": 2.0, "speed": "high"},
				"last_run": map[string]any{"exit_code": 0.0, "duration_ms": 123.0, "summary": "s"},
			},
		},
	} {
		sec := id(t, item).Section
		got := map[string]any{}
		for key, v := range fields.given {
			if n := NormalValue(sec, sec.Field(key), v); n != nil {
				got[key] = n
			}
		}
		if diff := cmp.Diff(fields.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", item, diff)
		}
	}
}
