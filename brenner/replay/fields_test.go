package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// A rendering's own way of showing a value is no difference; a real difference is
// narrowed to its part.
func TestFieldsAsRendered(t *testing.T) {
	run := object{"result_id": "r1", "run_at": "2025-12-30T12:00:00Z", "exit_code": 0, "duration_ms": 1234, "timed_out": false, "summary": "fine"}
	second := func(deltas ...object) []post {
		return append(publish(first(), 1, nil), post{from: "Cyd", subject: "DELTA[gemini]: y", deltas: deltas})
	}
	for i, tt := range []struct {
		posts    []post
		old, new string
		want     []string
	}{
		{second(edit("T1", object{"last_run": run})), "- Result ID: `r1`\n", "", nil}, // compilers show parts of it
		{second(edit("H3", object{"third_alternative": true})), "### H3: Hypothesis 3", "### H3: Third alternative: Hypothesis 3", []string{"MR-013 H3 name"}},
		{second(edit("H3", object{"third_alternative": true})), "**Third alternative**: true\n", "", []string{"MR-013 H3 third_alternative"}},
		{second(edit("H3", object{"name": "Third alternative: none", "third_alternative": true})), "**Third alternative**: true\n", "", []string{"MR-013 H3 third_alternative"}}, // a name is no flag
		{second(edit("A3", object{"name": "Scale check: size", "scale_check": true})), "**Scale check**: true\n", "", []string{"MR-013 A3 scale_check"}},
		{second(), "- H1: up\n", "- H1: sideways\n", []string{`MR-013 T2 expected_outcomes (H1) was last set by Bob in message 3, delta 4, to "up"; published is "sideways"`}},
		{second(edit("T1", object{"potency_check": "new"})), "**Potency check**: new\n", "", []string{`MR-013 T1 potency_check was last set by Cyd in message 5, delta 1, to "new"; the published artifact lacks it`}},
		{second(), "**Load**: load\n", "**Load**: load\n**Colour**: red\n", []string{"MR-013 A1 Colour was set by no delta and was not in the version before; published is \"red\""}},
		{second(edit("A1", object{"load": "first\n**Colour**: red"})), "", "", nil},                       // a text line that looks like a field
		{second(edit("A1", object{"load": "first\n**Colour**: red"})), `\**Colour**`, "**Colour**", nil},  // not escaped: it is read as one
		{second(edit("A1", object{"load": "these:\n- one\n- two"})), "- one\n- two", "* one\n+ two", nil}, // other bullet markers
		{second(edit("A1", object{"load": "2\n* 3"})), "2\n", "2 ", nil},
		{second(edit("A1", object{"load": "these:\n- one"})), "- one", "* two", []string{"MR-013 A1 load"}},
		{second(edit("A1", object{"colour": "red"})), "", "", nil},
		{second(edit("T1", object{"last_run": run})), "Exit code: 0", "Exit code: 3", []string{"MR-013 T1 last_run"}},
		{second(edit("A1", object{"load": "unique"}), kill("A1")), "**Load**: ~~unique~~\n", "", nil}, // a killed item may be shown with less
		{second(assumption(4)), "### A4: Assumption 4", "### Assumption 4", nil},                      // ES-003 reports it
		{[]post{{from: "Ada", subject: "DELTA[opus]: x", deltas: []object{assumption(1)}}}, "**RT**:", "**RT**: why?", []string{"MR-012 the research thread comes from no delta"}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			posts := publish(tt.posts, 2, nil)
			body := &posts[len(posts)-1].body
			if !strings.Contains(*body, tt.old) {
				t.Fatalf("the artifact has no %q:\n%s", tt.old, *body)
			}
			*body = strings.Replace(*body, tt.old, tt.new, 1)
			expectRules(t, replay.New(thread(posts), replay.Options{}), tt.want)
		})
	}
}

// What an earlier version said without a delta becomes part of the base: reverting it
// is reported.
func TestPublishedBase(t *testing.T) {
	posts := publish(publish(first(), 1, func(st *state.State) { set(st, "A1", "calculation", "42") }), 2, func(st *state.State) { set(st, "A1", "calculation", "43") })
	expectRules(t, replay.New(thread(posts), replay.Options{}), []string{
		`MR-013 A1 calculation was set by no delta and was not in the version before; published is "42"`,
		`MR-013 A1 calculation was "42" in the version before, and no delta changed it; published is "43"`,
	})
	// An item that was left out stays as it was merged (decisions.md 48).
	returned := func(st *state.State) {
		st.Add(state.NewItem(id("A3"), object{"name": "Assumption 3", "statement": "statement 3", "load": "load", "test": "test", "status": "unchecked"}))
	}
	posts = publish(publish(first(), 1, func(st *state.State) { drop(st, "A3") }), 2, returned)
	expectRules(t, replay.New(thread(posts), replay.Options{}), []string{
		`MR-011 A3 ("Assumption 3"), added by Bob in message 3, delta 7, is not in the published artifact`,
	})
	posts = publish(append(publish(first(), 1, nil), post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("H2")}}), 2, func(st *state.State) {
		set(st, "P2", "predictions", object{"H1": "a", "H2": "other", "H3": "new"})
	})
	expectRules(t, replay.New(thread(posts), replay.Options{}), []string{"MR-016 P2 still predicts", `MR-013 P2 predictions (H3) was last set by Bob in message 3, delta 2, to absent; published is "new"`})
	// The thread continues with what the deltas gave where a section is missing.
	posts = publish(first(), 1, nil)
	body := &posts[len(posts)-1].body
	from, to := strings.Index(*body, "## 5. "), strings.Index(*body, "## 6. ")
	*body = (*body)[:from] + (*body)[to:]
	r := replay.New(thread(append(posts, post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("A1")}})), replay.Options{})
	expectRules(t, r, []string{"MR-011 A1", "MR-011 A2", "MR-011 A3"})
	if r.Pending.Base != replay.FromPublished || r.Pending.Applied != 1 {
		t.Errorf("the next window starts from %s, %d applied", r.Pending.Base, r.Pending.Applied)
	}
}

// expectRules is expect, where a want of the form `MR-013 H3 name` names only the
// field.
func expectRules(t *testing.T, r *replay.Thread, want []string) {
	t.Helper()
	got, short := faults(r), rules(r)
	slices.Sort(got)
	slices.Sort(want)
	ok := len(got) == len(want)
	for i := range want {
		ok = ok && (short[i] == want[i] || len(strings.Fields(want[i])) > 3 && says(got[i], want[i]))
	}
	if !ok {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}
