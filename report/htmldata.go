package report

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// maxShown bounds the findings of a page, the most severe first, so that it has some 5 MB
// at most. The engine bounds the threads and artifacts that it shows whole.
const maxShown = 4000

// pageData is what the script of a page shows, as JSON: all findings, with numbers for what
// repeats.
type pageData struct {
	Rules  numbering[[2]string] `json:"rules"` // id and name
	Agents numbering[string]    `json:"agents"`
	Paths  numbering[string]    `json:"paths"`
	Groups []*pageGroup         `json:"groups"`
	// Omitted counts findings, and Clean threads without any, that the page does not show.
	Omitted int `json:"omitted,omitempty"`
	Clean   int `json:"clean,omitempty"`

	threads map[string]*pageGroup // by id, the first of it
	files   map[string]*pageGroup // by path, of no thread
	places  map[messageKey]pagePlace
	entries map[entryKey]*pageEntry
}

// pagePlace is where a message of a view is: in the group, from 1.
type pagePlace struct {
	group  *pageGroup
	number int
}

// entryKey distinguishes the messages and files with findings of a group.
type entryKey struct {
	group *pageGroup
	messageKey
}

// pageGroup is a part of the page: a thread with the artifacts that are made of it,
// or a file that belongs to no thread.
type pageGroup struct {
	Title   string       `json:"title"`
	Project string       `json:"project,omitempty"`
	Thread  bool         `json:"thread,omitempty"`
	Entries []*pageEntry `json:"entries,omitempty"` // with findings

	// What is shown when it is opened.
	Messages []pageMessage       `json:"messages,omitempty"`
	Versions []lint.VersionView  `json:"versions,omitempty"`
	Files    []lint.ArtifactView `json:"files,omitempty"`

	messages []lint.MessageView
	worst    lint.Severity // of its findings, and their number
	found    int
}

// pageEntry is a message or file with its findings.
type pageEntry struct {
	// Message and File are its place among those of the group, from 1.
	Message int `json:"message,omitempty"`
	File    int `json:"file,omitempty"`
	pageMessage
	Findings []pageFinding `json:"findings"`

	findings []*lint.Finding
}

// pageMessage is a message, or the path of a file with findings.
type pageMessage struct {
	Type  string `json:"type,omitempty"`
	Title string `json:"title,omitempty"`
	From  int    `json:"from"` // a number of Agents, -1 if unknown
	Time  string `json:"time,omitempty"`
	ID    string `json:"id,omitempty"`
	Path  int    `json:"path"`
	Body  string `json:"body,omitempty"`
}

// pageFinding is a finding and where it is.
type pageFinding struct {
	Rule     int    `json:"rule"`
	Severity int    `json:"severity"`
	Message  string `json:"message"`
	Help     string `json:"help,omitempty"`
	Place    string `json:"place,omitempty"`
	Fix      bool   `json:"fix,omitempty"`

	Line    int           `json:"line,omitempty"` // in the body or file, from 1
	Frame   *SourceFrame  `json:"frame,omitempty"`
	Related []pageRelated `json:"related,omitempty"`
}

type pageRelated struct {
	Text  string `json:"text"`
	Where string `json:"where"`
}

// numbering gives each thing a number, its place in the list. Its JSON is the list.
type numbering[T comparable] struct {
	list   []T
	number map[T]int
}

func (n *numbering[T]) of(thing T) int {
	i, ok := n.number[thing]
	if !ok {
		if n.number == nil {
			n.number = map[T]int{}
		}
		i = len(n.list)
		n.number[thing], n.list = i, append(n.list, thing)
	}
	return i
}

func (n numbering[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.list) }

// newPageData lays out the groups: threads, then the files of no thread, those with
// the most severe and most findings first.
func newPageData(r *lint.Report) *pageData {
	p := &pageData{
		Rules: numbering[[2]string]{list: [][2]string{}}, Groups: []*pageGroup{},
		threads: map[string]*pageGroup{}, files: map[string]*pageGroup{}, places: map[messageKey]pagePlace{}, entries: map[entryKey]*pageEntry{},
	}
	p.addViews(r)
	shown := severest(r.Findings, maxShown)
	p.Omitted = len(r.Findings) - len(shown)
	for _, f := range shown {
		g, e := p.entryOf(f)
		g.worst, g.found = min(g.worst, f.Severity), g.found+1
		e.findings = append(e.findings, f)
	}
	slices.SortStableFunc(p.Groups, func(a, b *pageGroup) int {
		return cmp.Or(cmp.Compare(a.worst, b.worst), cmp.Compare(b.found, a.found))
	})
	p.Clean = r.Summary.Threads
	for _, g := range p.Groups {
		if g.Thread {
			p.Clean = max(0, p.Clean-1)
		}
		// What is about the whole thread comes first, and files last.
		slices.SortStableFunc(g.Entries, func(a, b *pageEntry) int {
			return cmp.Or(cmp.Compare(min(a.File, 1), min(b.File, 1)), cmp.Compare(a.Message, b.Message))
		})
		for _, e := range g.Entries {
			for _, f := range e.findings {
				e.Findings = append(e.Findings, p.finding(e, f))
			}
		}
		p.fill(g)
	}
	return p
}

// finding returns a finding of an entry.
func (p *pageData) finding(e *pageEntry, f *lint.Finding) pageFinding {
	out := pageFinding{
		Rule: p.Rules.of([2]string{clean(f.Rule), clean(f.Name)}), Severity: int(f.Severity),
		Message: clean(f.Message), Help: clean(f.Suggestion), Fix: canFix(f), Place: place(f.Path, f.Range),
		Frame: NewSourceFrame(f.Frame),
	}
	if cleanName(f.Path) == p.Paths.list[e.Path] {
		out.Place = strings.TrimPrefix(lineAndColumn(f.Range), ":")
	}
	switch {
	case e.Message > 0 && f.Body != nil:
		out.Line = f.Body.Line
	case e.File > 0 && f.Range != nil:
		out.Line = f.Range.Start.Line
	}
	for _, r := range f.Related {
		where := place(r.Path, r.Range)
		if r.Mail != nil && r.Mail.ID != "" {
			where = "message " + clean(r.Mail.ID) + " · " + where
		}
		out.Related = append(out.Related, pageRelated{clean(r.Message), where})
	}
	return out
}

// addViews makes groups of the views.
func (p *pageData) addViews(r *lint.Report) {
	for _, t := range r.Threads {
		if len(t.Messages) == 0 {
			continue
		}
		g := p.addGroup(clean(cmp.Or(t.ID, "no thread")))
		g.Thread, g.Project, g.messages, g.Versions = true, clean(t.Project), t.Messages, t.Versions
		if t.ID != "" && p.threads[t.ID] == nil {
			p.threads[t.ID] = g
		}
		for i, m := range t.Messages {
			key := messageKey{m.Path, t.ID, m.ID}
			if _, ok := p.places[key]; !ok {
				p.places[key] = pagePlace{g, i + 1}
			}
		}
	}
	for _, a := range r.Artifacts {
		g := p.threads[a.Thread]
		if g == nil {
			g = p.fileGroup(a.Path)
		}
		g.Files = append(g.Files, a)
	}
}

func (p *pageData) addGroup(title string) *pageGroup {
	g := &pageGroup{Title: title, worst: lint.Info + 1}
	p.Groups = append(p.Groups, g)
	return g
}

// fileGroup returns the group of a file of no thread.
func (p *pageData) fileGroup(path string) *pageGroup {
	if p.files[path] == nil {
		p.files[path] = p.addGroup(cleanName(path))
	}
	return p.files[path]
}

// groupOf returns the group of a finding that is about no message of a view.
func (p *pageData) groupOf(f *lint.Finding) *pageGroup {
	g := p.threads[f.Thread]
	switch {
	case g != nil:
		return g
	case f.Thread == "" || f.Artifact:
		return p.fileGroup(f.Path)
	}
	g = p.addGroup(clean(f.Thread))
	g.Thread, p.threads[f.Thread] = true, g
	return g
}

// entryOf returns the entry of a finding and its group, which are made if it is the first one.
func (p *pageData) entryOf(f *lint.Finding) (*pageGroup, *pageEntry) {
	id := messageKey{f.Path, f.Thread, f.MessageID}
	at := p.places[id]
	if at.group == nil || f.Artifact {
		at, id = pagePlace{group: p.groupOf(f)}, messageKey{path: f.Path}
		if f.Mail != nil {
			id, _ = concerned(f)
		}
	}
	g, key := at.group, entryKey{at.group, id}
	if e := p.entries[key]; e != nil {
		return g, e
	}
	e := &pageEntry{Message: at.number, pageMessage: pageMessage{From: -1, Path: p.Paths.of(cleanName(f.Path))}}
	switch {
	case at.number > 0:
		e.pageMessage = p.message(&g.messages[at.number-1])
	case f.Mail != nil && !f.Artifact:
		e.pageMessage = p.message(&lint.MessageView{Path: f.Path, ID: f.Mail.ID, Subject: f.Mail.Subject, From: f.Mail.From, Time: f.Mail.Time})
	default:
		e.File = 1 + slices.IndexFunc(g.Files, func(a lint.ArtifactView) bool { return a.Path == f.Path })
	}
	p.entries[key], g.Entries = e, append(g.Entries, e)
	return g, e
}

// fill adds what a group shows when it is opened.
func (p *pageData) fill(g *pageGroup) {
	for i := range g.messages {
		m := p.message(&g.messages[i])
		m.Body = cleanLines(g.messages[i].Body)
		g.Messages = append(g.Messages, m)
	}
	g.Versions = each(g.Versions, cleanVersion)
	g.Files = each(g.Files, func(a *lint.ArtifactView) { a.Path, a.Text = cleanName(a.Path), cleanLines(a.Text) })
}

// message returns a message without its body.
func (p *pageData) message(m *lint.MessageView) pageMessage {
	out := pageMessage{
		Type: clean(cmp.Or(m.Type, "MAIL")), Title: clean(m.Subject), From: -1, Time: shownMinute(m.Time), ID: clean(m.ID),
		Path: p.Paths.of(cleanName(m.Path)),
	}
	if m.From != "" {
		out.From = p.Agents.of(clean(m.From))
	}
	return out
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
	if f == nil || len(f.Lines) == 0 {
		return nil
	}
	last := len(f.Lines) - 1
	out := &SourceFrame{From: f.Line}
	for _, l := range f.Lines[:last] {
		out.Lines = append(out.Lines, cutLine(cleanLines(l), maxLine))
	}
	line := strings.TrimSuffix(f.Lines[last], "\r")
	start := min(max(f.Start, 0), len(line))
	end := min(max(f.End, start), len(line))
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
