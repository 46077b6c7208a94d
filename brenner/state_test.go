package brenner

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

func id(t *testing.T, s string) ItemID {
	t.Helper()
	id, ok := ParseItemID(s)
	if !ok {
		t.Fatalf("%q is no item id", s)
	}
	return id
}

func TestAddKeepsIDOrder(t *testing.T) {
	var s State
	for _, n := range []string{"P10", "P2", "P1.H2", "P1.H1", "P1", "P2"} {
		s.Add(&Item{ID: id(t, n)})
	}
	var got []string
	for _, it := range s.Items(PredictionsTable) {
		got = append(got, it.ID.String())
	}
	if want := "P1 P1.H1 P1.H2 P2 P10"; strings.Join(got, " ") != want {
		t.Errorf("items stand as %v, want %s", got, want)
	}
	if s.Highest(PredictionsTable) != 10 {
		t.Errorf("highest is %d, want 10", s.Highest(PredictionsTable))
	}
	for _, n := range got {
		if it := s.Find(id(t, n)); it == nil || it.ID.String() != n {
			t.Errorf("Find(%s) = %v", n, it)
		}
	}
	for _, n := range []string{"P3", "P11", "P1.H3", "H1"} {
		if it := s.Find(id(t, n)); it != nil {
			t.Errorf("Find(%s) = %v, want none", n, it.ID)
		}
	}
	if s.Add(&Item{ID: id(t, "P2")}) {
		t.Error("an id that is taken was added again")
	}
}

func TestCanonicalJSON(t *testing.T) {
	var s State
	const empty = `{"adversarial_critique":[],"anomaly_register":[],"assumption_ledger":[],"discriminative_tests":[],"hypothesis_slate":[],"predictions_table":[],"research_thread":null}`
	if got := string(s.CanonicalJSON()); got != empty {
		t.Errorf("empty state:\n got %s\nwant %s", got, empty)
	}
	s.Add(NewItem(id(t, "RT"), map[string]any{"statement": "why?"}))
	killed := NewItem(id(t, "H10"), map[string]any{"name": "ten <&>\u2028", "\U0001F600": 1e21, "\uFB33": math.Copysign(0, -1), "n": nil, "l": []any{1.5, true, "é"}})
	killed.Killed = &Killing{By: "GreenDog", At: time.Date(2025, 12, 30, 13, 10, 0, 500e6, time.FixedZone("", 3600)), Reason: "gone"}
	s.Add(killed)
	s.Add(NewItem(id(t, "H2"), map[string]any{"huge": math.MaxFloat64}))
	// RFC 8785: names in order of UTF-16 units (the emoji's surrogates before
	// U+FB33), numbers as ECMAScript writes them, no escapes but the necessary.
	const want = `{"adversarial_critique":[],"anomaly_register":[],"assumption_ledger":[],"discriminative_tests":[],"hypothesis_slate":[` +
		`{"huge":1.7976931348623157e+308,"id":"H2"},` +
		`{"id":"H10","kill_reason":"gone","killed":true,"killed_at":"2025-12-30T12:10:00.5Z","killed_by":"GreenDog","l":[1.5,true,"é"],"n":null,"name":"ten <&>` + "\u2028" + `","` + "\U0001F600" + `":1e+21,"` + "\uFB33" + `":0}` +
		`],"predictions_table":[],"research_thread":{"id":"RT","statement":"why?"}}`
	if got := string(s.CanonicalJSON()); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got := s.Hash(); len(got) != len("sha256:")+64 || got != s.Hash() || got == new(State).Hash() {
		t.Errorf("hash is %s", got)
	}
}

// TestCanonicalIsCanonical checks the form against the library's own definition.
func TestCanonicalIsCanonical(t *testing.T) {
	names := rapid.StringOfN(rapid.SampledFrom([]rune("ab\x01é\uD7FF\uE000\uFFFD\U00010000\U0010FFFF")), 0, 4, -1)
	scalars := rapid.OneOf(rapid.Float64().AsAny(), names.AsAny(), rapid.Bool().AsAny())
	rapid.Check(t, func(t *rapid.T) {
		var v any = rapid.MapOf(names, scalars).Draw(t, "members")
		v = []any{v, map[string]any{"nested": v}}
		got := Canonical(v)
		want := jsontext.Value(got)
		if err := want.Canonicalize(); err != nil || string(want) != got {
			t.Errorf("got %s\nwant %s (%v)", got, want, err)
		}
	})
}

// TestClone changes a copy in every way: the state that it was made of stays as it was, and each
// counts its own items.
func TestClone(t *testing.T) {
	var s, other State
	named := func(n, name string) *Item { return NewItem(id(t, n), map[string]any{"name": name}) }
	for _, n := range []string{"H1", "H2", "H3", "A1", "A2", "P1"} {
		s.Add(named(n, "Scale check"))
	}
	other.Add(named("P2", "x"))
	before := string(s.CanonicalJSON())
	c := s.Clone()
	killed := c.Find(id(t, "A2")).Clone()
	killed.Killed = &Killing{By: "Ada"}
	c.Put(killed)
	c.Put(named("A1", "x"))
	c.Put(named("A4", "x"))
	c.Add(named("H9", "x"))
	c.Add(named("P7", "x"))
	c.Remove(map[ItemID]bool{id(t, "H9"): true, id(t, "H2"): true})
	c.Replace(PredictionsTable, &other)
	c.Put(named("P2", "y"))
	other.Replace(HypothesisSlate, c)
	if got := string(s.CanonicalJSON()); got != before {
		t.Errorf("the state becomes %s, was %s", got, before)
	}
	for _, tt := range []struct {
		of     *State
		sec    Section
		want   string
		active int
		marked bool
	}{
		{&s, AssumptionLedger, "A1 A2", 2, true}, {c, AssumptionLedger, "A1 A2 A4", 2, false}, {c, HypothesisSlate, "H1 H3", 2, false}, {c, PredictionsTable, "P2", 1, false},
	} {
		var got []string
		for _, it := range tt.of.Items(tt.sec) {
			got = append(got, it.ID.String())
		}
		if strings.Join(got, " ") != tt.want || tt.of.Len(tt.sec) != len(got) || tt.of.Active(tt.sec) != tt.active || tt.of.HasMarked(tt.sec) != tt.marked {
			t.Errorf("%s: %v, %d active, marked %v; want %s", tt.sec, got, tt.of.Active(tt.sec), tt.of.HasMarked(tt.sec), tt.want)
		}
	}
	if other.Highest(HypothesisSlate) != 9 || c.Highest(PredictionsTable) != 7 || other.Find(id(t, "P2")).Text("name") != "x" || c.Find(id(t, "A2")).Active() || c.Equal(&s) {
		t.Error("the copies are not what was made of them")
	}
}

func TestEqual(t *testing.T) {
	var a State
	for _, n := range []string{"RT", "H1", "H2"} {
		a.Add(NewItem(id(t, n), map[string]any{"name": n}))
	}
	b := a.Clone()
	noted := b.Find(id(t, "H1")).Clone()
	noted.Note = "noted"
	if b.Put(noted); !a.Equal(b) {
		t.Error("a note is taken for content")
	}
	other := noted.Clone()
	other.Fields()["name"] = "other"
	if b.Put(other); a.Equal(b) {
		t.Error("another name is not seen")
	}
	b = a.Clone()
	if b.Add(&Item{ID: id(t, "A1")}); a.Equal(b) || b.Equal(&a) {
		t.Error("an item more is not seen")
	}
}

// TestFoldLayers checks that a text in which dropping one thing joins another to drop, very many times, is not
// read as often.
func TestFoldLayers(t *testing.T) {
	const n = 2000
	layers := strings.Repeat("~<!-", n) + "~~" + strings.Repeat("- c -->~", n)
	if allocs := testing.AllocsPerRun(1, func() { Fold(layers) }); allocs > 1000 {
		t.Errorf("%v allocations", allocs)
	}
	if _, taken := Unmark(strings.Repeat("_\t", n) + "x" + strings.Repeat("\t_", n)); taken == 0 || taken > 100 {
		t.Errorf("%d bytes of marks are taken off", taken)
	}
}

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
				"expected_outcomes": []any{" no", "object"}, "actual_outcomes": " no\nobject ",
				"last_run": map[string]any{"exit_code": "0", "timed_out": false, "duration_ms": 1234.0, "summary": "s", "host": "lost"},
			},
			map[string]any{
				"score":             map[string]any{"likelihood_ratio": 3.0, "cost": 2.0, "speed": "high"},
				"expected_outcomes": `[" no","object"]`, "actual_outcomes": "no object",
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
