package database_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

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
	if err != nil {
		t.Fatal(err)
	}
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
	for _, n := range []int{longest, longest + 1} {
		path := filepath.Join(t.TempDir(), "storage.sqlite3")
		exec(t, path, "CREATE TABLE t(word TEXT)", fmt.Sprintf("INSERT INTO t VALUES(CAST(zeroblob(%d) AS TEXT))", n)).Close()
		s, err := database.Open(files.Named(path))
		if err != nil {
			t.Fatal(err)
		}
		got, err := column(s, "t")
		if within := n <= longest; within != (err == nil && len(got) == 1 && len(got[0]) == n) || !within && !errors.Is(err, sqlite3.TOOBIG) {
			t.Errorf("%d bytes: %d texts, error %v", n, len(got), err)
		}
		s.Close()
	}
}
