package files

import (
	"errors"
	"os"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
)

// TestEditedMeanwhile edits a file while the one that replaces it is written.
func TestEditedMeanwhile(t *testing.T) {
	for name, edit := range map[string]func(file string) error{
		"in place": func(file string) error { return os.WriteFile(file, []byte("edited"), 0o600) },
		"by renaming": func(file string) error {
			return errors.Join(os.WriteFile(file+"~", []byte("old"), 0o600), os.Rename(file+"~", file))
		},
	} {
		dir := t.TempDir()
		must.Write(t, dir+"/a.md", "old")
		root, err := os.OpenRoot(dir)
		must.OK(t, err)
		defer root.Close()
		r := &replacement{dir: root, name: "a.md", old: []byte("old")}
		if r.file, err = root.OpenFile("a.md", os.O_RDWR, 0); err != nil {
			t.Fatal(err)
		}
		defer r.file.Close()
		if err := r.check(); err != nil {
			t.Errorf("%s: error %v before", name, err)
		}
		if err := edit(dir + "/a.md"); err != nil {
			t.Skip(err)
		}
		if err := r.check(); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
