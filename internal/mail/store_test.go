package mail

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/input"
)

const realmail = "../../testdata/corpus/realmail/"

// open indexes what lies at the paths.
func open(t testing.TB, opts Options, paths ...string) *Store {
	t.Helper()
	s := NewStore(opts)
	_, err := input.Discover(context.Background(), paths, input.Options{}, func(in *input.Input) {
		if !in.Kind.IsMail() {
			return
		}
		if err := s.Add(context.Background(), in); err != nil && !errors.Is(err, ErrNoMail) {
			t.Error(in.Path(), err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// list is the threads of a store, one a line: project, thread, message ids.
func list(t testing.TB, s *Store) []string {
	t.Helper()
	var out []string
	for _, ti := range s.Threads() {
		th, problems := s.Load(ti)
		line := th.Project + " " + th.ID + ":"
		for _, m := range th.Messages {
			line += " " + m.ID
		}
		if !th.Whole {
			line += " (part)"
		}
		if len(th.Messages) != ti.Messages {
			line += fmt.Sprintf(" (listed %d)", ti.Messages)
		}
		out = append(out, line)
		for _, p := range problems {
			out = append(out, describeProblem(p))
		}
	}
	return out
}

// describeProblem is a problem with its place and the text there.
func describeProblem(p Problem) string {
	at := ""
	if p.Place.Known() {
		if span, ok := p.Place.Text.ToFile(p.Place.Span); ok {
			pos := p.Place.Text.File.Position(span.Start)
			at = fmt.Sprintf(":%d:%d %q", pos.Line, pos.Column, p.Place.Text.File.Bytes(span))
		}
	}
	return fmt.Sprintf("%s %s%s: %s", p.Rule, filepath.Base(p.Path), at, p.Message)
}

func problems(s *Store) []string {
	var out []string
	for _, p := range s.Problems() {
		out = append(out, describeProblem(p))
	}
	return out
}

// write makes files in a new folder from pairs of name and content.
func write(t testing.TB, pairs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(pairs); i += 2 {
		name := filepath.Join(dir, filepath.FromSlash(pairs[i]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(pairs[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
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
	if len(roster) != 3 || !slices.Equal(roster["data-projects-brenner-demo"], []string{"ClaudeCode", "CodexCLI", "GeminiCLI", "Operator"}) {
		t.Error(roster)
	}
	if p := problems(s); p != nil {
		t.Error(p)
	}
}

// TestFormsUnite holds that archive and JSON of the same mail are one mailbox:
// the same threads, told at the archive.
func TestFormsUnite(t *testing.T) {
	alone := list(t, open(t, Options{}, realmail+"archive"))
	s := open(t, Options{}, realmail+"json", realmail+"archive")
	equal(t, strings.Join(alone, "\n"), list(t, s))
	for _, ti := range s.Threads() {
		th, _ := s.Load(ti)
		for _, m := range th.Messages {
			if m.Form != Archive || !m.HasRecipients || !strings.Contains(m.File.Path, "/messages/") {
				t.Errorf("%s %s: %s", th.ID, m.ID, m.File.Path)
			}
		}
	}
}
