// Package arch holds the table of which package may import which.

package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/brennerlint/brennerlint"

// layers lists the packages in the order in which data flows. A package may
// import those on lines above its own, and of its own line none.
var layers = [][]string{
	{"internal/steps", "internal/deadline", "internal/parallel"},
	{"source", "internal/text", "internal/linehash", "internal/gitignore", "internal/files", "internal/revision", "internal/rapidseed", "internal/testenv", "internal/must", "conformance"},
	{"internal/jsontree", "internal/markdown", "brenner", "brenner/mail", "internal/database", "internal/oracle", "internal/agenthook"},
	{"internal/input", "internal/rulepage"},
	{"brenner/artifact", "brenner/delta", "brenner/merge", "internal/bundle"},
	{"internal/export", "brenner/diff", "internal/rewrite"},
	{"brenner/session"},
	{"brenner/replay"},
	{"lint"},
	{"internal/ledger"},
	{"rules", "internal/fix", "report", "internal/docgen", "internal/customrules"},
	{"engine"},
	{"internal/config", "internal/watch"},
	{"internal/ruletest", "internal/newfrom"},
	{"lint/linttest", "internal/mcp", "internal/lsp", "internal/conformance", "internal/conformance/answers", "internal/conformgen", "internal/playground"},
	{"cli", "internal/gen", "internal/gen/floor", "internal/gen/took"},
	{"cmd/brennerlint", "cmd/brennerlint-wasm", "cmd/brennersite", "internal/gen/brennergen", "examples/adapters/plain", "examples/customrule"},
}

// TestImports checks that imports run one way, and that the table names every
// package.
func TestImports(t *testing.T) {
	rank := map[string]int{}
	for i, line := range layers {
		for _, p := range line {
			rank[p] = i
		}
	}
	eachFile(t, func(pkg, path string, f *ast.File) { checkImports(t, path, pkg, f, rank) })
	root := filepath.Join("..", "..")
	for p := range rank {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(p))); err != nil {
			t.Errorf("the table names %s, which is not there", p)
		}
	}
}

func checkImports(t *testing.T, path, pkg string, f *ast.File, rank map[string]int) {
	t.Helper()
	own, ok := rank[pkg]
	if !ok {
		t.Errorf("package %s is not in the table", pkg)
		return
	}
	for _, spec := range f.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		imported, ours := strings.CutPrefix(name, module+"/")
		if ours && rank[imported] >= own {
			t.Errorf("%s imports %s, which is on its own line or below it in the table", path, imported)
		}
	}
}

// eachFile visits the Go files that are no tests, with their packages.
func eachFile(t *testing.T, visit func(pkg, path string, f *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		path, err = filepath.Rel(root, path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, 0)
		if err != nil {
			return err
		}
		n++
		visit(filepath.ToSlash(filepath.Dir(path)), filepath.ToSlash(path), f)
		return nil
	})
	if err != nil || n < 200 {
		t.Fatalf("%d files: %v", n, err)
	}
}

var ruleIDLiteral = regexp.MustCompile(`^[A-Z]{2}-[A-Z]?\d{2,3}$`)

// TestRuleIDs checks that no package but rules names a rule: those below return facts,
// which rules word, and those above are for any rules.
func TestRuleIDs(t *testing.T) {
	eachFile(t, func(pkg, path string, f *ast.File) {
		if pkg == "rules" {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if text, err := strconv.Unquote(lit.Value); err == nil && ruleIDLiteral.MatchString(text) {
				t.Errorf("%s names the rule %s: return a fact, and let the rule word it", path, text)
			}
			return true
		})
	})
}

// TestChecksOfTheirOwn checks that no check asks its pass which rule it runs for: one
// that several rules share would do the work of each by a table of ids.
func TestChecksOfTheirOwn(t *testing.T) {
	values := 0 // of lint.Rule
	eachFile(t, func(pkg, path string, f *ast.File) {
		if pkg != "rules" {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			field, ok := n.(*ast.SelectorExpr)
			if !ok || field.Sel.Name != "Rule" {
				return true
			}
			if of, ok := field.X.(*ast.Ident); ok && of.Name == "lint" {
				values++
			} else {
				t.Errorf("%s asks which rule runs: give each rule a check of its own", path)
			}
			return true
		})
	})
	if values < 30 {
		t.Errorf("only %d lists of rules were looked at", values)
	}
}

// readsTokens are the packages that read JSON as tokens by the experimental
// jsontext. It is planned for the standard library: these change then.
var readsTokens = []string{"internal/gen/floor", "internal/input", "internal/jsontree", "brenner"}

func TestExperimentalJSON(t *testing.T) {
	const jsontext = "github.com/go-json-experiment/json"
	eachFile(t, func(pkg, path string, f *ast.File) {
		for _, spec := range f.Imports {
			if name, _ := strconv.Unquote(spec.Path.Value); strings.HasPrefix(name, jsontext) && (name != jsontext+"/jsontext" || !slices.Contains(readsTokens, pkg)) {
				t.Errorf("%s imports %s, which is experimental: use package internal/jsontree", path, name)
			}
		}
	})
}

// importsOf returns the paths that a file imports.
func importsOf(f *ast.File) (paths []string) {
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, path)
	}
	return paths
}

// network are the packages that open connections.
var network = regexp.MustCompile(`^(net|net/(http|rpc|smtp|textproto)(/.*)?|crypto/tls|golang\.org/x/net(/.*)?)$`)

// networked are the modules of others that import such a package: the library of the
// MCP server serves by HTTP too, which is a use that is not ours, and that of flags
// reads addresses.
var networked = regexp.MustCompile(`^(github\.com/modelcontextprotocol/go-sdk|golang\.org/x/oauth2|github\.com/spf13/pflag)$`)

// TestNoNetwork checks that the program opens no connection: no file of ours imports
// what could, and of the libraries none but those named.
func TestNoNetwork(t *testing.T) {
	eachFile(t, func(_, path string, f *ast.File) {
		for _, imported := range importsOf(f) {
			if network.MatchString(imported) {
				t.Errorf("%s imports %s", path, imported)
			}
		}
	})
	const format = `{{if not .Standard}}{{with .Module}}{{.Path}}{{end}} {{join .Imports " "}}{{end}}`
	list := exec.Command("go", "list", "-deps", "-f", format, "./cmd/brennerlint")
	list.Dir = filepath.Join("..", "..")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	n := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		for i := 1; i < len(words); i++ {
			if n++; network.MatchString(words[i]) && !networked.MatchString(words[0]) {
				t.Errorf("%s imports %s", words[0], words[i])
			}
		}
	}
	if n < 500 {
		t.Errorf("the packages of the program have only %d imports", n)
	}
}

// runsPrograms are the files that run programs, and why: docs/security.md names them, but
// those that developers run.
var runsPrograms = map[string]string{
	"cli/replay.go":                   "the pager of blame",
	"internal/revision/revision.go":   "git, for --new-from",
	"internal/gen/took/main.go":       "the programs that .ci/bench measures",
	"cli/watch.go":                    "the program of watch --exec",
	"internal/conformance/process.go": "the implementation that the conformance suite is run against",
}

// TestPrograms checks that nothing else runs a program.
func TestPrograms(t *testing.T) {
	found := map[string]bool{}
	eachFile(t, func(_, path string, f *ast.File) {
		for _, imported := range importsOf(f) {
			if imported == "os/exec" || imported == "plugin" {
				found[path] = true
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				switch pkg, _ := s.X.(*ast.Ident); {
				case pkg == nil:
				case pkg.Name == "os" && s.Sel.Name == "StartProcess", (pkg.Name == "syscall" || pkg.Name == "unix") && (s.Sel.Name == "Exec" || s.Sel.Name == "ForkExec" || s.Sel.Name == "StartProcess"):
					found[path] = true
				}
			}
			return true
		})
	})
	for path := range found {
		if runsPrograms[path] == "" {
			t.Errorf("%s runs a program", path)
		}
	}
	for path := range runsPrograms {
		if !found[path] {
			t.Errorf("%s runs no program: take it off the list", path)
		}
	}
}
