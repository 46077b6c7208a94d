package arch

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// How long a file and a function may be, in lines: what is longer does two
// things. Functions of tests may hold long tables.
const (
	maxFile     = 400
	maxFunction = 60
)

// TestSizes checks that no file and no function outgrows its reader.
func TestSizes(t *testing.T) {
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := bytes.Count(data, []byte("\n")); n > maxFile {
			t.Errorf("%s has %d lines, expected at most %d: part it by what it holds", path, n, maxFile)
		}
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, data, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1; n > maxFunction {
				t.Errorf("%s: %s has %d lines, expected at most %d", path, fn.Name.Name, n, maxFunction)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
