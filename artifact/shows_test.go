package artifact

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/state"
)

// checkShows checks that comparing an item where it stands is comparing it as data.
func checkShows(t fataler, kind protocol.Section, it *Item) {
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
	if counts := kind != protocol.ResearchThread || it.Killed || len(data) > 0; it.ID.Section != 0 && it.counts() != counts {
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
		checkShows(t, protocol.DiscriminativeTests, a.Sections[0].Items[0])
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
		for _, kind := range protocol.Sections {
			checkShows(t, kind, jsonItem(kind, root))
		}
	}
}
