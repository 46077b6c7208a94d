package artifact

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// TestItems checks that Items yields what State has, each once, where ids are given twice,
// are out of order or have large numbers.
func TestItems(t *testing.T) {
	const text = `## 1. Research Thread

## 2. Hypothesis Slate
### H2: First
**Claim**: a
### H2: Again
### H1: Before
### H64: Large
### H999999: Larger
### H64: Again
### H63: Last
### H63: Again

## 3. Predictions Table
| ID | Condition | H1 |
|---|---|---|
| P1 | First | x |
| P1.H1 | Scoped | x |
| P1.H1 | Again | x |
| P1.H2 | Scoped | x |
| P1 | Again | x |

## 2. Hypothesis Slate
### H1: Again
### H3: Later

## 1. Research Thread
**RT**: Why?
`
	a := ParseMarkdown(source.NewText([]byte(text)), Limits{})
	var got []string
	for it := range a.Items() {
		got = append(got, fmt.Sprint(it.ID, " ", it.Name, it.Text("condition"), it.Text("statement")))
	}
	want := []string{"H2 First", "H1 Before", "H64 Large", "H999999 Larger", "H63 Last", "P1 First", "P1.H1 Scoped", "P1.H2 Scoped", "H3 Later", "RT Why?"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for range a.Items() {
		break // the rest is not wanted
	}
	s, n := a.State(), 0
	for it := range a.Items() {
		n++
		if diff := cmp.Diff(it.State(it.ID.Section).Fields(), s.Find(it.ID).Fields()); diff != "" {
			t.Errorf("%v is another item in the state (-item +state):\n%s", it.ID, diff)
		}
	}
	for _, sec := range brenner.Sections {
		n -= s.Len(sec)
	}
	if n != 0 {
		t.Errorf("%d items more than in the state", n)
	}
}

// TestManyItems reads hundreds of items.
func TestManyItems(t *testing.T) {
	const n = 768
	var b strings.Builder
	b.WriteString("## 2. Hypothesis Slate\n\n")
	for i := range n {
		fmt.Fprintf(&b, "### H%d: Name %d\n**Claim**: Claim %d\n**Anchors**: §%d, §1\n\n", i+1, i+1, i+1, i+1)
	}
	items := ParseMarkdown(source.NewText([]byte(b.String())), Limits{}).Sections[0].Items
	if len(items) != n {
		t.Fatalf("%d items, expected %d", len(items), n)
	}
	for i, it := range items {
		if it.ID.Number != i+1 || it.Name != fmt.Sprint("Name ", i+1) || len(it.Fields) != 2 || it.Text("claim") != fmt.Sprint("Claim ", i+1) || it.Fields[1].Entries[0].Text != fmt.Sprint("§", i+1) {
			t.Fatalf("item %d is %v: %q with %d fields", i, it.ID, it.Name, len(it.Fields))
		}
	}
}

// checkShows checks that comparing an item where it stands is comparing it as data.
func checkShows(t fataler, kind brenner.Section, it *Item) {
	t.Helper()
	data := it.State(kind).Fields()
	for i := range kind.Fields() {
		f := &kind.Fields()[i]
		value := data[f.Key]
		if diff := cmp.Diff(value, it.Value(f)); diff != "" {
			t.Fatalf("%s of %v (-in state +value):\n%s", f.Key, it.ID, diff)
		}
		for _, v := range append(others(value), value) {
			if it.Shows(f, v) != state.SameValue(value, v) {
				t.Fatalf("%s of %v is %v, but Shows(%v) is %v", f.Key, it.ID, value, v, it.Shows(f, v))
			}
		}
	}
	if counts := kind != brenner.ResearchThread || it.Killed || len(data) > 0; it.ID.Section != 0 && it.counts() != counts {
		t.Fatalf("%v counts: %v, with %v", it.ID, it.counts(), data)
	}
}

// others returns values that differ from v, some only in a part.
func others(v any) []any {
	out := []any{nil, "", "x", true, false, 2.0, []any{}, []any{"x"}, map[string]any{}, map[string]any{"x": "y"}}
	switch v := v.(type) {
	case []any:
		out = append(out, append(v[:len(v):len(v)], "x"), append([]any{"x"}, v[min(1, len(v)):]...), v[:max(0, len(v)-1)])
	case map[string]any:
		for key := range v {
			less, more, other := maps.Clone(v), maps.Clone(v), maps.Clone(v)
			delete(less, key)
			more[key+"x"], other[key] = "x", "x"
			renamed := maps.Clone(less)
			renamed[key+"x"] = v[key]
			out = append(out, less, more, other, renamed)
		}
	}
	return out
}

// TestShows checks values that are given twice, are not of the form of their field, or are
// longer than what is compared where it stands.
func TestShows(t *testing.T) {
	long := "- H1: x\n"
	for n := range 2 * maxCompared {
		long += "- H" + string(rune('2'+n%8)) + ": yes\n"
	}
	for _, fields := range []string{
		"**Expected outcomes**:\n- H1: yes\n- H1: no\n- H2: no",
		"**Expected outcomes**:\n- H1: —\n- H1: no\n- H1:",
		"**Expected outcomes**:\n" + long,
		"**Expected outcomes**: —\n**Expected outcomes**:\n- H1: no",
		"**Score**: LR=2, Cost=NaN, Speed=+3, LR=3, Ambiguity=0x1p4",
		"**Last run**: never",
		"**Last run**:\n- Exit code: 0\n- Duration: 1.5s\n- Timed out: no",
		"**Last run**:\n- Nothing: known",
		"**Status**: —\n**Status**: passed\n**Status**: failed",
		"**Anchors**: §1, §2-4\n**Labels**: a, b",
	} {
		a := ParseMarkdown(source.NewText([]byte("## 4. Discriminative Tests\n\n### T1: Name\n"+fields+"\n")), Limits{})
		checkShows(t, brenner.DiscriminativeTests, a.Sections[0].Items[0])
	}
}

// TestJSONShows does the same for JSON.
func TestJSONShows(t *testing.T) {
	for _, fields := range []string{
		`"name": "x", "name": "y"`, `"name": "", "status": " "`, `"name": null, "claim": 1`, `"anchors": "§1"`, `"anchors": []`,
		`"score": {"cost": 2, "speed": null}`, `"third_alternative": false`, `"references": [{"a": 1}]`, `"killed": true`,
	} {
		root, err := jsontree.Parse([]byte(`{"id": "H1", `+fields+`}`), jsontree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range brenner.Sections {
			checkShows(t, kind, jsonItem(kind, root))
		}
	}
}

// normal returns a state as far as a rendering in Markdown shows it, its values in
// normal form. Left out are what is never rendered: references, unknown fields,
// who killed a prediction, and the N/A of killed hypotheses.
func normal(s *state.State) *state.State {
	out := &state.State{}
	for _, sec := range brenner.Sections {
		for _, it := range s.Items(sec) {
			n := state.NewItem(it.ID, make(map[string]any, len(it.Fields())))
			for key, v := range it.Fields() {
				f := sec.Field(key)
				if f == nil {
					continue
				}
				if v = state.NormalValue(sec, f, v); v != nil {
					n.Fields()[key] = v
				}
			}
			if it.Killed != nil {
				n.Killed = normalKill(sec, it.Killed)
			}
			if sec == brenner.PredictionsTable {
				dropKilled(s, n)
			}
			if sec != brenner.ResearchThread || len(n.Fields()) > 0 || n.Killed != nil {
				out.Add(n)
			}
		}
	}
	return out
}

func normalKill(sec brenner.Section, k *state.Kill) *state.Kill {
	if sec == brenner.PredictionsTable {
		return &state.Kill{} // a row shows only that it is killed
	}
	return &state.Kill{By: state.Fold(k.By), At: k.At.UTC(), Reason: state.Fold(k.Reason)}
}

// dropKilled removes the outcomes N/A of killed hypotheses from a prediction.
func dropKilled(s *state.State, prediction *state.Item) {
	outcomes, _ := prediction.Fields()["predictions"].(map[string]any)
	for key, v := range outcomes {
		id, ok := brenner.ParseItemID(key)
		text, _ := v.(string)
		if !ok || !strings.EqualFold(text, "N/A") || id.Section != brenner.HypothesisSlate {
			continue
		}
		if h := s.Find(id); h != nil && h.Killed != nil {
			delete(outcomes, key)
		}
	}
	if len(outcomes) == 0 {
		delete(prediction.Fields(), "predictions")
	}
}
