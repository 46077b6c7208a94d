package report

import (
	"bufio"
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// homepage is where the program lives.
const homepage = "https://github.com/brennerlint/brennerlint"

// maxResults is how many results code scanning takes in one run. Its limit of 10 MB is for
// the compressed file, which these take a fraction of.
const maxResults = 25_000

// writeSARIF writes one run, by go-sarif.
//
// Only what holds for GitHub code scanning differs from the obvious: every
// result has a location with a whole region, suppressed findings are not there
// at all (they would stay open alerts), there is no automationDetails.id (it
// would win over the category of the upload step).
func writeSARIF(w *bufio.Writer, r *lint.Report, o *Options) {
	inside := slices.DeleteFunc(slices.Clone(r.Findings), func(f *lint.Finding) bool { return o.isOutside(f.Path) })
	findings, left := lint.MostSevere(inside, maxResults)
	run := sarif.NewRunWithInformationURI("brennerlint", homepage)
	driver := run.Tool.Driver
	if o.Version != "" {
		driver.Version = &o.Version
	}
	for _, rule := range r.Rules {
		driver.Rules = append(driver.Rules, descriptor(rule))
	}
	run.ColumnKind = "utf16CodeUnits"
	run.AddInvocations(sarifInvocation(r, len(left), len(r.Findings)-len(inside), o))
	for _, f := range findings {
		// A result must name a rule that is listed. Only a report made by hand lacks some.
		if _, err := run.GetRuleById(f.Rule); err != nil {
			driver.Rules = append(driver.Rules, descriptor(&lint.Rule{ID: f.Rule, Name: f.Name, Severity: f.Severity, Summary: f.Name}))
		}
		run.AddResult(sarifResult(f, o))
	}
	file := &sarif.Report{Version: string(sarif.Version210), Schema: "https://json.schemastore.org/sarif-2.1.0.json", Runs: []*sarif.Run{run}}
	var out strings.Builder
	sure(file.Write(&out))
	w.WriteString(safeJSON(out.String()) + "\n")
}

// sarifInvocation reports whether the run succeeded, its notices, and how many findings are left
// out because they are too many, or outside of the repository. Code scanning refuses a whole
// report for one URI that is absolute.
func sarifInvocation(r *lint.Report, tooMany, outside int, o *Options) *sarif.Invocation {
	inv := sarif.NewInvocation().WithExecutionSuccess(!r.Unreadable && len(r.Failures) == 0)
	note := func(level, text string) {
		n := sarif.NewNotification()
		n.Level, n.Message = level, sarif.NewTextMessage(sarifText(text))
		inv.ToolExecutionNotifications = append(inv.ToolExecutionNotifications, n)
	}
	leftOut := func(n int, why string) {
		if n == 0 {
			return
		}
		text := count(n, "finding") + " left out: code scanning accepts " + why
		note("warning", text)
		if o.Notice != nil {
			o.Notice("sarif report: " + text)
		}
	}
	for _, text := range r.Notices {
		note("note", text)
	}
	leftOut(tooMany, fmt.Sprintf("%d results; the most severe are kept", maxResults))
	leftOut(outside, "only files of the repository; run brennerlint in the folder that contains the others")
	for _, f := range r.Failures {
		note("error", f.Error())
	}
	return inv
}

var sarifLevels = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "note"}

// sarifResult is one finding.
func sarifResult(f *lint.Finding, o *Options) *sarif.Result {
	res := sarif.NewRuleResult(f.Rule).WithLevel(sarifLevels[f.Severity])
	location := sarifLocation(f.Path, f.Range, o)
	// The name is what the finding is about in the protocol's terms.
	if about := given(f.Thread, f.MessageID, f.Item, f.Field); len(about) > 0 {
		name := strings.Join(each(about, func(s *string) { *s = clean(*s) }), "/")
		location.AddLogicalLocations(sarif.NewLogicalLocation().WithFullyQualifiedName(name))
	}
	res.AddLocation(location)
	res.PartialFingerprints = map[string]any{"brennerlint/v1": f.Fingerprint}
	switch {
	case f.LineHash != "":
		res.SetPartialFingerPrint("primaryLocationLineHash", f.LineHash)
	case f.Range == nil:
		// A finding of a database has no line, and is shown at the first one: identified by that line, all
		// would become one alert.
		res.SetPartialFingerPrint("primaryLocationLineHash", f.Fingerprint+":1")
	}
	text := sentence(sarifText(f.Message)) + withLead(" Suggestion: ", sentence(sarifText(f.Suggestion)))
	var links []string
	for _, r := range f.Related {
		id := len(links) + 1
		if o.isOutside(r.Path) || id > maxRelated {
			continue
		}
		res.AddRelatedLocation(sarifLocation(r.Path, r.Range, o).WithId(id).WithMessage(sarif.NewTextMessage(sarifText(r.Message))))
		title := cmp.Or(linkEscapes.Replace(clean(r.Message)), "related location")
		links = append(links, fmt.Sprintf("[%s](%d)", title, id))
	}
	if len(links) > 0 {
		text += " See " + strings.Join(links, ", ") + "."
	}
	res.WithMessage(sarif.NewTextMessage(text))
	if f.Fix != nil && len(f.Fix.Edits) > 0 {
		res.AddFix(sarifFix(f, o))
	}
	return res
}

// maxRelated is how many related locations code scanning shows.
const maxRelated = 100

// sarifLocation returns a place. Without a range it is the start of the file, because
// a location without a region has no fingerprint.
func sarifLocation(path string, r *source.Range, o *Options) *sarif.Location {
	if r == nil {
		start := source.Position{Line: 1, Column: 1}
		r = &source.Range{Start: start, End: start}
	}
	return sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().
		WithArtifactLocation(sarif.NewSimpleArtifactLocation(fileURI(o.fromRoot(path)))).
		WithRegion(sarifRegion(*r)))
}

// sarifRegion returns a range in UTF-16 code units; in code points if those were not counted.
func sarifRegion(r source.Range) *sarif.Region {
	return sarif.NewRegion().
		WithStartLine(r.Start.Line).WithStartColumn(cmp.Or(r.Start.UTF16, r.Start.Column)).
		WithEndLine(r.End.Line).WithEndColumn(cmp.Or(r.End.UTF16, r.End.Column))
}

// sarifFix returns the fix of a finding.
func sarifFix(f *lint.Finding, o *Options) *sarif.Fix {
	change := sarif.NewArtifactChange(sarif.NewSimpleArtifactLocation(fileURI(o.fromRoot(f.Path))))
	for _, edit := range f.Fix.Edits {
		// The content is written even if it is empty: consumers rely on it.
		change.WithReplacement(sarif.NewReplacement(sarifRegion(edit.Range)).WithInsertedContent(sarif.NewArtifactContent().WithText(edit.Text)))
	}
	fix := sarif.NewFix()
	fix.AddArtifactChanges(change)
	if f.Fix.Description != "" {
		fix.WithDescriptionText(sarifText(f.Fix.Description))
	}
	return fix
}

// sarifText returns a foreign text in a message, in which `[…](…)` would be a link.
func sarifText(s string) string {
	return strings.ReplaceAll(clean(s), "](", `\](`)
}

// linkEscapes keep a text within the text of a link.
var linkEscapes = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)

// sentence ends a text with a full stop.
func sentence(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}

// fileURI returns a path of the repository as a URI reference. Bytes that are not UTF-8, and
// control characters, are percent-encoded like the rest (RFC 3986): so it names that file.
func fileURI(path string) string {
	return (&url.URL{Path: path}).String()
}

// maxDescription is how many characters of a description code scanning takes.
const maxDescription = 1024

// descriptor documents a rule, from the same archive as `explain`.
func descriptor(rule *lint.Rule) *sarif.ReportingDescriptor {
	help := cmp.Or(pageOf(rule).Prose, sentence(rule.Summary)) + withLead("\n\nSpecification: ", rule.SpecRef) +
		"\n\n`brennerlint explain " + rule.ID + "` shows examples."
	d := sarif.NewRule(rule.ID).WithName(rule.Name).WithTextHelp(help).WithMarkdownHelp(help).
		WithDescription(text.Shorten(firstSentence(rule.Summary), maxDescription)).
		WithFullDescription(sarif.NewMultiformatMessageString(text.Shorten(sentence(rule.Summary), maxDescription))).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(sarifLevels[rule.Severity]))
	if rule.URL != "" {
		d.WithHelpURI(rule.URL)
	}
	d.Properties = sarif.Properties{
		"precision":        "very-high", // rules are deterministic, and silent where they cannot know
		"problem.severity": map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "recommendation"}[rule.Severity],
		"tags":             given("brenner-protocol", string(rule.Scope()), rule.Code), // what alerts can be filtered by
	}
	return d
}

// firstSentence returns a text up to its first full stop or semicolon.
func firstSentence(s string) string {
	for _, stop := range []string{"; ", ". "} {
		if before, _, _ := strings.Cut(s, stop); before != "" {
			s = before
		}
	}
	return sentence(s)
}
