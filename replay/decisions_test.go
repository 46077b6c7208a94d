package replay_test

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/state"
)

func marked(d object, key string) object {
	d["payload"].(object)[key] = true
	return d
}

// The post-conditions look at a window's KILLs that were applied, and name the
// last item that bore the mark.
func TestPostConditionEdges(t *testing.T) {
	third := func(n int) object { return marked(hypothesis(n), "third_alternative") }
	begin := func(marks ...object) []post {
		return []post{from("Ada", 1, append(marks, hypothesis(8), hypothesis(9))...), unpublished(2)}
	}
	unmark := func(item string) object { return edit(item, object{"third_alternative": false}) }
	unread := post{from: "Operator", subject: "COMPILED: v2 artifact", unread: true, at: unpublished(5).at}
	for _, tt := range []struct {
		name  string
		posts []post
		want  string // beside the MR-007 of the first window
	}{
		{"the mark taken away, nothing killed", append(begin(third(1)), from("Bob", 3, unmark("H1"))), ""},
		{"the mark taken away, a KILL rejected", append(begin(third(1)), from("Bob", 3, unmark("H1"), kill("H9"))), "MR-001 H9"},
		{"killed", append(begin(third(1)), from("Bob", 3, kill("H1"))), "MR-005 H1"},
		{"two killed", append(begin(third(1), third(2)), from("Bob", 3, kill("H1"), kill("H2"))), "MR-005 H2"},
		{"two killed, the higher one first", append(begin(third(1), third(2)), from("Bob", 3, kill("H2"), kill("H1"))), "MR-005 H2"},
		{"two marks taken away", append(begin(third(1), third(2)), from("Bob", 3, unmark("H1"), unmark("H2"), kill("H3"))), "MR-005 H1"},
		{"two marks taken away, the higher one first", append(begin(third(1), third(2)), from("Bob", 3, unmark("H2"), unmark("H1"), kill("H3"))), "MR-005 H1"},
		{"one killed, one mark taken away", append(begin(third(1), third(2)), from("Bob", 3, unmark("H1"), kill("H2"))), "MR-005 H2"},
		{"killed again in a later window", append(begin(third(1)), from("Bob", 3, kill("H1")), unpublished(4), from("Bob", 5, kill("H1"), kill("H2"))), "MR-005 H1; MR-007"},
		{"a COMPILED that cannot be read", append(begin(third(1)), from("Bob", 3, kill("H1")), unread), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := "MR-007"
			if tt.want != "" {
				want = tt.want + "; MR-007"
			}
			r := replay.New(thread(tt.posts), replay.Options{})
			if got := strings.Join(rules(r), "; "); got != want {
				t.Errorf("got  %s\nwant %s\n  %s", got, want, strings.Join(faults(r), "\n  "))
			}
		})
	}
	// What was published in full is left to the artifact's own rules.
	posts := publish(append(publish([]post{from("Ada", 1, third(1), hypothesis(2))}, 1, nil), from("Bob", 3, kill("H1"))), 2, nil)
	expect(t, replay.New(thread(posts), replay.Options{}))
}

// A rejected delta is one that was applied only if all that it says shows in what
// was published (decisions.md 25).
func TestConcessions(t *testing.T) {
	update := func(item string, payload object) object {
		return object{"operation": "update", "section": sectionOf(item), "target_id": item, "payload": payload}
	}
	noReason := object{"operation": "KILL", "section": "assumption_ledger", "target_id": "A2"}
	killed := func(by string) func(*state.State) {
		return func(st *state.State) { setKilled(st, "A2", &state.Kill{By: by}) }
	}
	a9 := func(fields object) func(*state.State) {
		return func(st *state.State) { st.Add(&state.Item{ID: id("A9"), Fields: fields}) }
	}
	for _, e := range []edge{
		{name: "nothing of it shows", posts: round2(update("A1", object{"load": "heavy"}))},
		{name: "half of it shows", posts: round2(update("A1", object{"load": "heavy", "test": "weigh"})), change: sets("A1", "load", "heavy"), want: "MR-013 A1 load"},
		{name: "all of it shows", posts: round2(update("A1", object{"load": "heavy", "test": "weigh"})), change: sets("A1", "load", "heavy", "A1", "test", "weigh"), want: "MR-022 A1"},
		{name: "it shows, and more", posts: round2(update("A1", object{"load": "heavy"})), change: sets("A1", "load", "heavy", "A1", "test", "weigh"), want: "MR-013 A1 test; MR-022 A1"},
		{name: "two of one item", posts: round2(update("A1", object{"load": "heavy"}), update("A1", object{"test": "weigh"})), change: sets("A1", "load", "heavy", "A1", "test", "weigh"), want: "MR-022 A1; MR-022 A1"},
		{name: "one that changes nothing", posts: round2(update("A1", object{"load": "load"}))},
		{name: "a KILL without a reason", posts: round2(noReason), change: killed("Cyd"), want: "MR-022 A2"},
		{name: "two KILLs without a reason", posts: round2(noReason, noReason), change: killed("Cyd"), want: "MR-022 A2"},
		{name: "a KILL by another", posts: round2(noReason), change: killed("Bob"), want: "MR-014 A2"},
		{name: "an EDIT of a killed item", posts: round2(kill("A2"), update("A2", object{"load": "late"})), change: sets("A2", "load", "late"), want: "MR-013 A2 load"},
		{name: "the section told by the target", posts: round2(object{"operation": "EDIT", "section": "assumptions", "target_id": "A1", "payload": object{"load": "heavy"}}), change: sets("A1", "load", "heavy"), want: "MR-022 A1"},
		{name: "an EDIT of nothing, other values", posts: round2(edit("A9", object{"statement": "s", "load": "l"})), change: a9(object{"statement": "s", "load": "other"}), want: "MR-001 A9; MR-012 A9"},
		{name: "an EDIT of nothing that says nothing", posts: round2(edit("A9", object{"colour": "red"})), change: a9(object{"statement": "s"}), want: "MR-001 A9; MR-012 A9"},
		{name: "a KILL of nothing", posts: round2(kill("A9")), change: a9(object{"statement": "s"}), want: "MR-001 A9; MR-012 A9"},
		{name: "an EDIT before its ADD", posts: round2(edit("A4", object{"load": "heavy"}), assumption(4)), change: sets("A4", "load", "heavy"), want: "MR-001 A4; MR-022 A4"},
		{name: "an ADD that lacks its status, twice shown", posts: round2(withoutStatus(assumption(4))), change: func(st *state.State) {
			for _, item := range []string{"A4", "A5"} {
				st.Add(&state.Item{ID: id(item), Fields: object{"name": "Assumption 4", "statement": "statement 4", "load": "load", "test": "test"}})
			}
		}, want: "MR-012 A5; MR-022 A4"},
	} {
		t.Run(e.name, func(t *testing.T) { e.run(t) })
	}
}

// Both the count that had to be and the one that the publisher's own fault gives
// are right; so are the counts of active and of all items.
func TestCountsOfPublished(t *testing.T) {
	const table = "## Contributors\n\n| Agent | Delta Count |\n|---|---|\n"
	late := round2(edit("H1", object{"claim": "new"}), edit("H2", object{"claim": "new"}))
	skipped := sets("H2", "claim", "claim 2")
	gone := round2(kill("A2"))
	of := func(sections string) (string, string) { return "## Full Artifact", sections + "\n\n## Full Artifact" }
	for _, tt := range []struct {
		name     string
		posts    []post
		change   func(*state.State)
		sections string
		want     string
	}{
		{"the count that had to be", late, skipped, table + "| Cyd | 2 |", "MR-013 H2 claim"},
		{"the count of what shows", late, skipped, table + "| Cyd | 1 |", "MR-013 H2 claim"},
		{"neither", late, skipped, table + "| Cyd | 3 |", "MR-013 H2 claim; MR-018"},
		{"left out, nothing of it shows", round2(edit("H2", object{"claim": "new"})), skipped, "## Contributors\n\n- Ada", "MR-013 H2 claim"},
		{"left out, half of it shows", late, skipped, "## Contributors\n\n- Ada", "MR-013 H2 claim; MR-018"},
		{"active items", gone, nil, "## Statistics\n\n- Assumptions: 2", ""},
		{"all items", gone, nil, "## Statistics\n\n- Assumptions: 3", ""},
		{"neither active nor all", gone, nil, "## Statistics\n\n- Assumptions: 1", "MR-019"},
		{"what is missing is counted", round2(kill("A2"), assumption(4)), func(st *state.State) { drop(st, "A4") }, "## Statistics\n\n- Assumptions: 4", "MR-011 A4"},
		{"what is missing is counted, active ones", round2(kill("A2"), kill("A1"), assumption(4), assumption(5)), func(st *state.State) { drop(st, "A1", "A2", "A4", "A5") }, "## Statistics\n\n- Assumptions: 3", "MR-011 A1; MR-011 A2; MR-011 A4; MR-011 A5"},
		{"no number", gone, nil, "## Statistics\n\n- Assumptions: none", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := edge{posts: tt.posts, change: tt.change, want: tt.want}
			e.old, e.new = of(tt.sections)
			e.run(t)
		})
	}
}

// The front matter of a file decides what it is held against.
func TestFileEdges(t *testing.T) {
	posts := publish(first(), 1, nil)
	r := replay.New(thread(posts), replay.Options{})
	st := r.Windows[0].State
	put := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	other := st.Clone()
	set(other, "H2", "claim", "other")
	cut := func(from, to string) func(string) string {
		return func(s string) string {
			before, rest, _ := strings.Cut(s, from)
			_, after, _ := strings.Cut(rest, to)
			return before + to + after
		}
	}
	for _, tt := range []struct {
		name string
		file replay.File
		want []string
	}{
		{"a version as text", file(other, 1, put("version: 1", `version: "1"`)), []string{"MR-020 H2 claim"}},
		{"a version and more", file(other, 1, put("version: 1", "version: 1 of 2")), nil},
		{"a version that is no number", file(other, 1, put("version: 1", "version: true")), nil},
		{"a message without id", file(st, 1, put("version: 1", "version: 1\nagent_mail_message_id:")), nil},
		{"a section that is missing", file(st, 1, cut("## 5. ", "## 6. ")), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, replay.New(thread(posts), replay.Options{Files: []replay.File{tt.file}}), tt.want...)
		})
	}
	// A COMPILED without that section cannot be held against the file's (ES-001).
	body := &posts[len(posts)-1].body
	*body = cut("## 5. ", "## 6. ")(*body)
	expect(t, replay.New(thread(posts), replay.Options{Files: []replay.File{file(st, 1, nil)}}))
}

// What the replay said of an item is known from the version on of which it was
// said, however often it is said again, and not before.
func TestReportedSince(t *testing.T) {
	posts := publish(first(), 1, nil)
	posts = publish(posts, 2, func(st *state.State) { set(st, "H2", "claim", "made up") })
	posts = publish(posts, 3, func(st *state.State) { set(st, "H2", "claim", "made up again") })
	r := replay.New(thread(posts), replay.Options{})
	for i, want := range []bool{false, true, true} {
		if got := r.AlreadyReported(r.Windows[i].Compiled).Has(replay.FieldDiffers, id("H2")); got != want {
			t.Errorf("v%d: told is %v", i+1, got)
		}
	}
	// What is said of pending deltas is of no version yet.
	r = replay.New(thread(append(publish(first(), 1, nil), from("Cyd", 2, edit("A1", object{"load": "x"})), from("Dan", 2, edit("A1", object{"load": "y"})))), replay.Options{})
	if len(r.Facts.Conflicts) != 1 || r.AlreadyReported(r.Windows[0].Compiled).Has(replay.ConflictedField, id("A1")) {
		t.Error("the past knows what comes")
	}
}

// Of two deltas of one instant the one that readers meet later is told beside the
// other, whatever their agents are called.
func TestLaterIsReported(t *testing.T) {
	load := func(s string) object { return edit("A1", object{"load": s}) }
	begin := from("Ada", 1, assumption(1))
	for _, tt := range []struct {
		name  string
		posts []post
		want  string
	}{
		{"Ada after Bob", []post{begin, from("Bob", 2, load("heavy")), from("Ada", 2, load("light"))}, `[Bob in message 2, delta 1 sets it to "heavy"]`},
		{"Bob after Ada", []post{begin, from("Ada", 2, load("light")), from("Bob", 2, load("heavy"))}, `[Ada in message 2, delta 1 sets it to "light"]`},
		{"ADDs, Ada after Bob", []post{begin, from("Bob", 2, assumption(2)), from("Ada", 2, assumption(3))}, "[ADD by Bob in message 2, delta 1 at the same time]"},
		{"ADDs, Bob after Ada", []post{begin, from("Ada", 2, assumption(2)), from("Bob", 2, assumption(3))}, "[ADD by Ada in message 2, delta 1 at the same time]"},
	} {
		t.Run(tt.name, func(t *testing.T) { expect(t, replay.New(thread(tt.posts), replay.Options{}), tt.want) })
	}
}

// A block that is no delta at all is DL-024 alone, whoever sent it; and a delta
// that is rejected for what it says keeps that reason.
func TestUnregistered(t *testing.T) {
	for body, want := range map[string]string{"{}": "", "[1]": "", "3": "", `{"operation": "ADD"}`: "MR-004"} {
		p := from("Zed", 1)
		p.body = "\n```delta\n" + body + "\n```\n"
		r := replay.New(thread([]post{p}), replay.Options{Roster: []string{"Ada"}})
		if got := strings.Join(rules(r), "; "); got != want {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
		if why := r.Pending.Deltas[0].Rejection; why == nil || why.Fault == nil {
			t.Errorf("%s is rejected for %v", body, why)
		}
	}
}

// Published items are matched with those of the replay by what fits best: id and
// name or text before text alone, and no item twice.
func TestMatching(t *testing.T) {
	fields := func(n int, more ...string) object {
		d := assumption(n)["payload"].(object)
		for i := 0; i < len(more); i += 2 {
			d[more[i]] = more[i+1]
		}
		return d
	}
	put := func(item string, fields object) func(*state.State) {
		return func(st *state.State) { st.Add(&state.Item{ID: id(item), Fields: fields}) }
	}
	all := func(changes ...func(*state.State)) func(*state.State) {
		return func(st *state.State) {
			for _, change := range changes {
				change(st)
			}
		}
	}
	leave := func(items ...string) func(*state.State) { return func(st *state.State) { drop(st, items...) } }
	lacking := func(n int) object { return withoutStatus(assumption(n)) }
	four := round2(assumption(4), lacking(5), assumption(6), assumption(7))
	for _, e := range []edge{
		{name: "its own name before the text of another", posts: first(), change: sets("A2", "statement", "statement 3", "A3", "statement", "made up"), want: "MR-013 A2 statement; MR-013 A3 statement"},
		{name: "its own text before the name of another", posts: first(), change: sets("A2", "name", "Assumption 3", "A3", "name", "made up"), want: "MR-013 A2 name; MR-013 A3 name"},
		{name: "the text of another before the id alone", posts: first(), change: sets("A2", "name", "x", "A2", "statement", "statement 3", "A3", "name", "y", "A3", "statement", "statement 2"),
			want: "MR-013 A2 name; MR-013 A3 name; MR-015 A2; MR-015 A3"},
		{name: "a copy", posts: first(), change: put("A4", fields(2)), want: "MR-012 A4"},
		{name: "a copy of its name", posts: first(), change: put("A4", fields(2, "statement", "other")), want: "MR-012 A4"},
		{name: "a copy of a rejected ADD's name", posts: round2(lacking(4)), change: all(put("A4", withoutStatus(object{"payload": fields(4)})["payload"].(object)), put("A5", fields(4, "statement", "other"))), want: "MR-012 A5; MR-022 A4"},
		{name: "a heading without id in another section", posts: round2(add("hypothesis_slate", object{"name": "Size", "claim": "c", "mechanism": "m", "anchors": []string{"§1"}}),
			add("assumption_ledger", fields(4, "name", "Size"))), change: leave("H4"), old: "### A4: Size", new: "### Size", want: "MR-011 H4"},
		{name: "two left out, a rejected ADD applied in its place", posts: four, change: all(leave("A4", "A5", "A6"), put("A4", fields(5)), put("A5", fields(7))), want: "MR-011 A4; MR-011 A6; MR-022 A4"},
		{name: "one left out, a rejected ADD applied at the end", posts: four, change: all(leave("A5", "A6"), put("A5", fields(7)), put("A6", fields(5))), want: "MR-011 A6; MR-022 A6"},
		{name: "a number that nothing explains", posts: four, change: all(leave("A6"), put("A8", fields(7))), want: "MR-015 A8"},
	} {
		t.Run(e.name, func(t *testing.T) { e.run(t) })
	}
}
