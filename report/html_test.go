package report

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/diff"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/result"
	"github.com/brennerlint/brennerlint/source"
)

// threads returns a report with views: a thread of four messages with two versions and its
// artifact, an artifact of no thread, and a file without a view.
func threads() *result.Report {
	at := time.Date(2025, 12, 30, 12, 5, 0, 0, time.UTC)
	body := "# Title\n\nfirst\n" + strings.Repeat("filler\n", 30) + "\tthe **fault** and a second § fault\r\nlast\n"
	line := "\tthe **fault** and a second § fault"
	in := func(bodyLine int, f result.Finding) *result.Finding {
		f.Rule, f.Name, f.Message, f.Path, f.Thread, f.MessageID = "MB-005", "delta-json", "a message", "mail/a.json", "RS-1", "2"
		f.Range = &source.Range{Start: source.Position{Line: 9, Column: 1}, End: source.Position{Line: 9, Column: 2}}
		f.Mail = &result.MailInfo{ID: "2", Subject: "DELTA[gpt]: x", From: "BlueLake"}
		if bodyLine > 0 {
			f.Body = &result.BodyPosition{Line: bodyLine, Column: 1}
		}
		return &f
	}
	span := func(start, end int) *result.Frame {
		return &result.Frame{Line: 34, Lines: []string{line}, Start: start, End: end}
	}
	return &result.Report{
		Rules:   sampleRules,
		Summary: result.Summary{Threads: 3, Messages: 4, Artifacts: 2, Errors: 3, Warnings: 2, Info: 1},
		Agents: []result.AgentView{
			{Name: "BlueLake", Messages: 1, Deltas: 3, Applied: 1, Rejected: 1, Dropped: 1, Unpublished: 1}, {Name: "RedFox", Messages: 2, Deltas: 1, Applied: 1},
		},
		Threads: []result.ThreadView{{}, {Project: "demo", ID: "RS-1", Versions: versions(), Messages: []result.MessageView{
			{Path: "mail/a.json", ID: "1", Type: "KICKOFF", Subject: "KICKOFF: x", From: "RedFox", Time: at, Body: "short\n"},
			{Path: "mail/a.json", ID: "2", Type: "DELTA", Subject: "DELTA[gpt]: x", From: "BlueLake", Time: at, Body: body},
			{Path: "mail/a.json", ID: "3", Subject: "chat"},
			{Path: "mail/a.json", ID: "4", Type: "COMPILED", Subject: "COMPILED: v1", From: "RedFox", Time: at, Body: "whole\n"},
		}}},
		Artifacts: []result.ArtifactView{
			{Path: "artifacts/RS-1.md", Thread: "RS-1", Text: "one\ntwo\nthree\n"},
			{Path: "artifacts/other.md", Thread: "RS-2", Text: "one\n"},
		},
		Findings: []*result.Finding{
			{Rule: "WT-009", Severity: lint.Warning, Path: "artifacts/RS-1.md", Thread: "RS-1", Artifact: true, Message: "in the file",
				Range: &source.Range{Start: source.Position{Line: 2, Column: 1}}, Frame: &result.Frame{Line: 2, Lines: []string{"two"}, End: 3}},
			in(0, result.Finding{Severity: lint.Warning, Frame: &result.Frame{Line: 1, Lines: []string{"DELTA[gpt]: x"}, Start: 6, End: 9}}),
			in(34, result.Finding{Severity: lint.Info, Frame: span(5, 14)}),
			in(34, result.Finding{Severity: lint.Error, Frame: span(7, 12)}),
			in(34, result.Finding{Severity: lint.Error, Frame: span(21, 30), Suggestion: "another word"}),
			{Rule: "IN-001", Severity: lint.Error, Path: "broken.json", Message: "cannot be read"},
		},
	}
}

// versions returns a version that was published with another claim, and what is pending.
func versions() []result.VersionView {
	matches := false
	by := &result.DeltaRef{Message: 1, Delta: 1}
	return []result.VersionView{
		{
			Message: 3, Number: 1, Base: replay.FromEmpty, Matches: &matches, OrderSensitive: true,
			Deltas: []result.DeltaView{
				{DeltaRef: result.DeltaRef{Message: 1, Delta: 3}, Operation: protocol.Edit, Item: "T9", Outcome: merge.Rejected, Rule: "MR-001", Reason: "there is no T9"},
				{DeltaRef: *by, Operation: protocol.Add, Item: "H1", Outcome: merge.Applied},
				{DeltaRef: result.DeltaRef{Message: 1, Delta: 2}, Operation: protocol.Edit, Item: "H2", Outcome: merge.Dropped},
			},
			Changes: []result.ItemView{{ID: "H1", Title: "A counter", Kind: diff.ItemAdded, Fields: []result.FieldView{
				{Key: "name", After: "A counter", By: by}, {Key: "claim", After: "cells count to two", By: by},
			}}},
			Published: []result.ItemView{{ID: "H1", Title: "A counter", Kind: diff.ItemEdited, Fields: []result.FieldView{
				{Key: "claim", Before: "cells count to two", After: "cells count to three"},
			}}},
		},
		{
			Message: -1, Base: replay.FromPublished,
			Rebased: []result.ItemView{{ID: "H1", Title: "A counter", Kind: diff.ItemEdited, Fields: []result.FieldView{
				{Key: "claim", Before: "cells count to two", After: "cells count to three"},
			}}},
		},
	}
}

// dataOf returns the data of a page: its index and the details of its groups.
func dataOf(t testing.TB, page []byte) (pageIndex, map[string][]pageDetail) {
	t.Helper()
	var index pageIndex
	details := map[string][]pageDetail{}
	for _, m := range dataBlock.FindAllSubmatch(page, -1) {
		data := m[3]
		if string(m[1]) == "gzip" {
			z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)))
			if err != nil {
				t.Fatal(err)
			}
			if data, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if id := string(m[2]); id == "index" {
			err = json.Unmarshal(data, &index)
		} else {
			var block []pageDetail
			err = json.Unmarshal(data, &block)
			details[id] = block
		}
		if err != nil {
			t.Fatalf("%s: %v", m[2], err)
		}
	}
	return index, details
}

var dataBlock = regexp.MustCompile(`<script type="application/(json|gzip)" id="([a-z0-9-]+)">([^<]*)</script>`)

func TestHTMLThreads(t *testing.T) {
	data := write(t, "html", threads(), Options{Version: "1.2.3"})
	checkPage(t, data)
	golden(t, "html.threads", data)
	index, details := dataOf(t, data)
	var titles []string
	n := 0
	for _, g := range index.Groups {
		titles = append(titles, g.Title)
		for _, e := range g.Entries {
			n += len(e.Findings)
		}
	}
	if want := []string{"RS-1", "broken.json", "artifacts/other.md"}; !slices.Equal(titles, want) {
		t.Errorf("the groups are %q, want %q", titles, want)
	}
	if n != len(threads().Findings) || index.Clean != 2 {
		t.Errorf("the index has %d findings and %d threads beyond the page", n, index.Clean)
	}
	d := details["block-1"][0]
	if len(d.Messages) != 4 || len(d.Versions) != 2 || len(d.Files) != 1 {
		t.Errorf("the detail has %d messages, %d versions, %d files", len(d.Messages), len(d.Versions), len(d.Files))
	}
	want := []pageSourceOf{
		{Frame: &SourceFrame{From: 1, Mark: [3]string{"DELTA[", "gpt", "]: x"}}},
		{Line: 34, Frame: &SourceFrame{From: 34, Mark: [3]string{"\tthe ", "**fault**", " and a second § fault"}}},
		{Line: 34, Frame: &SourceFrame{From: 34, Mark: [3]string{"\tthe **", "fault", "** and a second § fault"}}},
		{Line: 34, Frame: &SourceFrame{From: 34, Mark: [3]string{"\tthe **fault** and a ", "second §", " fault"}}},
	}
	if diff := cmp.Diff(want, d.Sources[0]); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
}

// withoutOurCode returns a page without the script and style that all pages have.
func withoutOurCode(page string) []byte {
	page = strings.Replace(strings.Replace(page, pageScript(), "…", 1), pageStyle, "…", 1)
	return hashInPage.ReplaceAll([]byte(page), []byte("'…'"))
}

var hashInPage = regexp.MustCompile(`'sha256-[^']*'`)

// TestHTMLSize compresses what is much, leaves out what there is no room for, and says
// so.
func TestHTMLSize(t *testing.T) {
	for name, test := range map[string]struct {
		room                  func(index int) int
		whole, block, omitted bool
	}{
		"room for all":      {func(int) int { return maxPage }, true, true, false},
		"room for some":     {func(index int) int { return index + 8_000 }, false, true, false},
		"room for findings": {func(index int) int { return index + 1_000 }, false, false, false},
		"room for a fourth": {func(index int) int { return index / 4 }, false, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := large(3000)
			p := newPageData(r)
			room := test.room(p.indexSize())
			var b bytes.Buffer
			w := bufio.NewWriter(&b)
			p.write(w, room)
			w.Flush()
			if b.Len() > room+1000 {
				t.Errorf("%d bytes, more than %d", b.Len(), room)
			}
			index, details := dataOf(t, b.Bytes())
			findings, whole, block := 0, 0, 0
			for _, g := range index.Groups {
				for _, e := range g.Entries {
					findings += len(e.Findings)
				}
				if g.Block == 0 {
					continue
				}
				block++
				d := details[fmt.Sprint("block-", g.Block)][g.At]
				if len(d.Sources) != len(g.Entries) || g.Whole != (len(d.Messages) > 0) {
					t.Errorf("%s: %d sources of %d entries, %d messages", g.Title, len(d.Sources), len(g.Entries), len(d.Messages))
				}
				if g.Whole {
					whole++
				}
			}
			if findings+index.Omitted != len(r.Findings) {
				t.Errorf("%d findings and %d omitted of %d", findings, index.Omitted, len(r.Findings))
			}
			if (whole == len(index.Groups)) != test.whole || (block > 0) != test.block || (index.Omitted > 0) != test.omitted {
				t.Errorf("%d of %d groups whole, %d with sources, %d findings omitted", whole, len(index.Groups), block, index.Omitted)
			}
			if index.Omitted > 0 && index.Groups[0].Entries[0].Findings[0].Severity != int(lint.Error) {
				t.Error("an error was left out before less severe findings")
			}
		})
	}
}

// TestHTMLLines shows a long line around its fault.
func TestHTMLLines(t *testing.T) {
	long := strings.Repeat("早", 5000) + "FAULT" + strings.Repeat("期", 5000)
	f := NewSourceFrame(&result.Frame{Line: 7, Lines: []string{long, "a\tb" + long}, Start: 15003 + 0, End: 15008})
	if n := len(strings.Join(f.Mark[:], "")); n > 2*maxLine || f.From != 7 || len(f.Lines[0]) > maxLine+len("…") {
		t.Errorf("%d bytes are shown, from line %d", n, f.From)
	}
	if !strings.HasPrefix(f.Mark[0], "…早") || f.Mark[1] != "FAULT" || !strings.HasSuffix(f.Mark[2], "期…") {
		t.Errorf("the mark is %q", f.Mark)
	}
	for _, f := range []*result.Frame{nil, {}, {Lines: []string{"x"}, Start: 5, End: 9}, {Lines: []string{"xy"}, Start: 1, End: 0}} {
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
