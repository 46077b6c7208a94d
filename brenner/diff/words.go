package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/text"
)

// maxValue is how many code points of a value a change shows.
const maxValue = 160

// Name returns the field, and the part of it, in which two items differ.
func (f *FieldChange) Name() string {
	name := f.Key
	if f.Part != "" {
		name += " " + f.Part
	}
	return strings.ReplaceAll(name, "_", " ")
}

// Values returns both values shortened to one line each, "" if absent.
func (f *FieldChange) Values() (before, after string) {
	before, after = f.WholeValues()
	return text.ShortenBoth(before, after, maxValue)
}

// WholeValues returns both values on one line each, "" if absent. If only white space differs, it
// is made visible.
func (f *FieldChange) WholeValues() (before, after string) {
	before, after = brenner.OneLine(f.Before), brenner.OneLine(f.After)
	if before != after && text.OneLine(before) == text.OneLine(after) {
		visible := func(s string) string {
			s = strconv.Quote(s)
			return strings.ReplaceAll(s[1:len(s)-1], " ", "␣")
		}
		return visible(before), visible(after)
	}
	return text.OneLine(before), text.OneLine(after)
}

// Entries returns what a list gained and lost: nothing if only its order differs, or one side is no list.
func (f *FieldChange) Entries() (gained, lost []string) {
	before, isBefore := f.Before.([]any)
	after, isAfter := f.After.([]any)
	if isBefore && isAfter {
		gained, lost = onlyIn(after, before), onlyIn(before, after)
	}
	return gained, lost
}

// onlyIn returns the entries of a list that are not in another.
func onlyIn(list, other []any) (out []string) {
	has := make(map[string]bool, len(other))
	for _, v := range other {
		has[text.OneLine(brenner.Plain(v))] = true
	}
	for _, v := range list {
		if entry := text.OneLine(brenner.Plain(v)); !has[entry] {
			out = append(out, entry)
		}
	}
	return out
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

// Markdown writes changes for people: a list under each heading. by returns who made a change, as
// Markdown, or ""; a nil field means the whole item. Of an item that only one state has, the
// fields for which by returns text are listed; if by is nil, all fields.
func Markdown(changes []Change, by func(*Change, *FieldChange) string) string {
	var b strings.Builder
	for _, g := range groups {
		var list strings.Builder
		for i := range changes {
			if c := &changes[i]; slices.Contains(g.kinds, c.Kind) {
				c.write(&list, by)
			}
		}
		if list.Len() == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "### %s\n%s", g.title, list.String())
	}
	return b.String()
}

// write writes a change of one item.
func (c *Change) write(b *strings.Builder, by func(*Change, *FieldChange) string) {
	who := func(f *FieldChange) string {
		if by != nil {
			if name := by(c, f); name != "" {
				return " (" + name + ")"
			}
		}
		return ""
	}
	title, kill := "", ""
	if t := Title(c.Item()); t != "" && c.ID.Section != brenner.ResearchThread {
		title = " " + shortened(t)
	}
	if k := c.Item().Killed; k != nil && k.Reason != "" {
		kill = ": " + shortened(k.Reason)
	}
	switch {
	case c.Kind == ItemRestored:
		kill = ": no longer killed"
	case c.Kind == ItemAdded && !c.After.Active():
		kill = ", killed" + kill
	case c.Kind != ItemKilled:
		kill = ""
	}
	fmt.Fprintf(b, "- **%s**%s%s%s\n", c.ID, title, kill, who(nil))
	for i := range c.Fields {
		f := &c.Fields[i]
		name := text.Markdown(f.Name())
		switch onlyOne := c.Before == nil || c.After == nil; {
		case onlyOne && by == nil && f.Key != "name": // the title is the name
			before, after := f.Values()
			fmt.Fprintf(b, "  - %s: %s\n", name, text.Markdown(cmp.Or(before, after)))
		case onlyOne && by != nil && (i == 0 || c.Fields[i-1].Key != f.Key): // once for all its parts
			whole := &FieldChange{Key: f.Key}
			if who := who(whole); who != "" {
				fmt.Fprintf(b, "  - %s%s\n", text.Markdown(whole.Name()), who)
			}
		case onlyOne, c.Kind == ItemKilled && brenner.IsSystemField(f.Key): // stated in the line of the item
		default:
			fmt.Fprintf(b, "  - %s: %s%s\n", name, f.difference(), who(f))
		}
	}
}

// shortened returns the beginning of a text, on one line, as Markdown.
func shortened(s string) string { return text.Markdown(text.Shorten(text.OneLine(s), maxValue)) }

// difference says in Markdown how a field differs.
func (f *FieldChange) difference() string {
	gained, lost := f.Entries()
	var words []string
	for _, e := range gained {
		words = append(words, "added "+shortened(e))
	}
	for _, e := range lost {
		words = append(words, "removed "+shortened(e))
	}
	before, after := f.Values()
	switch {
	case words != nil:
		return strings.Join(words, ", ")
	case before == "":
		return "set to " + quoted(after, f.After)
	case after == "":
		return "removed, was " + quoted(before, f.Before)
	}
	return quoted(before, f.Before) + " → " + quoted(after, f.After)
}

// quoted returns a value in Markdown; texts are in quotation marks.
func quoted(shown string, v any) string {
	if _, ok := v.(string); ok {
		return `"` + text.Markdown(shown) + `"`
	}
	return text.Markdown(shown)
}
