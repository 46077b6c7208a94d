package replay_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/source"
)

// file returns a persisted artifact of a state.
func file(st *brenner.State, version int, change func(string) string) replay.File {
	text := string(artifact.Render(st, artifact.RenderMeta{SessionID: "RS-20251230-cell-fate", Version: version}))
	if change != nil {
		text = change(text)
	}
	return replay.File{Path: "artifacts/a.md", Artifact: artifact.ParseMarkdown(source.NewFile("artifacts/a.md", []byte(text)).Text(), artifact.Limits{})}
}

// A persisted artifact is compared with the COMPILED of its version, which its front matter
// gives.
func TestPersistedFiles(t *testing.T) {
	posts := publish(append(publish(first(), 1, nil), post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("A2"), assumption(4)}}), 2, nil)
	r := replay.New(thread(posts), replay.Options{})
	v1, v2 := r.Windows[0].State, r.Windows[1].State
	changed := func(change func(*brenner.State)) *brenner.State {
		st := v2.Clone()
		change(st)
		return st
	}
	other := changed(sets("H2", "claim", "other"))
	put := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	cut := func(from, to string) func(string) string {
		return func(s string) string { return s[:strings.Index(s, from)] + s[strings.Index(s, to):] }
	}
	for _, tt := range []struct {
		name string
		file replay.File
		want string
	}{
		{"the same", file(v2, 2, nil), ""},
		{"no version", file(other, 2, put("version: 2", "version: two")), ""},
		{"a version as text", file(other, 2, put("version: 2", `version: "2"`)), "MR-020 H2 claim"},
		{"a version and more", file(other, 2, put("version: 2", "version: 2 of 3")), ""},
		{"a version that is no number", file(other, 2, put("version: 2", "version: true")), ""},
		{"an old version", file(v1, 1, nil), "MR-021"},
		{"the number of the version before", file(v2, 1, nil), "MR-020"},
		{"the number of the version after", file(v1, 2, nil), "MR-020"},
		{"a version to come", file(v2, 3, nil), "AP-010"},
		{"a field more", file(changed(sets("T1", "feasibility", "easy")), 2, nil), "MR-020 T1 feasibility"},
		{"several fields", file(changed(sets("H2", "claim", "other", "H2", "mechanism", "too")), 2, nil), "MR-020 H2 claim"},
		{"killed in the mail only", file(changed(func(st *brenner.State) { setKilled(st, "A2", nil) }), 2, nil), "MR-020 A2"},
		{"killed in the file only", file(changed(func(st *brenner.State) { setKilled(st, "A1", &brenner.Killing{By: "Bob", At: noon, Reason: "r"}) }), 2, nil), "MR-020 A1"},
		{"an item more", file(changed(func(st *brenner.State) {
			st.Add(brenner.NewItem(id("A5"), object{"name": "Extra", "statement": "s", "load": "l", "test": "t", "status": "unchecked"}))
		}), 2, nil), "MR-020 A5"},
		{"an item less", file(v2, 2, cut("### A4: Assumption 4", "## 6. ")), "MR-020 A4"},
		{"an item without its id", file(v2, 2, put("### A4: Assumption 4", "### Assumption 4")), ""}, // ES-003
		{"a section less", file(v2, 2, cut("## 5. ", "## 6. ")), ""},
		{"another message", file(v2, 2, put("version: 2", "version: 2\nagent_mail_message_id: 4")), "AP-020"},
		{"its message", file(v2, 2, put("version: 2", "version: 2\nagent_mail_message_id: 6")), ""},
		{"no message", file(v2, 2, put("version: 2", "version: 2\nagent_mail_message_id:")), ""},
	} {
		if got := strings.Join(rules(replay.New(thread(posts), replay.Options{Files: []replay.File{tt.file}})), "; "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	expect(t, replay.New(thread(first()), replay.Options{Files: []replay.File{file(v1, 1, nil)}}), "AP-010")
	wrong := publish(first(), 1, nil)
	wrong[3].body = strings.Replace(wrong[3].body, "version: 1", "version: 7", 1)
	expect(t, replay.New(thread(wrong), replay.Options{}), "AP-010")
	// A file is not compared in a section that its COMPILED lacks.
	lacking := publish(first(), 1, nil)
	lacking[3].body = cut("## 5. ", "## 6. ")(lacking[3].body)
	expect(t, replay.New(thread(lacking), replay.Options{Files: []replay.File{file(v1, 1, nil)}}), "MR-011 A1", "MR-011 A2", "MR-011 A3")
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
	}{
		{file(st, 1, nil), true, ""}, {file(bad, 1, nil), false, "MR-013 H2 claim"},
		{file(bad, 1, func(s string) string { return strings.Replace(s, "version: 1\n", "version: 1\nversion: 7\n", 1) }), false, "MR-013 H2 claim"},
	} {
		r := replay.New(thread(posts), replay.Options{Files: []replay.File{tt.file}})
		w := r.Windows[0]
		if w.Matches == nil || *w.Matches != tt.matches || w.PublishedHash() != "" || r.Pending.Base != replay.FromReplayed {
			t.Errorf("%s: matches %v, the next window from %s", tt.want, w.Matches, r.Pending.Base)
		}
		if r.Pending.Hash() != alone.Pending.Hash() {
			t.Errorf("%s: the file shows in the next window", tt.want)
		}
		if got := strings.Join(slices.DeleteFunc(rules(r), func(line string) bool { return line < "MR-010" }), "; "); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
		for _, p := range findings(r) {
			if p.Rule == "MR-013" && (p.Path != "artifacts/a.md" || p.In != nil) {
				t.Errorf("the fault is said to stand in %q", p.Path)
			}
		}
	}
}

// TestWindowsOfOmittedItems checks that what versions keep and allocate is little more than
// the lists of the items, however many of them earlier versions have left out, or have no
// section for.
func TestWindowsOfOmittedItems(t *testing.T) {
	for _, sections := range [][]brenner.Section{brenner.Sections[:], {brenner.HypothesisSlate}} {
		replayed := func(windows int) (kept, allocated int) {
			messages := thread(omitting(10*windows, sections))
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			r := replay.New(messages, replay.Options{})
			runtime.GC()
			runtime.ReadMemStats(&after)
			if n := len(r.Windows); n != windows || r.Pending.State.Len(brenner.AssumptionLedger) < 10*windows-1 {
				t.Fatalf("%d windows have %d assumptions", n, r.Pending.State.Len(brenner.AssumptionLedger))
			}
			return int(after.HeapAlloc - before.HeapAlloc), int(after.TotalAlloc - before.TotalAlloc)
		}
		replayed(10)
		few, fewAllocated := replayed(50)
		many, manyAllocated := replayed(200)
		const lists = 200 * 1000 // versions by the items of one, on average
		if many > 6*few+24*lists {
			t.Errorf("50 versions keep %d bytes, 200 keep %d", few, many)
		}
		if manyAllocated > 6*fewAllocated+48*lists {
			t.Errorf("50 versions allocate %d bytes, 200 allocate %d", fewAllocated, manyAllocated)
		}
	}
}

// The replay of a thread ends before it has too many items.
func TestTooLarge(t *testing.T) {
	testenv.SkipByDay(t)
	r := replay.New(thread(omitting(20_000, brenner.Sections[:])), replay.Options{})
	if r.TooLarge == nil || !strings.Contains(r.Notice(), "so many items") {
		t.Errorf("2,000 versions of up to 10,000 items are replayed: %q", r.Notice())
	}
}

// omitting adds n assumptions, ten a version, none of which is published, in artifacts of
// some sections.
func omitting(n int, sections []brenner.Section) (posts []post) {
	published := &brenner.State{}
	for _, sec := range sections {
		published.Add(brenner.NewItem(brenner.ItemID{Section: sec, Number: 1}, map[string]any{"name": "Another item"}))
	}
	text := string(artifact.Render(published, artifact.RenderMeta{SessionID: "RS-20251230-cell-fate", Version: 1}))
	if len(sections) < len(brenner.Sections) { // a rendering has all
		text = text[:strings.Index(text, "## 3.")]
	}
	for version := 1; version <= n/10; version++ {
		adds := post{from: "Ada", subject: "DELTA[opus]: x", at: time.Duration(2*version) * time.Second}
		for i := range 10 {
			adds.deltas = append(adds.deltas, assumption(10*version+i))
		}
		posts = append(posts, adds, post{
			from: "Operator", subject: fmt.Sprintf("COMPILED: v%d artifact", version), at: adds.at + time.Second,
			body: "# Compiled Artifact\n\n## Full Artifact\n\n" + text,
		})
	}
	return posts
}
