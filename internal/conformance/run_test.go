package conformance_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	suite "github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/conformance"
	"github.com/brennerlint/brennerlint/internal/must"
)

// The test binary is the command of the tests too: it answers cases, and at the case
// whose id ends with "bad" it does what the mode says.
const modeVariable = "CONFORMANCE_TEST_MODE"

func TestMain(m *testing.M) {
	if mode := os.Getenv(modeVariable); mode != "" {
		misbehave(mode)
		return
	}
	os.Exit(m.Run())
}

// hold keeps a pipe open for as long as it runs.
func hold() {
	if f, err := os.OpenFile(os.Getenv("CONFORMANCE_TEST_FIFO"), os.O_WRONLY, 0); err == nil {
		defer f.Close()
	}
	forever()
}

// noon answers every case as threeCases expect.
func noon(suite.Kind, json.RawMessage) (any, error) { return threeCases()[0].Expected, nil }

// misbehave answers cases until the bad one.
func misbehave(mode string) {
	if mode == "hold" { // what the mode "child" starts
		hold()
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var req conformance.Request
		if json.Unmarshal(line, &req) == nil && strings.HasSuffix(req.ID, "bad") && !atBad(mode, req.ID) {
			continue
		}
		if err := conformance.Serve(context.Background(), bytes.NewReader(line), os.Stdout, noon); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	switch mode {
	case "exit-3-after":
		os.Exit(3)
	case "hang-after":
		forever()
	case "more-after":
		fmt.Println("{}")
	}
}

// atBad does what a mode says, and reports whether the case is answered then.
func atBad(mode, id string) bool {
	switch mode {
	case "hang":
		forever()
	case "die":
		fmt.Fprintln(os.Stderr, "out of cheese")
		os.Exit(3)
	case "close":
		os.Stdout.Close()
		forever()
	case "flood", "flood-lines", "flood-stderr":
		text, out := strings.Repeat("x", 1<<16), os.Stdout
		if mode == "flood-lines" {
			text = strings.Repeat("x\n", 1<<15)
		}
		if mode == "flood-stderr" {
			out = os.Stderr
		}
		for range 1 << 10 { // 64 MiB: no runner keeps so much
			if _, err := out.WriteString(text); err != nil {
				os.Exit(0)
			}
		}
		forever()
	case "text":
		fmt.Println("hello, \x1b[31mworld")
	case "empty-line":
		fmt.Println()
	case "array":
		fmt.Println("[1]")
	case "other-id":
		fmt.Println(`{"id": "subject/kickoff", "result": {}}`)
	case "no-result":
		fmt.Printf("{\"id\": %q}\n", id)
	case "null":
		fmt.Printf("{\"id\": %q, \"result\": null}\n", id)
	case "wrong":
		fmt.Printf("{\"id\": %q, \"result\": {\"type\": \"ACK\", \"role\": null, \"version\": null, \"codes\": []}}\n", id)
	case "error":
		fmt.Printf("{\"id\": %q, \"error\": \"no idea\"}\n", id)
	case "unsupported":
		fmt.Printf("{\"id\": %q, \"unsupported\": true}\n", id)
	case "child":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), modeVariable+"=hold")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			os.Exit(4)
		}
		forever()
	default:
		return true
	}
	return false
}

// forever does nothing, unless the test was killed itself.
func forever() {
	time.Sleep(10 * time.Minute)
	os.Exit(5)
}

// threeCases are three cases. The second is the bad one.
func threeCases() []*suite.Case {
	var out []*suite.Case
	for _, name := range []string{"first", "bad", "last"} {
		out = append(out, &suite.Case{
			ID: "subject/" + name, Title: "A subject", Kind: suite.SubjectKind, Input: json.RawMessage(`{"subject": "INFO: noon"}`),
			Expected: json.RawMessage(`{"type": "INFO", "role": null, "version": null, "codes": []}`), Spec: []suite.Passage{{Document: "thread_subject_conventions", Section: "Defined Prefixes", Line: 126}},
		})
	}
	return out
}

// runMode runs cases against the test binary in a mode.
func runMode(t *testing.T, mode string, cases []*suite.Case, opts conformance.Options) []conformance.Result {
	t.Helper()
	opts.Command = []string{"env", modeVariable + "=" + mode, os.Args[0]}
	if _, err := exec.LookPath("env"); err != nil {
		t.Skip("there is no env to set the mode")
	}
	results, err := conformance.Run(context.Background(), cases, opts)
	must.OK(t, err)
	return results
}

// patience is how long a command may take: long enough for the slowest machine, unless it hangs.
func patience(want conformance.Status) time.Duration {
	if want == conformance.Timeout {
		return 5 * time.Second
	}
	return time.Minute
}

// TestMisbehaviour checks that each fault of a command has its own message, and that the
// cases after it are run all the same.
func TestMisbehaviour(t *testing.T) {
	for mode, want := range map[string]struct {
		status  conformance.Status
		message string
	}{
		"well":        {conformance.Pass, ""},
		"hang":        {conformance.Timeout, "no answer within 5s"},
		"close":       {conformance.Crash, "it closed its output without an answer"},
		"die":         {conformance.Crash, "it ended without an answer: exit status 3: out of cheese"},
		"flood":       {conformance.Flood, "a line of output exceeds 16 MiB"},
		"flood-lines": {conformance.Garbage, `the line is not an answer: "x"`},
		"text":        {conformance.Garbage, `the line is not an answer: "hello, \u001b[31mworld"`},
		"empty-line":  {conformance.Garbage, `the line is not an answer: ""`},
		"array":       {conformance.Garbage, `the line is not an answer: "[1]"`},
		"other-id":    {conformance.Garbage, `the line answers "subject/kickoff"`},
		"no-result":   {conformance.Garbage, `the answer has neither result nor error: "{\"id\": \"subject/bad\"}"`},
		"null":        {conformance.Fail, `the result is null; expected {`},
		"wrong":       {conformance.Fail, `type is "ACK"; expected "INFO"`},
		"error":       {conformance.Fail, `error: "no idea"`},
		"unsupported": {conformance.Unsupported, ""},
	} {
		for _, perCase := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/per-case=%v", mode, perCase), func(t *testing.T) {
				t.Parallel()
				results := runMode(t, mode, threeCases(), conformance.Options{PerCase: perCase, Timeout: patience(want.status)})
				if len(results) != 3 || results[0].Status != conformance.Pass || results[2].Status != conformance.Pass {
					t.Fatalf("the cases around it: %v", results)
				}
				if got := results[1]; got.Status != want.status || !strings.HasPrefix(got.Message, want.message) {
					t.Errorf("%s: %q; expected %s: %q", got.Status, got.Message, want.status, want.message)
				}
			})
		}
	}
}

// TestPerCaseEnds checks that a command that is started for each case has to end well
// after its answer.
func TestPerCaseEnds(t *testing.T) {
	for mode, want := range map[string]conformance.Status{"exit-3-after": conformance.Crash, "hang-after": conformance.Timeout, "more-after": conformance.Garbage} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			results := runMode(t, mode, threeCases()[:1], conformance.Options{PerCase: true, Timeout: patience(want)})
			if results[0].Status != want {
				t.Errorf("%s: %s; expected %s", results[0].Status, results[0].Message, want)
			}
		})
	}
}

// TestGivesUp checks that a command that always hangs is not waited for at every case.
func TestGivesUp(t *testing.T) {
	t.Parallel()
	cases := slices.Repeat(threeCases()[1:2], 30)
	n := map[conformance.Status]int{}
	for _, r := range runMode(t, "hang", cases, conformance.Options{Timeout: 50 * time.Millisecond}) {
		n[r.Status]++
	}
	if n[conformance.Timeout] != 10 || n[conformance.NotRun] != 20 {
		t.Errorf("the statuses are %v", n)
	}
}

// TestFloodOfErrors checks that what a command writes to standard error is not kept,
// and that its answer, or the lack of one, is still seen.
func TestFloodOfErrors(t *testing.T) {
	t.Parallel()
	results := runMode(t, "flood-stderr", threeCases(), conformance.Options{Timeout: 3 * time.Second})
	if results[1].Status != conformance.Timeout || results[2].Status != conformance.Pass {
		t.Errorf("%v", results)
	}
}

// TestInterrupted checks that a run ends when it is interrupted, whatever the command
// does.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	command := []string{"env", modeVariable + "=hang", os.Args[0]}
	if _, err := conformance.Run(ctx, threeCases()[1:], conformance.Options{Command: command, Timeout: time.Hour}); !errors.Is(err, context.Canceled) && !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("the error is %v", err)
	}
}

// shaky answers one kind, and breaks on another.
func shaky(kind suite.Kind, _ json.RawMessage) (any, error) {
	switch kind {
	case suite.SubjectKind:
		return map[string]string{"type": "<INFO>"}, nil
	case suite.MergeKind:
		panic("out of cheese")
	case suite.RenderKind:
		return func() {}, nil // no JSON
	}
	return nil, errors.New("no idea")
}

// TestServe checks that every line is answered, whatever happens.
func TestServe(t *testing.T) {
	in := strings.Join([]string{
		`{"id": "1", "kind": "subject"}`, ``, `{"id": "2", "kind": "merge"}`, `{"id": "3", "kind": "render"}`, `{"id": "4"}`, `[]`,
		strings.Repeat("[", 100_000), "\x00", `{"id": "5", "kind": "subject"}` + "\r", `{"id": "6", "kind": "subject"}`,
	}, "\n") // the last without a line break
	var out bytes.Buffer
	must.OK(t, conformance.Serve(context.Background(), strings.NewReader(in), &out, shaky))
	var got []string
	for line := range strings.Lines(out.String()) {
		var r conformance.Response
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got = append(got, r.ID+" "+string(r.Result)+r.Error)
	}
	for i, want := range []string{
		`1 {"type":"<INFO>"}`, "2 internal error: out of cheese", "3 json: unsupported type", "4 no idea", " the line is not a case", " the line is not a case",
		" the line is not a case", `5 {"type":"<INFO>"}`, `6 {"type":"<INFO>"}`,
	} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Errorf("answers %q; expected %q at %d", got, want, i)
		}
	}
}
