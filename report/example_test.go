package report_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
)

// Write what a check found in one of the formats.
func ExampleWrite() {
	found, err := engine.Check(context.Background(), rules.All(), engine.Options{}, "../examples/mail")
	if err != nil {
		log.Fatal(err)
	}
	if err := report.Write(os.Stdout, "agent", found, report.Options{MaxFindings: 2}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ../examples/mail/RS-20251230-cell-fate.json:68:526: error MB-005 delta-json (message 17, delta 2, line 24 of the body): delta 2 is not valid JSON: trailing comma before ] help: remove the comma
	// ../examples/mail/RS-20251230-cell-fate.json:68:682: error MR-001 invalid-target (message 17, delta 3, T7, line 33 of the body): KILL names T7, but discriminative_tests holds only T1 and T2 at this point
	// … 2 not shown: 1 error, 1 info; raise --max-findings to show more
}

// A format says what it needs besides findings: the page shows each thread as a
// timeline.
func ExampleFormat() {
	html, err := report.Find("html")
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	box, err := engine.Open(ctx, rules.All(), engine.Options{}, "../examples/mail")
	if err != nil {
		log.Fatal(err)
	}
	found, err := box.Check(ctx)
	if err == nil {
		err = box.Show(ctx, found, html.Needs)
	}
	box.Close()
	if err != nil {
		log.Fatal(err)
	}
	var page bytes.Buffer
	if err := html.Write(&page, found, report.Options{}); err != nil {
		log.Fatal(err)
	}
	t := &found.Threads[0]
	fmt.Println(len(t.Messages), "messages,", len(t.Versions)-1, "version, in one page:", bytes.HasSuffix(page.Bytes(), []byte("</html>\n")))
	// Output: 7 messages, 1 version, in one page: true
}
