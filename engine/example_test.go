package engine_test

import (
	"context"
	"fmt"
	"log"
	"regexp"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// Check a folder by all rules.
func Example() {
	report, err := engine.Check(context.Background(), rules.All(), engine.Options{}, "../examples")
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Severity == lint.Error {
			fmt.Printf("%s:%d: %s %s\n", f.Path, f.Range.Start.Line, f.Rule, f.Name)
		}
	}
	fmt.Println("valid:", report.Summary.Valid)
	// Output:
	// ../examples/mail/RS-20251230-cell-fate.json:68: MB-005 delta-json
	// ../examples/mail/RS-20251230-cell-fate.json:68: MR-001 invalid-target
	// ../examples/mail/RS-20251230-cell-fate.json:79: MR-013 compiled-field-differs
	// valid: false
}

// Check a draft before it is sent.
func ExampleMailbox_CheckDraft() {
	ctx := context.Background()
	box, err := engine.Open(ctx, rules.All(), engine.Options{}) // with paths: the mail that it would join
	if err != nil {
		log.Fatal(err)
	}
	defer box.Close()
	draft, err := box.CheckDraft(ctx, "draft.json", []byte(`{
		"to": ["BlueLake"], "thread_id": "RS-20251230-gradient-vs-lineage", "ack_required": true,
		"subject": "Question: which rubric?", "body_md": "## Question\nWhich rubric applies?\n\n## Urgency\nSoon"
	}`))
	if err != nil {
		log.Panic(err)
	}
	for _, f := range draft.Findings {
		fmt.Printf("%s %s: %s (%s)\n", f.Severity, f.Rule, f.Message, f.Suggestion)
	}
	// Output: error MB-001: prefix "Question" is not in upper case (begin the subject with "QUESTION:" instead of "Question:")
}

// Open a mailbox once and ask it: what was published, and who set each field of an artifact.
func ExampleOpen() {
	ctx := context.Background()
	box, err := engine.Open(ctx, rules.All(), engine.Options{}, "../examples/mail")
	if err != nil {
		log.Fatal(err)
	}
	defer box.Close()
	thread, err := box.Thread(ctx, mail.Ref{Thread: "RS-20251230-cell-fate"})
	if err != nil {
		log.Panic(err)
	}
	for _, w := range thread.Windows() {
		fmt.Printf("v%d: %d deltas applied, matches: %t\n", w.Compiled.Version.Number, w.Applied, *w.Matches)
	}
	fields := thread.Blame(thread.Artifact())
	fmt.Println(fields[0].Item, "is by", fields[0].By.Agent)
	// Output:
	// v1: 15 deltas applied, matches: false
	// RT is by Operator
}

// TestGoPage checks that the code in docs/go.md is that of examples, which run.
func TestGoPage(t *testing.T) {
	read := func(path string) string {
		data := must.Read(t, path)
		return string(data)
	}
	unindented := func(text string) string {
		return regexp.MustCompile(`(?m)^\s+`).ReplaceAllString(text, "")
	}
	examples := unindented(read("example_test.go") + read("../lint/example_test.go") + read("../report/example_test.go"))
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(read("../docs/go.md"), -1)
	for _, b := range blocks {
		if !strings.Contains(examples, unindented(b[1])) {
			t.Errorf("docs/go.md shows what no example does:\n%s", b[1])
		}
	}
	if len(blocks) < 3 {
		t.Errorf("docs/go.md has %d blocks of Go", len(blocks))
	}
}
