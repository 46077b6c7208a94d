package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// prepared returns a file of a folder that is about to be replaced.
func prepared(t *testing.T) (dir string, r *replacement, n *temp) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	r = &replacement{dir: root, name: "a.md", old: []byte("old")}
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	if n, err = r.prepare([]byte("new")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.file.Close()
		n.file.Close()
		root.Close()
	})
	return dir, r, n
}

func edit(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// holds checks the content of a.md, and that nothing else is in the folder.
func holds(t *testing.T, dir, want string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if err != nil || string(data) != want {
		t.Errorf("the file holds %q, want %q: %v", data, want, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// edits are the ways in which other programs change a file.
var edits = map[string]func(t *testing.T, file string){
	"in place": func(t *testing.T, file string) { edit(t, file, "edited") },
	"by renaming": func(t *testing.T, file string) {
		edit(t, file+"~", "edited")
		if err := os.Rename(file+"~", file); err != nil {
			t.Fatal(err)
		}
	},
}

// TestEditBeforeSwap edits the file after the new one was created.
func TestEditBeforeSwap(t *testing.T) {
	for name, change := range edits {
		dir, r, n := prepared(t)
		change(t, filepath.Join(dir, "a.md"))
		if err := r.swap(n); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: error %v", name, err)
		}
		n.discard()
		holds(t, dir, "edited")
	}
}

// TestEditDuringSwap edits the file at the last moment, after it was compared.
func TestEditDuringSwap(t *testing.T) {
	for name, change := range edits {
		dir, r, n := prepared(t)
		change(t, filepath.Join(dir, "a.md"))
		d, err := r.dir.Open(".")
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if err := exchange(d, n.name, r.name); err != nil {
			t.Skip("names cannot be exchanged here: ", err)
		}
		if err := r.finish(d, n); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: error %v", name, err)
		}
		n.discard()
		holds(t, dir, "edited")
	}
}

// TestEditAfterSwap edits the old file, replaces the new file by another, and checks that
// both stay.
func TestEditAfterSwap(t *testing.T) {
	dir, r, n := prepared(t)
	file := filepath.Join(dir, "a.md")
	edit(t, file, "edited")
	d, err := r.dir.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := exchange(d, n.name, r.name); err != nil {
		t.Skip("names cannot be exchanged here: ", err)
	}
	edit(t, file+"~", "another edit")
	if err := os.Rename(file+"~", file); err != nil {
		t.Fatal(err)
	}
	if err := r.finish(d, n); !errors.Is(err, ErrChanged) {
		t.Errorf("error %v", err)
	}
	n.discard()
	found := map[string]bool{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[string(data)] = true
	}
	if !found["edited"] || !found["another edit"] || len(entries) != 2 {
		t.Errorf("left: %v, %v", entries, found)
	}
}
