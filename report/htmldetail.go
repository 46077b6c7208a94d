package report

import (
	"cmp"
	"strings"

	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/result"
	"github.com/brennerlint/brennerlint/source"
)

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
			g.Messages = append(g.Messages, p.message(&g.view.Messages[i]))
		}
		for i := range g.view.Versions {
			g.Versions = append(g.Versions, versionOf(&g.view.Versions[i]))
		}
	}
	for _, a := range g.files {
		g.Files = append(g.Files, pageFile{cleanName(a.Path), cleanLines(a.Text)})
	}
}

func (p *pageData) message(m *result.MessageView) pageMessage {
	out := pageMessage{
		Type: clean(m.Type), Title: clean(m.Subject), From: -1, Time: minuteOf(&result.MailInfo{Time: m.Time}), ID: clean(m.ID),
		Path: p.paths.of(cleanName(m.Path)), Body: cleanLines(m.Body),
	}
	if out.Type == "" {
		out.Type = "MAIL"
	}
	if m.From != "" {
		out.From = p.agents.of(clean(m.From))
	}
	return out
}

func versionOf(v *result.VersionView) pageVersion {
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
func reasonOf(d *result.DeltaView) string {
	k := d.Kill
	switch {
	case k == nil:
		return clean(d.Reason)
	case k.By == "" && k.At.IsZero():
		return "the item is killed"
	case k.At.IsZero():
		return clean(k.By) + " killed the item"
	}
	return clean(cmp.Or(k.By, "somebody")) + " killed the item at " + protocol.FormatTime(k.At)
}

func itemsOf(items []result.ItemView) []pageItem {
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
func NewSourceFrame(f *result.Frame) *SourceFrame {
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
	var b strings.Builder
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		for j, part := range strings.Split(strings.TrimSuffix(line, "\r"), "\t") {
			if j > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(clean(part))
		}
	}
	return b.String()
}
