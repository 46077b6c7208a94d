package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocComments checks that what other modules see has a comment that begins with its
// name, as pkg.go.dev shows it: packages, functions, methods, types, constants and
// variables. Of a group of constants one comment is enough.
func TestDocComments(t *testing.T) {
	checked := 0
	for _, line := range layers {
		for _, pkg := range line {
			if strings.HasPrefix(pkg, "internal/") || strings.HasPrefix(pkg, "cmd/") || strings.HasPrefix(pkg, "examples/") {
				continue
			}
			files, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(pkg), "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			documented := false
			for _, path := range files {
				if strings.HasSuffix(path, "_test.go") {
					continue
				}
				f := commentsOf(t, path)
				documented = documented || strings.HasPrefix(f.Doc.Text(), "Package "+f.Name.Name+" ")
				for _, decl := range f.Decls {
					for _, name := range undocumented(decl) {
						t.Errorf("%s: %s lacks a comment that begins with its name", path, name)
					}
					checked++
				}
			}
			if !documented {
				t.Errorf("package %s lacks its comment", pkg)
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d declarations were looked at", checked)
	}
}

func commentsOf(t *testing.T, path string) *ast.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// undocumented returns the exported names of a declaration that lack a comment.
func undocumented(decl ast.Decl) (names []string) {
	need := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		for _, doc := range docs {
			if strings.HasPrefix(doc.Text(), name.Name+" ") {
				return
			}
		}
		if name.IsExported() {
			names = append(names, name.Name)
		}
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && d.Name.Name == "Error" {
			break // of an error: its type says it
		}
		if d.Recv == nil || receiver(d.Recv.List[0].Type).IsExported() {
			need(d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				need(s.Name, s.Doc, d.Doc)
			case *ast.ValueSpec:
				if s.Doc == nil && s.Comment == nil && d.Doc == nil {
					need(s.Names[0])
				}
			}
		}
	}
	return names
}

// receiver returns the name of a method's type.
func receiver(t ast.Expr) *ast.Ident {
	switch x := t.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x
	}
	return ast.NewIdent("_")
}
