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

//go:generate go test -run ^TestPages$ -update .

// docs is the folder of the documentation.
var docs = filepath.Join("..", "docs")

// TestPages checks that every rule has its page and every command and flag its
// line, and that no page describes a rule that is gone. With -update it writes
// the pages; .ci/run holds that they are fresh.
func TestPages(t *testing.T) {
	root := newRoot(streams{strings.NewReader(""), io.Discard, io.Discard}, rules.All())
	pages := docgen.RulePages(rules.All())
	pages["commands.md"] = docgen.CommandsPage(root)
	if *update {
		writePages(t, pages)
	}
	stored := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		data, err := os.ReadFile(filepath.Join(docs, filepath.FromSlash(name)))
		if err != nil {
			t.Errorf("docs/%s is not there: run `go generate ./...` and commit it", name)
		}
		stored[name] = string(data)
	}
	for _, path := range rulePages(t) {
		name := "rules/" + filepath.Base(path)
		if pages[name] == "" {
			t.Errorf("docs/%s is the page of no rule: run `go generate ./...`", name)
		}
	}
	for _, r := range rules.All() {
		if !strings.HasSuffix(r.URL, "/docs/rules/"+r.ID+".md") {
			t.Errorf("%s says that its page is %q", r.ID, r.URL)
		}
		if !strings.Contains(stored["rules/README.md"], "| ["+r.ID+"]("+r.ID+".md) |") {
			t.Errorf("docs/rules/README.md lacks a line for %s: run `go generate ./...`", r.ID)
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
			if !f.Hidden && !strings.Contains(section, "--"+f.Name+"`") && !strings.Contains(section, "--"+f.Name+" ") && !strings.Contains(section, "--"+f.Name+"[") {
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
		if !strings.Contains(read("contract.md"), f) {
			t.Errorf("docs/contract.md does not name %s", f)
		}
	}
}

func rulePages(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(docs, "rules", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// writePages writes the pages, and removes those of rules that are gone.
func writePages(t *testing.T, pages map[string]string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(docs, "rules"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(docs, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range rulePages(t) {
		if pages["rules/"+filepath.Base(path)] == "" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
}
