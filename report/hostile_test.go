package report

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// everywhere returns a report with one text in all places that inputs can reach.
func everywhere(s string) *lint.Report {
	mail := &lint.MailInfo{ID: s, Subject: s, From: s}
	r := &lint.Report{
		Summary: lint.Summary{Errors: 2, Messages: 2, Artifacts: 1}, Notices: []string{s}, Rules: sampleRules,
		Failures: []lint.Failure{{Rule: "MB-001", Path: s, Reason: s}},
		Threads: []lint.ThreadView{{Project: s, ID: s, Versions: hostileVersions(s), Messages: []lint.MessageView{
			{Path: s, ID: s, Type: s, Subject: s, From: s, Body: s + "\n" + s},
			{Path: "in place", ID: s, Body: strings.Repeat("x\n", 40) + s},
		}}},
		Agents:    []lint.AgentView{{Name: s, Messages: 1, Deltas: 1, Rejected: 1}},
		Artifacts: []lint.ArtifactView{{Path: s, Thread: s, Text: s}, {Path: s + "2", Text: s + "\t" + s}},
	}
	lines := strings.Split(s, "\n")
	at := source.Range{Start: source.Position{Line: 1, Column: 1}, End: source.Position{Line: 1, Column: 2}}
	f := lint.Finding{
		Rule: "MB-001", Name: "subject-prefix", Severity: lint.Error, Message: s, Path: s, Range: &at, Thread: s, MessageID: s,
		Delta: 1, Item: s, Field: s, Suggestion: s, Code: s, Mail: mail, Fingerprint: s, LineHash: s,
		Body:    &lint.BodyPosition{Line: 1, Column: 1},
		Fix:     &lint.Fix{Description: s, Edits: []lint.Edit{{Range: at, Text: s}}},
		Frame:   &lint.Frame{Line: 1, Lines: []string{s, lines[len(lines)-1]}, Start: 0, End: len(s)},
		Related: []lint.Related{{Path: s, Range: &at, Message: s, Mail: mail}},
	}
	other, placed := f, f
	other.Range, other.Mail, other.Body, other.Artifact, other.Path, other.Thread = nil, nil, nil, true, s+"2", ""
	placed.Path, placed.Severity = "in place", lint.Info
	placed.Body = &lint.BodyPosition{Line: 41, Column: 1}
	r.Findings = []*lint.Finding{&f, &other, &placed}
	return r
}

// hostileVersions returns a version with a text in all places that inputs can reach.
func hostileVersions(s string) []lint.VersionView {
	matches := false
	items := []lint.ItemView{{ID: "H1", Title: s, Kind: diff.ItemEdited, Fields: []lint.FieldView{{Key: s, Part: s, Before: s, After: s + s, By: &lint.DeltaRef{Delta: 1}}}}}
	return []lint.VersionView{{
		Base: replay.FromEmpty, Matches: &matches, Rebased: items, Changes: items, Published: items,
		Deltas: []lint.DeltaView{{Delta: 1, Item: s, Outcome: merge.Rejected, Rule: "MB-001", Reason: s}},
	}}
}

// shown are the characters that may be in a report as they are.
func shown(r rune) bool { return r == '\n' || r == '\t' || !isHidden(r) }

// checkSafe holds a report of any format against what terminals and CI systems
// would make of it.
func checkSafe(t testing.TB, format string, data []byte) {
	t.Helper()
	if !utf8.Valid(data) {
		t.Errorf("%s is not UTF-8", format)
	}
	for _, r := range string(data) {
		if !shown(r) {
			t.Errorf("%s shows %U", format, r)
			break
		}
	}
	for _, line := range strings.Split(string(data), "\n") {
		trimmed := strings.TrimLeftFunc(line, unicode.IsSpace)
		if strings.HasPrefix(trimmed, "::") && !(format == "github" && command.MatchString(line)) {
			t.Errorf("%s has the workflow command %q", format, line)
		}
		if m := logging.FindString(line); m != "" {
			t.Errorf("%s has the logging command %q", format, m)
		}
	}
}

var (
	// command is one of ours, whose properties and message are escaped.
	command = regexp.MustCompile(`^::(error|warning|notice) (file=[^,:\n]*(,line=\d+,endLine=\d+(,col=\d+,endColumn=\d+)?)?,)?title=[^,:\n]*::[^\n]*$`)
	logging = regexp.MustCompile(`##[a-zA-Z]*\[`)
	// markup is every tag that a page has, by its beginning.
	markup = regexp.MustCompile(`<[a-zA-Z/!?][^ >]*`)
	// outside is a reference of our markup to something outside the page.
	outside = regexp.MustCompile(`<[a-z]+(?: [a-z-]+="[^"]*")* (?:src|href|action|srcset)="[^#"][^"]*"`)
)

// ours are the tags of a page.
var ours = map[string]bool{}

func init() {
	for _, tag := range strings.Fields("html head meta title body header h1 h2 h3 h4 small p form fieldset legend label input " +
		"output main section noscript footer ul ol li dl dt dd article a b span code div i pre mark del ins details summary " +
		"table thead tbody tr th td button style script") {
		ours["<"+tag], ours["</"+tag] = true, true
	}
	ours["<!DOCTYPE"] = true
}

// checkPage holds that a page has no markup but its own.
func checkPage(t testing.TB, data []byte) {
	t.Helper()
	page := string(data)
	for _, tag := range markup.FindAllString(page, -1) {
		if !ours[tag] {
			t.Errorf("the page has the tag %q", tag)
		}
	}
	for what, n := range map[string]int{"<script": 2, "</script": 2, "<style": 1, "</style": 1, "<meta": 4} {
		if got := strings.Count(page, what); got != n {
			t.Errorf("the page has %d times %s, want %d", got, what, n)
		}
	}
	if m := outside.FindString(page); m != "" {
		t.Errorf("the page refers to %q", m)
	}
	if !strings.Contains(page, "<script type=\"module\">"+pageScript()+"</script>") || !strings.Contains(page, "<style>"+pageStyle+"</style>") {
		t.Error("the script or style is not the one that the policy names")
	}
	dataOf(t, data)
}

// checkFormats writes a report in all formats and holds each against its reader.
func checkFormats(t testing.TB, r *lint.Report) {
	t.Helper()
	for _, f := range Formats {
		data := write(t, f.Name, r, Options{Width: 80})
		checkSafe(t, f.Name, data)
		switch f.Name {
		case "json", "gitlab", "rdjson":
			if !json.Valid(data) {
				t.Errorf("%s is not JSON", f.Name)
			}
		case "sarif":
			valid(t, schemas()["sarif"], data)
		case "junit":
			readJUnit(t, data)
		case "html":
			checkPage(t, data)
		}
	}
}

var attacks = []string{
	hostile, "::error::x", "\n::error::x", " ::add-mask::x", "##[error]x", "##vso[task.complete]", "\u3000::stop-commands::x",
	"\x1b[31m\x1b]8;;http://x\x07", "\u009b2J", "a\rb", "\u202e\u2066\u200d\u200b\ufeff", "\xff\xc0\x80", "\x00", "\ufffe\uffff\U0010ffff",
	"</script><script>alert(1)</script>", "</style><img src=x onerror=alert(1)>", `" onmouseover="alert(1)`, "' autofocus onfocus='x", "<!--", "]]>",
	"{{.}}", "| a | b |", "\n\n# heading\n\n| a |\n", "`", "\\", "\\|", "]( http://x )", "[x](1)", "%0A::error::", "%", "", " ", "\t\t", strings.Repeat("a", 5000),
	strings.Repeat("\u0301", 500), "javascript:alert(1)", "@everyone", "a\u2028b\u2029c\u0085d",
}

func TestSampleIsSafe(t *testing.T) { checkFormats(t, sample()) }

// FuzzFormats puts one text everywhere. Its seeds run with every test.
func FuzzFormats(f *testing.F) {
	for _, s := range append(attacks, references...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) < 10_000 {
			checkFormats(t, everywhere(s))
		}
	})
}
