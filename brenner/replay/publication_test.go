package replay_test

import (
	"maps"
	"slices"
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
	)
}

// The artifact of another session is AP-003 alone; that of this session under a wrong id is compared.
func TestForeignArtifact(t *testing.T) {
	posts := []post{{from: "Operator", subject: "KICKOFF: x"}, {from: "Ada", subject: "DELTA[opus]: x", deltas: []object{
		{"operation": "EDIT", "section": "research_thread", "target_id": "RT", "payload": object{"statement": "why?", "context": "because", "anchors": []string{"§1"}}},
		hypothesis(1),
	}}}
	const own = "session_id: \"RS-20251230-cell-fate\"\n"
	changed := sets("RT", "statement", "how?", "H1", "name", "other", "H1", "claim", "another")
	differs := "MR-013 H1 claim; MR-013 H1 name; MR-013 RT statement"
	edges(t,
		edge{name: "another session", posts: posts, change: changed, old: own, new: "session_id: RS-20251230-other\n"},
		edge{name: "its own too", posts: posts, change: changed, old: own, new: "session_id: RS-20251230-other\n" + own, want: differs},
		edge{name: "a number", posts: posts, change: changed, old: own, new: "session_id: 20251230\n", want: differs},
		edge{name: "in another case", posts: posts, change: changed, old: own, new: "session_id: rs-20251230-cell-fate\n", want: differs},
		edge{name: "with a space", posts: posts, change: changed, old: own, new: "session_id: \"RS-20251230-cell-fate \"\n", want: differs},
		edge{name: "an item of the same name", posts: posts, change: sets("RT", "statement", "how?", "H1", "claim", "another"), old: own, new: "session_id: RS-20251230-other\n", want: "MR-013 H1 claim; MR-013 RT statement"},
		edge{name: "an item of the same text", posts: posts, change: sets("RT", "statement", "how?", "H1", "name", "other"), old: own, new: "session_id: RS-20251230-other\n", want: "MR-013 H1 name; MR-013 RT statement"},
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
	precise := slices.Clone(posts)
	posts[len(posts)-1].at += 500 * time.Millisecond
	precise[len(posts)-1].at += 512345 * time.Microsecond
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
		edge{name: "a second later", posts: posts, change: at(func(t time.Time) time.Time { return t.Truncate(time.Second).Add(time.Second) }), want: "MR-014 A2 killed_at"},
		edge{name: "its date alone", posts: posts, old: instant, new: "2025-12-30"},
		edge{name: "a shorter fraction", posts: precise, old: "00.512345Z", new: "00.512Z"},
		edge{name: "a shorter fraction of another instant", posts: precise, old: "00.512345Z", new: "00.513Z", want: "MR-014 A2 killed_at"},
		edge{name: "its minute alone", posts: posts, old: instant, new: "2025-12-30T13:00Z"},
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
		edge{name: "a flag below a label that is not bold", posts: round2(edit("H3", object{"third_alternative": false})), old: "mechanism 3\n", new: "mechanism 3\nThird alternative: true\n", want: "MR-013 H3 mechanism"},
		edge{name: "an item on one side of a conflict", posts: round2(), old: "## 7.", new: sides("", oneMore) + "## 7."},
		edge{name: "the version after it, without the item", posts: append(leftOpen(), from("Ada", 900, edit("H1", object{"claim": "claim 9"}))), change: func(st *brenner.State) {
			drop(st, "X9")
		}},
		edge{name: "an item on both sides", posts: round2(), old: "## 7.", new: sides(oneMore, oneMore) + "## 7.", want: "MR-012 X9"},
		edge{name: "a flag left out", posts: round2(edit("H3", object{"third_alternative": true})), old: "**Third alternative**: true\n", want: "MR-013 H3 third_alternative"},
		edge{name: "a flag left out beside its name", posts: round2(edit("H3", object{"name": "Third alternative: none", "third_alternative": true})), old: "**Third alternative**: true\n", want: "MR-013 H3 third_alternative"},
		edge{name: "a scale check left out beside its name", posts: round2(edit("A3", object{"name": "Scale check: size", "scale_check": true})), old: "**Scale check**: true\n", want: "MR-013 A3 scale_check"},
		edge{name: "a field made up", posts: round2(), old: "**Load**: load\n", new: "**Load**: load\n**Colour**: red\n", want: "MR-013 A1 Colour"},
		edge{name: "a heading lost", posts: round2(), old: "### A2: Assumption 2\n", want: "MR-011 A2"},
		edge{name: "a label that is a heading", posts: round2(), old: "**Load**: load\n", new: "#### Load\nload\n", want: "MR-013 A1 load"},
		edge{name: "a label that is not bold, below more text", posts: round2(), old: "**Load**: load\n", new: "and more\nLoad: load\n", want: "MR-013 A1 load; MR-013 A1 statement"},
		edge{name: "text like a label that is not bold", posts: round2(), old: "**Load**: load\n", new: "**Load**: load\nImplication: none\n", want: "MR-013 A1 load"},
		edge{name: "a line of text that looks like a field", posts: round2(red)},
		edge{name: "the same, not escaped", posts: round2(red), old: `\**Colour**`, new: "**Colour**"},
		edge{name: "other marks of a list", posts: round2(edit("A1", object{"load": "these:\n- one\n- two"})), old: "- one\n- two", new: "* one\n+ two"},
		edge{name: "a space at the end of a line", posts: round2(edit("A1", object{"load": "2\n* 3"})), old: "2\n", new: "2 "},
		edge{name: "a field of no section, left out", posts: round2(edit("A1", object{"colour": "red"}))},
		edge{name: "a killed item shown with less", posts: round2(edit("A1", object{"load": "unique"}), kill("A1")), old: "**Load**: ~~unique~~\n"},
		edge{name: "a heading without an id", posts: round2(assumption(4)), old: "### A4: Assumption 4", new: "### Assumption 4"}, // ES-003
		edge{name: "a research thread of nobody", posts: []post{{from: "Ada", subject: "DELTA[opus]: x", deltas: []object{assumption(1)}}}, old: "**RT**:", new: "**RT**: why?", want: "MR-012 RT"},
		edge{name: "anchors of the research thread", posts: first(), change: sets("RT", "anchors", nil), want: "MR-013 RT anchors"},
		edge{name: "anchors of an assumption", posts: round2(edit("A1", object{"anchors": []string{"§3"}})), change: sets("A1", "anchors", nil)},
		edge{name: "inference instead of what is cited", posts: first(), change: sets("H1", "anchors", []any{"inference"}), want: "MR-013 H1 anchors"},
		edge{name: "inference and more where nothing is cited", posts: round2(edit("RT", object{"anchors": []string{}, "replace": true})), change: sets("RT", "anchors", []any{"inference", "§7"}), want: "MR-013 RT anchors"},
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
	expect(t, replay.New(thread(posts), replay.Options{}), "MR-013 A1 calculation", "MR-013 A1 calculation")
	// An item that was left out stays as it was merged (decisions.md 48).
	returned := func(st *brenner.State) {
		st.Add(brenner.NewItem(id("A3"), object{"name": "Assumption 3", "statement": "statement 3", "load": "load", "test": "test", "status": "unchecked"}))
	}
	posts = publish(publish(first(), 1, func(st *brenner.State) { drop(st, "A3") }), 2, returned)
	expect(t, replay.New(thread(posts), replay.Options{}), "MR-011 A3")
	posts = publish(append(publish(first(), 1, nil), post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("H2")}}), 2, func(st *brenner.State) {
		set(st, "P2", "predictions", object{"H1": "a", "H2": "other", "H3": "new"})
	})
	expect(t, replay.New(thread(posts), replay.Options{}), "MR-013 P2 predictions", "MR-016 P2 predictions")
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
		edge{name: "half of it shows", posts: round2(update("A1", object{"load": "heavy", "test": "weigh"})), change: sets("A1", "load", "heavy"), want: "MR-013 A1 load"},
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
		edge{name: "the section told by the target", posts: round2(object{"operation": "EDIT", "section": "assumptions", "target_id": "A1", "payload": object{"load": "heavy"}}), change: sets("A1", "load", "heavy"), want: "MR-022 A1"},
		edge{name: "an EDIT of nothing, other values", posts: round2(edit("A9", object{"statement": "s", "load": "l"})), change: a9(object{"statement": "s", "load": "other"}), want: "MR-001 A9; MR-012 A9"},
		edge{name: "one of two deltas in one block", posts: several, change: sets("A2", "load", "light"), want: "MR-022 A2"},
		edge{name: "an EDIT of nothing that says nothing", posts: round2(edit("A9", object{"colour": "red"})), change: a9(object{"statement": "s"}), want: "MR-001 A9; MR-012 A9"},
		edge{name: "an EDIT before its ADD", posts: round2(edit("A4", object{"load": "heavy"}), assumption(4)), change: sets("A4", "load", "heavy"), want: "MR-001 A4; MR-022 A4"},
		edge{name: "outcomes of a hypothesis that is killed later", posts: round2(update("P1", object{"predictions": object{"H1": "up", "H2": "down"}}), kill("H1")),
			change: sets("P1", "predictions", object{"H1": "N/A", "H2": "down"}), want: "MR-022 P1"},
		edge{name: "a condition under another name", posts: round2(add("predictions_table", object{"conditions": "c", "predictions": object{"H1": "up"}}), prediction(9, object{"H1": "x"})), change: func(st *brenner.State) {
			drop(st, "P3")
			st.Add(brenner.NewItem(id("P3"), object{"condition": "c", "predictions": object{"H1": "up"}}))
			st.Add(brenner.NewItem(id("P4"), object{"condition": "condition 9", "predictions": object{"H1": "x"}}))
		}, want: "MR-022 P3"},
		edge{name: "a new prediction given a scope", posts: round2(prediction(9, object{"H1": "x"})), change: func(st *brenner.State) {
			drop(st, "P3")
			st.Add(brenner.NewItem(id("P3.H1"), object{"condition": "condition 9", "predictions": object{"H1": "x"}}))
		}, want: "MR-015 P3.H1"},
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
		{"what is missing is counted", round2(kill("A2"), assumption(4)), func(st *brenner.State) { drop(st, "A4") }, "## Statistics\n\n- Assumptions: 4", "MR-011 A4"},
		{"what is missing is counted, active ones", round2(kill("A2"), kill("A1"), assumption(4), assumption(5)), func(st *brenner.State) { drop(st, "A1", "A2", "A4", "A5") }, "## Statistics\n\n- Assumptions: 3", "MR-011 A1; MR-011 A2; MR-011 A4; MR-011 A5"},
		{"an emptied thread", round2(add("research_thread", object{"statement": "q"})), func(st *brenner.State) { drop(st, "RT") }, "## Statistics\n\n- Research Thread: 0", "MR-011 RT"},
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

// claiming returns a first round and its COMPILED, with sections before the artifact.
func claiming(sections string) []post {
	posts := publish(first(), 1, nil)
	at := &posts[len(posts)-1].body
	*at = strings.Replace(*at, "## Full Artifact", sections+"\n\n## Full Artifact", 1)
	return posts
}

// Claims of a COMPILED about contributors that are right although the merge counts otherwise; the others
// are on the pages of MR-018 and MR-019.
func TestClaims(t *testing.T) {
	const table = "## Contributors\n\n| Agent | Delta Count |\n|---|---|\n"
	misplaced := append([]post{}, first()...)
	misplaced[2].body = "```json\n{\"operation\": \"KILL\", \"section\": \"assumption_ledger\", \"target_id\": \"A3\", \"payload\": {\"reason\": \"r\"}}\n```\n"
	expect(t, replay.New(thread(claiming("## Contributors\n\nall who took part")), replay.Options{}))
	// A version that is sent a second time claims what it claimed the first time.
	posts := publish(append(claiming(table+"| Ada | 4 |\n| Bob | 7 |"), from("Cyd", 1, kill("A1"))), 2, nil)
	last := &posts[len(posts)-1]
	last.body = strings.Replace(last.body, "## Full", table+"| Cyd | 1 |\n\n## Full", 1)
	again := *last
	again.at += time.Minute
	expect(t, replay.New(thread(append(posts, again)), replay.Options{}))
	// A delta outside of a fence was never merged; a publisher who counted it learns so
	// from another rule.
	posts = publish(misplaced, 1, nil)
	body := &posts[len(posts)-1].body
	*body = strings.Replace(*body, "## Full", table+"| Ada | 4 |\n| Bob | 8 |\n\n## Full", 1)
	expect(t, replay.New(thread(posts), replay.Options{}))
}

// oneMore is an item that comes from no delta.
const oneMore = "### X9: Another\n**Observation**: o\n"

// sides returns two versions of a text as version control leaves them.
func sides(ours, theirs string) string {
	return "<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> theirs\n\n"
}

// What is below a label that is not bold in an item without its heading is no part of the item above: in the next
// version it is told once more. (One field differs in each version.)
func TestHeadless(t *testing.T) {
	posts := publish(first(), 1, sets("A2", "status", nil))
	body := &posts[len(posts)-1].body
	for _, r := range [...][2]string{{"### A3: Assumption 3\n", ""}, {"**Status**: unchecked\n\n## 6", "Status: verified\n\n## 6"}} {
		if !strings.Contains(*body, r[0]) {
			t.Fatalf("no %q in %s", r[0], *body)
		}
		*body = strings.Replace(*body, r[0], r[1], 1)
	}
	posts = append(posts, from("Cyd", 900, edit("H1", object{"claim": "claim 9"})))
	edges(t, edge{name: "the next version", posts: posts, change: sets("A2", "status", "verified"), want: "MR-011 A3; MR-013 A2 status; MR-013 A2 status"})
}

// leftOpen is a second version with an item on one side of a conflict.
func leftOpen() []post {
	posts := publish(round2(), 2, nil)
	body := &posts[len(posts)-1].body
	*body = strings.Replace(*body, "## 7.", sides("", oneMore)+"## 7.", 1)
	return posts
}
