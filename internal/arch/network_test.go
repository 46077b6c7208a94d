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
	eachProgramFile(t, func(path string, f *ast.File) {
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
