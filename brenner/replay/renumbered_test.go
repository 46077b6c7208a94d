package replay_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
)

// renumber gives hypotheses other ids, in all fields that name them too.
func renumber(ids ...string) func(*brenner.State) {
	return func(st *brenner.State) {
		out, all := &brenner.State{}, strings.NewReplacer(ids...)
		for _, sec := range brenner.Sections {
			for _, it := range st.Items(sec) {
				var fields object
				if err := json.Unmarshal([]byte(all.Replace(brenner.Canonical(it.Fields()))), &fields); err != nil {
					panic(err)
				}
				out.Add(itemOf(id(all.Replace(it.ID.String())), fields, it.Killed))
			}
		}
		*st = *out
	}
}

// What names a renumbered item by its new id is not a second difference (decisions.md
// 25), in the version that renumbers it and in those that follow.
func TestRenumbered(t *testing.T) {
	anomaly := add("anomaly_register", object{"name": "Odd", "observation": "o", "conflicts_with": []string{"H2", "A1"}, "status": "active", "resolution_plan": "look"})
	posts := func() []post { return round2(anomaly, edit("H1", object{"claim": "new"})) }
	later := func(deltas ...object) []post {
		return append(publish(posts(), 2, renumber("H2", "H4")), from("Cyd", 2, deltas...))
	}
	edges(t,
		edge{name: "everywhere", posts: posts(), change: renumber("H2", "H4"), want: "MR-015 H4"},
		edge{name: "two swapped", posts: posts(), change: renumber("H1", "H2", "H2", "H1"), want: "MR-015 H1; MR-015 H2"},
		edge{name: "only in the heading", posts: posts(), change: renumber("H2", "H4"), old: "| H1 | H3 | H4 |", new: "| H1 | H3 | H2 |", want: "MR-015 H4"},
		edge{name: "with another outcome", posts: posts(), change: both(renumber("H2", "H4"), sets("P1", "predictions", object{"H1": "yes", "H3": "maybe", "H4": "other"})),
			want: "MR-013 P1 predictions; MR-015 H4"},
		edge{name: "another hypothesis named", posts: posts(), change: both(renumber("H2", "H4"), sets("T1", "discriminates", "H3 vs H4")), want: "MR-013 T1 discriminates; MR-015 H4"},
		edge{name: "one left out, the next in its place", posts: posts(), change: both(func(st *brenner.State) { drop(st, "H2") }, renumber("H3", "H2"), sets("T1", "discriminates", "H1 vs H2", "T2", "discriminates", "H1 vs H2")),
			want: "MR-011 H2; MR-013 P1 predictions; MR-015 H2"}, // what H2 had is in no column (85)
		edge{name: "in the version before", posts: later(edit("H1", object{"claim": "newest"})), want: "MR-015 H4"},
		edge{name: "in the version before, with a KILL", posts: later(kill("H4")), want: "MR-015 H4"},
	)
}
