package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestNoTestChangesVariables checks that tests change no variable of a package: what
// they need otherwise is an option, so that tests can run side by side.
func TestNoTestChangesVariables(t *testing.T) {
	variables := map[string]map[string]bool{} // of each package
	eachFile(t, func(pkg, _ string, f *ast.File) {
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if variables[pkg] == nil {
						variables[pkg] = map[string]bool{}
					}
					variables[pkg][name.Name] = true
				}
			}
		}
	})
	assignments := 0
	for pkg := range variables {
		files, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(pkg), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0) // with objects: those of locals are known
			if err != nil {
				t.Fatal(err)
			}
			imported := modulePackages(f)
			eachAssigned(f, func(x ast.Expr) {
				assignments++
				root, member := assigned(x)
				if variables[pkg][root] || variables[imported[root]][member] {
					t.Errorf("%s changes %s, a variable of a package", path, strings.TrimSuffix(root+"."+member, "."))
				}
			})
		}
	}
	if assignments < 500 {
		t.Errorf("only %d assignments were looked at", assignments)
	}
}

// modulePackages returns the packages of the module that a file imports, by their names.
func modulePackages(f *ast.File) map[string]string {
	out := map[string]string{}
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if pkg, ours := strings.CutPrefix(path, module+"/"); ours && err == nil {
			out[filepath.Base(pkg)] = pkg
		}
	}
	return out
}

// eachAssigned visits what a file assigns to.
func eachAssigned(f *ast.File, visit func(ast.Expr)) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, x := range n.Lhs {
					visit(x)
				}
			}
		case *ast.IncDecStmt:
			visit(n.X)
		}
		return true
	})
}

// assigned returns the name that an expression begins with, and the one that is selected
// of it; "" for what a function has declared.
func assigned(x ast.Expr) (root, member string) {
	for {
		switch y := x.(type) {
		case *ast.IndexExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		case *ast.SelectorExpr:
			x, member = y.X, y.Sel.Name
		case *ast.Ident:
			if y.Obj == nil {
				return y.Name, member
			}
			return "", ""
		default:
			return "", ""
		}
	}
}
