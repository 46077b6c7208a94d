package report

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/lint"
)

// The page shows totals and tables as they are written here, and everything else by
// its script from the data that it holds as JSON (htmldata.go). Templates escape what they are
// given; the script makes texts of data and never markup. The content security policy allows
// only the script and the style below, by their hashes, and nothing from outside.
var (
	//go:embed page/page.html
	pageSource string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/*.js
	pageModules embed.FS

	pageScript = sync.OnceValue(func() string {
		return joinModules("dom.js", "data.js", "filter.js", "source.js", "findings.js", "state.js", "version.js", "timeline.js", "main.js")
	})
)

// joinModules returns the script of the page: its files are parts of one module.
func joinModules(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		data, err := pageModules.ReadFile("page/" + name)
		if err != nil {
			panic(err)
		}
		b.Write(data)
	}
	return b.String()
}

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
	pages := template.Must(template.New("page").Funcs(template.FuncMap{"clean": clean, "where": whereOf}).Parse(pageSource))
	execute := func(name string, data any) {
		// Its errors are those of the writer, which keeps them, or faults of the program.
		if err := pages.ExecuteTemplate(w, name, data); err != nil && w.Flush() == nil {
			panic(fmt.Errorf("execute template %s: %w", name, err))
		}
	}
	data, help := newPageData(r), rulesHelp(r)
	execute("head", pageHead(r, data, help, o))
	encoded, err := json.Marshal(data) // <, > and & are escaped, so that it can be inside markup
	if err != nil {
		panic(fmt.Errorf("encode the data of a page: %w", err)) // texts and numbers
	}
	fmt.Fprintf(w, "<script type=\"application/json\" id=\"data\">%s</script>\n", encoded)
	execute("foot", map[string]any{"Rules": help, "Version": clean(o.Version), "Script": template.JS(pageScript())})
}

// cspHash names an inline text in a content security policy.
func cspHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageTotal is a number that the head of the page shows.
type pageTotal struct {
	Count       int
	Noun, Class string
}

// pageHead returns the data of the page's head.
func pageHead(r *lint.Report, p *pageData, help []pageHelp, o *Options) map[string]any {
	var notices []string
	for _, n := range r.Notices {
		notices = append(notices, clean(n))
	}
	if p.Omitted > 0 {
		notices = append(notices, fmt.Sprintf("%s not on this page, which shows the %d most severe; other formats have all", count(p.Omitted, "finding"), maxShown))
	}
	verdict, severity := verdict(r), "none"
	if len(r.Findings) > 0 {
		severity = worst(r.Findings).Severity.String()
	}
	failures := failureLines(r)
	if len(failures) > 0 {
		severity, failures = lint.Error.String(), append(failures, meaning(r.Failures...))
	}
	listed := bySeverity(r.Findings)
	more := max(0, len(listed)-maxWithoutScript)
	agents := pageAgents(r)
	return map[string]any{
		"Version": clean(o.Version), "Verdict": verdict, "Rest": strings.TrimPrefix(Summary(r), verdict),
		"Worst": severity, "Failures": failures, "Notices": notices, "Totals": pageTotals(r),
		"Rules": help, "Agents": agents[:min(len(agents), maxAgents)], "MoreAgents": max(0, len(agents)-maxAgents),
		"Listed": listed[:len(listed)-more], "More": more,
		"Style": template.CSS(pageStyle), "StyleHash": cspHash(pageStyle), "ScriptHash": cspHash(pageScript()),
	}
}

func pageTotals(r *lint.Report) []pageTotal {
	s := &r.Summary
	totals := []pageTotal{{s.Errors, "error", "error"}, {s.Warnings, "warning", "warning"}, {s.Info, "info", "info"}}
	for _, t := range []pageTotal{{s.Threads, "thread", ""}, {s.Messages, "message", ""}, {s.Artifacts, "artifact", ""}} {
		if t.Count > 0 {
			totals = append(totals, t)
		}
	}
	deltas, lost := 0, 0
	for i := range r.Agents {
		deltas, lost = deltas+r.Agents[i].Deltas, lost+r.Agents[i].Lost()
	}
	if deltas > 0 {
		totals = append(totals, pageTotal{deltas, "delta", ""}, pageTotal{lost, "lost delta", "lost"})
	}
	for i := range totals {
		_, totals[i].Noun, _ = strings.Cut(count(totals[i].Count, totals[i].Noun), " ")
	}
	return totals
}

// pageAgent is an agent with what became of its contributions.
type pageAgent struct {
	lint.AgentView
	Name     string // as it may be shown
	Dropped  int    // in favour of a KILL, before or at its instant
	Findings int
}

// pageAgents returns the agents, those who lose most first.
func pageAgents(r *lint.Report) []pageAgent {
	findings := map[string]int{}
	for _, f := range r.Findings {
		if f.Mail != nil && !f.Artifact {
			findings[clean(f.Mail.From)]++
		}
	}
	var out []pageAgent
	for _, a := range r.Agents {
		if name := clean(a.Name); name != "" {
			out = append(out, pageAgent{a, name, a.Dropped + a.Skipped, findings[name]})
		}
	}
	slices.SortStableFunc(out, func(a, b pageAgent) int {
		return cmp.Or(cmp.Compare(b.Lost(), a.Lost()), cmp.Compare(b.Findings, a.Findings), cmp.Compare(b.Messages, a.Messages))
	})
	return out
}

// pageHelp is a rule that was broken, with what it is about.
type pageHelp struct {
	ID, Name, Worst, Summary, Help, Source string
	Count, Fixable                         int
}

// rulesHelp documents the rules that were broken, the most severe and frequent first.
func rulesHelp(r *lint.Report) []pageHelp {
	byID := map[string]*lint.Rule{}
	for _, rule := range r.Rules {
		byID[rule.ID] = rule
	}
	var out []pageHelp
	for _, t := range tallies("rule", r.Findings) {
		h := pageHelp{ID: clean(t.Key), Name: clean(t.Name), Worst: t.severity.String(), Count: t.findings(), Fixable: t.Fixable}
		if rule := byID[t.Key]; rule != nil {
			h.Summary, h.Source = rule.Summary, rule.SpecRef
			h.Help = prose(rule)
		}
		out = append(out, h)
	}
	return out
}

// whereOf says where a finding is, and what it is about.
func whereOf(f *lint.Finding) string {
	return place(f.Path, f.Range) + inBrackets(subject(f))
}
