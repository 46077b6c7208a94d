package replay_test

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/source"
)

// The front matter of a file decides what it is compared with.
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
	// A file is not compared in a section that its COMPILED lacks.
	body := &posts[len(posts)-1].body
	*body = cut("## 5. ", "## 6. ")(*body)
	expect(t, replay.New(thread(posts), replay.Options{Files: []replay.File{file(st, 1, nil)}}), "MR-011 A1", "MR-011 A2", "MR-011 A3")
}

// file returns a persisted artifact of a state.
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
			st.Add(state.NewItem(id("A5"), object{"name": "Extra", "statement": "s", "load": "l", "test": "t", "status": "unchecked"}))
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
// version; the thread continues from the replay, as it does not contain the file.
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

// rulesAbove returns the rules of a replay after a rule.
func rulesAbove(r *replay.Thread, rule string) []string {
	var out []string
	for _, line := range rules(r) {
		if line > rule {
			out = append(out, line)
		}
	}
	return out
}
