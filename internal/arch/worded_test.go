package arch

import (
	"go/ast"
	"path/filepath"
	"strings"
	"testing"
)

// TestFactsAreWorded checks that each kind of fact that a replay finds is worded by
// rules of one file: who wants other words opens that one.
func TestFactsAreWorded(t *testing.T) {
	worded := map[string]map[string]bool{} // by kind of fact, the files
	eachFile(t, func(pkg, _ string, f *ast.File) {
		if pkg != "replay" {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != "Facts" {
				return true
			}
			for _, field := range spec.Type.(*ast.StructType).Fields.List {
				for _, name := range field.Names {
					worded[name.Name] = map[string]bool{}
				}
			}
			return false
		})
	})
	if len(worded) < 20 {
		t.Fatalf("only %d kinds of facts were found", len(worded))
	}
	eachFile(t, func(pkg, path string, f *ast.File) {
		if pkg != "rules" {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && worded[sel.Sel.Name] != nil && isFacts(sel.X) {
				worded[sel.Sel.Name][filepath.Base(path)] = true
			}
			return true
		})
	})
	for kind, files := range worded {
		if len(files) != 1 {
			t.Errorf("facts of the kind %s are worded in %d files: %v; expected one", kind, len(files), files)
		}
	}
}

// isFacts reports whether an expression is the facts of a replay.
func isFacts(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.CallExpr:
		name, ok := x.Fun.(*ast.Ident)
		return ok && strings.HasPrefix(name.Name, "facts")
	case *ast.SelectorExpr:
		return x.Sel.Name == "Facts"
	}
	return false
}
