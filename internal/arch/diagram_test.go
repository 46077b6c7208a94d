package arch

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the diagram into docs/architecture.md")

// tools are packages that no report is made by: the diagram leaves them out.
var tools = []string{"internal/docgen", "internal/schemagen", "internal/gen", "internal/gen/floor", "internal/gen/took", "cmd/brennergen", "linttest"}

const (
	diagramStart = "<!-- The diagram is generated: go test ./internal/arch -update -->\n```mermaid\n"
	diagramEnd   = "```\n"
)

// TestDiagram checks that the diagram of docs/architecture.md is that of the
// imports: an arrow leads from each package to those that import it, but for
// those that import it through others too.
func TestDiagram(t *testing.T) {
	want := diagramStart + diagram(imports(t)) + diagramEnd
	path := filepath.Join("..", "..", "docs", "architecture.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), diagramStart)
	_, after, closed := strings.Cut(rest, diagramEnd)
	if !ok || !closed {
		t.Fatalf("docs/architecture.md has no diagram; expected\n%s", want)
	}
	if text := before + want + after; text != string(data) {
		if !*update {
			t.Fatal("the diagram of docs/architecture.md is stale: go test ./internal/arch -update")
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// imports returns the packages of the table and what each imports of them.
func imports(t *testing.T) map[string]map[string]bool {
	t.Helper()
	out := map[string]map[string]bool{}
	for _, layer := range layers {
		for _, pkg := range layer {
			if slices.Contains(tools, pkg) {
				continue
			}
			out[pkg] = map[string]bool{}
			files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				if strings.HasSuffix(file, "_test.go") {
					continue
				}
				f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
				if err != nil {
					t.Fatal(err)
				}
				for _, spec := range f.Imports {
					name, _ := strconv.Unquote(spec.Path.Value)
					if imported, ours := strings.CutPrefix(name, module+"/"); ours {
						out[pkg][imported] = true
					}
				}
			}
		}
	}
	return out
}

// diagram draws packages in the order of the table, without the arrows that
// follow from others.
func diagram(imports map[string]map[string]bool) string {
	reaches := map[string]map[string]bool{} // through at least one package between
	var visit func(pkg string) map[string]bool
	visit = func(pkg string) map[string]bool {
		if reaches[pkg] == nil {
			reaches[pkg] = map[string]bool{}
			for p := range imports[pkg] {
				maps.Copy(reaches[pkg], imports[p])
				maps.Copy(reaches[pkg], visit(p))
			}
		}
		return reaches[pkg]
	}
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for _, layer := range layers {
		for _, pkg := range layer {
			if imports[pkg] == nil {
				continue
			}
			fmt.Fprintf(&b, "  %s[\"%s\"]\n", node(pkg), pkg)
			indirect := visit(pkg)
			for _, p := range slices.Sorted(maps.Keys(imports[pkg])) {
				if !indirect[p] && imports[p] != nil { // else it is not drawn
					fmt.Fprintf(&b, "  %s --> %s\n", node(p), node(pkg))
				}
			}
		}
	}
	return b.String()
}

// node returns a package's name as Mermaid takes it.
func node(pkg string) string { return strings.ReplaceAll(pkg, "/", "_") }
