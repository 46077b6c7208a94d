package revision

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
)

// repository makes one with a commit of some files.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	for name, text := range files {
		must.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	for _, args := range []string{"init -q .", "add -A", "-c user.name=x -c user.email=x@example.org commit -qm x"} {
		cmd := exec.Command("git", strings.Fields(args)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	return dir
}

func TestWrite(t *testing.T) {
	files := map[string]string{"a.md": "a\n", "mail/Ünï \"x\".json": "{}", "mail/large.json": strings.Repeat("x", 100), "empty": ""}
	dir := repository(t, files)
	r, err := Open(t.Context(), filepath.Join(dir, "mail"), "HEAD")
	must.OK(t, err)
	folder := t.TempDir()
	if refused, err := r.Write(t.Context(), slices.Sorted(maps.Keys(files)), folder); err != nil || refused != nil {
		t.Fatal(refused, err)
	}
	for name, want := range files {
		if data, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(data) != want {
			t.Errorf("%s is %q, want %q (%v)", name, data, want, err)
		}
	}
	for p, want := range map[string]string{
		"x.json": "mail/x.json", "../a.md": "a.md", "../../a.md": "", filepath.Join(dir, "a.md"): "a.md", filepath.Join(dir, "..", "a.md"): "",
	} {
		if got := r.Name(p); got != want {
			t.Errorf("%s is called %q, want %q", p, got, want)
		}
	}
}

func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Open(t.Context(), t.TempDir(), "HEAD"); err == nil || err.Error() != "there is no git program" {
		t.Errorf("the error is %v", err)
	}
}

func TestNoRevision(t *testing.T) {
	dir := repository(t, map[string]string{"a": "a"})
	for _, rev := range []string{"nowhere", "", "-x", "--output=x", "HEAD:a", "HEAD^{tree}", "HEAD\n", ":/", ":/y", ":a"} {
		if _, err := Open(t.Context(), dir, rev); err == nil || !strings.HasPrefix(err.Error(), "no git revision ") {
			t.Errorf("%q: the error is %v", rev, err)
		}
	}
}

// TestSearch finds a commit by a text of its message, with a repository that is given relative to a folder in it.
func TestSearch(t *testing.T) {
	dir := repository(t, map[string]string{"mail/a": "a", ".gitignore": "b"})
	t.Chdir(filepath.Join(dir, "mail"))
	t.Setenv("GIT_DIR", filepath.Join("..", ".git"))
	t.Setenv("GIT_WORK_TREE", "..")
	r, err := Open(t.Context(), ".", ":/x")
	must.OK(t, err)
	if stored, _, err := r.Stored(t.Context(), func(string) bool { return true }); err != nil || !slices.Equal(stored, []string{".gitignore", "mail/a"}) {
		t.Errorf("it has %q (%v)", stored, err)
	}
	if !r.Ignores(t.Context(), "mail/b") || r.Ignores(t.Context(), "mail/a") {
		t.Error("it ignores another file than b")
	}
	if refused, err := r.Write(t.Context(), []string{"mail/a"}, t.TempDir()); err != nil || refused != nil {
		t.Error(refused, err)
	}
}

// TestShallow checks that a revision that a shallow clone lacks is explained.
func TestShallow(t *testing.T) {
	dir := repository(t, map[string]string{"a": "a"})
	clone := filepath.Join(t.TempDir(), "clone")
	_, err := git(t.Context(), dir, "clone", "--quiet", "--depth", "1", "file://"+filepath.ToSlash(dir), clone)
	must.OK(t, err)
	_, err = Open(t.Context(), clone, "v0")
	if err == nil || !strings.Contains(err.Error(), "the clone is shallow") {
		t.Errorf("the error is %v", err)
	}
	if _, err := Open(t.Context(), clone, "HEAD"); err != nil {
		t.Error(err)
	}
}
