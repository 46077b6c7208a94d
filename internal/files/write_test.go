package files_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/must"
)

// read returns the content of a file on disk.
func read(t *testing.T, name string) string {
	t.Helper()
	data := must.Read(t, name)
	return string(data)
}

// names returns the names of the files in a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must.OK(t, err)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func TestWrite(t *testing.T) {
	dir := tree(t, "old.txt", "old", "sub/x", "x")
	for _, name := range []string{"old.txt", "new.txt", "sub/../other.txt"} {
		if err := files.Write(filepath.Join(dir, filepath.FromSlash(name)), []byte("new")); err != nil {
			t.Error(err)
		}
		if got := read(t, filepath.Join(dir, filepath.FromSlash(name))); got != "new" {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, want := range map[string]string{"sub": "it is a folder", "no/x": "no such file", "no/": "no such file", strings.Repeat("x", 300): "name too long"} {
		if err := files.Write(dir+"/"+name, []byte("new")); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%.10s: error %v", name, err)
		}
	}
	if got := names(t, dir); got != "new.txt old.txt other.txt sub" {
		t.Errorf("left: %s", got)
	}
}

// TestWriteFrom checks that a write that fails halfway leaves only the old file.
func TestWriteFrom(t *testing.T) {
	dir := tree(t, "old.txt", "old")
	failed := errors.New("failed")
	for _, name := range []string{"old.txt", "new.txt"} {
		err := files.WriteFrom(filepath.Join(dir, name), func(to io.Writer) error {
			_, err := io.WriteString(to, "new")
			return errors.Join(err, failed)
		})
		if !errors.Is(err, failed) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if got := names(t, dir); got != "old.txt" || read(t, filepath.Join(dir, "old.txt")) != "old" {
		t.Errorf("left: %s", got)
	}
}

// TestWriteThroughLinks writes the targets of links, whether they exist or not.
func TestWriteThroughLinks(t *testing.T) {
	dir := tree(t, "real/file", "old", "real/deep/x", "")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	link(t, "real/file", at("one"))
	link(t, "one", at("two"))
	link(t, "real/missing", at("dangling"))
	link(t, at("real/absolute"), at("absolute"))
	link(t, "real/deep", at("deep"))
	link(t, "deep/../beside", at("up")) // next to real/deep, not next to the link
	link(t, "loop", at("loop"))
	for name, target := range map[string]string{
		"two": "real/file", "dangling": "real/missing", "absolute": "real/absolute", "up": "real/beside", "deep/../y": "real/y",
	} {
		if err := files.Write(dir+"/"+name, []byte(name)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := read(t, at(target)); got != name {
			t.Errorf("%s: %s holds %q", name, target, got)
		}
		if info, err := os.Lstat(at(name)); !strings.Contains(name, "..") && (err != nil || info.Mode()&fs.ModeSymlink == 0) {
			t.Errorf("%s is no longer a link", name)
		}
	}
	if err := files.Write(at("loop"), nil); err == nil {
		t.Error("a loop of links was written")
	}
}

func TestSame(t *testing.T) {
	dir := tree(t, "a", "", "sub/b", "")
	link(t, "a", filepath.Join(dir, "link"))
	link(t, "sub", filepath.Join(dir, "folder"))
	t.Chdir(dir)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a", "a", true}, {"a", "./a", true}, {"a", dir + "/a", true}, {"a", "sub/../a", true}, {"a", "link", true},
		{"new", "./new", true}, {"sub/new", "folder/new", true}, {"folder/b", "sub/b", true},
		{"a", "sub/b", false}, {"new", "new2", false}, {"a", "new", false}, {"no/x", "./no/x", false}, {"sub", "folder", false},
	} {
		if got := files.Same(c.a, c.b); got != c.want {
			t.Errorf("%s, %s: %v", c.a, c.b, got)
		}
	}
}

func TestReplace(t *testing.T) {
	long := strings.Repeat("x", 252) + ".md" // the longest possible name
	dir := tree(t, "in/a.md", "old", "in/"+long, "old", "in/empty.md", "")
	for name, old := range map[string]string{"a.md": "old", long: "old", "empty.md": ""} {
		ref := files.Ref{Dir: files.NewDir(dir), Name: "in/" + name}
		if err := files.Replace(ref, []byte(old), []byte("new text")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := read(t, filepath.Join(dir, "in", name)); got != "new text" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := names(t, filepath.Join(dir, "in")); got != "a.md empty.md "+long {
		t.Errorf("left: %s", got)
	}
}

// TestReplaceRefuses checks that a file that has changed since it was read, or whose
// attributes cannot be kept, is not replaced.
func TestReplaceRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(dir string) error
		want   error
		kept   string // in the file
	}{
		"edited":       {func(dir string) error { return os.WriteFile(dir+"/in/a.md", []byte("edit"), 0o600) }, files.ErrChanged, "edit"},
		"grown":        {func(dir string) error { return os.WriteFile(dir+"/in/a.md", []byte("old, edited"), 0o600) }, files.ErrChanged, "old, edited"},
		"cut":          {func(dir string) error { return os.WriteFile(dir+"/in/a.md", []byte("ol"), 0o600) }, files.ErrChanged, "ol"},
		"removed":      {func(dir string) error { return os.Remove(dir + "/in/a.md") }, fs.ErrNotExist, ""},
		"hard link":    {func(dir string) error { return os.Link(dir+"/in/a.md", dir+"/in/b.md") }, files.ErrHardLinks, "old"},
		"link out":     {func(dir string) error { return relink(dir, "../out/a.md") }, nil, "old"},
		"link within":  {func(dir string) error { return relink(dir, "c.md") }, files.ErrChanged, "old"},
		"folder":       {func(dir string) error { return errors.Join(os.Remove(dir+"/in/a.md"), os.Mkdir(dir+"/in/a.md", 0o700)) }, nil, ""},
		"other folder": {func(dir string) error { return errors.Join(os.RemoveAll(dir+"/in"), os.Symlink("out", dir+"/in")) }, nil, "old"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, "in/a.md", "old", "in/c.md", "old", "out/a.md", "old")
			ref := files.Ref{Dir: files.NewDir(filepath.Join(dir, "in")), Name: "a.md"}
			if got := content(ref); got != "old" {
				t.Fatal(got)
			}
			if err := c.change(dir); err != nil {
				t.Skip(err)
			}
			before := names(t, filepath.Join(dir, "in"))
			err := files.Replace(ref, []byte("old"), []byte("new"))
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if c.kept != "" {
				if got := read(t, filepath.Join(dir, "in", "a.md")); got != c.kept {
					t.Errorf("the file holds %q", got)
				}
			}
			if got := read(t, filepath.Join(dir, "out", "a.md")); got != "old" {
				t.Errorf("the file outside holds %q", got)
			}
			if after := names(t, filepath.Join(dir, "in")); after != before {
				t.Errorf("left: %s", after)
			}
		})
	}
}

// relink replaces the file by a link.
func relink(dir, to string) error {
	return errors.Join(os.Remove(dir+"/in/a.md"), os.Symlink(to, dir+"/in/a.md"))
}

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
