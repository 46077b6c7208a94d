package report

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// The page shows totals and tables as they are written here, and everything else by
// its script from the data that it holds as JSON (pageData). Templates escape what they are
// given; the script makes texts of data and never markup. The content security policy allows
// only the script and the style below, by their hashes, and nothing from outside.
var (
	//go:embed page/page.html
	pageSource string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/*.js
	pageModules embed.FS

	// pageScript is one module, of which the files are parts.
	pageScript = sync.OnceValue(func() string {
		var script strings.Builder
		for _, name := range []string{"dom", "data", "filter", "source", "findings", "state", "version", "timeline", "main"} {
			part, err := pageModules.ReadFile("page/" + name + ".js")
			sure(err)
			script.Write(part)
		}
		return script.String()
	})
)

const (
	// maxWithoutScript bounds the findings that the page lists for browsers that run
	// no script.
	maxWithoutScript = 200
	// maxAgents bounds the agents that the page lists.
	maxAgents = 100
)

// writeHTML writes one page: totals, rules, agents, and each thread with its findings
// and the timeline of its messages and versions.
func writeHTML(w *bufio.Writer, r *lint.Report, o *Options) {
	page := template.Must(template.New("page").Funcs(template.FuncMap{
		"clean": clean, "count": count, "noun": plural,
		"where": func(f *lint.Finding) string { return place(f.Path, f.Range) + inBrackets(subject(f)) },
		"prose": func(rule lint.Rule) string { return pageOf(&rule).Prose },
	}).Parse(pageSource))
	data := newPageData(r)
	verdict, severity, failures := verdict(r), "none", failureLines(r)
	switch {
	case len(failures) > 0:
		severity, failures = lint.Error.String(), append(failures, meaning(r.Failures...))
	case len(r.Findings) > 0:
		severity = firstMostSevere(r.Findings).Severity.String()
	}
	agents, byAgent := pageAgents(r)
	agents, moreAgents := first(agents, maxAgents)
	listed, more := first(bySeverity(r.Findings), maxWithoutScript)
	var out strings.Builder
	sure(page.Execute(&out, map[string]any{
		"Version": clean(o.Version), "Verdict": verdict, "Rest": strings.TrimPrefix(Summary(r), verdict),
		"Worst": severity, "Failures": failures, "Notices": r.Notices, "Totals": pageTotals(r), "Rules": tallies("rule", r.Findings), "About": rulesByID(r),
		"Agents": agents, "ByAgent": byAgent, "MoreAgents": len(moreAgents), "Listed": listed, "More": len(more),
		"Data": data, "Style": template.CSS(pageStyle), "Script": template.JS(pageScript()),
		"StyleHash": cspHash(pageStyle), "ScriptHash": cspHash(pageScript()),
	}))
	w.WriteString(out.String())
}

// cspHash names an inline text in a content security policy.
func cspHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageTotal is a number of things that the head of the page shows; none only if it has a class.
type pageTotal struct {
	Count       int
	Noun, Class string
}

func pageTotals(r *lint.Report) []pageTotal {
	s := &r.Summary
	deltas, lost := 0, 0
	for _, a := range r.Agents {
		deltas, lost = deltas+a.Deltas, lost+a.Lost()
	}
	totals := []pageTotal{
		{s.Errors, "error", "error"}, {s.Warnings, "warning", "warning"}, {s.Info, "info", "info"},
		{s.Threads, "thread", ""}, {s.Messages, "message", ""}, {s.Artifacts, "artifact", ""}, {deltas, "delta", ""},
	}
	if deltas > 0 {
		totals = append(totals, pageTotal{lost, "lost delta", "lost"})
	}
	return slices.DeleteFunc(totals, func(t pageTotal) bool { return t.Count == 0 && t.Class == "" })
}

// pageAgents returns the agents with a name, those who lose most first, and counts the findings in
// the mail of each.
func pageAgents(r *lint.Report) (agents []lint.AgentView, findings map[string]int) {
	findings = map[string]int{}
	for _, f := range r.Findings {
		if f.Mail != nil && !f.Artifact {
			findings[f.Mail.From]++
		}
	}
	agents = slices.DeleteFunc(slices.Clone(r.Agents), func(a lint.AgentView) bool { return a.Name == "" })
	slices.SortStableFunc(agents, func(a, b lint.AgentView) int {
		return cmp.Or(cmp.Compare(b.Lost(), a.Lost()), cmp.Compare(findings[b.Name], findings[a.Name]), cmp.Compare(b.Messages, a.Messages))
	})
	return agents, findings
}

// maxShown bounds the findings of a page, the most severe first, so that it has some 5 MB
// at most. The engine bounds the threads and artifacts that it shows whole.
const maxShown = 4000

// pageData is what the script of a page shows, as JSON, with texts as they may be shown. The
// script sorts it into groups: threads with their artifacts, and files of no thread.
type pageData struct {
	Findings []pageFinding       `json:"findings,omitempty"`
	Threads  []lint.ThreadView   `json:"threads,omitempty"`
	Files    []lint.ArtifactView `json:"files,omitempty"`
	Omitted  int                 `json:"omitted,omitempty"` // findings that the page does not show
	Checked  int                 `json:"checked"`           // threads, also those that it does not show
}

// pageFinding is a finding, and what tells the script where it belongs.
type pageFinding struct {
	Rule     string        `json:"rule"`
	Name     string        `json:"name"`
	Severity lint.Severity `json:"severity"`
	Message  string        `json:"message"`
	Help     string        `json:"help,omitempty"`
	Fix      bool          `json:"fix,omitempty"`

	Path     string            `json:"path"`
	Place    string            `json:"place,omitempty"` // line:column
	Artifact bool              `json:"artifact,omitempty"`
	Thread   string            `json:"thread,omitempty"`
	ID       string            `json:"id,omitempty"`   // of the message
	Mail     *lint.MessageView `json:"mail,omitempty"` // the message, without its body
	BodyLine int               `json:"bodyLine,omitempty"`

	Frame   *SourceFrame  `json:"frame,omitempty"`
	Related []pageRelated `json:"related,omitempty"`
}

type pageRelated struct {
	Text  string `json:"text"`
	Where string `json:"where"`
}

func newPageData(r *lint.Report) *pageData {
	shown, left := lint.MostSevere(r.Findings, maxShown)
	p := &pageData{Omitted: len(left), Checked: r.Summary.Threads}
	for _, f := range shown {
		p.Findings = append(p.Findings, newPageFinding(f))
	}
	p.Threads = each(r.Threads, func(t *lint.ThreadView) {
		t.ID, t.Project, t.Messages, t.Versions = clean(t.ID), clean(t.Project), each(t.Messages, cleanMessage), each(t.Versions, cleanVersion)
	})
	p.Files = each(r.Artifacts, func(a *lint.ArtifactView) {
		a.Path, a.Thread, a.Text = cleanName(a.Path), clean(a.Thread), cleanLines(a.Text)
	})
	return p
}

func newPageFinding(f *lint.Finding) pageFinding {
	out := pageFinding{
		Rule: clean(f.Rule), Name: clean(f.Name), Severity: f.Severity, Message: clean(f.Message), Help: clean(f.Suggestion), Fix: canFix(f),
		Path: cleanName(f.Path), Place: strings.TrimPrefix(lineAndColumn(f.Range), ":"), Artifact: f.Artifact,
		Thread: clean(f.Thread), ID: clean(f.MessageID), Frame: NewSourceFrame(f.Frame),
	}
	if m := f.Mail; m != nil {
		out.Mail = &lint.MessageView{Path: f.Path, ID: m.ID, Subject: m.Subject, From: m.From, Time: brenner.FormatMinute(m.Time)}
		cleanMessage(out.Mail)
	}
	if f.Body != nil {
		out.BodyLine = f.Body.Line
	}
	for _, r := range f.Related {
		where := place(r.Path, r.Range)
		if r.Mail != nil && r.Mail.ID != "" {
			where = "message " + clean(r.Mail.ID) + separator + where
		}
		out.Related = append(out.Related, pageRelated{clean(r.Message), where})
	}
	return out
}

// cleanMessage makes the texts of a message safe to show.
func cleanMessage(m *lint.MessageView) {
	m.Path, m.ID, m.Type = cleanName(m.Path), clean(m.ID), clean(cmp.Or(m.Type, "MAIL"))
	m.Subject, m.From, m.Body = clean(m.Subject), clean(m.From), cleanLines(m.Body)
}

// cleanVersion makes the texts of a version safe to show, and says why deltas had no effect.
func cleanVersion(v *lint.VersionView) {
	v.Deltas = each(v.Deltas, func(d *lint.DeltaView) { d.Item, d.Rule, d.Reason = clean(d.Item), clean(d.Rule), reasonOf(d) })
	eachItem(v, func(it *lint.ItemView) { it.Title = clean(it.Title) }, func(f *lint.FieldView) {
		f.Key, f.Part, f.Before, f.After = clean(f.Key), clean(f.Part), cleanLines(f.Before), cleanLines(f.After)
	})
}

// reasonOf is why a delta had no effect, "" if its outcome says it.
func reasonOf(d *lint.DeltaView) string {
	k := d.Kill
	switch {
	case k == nil:
		return clean(d.Reason)
	case k.By == "" && k.At.IsZero():
		return "the item is killed"
	case k.At.IsZero():
		return clean(k.By) + " killed the item"
	}
	return clean(cmp.Or(k.By, "somebody")) + " killed the item at " + brenner.FormatTime(k.At)
}

// SourceFrame is the source around a finding: whole lines, then the line with the fault in three
// parts: before, in and after it.
type SourceFrame struct {
	From  int       `json:"from"` // the number of the first line
	Lines []string  `json:"lines,omitempty"`
	Mark  [3]string `json:"mark"`
}

// maxLine bounds what a frame shows of a line, in bytes.
const maxLine = 600

// NewSourceFrame returns a frame as a page shows it; nil if there is none.
func NewSourceFrame(f *lint.Frame) *SourceFrame {
	if f == nil {
		return nil
	}
	last := len(f.Lines) - 1
	out := &SourceFrame{From: f.Line}
	for _, l := range f.Lines[:last] {
		out.Lines = append(out.Lines, cutLine(cleanLines(l), maxLine))
	}
	line := strings.TrimSuffix(f.Lines[last], "\r")
	start, end := min(f.Start, len(line)), min(f.End, len(line))
	at := 0
	if len(line) > maxLine {
		at = source.RuneStart(line, max(0, start-maxLine/3))
	}
	before, after := line[at:start], line[end:]
	if at > 0 {
		before = "…" + before
	}
	room := maxLine - min(maxLine, start-at)
	out.Mark = [3]string{cleanLines(before), cutLine(cleanLines(line[start:end]), room), cutLine(cleanLines(after), max(0, room-(end-start)))}
	return out
}

// cutLine returns the beginning of a line.
func cutLine(line string, n int) string {
	if len(line) <= n {
		return line
	}
	return line[:source.RuneStart(line, n)] + "…"
}
