package files

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestIdentity checks that writing to a file, or replacing it, changes its identity.
func TestIdentity(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write := func(text string) Identity {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return identify(t, path)
	}
	first := write("one")
	if again := identify(t, path); again != first {
		t.Errorf("without a change, it is %v, then %v", first, again)
	}
	long := write("longer")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	touched := identify(t, path)
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for what, id := range map[string]Identity{"at first": first, "longer": long, "touched": touched, "replaced": write("longer")} {
		if other, known := seen[id.String()]; known {
			t.Errorf("%s, it is as %s", what, other)
		}
		seen[id.String()] = what
	}
}

func identify(t *testing.T, path string) Identity {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	id, ok := IdentityOf(info)
	if !ok {
		t.Skip("this system does not tell enough of files")
	}
	return id
}

// TestBefore checks that a file is trusted only if a later change can be detected: not
// within a tick of the clock, nor if its time is in the future.
func TestBefore(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.UTC)
	for _, c := range []struct {
		modified, changed time.Duration // before at
		whole             bool          // without fractions
		want              bool
	}{
		{time.Second, time.Second, false, true},
		{10 * time.Millisecond, time.Second, false, false},
		{time.Second, 10 * time.Millisecond, false, false},
		{-time.Second, time.Second, false, false},
		{time.Second, time.Second, true, false},
		{5 * time.Second, 5 * time.Second, true, true},
	} {
		id := Identity{modified: at.Add(-c.modified), changed: at.Add(-c.changed)}
		if c.whole {
			id.modified, id.changed = id.modified.Truncate(time.Second), id.changed.Truncate(time.Second)
		}
		if got := id.Before(at); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
