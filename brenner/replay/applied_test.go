package replay_test

import (
	"maps"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
)

// A rejected delta counts as applied only if everything it sets shows in what was
// published (decisions.md 25).
func TestAppliedRejects(t *testing.T) {
	update := func(item string, payload object) object {
		return object{"operation": "update", "section": sectionOf(item), "target_id": item, "payload": payload}
	}
	noReason := object{"operation": "KILL", "section": "assumption_ledger", "target_id": "A2"}
	killed := func(by string) func(*brenner.State) {
		return func(st *brenner.State) { setKilled(st, "A2", &brenner.Killing{By: by}) }
	}
	isKilled := func(item, reason string) func(*brenner.State) {
		return func(st *brenner.State) { setKilled(st, item, &brenner.Killing{By: "Cyd", Reason: reason}) }
	}
	thread := func(operation, section, target string) object {
		return object{"operation": operation, "section": section, "target_id": target, "payload": object{"context": "other"}}
	}
	a9 := func(fields object) func(*brenner.State) {
		return func(st *brenner.State) { st.Add(brenner.NewItem(id("A9"), fields)) }
	}
	several := round2()
	several[len(several)-1].body = "```delta\n" + `[{"operation": "EDIT", "section": "assumption_ledger", "target_id": "A1", "payload": {"load": "heavy"}},
		{"operation": "EDIT", "section": "assumption_ledger", "target_id": "A2", "payload": {"load": "light"}}]` + "\n```\n"
	edges(t,
		edge{name: "nothing of it shows", posts: round2(update("A1", object{"load": "heavy"}))},
		edge{name: "half of it shows", posts: round2(update("A1", object{"load": "heavy", "test": "weigh"})), change: sets("A1", "load", "heavy"), want: "MR-013 A1 load"},
		edge{name: "all of it shows", posts: round2(update("A1", object{"load": "heavy", "test": "weigh"})), change: sets("A1", "load", "heavy", "A1", "test", "weigh"), want: "MR-022 A1"},
		edge{name: "it shows, and more", posts: round2(update("A1", object{"load": "heavy"})), change: sets("A1", "load", "heavy", "A1", "test", "weigh"), want: "MR-013 A1 test; MR-022 A1"},
		edge{name: "one that changes nothing", posts: round2(update("A1", object{"load": "load"}))},
		edge{name: "a KILL without a reason", posts: round2(noReason), change: killed("Cyd"), want: "MR-022 A2"},
		edge{name: "a KILL without a reason, published with one", posts: round2(noReason), change: isKilled("A2", "old"), want: "MR-022 A2"},
		edge{name: "a KILL whose reason has another name", posts: round2(object{"operation": "KILL", "section": "assumption_ledger", "target_id": "A2", "payload": object{"reasons": "old"}}),
			change: isKilled("A2", "old"), want: "MR-022 A2"},
		edge{name: "the same, published with another", posts: round2(object{"operation": "KILL", "section": "assumption_ledger", "target_id": "A2", "payload": object{"reasons": "old"}}),
			change: isKilled("A2", "new"), want: "MR-014 A2 kill_reason; MR-022 A2"},
		edge{name: "the target of the research thread in lower case", posts: round2(thread("EDIT", "research_thread", "rt")), change: sets("RT", "context", "other"), want: "MR-022 RT"},
		edge{name: "the section of the research thread in another form", posts: round2(thread("EDIT", "Research Thread", "RT")), change: sets("RT", "context", "other"), want: "MR-022 RT"},
		edge{name: "an ADD of the research thread", posts: round2(thread("ADD", "research_thread", "RT")), change: sets("RT", "context", "other"), want: "MR-022 RT"},
		edge{name: "the target in the payload", posts: round2(object{"operation": "EDIT", "section": "assumption_ledger", "payload": object{"target_id": "A1", "load": "heavy"}}),
			change: sets("A1", "load", "heavy"), want: "MR-022 A1"},
		edge{name: "two KILLs without a reason", posts: round2(noReason, noReason), change: killed("Cyd"), want: "MR-022 A2"},
		edge{name: "a KILL by another", posts: round2(noReason), change: killed("Bob"), want: "MR-014 A2"},
		edge{name: "an EDIT of a killed item", posts: round2(kill("A2"), update("A2", object{"load": "late"})), change: sets("A2", "load", "late"), want: "MR-013 A2 load"},
		edge{name: "the section told by the target", posts: round2(object{"operation": "EDIT", "section": "assumptions", "target_id": "A1", "payload": object{"load": "heavy"}}), change: sets("A1", "load", "heavy"), want: "MR-022 A1"},
		edge{name: "an EDIT of nothing, other values", posts: round2(edit("A9", object{"statement": "s", "load": "l"})), change: a9(object{"statement": "s", "load": "other"}), want: "MR-001 A9; MR-012 A9"},
		edge{name: "two deltas in one block", posts: several, change: sets("A1", "load", "heavy", "A2", "load", "light"), want: "MR-022 A1; MR-022 A2"},
		edge{name: "one of two deltas in one block", posts: several, change: sets("A2", "load", "light"), want: "MR-022 A2"},
		edge{name: "an EDIT of nothing that says nothing", posts: round2(edit("A9", object{"colour": "red"})), change: a9(object{"statement": "s"}), want: "MR-001 A9; MR-012 A9"},
		edge{name: "a KILL of nothing", posts: round2(kill("A9")), change: a9(object{"statement": "s"}), want: "MR-001 A9; MR-012 A9"},
		edge{name: "an EDIT before its ADD", posts: round2(edit("A4", object{"load": "heavy"}), assumption(4)), change: sets("A4", "load", "heavy"), want: "MR-001 A4; MR-022 A4"},
		edge{name: "outcomes of a hypothesis that is killed later", posts: round2(update("P1", object{"predictions": object{"H1": "up", "H2": "down"}}), kill("H1")),
			change: sets("P1", "predictions", object{"H1": "N/A", "H2": "down"}), want: "MR-022 P1"},
		edge{name: "a condition under another name", posts: round2(add("predictions_table", object{"conditions": "c", "predictions": object{"H1": "up"}}), prediction(9, object{"H1": "x"})), change: func(st *brenner.State) {
			drop(st, "P3")
			st.Add(brenner.NewItem(id("P3"), object{"condition": "c", "predictions": object{"H1": "up"}}))
			st.Add(brenner.NewItem(id("P4"), object{"condition": "condition 9", "predictions": object{"H1": "x"}}))
		}, want: "MR-022 P3"},
		edge{name: "no condition", posts: round2(add("predictions_table", object{"condition": nil, "predictions": object{"H1": "up"}}), prediction(9, object{"H1": "x"})), change: func(st *brenner.State) {
			drop(st, "P3")
			st.Add(brenner.NewItem(id("P3"), object{"condition": "c", "predictions": object{"H1": "up"}}))
			st.Add(brenner.NewItem(id("P4"), object{"condition": "condition 9", "predictions": object{"H1": "x"}}))
		}, want: "MR-022 P3"},
		edge{name: "no condition, and a hypothesis killed later", posts: round2(add("predictions_table", object{"predictions": object{"H1": "up", "H2": "down"}}), kill("H1")), change: func(st *brenner.State) {
			st.Add(brenner.NewItem(id("P3"), object{"condition": "c", "predictions": object{"H1": "N/A", "H2": "down"}}))
		}, want: "MR-022 P3"},
		edge{name: "an ADD with an empty field", posts: round2(add("assumption_ledger", object{"name": "n", "statement": "s", "load": "l", "test": "", "status": "unchecked"})),
			change: func(st *brenner.State) {
				st.Add(brenner.NewItem(id("A4"), object{"name": "n", "statement": "s", "load": "l", "test": "t", "status": "unchecked"}))
			}, want: "MR-022 A4"},
		edge{name: "an ADD that lacks its status, twice shown", posts: round2(withoutStatus(assumption(4))), change: func(st *brenner.State) {
			for _, item := range []string{"A4", "A5"} {
				st.Add(brenner.NewItem(id(item), object{"name": "Assumption 4", "statement": "statement 4", "load": "load", "test": "test"}))
			}
		}, want: "MR-012 A5; MR-022 A4"},
	)
}

// Both the correct count and the one that follows from the publisher's own fault are
// accepted; so are the counts of active and of all items.
func TestCountsOfPublished(t *testing.T) {
	const table = "## Contributors\n\n| Agent | Delta Count |\n|---|---|\n"
	late := round2(edit("H1", object{"claim": "new"}), edit("H2", object{"claim": "new"}))
	skipped := sets("H2", "claim", "claim 2")
	gone := round2(kill("A2"))
	some := round2(edit("H1", object{"claim": "new"}), edit("H2", object{"claim": "new"}), edit("A1", object{"load": "new"}))
	reworded := sets("H1", "claim", "newer", "H2", "claim", "newer")
	lower := round2(object{"operation": "update", "section": "assumption_ledger", "target_id": "A1", "payload": object{"load": "new", "test": "new"}}, kill("A2"))
	added := round2(assumption(4), edit("A4", object{"load": "new"}), edit("H1", object{"claim": "new"}))
	applied := add("hypothesis_slate", hypothesis(4)["payload"].(object))
	applied["operation"] = "add"
	for _, tt := range []struct {
		name     string
		posts    []post
		change   func(*brenner.State)
		sections string
		want     string
	}{
		{"the count that had to be", late, skipped, table + "| Cyd | 2 |", "MR-013 H2 claim"},
		{"the count of what shows", late, skipped, table + "| Cyd | 1 |", "MR-013 H2 claim"},
		{"neither", late, skipped, table + "| Cyd | 3 |", "MR-013 H2 claim; MR-018"},
		{"left out, nothing of it shows", round2(edit("H2", object{"claim": "new"})), skipped, "## Contributors\n\n- Ada", "MR-013 H2 claim"},
		{"left out, half of it shows", late, skipped, "## Contributors\n\n- Ada", "MR-013 H2 claim; MR-018"},
		{"reworded, all counted", some, reworded, table + "| Cyd | 3 |", "MR-013 H1 claim; MR-013 H2 claim"},
		{"reworded, one counted", some, reworded, table + "| Cyd | 2 |", "MR-013 H1 claim; MR-013 H2 claim"},
		{"reworded, none counted", some, reworded, table + "| Cyd | 1 |", "MR-013 H1 claim; MR-013 H2 claim"},
		{"reworded, fewer than shown", some, reworded, table + "| Cyd | 0 |", "MR-013 H1 claim; MR-013 H2 claim; MR-018"},
		{"left out with its EDIT", added, func(st *brenner.State) { drop(st, "A4") }, table + "| Cyd | 1 |", "MR-011 A4"},
		{"a rejected ADD, reworded", round2(applied), func(st *brenner.State) {
			fields := maps.Clone(applied["payload"].(object))
			fields["claim"] = "newer"
			fields["anchors"] = []any{"§4"}
			st.Add(brenner.NewItem(id("H4"), fields))
		}, table + "| Cyd | 1 |", "MR-013 H4 claim; MR-022 H4"},
		{"a rejected EDIT that is counted", lower, sets("A1", "load", "new", "A1", "test", "new"), table + "| Cyd | 2 |", "MR-022 A1"},
		{"a rejected EDIT that is not counted", lower, sets("A1", "load", "new", "A1", "test", "new"), table + "| Cyd | 1 |", "MR-022 A1"},
		{"active items", gone, nil, "## Statistics\n\n- Assumptions: 2", ""},
		{"all items", gone, nil, "## Statistics\n\n- Assumptions: 3", ""},
		{"neither active nor all", gone, nil, "## Statistics\n\n- Assumptions: 1", "MR-019"},
		{"what is missing is counted", round2(kill("A2"), assumption(4)), func(st *brenner.State) { drop(st, "A4") }, "## Statistics\n\n- Assumptions: 4", "MR-011 A4"},
		{"what is missing is counted, active ones", round2(kill("A2"), kill("A1"), assumption(4), assumption(5)), func(st *brenner.State) { drop(st, "A1", "A2", "A4", "A5") }, "## Statistics\n\n- Assumptions: 3", "MR-011 A1; MR-011 A2; MR-011 A4; MR-011 A5"},
		{"no number", gone, nil, "## Statistics\n\n- Assumptions: none", ""},
	} {
		edges(t, edge{name: tt.name, posts: tt.posts, change: tt.change, old: "## Full Artifact", new: tt.sections + "\n\n## Full Artifact", want: tt.want})
	}
}

// Published items are matched with those of the replay by best fit: id and name or
// text before text alone, and no item twice.
func TestPairing(t *testing.T) {
	fields := func(n int, more ...string) object {
		d := assumption(n)["payload"].(object)
		for i := 0; i < len(more); i += 2 {
			d[more[i]] = more[i+1]
		}
		return d
	}
	put := func(item string, fields object) func(*brenner.State) {
		return func(st *brenner.State) { st.Add(brenner.NewItem(id(item), fields)) }
	}
	leave := func(items ...string) func(*brenner.State) { return func(st *brenner.State) { drop(st, items...) } }
	lacking := func(n int) object { return withoutStatus(assumption(n)) }
	four := round2(assumption(4), lacking(5), assumption(6), assumption(7))
	edges(t,
		edge{name: "its own name before the text of another", posts: first(), change: sets("A2", "statement", "statement 3", "A3", "statement", "made up"), want: "MR-013 A2 statement; MR-013 A3 statement"},
		edge{name: "its own text before the name of another", posts: first(), change: sets("A2", "name", "Assumption 3", "A3", "name", "made up"), want: "MR-013 A2 name; MR-013 A3 name"},
		edge{name: "the text of another before the id alone", posts: first(), change: sets("A2", "name", "x", "A2", "statement", "statement 3", "A3", "name", "y", "A3", "statement", "statement 2"),
			want: "MR-013 A2 name; MR-013 A3 name; MR-015 A2; MR-015 A3"},
		edge{name: "a copy", posts: first(), change: put("A4", fields(2)), want: "MR-012 A4"},
		edge{name: "a copy of its name", posts: first(), change: put("A4", fields(2, "statement", "other")), want: "MR-012 A4"},
		edge{name: "a copy of a rejected ADD's name", posts: round2(lacking(4)), change: both(put("A4", withoutStatus(object{"payload": fields(4)})["payload"].(object)), put("A5", fields(4, "statement", "other"))), want: "MR-012 A5; MR-022 A4"},
		edge{name: "a heading without id in another section", posts: round2(add("hypothesis_slate", object{"name": "Size", "claim": "c", "mechanism": "m", "anchors": []string{"§1"}}),
			add("assumption_ledger", fields(4, "name", "Size"))), change: leave("H4"), old: "### A4: Size", new: "### Size", want: "MR-011 H4"},
		edge{name: "two left out, a rejected ADD applied in its place", posts: four, change: both(leave("A4", "A5", "A6"), put("A4", fields(5)), put("A5", fields(7))), want: "MR-011 A4; MR-011 A6; MR-022 A4"},
		edge{name: "one left out, a rejected ADD applied at the end", posts: four, change: both(leave("A5", "A6"), put("A5", fields(7)), put("A6", fields(5))), want: "MR-011 A6; MR-022 A6"},
		edge{name: "a number that nothing explains", posts: four, change: both(leave("A6"), put("A8", fields(7))), want: "MR-015 A8"},
	)
}
