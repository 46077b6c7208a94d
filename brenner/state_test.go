package brenner

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
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

// model is a plain description of a state: what each item has, as text.
type model map[ItemID]string

func (m model) of(sec Section) []ItemID {
	var out []ItemID
	for id := range m {
		if id.Section == sec {
			out = append(out, id)
		}
	}
	slices.SortFunc(out, ItemID.Compare)
	return out
}

// Clones, even of clones, are independent of each other, and each counts and finds its
// items, however many it has.
func TestClonesAreIndependent(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 0))
		states, models := []*State{{}}, []model{{}}
		for range 1 + r.IntN(60) {
			i := r.IntN(len(states))
			s, m := states[i], models[i]
			switch r.IntN(7) {
			case 0:
				states, models = append(states, s.Clone()), append(models, maps.Clone(m))
			case 1:
				for _, it := range states[r.IntN(len(states))].Items(HypothesisSlate) {
					if s.Add(it) {
						m[it.ID] = jsonOf(it)
					}
				}
			case 2:
				other := states[r.IntN(len(states))]
				for _, sec := range []Section{HypothesisSlate, PredictionsTable} {
					for _, it := range other.Items(sec) {
						s.Put(it)
						m[it.ID] = jsonOf(it)
					}
				}
			case 3:
				sec, other := Sections[r.IntN(len(Sections))], r.IntN(len(states))
				highest := max(s.Highest(sec), states[other].Highest(sec))
				if s.Replace(sec, states[other]); s.Highest(sec) != highest {
					t.Fatalf("the highest number of %s is %d, not %d", sec, s.Highest(sec), highest)
				}
				for id := range m {
					if id.Section == sec {
						delete(m, id)
					}
				}
				for _, it := range states[other].Items(sec) {
					m[it.ID] = jsonOf(it)
				}
			default:
				sec := []Section{HypothesisSlate, PredictionsTable, AssumptionLedger}[r.IntN(3)]
				low := 1 + r.Int32N(150)
				for n := range r.Int32N(100) {
					change(r, s, m, ItemID{Section: sec, Number: low + n})
				}
			}
			if r.IntN(4) == 0 {
				check(t, s, m)
			}
		}
		for i, s := range states {
			check(t, s, models[i])
			for j, other := range states {
				if same := maps.Equal(models[i], models[j]); s.Equal(other) != same {
					t.Fatalf("states %d and %d are equal: %t", i, j, !same)
				}
			}
		}
	}
}

// change adds an item, or changes it if it exists.
func change(r *rand.Rand, s *State, m model, id ItemID) {
	fields := map[string]any{"name": []string{"x", "Third alternative", "Scale check"}[r.IntN(3)]}
	if id.Section == PredictionsTable {
		fields["predictions"] = map[string]any{fmt.Sprint("H", 1+r.IntN(3)): "up"}
	}
	if _, there := m[id]; !there {
		it := NewItem(id, fields)
		s.Add(it)
		m[id] = jsonOf(it)
		return
	}
	it := s.Find(id).Clone()
	maps.Copy(it.Fields(), fields)
	it.Killed = nil
	if r.IntN(2) == 0 {
		it.Killed = &Killing{By: "Ada"}
	}
	m[id] = jsonOf(it)
	s.Put(it)
}

func jsonOf(it *Item) string { return string(it.canonicalJSON()) }

func check(t *testing.T, s *State, m model) {
	for _, sec := range Sections {
		ids, items := m.of(sec), s.Items(sec)
		active, marked := 0, 0
		for i, it := range items {
			if i >= len(ids) || it.ID != ids[i] || jsonOf(it) != m[it.ID] || s.Find(it.ID) != it {
				t.Fatalf("item %d of %s is %s", i, sec, jsonOf(it))
			}
			if it.Active() {
				active++
				if it.Marked() {
					marked++
				}
			}
		}
		if len(items) != len(ids) || s.Len(sec) != len(ids) || s.Active(sec) != active || s.HasMarked(sec) != (marked > 0) {
			t.Fatalf("%s: %d items of %d, %d active of %d, marked %t of %d", sec, s.Len(sec), len(ids), s.Active(sec), active, s.HasMarked(sec), marked)
		}
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
