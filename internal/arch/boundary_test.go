package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// eachFile visits the non-test Go files of the module with their packages.
func eachFile(t *testing.T, visit func(pkg, path string, f *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
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
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(rel), path, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
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
var readsTokens = []string{"internal/export", "internal/gen/floor", "internal/input", "internal/jsontree", "brenner"}

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
