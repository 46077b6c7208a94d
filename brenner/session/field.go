package session

import (
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Field is a line with a name and a value: `**Name**: value` or `**Name:** value`, or
// with __, alone or as a list item (decisions.md 7 and 42).
type Field struct {
	Name string
	// Label is the span of the name; Value that of the value, without white space,
	// backticks and emphasis around it. A remark after a value in backticks does not
	// belong to it.
	Label, Value source.Span
	Text         string // the value
}

// Field returns the first field line of that name, in any case, or nil.
func (m *Message) Field(name string) *Field { return find(m.Fields, name) }

// Field returns the first field line of that name in the section, or nil.
func (s *Section) Field(name string) *Field {
	return find(readFields(s.doc, s.Blocks, false), name)
}

func find(fields []Field, name string) *Field {
	for i := range fields {
		if strings.EqualFold(fields[i].Name, name) {
			return &fields[i]
		}
	}
	return nil
}

// Pairs returns the lines `Name: value` of the section, with the name bold or not:
// `- Hypotheses: 3`, `- Schema: PASS`.
func (s *Section) Pairs() []Field { return readFields(s.doc, s.Blocks, true) }

// readFields returns the field lines of paragraphs; bare ones, whose names are not bold, too.
func readFields(doc *markdown.Document, blocks []markdown.Block, bare bool) []Field {
	read := func(text string, at source.Span) (Field, bool) {
		if !bare && !isBold(text) {
			return Field{}, false
		}
		return fieldLine(text, at)
	}
	var out []Field
	for i := range blocks {
		b := &blocks[i]
		if b.Kind != markdown.Paragraph || b.InQuote {
			continue
		}
		for j, line := range b.Parts {
			f, ok := read(brenner.HideComments(doc.Text.Slice(line)), line)
			if !ok {
				continue
			}
			if f.Text == "" && j+1 < len(b.Parts) { // the next line may be the value
				next := b.Parts[j+1]
				if _, isField := read(doc.Text.Slice(next), next); !isField && !next.Empty() {
					f.setValue(brenner.HideComments(doc.Text.Slice(next)), next.Start)
				}
			}
			out = append(out, f)
		}
	}
	return out
}

func isBold(line string) bool { return strings.HasPrefix(line, "**") || strings.HasPrefix(line, "__") }

// fieldLine reads the text of one line without white space around it.
func fieldLine(s string, line source.Span) (Field, bool) {
	var label string
	var at int // where the value begins in s
	if isBold(s) {
		span, n, ok := artifact.SplitLabel(s)
		if !ok {
			return Field{}, false
		}
		label, at = s[span.Start:span.End], n
	} else {
		colon := strings.IndexByte(s, ':')
		label, at = strings.TrimSpace(s[:max(colon, 0)]), colon+1
	}
	if label == "" {
		return Field{}, false
	}
	f := Field{Name: brenner.FoldSpace(label)}
	f.Label.Start = line.Start + strings.Index(s, label)
	f.Label.End = f.Label.Start + len(label)
	f.setValue(s[at:], line.Start+at)
	return f, true
}

// setValue reads the value in a text that begins at an offset.
func (f *Field) setValue(text string, at int) {
	rest := strings.TrimLeftFunc(text, unicode.IsSpace)
	f.Text, f.Value.Start = codeFirst(strings.TrimRightFunc(rest, unicode.IsSpace))
	f.Value.Start += at + len(text) - len(rest)
	f.Value.End = f.Value.Start + len(f.Text)
}

// codeFirst returns a value without emphasis and backticks: a code span that begins the
// value is the value, whatever remark follows.
func codeFirst(value string) (string, int) {
	if strings.HasPrefix(value, "`") {
		if end := strings.IndexByte(value[1:], '`'); end > 0 && strings.HasPrefix(value[end+2:], " ") {
			return value[1 : 1+end], 1
		}
	}
	return brenner.Unmark(value)
}
