package export

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/source"
)

// overAndOver makes all interior pages of a database refer to the next one: its one large
// table then has more rows than can be read. The first page is that of the schema.
func overAndOver(t testing.TB, schema bool, path string) []byte {
	t.Helper()
	const page = 512
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := func(n uint32) []byte {
		p := data[int(n-1)*page : int(n)*page]
		if n == 1 {
			p = p[100:] // the header of the file
		}
		return p
	}
	var interior []uint32 // table pages that name other pages
	for n := uint32(1); int(n)*page <= len(data); n++ {
		if at(n)[0] == 5 && (n > 1 || schema) {
			interior = append(interior, n)
		}
	}
	if len(interior) < 5 {
		t.Fatalf("%d interior pages", len(interior))
	}
	for i, n := range interior[:len(interior)-1] {
		p, next := at(n), interior[i+1]
		binary.BigEndian.PutUint32(p[8:], next)
		for cell := range int(binary.BigEndian.Uint16(p[3:])) {
			offset := int(binary.BigEndian.Uint16(p[12+2*cell:]))
			binary.BigEndian.PutUint32(data[int(n-1)*page+offset:], next)
		}
	}
	return data
}

// TestPagesNamedOverAndOver checks that the damage of databases without an end is found,
// not followed, and that nothing is sorted before.
func TestPagesNamedOverAndOver(t *testing.T) {
	testenv.SkipUnderRace(t)
	numbers := "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i+1 FROM n WHERE i < 8000) "
	tables := "BEGIN;"
	for i := range 1500 {
		tables += fmt.Sprintf("CREATE TABLE t%d(some, columns, with, long, names);", i)
	}
	for name, c := range map[string]struct {
		sql   string
		want  string
		found bool // the messages are
	}{
		"messages":   {numbers + "INSERT INTO messages SELECT '2026-01-02 10:00:00', i, 1, 1, 'RS-20260102-a-b', 'INFO: x', 'y', 0 FROM n", errRows.Error(), true},
		"agents":     {numbers + "INSERT INTO agents SELECT i, 1, 'Agent of a name that is long and has the number ' || i FROM n", errRows.Error(), true},
		"recipients": {numbers + "INSERT INTO message_recipients SELECT 1, i, 'to whom it may concern, whoever that is today', NULL FROM n", errRows.Error(), true},
		"schema":     {tables + "COMMIT", database.ErrSteps.Error(), false},
	} {
		t.Run(name, func(t *testing.T) {
			data := overAndOver(t, name == "schema", mailboxFile(t, "PRAGMA page_size=512", "VACUUM", c.sql))
			s := NewStore(Options{})
			defer s.Close()
			if err := s.Add(context.Background(), input.NewBytes(input.SQLite, "mail.sqlite3", data), nil); err != nil {
				t.Fatal(err)
			}
			if p := s.Faults(); len(p) != 1 || p[0].Kind != source.Malformed || !strings.HasPrefix(p[0].Err.Error(), c.want) {
				t.Errorf("problems %+v", p)
			}
			s.gather()
			if found := len(s.entries) > 0; found != c.found || len(s.entries) > 8000 {
				t.Errorf("%d messages", len(s.entries))
			}
		})
	}
}

// TestSchemasThatCompute reads databases whose schema would compute the messages.
func TestSchemasThatCompute(t *testing.T) {
	testenv.SkipUnderRace(t)
	// Each table expression refers to the previous one twice.
	doubling := "WITH c0 AS (SELECT 1 AS subject, 2 AS body_md)"
	for i := 1; i < 40; i++ {
		doubling += fmt.Sprintf(", c%d AS (SELECT 1 AS subject, 2 AS body_md FROM c%d, c%d)", i, i-1, i-1)
	}
	drop := "DROP TABLE messages"
	for name, sql := range map[string][]string{
		"a view":            {drop, "CREATE VIEW messages AS SELECT 1 AS id, 'INFO: x' AS subject, 'y' AS body_md"},
		"a doubling view":   {drop, "CREATE VIEW messages AS " + doubling + " SELECT * FROM c39"},
		"generated columns": {drop, "CREATE TABLE messages(id, subject AS (hex(zeroblob(30000000))), body_md AS (hex(zeroblob(30000000))))", "INSERT INTO messages(id) VALUES (1), (2)"},
	} {
		s := NewStore(Options{})
		err := s.Add(context.Background(), input.New(input.SQLite, mailboxFile(t, sql...)), nil)
		if !errors.Is(err, ErrNoMail) || len(s.Faults()) > 0 {
			t.Errorf("%s: error %v, problems %+v", name, err, s.Faults())
		}
		s.Close()
	}
	// A generated column counts as absent.
	got, problems := readAll(t, input.New(input.SQLite, mailboxFile(t, "ALTER TABLE messages DROP COLUMN thread_id", "ALTER TABLE messages ADD COLUMN thread_id AS (hex(zeroblob(30000000)))")))
	if problems.Count() > 0 || len(got) != 2 {
		t.Errorf("read %v, problems %+v", got, problems)
	}
}

// TestTextsOverEachOther reads a row again that has grown since it was indexed, like a row
// that is on two pages.
func TestTextsOverEachOther(t *testing.T) {
	s := NewStore(Options{})
	defer s.Close()
	if err := s.Add(context.Background(), input.New(input.SQLite, mailboxFile(t)), nil); err != nil {
		t.Fatal(err)
	}
	s.gather()
	s.entries[0].size--
	s.entries[0].export.loader.(*mailbox).kept = nil // as of a large database
	var problems []source.Fault
	got := s.entries[0].export.load(s.entries[:2], func(p source.Fault) { problems = append(problems, p) })
	if got[0] != nil || got[1] == nil || len(problems) != 1 || !strings.HasSuffix(problems[0].Err.Error(), errGone.Error()) {
		t.Errorf("read %v, problems %+v", got, problems)
	}
}
