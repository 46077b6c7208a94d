package arch

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/testenv"
)

// example is a code block of CONTRIBUTING.md: what goes into a file, perhaps after
// the line that holds some text, or, without a file, commands.
type example struct{ file, after, text string }

var exampleBlock = regexp.MustCompile("(?ms)^( *)```(?:(?:go|tsv|txtar|md) (\\S+)(?: after ([^\n]+))?|sh)\n(.*?)^ *```$")

// examplesOf returns the examples below a heading of CONTRIBUTING.md.
func examplesOf(t *testing.T, heading string) []example {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../..", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(data), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("CONTRIBUTING.md has no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var out []example
	for _, m := range exampleBlock.FindAllStringSubmatch(section, -1) {
		text := strings.TrimPrefix(strings.ReplaceAll("\n"+m[4], "\n"+m[1], "\n"), "\n")
		out = append(out, example{m[2], m[3], text})
	}
	return out
}

var (
	listStart = regexp.MustCompile(`(?m)^var \w+ = \[\]\S+\{\n`)
	firstRows = regexp.MustCompile("(?m)^\\|---.*\n(?:\\| `.*\n)+")
)

// apply puts an example where a reader would put it: an element at the beginning of
// a list, a row at the end of a table, else at the end of the file.
func (e example) apply(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(e.file))
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	at := len(data)
	var place *regexp.Regexp
	switch {
	case e.after != "":
		place = regexp.MustCompile(`(?m)^.*` + regexp.QuoteMeta(strings.TrimSpace(e.after)) + `.*\n`)
	case strings.HasPrefix(strings.TrimSpace(e.text), "{"):
		place = listStart
	case strings.HasPrefix(e.text, "|"):
		place = firstRows
	}
	if place != nil {
		found := place.FindIndex(data)
		if found == nil {
			t.Fatalf("%s has no place for %s", e.file, e.text)
		}
		at = found[1]
	}
	if at > 0 && place == nil && strings.HasSuffix(e.file, ".go") {
		e.text = "\n" + e.text
	}
	text := string(data[:at]) + e.text + string(data[at:])
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// scratch returns a copy of the repository.
func scratch(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel("../..", path)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// goTool runs the go command. Without paths in what it builds, packages that are
// the same as those of another copy are built once.
func goTool(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("go", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-trimpath -vet=off", "GOWORK=off")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%.4000s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestContributing takes the steps that CONTRIBUTING.md describes, in a copy of the
// repository: its tests hold afterwards.
func TestContributing(t *testing.T) {
	testenv.SkipBuilds(t)
	dir := scratch(t)
	for _, c := range []struct {
		heading string
		files   int // that are written by hand
		holds   []string
	}{
		{"Add a rule", 3, []string{"test", "./rules", "-run", "Archives|Catalogue|Severit|Pages"}},
		{"Add a format", 3, []string{"test", "./report", "-skip", "Page|Browser|Benchmark"}},
		{"Add a form of export", 4, []string{"vet", "./internal/input", "./internal/export"}},
	} {
		t.Run(c.heading, func(t *testing.T) {
			files := map[string]bool{}
			var commands []string
			for _, e := range examplesOf(t, c.heading) {
				if e.file == "" {
					commands = append(commands, strings.Split(strings.TrimSpace(e.text), "\n")...)
					continue
				}
				e.apply(t, dir)
				files[e.file] = true
				if strings.HasSuffix(e.file, ".go") {
					addImports(t, filepath.Join(dir, e.file))
				}
			}
			if len(files) != c.files || len(commands) == 0 {
				t.Fatalf("the steps touch %d files and run %q; %d files expected", len(files), commands, c.files)
			}
			for _, line := range commands {
				goTool(t, dir, strings.Fields(line)[1:]...)
			}
			goTool(t, dir, c.holds...)
		})
	}
	useSteps(t, dir)
}

// useSteps runs the program with the new rule, format and form.
func useSteps(t *testing.T, dir string) {
	t.Helper()
	work := t.TempDir()
	counts := func(args ...string) string {
		return goTool(t, dir, append([]string{"run", "./cmd/brennerlint", "--no-config", "--fail-on", "never", "--format", "counts"}, args...)...)
	}
	artifact := filepath.Join(work, "artifact.md")
	const text = "---\nsession_id: RS-20251230-cell-fate\n---\n\n## 6. Anomaly Register\n\n### X1: Mixed\n**Resolution plan**: Is it so?\n"
	if err := os.WriteFile(artifact, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := counts("--select", "WX-003", artifact); got != "WX-003 1\n" {
		t.Errorf("the new format says %q of the new rule's finding", got)
	}

	thread := filepath.Join(dir, "examples", "mail", "RS-20251230-cell-fate.json")
	data, err := os.ReadFile(thread)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	export := filepath.Join(work, "mail.gz")
	if err := os.WriteFile(export, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, want := counts(export), counts(thread); got != want || got == "" {
		t.Errorf("the new form gives %q, the same mail as JSON %q", got, want)
	}
}

// addImports adds the imports that an editor adds: of the standard library, by the
// last element of their path.
func addImports(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, name := range []string{"strings"} {
		if strings.Contains(text, name+".") && !strings.Contains(text, `"`+name+`"`) {
			text = strings.Replace(text, "import (\n", "import (\n\t\""+name+"\"\n\n", 1)
		}
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
