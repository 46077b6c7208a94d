package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// eachProgramFile visits the Go files of all modules that are no tests.
func eachProgramFile(t *testing.T, visit func(path string, f *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		visit(filepath.ToSlash(rel), f)
		n++
		return err
	})
	if err != nil || n < 200 {
		t.Fatalf("%d files: %v", n, err)
	}
}

// importsOf are the paths that a file imports.
func importsOf(f *ast.File) (paths []string) {
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, path)
	}
	return paths
}

// network are the packages that open connections.
var network = regexp.MustCompile(`^(net|net/(http|rpc|smtp|textproto)(/.*)?|crypto/tls|golang\.org/x/net(/.*)?)$`)

// connects are the functions that a connection is opened with, as the linker names
// them.
var connects = regexp.MustCompile(`(?m) (net\.(Dial|Listen|\(\*Dialer\)|\(\*sysDialer\)|\(\*ListenConfig\)|\(\*Resolver\)\.Lookup)\S*|syscall\.(connect|Connect|bind|Bind|Listen|socket|Socket))$`)

// TestNoNetwork holds that no program opens a connection: no file of ours imports
// what could, and in brennerlint no library has it either. The library of the MCP
// server can, for uses that are not ours.
func TestNoNetwork(t *testing.T) {
	eachProgramFile(t, func(path string, f *ast.File) {
		for _, imported := range importsOf(f) {
			if network.MatchString(imported) {
				t.Errorf("%s imports %s", path, imported)
			}
		}
	})
	program := filepath.Join(t.TempDir(), "brennerlint")
	build := exec.Command("go", "build", "-o", program, "./cmd/brennerlint")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	symbols, err := exec.Command("go", "tool", "nm", program).Output()
	if err != nil || !strings.Contains(string(symbols), " main.main\n") {
		t.Fatalf("go tool nm: %v, %d bytes", err, len(symbols))
	}
	for _, m := range connects.FindAllStringSubmatch(string(symbols), -1) {
		t.Errorf("the program holds %s", m[1])
	}
}

// runsPrograms are the files that run programs, and why: the first two are what
// docs/security.md names, the others are run by developers only.
var runsPrograms = map[string]string{
	"cli/replay.go":             "the pager of blame",
	"cli/mcp.go":                "brennerlint-mcp",
	"internal/licenses/main.go": "the go command, for a release",
}

// TestPrograms holds that nothing else runs a program.
func TestPrograms(t *testing.T) {
	found := map[string]bool{}
	eachProgramFile(t, func(path string, f *ast.File) {
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
