package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/text"
)

// ReplayText returns a replay for people: a table for each thread.
func ReplayText(r *replay.Results, opts Options) string {
	b := &strings.Builder{}
	p := paint(opts.Color)
	if len(r.Threads) == 0 {
		b.WriteString("no threads\n")
	}
	for i := range r.Threads {
		if i > 0 {
			b.WriteByte('\n')
		}
		replayThread(b, p, &r.Threads[i])
	}
	return b.String()
}

func replayThread(b *strings.Builder, p paint, t *replay.ThreadResult) {
	b.WriteString(p.in(bold, clean(t.Thread)))
	if t.Project != "" {
		fmt.Fprintf(b, "  %s", p.in(dim, clean(t.Project)))
	}
	b.WriteByte('\n')
	if len(t.Windows) > 0 {
		fmt.Fprintf(b, "  %-8s  %-7s  %-9s  %7s  %8s  %-12s  %s\n", "version", "message", "base", "applied", "rejected", "hash", "published")
	}
	for i := range t.Windows {
		replayWindow(b, p, &t.Windows[i])
	}
	if len(t.Windows) == 0 && t.Pending.Deltas == 0 {
		b.WriteString("  no deltas\n")
	} else {
		fmt.Fprintf(b, "  %-8s  %s pending, state %s\n", "now", text.Count(t.Pending.Deltas, "delta", "deltas"), shortHash(t.Pending.Hash))
	}
	switch {
	case t.Shuffled > 0 && t.Stable:
		fmt.Fprintf(b, "  the same hashes in %s\n", text.Count(t.Shuffled, "permutation", "permutations"))
	case t.Shuffled > 0:
		fmt.Fprintf(b, "  %s\n", p.in(red, "the hashes depend on the order of the messages"))
	}
}

func replayWindow(b *strings.Builder, p paint, w *replay.WindowResult) {
	version := "?"
	if w.Version != nil {
		version = fmt.Sprintf("v%d", *w.Version)
	}
	published := p.in(dim, "not compared")
	switch {
	case w.Matches == nil:
	case *w.Matches:
		published = p.in(green, "matches")
	default:
		published = p.in(red, "differs")
		if w.PublishedHash != "" {
			published += ": " + shortHash(w.PublishedHash)
		}
	}
	if w.OrderSensitive {
		published += ", " + p.in(yellow, "depends on the order of deltas with equal timestamps")
	}
	fmt.Fprintf(b, "  %-8s  %-7s  %-9s  %7d  %8d  %-12s  %s\n", version, clean(w.MessageID), w.Base, w.Applied, len(w.Rejected), shortHash(w.Hash), published)
	for _, d := range w.Rejected {
		fmt.Fprintf(b, "    %s message %s, delta %d: %s %s\n", p.in(red, "rejected"), clean(d.MessageID), d.Delta, d.Rule, clean(d.Message))
	}
	for i := range w.Differences {
		fmt.Fprintf(b, "    %s %s\n", p.in(red, "differs"), differenceText(&w.Differences[i]))
	}
	if more := w.Differing - len(w.Differences); more > 0 {
		fmt.Fprintf(b, "    %s\n", text.Count(more, "more difference", "more differences"))
	}
}

// differenceText says in what a published artifact differs from the merged state.
func differenceText(d *replay.Difference) string {
	switch {
	case d.Missing:
		return clean(d.Item) + ": missing from the published artifact"
	case d.Added:
		return clean(d.Item) + ": only in the published artifact"
	}
	value := func(s string) string {
		if s == "" {
			return "nothing"
		}
		return text.Quote(clean(s))
	}
	return fmt.Sprintf("%s: the deltas give %s, published is %s", clean(strings.TrimRight(d.Item+" "+d.Key+" "+d.Part, " ")), value(d.Merged), value(d.Published))
}

// shortHash is as much of a hash as people compare.
func shortHash(h string) string {
	h = strings.TrimPrefix(h, "sha256:")
	return h[:min(12, len(h))]
}

// BlameText returns for people which delta set each field of an artifact, one line per field,
// like git blame.
func BlameText(r *replay.BlameResult, opts Options) string {
	b := &strings.Builder{}
	p := paint(opts.Color)
	agent, message := 0, 0
	for i := range r.Fields {
		if by := r.Fields[i].By; by != nil {
			agent, message = max(agent, textWidth(clean(by.Agent))), max(message, len(by.MessageID))
		}
	}
	width := opts.Width
	if width == 0 {
		width = 160
	}
	differs, rejected := false, false
	for i := range r.Fields {
		f := &r.Fields[i]
		who := p.in(red, fmt.Sprintf("%-*s", agent+message+23, "no delta explains this"))
		if by := f.By; by != nil {
			name := clean(by.Agent)
			who = p.in(dim, fmt.Sprintf("%s%s  %*s/%-2d  %s", name, strings.Repeat(" ", agent-textWidth(name)), message, clean(by.MessageID), by.Delta, by.Time.Format(minute)))
		}
		what := f.Item.String()
		if f.Field != "" {
			what += " " + oneLine(f.Field, maxFieldName)
		}
		mark := " "
		switch {
		case f.Differs:
			mark, differs = p.in(red, "!"), true
		case f.By != nil && f.By.RejectedBy != "":
			mark, rejected = p.in(red, "×"), true
		}
		room := max(20, width-(agent+message+25)-28)
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s %s %-26s %s", who, mark, what, oneLine(f.Value, room)), " ") + "\n")
		if len(f.History) > 1 {
			writeHistory(b, p, f.History, width)
		}
	}
	if differs {
		fmt.Fprintf(b, "%s the artifact differs from what the delta set\n", p.in(red, "!"))
	}
	if rejected {
		fmt.Fprintf(b, "%s the delta must be rejected, but was published\n", p.in(red, "×"))
	}
	if n := r.Unexplained(); n > 0 {
		fmt.Fprintf(b, "%s\n", p.in(red, text.Count(n, "field is", "fields are")+" not explained by any delta"))
	}
	return b.String()
}

// writeHistory writes what set a field, the oldest first.
func writeHistory(b *strings.Builder, p paint, history []replay.FieldEvent, width int) {
	for _, e := range history {
		who, at := "", ""
		if by := e.By; by != nil {
			who, at = clean(by.Agent)+"  "+clean(by.MessageID), by.Time.Format(minute)
			if by.Delta > 0 {
				who += fmt.Sprintf("/%d", by.Delta)
			}
			if by.RejectedBy != "" {
				who += " ×"
			}
		}
		kind := string(e.Kind)
		if e.Version > 0 {
			kind = fmt.Sprintf("%s v%d", kind, e.Version)
		}
		value := oneLine(e.Value, max(20, width-60))
		if e.United {
			value = "+ " + value
		}
		b.WriteString(p.in(dim, strings.TrimRight(fmt.Sprintf("    %-12s %-16s  %-24s  %s", kind, at, who, value), " ")) + "\n")
	}
}

// maxFieldName bounds the names of fields that blame shows: an artifact may give any, in columns.
const maxFieldName = 60

// minute is how blame shows times.
const minute = "2006-01-02 15:04"

// oneLine returns the beginning of a text on one line.
func oneLine(s string, width int) string {
	return truncateColumns(clean(strings.Join(strings.Fields(s), " ")), width)
}

// The names of the forms of JSON that ReplayJSON and BlameJSON write.
const (
	ReplaySchema = "brennerlint/replay/v1"
	BlameSchema  = "brennerlint/blame/v1"
)

// blameJSON and the types below are the JSON of contract.md.
type blameJSON struct {
	Schema      string      `json:"schema"`
	Path        string      `json:"path"`
	Thread      string      `json:"thread"`
	Fields      []fieldJSON `json:"fields"`
	Unexplained int         `json:"unexplained"`
}

type fieldJSON struct {
	Item  string `json:"item"`
	Field string `json:"field"`
	Value string `json:"value"`

	Agent     string `json:"agent,omitempty"`
	MessageID string `json:"message_id,omitempty"`
	Delta     int    `json:"delta,omitempty"`
	Time      string `json:"time,omitempty"`
	Explained bool   `json:"explained"`
	Rejected  string `json:"rejected,omitempty"`
	Differs   bool   `json:"differs"`

	History []eventJSON `json:"history,omitempty"`
}

// eventJSON is a step in the history of a field.
type eventJSON struct {
	Change    string `json:"change"` // added, edited, killed, conflict or published
	Value     string `json:"value"`
	United    bool   `json:"united,omitempty"` // the value was added to an array
	Agent     string `json:"agent"`
	MessageID string `json:"message_id"`
	Delta     int    `json:"delta,omitempty"`
	Time      string `json:"time"`
	Version   int    `json:"version,omitempty"`
	Rejected  string `json:"rejected,omitempty"`
}

// ReplayJSON returns a replay for scripts (contract.md: brennerlint/replay/v1).
func ReplayJSON(r *replay.Results) string {
	return indented(struct {
		Schema string `json:"schema"`
		*replay.Results
	}{ReplaySchema, r})
}

// BlameJSON returns for scripts which delta set each field of an artifact
// (contract.md: brennerlint/blame/v1).
func BlameJSON(r *replay.BlameResult) string {
	out := blameJSON{Schema: BlameSchema, Path: r.Path, Thread: r.Thread, Fields: make([]fieldJSON, 0, len(r.Fields)), Unexplained: r.Unexplained()}
	for _, f := range r.Fields {
		j := fieldJSON{Item: f.Item.String(), Field: f.Field, Value: f.Value, Explained: f.By != nil, Differs: f.Differs}
		if by := f.By; by != nil {
			j.Agent, j.MessageID, j.Delta, j.Time, j.Rejected = by.Agent, by.MessageID, by.Delta, by.Time.Format(time.RFC3339Nano), by.RejectedBy
		}
		for _, e := range f.History {
			h := eventJSON{Change: string(e.Kind), Value: e.Value, United: e.United, Version: e.Version}
			if by := e.By; by != nil {
				h.Agent, h.MessageID, h.Delta, h.Time, h.Rejected = by.Agent, by.MessageID, by.Delta, by.Time.Format(time.RFC3339Nano), by.RejectedBy
			}
			j.History = append(j.History, h)
		}
		out.Fields = append(out.Fields, j)
	}
	return indented(out)
}
