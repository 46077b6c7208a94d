package report

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares with testdata/golden/NAME.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if strings.HasPrefix(name, "html") {
		got = withoutOurCode(string(got))
	}
	if *update {
		must.Write(t, path, got)
	}
	want := must.Read(t, path)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); if it should, run with -update and read it:\n%s", path, diff)
	}
}

// write returns the report in a format.
func write(t testing.TB, format string, r *lint.Report, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r, o); err != nil {
		t.Fatalf("write %s: %v", format, err)
	}
	return b.Bytes()
}

// clear returns the report of a run without findings.
func clear() *lint.Report {
	return &lint.Report{Summary: lint.Summary{Files: 2, Artifacts: 1, Threads: 1, Messages: 40, SkippedMessages: 1, Valid: true}, Rules: sampleRules}
}

// broken returns the report of a run in which rules broke, and nothing was found.
func broken() *lint.Report {
	r := clear()
	r.Summary.Valid = false
	r.Failures = []lint.Failure{
		{Rule: "MB-001", Path: "mail/x.json", Thread: "RS-20251230-cell-fate", Reason: "runtime error: index out of range [3] with length 3", Stack: "goroutine 7"},
		{Rule: "replay", Path: "mail/" + hostile, Reason: hostile},
	}
	for i := range 10 {
		r.Failures = append(r.Failures, lint.Failure{Rule: "MB-005", Path: "mail/" + string(rune('a'+i)) + ".json", Reason: "broken"})
	}
	return r
}

func TestGolden(t *testing.T) {
	for _, f := range Formats {
		golden(t, f.Name+".broken", write(t, f.Name, broken(), Options{Version: "1.2.3", Quiet: true}))
		golden(t, f.Name, write(t, f.Name, sample(), Options{Version: "1.2.3"}))
		golden(t, f.Name+".clear", write(t, f.Name, clear(), Options{Version: "1.2.3"}))
	}
}

func TestGoldenText(t *testing.T) {
	for name, o := range map[string]Options{
		"80":         {Width: 80},
		"200":        {Width: 200},
		"40":         {Width: 40},
		"color":      {Width: 100, Color: true, Elapsed: 18 * time.Millisecond},
		"statistics": {Statistics: "rule"},
		"agents":     {Statistics: "agent", Exit: "exit 1: 5 errors"},
		"max":        {MaxFindings: 2},
		"links":      {Width: 100, Color: true, Hyperlinks: true, Host: "lab", Dir: "/home/ada/lab", Exit: "exit 1: 5 errors"},
	} {
		golden(t, "text."+name, write(t, "text", sample(), o))
	}
}

// hostile is text that tries to be something else wherever it is shown.
const hostile = "::error::owned ##[error]x ##vso[task.setvariable]y | `code` **bold** <script>alert(1)</script> </style> \"quoted\" 'single' " +
	"[click](https://evil.example) @someone #12 {{.}} \x1b[2J\x1b]0;title\x07 \u202egnp.exe\u202c zero\u200bwidth \xff\xfe %0A::warning::z ]]> --> \r\n::error::next line \U000e0041"

// rangeIn returns the range of a part of a text.
func rangeIn(text, part string) *source.Range {
	f := source.NewFile("f", []byte(text))
	i := strings.Index(text, part)
	r := f.Range(source.Span{Start: i, End: i + len(part)})
	return &r
}

// sample returns a report that holds whatever a formatter may meet.
func sample() *lint.Report {
	at := time.Date(2025, 12, 30, 12, 5, 0, 0, time.UTC)
	mail := &lint.MailInfo{ID: "17", Subject: "DELTA[gpt]: Revised T1", From: "BlueLake", Time: at}
	file := strings.Repeat("\n", 40) + strings.Repeat(" ", 315) + `\"§161\", \"§205 😀\",] }`
	comma := rangeIn(file, `,]`)
	comma.End.Column--
	comma.End.Offset--
	comma.End.Byte--
	comma.End.UTF16--

	artifact := "# T\n**Potency check**: 早期移植 cell\u0301s\t**Late** transplant control 👍🏽 end\n"
	long := strings.Repeat("a long line of the body, ", 40) + "§1-§2 HERE " + strings.Repeat("and more of it ", 40)

	r := &lint.Report{
		Summary: lint.Summary{Files: 4, Artifacts: 3, Threads: 2, Messages: 41, SkippedMessages: 12,
			Errors: 5, Warnings: 2, Info: 1, Suppressed: 1, Baselined: 2},
		Notices: []string{"the share cleared acknowledgement flags: MB-009 to MB-015 were not judged"},
		Rules:   sampleRules,
	}
	r.Findings = []*lint.Finding{
		{
			Rule: "MR-013", Name: "compiled-field-differs", Severity: lint.Error, Artifact: true,
			Message: "T2 potency_check is not what the deltas say", Path: "artifacts/RS-20251230-cell-fate.md",
			Range: rangeIn(artifact, "**Late** transplant control"), Thread: "RS-20251230-cell-fate", Item: "T2", Field: "potency_check",
			Frame:      frameOf(artifact, 2, "**Late** transplant control"),
			Suggestion: `set it to "Late transplant control AND viability via vital dye"`,
			Related: []lint.Related{
				{Path: "mail/RS-20251230-cell-fate.json", Range: comma, Message: "delta 2 set it [at 11:40Z]", Mail: mail},
				{Path: "mail.sqlite3", Message: "an earlier value"},
			},
			LineHash: "a7f2ff13bc495cf2:1",
		},
		{
			Rule: "WT-009", Name: "emoji", Severity: lint.Info, Artifact: true, Message: "an emoji is here",
			Fix:  &lint.Fix{Description: "take it out", Edits: []lint.Edit{{Range: *rangeIn(artifact, "👍🏽"), Text: ""}}},
			Path: "artifacts/RS-20251230-cell-fate.md", Range: rangeIn(artifact, "👍🏽"), Frame: frameOf(artifact, 2, "👍🏽"),
		},
		{
			Rule: "EM-001", Name: "front-matter", Severity: lint.Error, Artifact: true,
			Message: "the artifact does not begin with front matter", Path: "artifacts/weird [name] #1 100%.md",
			Range: rangeIn("\n", ""), Frame: &lint.Frame{Line: 1, Lines: []string{""}},
		},
		{
			Rule: "MB-001", Name: "subject-prefix", Severity: lint.Warning, Message: "the subject begins with no prefix: " + hostile,
			Path: "mail/" + hostile + ".json", Range: rangeIn("x"+hostile, "x"), MessageID: hostile, Thread: hostile,
			Mail: &lint.MailInfo{ID: hostile, Subject: hostile, From: hostile}, Suggestion: hostile, Item: hostile, Field: hostile,
			Frame:   &lint.Frame{Line: 1, Lines: []string{hostile, "  " + hostile}, Start: 2, End: 10},
			Related: []lint.Related{{Path: hostile, Range: comma, Message: hostile, Mail: &lint.MailInfo{ID: hostile, From: hostile}}},
			Fix:     &lint.Fix{Description: hostile, Edits: []lint.Edit{{Range: *rangeIn("x"+hostile, "x"), Text: hostile}}},
		},
		{
			Rule: "MB-005", Name: "delta-json", Severity: lint.Error, Code: "MB_005", Message: "delta 2 is not valid JSON: trailing comma before ]",
			Path: "mail/RS-20251230-cell-fate.json", Range: comma, Thread: "RS-20251230-cell-fate", MessageID: "17", Delta: 2,
			Body: &lint.BodyPosition{Line: 13, Column: 42}, Mail: mail,
			Frame: &lint.Frame{Line: 12, Lines: []string{`  "operation": "EDIT",`, `  "payload": { "anchors": ["§161", "§205 😀",] },`},
				Start: 47, End: 48},
			Suggestion: "remove this comma",
			Fix:        &lint.Fix{Description: "remove the trailing comma", Edits: []lint.Edit{{Range: *comma}}},
		},
		{
			Rule: "MR-001", Name: "invalid-target", Severity: lint.Error, Message: "EDIT names T7, but discriminative_tests holds T1 to T4 at this point",
			Path: "mail/RS-20251230-cell-fate.json", Range: rangeIn("\n\nabc", "c"), Thread: "RS-20251230-cell-fate", MessageID: "17", Delta: 3, Item: "T7",
			Body: &lint.BodyPosition{Line: 31, Column: 17}, Mail: mail,
			Frame:      &lint.Frame{Line: 31, Lines: []string{long}, Start: strings.Index(long, "§1-§2"), End: strings.Index(long, " HERE")},
			Suggestion: "did you mean T1?",
			Fix: &lint.Fix{Description: "rename", Unsafe: true, Edits: []lint.Edit{
				{Range: *rangeIn("\n\nabc", "b"), Text: "x"}, {Range: *rangeIn("\n\nabc", "c"), Text: ""}}},
		},
		{
			Rule: "TH-005", Name: "research-thread-slug", Severity: lint.Warning, Message: "the slug is generic",
			Path: "storage.sqlite3", Thread: "RS-20251230-test", MessageID: "3",
			Mail: &lint.MailInfo{ID: "3", Subject: "KICKOFF: test", From: "RedFox", Time: at},
		},
		{
			Rule: "TH-005", Name: "research-thread-slug", Severity: lint.Error, Message: "the slug is generic",
			Path: "storage.sqlite3", Thread: "RS-20251230-test2", MessageID: "4", Mail: &lint.MailInfo{ID: "4", Subject: "KICKOFF: test"},
			Frame: &lint.Frame{Line: 1, Lines: []string{"RS-20251230-test2"}, Start: 12, End: 17},
		},
	}
	for i, f := range r.Findings {
		f.Fingerprint = strings.Repeat("0123456789abcdef"[i:i+1], 32)
	}
	return r
}

var sampleRules = []*lint.Rule{
	{ID: "MB-001", Name: "subject-prefix", Severity: lint.Error, About: lint.MessageScope, Code: "INVALID_SUBJECT_PREFIX",
		SpecRef: "message_body_schema#MB-001", Summary: "Subject starts with one of the ten defined prefixes.",
		Page: func() []byte {
			return []byte("A subject says by its prefix what the message is.\n\nWithout it the compiler skips the message.\n\n## Reported\n\n### X\n\n`message.md`:\n\n```\nx\n```\n")
		}},
	{ID: "MB-005", Name: "delta-json", Severity: lint.Error, About: lint.DeltaScope, SpecRef: "message_body_schema#MB-005",
		URL:     "https://example.org/docs/rules/MB-005.md",
		Summary: "Every delta block is one valid JSON value; the finding points at the offending byte."},
	{ID: "TH-005", Name: "research-thread-slug", Severity: lint.Info, About: lint.ThreadScope, SpecRef: "x#y", Summary: "The slug is short. It is not generic."},
}

// frameOf returns the frame of a part of a line of a text.
func frameOf(text string, line int, part string) *lint.Frame {
	lines := strings.Split(text, "\n")
	l := lines[line-1]
	i := strings.Index(l, part)
	f := &lint.Frame{Line: line, Lines: []string{l}, Start: i, End: i + len(part)}
	if line > 1 {
		f.Line, f.Lines = line-1, []string{lines[line-2], l}
	}
	return f
}

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
