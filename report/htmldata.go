package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// maxShown bounds the findings of a page, the most severe first, so that it has some 5 MB
// at most. The engine bounds the threads and artifacts that it shows whole.
const maxShown = 4000

// pageData is what the script of a page shows, as JSON: all findings, with numbers for what
// repeats.
type pageData struct {
	Rules  [][2]string  `json:"rules"` // id and name
	Agents []string     `json:"agents"`
	Paths  []string     `json:"paths"`
	Groups []*pageGroup `json:"groups"`
	// Omitted counts findings, and Clean threads without any, that the page does not show.
	Omitted int `json:"omitted,omitempty"`
	Clean   int `json:"clean,omitempty"`

	rules         numbering[[2]string]
	agents, paths numbering[string]
	threads       map[string]*pageGroup // by id, the first of it
	files         map[string]*pageGroup // by path, of no thread
	messages      map[messageKey]entryKey
	entries       map[entryKey]*pageEntry
}

// pageGroup is a part of the page: a thread with the artifacts that are made of it,
// or a file that belongs to no thread.
type pageGroup struct {
	Title   string       `json:"title"`
	Project string       `json:"project,omitempty"`
	Thread  bool         `json:"thread,omitempty"`
	Entries []*pageEntry `json:"entries,omitempty"` // with findings

	// What is shown when it is opened.
	Messages []pageMessage `json:"messages,omitempty"`
	Versions []pageVersion `json:"versions,omitempty"`
	Files    []pageFile    `json:"files,omitempty"`

	view  *lint.ThreadView
	files []*lint.ArtifactView
}

// pageEntry is a message or file with its findings.
type pageEntry struct {
	// Message and File are its place among those of the group, from 1.
	Message  int           `json:"message,omitempty"`
	File     int           `json:"file,omitempty"`
	Type     string        `json:"type,omitempty"` // of a message
	Title    string        `json:"title,omitempty"`
	From     int           `json:"from"` // a number of Agents, -1 if unknown
	Time     string        `json:"time,omitempty"`
	ID       string        `json:"id,omitempty"`
	Path     int           `json:"path"`
	Findings []pageFinding `json:"findings"`

	findings []*lint.Finding
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

// numbering gives each thing a number, its place in the list.
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

// newPageData lays out the groups: threads, then the files of no thread, those with
// the most severe and most findings first.
func newPageData(r *lint.Report) *pageData {
	p := &pageData{
		Groups:  []*pageGroup{},
		threads: map[string]*pageGroup{}, files: map[string]*pageGroup{}, messages: map[messageKey]entryKey{}, entries: map[entryKey]*pageEntry{},
	}
	p.addViews(r)
	shown := severest(r.Findings, maxShown)
	p.Omitted = len(r.Findings) - len(shown)
	for _, f := range shown {
		e := p.entryOf(f)
		e.findings = append(e.findings, f)
	}
	slices.SortStableFunc(p.Groups, func(a, b *pageGroup) int {
		wa, na := a.weight()
		wb, nb := b.weight()
		return cmp.Or(cmp.Compare(wa, wb), cmp.Compare(nb, na))
	})
	threads := 0
	for _, g := range p.Groups {
		if g.Thread {
			threads++
		}
		slices.SortStableFunc(g.Entries, func(a, b *pageEntry) int { return cmp.Compare(a.order(), b.order()) })
		for _, e := range g.Entries {
			e.Findings = p.findings(e)
		}
		p.fill(g)
	}
	p.Clean = max(0, r.Summary.Threads-threads)
	p.Rules, p.Agents, p.Paths = append([][2]string{}, p.rules.list...), p.agents.list, p.paths.list
	return p
}

// weight orders groups: the most severe severity, and the number of findings.
func (g *pageGroup) weight() (severity lint.Severity, n int) {
	severity = lint.Info + 1
	for _, e := range g.Entries {
		n += len(e.findings)
		for _, f := range e.findings {
			severity = min(severity, f.Severity)
		}
	}
	return severity, n
}

// order puts what is about the whole thread first and files last.
func (e *pageEntry) order() int {
	if e.File > 0 {
		return 1 << 30
	}
	return e.Message
}

// findings returns those of an entry.
func (p *pageData) findings(e *pageEntry) []pageFinding {
	out := make([]pageFinding, len(e.findings))
	for i, f := range e.findings {
		out[i] = pageFinding{
			Rule: p.rules.of([2]string{clean(f.Rule), clean(f.Name)}), Severity: int(f.Severity),
			Message: clean(f.Message), Help: clean(f.Suggestion), Fix: canFix(f), Place: place(f.Path, f.Range),
			Frame: NewSourceFrame(f.Frame), Related: relatedOf(f),
		}
		if cleanName(f.Path) == p.paths.list[e.Path] {
			out[i].Place = strings.TrimPrefix(lineAndColumn(f.Range), ":")
		}
		switch {
		case e.Message > 0 && f.Body != nil:
			out[i].Line = f.Body.Line
		case e.File > 0 && f.Range != nil:
			out[i].Line = f.Range.Start.Line
		}
	}
	return out
}

func relatedOf(f *lint.Finding) []pageRelated {
	var out []pageRelated
	for i := range f.Related {
		r := &f.Related[i]
		where := place(r.Path, r.Range)
		if r.Mail != nil && r.Mail.ID != "" {
			where = "message " + clean(r.Mail.ID) + " · " + where
		}
		out = append(out, pageRelated{clean(r.Message), where})
	}
	return out
}

// entryKey names an entry: a message of a view by its number, from 1, another by its id, or a
// file.
type entryKey struct {
	group  *pageGroup
	number int
	id     string
	path   string
}

// addViews makes groups of the views.
func (p *pageData) addViews(r *lint.Report) {
	for i := range r.Threads {
		t := &r.Threads[i]
		if len(t.Messages) == 0 {
			continue
		}
		g := p.addGroup(clean(cmp.Or(t.ID, "no thread")))
		g.view, g.Thread, g.Project = t, true, clean(t.Project)
		if t.ID != "" && p.threads[t.ID] == nil {
			p.threads[t.ID] = g
		}
		for j := range t.Messages {
			key := messageKey{t.Messages[j].Path, t.ID, t.Messages[j].ID}
			if _, ok := p.messages[key]; !ok {
				p.messages[key] = entryKey{group: g, number: j + 1}
			}
		}
	}
	for i := range r.Artifacts {
		a := &r.Artifacts[i]
		g := p.threads[a.Thread]
		if g == nil {
			g = p.addGroup(cleanName(a.Path))
			p.files[a.Path] = g
		}
		g.files = append(g.files, a)
	}
}

func (p *pageData) addGroup(title string) *pageGroup {
	g := &pageGroup{Title: title}
	p.Groups = append(p.Groups, g)
	return g
}

// groupOf returns the group of a finding that is about no message of a view.
func (p *pageData) groupOf(f *lint.Finding) *pageGroup {
	if g := p.threads[f.Thread]; g != nil {
		return g
	}
	if f.Thread != "" && !f.Artifact {
		g := p.addGroup(clean(f.Thread))
		g.Thread = true
		p.threads[f.Thread] = g
		return g
	}
	if p.files[f.Path] == nil {
		p.files[f.Path] = p.addGroup(cleanName(f.Path))
	}
	return p.files[f.Path]
}

// entryOf returns the entry of a finding, which is made if it is the first one.
func (p *pageData) entryOf(f *lint.Finding) *pageEntry {
	key, inView := p.messages[messageKey{f.Path, f.Thread, f.MessageID}]
	if !inView || f.Artifact {
		key = entryKey{group: p.groupOf(f), path: f.Path}
		if f.Mail != nil {
			key.id = f.Mail.ID + "\x00" + f.Mail.Subject
		}
	}
	if e := p.entries[key]; e != nil {
		return e
	}
	e := &pageEntry{Message: key.number, From: -1, Path: p.paths.of(cleanName(f.Path))}
	p.entries[key] = e
	key.group.Entries = append(key.group.Entries, e)
	var m pageMessage
	switch {
	case key.number > 0:
		m = p.message(&key.group.view.Messages[key.number-1])
	case f.Mail != nil && !f.Artifact:
		m = p.message(&lint.MessageView{Path: f.Path, ID: f.Mail.ID, Subject: f.Mail.Subject, From: f.Mail.From, Time: f.Mail.Time})
	default:
		e.File = 1 + slices.IndexFunc(key.group.files, func(a *lint.ArtifactView) bool { return a.Path == f.Path })
		return e
	}
	e.Type, e.Title, e.From, e.Time, e.ID = m.Type, m.Title, m.From, m.Time, m.ID
	return e
}

// SourceFrame is the source around a finding: whole lines, then the one that is cut
// where the fault begins and ends.
type SourceFrame struct {
	From  int       `json:"from"` // the number of the first line
	Lines []string  `json:"lines,omitempty"`
	Mark  [3]string `json:"mark"`
}

type pageMessage struct {
	Type  string `json:"type"`
	Title string `json:"title"`
	From  int    `json:"from"` // a number of Agents, -1 if unknown
	Time  string `json:"time,omitempty"`
	ID    string `json:"id,omitempty"`
	Path  int    `json:"path"`
	Body  string `json:"body,omitempty"`
}

type pageFile struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// pageVersion is a merge. Numbers of messages count from 0.
type pageVersion struct {
	Message   int         `json:"message"` // -1 of what is pending
	Number    int         `json:"number,omitempty"`
	Base      string      `json:"base"`
	Unread    bool        `json:"unread,omitempty"`
	Matches   *bool       `json:"matches,omitempty"`
	Tied      bool        `json:"tied,omitempty"`
	Deltas    []pageDelta `json:"deltas,omitempty"`
	Rebased   []pageItem  `json:"rebased,omitempty"`
	Changes   []pageItem  `json:"changes,omitempty"`
	Published []pageItem  `json:"published,omitempty"`
	More      bool        `json:"more,omitempty"` // more items were published otherwise than merged
}

type pageDelta struct {
	Message   int    `json:"message"`
	Delta     int    `json:"delta"`
	Operation string `json:"operation,omitempty"`
	Item      string `json:"item,omitempty"`
	Outcome   string `json:"outcome"`
	Rule      string `json:"rule,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

type pageItem struct {
	ID     string      `json:"id"`
	Title  string      `json:"title,omitempty"`
	Kind   string      `json:"kind"`
	Fields []pageField `json:"fields,omitempty"`
}

type pageField struct {
	Key    string `json:"key"`
	Part   string `json:"part,omitempty"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	By     []int  `json:"by,omitempty"` // message and delta
}

// outcomes are the words for what became of a delta.
var outcomes = [...]string{merge.Applied: "applied", merge.Unchanged: "unchanged", merge.Skipped: "skipped", merge.Dropped: "dropped", merge.Rejected: "rejected"}

// fill adds what a group shows when it is opened.
func (p *pageData) fill(g *pageGroup) {
	if g.view != nil {
		for i := range g.view.Messages {
			m := p.message(&g.view.Messages[i])
			m.Body = cleanLines(g.view.Messages[i].Body)
			g.Messages = append(g.Messages, m)
		}
		for i := range g.view.Versions {
			g.Versions = append(g.Versions, versionOf(&g.view.Versions[i]))
		}
	}
	for _, a := range g.files {
		g.Files = append(g.Files, pageFile{cleanName(a.Path), cleanLines(a.Text)})
	}
}

// message returns a message without its body.
func (p *pageData) message(m *lint.MessageView) pageMessage {
	out := pageMessage{
		Type: clean(cmp.Or(m.Type, "MAIL")), Title: clean(m.Subject), From: -1, Time: shownMinute(m.Time), ID: clean(m.ID),
		Path: p.paths.of(cleanName(m.Path)),
	}
	if m.From != "" {
		out.From = p.agents.of(clean(m.From))
	}
	return out
}

func versionOf(v *lint.VersionView) pageVersion {
	out := pageVersion{
		Message: v.Message, Number: v.Number, Base: string(v.Base), Unread: v.Unread, Matches: v.Matches, Tied: v.OrderSensitive,
		Rebased: itemsOf(v.Rebased), Changes: itemsOf(v.Changes), Published: itemsOf(v.Published), More: v.MorePublished,
	}
	for i := range v.Deltas {
		d := &v.Deltas[i]
		out.Deltas = append(out.Deltas, pageDelta{
			d.Message, d.Delta, d.Operation.String(), clean(d.Item), outcomes[d.Outcome], clean(d.Rule), reasonOf(d),
		})
	}
	return out
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

func itemsOf(items []lint.ItemView) []pageItem {
	out := make([]pageItem, len(items))
	for i := range items {
		it := &items[i]
		out[i] = pageItem{ID: it.ID, Title: clean(it.Title), Kind: it.Kind.String(), Fields: make([]pageField, len(it.Fields))}
		for j := range it.Fields {
			f := &it.Fields[j]
			out[i].Fields[j] = pageField{Key: clean(f.Key), Part: clean(f.Part), Before: cleanLines(f.Before), After: cleanLines(f.After)}
			if f.By != nil {
				out[i].Fields[j].By = []int{f.By.Message, f.By.Delta}
			}
		}
	}
	return out
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
		out.Lines = append(out.Lines, cutLine(cleanLines(strings.TrimSuffix(l, "\r")), maxLine))
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

// cleanLines is clean for a text of several lines; tabs stay.
func cleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		parts := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		for j, part := range parts {
			parts[j] = clean(part)
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}
