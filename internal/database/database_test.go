package database_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

// exec runs SQL on the database at path, as another program would.
func exec(t testing.TB, path string, sql ...string) *sqlite3.Conn {
	t.Helper()
	conn, err := sqlite3.Open(path)
	must.OK(t, err)
	t.Cleanup(func() { conn.Close() })
	for _, s := range sql {
		if err := conn.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return conn
}

// column reads column word of a table through a snapshot.
func column(s *database.Snapshot, table string) (words []string, err error) {
	err = s.Do(func(conn *database.Conn) error {
		stmt, _, err := conn.Prepare("SELECT word FROM " + table + " ORDER BY rowid")
		if err != nil {
			return err
		}
		defer stmt.Close()
		for stmt.Step() {
			words = append(words, stmt.ColumnText(0))
		}
		return stmt.Err()
	})
	return words, err
}

// words reads column word of table t.
func words(t testing.TB, s *database.Snapshot) []string {
	t.Helper()
	out, err := column(s, "t")
	must.OK(t, err)
	return out
}

func open(t testing.TB, path string) *database.Snapshot {
	t.Helper()
	s, err := database.Open(files.Named(path))
	must.OK(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func listing(t testing.TB, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must.OK(t, err)
	var names []string
	for _, e := range entries {
		data := must.Read(t, filepath.Join(dir, e.Name()))
		names = append(names, e.Name()+" "+string(data))
	}
	sort.Strings(names)
	return strings.Join(names, "\n")
}

// The newest rows are in a log that was not checkpointed. Reading them must change neither
// the database nor the files next to it.
func TestReadsTheLogAndTouchesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "storage.sqlite3")
	writer := exec(t, path, "PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=0",
		"CREATE TABLE t(word TEXT)", "INSERT INTO t VALUES('old')",
		"PRAGMA wal_checkpoint(TRUNCATE)", "INSERT INTO t VALUES('new')",
		"BEGIN EXCLUSIVE", "INSERT INTO t VALUES('unfinished')")
	before := listing(t, dir)

	s := open(t, path)
	if got := strings.Join(words(t, s), " "); got != "old new" {
		t.Errorf("read %q, want the committed rows", got)
	}
	if s.Changed() {
		t.Error("nobody changed the database")
	}
	if listing(t, dir) != before {
		t.Error("reading changed the files")
	}

	must.OK(t, writer.Exec("COMMIT"))
	if got := strings.Join(words(t, s), " "); got != "old new" {
		t.Errorf("after a commit the snapshot shows %q", got)
	}
	if got := strings.Join(words(t, open(t, path)), " "); got != "old new unfinished" {
		t.Errorf("a new snapshot shows %q", got)
	}
}

func TestReadsTheLogBehindALink(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "storage.sqlite3")
	exec(t, path, "PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=0",
		"CREATE TABLE t(word TEXT)", "PRAGMA wal_checkpoint(TRUNCATE)", "INSERT INTO t VALUES('new')")
	link, loop := filepath.Join(t.TempDir(), "link.sqlite3"), filepath.Join(t.TempDir(), "loop.sqlite3")
	if err := errors.Join(os.Symlink(path, link), os.Symlink(loop, loop)); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if got := strings.Join(words(t, open(t, link)), " "); got != "new" {
		t.Errorf("read %q", got)
	}
	if _, err := database.Open(files.Named(loop)); err == nil {
		t.Error("a loop of links was opened")
	}
}

// A log damaged after its first commit counts up to that commit, as in SQLite.
func TestDamagedLogEndsAtTheDamage(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "storage.sqlite3")
	exec(t, path, "PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=0",
		"CREATE TABLE t(word TEXT)", "PRAGMA wal_checkpoint(TRUNCATE)",
		"INSERT INTO t VALUES('first')", "INSERT INTO t VALUES('second')")
	copied := filepath.Join(dir, "copy.sqlite3")
	for _, suffix := range []string{"", "-wal"} {
		data := must.Read(t, path+suffix)
		if suffix != "" {
			data[len(data)-1] ^= 1
		}
		must.Write(t, copied+suffix, data)
	}
	if got := strings.Join(words(t, open(t, copied)), " "); got != "first" {
		t.Errorf("read %q", got)
	}
}

func TestRefusesWhatIsNoDatabase(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "good.sqlite3")
	exec(t, path, "CREATE TABLE t(word TEXT)", "INSERT INTO t VALUES('x')").Close()
	good := must.Read(t, path)
	badPage := bytes.Clone(good)
	badPage[16], badPage[17] = 0, 3
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":  {nil, "the file is empty"},
		"text":   {[]byte("just some words that are no database at all"), "not an SQLite database"},
		"header": {good[:50], "the database is truncated"},
		"page":   {badPage, "page size 3"},
	} {
		s, err := database.New(bytes.NewReader(c.data), int64(len(c.data)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		if err == nil {
			s.Close()
		}
	}

	var path1 *fs.PathError
	if _, err := database.Open(files.Named(filepath.Join(dir, "absent"))); !errors.As(err, &path1) {
		t.Errorf("absent file: %v", err)
	}
	if _, err := database.Open(files.Named(dir)); !errors.As(err, &path1) {
		t.Errorf("folder: %v", err)
	}
}

// What is left of a truncated database is read.
func TestReadsWhatIsLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut.sqlite3")
	exec(t, path, "PRAGMA page_size=512", "CREATE TABLE t(word TEXT)", "INSERT INTO t VALUES('left')",
		"CREATE TABLE u(word TEXT)", "INSERT INTO u VALUES('lost')").Close()
	data := must.Read(t, path)
	data = data[:len(data)-512]
	s, err := database.New(bytes.NewReader(data), int64(len(data)))
	must.OK(t, err)
	defer s.Close()
	if want := "the header says 1536 bytes, the file has 1024"; s.Damage == nil || !strings.Contains(s.Damage.Error(), want) {
		t.Errorf("damage %v, want %s", s.Damage, want)
	}
	if got := strings.Join(words(t, s), " "); got != "left" {
		t.Errorf("read %q", got)
	}
	if _, err := column(s, "u"); !errors.Is(err, sqlite3.CORRUPT) {
		t.Errorf("reading what is lost: %v", err)
	}
}

func TestTellsThatTheLogCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "storage.sqlite3")
	exec(t, path, "PRAGMA journal_mode=WAL", "CREATE TABLE t(word TEXT)").Close()
	must.OK(t, os.Mkdir(path+"-wal", 0o700))
	if _, err := database.Open(files.Named(path)); err == nil || !strings.Contains(err.Error(), "its write-ahead log cannot be read") {
		t.Errorf("error %v", err)
	}
}

func TestRefusesAHotJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mailbox.sqlite3")
	exec(t, path, "CREATE TABLE t(word TEXT)").Close()
	magic := "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
	must.Write(t, path+"-journal", magic+strings.Repeat("x", 600))
	if _, err := database.Open(files.Named(path)); err == nil || !strings.Contains(err.Error(), "rollback journal") {
		t.Errorf("error %v", err)
	}
}

// FuzzOpen damages a database byte by byte, and checks that opening and reading end with
// rows or an error, the same each time, and that the undamaged one reads as written.
func FuzzOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "seed.sqlite3")
	exec(f, path, "PRAGMA page_size=512", "CREATE TABLE t(word TEXT)", "CREATE INDEX i ON t(word)",
		"INSERT INTO t VALUES('"+strings.Repeat("long ", 300)+"'),('short')").Close()
	seed := must.Read(f, path)
	f.Add(seed, 0, seed[0])
	f.Add(seed, 100, byte(0))
	f.Add(seed, 520, byte(0xff))
	f.Fuzz(func(t *testing.T, data []byte, at int, b byte) {
		data = bytes.Clone(data)
		if len(data) > 0 {
			data[uint(at)%uint(len(data))] = b
		}
		s, err := database.New(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		defer s.Close()
		words, err := column(s, "t")
		again, errAgain := column(s, "t")
		if !slices.Equal(words, again) || (err == nil) != (errAgain == nil) {
			t.Errorf("read %d words (%v), then %d (%v)", len(words), err, len(again), errAgain)
		}
		if bytes.Equal(data, seed) && (err != nil || len(words) != 2 || words[1] != "short") {
			t.Errorf("the whole database reads as %d words, %v", len(words), err)
		}
	})
}

// TestSortsInMemory checks that sorting more than SQLite may allocate is an error, and
// that no file is written, not even a temporary one.
func TestSortsInMemory(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	for _, name := range []string{"TMPDIR", "SQLITE_TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temp)
	}
	path := filepath.Join(dir, "storage.sqlite3")
	exec(t, path, "CREATE TABLE t(word TEXT)", "INSERT INTO t VALUES('x')").Close()
	s, err := database.Open(files.Named(path))
	must.OK(t, err)
	defer s.Close()
	// The heap is limited to 320 MiB, regardless of the file.
	for times, want := range map[int]string{100: "<nil>", 340: "read the database: sqlite3: out of memory"} {
		rows := 0
		err := s.Do(func(conn *database.Conn) error {
			stmt, _, err := conn.Prepare(fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < %d) SELECT zeroblob(1000000), i FROM n ORDER BY i DESC", times))
			if err != nil {
				return err
			}
			defer stmt.Close()
			for stmt.Step() {
				rows++
			}
			return stmt.Err()
		})
		if fmt.Sprint(err) != want || (rows == times) != (err == nil) {
			t.Errorf("%d MB are sorted: %d rows, error %v, want %s", times, rows, err, want)
		}
	}
	for folder, want := range map[string]int{dir: 1, temp: 0} {
		if left, err := os.ReadDir(folder); err != nil || len(left) != want {
			t.Errorf("%s holds %v: %v", folder, left, err)
		}
	}
}

// TestLongValue reads texts up to the maximum length, and one that is longer.
func TestLongValue(t *testing.T) {
	testenv.SkipUnderRace(t)
	const longest = 64 << 20
	path := filepath.Join(t.TempDir(), "storage.sqlite3")
	insert := "CREATE TABLE %[1]s(word TEXT); INSERT INTO %[1]s VALUES(CAST(zeroblob(%[2]d) AS TEXT))"
	exec(t, path, fmt.Sprintf(insert, "longest", longest), fmt.Sprintf(insert, "longer", longest+1)).Close()
	s, err := database.Open(files.Named(path))
	must.OK(t, err)
	defer s.Close()
	if got, err := column(s, "longest"); err != nil || len(got) != 1 || len(got[0]) != longest {
		t.Errorf("%d texts, error %v", len(got), err)
	}
	if got, err := column(s, "longer"); !errors.Is(err, sqlite3.TOOBIG) {
		t.Errorf("a text that is longer: %d texts, error %v", len(got), err)
	}
}
