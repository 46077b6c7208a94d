package engine_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// Check a folder by all rules.
func Example() {
	linter := engine.MustNew(rules.All(), engine.Options{})
	report, err := linter.Check(context.Background(), "../examples")
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
func ExampleLinter_CheckDraft() {
	linter := engine.MustNew(rules.All(), engine.Options{})
	draft, err := linter.CheckDraft(context.Background(), "draft.json", []byte(`{
		"to": ["BlueLake"], "thread_id": "RS-20251230-gradient-vs-lineage", "ack_required": true,
		"subject": "Question: which rubric?", "body_md": "## Question\nWhich rubric applies?\n\n## Urgency\nSoon"
	}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range draft.Findings {
		fmt.Printf("%s %s: %s (%s)\n", f.Severity, f.Rule, f.Message, f.Suggestion)
	}
	// Output: error MB-001: prefix "Question" is not in upper case (begin the subject with "QUESTION:")
}

// Register a rule of one's own beside those of the catalogue.
func ExampleRule() {
	noShouting := &lint.Rule{
		ID: "ZZ-001", Name: "no-shouting", Severity: lint.Warning,
		SpecRef: "house rules", Summary: "A subject has no exclamation mark.",
		Check: lint.MessageCheck(func(p *lint.MessagePass) {
			if strings.Contains(p.Message.SubjectText, "!") {
				p.Report(lint.Diagnostic{At: p.Message.Subject.WholePos(), Message: "the subject shouts"})
			}
		}),
	}
	linter, err := engine.New(append(rules.All(), noShouting), engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	draft, err := linter.CheckDraft(context.Background(), "draft.json", []byte(`{
		"to": ["RedCreek"], "thread_id": "COORD-daily-sync", "subject": "INFO: Done!", "body_md": "Done."
	}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range draft.Findings {
		fmt.Println(f.Rule, f.Message)
	}
	// Output: ZZ-001 the subject shouts
}
