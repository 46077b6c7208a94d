package lint_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// A rule of one's own runs beside those of the catalogue.
func ExampleRule() {
	noShouting := &lint.Rule{
		ID: "ZZ-001", Name: "no-shouting", Severity: lint.Warning,
		SpecRef: "custom rules", Summary: "A subject has no exclamation mark.",
		Check: lint.MessageCheck(func(p *lint.MessagePass) {
			if strings.Contains(p.Message.SubjectText, "!") {
				p.Report(lint.Diagnostic{At: p.Message.Subject.WholePlace(), Message: "the subject shouts"})
			}
		}),
	}
	ctx := context.Background()
	box, err := engine.Open(ctx, append(rules.All(), noShouting), engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer box.Close()
	draft, err := box.CheckDraft(ctx, "draft.json", []byte(`{
		"to": ["RedCreek"], "thread_id": "COORD-daily-sync", "subject": "INFO: Done!", "body_md": "Done."
	}`))
	if err != nil {
		log.Panic(err)
	}
	for _, f := range draft.Findings {
		fmt.Println(f.Rule, f.Message)
	}
	// Output: ZZ-001 the subject shouts
}
