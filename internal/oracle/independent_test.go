package oracle

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestIndependent checks that the plain merge shares no code with what is compared with
// it: of this module it imports only the forms of the conformance suite.
func TestIndependent(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	for _, path := range paths {
		if path == "plain_test.go" {
			continue // it compares the program with the plain merge
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if strings.Contains(name, ".") && !strings.HasSuffix(name, "/brennerlint/conformance") {
				t.Errorf("%s imports %s", path, name)
			}
		}
	}
}
