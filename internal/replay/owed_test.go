package replay_test

import (
	"slices"
	"testing"

	"github.com/brennerlint/brennerlint/internal/replay"
	"github.com/brennerlint/brennerlint/internal/state"
)

// What a version got wrong and a later one shows as the deltas have it is one
// fault, and the later version matches.
func TestLaterVersionMends(t *testing.T) {
	same := func(*state.State) {}
	for _, tt := range []struct {
		name    string
		wrong   func(*state.State) // v1
		between []object           // deltas before v2
		mend    func(*state.State) // v2
		again   func(*state.State) // v3
		want    []string
	}{
		{"field", func(st *state.State) { set(st, "H2", "claim", "x") }, nil, func(st *state.State) { set(st, "H2", "claim", "claim 2") }, same, []string{"MR-013 H2 claim"}},
		{"field left out", func(st *state.State) { set(st, "H2", "mechanism", nil) }, nil, func(st *state.State) { set(st, "H2", "mechanism", "mechanism 2") }, same, []string{"MR-013 H2 mechanism"}},
		{"other field edited", func(st *state.State) { set(st, "H2", "claim", "x") }, []object{edit("H2", object{"mechanism": "new"})}, func(st *state.State) { set(st, "H2", "claim", "claim 2") }, same, []string{"MR-013 H2 claim"}},
		{"not mended", func(st *state.State) { set(st, "H2", "claim", "x") }, nil, same, func(st *state.State) { set(st, "H2", "claim", "claim 2") }, []string{"MR-013 H2 claim"}},
		{"mended wrongly", func(st *state.State) { set(st, "H2", "claim", "x") }, nil, func(st *state.State) { set(st, "H2", "claim", "y") }, same, []string{"MR-013 H2 claim", "MR-013 H2 claim"}},
		{"overtaken", func(st *state.State) { set(st, "H2", "claim", "x") }, []object{edit("H2", object{"claim": "new"})}, same, func(st *state.State) { set(st, "H2", "claim", "claim 2") }, []string{"MR-013 H2 claim", "MR-013 H2 claim"}},
		{"mended and lost again", func(st *state.State) { set(st, "H2", "claim", "x") }, nil, func(st *state.State) { set(st, "H2", "claim", "claim 2") }, func(st *state.State) { set(st, "H2", "claim", "x") }, []string{"MR-013 H2 claim", "MR-013 H2 claim"}},
		{"not killed", func(st *state.State) { setKilled(st, "A3", nil) }, nil, func(st *state.State) {
			setKilled(st, "A3", &state.Kill{By: "Ada", At: noon.Add(180e9), Reason: "it is refuted"})
		}, same, []string{"MR-014 A3"}},
		{"killed for another reason", func(st *state.State) {
			setKilled(st, "A3", &state.Kill{By: "Ada", At: noon.Add(180e9), Reason: "why not"})
		}, nil, func(st *state.State) {
			setKilled(st, "A3", &state.Kill{By: "Ada", At: noon.Add(180e9), Reason: "it is refuted"})
		}, same, []string{"MR-014 A3 kill_reason"}},
		{"killed by nobody", func(st *state.State) { setKilled(st, "A2", &state.Kill{By: "Eve", At: noon, Reason: "so"}) }, nil, func(st *state.State) { setKilled(st, "A2", nil) }, same, []string{"MR-014 A2"}},
		{"item", func(st *state.State) { drop(st, "A2") }, []object{edit("A2", object{"load": "more"})}, func(st *state.State) {
			st.Add(&state.Item{ID: id("A2"), Fields: object{"name": "Assumption 2", "statement": "statement 2", "load": "more", "test": "test", "status": "unchecked"}})
		}, same, []string{"MR-011 A2"}},
		{"another item", func(st *state.State) { drop(st, "A2") }, nil, func(st *state.State) {
			st.Add(&state.Item{ID: id("A2"), Fields: object{"name": "Other", "statement": "other", "load": "more", "test": "test", "status": "unchecked"}})
		}, same, []string{"MR-011 A2", "MR-012 A2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			posts := append(first(), post{from: "Ada", subject: "DELTA[opus]: x", deltas: []object{kill("A3")}})
			posts = publish(posts, 1, tt.wrong)
			posts = append(posts, post{from: "Ada", subject: "DELTA[opus]: x", deltas: tt.between})
			posts = publish(posts, 2, tt.mend)
			posts = publish(posts, 3, tt.again)
			r := replay.New(thread(posts), replay.Options{})
			got := slices.DeleteFunc(rules(r), func(s string) bool { return s == "MR-005" || s == "MR-006" || s == "MR-007" })
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if mended := len(tt.want) == 1 && tt.name != "not mended"; mended && !*r.Windows[1].Matches {
				t.Error("v2 does not match")
			}
		})
	}
}
