package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/rules"
)

//go:generate go test -run ^(TestPages|TestGallery|TestReadmeReport|TestAlertPicture)$ -update .

// docs is the folder of the documentation.
var docs = filepath.Join("..", "docs")

// TestPages checks that the table of rules and the page of commands are those of the program.
// With -update it writes both.
func TestPages(t *testing.T) {
	root := newRoot(streams{strings.NewReader(""), io.Discard, io.Discard}, rules.All())
	for name, page := range map[string]string{"rules.md": docgen.RulesPage(rules.All(), "../rules/doc"), "commands.md": docgen.CommandsPage(root)} {
		file := filepath.Join(docs, name)
		if *update {
			if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != page {
			t.Errorf("docs/%s is not what the program has (%v): run `go generate ./cli`", name, err)
		}
	}
}

// TestShown checks that what pages show or list is what the program has: the
// workflow that init writes, and the formats.
func TestShown(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if !strings.Contains(read("ci.md"), "```yaml\n"+string(workflow)+"```\n") {
		t.Error("docs/ci.md does not show cli/workflow.yml")
	}
	for _, f := range formatNames() {
		if !strings.Contains(read("formats.md"), "| `"+f+"` |") {
			t.Errorf("docs/formats.md lacks a line for %s", f)
		}
	}
	if list := "`--format " + strings.Join(formatNames(), "|") + "`"; !strings.Contains(read("contract.md"), list) {
		t.Errorf("docs/contract.md lacks %s", list)
	}
}
