package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/replay"
)

// What is published of a first or second round, with faults in items of all sections.
func TestFaultsOfPublishedArtifacts(t *testing.T) {
	gone := func(ids ...string) func(*brenner.State) { return func(st *brenner.State) { drop(st, ids...) } }
	more := func(item string, fields object) func(*brenner.State) {
		return func(st *brenner.State) { st.Add(brenner.NewItem(id(item), fields)) }
	}
	dead := func(item string) func(*brenner.State) {
		return func(st *brenner.State) { setKilled(st, item, &brenner.Killing{By: "Bob", Reason: "r"}) }
	}
	others := round2(add("anomaly_register", object{"name": "Odd", "observation": "o", "conflicts_with": []string{"H2"}, "status": "active", "resolution_plan": "look"}),
		add("adversarial_critique", object{"name": "Old", "attack": "a", "evidence": "e", "current_status": "open"}))
	edges(t,
		edge{name: "a test left out", posts: first(), change: gone("T2"), want: "MR-011 T2"},
		edge{name: "a test killed by nobody", posts: first(), change: dead("T1"), want: "MR-014 T1"},
		edge{name: "another procedure", posts: first(), change: sets("T2", "procedure", "other"), want: "MR-013 T2 procedure"},
		edge{name: "another anomaly, and another critique", posts: others, change: sets("X1", "observation", "other", "C1", "attack", "other"), want: "MR-013 C1 attack; MR-013 X1 observation"},
		edge{name: "an anomaly left out, a critique killed by nobody", posts: others, change: both(gone("X1"), dead("C1")), want: "MR-011 X1; MR-014 C1"},
		edge{name: "a critique made up", posts: others, change: more("C2", object{"name": "n"}), want: "MR-012 C2"},
		edge{name: "inference where nothing is cited", posts: round2(edit("RT", object{"anchors": []string{}, "replace": true})), change: sets("RT", "anchors", []any{"inference"})},
		edge{name: "renumbered after a KILL", posts: round2(kill("A1")), change: both(gone("A1"), renumber("A2", "A1", "A3", "A2")), want: "MR-011 A1; MR-015 A1; MR-015 A2"},
		edge{name: "renumbered and changed", posts: round2(assumption(4)), change: both(sets("A4", "load", "another"), renumber("A4", "A9")), want: "MR-013 A9 load; MR-015 A9"},
		edge{name: "a rejected ADD applied, and its EDIT", posts: round2(withoutStatus(assumption(4)), edit("A4", object{"load": "heavy"})),
			change: more("A4", object{"name": "Assumption 4", "statement": "statement 4", "load": "heavy", "test": "test"}), want: "MR-022 A4"},
		edge{name: "a rejected ADD applied, its misnamed field understood", posts: round2(add("hypothesis_slate", object{"name": "Hypothesis 4", "statement": "claim 4", "mechanism": "mechanism 4", "anchors": []string{"§4"}})),
			change: more("H4", object{"name": "Hypothesis 4", "claim": "claim 4", "mechanism": "mechanism 4", "anchors": []any{"§4"}}), want: "MR-022 H4"},
		edge{name: "anchors decoded rightly", posts: round2(edit("H1", object{"anchors": []string{"Â§161", "¬ß42"}, "replace": true})), change: sets("H1", "anchors", []any{"§161", "§42"})},
		edge{name: "a field that no section has", posts: round2(edit("A1", object{"attack_type": "premise"}))},
		edge{name: "a seventh hypothesis", posts: round2(hypothesis(4), hypothesis(5), hypothesis(6), hypothesis(7)),
			change: more("H7", object{"name": "Hypothesis 7", "claim": "claim 7", "mechanism": "mechanism 7", "anchors": []any{"§7"}}), want: "MR-003; MR-022 H7"},
		edge{name: "an EDIT of nothing applied as an ADD", posts: round2(edit("A9", object{"statement": "s", "load": "l"})), change: more("A9", object{"statement": "s", "load": "l"}), want: "MR-001 A9; MR-022 A9"},
		edge{name: "an EDIT of a killed item applied", posts: append(round2(kill("A2")), from("Ada", 2, edit("A2", object{"load": "late"}))), change: sets("A2", "load", "late"), want: "MR-002 A2; MR-013 A2 load"},
	)
}

// What is left of a rejected delta, or of the other order of tied ones, is one finding, and
// it names the delta that fits best (decisions.md 84, 89 and 91).
func TestLikeness(t *testing.T) {
	update := func(item string, payload object) object {
		return object{"operation": "update", "section": sectionOf(item), "target_id": item, "payload": payload}
	}
	killed := func(reason string, more ...string) object {
		d := object{"operation": "delete", "section": "assumption_ledger", "target_id": "A2", "payload": object{"reason": reason}}
		for i := 0; i < len(more); i += 2 {
			d[more[i]] = more[i+1]
		}
		return d
	}
	added := func(fields ...string) object {
		d := assumption(4)
		for i := 0; i < len(fields); i += 2 {
			d["payload"].(object)[fields[i]] = fields[i+1]
		}
		return d
	}
	rejected := func(d object) object { d["operation"] = "create"; return d }
	anchors := func(marks ...any) func(*brenner.State) { return sets("H1", "anchors", marks) }
	shownAs := func(by string, at time.Duration, reason string) func(*brenner.State) {
		return func(st *brenner.State) {
			k := &brenner.Killing{By: by, Reason: reason}
			if at > 0 { // else without a time
				k.At = noon.Add(at)
			}
			setKilled(st, "A2", k)
		}
	}
	shown := func(d object) func(*brenner.State) {
		return func(st *brenner.State) { st.Add(brenner.NewItem(id("A4"), d["payload"].(object))) }
	}
	after := func(posts []post, agent string, d ...object) []post { return append(posts, from(agent, 2, d...)) }
	two := func(d object) []post { return after(round2(rejected(d)), "Bob", rejected(added("test", "other"))) }
	tied := func(more ...object) []post {
		posts := append(publish(first(), 1, nil), from("Ada", 2, assumption(4)), from("Bob", 2, assumption(5)))
		return append(posts, from("Cyd", 3, more...))
	}
	exchanged := func(fields ...string) func(*brenner.State) {
		return func(st *brenner.State) {
			drop(st, "A4", "A5")
			for i, n := range []int{5, 4} {
				f := assumption(n)["payload"].(object)
				f["load"] = fields[i]
				st.Add(brenner.NewItem(id([]string{"A4", "A5"}[i]), f))
			}
		}
	}
	var many []object // of which every other one is published
	var published []string
	for i := range 100 {
		many = append(many, rejected(assumption(4+i)))
		if i%2 == 0 {
			published = append(published, fmt.Sprint("MR-022 A", 4+i/2))
		}
	}
	slices.Sort(published)
	edges(t,
		edge{name: "members of two", posts: round2(update("H1", object{"anchors": []string{"§7"}}), update("H1", object{"anchors": []string{"§9"}})), change: anchors("§1", "§7", "§9"), want: "MR-022 H1; MR-022 H1"},
		edge{name: "a member of both", posts: round2(update("H1", object{"anchors": []string{"§7"}}), update("H1", object{"anchors": []string{"§7"}})), change: anchors("§1", "§7"), want: "MR-022 H1"},
		edge{name: "a member, and one of nobody", posts: round2(update("H1", object{"anchors": []string{"§7"}})), change: anchors("§1", "§7", "§8"), want: "MR-013 H1 anchors; MR-022 H1"},
		edge{name: "a member, united with more", posts: round2(update("H1", object{"anchors": []string{"§7"}}), edit("H1", object{"anchors": []string{"§8"}})), change: anchors("§1", "§7", "§8"), want: "MR-022 H1"},
		edge{name: "a member that a later EDIT replaced", posts: round2(update("H1", object{"anchors": []string{"§7"}}), edit("H1", object{"anchors": []string{"§8"}, "replace": true})), change: anchors("§7", "§8"), want: "MR-013 H1 anchors"},

		edge{name: "two EDITs of which one says more", posts: round2(update("A1", object{"load": "heavy"}), update("A1", object{"load": "heavy", "test": "weigh"})), change: sets("A1", "load", "heavy", "A1", "test", "weigh"), want: "MR-022 A1"},
		edge{name: "two equal EDITs", posts: round2(update("A1", object{"load": "heavy"}), update("A1", object{"load": "heavy"})), change: sets("A1", "load", "heavy"), want: "MR-022 A1"},
		edge{name: "two EDITs, each of something", posts: round2(update("A1", object{"load": "heavy"}), update("A1", object{"test": "weigh"})), change: sets("A1", "load", "heavy", "A1", "test", "weigh"), want: "MR-022 A1; MR-022 A1"},

		edge{name: "the agent of a KILL", posts: after(round2(killed("it is refuted")), "Bob", kill("A2")), change: shownAs("Cyd", 0, "it is refuted"), want: "MR-022 A2"},
		edge{name: "its own agent", posts: round2(killed("early", "agent", "Zed")), change: shownAs("Zed", 0, "early"), want: "MR-022 A2"},
		edge{name: "its own time", posts: after(round2(killed("it is refuted", "timestamp", "2025-12-30T12:03:30Z")), "Cyd", kill("A2")), change: shownAs("Cyd", 210*time.Second, "it is refuted"), want: "MR-022 A2"},
		edge{name: "of an item that only a rejected ADD made", posts: round2(rejected(added()), kill("A4")), change: both(shown(added()), func(st *brenner.State) {
			setKilled(st, "A4", &brenner.Killing{By: "Cyd", Reason: "other"})
		}), want: "MR-014 A4 kill_reason; MR-022 A4"},
		edge{name: "a rejected one, of an item that only a rejected ADD made", posts: round2(rejected(added()), object{"operation": "remove", "section": "assumption_ledger", "target_id": "A4", "payload": object{"reason": "r"}}),
			change: both(shown(added()), func(st *brenner.State) { setKilled(st, "A4", &brenner.Killing{By: "Cyd", Reason: "other"}) }), want: "MR-014 A4 kill_reason; MR-022 A4; MR-022 A4"},
		edge{name: "a reason of nobody", posts: after(round2(killed("early")), "Bob", kill("A2")), change: shownAs("Bob", 0, "made up"), want: "MR-014 A2 kill_reason"},

		edge{name: "the ADD that fits best", posts: two(added()), change: shown(added("test", "other")), want: "MR-022 A4"},
		edge{name: "neither ADD in all", posts: two(added("load", "x")), change: shown(added("load", "z", "test", "other")), want: "MR-013 A4 load; MR-022 A4"},
		edge{name: "an ADD that an EDIT names", posts: round2(rejected(added()), edit("A4", object{"load": "heavy"})), change: shown(added("load", "heavy")), want: "MR-022 A4"},
		edge{name: "so many that several are tried together", posts: round2(many...), change: func(st *brenner.State) {
			for i := 0; i < len(many); i += 2 {
				st.Add(brenner.NewItem(id(fmt.Sprint("A", 4+i/2)), many[i]["payload"].(object)))
			}
		}, want: strings.Join(published, "; ")},
		edge{name: "only what an EDIT names", posts: round2(rejected(added()), edit("A4", object{"name": "n", "statement": "s"})), change: shown(added("name", "n", "statement", "s", "test", "y")), want: "MR-001 A4; MR-022 A4"},
		edge{name: "an ADD as an EDIT changes it", posts: round2(rejected(added()), edit("A4", object{"name": "n", "statement": "s"})), change: shown(added("name", "n", "statement", "s")), want: "MR-022 A4"},

		edge{name: "EDITs of tied ADDs in the other order", posts: tied(edit("A4", object{"load": "one"}), edit("A5", object{"load": "two"})), change: exchanged("one", "two"), want: "MR-009 A5"},
		edge{name: "one of them left out", posts: tied(edit("A4", object{"load": "one"}), edit("A5", object{"load": "two"})), change: exchanged("one", "load"), want: "MR-009 A5; MR-013 A5 load"},

		edge{name: "EDITs of new items left out", posts: round2(assumption(4), assumption(5), edit("A4", object{"name": "Assumption 5", "statement": "statement 5"}), edit("A5", object{"name": "Assumption 6", "statement": "statement 6"})),
			change: sets("A4", "name", "Assumption 4", "A4", "statement", "statement 4", "A5", "name", "Assumption 5", "A5", "statement", "statement 5"),
			want:   "MR-013 A4 name; MR-013 A4 statement; MR-013 A5 name; MR-013 A5 statement"},
		edge{name: "EDITs of predictions left out", posts: round2(edit("P1", object{"condition": "condition 2"}), edit("P2", object{"condition": "condition 3"})),
			change: sets("P1", "condition", "condition 1", "P2", "condition", "condition 2"), want: "MR-013 P1 condition; MR-013 P2 condition"},
		edge{name: "new items under other ids", posts: round2(assumption(4), assumption(5)), change: both(sets("A4", "name", "Assumption 5", "A4", "statement", "statement 5", "A5", "name", "Assumption 4", "A5", "statement", "statement 4")), want: "MR-015 A4; MR-015 A5"},
	)

	posts := publish(round2(killed("early"), killed("late")), 2, shownAs("Cyd", 0, "late"))
	for a := range replay.FactsOf[replay.AppliedReject](replay.New(thread(posts), replay.Options{})) {
		if a.Delta.Index != 2 {
			t.Errorf("of two KILLs of one agent, the one for another reason is said to be applied")
		}
	}
}

// An outcome that no column shows is one finding, whatever else was renumbered or is in the
// slate (decisions.md 85).
func TestLostColumns(t *testing.T) {
	cells := func(st *brenner.State) {
		set(st, "P1", "predictions", object{"H1": "yes", "H3": "maybe"})
		set(st, "P2", "predictions", object{"H1": "a"})
	}
	moved := func(st *brenner.State) {
		st.Add(itemOf(id("A9"), st.Find(id("A3")).Fields(), nil))
		drop(st, "A3")
	}
	edges(t,
		edge{name: "a column, beside an item renumbered", posts: first(), change: both(cells, moved), want: "MR-013 P1 predictions; MR-013 P2 predictions; MR-015 A9"},
		edge{name: "that of a hypothesis renumbered", posts: first(), change: both(cells, renumber("H2", "H4")), want: "MR-013 P1 predictions; MR-013 P2 predictions; MR-015 H4"},
		edge{name: "that of a hypothesis left out", posts: first(), change: both(cells, func(st *brenner.State) { drop(st, "H2") }), want: "MR-011 H2; MR-013 P1 predictions; MR-013 P2 predictions"},
		edge{name: "that of a killed hypothesis", posts: round2(kill("H2")), change: cells},
		edge{name: "that of no hypothesis", posts: round2(prediction(3, object{"H1": "yes", "Both": "up"})), change: sets("P3", "predictions", object{"H1": "yes"}), want: "MR-013 P3 predictions"},
	)
}
