package cli

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

func TestMain(m *testing.M) {
	if os.Getenv(schemasVariable) == "" { // else this is a program that a test started
		dir, err := filepath.Abs(filepath.Join(docs, "schema"))
		if err == nil {
			err = os.Setenv(schemasVariable, dir)
		}
		if err != nil {
			panic(err)
		}
	}
	testscript.Main(m, map[string]func(){
		"brennerlint":      mainWithSchemas,
		"brennerlint-fail": func() { Main(append(rules.All(), failingRules...)...) },
		"brennerlint-peak": mainWithPeak,
	})
}

// run runs the program, and returns the status to exit with.
func run(ctx context.Context, args []string, std streams, rules lint.Catalogue) int {
	return Run(ctx, args, std.in, std.out, std.err, rules...)
}

// failingRules are rules that break on every input that says so.
var failingRules = lint.Catalogue{
	{
		ID: "ZZ-001", Name: "fail-on-message", Severity: lint.Warning, SpecRef: "none", Summary: "No message says FAIL.",
		Check: lint.MessageCheck(func(p *lint.MessagePass) { failOn(p.Message.Body) }),
	},
	{
		ID: "ZZ-002", Name: "fail-on-artifact", Severity: lint.Warning, SpecRef: "none", Summary: "No artifact says FAIL.",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) { failOn(p.Artifact.Text) }),
	},
}

func failOn(t *source.Text) {
	if t != nil && strings.Contains(string(t.Data), "FAIL") {
		panic("it says FAIL")
	}
}

// TestScripts runs the program as a user does: every file of testdata/script is
// a session at the shell with what it must print.
func TestScripts(t *testing.T) {
	testenv.SkipChildrenUnderRace(t)
	corpus, err := filepath.Abs("../testdata/corpus")
	must.OK(t, err)
	examples, err := filepath.Abs("../examples")
	must.OK(t, err)
	testscript.Run(t, testscript.Params{
		Dir:                 "../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("CORPUS", corpus)
			env.Setenv("EXAMPLES", examples)
			env.Setenv("NO_COLOR", "1")
			env.Setenv(schemasVariable, os.Getenv(schemasVariable))
			env.Setenv("HOME", env.WorkDir)
			return os.MkdirAll(env.Getenv("TMPDIR"), 0o755)
		},
	})
}
