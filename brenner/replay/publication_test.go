package replay_test

import (
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/replay"
)

// round2 returns a first round as it should be published, and deltas after it.
func round2(deltas ...object) []post {
	return append(publish(first(), 1, nil), from("Cyd", 1, deltas...))
}

func withoutStatus(d object) object {
	delete(d["payload"].(object), "status")
	return d
}

func sets(values ...any) func(*brenner.State) {
	return func(st *brenner.State) {
		for i := 0; i < len(values); i += 3 {
			set(st, values[i].(string), values[i+1].(string), values[i+2])
		}
	}
}

// Whether an item is a new one under an old id (MR-015) or the same one with other
// fields (MR-013) depends on its name and its text: either identifies it.
func TestSameItem(t *testing.T) {
	renamed := edit("H2", object{"name": "New", "claim": "new"})
	conflict := append(publish(first(), 1, nil), from("Ada", 2, edit("H2", object{"name": "X", "claim": "x"})), from("Bob", 2, edit("H2", object{"name": "Y", "claim": "y"})))
	broken := round2(edit("H2", object{"name": "New"}))
	broken[len(broken)-1].body += "\n```delta\nno JSON\n```\n"
	edges(t,
		edge{name: "an item of this version", posts: first(), change: sets("A2", "name", "other", "A2", "statement", "another"), want: "MR-013 A2 name; MR-013 A2 statement"},
		edge{name: "no name of its own", posts: round2(), change: sets("A2", "name", nil, "A2", "statement", "another"), want: "MR-013 A2 name; MR-013 A2 statement"},
		edge{name: "nothing said", posts: round2(), change: sets("A2", "name", "other", "A2", "statement", nil), want: "MR-013 A2 name; MR-013 A2 statement"},
		edge{name: "the old name", posts: round2(renamed), change: sets("H2", "name", "Hypothesis 2", "H2", "claim", "made up"), want: "MR-013 H2 claim; MR-013 H2 name"},
		edge{name: "the old claim", posts: round2(renamed), change: sets("H2", "name", "made up", "H2", "claim", "claim 2"), want: "MR-013 H2 claim; MR-013 H2 name"},
		edge{name: "the name of an EDIT between", posts: round2(edit("H2", object{"name": "Mid", "claim": "mid"}), renamed), change: sets("H2", "name", "Mid", "H2", "claim", "made up"), want: "MR-013 H2 claim; MR-013 H2 name"},
		edge{name: "nobody's name or claim", posts: round2(renamed), change: sets("H2", "name", "made up", "H2", "claim", "made up too"), want: "MR-015 H2"},
		edge{name: "an unreadable delta beside it", posts: broken, change: sets("H2", "name", "made up", "H2", "claim", "made up too"), want: "MR-015 H2"},
		edge{name: "a conflict, its claim made up", posts: conflict, change: sets("H2", "claim", "made up"), want: "MR-008 H2 claim; MR-008 H2 name; MR-013 H2 claim"},
		edge{name: "a conflict, its name made up", posts: conflict, change: sets("H2", "name", "made up"), want: "MR-008 H2 claim; MR-008 H2 name; MR-013 H2 name"},
		edge{name: "another research thread", posts: round2(), change: sets("RT", "statement", "something else"), want: "MR-013 RT statement"},
		edge{name: "another condition", posts: round2(), change: sets("P1", "condition", "something else"), want: "MR-013 P1 condition"},
	)
}

// What differs from the replay because of a reported fact is not a second finding; any
// other difference is one.
func TestExcuses(t *testing.T) {
	status := withoutStatus(assumption(4))
	shown := func(more object) func(*brenner.State) {
		fields := object{"name": "Assumption 4", "statement": "statement 4", "load": "load", "test": "test"}
		for k, v := range more {
			fields[k] = v
		}
		return func(st *brenner.State) { st.Add(brenner.NewItem(id("A4"), fields)) }
	}
	tied := func(a, b object) []post {
		return append(publish(first(), 1, nil), from("Ada", 2, a), from("Bob", 2, b))
	}
	edges(t,
		edge{name: "a rejected ADD, what it lacks filled in", posts: round2(status), change: shown(object{"status": "unchecked"}), want: "MR-022 A4"},
		edge{name: "a rejected ADD, more filled in", posts: round2(withoutStatus(assumption(4))), change: shown(object{"calculation": "42"}), want: "MR-013 A4 calculation; MR-022 A4"},
		edge{name: "a rejected ADD, changed", posts: round2(withoutStatus(assumption(4))), change: shown(object{"load": "heavy"}), want: "MR-013 A4 load; MR-022 A4"},
		edge{name: "an old gap filled in", posts: append(publish(first(), 1, func(st *brenner.State) { set(st, "A1", "load", nil) }), from("Cyd", 1, kill("A3"))), change: sets("A1", "load", "load"), want: "MR-013 A1 load; MR-013 A1 load"},
		edge{name: "another field of a conflict", posts: append(tied(edit("A1", object{"load": "light", "statement": "new"}), edit("A1", object{"load": "heavy", "statement": "new"})), from("Ada", 3, edit("A1", object{"statement": "newer"}))),
			change: sets("A1", "statement", "new"), want: "MR-008 A1 load; MR-013 A1 statement"},
		edge{name: "neither order of a union", posts: tied(edit("H1", object{"anchors": []string{"§8"}}), edit("H1", object{"anchors": []string{"§9"}})), change: sets("H1", "anchors", []any{"§1", "§7"}), want: "MR-009 H1 anchors; MR-013 H1 anchors"},
		edge{name: "neither side of a KILL", posts: tied(edit("A1", object{"load": "light"}), kill("A1")), change: sets("A1", "load", "heavy"), want: "MR-009 A1; MR-013 A1 load"},
	)
}

// All that is published of a KILL must be right; an instant as far as it is written
// out.
func TestKillsAsPublished(t *testing.T) {
	posts := append(publish(first(), 1, nil), from("Cyd", 1, kill("A2")))
	posts[len(posts)-1].at += 500 * time.Millisecond
	at := func(at func(time.Time) time.Time) func(*brenner.State) {
		return func(st *brenner.State) {
			k := *st.Find(id("A2")).Killed
			k.At = at(k.At)
			setKilled(st, "A2", &k)
		}
	}
	const instant = "2025-12-30T13:00:00.5Z"
	edges(t,
		edge{name: "as it is", posts: posts},
		edge{name: "without its fraction", posts: posts, change: at(func(t time.Time) time.Time { return t.Truncate(time.Second) })},
		edge{name: "another fraction", posts: posts, change: at(func(t time.Time) time.Time { return t.Add(250 * time.Millisecond) }), want: "MR-014 A2 killed_at"},
		edge{name: "a second later", posts: posts, change: at(func(t time.Time) time.Time { return t.Truncate(time.Second).Add(time.Second) }), want: "MR-014 A2 killed_at"},
		edge{name: "its date alone", posts: posts, old: instant, new: "2025-12-30"},
		edge{name: "another date", posts: posts, old: instant, new: "2025-12-31", want: "MR-014 A2 killed_at"},
		edge{name: "no instant", posts: posts, change: at(func(time.Time) time.Time { return time.Time{} })},
		edge{name: "no killer", posts: posts, old: "**Killed by**: Cyd", new: "**Killed by**:"},
		edge{name: "two faults at once", posts: posts, change: func(st *brenner.State) { setKilled(st, "A2", &brenner.Killing{By: "Bob", Reason: "ugly"}) }, want: "MR-014 A2 killed_by"},
	)
}

// What a rendering may and may not omit or show in its own way.
func TestRenderedFields(t *testing.T) {
	run := object{"result_id": "r1", "run_at": "2025-12-30T12:00:00Z", "exit_code": 0, "duration_ms": 1234, "timed_out": false, "summary": "fine"}
	red := edit("A1", object{"load": "first\n**Colour**: red"})
	edges(t,
		edge{name: "parts of the last run", posts: round2(edit("T1", object{"last_run": run})), old: "- Result ID: `r1`\n"},
		edge{name: "another exit code", posts: round2(edit("T1", object{"last_run": run})), old: "Exit code: 0", new: "Exit code: 3", want: "MR-013 T1 last_run"},
		edge{name: "a flag as a part of the name", posts: round2(edit("H3", object{"third_alternative": true})), old: "### H3: Hypothesis 3", new: "### H3: Third alternative: Hypothesis 3", want: "MR-013 H3 name"},
		edge{name: "a flag left out", posts: round2(edit("H3", object{"third_alternative": true})), old: "**Third alternative**: true\n", want: "MR-013 H3 third_alternative"},
		edge{name: "a flag left out beside its name", posts: round2(edit("H3", object{"name": "Third alternative: none", "third_alternative": true})), old: "**Third alternative**: true\n", want: "MR-013 H3 third_alternative"},
		edge{name: "a scale check left out beside its name", posts: round2(edit("A3", object{"name": "Scale check: size", "scale_check": true})), old: "**Scale check**: true\n", want: "MR-013 A3 scale_check"},
		edge{name: "another outcome", posts: round2(), old: "- H1: up\n", new: "- H1: sideways\n", want: "MR-013 T2 expected_outcomes"},
		edge{name: "a field left out", posts: round2(edit("T1", object{"potency_check": "new"})), old: "**Potency check**: new\n", want: "MR-013 T1 potency_check"},
		edge{name: "a field made up", posts: round2(), old: "**Load**: load\n", new: "**Load**: load\n**Colour**: red\n", want: "MR-013 A1 Colour"},
		edge{name: "a line of text that looks like a field", posts: round2(red)},
		edge{name: "the same, not escaped", posts: round2(red), old: `\**Colour**`, new: "**Colour**"},
		edge{name: "other marks of a list", posts: round2(edit("A1", object{"load": "these:\n- one\n- two"})), old: "- one\n- two", new: "* one\n+ two"},
		edge{name: "a space at the end of a line", posts: round2(edit("A1", object{"load": "2\n* 3"})), old: "2\n", new: "2 "},
		edge{name: "another point of a list", posts: round2(edit("A1", object{"load": "these:\n- one"})), old: "- one", new: "* two", want: "MR-013 A1 load"},
		edge{name: "a field of no section, left out", posts: round2(edit("A1", object{"colour": "red"}))},
		edge{name: "a killed item shown with less", posts: round2(edit("A1", object{"load": "unique"}), kill("A1")), old: "**Load**: ~~unique~~\n"},
		edge{name: "a heading without an id", posts: round2(assumption(4)), old: "### A4: Assumption 4", new: "### Assumption 4"}, // ES-003
		edge{name: "a research thread of nobody", posts: []post{{from: "Ada", subject: "DELTA[opus]: x", deltas: []object{assumption(1)}}}, old: "**RT**:", new: "**RT**: why?", want: "MR-012 RT"},
		edge{name: "anchors of the research thread", posts: first(), change: sets("RT", "anchors", nil), want: "MR-013 RT anchors"},
		edge{name: "anchors of a hypothesis", posts: first(), change: sets("H1", "anchors", nil), want: "MR-013 H1 anchors"},
		edge{name: "anchors of an assumption", posts: round2(edit("A1", object{"anchors": []string{"§3"}})), change: sets("A1", "anchors", nil)},
		edge{name: "inference instead of what is cited", posts: first(), change: sets("H1", "anchors", []any{"inference"}), want: "MR-013 H1 anchors"},
		edge{name: "inference and more where nothing is cited", posts: round2(edit("RT", object{"anchors": []string{}, "replace": true})), change: sets("RT", "anchors", []any{"inference", "§7"}), want: "MR-013 RT anchors"},
		edge{name: "an anchor where nothing is cited", posts: round2(edit("RT", object{"anchors": []string{}, "replace": true})), change: sets("RT", "anchors", []any{"§7"}), want: "MR-013 RT anchors"},
		edge{name: "the research thread left out", posts: first(), change: func(st *brenner.State) { drop(st, "RT") }, want: "MR-011 RT"},
		edge{name: "a flag that nobody set", posts: first(), change: sets("H3", "third_alternative", true), want: "MR-013 H3 third_alternative"},
		edge{name: "a flag that the name says", posts: round2(edit("H3", object{"name": "Third alternative: none"})), change: sets("H3", "third_alternative", true), want: "MR-013 H3 third_alternative"},
		edge{name: "a text that runs on, with another end", posts: round2(red), old: `\**Colour**: red`, new: "**Colour**: blue", want: "MR-013 A1 load"},
		edge{name: "a line that names nothing", posts: first(), old: "**Load**: load\n", new: "**Load**: load\n**Colour**:\n"},
		edge{name: "a field of no section, shown", posts: round2(edit("A1", object{"colour": "red"})), old: "**Load**: load\n", new: "**Load**: load\n**Colour**: red\n"},
		edge{name: "a field of no section, shown with another value", posts: round2(edit("A1", object{"colour": "red"})), old: "**Load**: load\n", new: "**Load**: load\n**Colour**: blue\n", want: "MR-013 A1 Colour"},
		edge{name: "a field named like a word that is not bold", posts: round2(edit("A1", object{"load": "Colour **is** light"})), old: "**Load**: Colour **is** light\n", new: "**Load**: Colour **is** light\n**Colour**: red\n", want: "MR-013 A1 Colour"},
		edge{name: "an outcome more", posts: first(), old: "- H2: down\n", new: "- H2: down\n- H3: sideways\n", want: "MR-013 T2 expected_outcomes"},
		edge{name: "a prediction of N/A for an active hypothesis", posts: round2(prediction(3, object{"H1": "N/A", "H2": "x"})), change: sets("P3", "predictions", object{"H1": "yes", "H2": "x"}), want: "MR-013 P3 predictions"},
	)
}

// The items of a section that is missing are left out, as single ones are (decisions.md 47 and
// 82). Where the text shows them all the same, without the section's heading or a table, they
// are not compared: ES-001 or EP-002 says why. The next window has them as the deltas give
// them, and other differences are reported.
func TestMissingSections(t *testing.T) {
	for _, tt := range []struct {
		name, from, to, by string
		left               string
		matches            any // nil if nobody knows
	}{
		{"a section", "## 5. ", "## 6. ", "", "MR-011 A1; MR-011 A2; MR-011 A3", false},
		{"a section without items", "## 6. ", "## 7. ", "", "", true},
		{"a table", "| ID |", "## 4. ", "", "MR-011 P1; MR-011 P2", false},
		{"a heading", "## 5. ", "\n\n", "## Assumptions", "", nil},
		{"the header of a table", "| ID |", "\n| P1", "", "", nil},
	} {
		for claim, other := range map[string]string{"": "", "made up": "MR-013 H2 claim"} {
			posts := publish(first(), 1, func(st *brenner.State) {
				if claim != "" {
					set(st, "H2", "claim", claim)
				}
			})
			body := &posts[len(posts)-1].body
			i := strings.Index(*body, tt.from)
			j := i + strings.Index((*body)[i:], tt.to)
			*body = (*body)[:i] + tt.by + (*body)[j:]
			r := replay.New(thread(append(posts, from("Cyd", 2, kill("A1"), kill("P1")))), replay.Options{})
			want, matches := strings.Trim(tt.left+"; "+other, "; "), tt.matches
			if other != "" {
				matches = false
			}
			var got any
			if m := r.Windows[0].Matches; m != nil {
				got = *m
			}
			if found := strings.Join(rules(r), "; "); found != want || got != matches || r.Pending.Applied != 2 {
				t.Errorf("%s is missing: got %s, want %s, matches %v, %d applied", tt.name, found, want, got, r.Pending.Applied)
			}
		}
	}
}

// Ids that follow from reported facts are right: those of the other order of tied
// ADDs, and those after an ADD that was left out.
func TestExpectedIDs(t *testing.T) {
	exchange := func(a, b string) func(*brenner.State) {
		return func(st *brenner.State) {
			x, y := st.Find(id(a)).Fields(), st.Find(id(b)).Fields()
			st.Put(brenner.NewItem(id(a), y))
			st.Put(brenner.NewItem(id(b), x))
		}
	}
	tied := append(publish(first(), 1, nil), from("Ada", 2, assumption(4)), from("Bob", 2, assumption(5)), from("Cyd", 3, assumption(6)))
	twoAndOne := append(publish(first(), 1, nil), from("Ada", 2, assumption(4), assumption(5)), from("Bob", 2, assumption(6)))
	edges(t,
		edge{name: "the other order of tied ADDs", posts: tied, change: exchange("A4", "A5"), want: "MR-009 A5"},
		edge{name: "the other order of two and one", posts: twoAndOne, change: renumber("A4", "A5", "A5", "A6", "A6", "A4"), want: "MR-009 A6"},
		edge{name: "neither order of two and one", posts: twoAndOne, change: exchange("A5", "A6"), want: "MR-009 A6; MR-015 A5; MR-015 A6"},
		edge{name: "the order of ADDs that are not tied", posts: tied, change: exchange("A5", "A6"), want: "MR-009 A5; MR-015 A5; MR-015 A6"},
		edge{name: "an old item and a new one", posts: round2(assumption(4)), change: exchange("A3", "A4"), want: "MR-015 A3; MR-015 A4"},
		edge{name: "two of three left out", posts: round2(assumption(4), assumption(5), assumption(6)), change: func(st *brenner.State) {
			set(st, "A4", "name", "Assumption 6")
			set(st, "A4", "statement", "statement 6")
			drop(st, "A5", "A6")
		}, want: "MR-011 A4; MR-011 A5"},
	)
}

// What an earlier version said without a delta becomes part of the base: reverting it
// is reported.
func TestPublishedBase(t *testing.T) {
	posts := publish(publish(first(), 1, func(st *brenner.State) { set(st, "A1", "calculation", "42") }), 2, func(st *brenner.State) { set(st, "A1", "calculation", "43") })
	expect(t, replay.New(thread(posts), replay.Options{}),
		`MR-013 A1 calculation was set by no delta and was not in the version before; published is "42"`,
		`MR-013 A1 calculation was "42" in the version before, and no delta changed it; published is "43"`,
	)
	// An item that was left out stays as it was merged (decisions.md 48).
	returned := func(st *brenner.State) {
		st.Add(brenner.NewItem(id("A3"), object{"name": "Assumption 3", "statement": "statement 3", "load": "load", "test": "test", "status": "unchecked"}))
	}
	posts = publish(publish(first(), 1, func(st *brenner.State) { drop(st, "A3") }), 2, returned)
	expect(t, replay.New(thread(posts), replay.Options{}),
		`MR-011 A3 ("Assumption 3"), added by Bob in message 3, delta 7, is not in the published artifact`,
	)
	posts = publish(append(publish(first(), 1, nil), post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("H2")}}), 2, func(st *brenner.State) {
		set(st, "P2", "predictions", object{"H1": "a", "H2": "other", "H3": "new"})
	})
	expect(t, replay.New(thread(posts), replay.Options{}), "MR-016 P2 still predicts", `MR-013 P2 predictions (H3) was last set by Bob in message 3, delta 2, to absent; published is "new"`)
	// The thread continues with what the deltas gave where a section is missing.
	posts = publish(first(), 1, nil)
	body := &posts[len(posts)-1].body
	from, to := strings.Index(*body, "## 5. "), strings.Index(*body, "## 6. ")
	*body = (*body)[:from] + (*body)[to:]
	r := replay.New(thread(append(posts, post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("A1")}})), replay.Options{})
	expect(t, r, "MR-011 A1", "MR-011 A2", "MR-011 A3")
	if r.Pending.Base != replay.FromPublished || r.Pending.Applied != 1 {
		t.Errorf("the next window starts from %s, %d applied", r.Pending.Base, r.Pending.Applied)
	}
}
