package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/state"
)

// claiming is a first round and its COMPILED, with sections before the artifact.
func claiming(sections string) []post {
	posts := publish(first(), 1, nil)
	at := &posts[len(posts)-1].body
	*at = strings.Replace(*at, "## Full Artifact", sections+"\n\n## Full Artifact", 1)
	return posts
}

// What a COMPILED claims of contributors and counts is compared with the merge.
func TestClaims(t *testing.T) {
	const table = "## Contributors\n\n| Agent | Delta Count |\n|---|---|\n"
	misplaced := append([]post{}, first()...)
	misplaced[2].body = "```json\n{\"operation\": \"KILL\", \"section\": \"assumption_ledger\", \"target_id\": \"A3\", \"payload\": {\"reason\": \"r\"}}\n```\n"
	for _, tt := range []struct {
		name, sections string
		want           []string
	}{
		{"as it is", table + "| Ada | 4 |\n| Bob | 7 |", nil},
		{"without counts", "## Contributors\n\n- Ada\n- Bob", nil},
		{"prose names nobody", "## Contributors\n\nall who took part", nil},
		{"one left out", table + "| Ada | 4 |", []string{"MR-018 Contributors leaves out Bob (7 deltas), whose deltas were applied"}},
		{"a wrong count", table + "| Ada | 1 |\n| Bob | 7 |", []string{"MR-018 Ada is listed with 1 delta, but 4 deltas of that agent were applied since the version before"}},
		{"a misspelt agent", table + "| Adda | 4 |\n| Ada | 4 |\n| Bob | 7 |", []string{`MR-018 "Adda" is listed as a contributor, but no delta of that agent was applied`}},
		{"counts of items", "## Statistics\n\n- Hypotheses: 3\n- Predictions Table: 3\n- Tests: 2\n- Mistakes: 9\n- Anomalies: none", []string{"MR-019 Statistics counts 3 predictions, but the published artifact has 2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, replay.New(thread(claiming(tt.sections)), replay.Options{}), tt.want...)
		})
	}
	// One who contributed to an earlier version may be listed, with 0.
	posts := append(claiming(table+"| Ada | 4 |\n| Bob | 7 |"), post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("A1")}})
	posts = publish(posts, 2, nil)
	body := &posts[len(posts)-1].body
	plain := *body
	*body = strings.Replace(plain, "## Full", table+"| Ada | 0 |\n| Cyd | 1 |\n\n## Statistics\n\n- Assumptions: 7\n\n## Full", 1)
	expect(t, replay.New(thread(posts), replay.Options{}), "MR-019 Statistics counts 7 assumptions, but the published artifact has 3, 2 of them active")
	*body = strings.Replace(plain, "## Full", table+"| Cyd | 3 |\n\n## Full", 1)
	expect(t, replay.New(thread(posts), replay.Options{}), "MR-018 Cyd is listed with 3 deltas, but 1 delta of that agent was applied")
	// A version that is sent a second time claims what it claimed the first time.
	posts = publish(append(claiming(table+"| Ada | 4 |\n| Bob | 7 |"), from("Cyd", 1, kill("A1"))), 2, nil)
	last := &posts[len(posts)-1]
	last.body = strings.Replace(last.body, "## Full", table+"| Cyd | 1 |\n\n## Full", 1)
	again := *last
	again.at += time.Minute
	expect(t, replay.New(thread(append(posts, again)), replay.Options{}))
	// A delta outside of a fence was never merged; a publisher who counted it is
	// told so elsewhere.
	posts = publish(misplaced, 1, nil)
	body = &posts[len(posts)-1].body
	*body = strings.Replace(*body, "## Full", table+"| Ada | 4 |\n| Bob | 8 |\n\n## Full", 1)
	expect(t, replay.New(thread(posts), replay.Options{}))
}

// The artifact's own rules yield to what the replay said of an item, in that
// version and later ones.
func TestAlreadyReported(t *testing.T) {
	posts := publish(first(), 1, func(st *state.State) { set(st, "H2", "claim", "made up") })
	th := thread(publish(posts, 2, nil))
	r := replay.New(th, replay.Options{})
	v1, v2 := r.Windows[0].Compiled, r.Windows[1].Compiled
	section := protocol.ItemID{Section: protocol.HypothesisSlate}
	if !r.AlreadyReported(v1).Has(replay.FieldDiffers, id("H2")) || !r.AlreadyReported(v2).Has(replay.FieldDiffers, id("H2")) || !r.AlreadyReported(v1).Has(replay.FieldDiffers, section) {
		t.Error("what the replay said is not known")
	}
	if r.AlreadyReported(th.Messages[0]).Has(replay.FieldDiffers, id("H2")) || r.AlreadyReported(v1).Has(replay.FieldDiffers, id("H1")) || r.AlreadyReported(v1).Has(replay.ItemOmitted, id("H2")) {
		t.Error("what the replay did not say is known")
	}
}

// file is a persisted artifact of a state.
func file(st *state.State, version int, change func(string) string) replay.File {
	text := string(artifact.Render(st, artifact.RenderMeta{SessionID: "RS-20251230-cell-fate", Version: version}))
	if change != nil {
		text = change(text)
	}
	return replay.File{Path: "artifacts/a.md", Artifact: artifact.ParseMarkdown(source.NewFile("artifacts/a.md", []byte(text)).Text(), artifact.Limits{})}
}

// A persisted artifact is compared with the COMPILED of its version.
func TestPersistedFiles(t *testing.T) {
	posts := publish(append(publish(first(), 1, nil), post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("A2"), assumption(4)}}), 2, nil)
	r := replay.New(thread(posts), replay.Options{})
	v1, v2 := r.Windows[0].State, r.Windows[1].State
	changed := func(change func(*state.State)) *state.State {
		st := v2.Clone()
		change(st)
		return st
	}
	replace := func(old, new string) func(string) string {
		return func(s string) string {
			if !strings.Contains(s, old) {
				t.Fatalf("the artifact has no %q", old)
			}
			return strings.Replace(s, old, new, 1)
		}
	}
	for _, tt := range []struct {
		name string
		file replay.File
		want []string
	}{
		{"the same", file(v2, 2, nil), nil},
		{"no version", file(v2, 2, replace("version: 2", "version: two")), nil},
		{"an old version", file(v1, 1, nil), []string{"MR-021 the file holds version 1, but v2 has been published since"}},
		{"the number of the version before", file(v2, 1, nil), []string{"MR-020 the file says version 1, but holds v2 as message 6 published it"}},
		{"the number of the version after", file(v1, 2, nil), []string{"MR-020 the file says version 2, but holds v1 as message 4 published it"}},
		{"a version to come", file(v2, 3, nil), []string{"AP-010 version 3 was never published: the latest COMPILED of thread RS-20251230-cell-fate is v2"}},
		{"another field", file(changed(func(st *state.State) { set(st, "H2", "claim", "other") }), 2, nil), []string{`MR-020 H2 claim is "other", but "claim 2" in v2 as message 6 published it`}},
		{"a field more", file(changed(func(st *state.State) { set(st, "T1", "feasibility", "easy") }), 2, nil), []string{`MR-020 T1 feasibility is "easy", but absent in v2`}},
		{"several fields", file(changed(func(st *state.State) { set(st, "H2", "claim", "other"); set(st, "H2", "mechanism", "too") }), 2, nil), []string{"MR-020 H2 claim and mechanism are not what they are in v2"}},
		{"killed in the mail only", file(changed(func(st *state.State) { setKilled(st, "A2", nil) }), 2, nil), []string{"MR-020 A2 is active in the file, but killed in v2"}},
		{"killed in the file only", file(changed(func(st *state.State) { setKilled(st, "A1", &state.Kill{By: "Bob", At: noon, Reason: "r"}) }), 2, nil), []string{"MR-020 A1 is killed in the file, but active in v2"}},
		{"an item more", file(changed(func(st *state.State) {
			st.Add(&state.Item{ID: id("A5"), Fields: object{"name": "Extra", "statement": "s", "load": "l", "test": "t", "status": "unchecked"}})
		}), 2, nil), []string{`MR-020 A5 ("Extra") is not in v2`}},
		{"an item less", file(v2, 2, replace("### A4: Assumption 4", "### Assumption 4")), []string{`MR-020 the file lacks A4 ("Assumption 4"), which is in v2`}},
		{"another message", file(v2, 2, replace("version: 2", "version: 2\nagent_mail_message_id: 4")), []string{`AP-020 agent_mail_message_id is "4", but v2 was published by message 6`}},
		{"its message", file(v2, 2, replace("version: 2", "version: 2\nagent_mail_message_id: 6")), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, replay.New(thread(posts), replay.Options{Files: []replay.File{tt.file}}), tt.want...)
		})
	}
	expect(t, replay.New(thread(first()), replay.Options{Files: []replay.File{file(v1, 1, nil)}}), "AP-010 version 1 was never published: thread RS-20251230-cell-fate has no COMPILED message")
	wrong := publish(first(), 1, nil)
	wrong[3].body = strings.Replace(wrong[3].body, "version: 1", "version: 7", 1)
	expect(t, replay.New(thread(wrong), replay.Options{}), "AP-010 the front matter says version 7, but this is COMPILED v1")
}

// A COMPILED that only links to its artifact is compared with the file of that
// version; the thread goes on from the replay, as it does not show the file.
func TestLinkedFiles(t *testing.T) {
	posts := append(first(), post{from: "Operator", subject: "COMPILED: v1 artifact", body: "# Compiled Artifact\n\n**Artifact**: `artifacts/a.md`\n"},
		post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{edit("H1", object{"claim": "new"})}})
	alone := replay.New(thread(posts), replay.Options{})
	st := alone.Windows[0].State
	if w := alone.Windows[0]; w.Matches != nil || w.PublishedHash() != "" {
		t.Errorf("a link alone is compared: %v", w.Matches)
	}
	bad := st.Clone()
	set(bad, "H2", "claim", "made up")
	for _, tt := range []struct {
		file    replay.File
		matches bool
		want    string
	}{{file(st, 1, nil), true, ""}, {file(bad, 1, nil), false, "MR-013 H2 claim"}} {
		r := replay.New(thread(posts), replay.Options{Files: []replay.File{tt.file}})
		w := r.Windows[0]
		if w.Matches == nil || *w.Matches != tt.matches || w.PublishedHash() != "" || r.Pending.Base != replay.FromReplayed {
			t.Errorf("%s: matches %v, the next window from %s", tt.want, w.Matches, r.Pending.Base)
		}
		if r.Pending.Hash() != alone.Pending.Hash() {
			t.Errorf("%s: the file shows in the next window", tt.want)
		}
		if got := strings.Join(rulesAbove(r, "MR-010"), "; "); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
		for _, p := range findings(r) {
			if p.Rule == "MR-013" && (p.Path != "artifacts/a.md" || p.In != nil) {
				t.Errorf("the fault is said to stand in %q", p.Path)
			}
		}
	}
}

// rulesAbove are the rules of a replay after a rule.
func rulesAbove(r *replay.Thread, rule string) []string {
	var out []string
	for _, line := range rules(r) {
		if line > rule {
			out = append(out, line)
		}
	}
	return out
}

// What a rendering shows in its own way is no difference, and what differs is
// named down to its part.
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
		{second(edit("H3", object{"name": "Third alternative: none", "third_alternative": true})), "**Third alternative**: true\n", "", nil},
		{second(edit("A3", object{"name": "Scale check: size", "scale_check": true})), "**Scale check**: true\n", "", nil},
		{second(), "- H1: up\n", "- H1: sideways\n", []string{`MR-013 T2 expected_outcomes (H1) was last set by Bob in message 3, delta 4, to "up"; published is "sideways"`}},
		{second(edit("T1", object{"potency_check": "new"})), "**Potency check**: new\n", "", []string{`MR-013 T1 potency_check was last set by Cyd in message 5, delta 1, to "new"; the published artifact lacks it`}},
		{second(), "**Load**: load\n", "**Load**: load\n**Colour**: red\n", []string{"MR-013 A1 Colour was set by no delta and was not in the version before; published is \"red\""}},
		{second(edit("A1", object{"load": "first\n**Colour**: red"})), "", "", nil},                       // a line of a text that looks like a field
		{second(edit("A1", object{"load": "first\n**Colour**: red"})), `\**Colour**`, "**Colour**", nil},  // not escaped: it reads as one
		{second(edit("A1", object{"load": "these:\n- one\n- two"})), "- one\n- two", "* one\n+ two", nil}, // another mark of lists
		{second(edit("A1", object{"load": "2\n* 3"})), "2\n", "2 ", nil},
		{second(edit("A1", object{"load": "these:\n- one"})), "- one", "* two", []string{"MR-013 A1 load"}},
		{second(edit("A1", object{"colour": "red"})), "", "", nil},
		{second(edit("T1", object{"last_run": run})), "Exit code: 0", "Exit code: 3", []string{"MR-013 T1 last_run"}},
		{second(edit("A1", object{"load": "unique"}), kill("A1")), "**Load**: ~~unique~~\n", "", nil}, // a killed item may be shown with less
		{second(assumption(4)), "### A4: Assumption 4", "### Assumption 4", nil},                      // ES-003 says it
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

// What an earlier version said without a delta stands as its own: taking it back
// is told as such.
func TestPublishedBase(t *testing.T) {
	posts := publish(publish(first(), 1, func(st *state.State) { set(st, "A1", "calculation", "42") }), 2, func(st *state.State) { set(st, "A1", "calculation", "43") })
	expectRules(t, replay.New(thread(posts), replay.Options{}), []string{
		`MR-013 A1 calculation was set by no delta and was not in the version before; published is "42"`,
		`MR-013 A1 calculation was "42" in the version before, and no delta changed it; published is "43"`,
	})
	// An item that was left out stays as it was merged (decisions.md 48).
	returned := func(st *state.State) {
		st.Add(&state.Item{ID: id("A3"), Fields: object{"name": "Assumption 3", "statement": "statement 3", "load": "load", "test": "test", "status": "unchecked"}})
	}
	posts = publish(publish(first(), 1, func(st *state.State) { drop(st, "A3") }), 2, returned)
	expectRules(t, replay.New(thread(posts), replay.Options{}), []string{
		`MR-011 A3 ("Assumption 3"), added by Bob in message 3, delta 7, is not in the published artifact`,
	})
	posts = publish(append(publish(first(), 1, nil), post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("H2")}}), 2, func(st *state.State) {
		set(st, "P2", "predictions", object{"H1": "a", "H2": "other", "H3": "new"})
	})
	expectRules(t, replay.New(thread(posts), replay.Options{}), []string{"MR-016 P2 still predicts", `MR-013 P2 predictions (H3) was last set by Bob in message 3, delta 2, to absent; published is "new"`})
	// A missing section is ES-001; the thread goes on with what the deltas gave.
	posts = publish(first(), 1, nil)
	body := &posts[len(posts)-1].body
	from, to := strings.Index(*body, "## 5. "), strings.Index(*body, "## 6. ")
	*body = (*body)[:from] + (*body)[to:]
	r := replay.New(thread(append(posts, post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("A1")}})), replay.Options{})
	expect(t, r)
	if r.Pending.Base != replay.FromPublished || r.Pending.Applied != 1 {
		t.Errorf("the next window starts from %s, %d applied", r.Pending.Base, r.Pending.Applied)
	}
}

// expectRules is expect, where a want of the form `MR-013 H3 name` names the
// field alone.
func expectRules(t *testing.T, r *replay.Thread, want []string) {
	t.Helper()
	got, short := faults(r), rules(r)
	slices.Sort(got)
	slices.Sort(want)
	ok := len(got) == len(want)
	for i := range want {
		ok = ok && (strings.Contains(got[i], want[i]) || short[i] == want[i])
	}
	if !ok {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}
