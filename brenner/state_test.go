package brenner

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
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
