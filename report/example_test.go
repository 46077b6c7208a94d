package report_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
)

// Write what a check found in one of the formats.
func ExampleWrite() {
	linter := engine.MustNew(rules.All(), engine.Options{})
	found, err := linter.Check(context.Background(), "../examples/mail")
	if err != nil {
		log.Fatal(err)
	}
	if err := report.Write(os.Stdout, "agent", found, report.Options{MaxFindings: 2}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ../examples/mail/RS-20251230-cell-fate.json:7:21: info TH-005 research-thread-slug (message 11): slug "cell-fate" of the thread id has 9 characters; expected 10 to 40 help: choose 2 to 5 memorable words, as in RS-20251230-gradient-vs-lineage
	// ../examples/mail/RS-20251230-cell-fate.json:68:526: error MB-005 delta-json (message 17, delta 2, line 24 of the body): delta 2 is not valid JSON: trailing comma before ] help: remove the comma
	// … and 2 more findings; raise --max-findings to show more
}

// A format says what it needs besides findings: the page shows each thread as a
// timeline.
func ExampleFormat() {
	html, err := report.Find("html")
	if err != nil {
		log.Fatal(err)
	}
	linter := engine.MustNew(rules.All(), engine.Options{Data: html.Needs})
	found, err := linter.Check(context.Background(), "../examples/mail")
	if err != nil {
		log.Fatal(err)
	}
	var page bytes.Buffer
	if err := html.Write(&page, found, report.Options{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(found.Threads), "thread,", strings.Count(page.String(), "<article"), "entries")
	// Output: 1 thread, 7 entries
}
