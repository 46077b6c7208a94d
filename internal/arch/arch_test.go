// Package arch holds the table of which package may import which.
package arch

import (
	"go/ast"
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
	{"internal/steps", "internal/deadline", "internal/parallel"},
	{"source", "internal/text", "internal/linehash", "internal/gitignore", "internal/files", "internal/revision", "internal/rapidseed", "internal/testenv", "internal/must", "conformance"},
	{"internal/jsontree", "internal/markdown", "internal/rulepage", "brenner", "brenner/mail", "internal/database", "internal/oracle"},
	{"internal/input"},
	{"brenner/artifact", "brenner/delta", "brenner/merge", "internal/bundle"},
	{"internal/export", "brenner/diff", "internal/rewrite"},
	{"brenner/session"},
	{"brenner/replay"},
	{"lint"},
	{"internal/ledger"},
	{"rules", "internal/fix", "report", "internal/docgen", "internal/customrules"},
	{"engine"},
	{"internal/config", "internal/watch"},
	{"internal/ruletest"},
	{"lint/linttest", "internal/mcp", "internal/lsp", "internal/conformance", "internal/conformance/answers", "internal/conformgen", "internal/playground"},
	{"cli", "internal/gen", "internal/gen/floor", "internal/gen/took", "internal/schemagen"},
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
