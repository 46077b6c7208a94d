package cli

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/rules"
)

//go:generate go test -run ^(TestPages|TestGallery|TestReadmeReport|TestAlertPicture)$ -update .

// docs is the folder of the documentation.
var docs = filepath.Join("..", "docs")

// TestPages checks that every rule has its line in the table of rules, and every
// command and flag in the page of commands. With -update it writes both; .ci/run holds
// that they are fresh.
func TestPages(t *testing.T) {
	root := newRoot(streams{strings.NewReader(""), io.Discard, io.Discard}, rules.All())
	pages := map[string]string{"rules.md": docgen.RulesPage(rules.All(), "../rules/doc"), "commands.md": docgen.CommandsPage(root)}
	stored := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		file := filepath.Join(docs, name)
		if *update {
			if err := os.WriteFile(file, []byte(pages[name]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("docs/%s is not there: run `go generate ./...` and commit it", name)
		}
		stored[name] = string(data)
	}
	for _, r := range rules.All() {
		if !strings.Contains(stored["rules.md"], "| ["+r.ID+"](../rules/doc/"+r.ID+".md) |") {
			t.Errorf("docs/rules.md lacks a line for %s: run `go generate ./...`", r.ID)
		}
	}
	for _, c := range append(root.Commands(), root) {
		if c.Hidden {
			continue
		}
		_, section, ok := strings.Cut(stored["commands.md"], "\n## "+c.CommandPath()+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		if !ok {
			t.Errorf("docs/commands.md lacks the command %s: run `go generate ./...`", c.CommandPath())
		}
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !strings.Contains(section, "--"+f.Name+"`") && !strings.Contains(section, "--"+f.Name+" ") && !strings.Contains(section, "--"+f.Name+"[") {
				t.Errorf("docs/commands.md lacks --%s of %s: run `go generate ./...`", f.Name, c.CommandPath())
			}
		})
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
