package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// threads returns a report with views: a thread of four messages with two versions and its
// artifact, an artifact of no thread, and a file without a view.
func threads() *lint.Report {
	const at = "2025-12-30 12:05Z"
	body := "# Title\n\nfirst\n" + strings.Repeat("filler\n", 30) + "\tthe **fault** and a second § fault\r\nlast\n"
	line := "\tthe **fault** and a second § fault"
	in := func(bodyLine int, f lint.Finding) *lint.Finding {
		f.Rule, f.Name, f.Message, f.Path, f.Thread, f.MessageID = "MB-005", "delta-json", "a message", "mail/a.json", "RS-1", "2"
		f.Range = &source.Range{Start: source.Position{Line: 9, Column: 1}, End: source.Position{Line: 9, Column: 2}}
		f.Mail = &lint.MailInfo{ID: "2", Subject: "DELTA[gpt]: x", From: "BlueLake"}
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
		Summary: lint.Summary{Threads: 3, Messages: 4, Artifacts: 2, Errors: 3, Warnings: 2, Info: 1},
		Agents: []lint.AgentView{
			{Name: "BlueLake", Messages: 1, Deltas: 3, Applied: 1, Rejected: 1, Dropped: 1, Unpublished: 1}, {Name: "RedFox", Messages: 2, Deltas: 1, Applied: 1},
		},
		Threads: []lint.ThreadView{{Project: "demo", ID: "RS-1", Versions: versions(), Messages: []lint.MessageView{
			{Path: "mail/a.json", ID: "1", Type: "KICKOFF", Subject: "KICKOFF: x", From: "RedFox", Time: at, Body: "short\n"},
			{Path: "mail/a.json", ID: "2", Type: "DELTA", Subject: "DELTA[gpt]: x", From: "BlueLake", Time: at, Body: body},
			{Path: "mail/a.json", ID: "3", Subject: "chat"},
			{Path: "mail/a.json", ID: "4", Type: "COMPILED", Subject: "COMPILED: v1", From: "RedFox", Time: at, Body: "whole\n"},
		}}},
		Artifacts: []lint.ArtifactView{
			{Path: "artifacts/RS-1.md", Thread: "RS-1", Text: "one\ntwo\nthree\n"},
			{Path: "artifacts/other.md", Thread: "RS-2", Text: "one\n"},
		},
		Findings: []*lint.Finding{
			{Rule: "WT-009", Severity: lint.Warning, Path: "artifacts/RS-1.md", Thread: "RS-1", Artifact: true, Message: "in the file",
				Range: &source.Range{Start: source.Position{Line: 2, Column: 1}}, Frame: &lint.Frame{Line: 2, Lines: []string{"two"}, End: 3}},
			in(0, lint.Finding{Severity: lint.Warning, Frame: &lint.Frame{Line: 1, Lines: []string{"DELTA[gpt]: x"}, Start: 6, End: 9}}),
			in(34, lint.Finding{Severity: lint.Info, Frame: span(5, 14)}),
			in(34, lint.Finding{Severity: lint.Error, Frame: span(7, 12)}),
			in(34, lint.Finding{Severity: lint.Error, Frame: span(21, 30), Suggestion: "another word"}),
			{Rule: "IN-001", Severity: lint.Error, Path: "broken.json", Message: "cannot be read"},
		},
	}
}

// versions returns a version that was published with another claim, and what is pending.
func versions() []lint.VersionView {
	matches := false
	by := &lint.DeltaRef{Message: 1, Delta: 1}
	return []lint.VersionView{
		{
			Message: 3, Number: 1, Base: replay.FromEmpty, Matches: &matches, OrderSensitive: true,
			Deltas: []lint.DeltaView{
				{Message: 1, Delta: 3, Operation: brenner.Edit, Item: "T9", Outcome: merge.Rejected, Rule: "MR-001", Reason: "there is no T9"},
				{Message: 1, Delta: 1, Operation: brenner.Add, Item: "H1", Outcome: merge.Applied},
				{Message: 1, Delta: 2, Operation: brenner.Edit, Item: "H2", Outcome: merge.Dropped},
			},
			Changes: []lint.ItemView{{ID: "H1", Title: "A counter", Kind: diff.ItemAdded, Fields: []lint.FieldView{
				{Key: "name", After: "A counter", By: by}, {Key: "claim", After: "cells count to two", By: by},
			}}},
			Published: []lint.ItemView{{ID: "H1", Title: "A counter", Kind: diff.ItemEdited, Fields: []lint.FieldView{
				{Key: "claim", Before: "cells count to two", After: "cells count to three"},
			}}},
		},
		{
			Message: -1, Base: replay.FromPublished,
			Rebased: []lint.ItemView{{ID: "H1", Title: "A counter", Kind: diff.ItemEdited, Fields: []lint.FieldView{
				{Key: "claim", Before: "cells count to two", After: "cells count to three"},
			}}},
		},
	}
}

// dataOf returns the data of a page, as far as tests look at it.
func dataOf(t testing.TB, page []byte) *shownData {
	t.Helper()
	data := &shownData{}
	if m := dataBlock.FindSubmatch(page); m == nil {
		t.Fatal("the page has no data")
	} else if err := json.Unmarshal(m[1], data); err != nil {
		t.Fatal(err)
	}
	return data
}

type shownData struct {
	Findings []struct{ Severity string }
	Omitted  int
}

var dataBlock = regexp.MustCompile(`<script type="application/json" id="data">([^<]*)</script>`)

func TestHTMLThreads(t *testing.T) {
	data := write(t, "html", threads(), Options{Version: "1.2.3"})
	checkPage(t, data)
	golden(t, "html.threads", data)
}

// withoutOurCode returns a page without the script and style that all pages have.
func withoutOurCode(page string) []byte {
	page = strings.Replace(strings.Replace(page, pageScript(), "…", 1), pageStyle, "…", 1)
	return hashInPage.ReplaceAll([]byte(page), []byte("'…'"))
}

var hashInPage = regexp.MustCompile(`'sha256-[^']*'`)

// TestHTMLSize shows the most severe of many findings, and says how many it leaves out.
func TestHTMLSize(t *testing.T) {
	r := large(3 * maxShown)
	for i := range r.Threads {
		r.Threads[i].Messages = nil // the engine bounds them
	}
	data := write(t, "html", r, Options{})
	if most := 5_000_000; len(data) > most {
		t.Errorf("the page has %d bytes, more than %d", len(data), most)
	}
	page := dataOf(t, data)
	n := map[string]int{}
	for _, f := range page.Findings {
		n[f.Severity]++
	}
	if want := map[string]int{"error": maxShown}; !maps.Equal(n, want) || page.Omitted != 2*maxShown {
		t.Errorf("findings by severity: %v, want %v; %d are left out", n, want, page.Omitted)
	}
	if notice := "<p class=\"notice\">8000 findings not on this page, which shows the 4000 most severe"; !bytes.Contains(data, []byte(notice)) {
		t.Errorf("the page has no notice %q", notice)
	}
}

// TestHTMLLines shows a long line around its fault.
func TestHTMLLines(t *testing.T) {
	long := strings.Repeat("早", 5000) + "FAULT" + strings.Repeat("期", 5000)
	f := NewSourceFrame(&lint.Frame{Line: 7, Lines: []string{long, "a\tb" + long}, Start: 15003 + 0, End: 15008})
	if n := len(strings.Join(f.Mark[:], "")); n > 2*maxLine || f.From != 7 || len(f.Lines[0]) > maxLine+len("…") {
		t.Errorf("%d bytes are shown, from line %d", n, f.From)
	}
	if !strings.HasPrefix(f.Mark[0], "…早") || f.Mark[1] != "FAULT" || !strings.HasSuffix(f.Mark[2], "期…") {
		t.Errorf("the mark is %q", f.Mark)
	}
	for _, f := range []*lint.Frame{nil, {Lines: []string{"x"}, Start: 5, End: 9}} {
		if got := NewSourceFrame(f); got != nil && got.Mark[1] != "" {
			t.Errorf("%+v gives the mark %q", f, got.Mark)
		}
	}
}

// TestHTMLWithoutScript lists the most severe findings for browsers without scripts.
func TestHTMLWithoutScript(t *testing.T) {
	r := large(1000)
	page := string(write(t, "html", r, Options{}))
	listed := page[strings.Index(page, "<noscript>"):strings.Index(page, "</noscript>")]
	if n := strings.Count(listed, "<li>"); n != maxWithoutScript || strings.Count(listed, `class="severity error"`) != n || !strings.Contains(listed, "<p>800 more</p>") {
		t.Errorf("%d findings are listed:\n%.500s", n, listed)
	}
}
