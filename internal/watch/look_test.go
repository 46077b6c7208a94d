package watch

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/internal/input"
)

// TestLookAt checks what a look includes: files that a check would look at, databases with
// their logs, shares with all their files, and nothing that is excluded.
func TestLookAt(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"mail/a.json", "mail/old/b.json", "mail/out/c.json", "db/storage.sqlite3", "db/storage.sqlite3-wal", "db/storage.sqlite3-shm", "db/storage.sqlite3-journal"} {
		write(path, "x")
	}
	look := func(paths ...string) Look {
		t.Helper()
		l, err := LookAt(t.Context(), paths, input.Options{Exclude: []string{"out"}})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for paths, want := range map[string][]string{
		"mail":               {"mail/a.json", "mail/old/b.json"},
		"./mail/...":         {"./mail/a.json", "./mail/old/b.json"},
		"mail/*.json":        {"mail/a.json"},
		"db":                 {"db/storage.sqlite3", "db/storage.sqlite3-journal", "db/storage.sqlite3-wal"},
		"db/storage.sqlite3": {"db/storage.sqlite3", "db/storage.sqlite3-journal", "db/storage.sqlite3-wal"},
	} {
		if got := slices.Sorted(maps.Keys(look(paths))); !reflect.DeepEqual(got, want) {
			t.Errorf("a look at %s sees %q, want %q", paths, got, want)
		}
	}
	before := look("mail", "db")
	changed := func() []string {
		now := look("mail", "db")
		out := before.Changed(now)
		before = now
		return out
	}
	if got := changed(); len(got) > 0 {
		t.Errorf("without a change, %q changed", got)
	}
	day := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for what, change := range map[string]func() error{
		"mail/a.json":            func() error { return os.Chtimes("mail/a.json", day, day) },
		"db/storage.sqlite3-wal": func() error { return os.WriteFile("db/storage.sqlite3-wal", []byte("longer"), 0o600) },
		"mail/new.json":          func() error { return os.WriteFile("mail/new.json", nil, 0o600) },
		"mail/old/b.json":        func() error { return os.Remove("mail/old/b.json") },
		"db/storage.sqlite3": func() error {
			info, err := os.Stat("db/storage.sqlite3")
			if err != nil {
				return err
			}
			write("other", "x")
			if err := os.Chtimes("other", info.ModTime(), info.ModTime()); err != nil {
				return err
			}
			return os.Rename("other", "db/storage.sqlite3")
		},
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if got := changed(); !reflect.DeepEqual(got, []string{what}) {
			t.Errorf("%q changed, want %s", got, what)
		}
	}
	if _, err := LookAt(t.Context(), []string{"-"}, input.Options{}); err == nil || !strings.Contains(err.Error(), "can be read only once") {
		t.Errorf("a look at standard input gives %v", err)
	}
	if _, err := LookAt(t.Context(), []string{"nothing"}, input.Options{}); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("a look at nothing gives %v", err)
	}
}

// TestNotifier checks that a change is hinted at, and which folders are listened to.
func TestNotifier(t *testing.T) {
	root := t.TempDir()
	n, err := NewNotifier()
	if err != nil {
		t.Skip(err)
	}
	defer n.Close()
	n.Follow(Look{}, []string{root})
	if err := os.Mkdir(filepath.Join(root, "new"), 0o700); err != nil {
		t.Fatal(err)
	}
	<-n.Hints()
	look := Look{filepath.Join(root, "new", "a.json"): nil, filepath.Join(root, "gone", "b.json"): nil}
	n.Follow(look, []string{root})
	if got := n.watcher.WatchList(); len(got) != 2 {
		t.Errorf("it listens to %q, expected two folders", got)
	}
	defer func(n int) { maxFolders = n }(maxFolders)
	maxFolders = 10
	for i := range 2 * maxFolders {
		dir := filepath.Join(root, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		look[filepath.Join(dir, "c.json")] = nil
	}
	n.Follow(look, []string{root})
	if got := len(n.watcher.WatchList()); got != maxFolders {
		t.Errorf("it listens to %d folders", got)
	}
	n.Follow(Look{}, []string{root})
	if got := n.watcher.WatchList(); len(got) != 1 {
		t.Errorf("it listens to %d folders, expected one", len(got))
	}
}
