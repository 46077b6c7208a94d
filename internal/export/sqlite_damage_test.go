package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// All that can be read of a damaged database is read, and its threads do not count as
// complete.
func TestDamagedDatabases(t *testing.T) {
	var fill []string
	for id := 3; id < 200; id++ {
		fill = append(fill, fmt.Sprintf("INSERT INTO messages VALUES('2026-01-02 11:00:00', %d, 1, 1, 'RS-20260102-a-b', 'INFO: %d', '%s', 0)", id, id, strings.Repeat("word ", 150)))
	}
	path := mailboxFile(t, fill...)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(good)
	for i := range 4096 {
		damaged[20*4096+i] = 0xff
	}
	for name, c := range map[string]struct {
		data  []byte
		want  string
		least int
	}{
		"cut off":      {good[:len(good)-3*4096], "the database is truncated", 150},
		"damaged page": {damaged, "the database is damaged", 180},
		"no database":  {[]byte("SQLite format 3\x00 and then nothing"), "the database is truncated", 0},
	} {
		s := NewStore(Options{})
		if err := s.Add(context.Background(), input.NewBytes(input.SQLite, "mail.sqlite3", c.data), nil); err != nil {
			t.Fatal(err)
		}
		problems := s.Faults()
		if len(problems) != 1 || problems[0].Kind != source.Malformed || !strings.HasPrefix(problems[0].Err.Error(), c.want) {
			t.Errorf("%s: problems %+v", name, problems)
		}
		if c.least == 0 {
			continue
		}
		thread, _ := s.Load(s.Threads()[0])
		if len(thread.Messages) < c.least || thread.Complete {
			t.Errorf("%s: %d messages, want %d at least; whole %v", name, len(thread.Messages), c.least, thread.Complete)
		}
		s.Close()
	}
}

// A mailbox that was cut off is reported on a walk, too, by its name or by its schema; a database that
// may be another program's is not.
func TestCutDatabaseOnAWalk(t *testing.T) {
	dir := t.TempDir()
	good, err := os.ReadFile(mailboxFile(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int{"storage.sqlite3": 99, "copy/mailbox.sqlite3": 99, "copy/schema.sqlite3": 4096, "copy/other.sqlite3": 99} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755), os.WriteFile(filepath.Join(dir, name), good[:size], 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	s := NewStore(Options{})
	defer s.Close()
	fill(t, s, dir)
	var got []string
	for _, f := range s.Faults() {
		got = append(got, filepath.Base(f.Path))
	}
	equal(t, "mailbox.sqlite3\nschema.sqlite3\nstorage.sqlite3", got)
}

// The server keeps working while mails are loaded: what was indexed is read.
func TestDatabaseWrittenMeanwhile(t *testing.T) {
	path := mailboxFile(t, "PRAGMA journal_mode=WAL")
	writer, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	exec := func(sql string) {
		if err := writer.Exec(sql); err != nil {
			t.Fatal(err)
		}
	}
	exec("INSERT INTO messages VALUES('2026-01-02 10:06:00', 3, 1, 2, 'RS-20260102-a-b', 'INFO: in the log', 'three', 0)")
	s := NewStore(Options{})
	defer s.Close()
	if err := s.Add(context.Background(), input.New(input.SQLite, path), nil); err != nil {
		t.Fatal(err)
	}
	exec("INSERT INTO messages VALUES('2026-01-02 10:07:00', 4, 1, 2, 'RS-20260102-a-b', 'INFO: too late', 'four', 0)")
	exec("PRAGMA wal_checkpoint(TRUNCATE)")
	exec("INSERT INTO messages VALUES('2026-01-02 10:08:00', 5, 1, 2, 'RS-20260102-a-b', 'INFO: later', 'five', 0)")
	thread, problems := s.Load(s.Threads()[0])
	problems.Add(Facts{Faults: s.Faults()})
	noFacts(t, problems)
	var bodies []string
	for _, m := range thread.Messages {
		bodies = append(bodies, string(m.Body.Data))
	}
	if got := strings.Join(bodies, " "); got != "one two three" {
		t.Errorf("read %q", got)
	}
}

func TestDatabaseAlwaysBeingWritten(t *testing.T) {
	path := mailboxFile(t)
	s := NewStore(Options{})
	defer s.Close()
	if err := s.Add(context.Background(), input.New(input.SQLite, path), nil); err != nil {
		t.Fatal(err)
	}
	s.gather()
	size := int64(0)
	m := s.entries[0].export.loader.(*mailbox)
	err := m.do(func(*database.Conn) error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.Write(make([]byte, 4096))
		size++
		return err
	})
	if !errors.Is(err, errBusy) || size != attempts {
		t.Errorf("error %v after %d attempts", err, size)
	}
}
