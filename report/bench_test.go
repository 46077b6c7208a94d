package report

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// large returns a report of many findings: nine in ten in messages, the rest in
// artifacts, with views of both.
func large(n int) *lint.Report {
	const perFile = 50
	r := &lint.Report{Rules: sampleRules, Summary: lint.Summary{Files: n / perFile, Messages: n / 5, Errors: n}}
	body := strings.Repeat("A line of the body with some words, § and “quotes”.\n", 30)
	for i := 0; len(r.Findings) < n; i++ {
		path, thread := fmt.Sprintf("mail/RS-20251230-thread-%06d.json", i), fmt.Sprintf("RS-20251230-thread-%06d", i)
		view := lint.ThreadView{ID: thread}
		for j := range perFile {
			id := fmt.Sprint(j / 5)
			if j%5 == 0 {
				view.Messages = append(view.Messages, lint.MessageView{Path: path, ID: id, Type: "DELTA", Subject: "DELTA[gpt]: words", From: "BlueLake", Body: body})
			}
			at := source.Position{Line: 40 + j, Column: 330, Offset: 9000 + j, Byte: 335, UTF16: 331}
			to := at
			to.Column, to.Byte, to.UTF16 = 335, 341, 336
			r.Findings = append(r.Findings, &lint.Finding{
				Rule: "MB-005", Name: "delta-json", Severity: lint.Severity(1 + j%3), Path: path, Thread: thread, MessageID: id, Delta: 2, Item: "T1", Field: "anchors",
				Message: `delta 2 is not valid JSON: trailing comma before ], in "anchors": ["§161", "§205",]`, Range: &source.Range{Start: at, End: to},
				Body: &lint.BodyPosition{Line: 1 + j%30, Column: 3}, Suggestion: "remove this comma", Fingerprint: fmt.Sprintf("%032x", len(r.Findings)), LineHash: "a7f2ff13bc495cf2:1",
				Mail:  &lint.MailInfo{ID: id, Subject: "DELTA[gpt]: words", From: "BlueLake", Time: time.Unix(1767096300, 0)},
				Frame: &lint.Frame{Line: 12, Lines: []string{`  "operation": "EDIT",`, `  "payload": { "anchors": ["§161", "§205",] },`}, Start: 43, End: 44},
				Fix:   &lint.Fix{Description: "remove the trailing comma", Edits: []lint.Edit{{Range: source.Range{Start: at, End: to}}}},
			})
		}
		r.Threads = append(r.Threads, view)
	}
	return r
}

func BenchmarkFormats(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		r := large(n)
		for _, f := range Formats {
			b.Run(fmt.Sprintf("%s/%d", f.Name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					must.OK(b, Write(io.Discard, f.Name, r, Options{Width: 100, Color: true}))
				}
			})
		}
	}
}
