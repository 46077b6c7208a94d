package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/lint"
)

// The page is put together from templates, which escape everything they are
// given; findings and source, of which there may be very many, from Go code that
// escapes each text by itself (escape). The content security policy allows no script and no style but the two
// below, by their hashes, and nothing from outside.
var (
	//go:embed page/page.html
	pageSource string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

// maxShown bounds the texts that a page shows whole, in bytes. Beyond it a text
// is shown around its findings only.
const maxShown = 8 << 20

// htmlWriter writes the html format.
type htmlWriter struct {
	w      *bufio.Writer
	pages  *template.Template
	left   int // of maxShown
	mails  map[mailKey][]*lint.Finding
	files  map[string][]*lint.Finding
	path   []string // the files with findings, in order
	groups []htmlGroup
}

// mailKey names a message among the findings.
type mailKey struct{ path, thread, id string }

// writeHTML writes one page: each thread as a timeline of its messages, each
// message and file with its findings in place. Without the views of threads and
// artifacts, findings are under their files with the source around them.
func writeHTML(w *bufio.Writer, r *lint.Report, o *Options) {
	h := &htmlWriter{
		w: w, left: maxShown,
		pages: template.Must(template.New("page").Parse(pageSource)),
		mails: map[mailKey][]*lint.Finding{}, files: map[string][]*lint.Finding{},
	}
	h.sort(r)
	h.plan(r)
	rules := htmlRules(r)
	h.execute("head", h.head(r, rules, o))
	for i := range h.groups {
		h.group(i, &h.groups[i])
	}
	h.execute("foot", map[string]any{"Rules": rules, "Script": template.JS(pageScript)})
}

// execute writes a template. Its errors are those of the writer, which keeps
// them, or faults of the program.
func (h *htmlWriter) execute(name string, data any) {
	if err := h.pages.ExecuteTemplate(h.w, name, data); err != nil && h.w.Flush() == nil {
		panic(fmt.Errorf("execute template %s: %w", name, err))
	}
}

// sort files the findings under the message or the file they are about.
func (h *htmlWriter) sort(r *lint.Report) {
	views := map[mailKey]bool{}
	for i := range r.Threads {
		for j := range r.Threads[i].Messages {
			m := &r.Threads[i].Messages[j]
			views[mailKey{m.Path, r.Threads[i].ID, m.ID}] = true
		}
	}
	for _, f := range r.Findings {
		if key := (mailKey{f.Path, f.Thread, f.MessageID}); views[key] {
			h.mails[key] = append(h.mails[key], f)
			continue
		}
		if h.files[f.Path] == nil {
			h.path = append(h.path, f.Path)
		}
		h.files[f.Path] = append(h.files[f.Path], f)
	}
}

// htmlGroup is a part of the page: a thread with the artifacts that are made of
// it, or a file that belongs to no thread.
type htmlGroup struct {
	title, project string
	entries        []htmlEntry
	count          int
}

// htmlEntry is a message or file on the page.
type htmlEntry struct {
	message  *lint.MessageView
	path     string // of a file
	text     string // the body or the file
	known    bool   // text is given
	findings []*lint.Finding
}

// plan lays out the groups: threads, then the files of no thread.
func (h *htmlWriter) plan(r *lint.Report) {
	artifacts := map[string][]*lint.ArtifactView{}
	byPath := map[string]*lint.ArtifactView{}
	for i := range r.Artifacts {
		a := &r.Artifacts[i]
		artifacts[a.Thread] = append(artifacts[a.Thread], a)
		byPath[a.Path] = a
	}
	placed := map[string]bool{}
	for i := range r.Threads {
		t := &r.Threads[i]
		if len(t.Messages) == 0 {
			continue
		}
		g := htmlGroup{title: t.ID, project: t.Project}
		if t.ID == "" {
			g.title = "no thread"
		}
		for j := range t.Messages {
			m := &t.Messages[j]
			g.add(htmlEntry{message: m, text: m.Body, known: m.Body != "", findings: h.mails[mailKey{m.Path, t.ID, m.ID}]})
			delete(h.mails, mailKey{m.Path, t.ID, m.ID}) // a second view of it shows no findings again
		}
		if t.ID != "" {
			for _, a := range artifacts[t.ID] {
				if !placed[a.Path] {
					placed[a.Path] = true
					g.add(htmlEntry{path: a.Path, text: a.Text, known: a.Text != "", findings: h.files[a.Path]})
				}
			}
		}
		h.groups = append(h.groups, g)
	}
	paths := h.path
	for i := range r.Artifacts {
		if path := r.Artifacts[i].Path; h.files[path] == nil {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		if placed[path] {
			continue
		}
		placed[path] = true
		g := htmlGroup{title: path}
		e := htmlEntry{path: path, findings: h.files[path]}
		if a := byPath[path]; a != nil {
			e.text, e.known = a.Text, a.Text != ""
		}
		g.add(e)
		h.groups = append(h.groups, g)
	}
}

func (g *htmlGroup) add(e htmlEntry) {
	g.entries = append(g.entries, e)
	g.count += len(e.findings)
}

// worst is the most severe severity among findings, "none" without any.
func worst(findings []*lint.Finding) string {
	out := lint.Severity(0)
	for _, f := range findings {
		if out == 0 || f.Severity < out {
			out = f.Severity
		}
	}
	if out == 0 {
		return "none"
	}
	return out.String()
}

type htmlCount struct {
	Name  string
	Count int
}

type htmlGroupOption struct {
	Key, Count int
	Title      string
}

// head is the data of the page's head.
func (h *htmlWriter) head(r *lint.Report, rules []htmlRule, o *Options) map[string]any {
	var groups []htmlGroupOption
	for i, g := range h.groups {
		groups = append(groups, htmlGroupOption{i, g.count, clean(g.title)})
	}
	notices := make([]string, len(r.Notices))
	for i, n := range r.Notices {
		notices[i] = clean(n)
	}
	verdict, worst := verdict(r), worst(r.Findings)
	failures := failureLines(r)
	if len(failures) > 0 {
		worst, failures = lint.Error.String(), append(failures, failureMeaning)
	}
	return map[string]any{
		"Version": clean(o.Version), "Verdict": verdict, "Rest": strings.TrimPrefix(summaryLine(r), verdict),
		"Worst": worst, "Failures": failures, "Notices": notices, "Findings": len(r.Findings),
		"Severities": []htmlCount{{"error", r.Summary.Errors}, {"warning", r.Summary.Warnings}, {"info", r.Summary.Info}},
		"Rules":      rules, "Groups": groups,
		"Style": template.CSS(pageStyle), "StyleHash": cspHash(pageStyle), "ScriptHash": cspHash(pageScript),
	}
}

// cspHash names an inline text in a content security policy.
func cspHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// htmlRule is a rule that was broken.
type htmlRule struct {
	ID, Name, Summary, Help, Source string
	Count                           int
}

// htmlRules documents the rules that were broken.
func htmlRules(r *lint.Report) []htmlRule {
	byID := map[string]*lint.Rule{}
	for _, rule := range r.Rules {
		byID[rule.ID] = rule
	}
	var out []htmlRule
	for _, t := range tallies("rule", r.Findings) {
		h := htmlRule{ID: t.Key, Name: t.Name, Count: t.findings()}
		if rule := byID[t.Key]; rule != nil {
			h.Summary, h.Source = rule.Summary, rule.SpecRef
			if rule.Archive != nil {
				h.Help = strings.TrimSpace(string(txtar.Parse(rule.Archive()).Comment))
			}
		}
		out = append(out, h)
	}
	return out
}

type htmlStep struct {
	ID, Type, Title, Worst string
	Count                  int
}

// group writes a thread or file.
func (h *htmlWriter) group(key int, g *htmlGroup) {
	var strip []htmlStep
	for i := range g.entries {
		e := &g.entries[i]
		if len(g.entries) > 1 {
			strip = append(strip, htmlStep{entryID(key, i), e.kind(), e.title(), worst(e.findings), len(e.findings)})
		}
	}
	h.execute("group", map[string]any{"Key": key, "Title": clean(g.title), "Project": clean(g.project), "Strip": strip})
	for i := range g.entries {
		h.entry(entryID(key, i), &g.entries[i], len(g.entries) == 1)
	}
	h.w.WriteString("</section>\n")
}

func entryID(group, entry int) string { return "e" + strconv.Itoa(group) + "-" + strconv.Itoa(entry) }

// kind is what a timeline calls an entry.
func (e *htmlEntry) kind() string {
	switch {
	case e.message == nil:
		return "FILE"
	case e.message.Type == "":
		return "MAIL"
	default:
		return clean(e.message.Type)
	}
}

func (e *htmlEntry) title() string {
	if e.message == nil {
		return cleanName(e.path)
	}
	return clean(e.message.Subject)
}

// entry writes a message or file with its findings. A file alone in its group
// needs no heading of its own.
func (h *htmlWriter) entry(id string, e *htmlEntry, alone bool) {
	data := map[string]any{
		"ID": id, "Kind": "file", "Type": e.kind(), "Title": e.title(), "Worst": worst(e.findings), "Count": len(e.findings),
		"Time": "", "From": "", "Number": "", "Path": "", "Alone": alone && e.message == nil,
	}
	if m := e.message; m != nil {
		data["Kind"], data["From"], data["Number"], data["Path"] = "message", clean(m.From), clean(m.ID), cleanName(m.Path)
		if !m.Time.IsZero() {
			data["Time"] = m.Time.UTC().Format("2006-01-02 15:04Z")
		}
	}
	h.execute("entry", data)
	h.text(e)
	h.w.WriteString("</article>\n")
}
