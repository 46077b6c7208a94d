// Package arch holds the table of which package may import which.
package arch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/brennerlint/brennerlint"

// layers lists the packages in the order in which data flows. A package may
// import those on lines above its own, and of its own line none.
var layers = [][]string{
	{"source", "internal/wording", "internal/linehash", "internal/globs", "internal/files", "internal/rapidseed"},
	{"jsontree", "markdown", "protocol", "internal/database"},
	{"state", "internal/input", "mail"},
	{"artifact", "delta", "merge", "internal/bundle"},
	{"internal/export"},
	{"session"},
	{"workspace"},
	{"replay"},
	{"lint"},
	{"rules", "engine", "report", "internal/docgen"},
	{"config", "fix"},
	{"linttest"},
	{"cli", "internal/gen", "internal/gen/floor", "internal/schemagen"},
	{"cmd/brennerlint", "cmd/brennergen"},
}

// TestImports holds that imports run one way, and that the table names every
// package.
func TestImports(t *testing.T) {
	rank := map[string]int{}
	for i, line := range layers {
		for _, p := range line {
			rank[p] = i
		}
	}
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
		checkImports(t, path, filepath.ToSlash(rel), rank)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for p := range rank {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(p))); err != nil {
			t.Errorf("the table names %s, which is not there", p)
		}
	}
}

// isModule reports whether a folder is a module of its own, which is no part of
// the table.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func checkImports(t *testing.T, path, pkg string, rank map[string]int) {
	t.Helper()
	own, ok := rank[pkg]
	if !ok {
		t.Errorf("package %s is not in the table", pkg)
		return
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	for _, spec := range f.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		imported, ours := strings.CutPrefix(name, module+"/")
		if ours && rank[imported] >= own {
			t.Errorf("%s imports %s, which stands on its own line or below it in the table", path, imported)
		}
	}
}
