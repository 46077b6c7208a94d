package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

// TestReadAgain adds messages of an archive while a database, which another program writes, is
// read a second time: their canonical files, which come last, are still known as copies of them.
func TestReadAgain(t *testing.T) {
	testenv.SkipUnderRace(t)
	file := mailboxFile(t)
	root := filepath.Join(t.TempDir(), "projects", "x")
	message := func(folder, id string) *input.Input {
		name := filepath.Join(root, folder, id+".md")
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		text := "---json\n{\"id\": " + id + ", \"project\": \"x\", \"thread_id\": \"RS-20260101-a-b\", \"from\": \"A\", \"subject\": \"INFO: x\", \"created\": \"2026-01-01T10:00:00Z\"}\n---\n\nx\n"
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		in := input.New(input.Archive, name)
		in.Named = false
		return in
	}
	s := NewStore(Options{Scope: AllScope})
	defer s.Close()
	add := func(in *input.Input) {
		if err := s.Add(t.Context(), in, nil); err != nil {
			t.Fatal(err)
		}
	}
	in := input.New(input.SQLite, file)
	m := newMailbox(in, &mail.ExportInfo{Path: file})
	m.reopen = func() (*database.Snapshot, error) {
		add(message("agents/A/outbox/2026/01", "101"))
		add(message("agents/A/outbox/2026/01", "102"))
		return database.Open(in.Ref())
	}
	var err error
	if m.snap, err = database.Open(in.Ref()); err != nil {
		t.Fatal(err)
	}
	defer m.close()
	if err := os.Chtimes(file, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	r := &reading{shared: &s.shared, in: in}
	if err := m.index(r); err != nil {
		t.Fatal(err)
	}
	s.take(r)
	add(message("messages/2026/01", "101"))
	add(message("messages/2026/01", "102"))
	messages := 0
	for _, info := range s.Threads() {
		thread, facts := s.Load(info)
		messages += len(thread.Messages)
		for _, m := range thread.Messages {
			if m.Form == mail.Archive && !strings.Contains(m.File.Path, "/messages/") {
				t.Errorf("message %s is read from %s, not from its canonical file", m.ID, m.File.Path)
			}
		}
		if facts.Count() > 0 {
			t.Errorf("facts %+v", facts)
		}
	}
	if messages != 4 || len(s.entries) != 4 {
		t.Errorf("%d messages, %d entries; want 2 of the database and 2 of the archive", messages, len(s.entries))
	}
}
