package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/lint"
)

// threads is a report with views: a thread of three messages and its artifact,
// an artifact of no thread, and a file without a view.
func threads() *lint.Report {
	at := time.Date(2025, 12, 30, 12, 5, 0, 0, time.UTC)
	body := "# Title\n\nfirst\n" + strings.Repeat("filler\n", 30) + "\tthe **fault** and a second § fault\r\nlast\n"
	line := "\tthe **fault** and a second § fault"
	in := func(bodyLine int, f lint.Finding) *lint.Finding {
		f.Rule, f.Name, f.Message, f.Path, f.Thread, f.MessageID = "MB-005", "delta-json", "a message", "mail/a.json", "RS-1", "2"
		f.Range = &lint.Range{Start: lint.Position{Line: 9, Column: 1}, End: lint.Position{Line: 9, Column: 2}}
		f.Mail = &lint.MailInfo{ID: "2", Subject: "DELTA[gpt]: x"}
		if bodyLine > 0 {
			f.Body = &lint.BodyPosition{Line: bodyLine, Column: 1}
		}
		return &f
	}
	span := func(start, end int) *lint.Frame {
		return &lint.Frame{Line: 34, Lines: []string{line}, Start: start, End: end}
	}
	return &lint.Report{
		Rules:   sampleRules,
		Summary: lint.Summary{Messages: 3, Artifacts: 2, Errors: 3, Warnings: 2, Info: 1},
		Threads: []lint.ThreadView{{}, {Project: "demo", ID: "RS-1", Messages: []lint.MessageView{
			{Path: "mail/a.json", ID: "1", Type: "KICKOFF", Subject: "KICKOFF: x", From: "RedFox", Time: at, Body: "short\n"},
			{Path: "mail/a.json", ID: "2", Type: "DELTA", Subject: "DELTA[gpt]: x", From: "BlueLake", Time: at, Body: body},
			{Path: "mail/a.json", ID: "3", Subject: "chat"},
		}}},
		Artifacts: []lint.ArtifactView{
			{Path: "artifacts/RS-1.md", Thread: "RS-1", Text: "one\ntwo\nthree\n"},
			{Path: "artifacts/other.md", Thread: "RS-2", Text: "one\n"},
		},
		Findings: []*lint.Finding{
			{Rule: "WT-009", Severity: lint.Warning, Path: "artifacts/RS-1.md", Thread: "RS-1", Artifact: true, Message: "in the file",
				Range: &lint.Range{Start: lint.Position{Line: 2, Column: 1}}, Frame: &lint.Frame{Line: 2, Lines: []string{"two"}, End: 3}},
			in(0, lint.Finding{Severity: lint.Warning, Frame: &lint.Frame{Line: 1, Lines: []string{"DELTA[gpt]: x"}, Start: 6, End: 9}}),
			in(34, lint.Finding{Severity: lint.Info, Frame: span(5, 14)}),
			in(34, lint.Finding{Severity: lint.Error, Frame: span(7, 12)}),
			in(34, lint.Finding{Severity: lint.Error, Frame: span(21, 30)}),
			{Rule: "IN-001", Severity: lint.Error, Path: "broken.json", Message: "cannot be read"},
		},
	}
}

func TestHTMLThreads(t *testing.T) {
	data := write(t, "html", threads(), Options{Version: "1.2.3"})
	checkPage(t, data)
	golden(t, "html.threads", data)
	page := string(data)
	if n := strings.Count(page, `class="finding `); n != len(threads().Findings) {
		t.Errorf("the page shows %d findings, want %d", n, len(threads().Findings))
	}
	for _, want := range []string{
		`<span data-n="34">` + "\tthe " + `<mark class="error">**fault**</mark> and a <mark class="error">second §</mark> fault</span>`,
		`<span data-n="2"><mark class="warning">two</mark></span>`,
		`<option value="0">RS-1 (5)</option>`,
		`<b class="type">KICKOFF</b> <span class="title">KICKOFF: x</span>`,
		`<time>2025-12-30 12:05Z</time> <span>RedFox</span> <span>message 1</span> <code>mail/a.json</code>`,
		`<p class="notice">`,
	} {
		if got := strings.Contains(page, want); got != !strings.HasPrefix(want, `<p class="notice"`) {
			t.Errorf("the page holds %q: %v", want, got)
		}
	}
}

var lineNumber = regexp.MustCompile(`<span data-n="(\d+)">|class="finding |class="left">(\d+) lines? not`)

// TestHTMLText holds for any text and findings that each line is shown once, in
// order, and each finding right below its line.
func TestHTMLText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.IntRange(1, 80).Draw(t, "lines")
		where := rapid.SliceOfN(rapid.IntRange(1, lines), 0, 8).Draw(t, "where")
		r := &lint.Report{Threads: []lint.ThreadView{{ID: "t", Messages: []lint.MessageView{{Path: "p", ID: "1", Body: strings.Repeat("x\n", lines)}}}}}
		at := map[int]int{}
		for _, n := range where {
			at[n]++
			r.Findings = append(r.Findings, &lint.Finding{Severity: lint.Error, Path: "p", Thread: "t", MessageID: "1", Body: &lint.BodyPosition{Line: n}})
		}
		var b strings.Builder
		if err := Write(&b, "html", r, Options{}); err != nil {
			t.Fatal(err)
		}
		last := 0
		for _, m := range lineNumber.FindAllStringSubmatch(b.String(), -1) {
			if m[1] == "" {
				at[last]--
				continue
			}
			n, _ := strconv.Atoi(m[1])
			if n != last+1 || at[last] > 0 {
				t.Fatalf("line %d follows line %d, which still has %d findings", n, last, at[last])
			}
			last = n
		}
		if last != lines {
			t.Fatalf("the last line shown is %d, want %d", last, lines)
		}
	})
}

// TestHTMLLimits shows a text that is too long for a page around its findings
// only, and a long line around its fault.
func TestHTMLLimits(t *testing.T) {
	lines := maxShown/10 + 1
	long := strings.Repeat("早", 5000) + "FAULT" + strings.Repeat("期", 5000)
	r := &lint.Report{
		Threads: []lint.ThreadView{{ID: "t", Messages: []lint.MessageView{
			{Path: "p", ID: "1", Body: strings.Repeat("0123456789\n", lines)},
			{Path: "p", ID: "2", Body: long},
		}}},
		Findings: []*lint.Finding{
			{Severity: lint.Error, Path: "p", Thread: "t", MessageID: "1", Body: &lint.BodyPosition{Line: 1000}},
			{Severity: lint.Error, Path: "p", Thread: "t", MessageID: "2", Body: &lint.BodyPosition{Line: 1},
				Frame: &lint.Frame{Lines: []string{long}, Start: 15000, End: 15005}},
		},
	}
	page := string(write(t, "html", r, Options{}))
	if len(page) > 50_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
	for _, want := range []string{"996 lines not shown", fmt.Sprintf("%d lines not shown", lines-1003), `<span data-n="1000">`, `<mark class="error">FAULT</mark>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(page, "早") + strings.Count(page, "期"); n > maxLine {
		t.Errorf("a long line is shown with %d characters", n)
	}
}
