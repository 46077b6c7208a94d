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

	// pageScript is one module, of which the files are parts.
	pageScript = sync.OnceValue(func() string {
		var script strings.Builder
		for _, name := range []string{"dom", "data", "filter", "source", "findings", "state", "version", "timeline", "main"} {
			part, err := pageModules.ReadFile("page/" + name + ".js")
			if err != nil {
				panic(err)
			}
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
		"clean": clean, "count": count, "where": whereOf,
		"prose": func(rule lint.Rule) string { return pageOf(&rule).Prose },
	}).Parse(pageSource))
	data := newPageData(r)
	verdict, severity, failures := verdict(r), "none", failureLines(r)
	switch {
	case len(failures) > 0:
		severity, failures = lint.Error.String(), append(failures, meaning(r.Failures...))
	case len(r.Findings) > 0:
		severity = worst(r.Findings).Severity.String()
	}
	agents, listed := pageAgents(r), bySeverity(r.Findings)
	var out strings.Builder
	mustEncode(page.Execute(&out, map[string]any{
		"Version": clean(o.Version), "Verdict": verdict, "Rest": strings.TrimPrefix(Summary(r), verdict),
		"Worst": severity, "Failures": failures, "Notices": r.Notices, "Totals": pageTotals(r), "Rules": tallies("rule", r.Findings), "About": rulesByID(r),
		"Agents": agents[:min(len(agents), maxAgents)], "MoreAgents": max(0, len(agents)-maxAgents),
		"Listed": listed[:min(len(listed), maxWithoutScript)], "More": max(0, len(listed)-maxWithoutScript),
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

// pageTotal is a number that the head of the page shows.
type pageTotal struct {
	Count       int
	Noun, Class string
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
			out = append(out, pageAgent{a, name, findings[name]})
		}
	}
	slices.SortStableFunc(out, func(a, b pageAgent) int {
		return cmp.Or(cmp.Compare(b.Lost(), a.Lost()), cmp.Compare(b.Findings, a.Findings), cmp.Compare(b.Messages, a.Messages))
	})
	return out
}

// whereOf says where a finding is, and what it is about.
func whereOf(f *lint.Finding) string {
	return place(f.Path, f.Range) + inBrackets(subject(f))
}
