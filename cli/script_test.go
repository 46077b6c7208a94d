package cli

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/brennerlint/brennerlint/rules"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"brennerlint": func() { Main(rules.All()...) }})
}

// TestScripts runs the program as a user does: every file of testdata/script is
// a session at the shell with what it must print.
func TestScripts(t *testing.T) {
	corpus, err := filepath.Abs("../testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Abs("../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("CORPUS", corpus)
			env.Setenv("EXAMPLES", examples)
			env.Setenv("NO_COLOR", "1")
			env.Setenv("HOME", env.WorkDir)
			return os.MkdirAll(env.Getenv("TMPDIR"), 0o755)
		},
	})
}
