package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
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
// a session at the shell with what it must print. "run brennerlint" is the program
// in the process of the test, which takes half the time of "exec brennerlint": that
// is for a terminal, and other programs.
func TestScripts(t *testing.T) {
	testenv.SkipChildrenUnderRace(t)
	corpus, err := filepath.Abs("../testdata/corpus")
	must.OK(t, err)
	examples, err := filepath.Abs("../examples")
	must.OK(t, err)
	scripts, err := filepath.Abs("../testdata/script")
	must.OK(t, err)
	testscript.Run(t, testscript.Params{
		Dir:                 scripts,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"run": runInProcess},
		Setup: func(env *testscript.Env) error {
			env.Setenv("CORPUS", corpus)
			env.Setenv("EXAMPLES", examples)
			env.Setenv("NO_COLOR", "1")
			env.Setenv(schemasVariable, os.Getenv(schemasVariable))
			env.Setenv("HOME", env.WorkDir)
			for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
				env.Setenv(name, filepath.Join(env.WorkDir, "none"))
			}
			for name, value := range gitVariables {
				env.Setenv(name, value)
			}
			env.Values[environment{}] = env.Vars
			return os.MkdirAll(env.Getenv("TMPDIR"), 0o755)
		},
	})
}

// gitVariables let git make commits, and nothing that no test looks at.
var gitVariables = map[string]string{
	"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
	"GIT_TEMPLATE_DIR": "", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false",
}

// environment is the key of the variables that a script starts with.
type environment struct{}

// here is held by the one command that has the folder and the environment of the process.
var here sync.Mutex

// runInProcess runs the program in the folder of a script and with the environment that it starts
// with, changed by the words NAME=VALUE before the command. Standard input is the file behind "<",
// or empty.
func runInProcess(ts *testscript.TestScript, fails bool, args []string) {
	own := slices.Clone(ts.Value(environment{}).([]string))
	for strings.Contains(args[0], "=") {
		own, args = append(own, args[0]), args[1:]
	}
	catalogue, ok := map[string]lint.Catalogue{"brennerlint": rules.All(), "brennerlint-fail": append(rules.All(), failingRules...)}[args[0]]
	if !ok {
		ts.Fatalf("run knows no %s", args[0])
	}
	var stdin string
	if n := len(args) - 2; n > 0 && args[n] == "<" {
		stdin, args = ts.ReadFile(args[n+1]), args[:n]
	}
	here.Lock()
	defer here.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	variables := os.Environ()
	defer func() {
		setEnvironment(variables)
		ts.Check(os.Chdir(before))
	}()
	ts.Check(os.Chdir(ts.MkAbs(".")))
	setEnvironment(own)
	status := checkedRun(args[1:], streams{strings.NewReader(stdin), ts.Stdout(), ts.Stderr()}, func(args []string, std streams) int {
		return run(context.Background(), args, std, catalogue)
	})
	if status != exitClean && !fails {
		ts.Fatalf("exit status %d", status)
	} else if status == exitClean && fails {
		ts.Fatalf("unexpected success")
	}
}

// setEnvironment makes variables those of the process. One that stays, like PATH, is there at every moment:
// other scripts look programs up.
func setEnvironment(variables []string) {
	extra := map[string]bool{}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		extra[name] = true
	}
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		os.Setenv(name, value)
		delete(extra, name)
	}
	for name := range extra {
		os.Unsetenv(name)
	}
}

// schemasVariable says where docs/schema is to the programs that tests start: what
// they print as JSON is validated.
const schemasVariable = "BRENNERLINT_TEST_SCHEMAS"

// promised are the forms of JSON that have a schema in docs/schema (contract.md).
var promised = []string{"report", "replay", "blame", "diff"}

// readSchemas reads the schemas of a folder once for each process, by the library that the
// program has: another one would make each start of the program dearer.
var readSchemas = sync.OnceValues(func() (map[string]*jsonschema.Resolved, error) {
	dir := os.Getenv(schemasVariable)
	out := map[string]*jsonschema.Resolved{}
	for _, name := range promised {
		data, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err != nil {
			return nil, err
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(data, &schema); err != nil {
			return nil, err
		}
		if out["brennerlint/"+name+"/v1"], err = schema.Resolve(nil); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// validate holds a text, if it is JSON of a promised form, against its schema.
func validate(text []byte) error {
	var named struct{ Schema string }
	if !bytes.HasPrefix(text, []byte("{")) || os.Getenv(schemasVariable) == "" {
		return nil
	}
	if err := json.Unmarshal(text, &named); err != nil || !strings.HasPrefix(named.Schema, "brennerlint/") {
		return nil //nolint:nilerr // broken off, or of another form
	}
	schemas, err := readSchemas()
	if err != nil {
		return err
	}
	schema := schemas[named.Schema]
	if schema == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return schema.Validate(value)
}

// mainWithSchemas is the program, with a check of the JSON that it prints and
// writes.
func mainWithSchemas() {
	os.Exit(checkedRun(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}, func(args []string, std streams) int {
		return interruptible(args, std, rules.All())
	}))
}

// checkedRun runs the program, and holds the JSON that it prints and writes against the schemas.
func checkedRun(args []string, std streams, program func([]string, streams) int) int {
	var printed keptStart
	errs := std.err
	if !isTerminal(std.out) {
		std.out = io.MultiWriter(std.out, &printed)
	}
	status := program(args, std)
	err := validate(printed.Bytes())
	for i, arg := range args {
		if i > 0 && (args[i-1] == "-o" || strings.HasPrefix(args[i-1], "--output")) || strings.HasPrefix(arg, "--output=") {
			data, readErr := os.ReadFile(arg[strings.LastIndex(arg, "=")+1:])
			if readErr == nil {
				err = errors.Join(err, validate(data))
			}
		}
	}
	if err != nil {
		fmt.Fprintf(errs, "brennerlint %q writes JSON that docs/schema refuses: %v\n", args, err)
		return 99
	}
	return status
}

// keptStart keeps what is written if it may be JSON, unless there is much.
type keptStart struct{ bytes.Buffer }

const maxValidated = 16 << 20

func (k *keptStart) Write(p []byte) (int, error) {
	if k.Len() == 0 && !bytes.HasPrefix(p, []byte("{")) || k.Len()+len(p) > maxValidated {
		return len(p), nil
	}
	return k.Buffer.Write(p)
}

// TestSchemas checks that the published schemas name where they are published, and
// refuse what is not promised: a member that is not listed, one that is not there,
// a value of another kind.
func TestSchemas(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(docs, "schema", "*.json"))
	if err != nil || len(files) != len(promised) {
		t.Fatalf("docs/schema has %d schemas, want %v (%v)", len(files), promised, err)
	}
	for _, path := range files {
		data := readFile(t, path)
		var schema struct {
			ID string `json:"$id"`
		}
		want := "https://raw.githubusercontent.com/brennerlint/brennerlint/main/docs/schema/" + filepath.Base(path)
		if err := json.Unmarshal([]byte(data), &schema); err != nil || schema.ID != want {
			t.Errorf("%s has the $id %q, want %q (%v)", path, schema.ID, want, err)
		}
	}
	const pending = `"pending": {"deltas": 0, "hash": "sha256:` + "0000000000000000000000000000000000000000000000000000000000000000" + `"}`
	for _, tt := range []struct {
		text string
		ok   bool
	}{
		{`{"schema": "brennerlint/replay/v1", "threads": [{"thread": "x", "windows": [], ` + pending + `}]}`, true},
		{`{"schema": "brennerlint/replay/v1", "threads": [{"thread": "x", "windows": [], ` + pending + `, "more": 1}]}`, false},
		{`{"schema": "brennerlint/replay/v1", "threads": [{"thread": "x", ` + pending + `}]}`, false},
		{`{"schema": "brennerlint/blame/v1", "path": "a.md", "thread": "x", "fields": [], "unexplained": 0}`, true},
		{`{"schema": "brennerlint/blame/v1", "path": "a.md", "thread": "x", "fields": [], "unexplained": "0"}`, false},
		{`{"schema": "brennerlint/blame/v1", "path": "a.md", "thread": "x", "fields": [{"item": "H1", "field": "claim", "value": "", "explained": true, "differs": false, "time": 12}], "unexplained": 0}`, false},
		{`{"schema": "brennerlint/diff/v1", "a": {"name": "a"}, "b": {"name": "b"}, "same": true, "changes": []}`, true},
		{`{"schema": "brennerlint/diff/v1", "a": {"name": "a"}, "b": {"name": "b"}, "same": true}`, false},
		{`{"schema": "brennerlint/report/v1"}`, false},
	} {
		if err := validate([]byte(tt.text)); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.text, err)
		}
	}
}
