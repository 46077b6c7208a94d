package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/text"
)

// ReplayText returns a replay for people: a table for each thread.
func ReplayText(r *replay.Results, opts Options) string {
	if len(r.Threads) == 0 {
		return "no threads\n"
	}
	b, p := &strings.Builder{}, paint(opts.Color)
	for i, t := range r.Threads {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.in(bold, clean(t.Thread)) + withLead("  ", p.in(dim, clean(t.Project))) + "\n")
		if len(t.Windows) > 0 {
			fmt.Fprintf(b, "  %-8s  %-7s  %-9s  %7s  %8s  %-12s  %s\n", "version", "message", "base", "applied", "rejected", "hash", "published")
		}
		for i := range t.Windows {
			replayWindow(b, p, &t.Windows[i])
		}
		if len(t.Windows) == 0 && t.Pending.Deltas == 0 {
			b.WriteString("  no deltas\n")
		} else {
			fmt.Fprintf(b, "  %-8s  %s pending, state %s\n", "now", count(t.Pending.Deltas, "delta"), shortHash(t.Pending.Hash))
		}
		switch {
		case t.Shuffled > 0 && t.Stable:
			fmt.Fprintf(b, "  the same hashes in %s\n", count(t.Shuffled, "permutation"))
		case t.Shuffled > 0:
			fmt.Fprintf(b, "  %s\n", p.in(red, "the hashes depend on the order of the messages"))
		}
	}
	return b.String()
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
		published = p.in(red, "differs") + withLead(": ", shortHash(w.PublishedHash))
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
		fmt.Fprintf(b, "    %s\n", count(more, "more difference"))
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
	for _, f := range r.Fields {
		if by := f.By; by != nil {
			agent, message = max(agent, textWidth(clean(by.Agent))), max(message, len(by.MessageID))
		}
	}
	width := cmp.Or(opts.Width, 160)
	differs, rejected := false, false
	for _, f := range r.Fields {
		who := p.in(red, fmt.Sprintf("%-*s", agent+message+23, "no delta explains this"))
		if by := f.By; by != nil {
			name := clean(by.Agent)
			who = p.in(dim, fmt.Sprintf("%s%s  %*s/%-2d  %s", name, strings.Repeat(" ", agent-textWidth(name)), message, clean(by.MessageID), by.Delta, by.Time.Format(minute)))
		}
		what := f.Item.String() + withLead(" ", oneLine(f.Field, maxFieldName))
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

// ReplaySchema names the form of a replay in JSON.
const ReplaySchema = "brennerlint/replay/v1"

// fieldJSON is a field of an artifact, and what set it.
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
	fields := []fieldJSON{} // not null
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
		fields = append(fields, j)
	}
	return indented(struct {
		Schema      string      `json:"schema"`
		Path        string      `json:"path"`
		Thread      string      `json:"thread"`
		Fields      []fieldJSON `json:"fields"`
		Unexplained int         `json:"unexplained"`
	}{"brennerlint/blame/v1", r.Path, r.Thread, fields, r.Unexplained()})
}

// DiffSide is what a report says of one side of a comparison.
type DiffSide struct {
	Name      string `json:"name"`                 // as given
	Thread    string `json:"thread,omitempty"`     // "" if it is not known
	Version   int    `json:"version,omitempty"`    // 0 if there is none
	MessageID string `json:"message_id,omitempty"` // of the COMPILED of a version
	What      string `json:"-"`                    // for people: what it is
}

// Comparison lists the differences between two artifacts.
type Comparison struct {
	A, B    DiffSide
	Changes []diff.Change // from A to B
}

type changeJSON struct {
	Item    string             `json:"item"`
	Section string             `json:"section"`
	Name    string             `json:"name,omitempty"`
	Change  diff.ChangeKind    `json:"change"`
	Fields  []diff.FieldChange `json:"fields"`
}

// DiffJSON returns a comparison for scripts.
func DiffJSON(c *Comparison) string {
	changes := []changeJSON{} // not null
	for _, x := range c.Changes {
		fields := append([]diff.FieldChange{}, x.Fields...)
		changes = append(changes, changeJSON{x.ID.String(), x.ID.Section.ID(), diff.Title(x.Item()), x.Kind, fields})
	}
	return indented(struct {
		Schema  string       `json:"schema"`
		A       DiffSide     `json:"a"`
		B       DiffSide     `json:"b"`
		Same    bool         `json:"same"`
		Changes []changeJSON `json:"changes"`
	}{"brennerlint/diff/v1", c.A, c.B, len(changes) == 0, changes})
}

// DiffMarkdown returns a comparison as Markdown.
func DiffMarkdown(c *Comparison) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "## %s → %s\n\n%s.\n", clean(text.Markdown(c.A.What)), clean(text.Markdown(c.B.What)), diffSummary(c.Changes))
	if len(c.Changes) > 0 {
		b.WriteString("\n" + Message(diff.Markdown(c.Changes, nil)))
	}
	return unlinkLines(b.String())
}

// diffSummary counts the changes by their kinds.
func diffSummary(changes []diff.Change) string {
	n := map[diff.ChangeKind]int{}
	for i := range changes {
		n[changes[i].Kind]++
	}
	var parts []string
	for _, k := range []diff.ChangeKind{diff.ItemAdded, diff.ItemEdited, diff.ItemKilled, diff.ItemRestored, diff.ItemRemoved} {
		parts = append(parts, ifAny(n[k], plural(n[k], "item")+" "+string(k)))
	}
	return cmp.Or(strings.Join(given(parts...), ", "), "No differences")
}

// DiffText returns a comparison for people, as a diff of fields.
func DiffText(c *Comparison, opts Options) string {
	b := &strings.Builder{}
	p := paint(opts.Color)
	fmt.Fprintf(b, "%s\n%s\n", p.in(red, "- "+clean(c.A.What)), p.in(green, "+ "+clean(c.B.What)))
	for _, x := range c.Changes {
		title := ""
		if t := diff.Title(x.Item()); t != "" && x.ID.Section != brenner.ResearchThread {
			title = " " + clean(text.Shorten(text.OneLine(t), maxDiffTitle))
		}
		fmt.Fprintf(b, "\n%s%s  %s\n", p.in(bold, x.ID.String()), title, p.in(changeColors[x.Kind], string(x.Kind)))
		for j := range x.Fields {
			fieldText(b, p, &x.Fields[j])
		}
	}
	fmt.Fprintf(b, "\n%s\n", strings.ToLower(diffSummary(c.Changes)))
	return b.String()
}

const maxDiffTitle = 80

var changeColors = map[diff.ChangeKind]style{
	diff.ItemAdded: green, diff.ItemRemoved: red, diff.ItemKilled: red, diff.ItemRestored: green, diff.ItemEdited: yellow,
}

// fieldText writes in what a field differs: what a list lost and gained, else both
// values, whole.
func fieldText(b *strings.Builder, p paint, f *diff.FieldChange) {
	fmt.Fprintf(b, "  %s\n", clean(f.Name()))
	gained, lost := f.Entries()
	if gained == nil && lost == nil {
		before, after := f.WholeValues()
		gained, lost = given(after), given(before)
	}
	for _, v := range lost {
		fmt.Fprintf(b, "    %s\n", p.in(red, "- "+clean(v)))
	}
	for _, v := range gained {
		fmt.Fprintf(b, "    %s\n", p.in(green, "+ "+clean(v)))
	}
}

// MessageJSON returns a message as the arguments of send_message.
func MessageJSON(m replay.CompiledMessage) string {
	m.To = append([]string{}, m.To...) // not null
	return indented(struct {
		replay.CompiledMessage
		Ack bool `json:"ack_required"`
	}{CompiledMessage: m})
}

// MessageMarkdown returns a message as a draft in Markdown: a small header, then the
// body.
func MessageMarkdown(m replay.CompiledMessage) string {
	to := withLead("\nTo: ", text.OneLine(strings.Join(m.To, ", ")))
	return fmt.Sprintf("Subject: %s\nThread: %s\nFrom: %s%s\nAck: false\n\n%s", text.OneLine(m.Subject), text.OneLine(m.Thread), text.OneLine(m.From), to, m.Body)
}

// NotApplied says what a compilation leaves out, a line each, the first of many.
func NotApplied(deltas []replay.NotApplied) []string {
	const most = 20
	out := []string{} // not null in JSON
	for _, d := range deltas {
		where := ""
		if d.Delta > 0 {
			where = fmt.Sprintf(", delta %d of %s", d.Delta, d.Agent)
		}
		out = append(out, fmt.Sprintf("not applied: message %s%s: %s", d.Message.ID, where, d.Why))
	}
	if n := len(out) - most; n > 1 {
		out = append(out[:most], fmt.Sprintf("%s not applied either", text.Count(n, "delta is", "deltas are")))
	}
	return out
}
