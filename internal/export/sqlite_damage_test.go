package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
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
	good := must.Read(t, path)
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
		s := added(t, Options{}, input.NewBytes(input.SQLite, "mail.sqlite3", c.data))
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
	}
}

// What follows from the damage of a database is no second fault: neither that the manifest of a
// share describes another one, nor that senders cannot be read. Nor is what follows from the damage
// of a chunk.
func TestOneDamage(t *testing.T) {
	file := mailboxFile(t)
	db, err := sqlite3.Open(file)
	must.OK(t, err)
	defer db.Close()
	row, _, err := db.Prepare("SELECT rootpage FROM sqlite_master WHERE name = 'agents'")
	if err != nil || !row.Step() {
		t.Fatal(err)
	}
	page := row.ColumnInt(0)
	row.Close()
	good := must.Read(t, file)
	damaged := bytes.Clone(good)
	copy(damaged[(page-1)*4096:], make([]byte, 4096))
	manifest := fmt.Sprintf(`{"database": {"size_bytes": %d}}`, len(good))
	whole := func(data []byte) []string {
		return []string{"manifest.json", manifest, "mailbox.sqlite3", string(data)}
	}
	chunk := func(data []byte) []string {
		sums := fmt.Sprintf("%x  chunks/00000.bin\n", sha256.Sum256(good))
		return []string{"manifest.json", manifest, "mailbox.sqlite3.config.json", `{"chunk_count": 1, "pattern": "chunks/{index:05d}.bin"}`,
			"chunks.sha256", sums, "chunks/00000.bin", string(data)}
	}
	for name, c := range map[string]struct {
		files []string
		want  string
	}{
		"cut":                  {whole(good[:len(good)/2]), "mailbox.sqlite3"},
		"no agents":            {whole(damaged), "mailbox.sqlite3"},
		"another one":          {whole(append(bytes.Clone(good), make([]byte, 4096)...)), "manifest.json"},
		"the right one":        {whole(good), ""},
		"chunk, no agents":     {chunk(damaged), "chunks.sha256"},
		"chunk, cut":           {chunk(good[:len(good)/2]), "chunks.sha256"},
		"chunk, no database":   {chunk(make([]byte, len(good))), "chunks.sha256"},
		"chunk, but not whole": {append(whole(damaged), chunk(damaged)[2:]...), "chunks.sha256mailbox.sqlite3"},
		"chunk, the right one": {chunk(good), ""},
	} {
		s := open(t, Options{}, write(t, c.files...))
		facts := Facts{Faults: s.Faults()}
		for _, thread := range s.Threads() {
			_, more := s.Load(thread)
			facts.Add(more)
		}
		got := ""
		for _, f := range facts.Faults {
			got += filepath.Base(f.Path)
		}
		if got != c.want || len(facts.Incomplete) > 0 {
			t.Errorf("%s: faults of %q, want %q; incomplete %d", name, got, c.want, len(facts.Incomplete))
		}
	}
}

// A mailbox that was cut off is reported on a walk, too, by its name or by its schema; a database that
// may be another program's is not.
func TestCutDatabaseOnAWalk(t *testing.T) {
	dir := t.TempDir()
	good := must.Read(t, mailboxFile(t))
	for name, size := range map[string]int{"storage.sqlite3": 99, "copy/mailbox.sqlite3": 99, "copy/schema.sqlite3": 4096, "copy/other.sqlite3": 99} {
		must.Write(t, filepath.Join(dir, name), good[:size])
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
	must.OK(t, err)
	defer writer.Close()
	exec := func(sql string) {
		must.OK(t, writer.Exec(sql))
	}
	exec("INSERT INTO messages VALUES('2026-01-02 10:06:00', 3, 1, 2, 'RS-20260102-a-b', 'INFO: in the log', 'three', 0)")
	s := added(t, Options{}, input.New(input.SQLite, path))
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
	in := input.New(input.SQLite, path)
	m := newMailbox(in, &mail.ExportInfo{})
	m.reopen = func() (*database.Snapshot, error) { return database.Open(in.Ref()) }
	var err error
	if m.snap, err = m.open(); err != nil {
		t.Fatal(err)
	}
	defer func() { m.close() }()
	size := int64(0)
	err = m.do(func(*database.Conn) error {
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

// overAndOver makes all interior pages of a database refer to the next one: its one large
// table then has more rows than can be read. The first page is that of the schema.
func overAndOver(t testing.TB, schema bool, path string) []byte {
	t.Helper()
	const page = 512
	data := must.Read(t, path)
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
		"messages":   {numbers + "INSERT INTO messages SELECT '2026-01-02 10:00:00', i, 1, 1, 'RS-20260102-a-b', 'INFO: x', 'y', 0 FROM n", database.ErrRows.Error(), true},
		"agents":     {numbers + "INSERT INTO agents SELECT i, 1, 'Agent of a name that is long and has the number ' || i FROM n", database.ErrRows.Error(), true},
		"recipients": {numbers + "INSERT INTO message_recipients SELECT 1, i, 'to whom it may concern, whoever that is today', NULL FROM n", database.ErrRows.Error(), true},
		"schema":     {tables + "COMMIT", database.ErrSteps.Error(), false},
	} {
		t.Run(name, func(t *testing.T) {
			data := overAndOver(t, name == "schema", mailboxFile(t, "PRAGMA page_size=512", "VACUUM", c.sql))
			s := added(t, Options{}, input.NewBytes(input.SQLite, "mail.sqlite3", data))
			if p := s.Faults(); len(p) != 1 || p[0].Kind != source.Malformed || !strings.HasPrefix(p[0].Err.Error(), c.want) {
				t.Errorf("problems %+v", p)
			}
			s.collect()
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
		"generated columns": {drop, "CREATE TABLE messages(id, subject AS (hex(zeroblob(3000000))), body_md AS (hex(zeroblob(3000000))))", "INSERT INTO messages(id) VALUES (1), (2)"},
	} {
		s := NewStore(Options{})
		err := s.Add(context.Background(), input.New(input.SQLite, mailboxFile(t, sql...)), nil)
		if !errors.Is(err, ErrNoMail) || len(s.Faults()) > 0 {
			t.Errorf("%s: error %v, problems %+v", name, err, s.Faults())
		}
		s.Close()
	}
	// A generated column counts as absent.
	got, problems := readAll(t, input.New(input.SQLite, mailboxFile(t, "ALTER TABLE messages DROP COLUMN thread_id", "ALTER TABLE messages ADD COLUMN thread_id AS (hex(zeroblob(3000000)))")))
	if problems.Count() > 0 || len(got) != 2 {
		t.Errorf("read %v, problems %+v", got, problems)
	}
}

// TestTextsOverEachOther reads a row again that has grown since it was indexed, like a row
// that is on two pages.
func TestTextsOverEachOther(t *testing.T) {
	s := NewStore(Options{})
	s.room.Store(0) // nothing is kept, as of a large database
	defer s.Close()
	must.OK(t, s.Add(t.Context(), input.New(input.SQLite, mailboxFile(t)), nil))
	s.collect()
	s.entries[0].size--
	var problems []source.Fault
	got := s.entries[0].export.load(s.entries[:2], func(p source.Fault) { problems = append(problems, p) })
	if got[0] != nil || got[1] == nil || len(problems) != 1 || !strings.HasSuffix(problems[0].Err.Error(), errGone.Error()) {
		t.Errorf("read %v, problems %+v", got, problems)
	}
}
