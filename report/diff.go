package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/internal/text"
)

// DiffSchema names the form of a comparison in JSON.
const DiffSchema = "brennerlint/diff/v1"

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

type comparisonJSON struct {
	Schema  string       `json:"schema"`
	A       DiffSide     `json:"a"`
	B       DiffSide     `json:"b"`
	Same    bool         `json:"same"`
	Changes []changeJSON `json:"changes"`
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
	out := comparisonJSON{Schema: DiffSchema, A: c.A, B: c.B, Same: len(c.Changes) == 0, Changes: []changeJSON{}}
	for i := range c.Changes {
		x := &c.Changes[i]
		fields := append([]diff.FieldChange{}, x.Fields...)
		out.Changes = append(out.Changes, changeJSON{x.ID.String(), x.ID.Section.ID(), diff.Title(x.Item()), x.Kind, fields})
	}
	return indented(out)
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
		if n[k] > 0 {
			parts = append(parts, text.Count(n[k], "item", "items")+" "+string(k))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "No differences")
}

// DiffText returns a comparison for people, as a diff of fields.
func DiffText(c *Comparison, opts Options) string {
	b := &strings.Builder{}
	p := paint(opts.Color)
	fmt.Fprintf(b, "%s\n%s\n", p.in(red, "- "+clean(c.A.What)), p.in(green, "+ "+clean(c.B.What)))
	for i := range c.Changes {
		x := &c.Changes[i]
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
		if before != "" {
			lost = []string{before}
		}
		if after != "" {
			gained = []string{after}
		}
	}
	for _, v := range lost {
		fmt.Fprintf(b, "    %s\n", p.in(red, "- "+clean(v)))
	}
	for _, v := range gained {
		fmt.Fprintf(b, "    %s\n", p.in(green, "+ "+clean(v)))
	}
}
