package database

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/internal/files"
)

// TestTableUpdate changes a table of small pages at random, and checks that all changed
// rows are reported, that the known pages are those found from scratch, and that most of
// them are not read again.
func TestTableUpdate(t *testing.T) {
	for seed := range uint64(2) {
		path := filepath.Join(t.TempDir(), "t.db")
		conn, err := sqlite3.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		do := func(sql string) {
			t.Helper()
			if err := conn.Exec(sql); err != nil {
				t.Fatal(sql, err)
			}
		}
		do("PRAGMA page_size=512; PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=60; CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT); CREATE TABLE u (word TEXT)")
		do("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT 2 * i, hex(zeroblob(i % 40)) FROM n")
		followTable(t, rand.New(rand.NewPCG(seed, 1)), path, do)
	}
}

// openAfter opens a database after a snapshot of it, and checks that the result is the
// same as without the snapshot.
func openAfter(t *testing.T, path string, before *Snapshot) *Snapshot {
	t.Helper()
	snap, err := OpenAfter(files.Named(path), before)
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := Open(files.Named(path))
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	a, b := snap.img, fresh.img
	if a.size != b.size || a.end != b.end || a.sum != b.sum || a.head != b.head || !maps.Equal(a.frames, b.frames) {
		t.Fatalf("after a snapshot of it the database has %d bytes and a log of %d with %d pages; opened afresh %d, %d and %d", a.size, a.end, len(a.frames), b.size, b.end, len(b.frames))
	}
	return snap
}

var tableChanges = []string{
	"INSERT INTO t (word) VALUES (hex(zeroblob(%d %% 100)))",
	"INSERT OR IGNORE INTO t VALUES (%d, 'between')",
	"UPDATE t SET word = word || 'x' WHERE id = %d",
	"UPDATE t SET word = hex(zeroblob(900)) WHERE id = %d",
	"UPDATE t SET word = substr(word, 1, 1790) || printf('%%010d', %[1]d) WHERE id = (SELECT id FROM t WHERE length(word) = 1800 AND id > %[1]d)", // only where it goes on
	"UPDATE t SET word = replace(word, '0', '1') WHERE id = %d",
	"DELETE FROM t WHERE id = %d",
	"DELETE FROM t WHERE id BETWEEN %[1]d AND %[1]d + 300",
	"INSERT INTO u VALUES (hex(zeroblob(%d)))",
	"DELETE FROM u WHERE rowid %% 3 = %d %% 3",
}

func followTable(t *testing.T, random *rand.Rand, path string, do func(string)) {
	last := openAfter(t, path, nil)
	defer func() { last.Close() }()
	table, err := last.Table("t")
	if err != nil {
		t.Fatal(err)
	}
	before, followed, appended, kept, all := rowsOf(t, last), 0, 0, 0, 0
	for round := range 120 {
		if random.IntN(15) == 0 {
			do("PRAGMA wal_checkpoint(TRUNCATE)")
		}
		do("BEGIN")
		for range 1 + random.IntN(3) {
			do(fmt.Sprintf(tableChanges[random.IntN(len(tableChanges))], 1+random.IntN(6000)))
		}
		do("COMMIT")
		snap := openAfter(t, path, last)
		if snap.img.log != nil && last.img.continues(snap.img.log, &snap.img.head) {
			appended++
		}
		changes, known := snap.Since(last.Version())
		last.Close()
		last = snap
		fresh, err := snap.Table("t")
		if err != nil {
			t.Fatal(err)
		}
		after := rowsOf(t, snap)
		if known {
			was := table.branches
			now, gone, err := table.Update(snap, changes)
			if err != nil {
				t.Fatal(err)
			}
			checkReported(t, before, after, now, gone)
			if got, want := leavesOf(table), leavesOf(fresh); !slices.Equal(got, want) {
				t.Fatalf("round %d: followed, the leaves are\n%v\nfound afresh\n%v", round, got, want)
			}
			for _, b := range table.branches {
				if all++; slices.Contains(was, b) {
					kept++
				}
			}
			followed++
		} else {
			table = fresh
		}
		before = after
	}
	if followed < 90 || appended < 20 || kept < all*8/10 {
		t.Errorf("%d of 120 changes were followed, %d in a log that goes on, and %d of %d branches kept", followed, appended, kept, all)
	}
}

// checkReported checks that every changed row is among those reported.
func checkReported(t *testing.T, before, after map[int64]string, now []int64, gone []Rows) {
	t.Helper()
	reported := map[int64]bool{}
	for _, row := range now {
		reported[row] = true
	}
	for row := range before {
		for _, r := range gone {
			if row > r.Above && row <= r.Last {
				reported[row] = true
			}
		}
	}
	for row, word := range before {
		if again, is := after[row]; (!is || again != word) && !reported[row] {
			t.Fatalf("row %d changed, and is not reported", row)
		}
	}
	for row := range after {
		if _, was := before[row]; !was && !reported[row] {
			t.Fatalf("row %d is new, and is not reported", row)
		}
	}
	if len(reported) > len(after)/2 {
		t.Fatalf("of %d rows %d are reported: %d now, %v", len(after), len(reported), len(now), gone)
	}
}

func rowsOf(t *testing.T, s *Snapshot) map[int64]string {
	t.Helper()
	out := map[int64]string{}
	err := s.Do(func(conn *Conn) error {
		stmt, _, err := conn.Prepare("SELECT id, word FROM t")
		if err != nil {
			return err
		}
		defer stmt.Close()
		for stmt.Step() {
			out[stmt.ColumnInt64(0)] = stmt.ColumnText(1)
		}
		return stmt.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func leavesOf(t *Table) (out []placedLeaf) {
	for _, b := range t.branches {
		out = b.place(out)
	}
	return out
}

// TestOtherLog checks that a log with the same header that does not continue the known one
// is read again: it was replaced by an older one.
func TestOtherLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	conn, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, sql := range []string{"PRAGMA journal_mode=WAL", "CREATE TABLE t (word)", "INSERT INTO t VALUES ('one')"} {
		if err := conn.Exec(sql); err != nil {
			t.Fatal(sql, err)
		}
	}
	older, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	var logs [2][]byte // each continues the older one
	for i, sql := range []string{"INSERT INTO t VALUES ('two')", "INSERT INTO t VALUES ('three')"} {
		if err := conn.Exec(sql); err != nil {
			t.Fatal(err)
		}
		if logs[i], err = os.ReadFile(path + "-wal"); err != nil {
			t.Fatal(err)
		}
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(path string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(copied, data)
	write(copied+"-wal", logs[1])
	before := openAfter(t, copied, nil)
	defer before.Close()
	swapped := slices.Concat(older, logs[1][len(logs[0]):], logs[0][len(older):])
	for _, log := range [][]byte{older, logs[0], logs[1], swapped, nil} {
		write(copied+"-wal", log)
		openAfter(t, copied, before).Close()
	}
}
