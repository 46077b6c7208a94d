package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/text"
)

// maxValue is how many code points of a value a change shows.
const maxValue = 160

// Name returns the field, and the part of it, in which two items differ.
func (f *FieldChange) Name() string {
	name := strings.ReplaceAll(f.Key, "_", " ")
	if f.Part != "" {
		name += " " + strings.ReplaceAll(f.Part, "_", " ")
	}
	return name
}

// Values returns both values shortened to one line each, "" if absent.
func (f *FieldChange) Values() (before, after string) {
	before, after = f.WholeValues()
	if before == after {
		return text.Shorten(before, maxValue), text.Shorten(after, maxValue)
	}
	return text.ShortenBoth(before, after, maxValue)
}

// WholeValues returns both values on one line each, "" if absent.
func (f *FieldChange) WholeValues() (before, after string) {
	return text.OneLine(state.OneLine(f.Before)), text.OneLine(state.OneLine(f.After))
}

// Entries returns what a list gained and lost; ok is false if the field is not a list on
// both sides, or only the order of its entries differs.
func (f *FieldChange) Entries() (gained, lost []string, ok bool) {
	before, isBefore := f.Before.([]any)
	after, isAfter := f.After.([]any)
	if !isBefore || !isAfter {
		return nil, nil, false
	}
	a, b := plainEntries(before), plainEntries(after)
	gained, lost = without(b, a), without(a, b)
	return gained, lost, len(gained)+len(lost) > 0
}

func plainEntries(list []any) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = text.OneLine(state.Plain(v))
	}
	return out
}

// without returns the entries of a list that are not in another.
func without(list, other []string) []string {
	has := make(map[string]bool, len(other))
	for _, e := range other {
		has[e] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(e string) bool { return has[e] })
}

// MarkdownOptions control how changes are written as Markdown.
type MarkdownOptions struct {
	// Heading is what headings begin with, such as "### ".
	Heading string
	// Contents lists the fields of items that only one state has; else only those for
	// which By returns text.
	Contents bool
	// By, if set, returns who made a change, as Markdown, or "". A nil field means the
	// whole item.
	By func(*Change, *FieldChange) string
}

// groups are the headings under which changes are listed.
var groups = [...]struct {
	title string
	kinds []ChangeKind
}{
	{"New items", []ChangeKind{ItemAdded}},
	{"Modified items", []ChangeKind{ItemEdited, ItemRestored}},
	{"Killed items", []ChangeKind{ItemKilled}},
	{"Removed items", []ChangeKind{ItemRemoved}},
}

// Markdown writes changes for people: a list under each heading.
func Markdown(changes []Change, o MarkdownOptions) string {
	if o.By == nil {
		o.By = func(*Change, *FieldChange) string { return "" }
	}
	var b strings.Builder
	for _, g := range groups {
		first := true
		for i := range changes {
			c := &changes[i]
			if !slices.Contains(g.kinds, c.Kind) {
				continue
			}
			if first {
				if b.Len() > 0 {
					b.WriteByte('\n')
				}
				fmt.Fprintf(&b, "%s%s\n", o.Heading, g.title)
				first = false
			}
			o.write(&b, c)
		}
	}
	return b.String()
}

// write writes a change of one item.
func (o *MarkdownOptions) write(b *strings.Builder, c *Change) {
	fmt.Fprintf(b, "- **%s**", c.ID)
	if title := Title(c.Item()); title != "" && c.ID.Section != brenner.ResearchThread {
		b.WriteString(" " + text.Markdown(text.Shorten(text.OneLine(title), maxValue)))
	}
	switch {
	case c.Kind == ItemKilled && c.After.Killed.Reason != "":
		b.WriteString(": " + text.Markdown(text.Shorten(text.OneLine(c.After.Killed.Reason), maxValue)))
	case c.Kind == ItemRestored:
		b.WriteString(": no longer killed")
	case c.Kind == ItemAdded && !c.After.Active():
		b.WriteString(", killed")
		if why := c.After.Killed.Reason; why != "" {
			b.WriteString(": " + text.Markdown(text.Shorten(text.OneLine(why), maxValue)))
		}
	}
	o.by(b, c, nil)
	for i := range c.Fields {
		f := &c.Fields[i]
		if c.Before == nil || c.After == nil {
			switch {
			case o.Contents && f.Key != "name": // the title is the name
				o.content(b, c, f)
			case !o.Contents && (i == 0 || c.Fields[i-1].Key != f.Key): // once for all its parts
				if who := o.By(c, &FieldChange{Key: f.Key}); who != "" {
					fmt.Fprintf(b, "  - %s (%s)\n", text.Markdown(strings.ReplaceAll(f.Key, "_", " ")), who)
				}
			}
			continue
		}
		if c.Kind == ItemKilled && isSystem(f.Key) {
			continue // stated in the line of the item
		}
		o.change(b, c, f)
	}
}

func (o *MarkdownOptions) by(b *strings.Builder, c *Change, f *FieldChange) {
	if who := o.By(c, f); who != "" {
		b.WriteString(" (" + who + ")")
	}
	b.WriteByte('\n')
}

// content writes a field of an item that only one state has.
func (o *MarkdownOptions) content(b *strings.Builder, c *Change, f *FieldChange) {
	value, after := f.Values()
	if c.Before == nil {
		value = after
	}
	fmt.Fprintf(b, "  - %s: %s", text.Markdown(f.Name()), text.Markdown(value))
	o.by(b, c, f)
}

// change writes how a field differs.
func (o *MarkdownOptions) change(b *strings.Builder, c *Change, f *FieldChange) {
	fmt.Fprintf(b, "  - %s: ", text.Markdown(f.Name()))
	if gained, lost, ok := f.Entries(); ok {
		var words []string
		for _, e := range gained {
			words = append(words, "added "+text.Markdown(text.Shorten(e, maxValue)))
		}
		for _, e := range lost {
			words = append(words, "removed "+text.Markdown(text.Shorten(e, maxValue)))
		}
		b.WriteString(strings.Join(words, ", "))
		o.by(b, c, f)
		return
	}
	switch before, after := f.Values(); {
	case before == "":
		b.WriteString("set to " + quoted(after, f.After))
	case after == "":
		b.WriteString("removed, was " + quoted(before, f.Before))
	default:
		b.WriteString(quoted(before, f.Before) + " → " + quoted(after, f.After))
	}
	o.by(b, c, f)
}

// quoted returns a value in Markdown; texts are in quotation marks.
func quoted(shown string, v any) string {
	if _, ok := v.(string); ok {
		return `"` + text.Markdown(shown) + `"`
	}
	return text.Markdown(shown)
}
