package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// held is a row of docs/security.md: a promise, and the names of what holds it.
type held struct {
	line    int
	promise string
	names   []string
}

// named is a name of a test among others.
var named = regexp.MustCompile("`([^`]+)`")

// readPromises reads the tables of docs/security.md, whose last columns name tests.
// Below the first heading of a section it has nothing but them and notes.
func readPromises(t *testing.T, text string) (rows []held) {
	t.Helper()
	section, tables := false, 0
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "## "):
			if section && tables == 0 {
				t.Errorf("line %d: the section above has no table", i+1)
			}
			section, tables = true, 0
		case strings.HasPrefix(line, "|--"):
			tables++
		case strings.HasPrefix(line, "| ") && !strings.HasSuffix(line, "| Tests |"):
			cells := strings.Split(strings.TrimSuffix(line, " |"), " | ")
			row := held{line: i + 1, promise: strings.TrimPrefix(cells[0], "| ")}
			for _, m := range named.FindAllStringSubmatch(cells[len(cells)-1], -1) {
				row.names = append(row.names, m[1])
			}
			rows = append(rows, row)
		case section && line != "" && line[0] != '|' && line[0] != '>':
			t.Errorf("line %d is in no table: %q; write a promise as a row, and what is none as a note (>)", i+1, line)
		}
	}
	return rows
}

// TestSecurityPage checks that each promise of docs/security.md is held by tests or
// checks, and that those are there.
func TestSecurityPage(t *testing.T) {
	root := filepath.Join("..", "..")
	data, err := os.ReadFile(filepath.Join(root, "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests, ci := testNames(t, root), workflows(t, root)
	rows := readPromises(t, string(data))
	if len(rows) < 60 {
		t.Errorf("only %d promises are found", len(rows))
	}
	promised := map[string]bool{}
	for _, row := range rows {
		if promised[row.promise] {
			t.Errorf("security.md:%d: %q is promised twice", row.line, row.promise)
		}
		promised[row.promise] = true
		if len(row.names) == 0 {
			t.Errorf("security.md:%d: no test holds %q", row.line, row.promise)
		}
		for _, name := range row.names {
			switch {
			case strings.HasPrefix(name, ".ci/"):
				if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil || info.IsDir() || !strings.Contains(ci, name) {
					t.Errorf("security.md:%d: %s is no script that CI runs", row.line, name)
				}
			case strings.HasSuffix(name, ".txtar"):
				if _, err := os.Stat(filepath.Join(root, "testdata", "script", name)); err != nil {
					t.Errorf("security.md:%d: %v", row.line, err)
				}
			case !tests[name]:
				t.Errorf("security.md:%d: there is no test %s", row.line, name)
			}
		}
	}
}

// testNames returns the tests and fuzz targets of all modules, by the folder of their
// package: cli.TestScripts.
func testNames(t *testing.T, root string) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test\w+|Fuzz\w+)\(\w+ \*testing\.[TF]\)`)
	out := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(data), -1) {
			out[filepath.Base(filepath.Dir(path))+"."+m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// workflows returns the text of all workflows.
func workflows(t *testing.T, root string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}
