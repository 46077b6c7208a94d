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
		if d.IsDir() && path != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") || isModule(path)) {
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

// namesRules are the packages besides rules that still name rules by their ids:
// they return findings that they word themselves, not facts. The list only gets
// shorter. internal/gen plants faults and says which rule finds them.
var namesRules = []string{"internal/gen"}

var ruleIDLiteral = regexp.MustCompile(`^[A-Z]{2}-[A-Z]?\d{2,3}$`)

// TestRuleIDs holds that no package but rules names a rule, and that the list of
// exceptions holds none that does not.
func TestRuleIDs(t *testing.T) {
	names := map[string]bool{}
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
				names[pkg] = true
				if !slices.Contains(namesRules, pkg) {
					t.Errorf("%s names the rule %s: return a fact, and let the rule word it", path, text)
				}
			}
			return true
		})
	})
	for _, pkg := range namesRules {
		if !names[pkg] {
			t.Errorf("%s names no rule any more: take it off the list", pkg)
		}
	}
}

// readsTokens are the packages that read JSON as tokens by the experimental
// jsontext. It is planned for the standard library: these change then.
var readsTokens = []string{"internal/export", "internal/gen/floor", "internal/input", "jsontree", "state"}

func TestExperimentalJSON(t *testing.T) {
	const jsontext = "github.com/go-json-experiment/json"
	eachFile(t, func(pkg, path string, f *ast.File) {
		for _, spec := range f.Imports {
			if name, _ := strconv.Unquote(spec.Path.Value); strings.HasPrefix(name, jsontext) && (name != jsontext+"/jsontext" || !slices.Contains(readsTokens, pkg)) {
				t.Errorf("%s imports %s, which is experimental: use package jsontree", path, name)
			}
		}
	})
}
