package files_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/must"
)

// tree creates files in a new folder, from pairs of name and content.
func tree(t *testing.T, pairs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(pairs); i += 2 {
		must.Write(t, filepath.Join(dir, filepath.FromSlash(pairs[i])), pairs[i+1])
	}
	return dir
}

// content returns the content of a file, or the error's text.
func content(r files.Ref) string {
	f, size, err := r.Open()
	if err != nil {
		return "error: " + err.Error()
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil || int64(len(data)) != size {
		return "error: not read whole"
	}
	return string(data)
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
}

func TestOpenBelow(t *testing.T) {
	dir := tree(t, "in/a.md", "a", "in/sub/b.md", "b", "out/c.md", "c")
	d := files.NewDir(filepath.Join(dir, "in"))
	link(t, "sub/b.md", filepath.Join(dir, "in", "within.md"))
	link(t, "../out/c.md", filepath.Join(dir, "in", "out.md"))
	link(t, filepath.Join(dir, "out"), filepath.Join(dir, "in", "folder"))
	link(t, "nowhere", filepath.Join(dir, "in", "dangling.md"))
	for name, want := range map[string]string{
		"a.md": "a", "sub/b.md": "b", "within.md": "b",
		"out.md":      "error: open out.md: it is a link that leads out of the folder",
		"sub":         "error: open sub: it is not a regular file",
		".":           "error: open .: it is not a regular file",
		"../out/c.md": "error: ",
		"folder/c.md": "error: ",
		"dangling.md": "error: ",
		"missing.md":  "error: ",
	} {
		if got := content(files.Ref{Dir: d, Name: name}); got != want && !(want == "error: " && strings.HasPrefix(got, want)) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestNamedLink(t *testing.T) {
	dir := tree(t, "in/a.md", "a", "out/c.md", "c", "out/d.md", "d")
	name := filepath.Join(dir, "in", "link.md")
	link(t, "../out/c.md", name)
	ref := files.Named(name)
	if got := content(ref); got != "c" {
		t.Errorf("a link that was named is not followed: %q", got)
	}
	if got := content(ref.Parent().In("d.md")); got != "d" {
		t.Errorf("what lies beside it: %q", got)
	}
}

func TestReplacedFolder(t *testing.T) {
	dir := tree(t, "in/a.md", "a", "out/a.md", "secret")
	d := files.NewDir(filepath.Join(dir, "in"))
	ref := files.Ref{Dir: d, Name: "a.md"}
	if got := content(ref); got != "a" {
		t.Fatal(got)
	}
	err := errors.Join(os.Rename(filepath.Join(dir, "in"), filepath.Join(dir, "away")), os.Rename(filepath.Join(dir, "out"), filepath.Join(dir, "in")))
	must.OK(t, err)
	if _, _, err := ref.Open(); !errors.Is(err, files.ErrReplaced) {
		t.Errorf("error %v", err)
	}
	if _, err := ref.Stat(); !errors.Is(err, files.ErrReplaced) {
		t.Errorf("error %v", err)
	}
}

// A folder that is held stays the one that was opened, even if it is replaced.
func TestHeldFolder(t *testing.T) {
	dir := tree(t, "in/a.md", "a", "out/a.md", "secret")
	d := files.NewDir(filepath.Join(dir, "in"))
	d.Hold()
	defer d.Release()
	ref := files.Ref{Dir: d, Name: "a.md"}
	if got := content(ref); got != "a" {
		t.Fatal(got)
	}
	if err := os.Rename(filepath.Join(dir, "in"), filepath.Join(dir, "away")); err != nil {
		t.Skip(err) // not while it is open
	}
	link(t, "out", filepath.Join(dir, "in"))
	if got := content(ref); got != "a" {
		t.Errorf("read %q", got)
	}
}

func TestReadDir(t *testing.T) {
	dir := tree(t, "b/2.md", "", "b/1.md", "", "b/c/x.md", "", "out/x.md", "")
	link(t, "../out", filepath.Join(dir, "b", "3"))
	entries, err := files.NewDir(dir).ReadDir("b")
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if want := "1.md 2.md 3 c"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%q, want %q: %v", got, want, err)
	}
}
