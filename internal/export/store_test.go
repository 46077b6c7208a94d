package export

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

const realmail = "../../testdata/corpus/realmail/"

// open indexes the exports at the paths.
func open(t testing.TB, opts Options, paths ...string) *Store {
	t.Helper()
	s := NewStore(opts)
	fill(t, s, paths...)
	return s
}

// added returns a store of inputs, which must be mail. The test closes it.
func added(t testing.TB, opts Options, ins ...*input.Input) *Store {
	t.Helper()
	s := NewStore(opts)
	t.Cleanup(func() { s.Close() })
	for i, in := range ins {
		in.Order = i
		if err := s.Add(context.Background(), in, nil); err != nil {
			t.Fatalf("%s: %v", in.Path(), err)
		}
	}
	return s
}

// fill adds files to a store.
func fill(t testing.TB, s *Store, paths ...string) {
	t.Helper()
	_, err := input.Discover(context.Background(), paths, input.Options{}, func(in *input.Input) {
		if !in.Kind.IsMail() {
			return
		}
		if err := s.Add(context.Background(), in, nil); err != nil && !errors.Is(err, ErrNoMail) {
			t.Error(in.Path(), err)
		}
	})
	must.OK(t, err)
	t.Cleanup(func() { s.Close() })
}

// list returns the threads of a store, one per line: project, thread, message ids.
func list(t testing.TB, s *Store) []string {
	t.Helper()
	var out []string
	for _, ti := range s.Threads() {
		th, facts := s.Load(ti)
		line := th.Project + " " + th.ID + ":"
		for _, m := range th.Messages {
			line += " " + m.ID
		}
		if !th.Complete {
			line += " (part)"
		}
		if len(th.Messages) != ti.Messages {
			line += fmt.Sprintf(" (listed %d)", ti.Messages)
		}
		out = append(out, line)
		out = append(out, describeFacts(facts)...)
	}
	return out
}

func faults(s *Store) []string { return describeFacts(Facts{Faults: s.Faults()}) }

// write creates files in a new folder from pairs of name and content.
func write(t testing.TB, pairs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(pairs); i += 2 {
		must.Write(t, filepath.Join(dir, filepath.FromSlash(pairs[i])), pairs[i+1])
	}
	return dir
}

func equal(t testing.TB, want string, got []string) {
	t.Helper()
	if d := cmp.Diff(strings.Split(strings.Trim(want, "\n"), "\n"), got); d != "" {
		t.Error("(-want +got)\n" + d)
	}
}

func TestCorpusArchive(t *testing.T) {
	s := open(t, Options{}, realmail+"archive")
	equal(t, `
data-projects-brenner-bot 947: 947 948 949
data-projects-brenner-bot COORD-file-reservations: 943 944 945 946
data-projects-bio-inspired-nanochat COORD-nanochat-session: 1210
data-projects-brenner-bot COORD-nanochat-session: 1209
data-projects-brenner-bot RS-20251230-bio-rrp: 1081 1082 1083 1092
data-projects-bio-inspired-nanochat RS-20251231-bionanochat-rrp-vs-freq: 1101 1102 1103 1104 1105 1106
data-projects-bio-inspired-nanochat RS-20260102-round2-nanochat: 1214 1215 1216 1217 1220 1221 1222 1223 1226
data-projects-brenner-bot brenner_bot-5so.3.4.2: 931 932 933 934 935 936 937 938 939 942
data-projects-brenner-demo demo-bio-nanochat-001: 1 2 3 4 5
data-projects-brenner-demo demo-experiment-design-003: 20 21 22 23 24 25
data-projects-brenner-demo demo-transcript-analysis-002: 10`, list(t, s))
	if c := (Counts{Threads: 11, Messages: 50, Skipped: 1}); s.Counts() != c {
		t.Error(s.Counts())
	}
	roster := s.Exports()[0].Roster
	if len(roster) != 3 || !slices.Equal(roster["data-projects-brenner-demo"], []mail.Agent{
		{Name: "ClaudeCode", Program: "claude-code", Model: "opus-4.5"}, {Name: "CodexCLI", Program: "codex-cli", Model: "gpt-5.2"},
		{Name: "GeminiCLI", Program: "gemini-cli", Model: "gemini-3"}, {Name: "Operator", Program: "brenner-cli", Model: "orchestrator"},
	}) {
		t.Error(roster)
	}
	if p := faults(s); p != nil {
		t.Error(p)
	}
}

// TestFormsUnite checks that archive and JSON of the same mail are one mailbox: the same
// threads, reported at the archive.
func TestFormsUnite(t *testing.T) {
	alone := list(t, open(t, Options{}, realmail+"archive"))
	s := open(t, Options{}, realmail+"json", realmail+"archive")
	equal(t, strings.Join(alone, "\n"), list(t, s))
	for _, ti := range s.Threads() {
		th, _ := s.Load(ti)
		for _, m := range th.Messages {
			if m.Form != mail.Archive || !m.HasRecipients || !strings.Contains(m.File.Path, "/messages/") {
				t.Errorf("%s %s: %s", th.ID, m.ID, m.File.Path)
			}
		}
	}
}

// TestUnite checks how mail of several exports is joined.
func TestUnite(t *testing.T) {
	archived := letter("1", "T", "INFO: x", "b")
	same := message("created_ts", `"2025-12-30T00:00:01Z"`)
	other := func(p string) string { return strings.ReplaceAll(archived, "data-p", p) }
	tests := []struct {
		name  string
		files []string
		want  string
	}{
		{"an inbox without projects joins the archive", []string{message1, archived, "i.json", "[" + same + "]"}, "data-p T: 1"},
		{"and brings what is new there", []string{message1, archived, "i.json", "[" + same + "," + message("id", "2") + "]"}, "data-p T: 2 1"},
		{"also in other threads of its project", []string{message1, archived, "i.json", "[" + message("created_ts", `"2025-12-30T00:00:01Z"`, "project_id", "7") + "," + message("id", "2", "thread_id", `"U"`, "project_id", "7") + "," + message("id", "3", "thread_id", `"U"`, "project_id", "8") + "]"},
			"data-p T: 1\n U: 3\ndata-p U: 2"},
		{"another mail with that id", []string{message1, archived, "i.json", "[" + message("subject", `"INFO: y"`) + "]"}, " T: 1\ndata-p T: 1"},
		{"the mail is in two projects", []string{message1, archived, "projects/data-q/messages/2025/12/1.md", other("data-q"), "i.json", "[" + same + "]"}, " T: 1\ndata-p T: 1\ndata-q T: 1"},
		{"one thread in two files", []string{"a.json", thread(message(), message("id", "2")), "b.json", thread(message("id", "2"), message("id", "3"))}, "data-p T: 1 2 3"},
		{"texts differ between files", []string{"a.json", thread(message("body_md", `"one"`)), "b.json", thread(message("body_md", `"two"`))},
			"data-p T: 1\nCopyMismatch a.json:1:146 \"one\": body of message 1: \"one\", in b.json \"two\""},
		{"bodies were not asked for in one", []string{"a.json", thread(message("body_md", "-")), "b.json", thread(message())}, "data-p T: 1"},
		{"the archive strips bodies", []string{message1, archived, "b.json", thread(message("body_md", `"\n b \n\n"`, "created_ts", `"2025-12-30T00:00:01Z"`))}, "data-p T: 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, tt.files...)
			got := list(t, open(t, Options{Scope: AllScope}, dir))
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], dir+"/", "")
			}
			equal(t, tt.want, got)
		})
	}
}

// TestNearest checks that the copy that is reported has a body if any has.
func TestNearest(t *testing.T) {
	dir := write(t, "a.json", thread(message("body_md", "-")), "b.json", thread(message()), "c.json", `{"deliveries":[{"project":"/data/p","payload":`+message("to", `["B"]`)+`}]}`)
	s := open(t, Options{}, dir)
	th, _ := s.Load(s.Threads()[0])
	m := th.Messages[0]
	if !strings.HasSuffix(m.File.Path, "b.json") || m.BodyState != mail.BodyPresent || !m.HasRecipients || len(m.Recipients) != 1 || m.Recipients[0].Name != "B" {
		t.Errorf("%+v", m)
	}
	if !s.Has("data-p", "1") || s.Has("data-p", "2") || s.Has("", "1") {
		t.Error("Has")
	}
	var without []string
	for _, f := range s.Exports() {
		if f.WithoutBodies {
			without = append(without, filepath.Base(f.Path))
		}
	}
	if !slices.Equal(without, []string{"a.json"}) {
		t.Error(without)
	}
}

// TestVanished checks that a file that is gone or has changed when a thread is loaded is a
// problem, and that the rest of the thread is loaded.
func TestVanished(t *testing.T) {
	dir := write(t, "a.json", thread(message()), "b.json", thread(message("id", "2"), message("id", "4")), message1, letter("3", "T", "INFO: x", "b"), "c.json", thread(message("id", "5")))
	s := NewStore(Options{Scope: AllScope})
	s.room.Store(0) // nothing is kept
	fill(t, s, dir)
	threads := s.Threads()
	must.OK(t, os.Remove(dir+"/a.json"))
	for name, data := range map[string]string{"b.json": "{}", message1: "gone"} {
		must.Write(t, filepath.Join(dir, name), data)
	}
	th, facts := s.Load(threads[0])
	if len(th.Messages) != 1 || th.Messages[0].ID != "5" || len(facts.Faults) != 3 || facts.Count() != 3 {
		t.Error(len(th.Messages), facts)
	}
	for _, p := range facts.Faults {
		if p.Kind != source.Unreadable || p.Thread != "T" {
			t.Errorf("%+v", p)
		}
	}
}

func TestProfile(t *testing.T) {
	dir := write(t, "projects/p/agents/A/profile.json", `{"name": "A", "program": "x"}`, "projects/p/agents/B/profile.json", "{\"name\": \"B\", \"program\": \"x\",}",
		"projects/p/agents/C/profile.json", `{"program": "x"}`, "projects/q/agents/A/profile.json", `{"name": "A", "program": "x", "model": "y"}`)
	s := open(t, Options{}, dir)
	equal(t, `Malformed profile.json:1:29 ",": trailing comma before }`, faults(s))
	if d := cmp.Diff(map[string][]mail.Agent{"p": {{Name: "A", Program: "x"}, {Name: "B"}}, "q": {{Name: "A", Program: "x", Model: "y"}}}, s.Exports()[0].Roster); d != "" {
		t.Error(d)
	}
}

// TestReaders checks that every kind of export has a reader, and nothing else has.
func TestReaders(t *testing.T) {
	for k := range input.Kind(math.MaxUint8) {
		if has := readers[k] != nil; has != k.IsMail() {
			t.Errorf("%s is mail: %v, and has a reader: %v", k, k.IsMail(), has)
		}
	}
}

// TestThreadOf checks which thread a draft joins if several projects have its id: that of
// the project that it names, by path or slug.
func TestThreadOf(t *testing.T) {
	s := NewStore(Options{Scope: AllScope})
	for _, project := range []string{"/data/one", "/data/two"} {
		data := []byte(`{"project":"` + project + `","thread_id":"T","messages":[` + message("thread_id", `"T"`) + `]}`)
		must.OK(t, s.Add(context.Background(), input.NewBytes(input.JSON, project+".json", data), nil))
	}
	for key, want := range map[string]string{"/data/two": "data-two", "data-two": "data-two", "/data/one": "data-one", "/data/three": "data-one", "": "data-one"} {
		draft := `{"project_key": "` + key + `", "subject": "INFO: x", "body_md": "b", "thread_id": "T"}`
		call, _ := ReadDraft(source.NewFile("draft.json", []byte(draft)), jsontree.Options{})
		if got := s.ThreadOf(call.Message); got == nil || got.Project != want {
			t.Errorf("a draft to %q joins %v, want the thread of %s", key, got, want)
		}
	}
}

// describeFacts returns what is wrong with exports, a line each: kind, place, the text
// there, and what is wrong.
func describeFacts(f Facts) []string {
	var out []string
	for i := range f.Faults {
		out = append(out, describeFault(&f.Faults[i]))
	}
	for _, m := range f.Mismatches {
		switch m.Kind {
		case mail.CopyReadAlone:
			out = append(out, fmt.Sprintf("CopyReadAlone %s: %s, from %s", describePlace(m.Here.Path, m.Here.At), describeMessage(m.MessageID), m.There.Path))
			continue
		case mail.IDGivenTwice:
			out = append(out, fmt.Sprintf("IDGivenTwice %s: %s, before in %s", describePlace(m.Here.Path, m.Here.At), describeMessage(m.MessageID), m.There.Path))
			continue
		}
		out = append(out, fmt.Sprintf("CopyMismatch %s: %s of %s: %s, in %s %s", describePlace(m.Here.Path, m.Here.At), m.Part, describeMessage(m.MessageID), copyText(m.Here), m.There.Path, copyText(m.There)))
	}
	for _, m := range f.Incomplete {
		name := describeMessage(m.MessageID)
		if m.Draft {
			name = "the draft"
		}
		out = append(out, fmt.Sprintf("Incomplete %s: %s lacks %s", describePlace(m.Path, m.At), name, text.And(lacking(m))))
	}
	return out
}

func describeFault(f *source.Fault) string {
	what := f.Err.Error()
	if f.InMessage {
		what = describeMessage(f.MessageID) + ": " + what
	}
	return fmt.Sprintf("%s %s: %s", f.Kind, describePlace(f.Path, f.At), what)
}

func describePlace(path string, at source.Place) string {
	path = filepath.Base(path)
	if at.Known() {
		if span, ok := at.Text.ToFile(at.Span); ok {
			pos := at.Text.File.Position(span.Start)
			return fmt.Sprintf("%s:%d:%d %q", path, pos.Line, pos.Column, at.Text.File.Bytes(span))
		}
	}
	return path
}

func describeMessage(id string) string {
	return strings.TrimSpace("message " + id)
}

func copyText(t mail.CopyText) string {
	if t.Ends {
		return "nothing more"
	}
	return text.Quote(t.Text)
}

func lacking(m mail.Incomplete) []string {
	var out []string
	for _, lack := range []struct {
		is   bool
		what string
	}{{m.NoSubject, "a subject"}, {m.NoBody, "a body"}, {m.NoSender, "a sender"}, {m.NoTime && m.Time == "", "a timestamp"}, {m.NoTime && m.Time != "", fmt.Sprintf("a timestamp that parses (found %q)", m.Time)}} {
		if lack.is {
			out = append(out, lack.what)
		}
	}
	return out
}
