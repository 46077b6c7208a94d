package cache

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func keyOf(n int) Key { return sha256.Sum256([]byte(fmt.Sprint(n))) }

func open(t *testing.T, dir string) *Cache {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func finish(t *testing.T, c *Cache) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

// filled returns a folder with n results, and a run.
func filled(t *testing.T, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cache")
	c := open(t, dir)
	for i := range n {
		c.Put(keyOf(i), []byte(fmt.Sprint("result ", i)))
	}
	c.PutRun(keyOf(-1), []byte("a run"))
	finish(t, c)
	return dir
}

// found counts the results of a folder, and checks that each is what was put.
func found(t *testing.T, dir string, n int) int {
	t.Helper()
	c := open(t, dir)
	got := 0
	for i := range n {
		if data := c.Get(keyOf(i)); data != nil {
			got++
			if string(data) != fmt.Sprint("result ", i) {
				t.Errorf("result %d is %q", i, data)
			}
		}
	}
	if data := c.GetRun(keyOf(-1)); data != nil && string(data) != "a run" {
		t.Errorf("the run is %q", data)
	}
	return got
}

func TestKeeps(t *testing.T) {
	dir := filled(t, 1000)
	if n := found(t, dir, 1000); n != 1000 {
		t.Errorf("%d of 1000 results are kept", n)
	}
	c := open(t, dir)
	if c.Get(keyOf(1000)) != nil || c.GetRun(keyOf(0)) != nil || string(c.GetRun(keyOf(-1))) != "a run" {
		t.Error("a result is found under another key")
	}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		info, infoErr := d.Info()
		if err != nil || infoErr != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %v (%v)", path, info.Mode(), err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestSpoiled checks that results changed in any way are no longer found, that the rest
// are, and that a later run repairs the folder.
func TestSpoiled(t *testing.T) {
	first := fmt.Sprintf("%02x", keyOf(0)[0])
	run := nameOf(keyOf(-1))
	for name, spoil := range map[string]func(path string, data []byte) error{
		"empty":     func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o600) },
		"truncated": func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)-1], 0o600) },
		"longer":    func(path string, data []byte) error { return os.WriteFile(path, append(data, 0), 0o600) },
		"text":      func(path string, _ []byte) error { return os.WriteFile(path, []byte("text\n"), 0o600) },
		"another format": func(path string, data []byte) error {
			return os.WriteFile(path, bytes.Replace(data, []byte("v1"), []byte("v9"), 1), 0o600)
		},
		"another's": func(path string, _ []byte) error {
			body := append(append([]byte{^keyOf(0)[0]}, make([]byte, 43)...), 1)
			return os.WriteFile(path, append(head(body), body...), 0o600)
		},
		"too long an entry": func(path string, _ []byte) error {
			body := append(append([]byte{keyOf(0)[0]}, make([]byte, 39)...), 0xff, 0xff, 0xff, 0xff)
			return os.WriteFile(path, append(head(body), body...), 0o600)
		},
		"huge":     func(path string, _ []byte) error { return os.Truncate(path, 1<<40) },
		"a folder": func(path string, _ []byte) error { _ = os.Remove(path); return os.MkdirAll(path, 0o700) },
		"a link out": func(path string, data []byte) error {
			out := filepath.Join(t.TempDir(), "out")
			_ = os.Remove(path)
			if err := os.WriteFile(out, data, 0o600); err != nil {
				return err
			}
			return os.Symlink(out, path)
		},
		"gone": func(path string, _ []byte) error { return os.Remove(path) },
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			dir := filled(t, 300)
			for _, file := range []string{"entries/" + first, "runs/" + run} {
				path := filepath.Join(dir, "v1", file)
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := spoil(path, data); err != nil {
					t.Fatal(err)
				}
			}
			if n := found(t, dir, 300); n == 0 || n == 300 {
				t.Errorf("%d of 300 results are found", n)
			}
			c := open(t, dir)
			if c.GetRun(keyOf(-1)) != nil {
				t.Error("the run is found")
			}
			c.Put(keyOf(0), []byte("result 0"))
			c.PutRun(keyOf(-1), []byte("a run"))
			err := c.Close()
			again := open(t, dir)
			if repaired := string(again.Get(keyOf(0))) == "result 0" && string(again.GetRun(keyOf(-1))) == "a run"; repaired != (name != "a folder") || repaired != (err == nil) {
				t.Errorf("repaired: %v, error %v", repaired, err)
			}
		})
	}
}

// TestEachByte changes each byte of a file, and checks that no result is wrong then.
func TestEachByte(t *testing.T) {
	dir := filled(t, 1)
	path := filepath.Join(dir, "v1", "entries", fmt.Sprintf("%02x", keyOf(0)[0]))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		data := bytes.Clone(whole)
		data[i] ^= 1
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if n := found(t, dir, 1); n != 0 {
			t.Fatalf("with byte %d changed, the result is found", i)
		}
	}
}

// TestBounded checks that the folder does not grow beyond its limits, and that the most
// recently used results stay.
func TestBounded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	at := time.Now().Add(-240 * time.Hour)
	fill := func(from, to int) {
		t.Helper()
		c := open(t, dir)
		c.limits, c.now = Limits{Entries: 256 << 10, Run: 1000, Runs: 2500}, func() time.Time { return at }
		for i := from; i < to; i++ {
			c.Put(keyOf(i), make([]byte, 100))
		}
		c.Put(keyOf(-2), make([]byte, 300)) // more than a quarter of the room
		c.GetRun(keyOf(0))
		c.PutRun(keyOf(from), make([]byte, 800))
		if err := os.Chtimes(filepath.Join(dir, runName(keyOf(from))), at, at); err != nil {
			t.Fatal(err)
		}
		c.PutRun(keyOf(-3), make([]byte, 1000))
		finish(t, c)
		at = at.Add(48 * time.Hour)
	}
	for i := range 4 {
		fill(1000*i, 1000*(i+1))
	}
	c := open(t, dir)
	size := int64(0)
	for _, info := range c.list(format + "/entries") {
		size += info.Size()
	}
	runs := len(c.list(format + "/runs"))
	if size > 256<<10+256*60 || size < 200<<10 || runs != 2 {
		t.Errorf("the results have %d bytes, and there are %d runs", size, runs)
	}
	last, before := 0, 0
	for i := range 1000 {
		if c.Get(keyOf(3000+i)) != nil {
			last++
		}
		if c.Get(keyOf(i)) != nil {
			before++
		}
	}
	if last < 900 || before > 100 {
		t.Errorf("%d of the last results are kept, %d of the first", last, before)
	}
	if c.Get(keyOf(-2)) != nil || c.GetRun(keyOf(-3)) != nil {
		t.Error("a result that is too large is kept")
	}
	if c.GetRun(keyOf(0)) == nil || c.GetRun(keyOf(3000)) == nil {
		t.Error("the runs that were used last are not kept")
	}
}

// TestSideBySide lets several caches use a folder concurrently, and checks that each finds
// only what was put, and that only results are left afterwards.
func TestSideBySide(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	var users sync.WaitGroup
	for u := range 4 {
		users.Go(func() {
			for range 3 {
				c, err := Open(dir)
				if err != nil {
					t.Error(err)
					return
				}
				for i := u; i < 400; i++ {
					if data := c.Get(keyOf(i)); data != nil && string(data) != fmt.Sprint("result ", i) {
						t.Errorf("result %d is %q", i, data)
					}
					c.Put(keyOf(i), []byte(fmt.Sprint("result ", i)))
				}
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	users.Wait()
	if n := found(t, dir, 400); n != 400 {
		t.Errorf("%d of 400 results are kept", n)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "v1", ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q (%v)", left, err)
	}
}

// TestLeftover checks that files left behind by an interrupted run are removed later.
func TestLeftover(t *testing.T) {
	dir := filled(t, 1)
	old, young := filepath.Join(dir, "v1", ".brennerlint-0123456789abcdef.tmp"), filepath.Join(dir, "v1", ".brennerlint-0123456789abcde0.tmp")
	other := filepath.Join(dir, "v1", "other.tmp")
	hourAgo := time.Now().Add(-2 * time.Hour)
	for _, path := range []string{old, young, other} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{old, other} {
		if err := os.Chtimes(path, hourAgo, hourAgo); err != nil {
			t.Fatal(err)
		}
	}
	finish(t, open(t, dir))
	for path, want := range map[string]bool{old: false, young: true, other: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v", filepath.Base(path), err == nil)
		}
	}
}
