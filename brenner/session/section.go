package session

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Section is a heading of a body and what is under it.
type Section struct {
	Title string // the heading's text, without emphasis or backticks around it
	Level int
	// Heading is the span of the heading's text, Content that of everything up to the
	// next heading of the same or a higher level, both in the body.
	Heading, Content source.Span
	// Blocks are the leaf blocks of the content.
	Blocks []markdown.Block

	// Nested reports a heading in a list or quotation.
	Nested bool

	doc *markdown.Document
}

// sections lists the headings of doc, whose text counts up to end. A heading in a list
// or quotation is also a section, but does not end any outside of it: quoted text does
// not cut the section it is quoted in.
func sections(doc *markdown.Document, end int) []Section {
	var out []Section
	var at []int // the block of each
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if b.Kind != markdown.Heading {
			continue
		}
		s := Section{Title: title(doc.HeadingText(b)), Level: int(b.Level), Heading: b.Span, Nested: b.InList || b.InQuote, doc: doc}
		s.Content = source.Span{Start: b.Span.End, End: max(end, b.Span.End)}
		s.Blocks = doc.Blocks[i+1:]
		if len(b.Parts) > 0 {
			s.Heading = source.Span{Start: b.Parts[0].Start, End: b.Parts[len(b.Parts)-1].End}
		}
		out, at = append(out, s), append(at, i)
	}
	for i := range out { // a heading is passed at most once for each level, in and outside of lists
		s := &out[i]
		for j := i + 1; j < len(out); j++ {
			if ends(&out[j], s) {
				s.Content.End = max(doc.Blocks[at[j]].Span.Start, s.Content.Start)
				s.Blocks = doc.Blocks[at[i]+1 : at[j] : at[j]]
				break
			}
		}
	}
	return out
}

// ends reports whether a new heading ends a section.
func ends(s, earlier *Section) bool {
	if earlier.Nested != s.Nested {
		return earlier.Nested
	}
	return s.Level <= earlier.Level
}

// Is reports whether the heading begins with the name, in any case, and ends there or goes on
// with a space or punctuation.
func (s *Section) Is(name string) bool {
	if !brenner.HasPrefixFold(s.Title, name) {
		return false
	}
	r, size := utf8.DecodeRuneInString(s.Title[len(name):])
	return size == 0 || unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// Section returns the section of that name, or nil. If several fit, it prefers one that is not
// empty, then one with exactly that title, then the first. Of several names, the first that
// names a section counts.
func (m *Message) Section(names ...string) *Section {
	var best *Section
	var rank int
	for _, name := range names {
		for i := range m.Sections {
			s := &m.Sections[i]
			if !s.Is(name) {
				continue
			}
			r := 1
			if len(s.Title) == len(name) {
				r++
			}
			if !s.Empty() {
				r += 2
			}
			if r > rank {
				best, rank = s, r
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// Empty reports whether the section contains only white space, comments, rules or a
// `{template placeholder}` (decisions.md 5).
func (s *Section) Empty() bool {
	for i := range s.Blocks {
		if !blank(s.doc, &s.Blocks[i]) {
			return false
		}
	}
	return true
}

func blank(doc *markdown.Document, b *markdown.Block) bool {
	switch b.Kind {
	case markdown.ThematicBreak:
		return true
	case markdown.Heading:
		return false
	}
	var text []byte
	for l := range doc.Lines(b) {
		line := doc.Text.Bytes(l)
		if word := bytes.TrimSpace(line); len(text) == 0 && len(word) > 0 && word[0] != '<' && word[0] != '{' {
			return false // neither a comment nor a placeholder
		}
		text = append(append(text, line...), '\n')
	}
	text = bytes.TrimSpace(withoutComments(text))
	isText := b.Kind == markdown.Paragraph || b.Kind == markdown.HTML // <one sentence> is a tag
	return len(text) == 0 || isText && IsPlaceholder(string(text))
}

// withoutComments cuts HTML comments out of text; an unclosed one runs to the end.
func withoutComments(text []byte) []byte {
	var out []byte
	for {
		before, rest, found := bytes.Cut(text, []byte("<!--"))
		if !found {
			return append(out, text...)
		}
		out = append(out, before...)
		_, text, _ = bytes.Cut(rest, []byte("-->"))
	}
}

// IsPlaceholder reports whether text is an unfilled `{placeholder}` of the
// specification's templates, or a `<placeholder>` of a suggestion. JSON is not one.
func IsPlaceholder(text string) bool {
	text = strings.TrimSpace(text)
	return brenner.IsPlaceholder(text) || len(text) > 2 && text[0] == '{' && text[len(text)-1] == '}' &&
		!strings.ContainsAny(text[1:len(text)-1], "{}\"")
}

// FirstLine returns the first of the section's Lines; without lines, the empty span at the end
// of the heading.
func (s *Section) FirstLine() source.Span {
	for line := range s.Lines() {
		return line
	}
	return source.Span{Start: s.Heading.End, End: s.Heading.End}
}

// Lines yields the lines of the section that are not empty, without list marker, and
// without emphasis or backticks around them.
func (s *Section) Lines() iter.Seq[source.Span] {
	return func(yield func(source.Span) bool) {
		for i := range s.Blocks {
			b := &s.Blocks[i]
			if b.Kind == markdown.HTML || blank(s.doc, b) {
				continue
			}
			for l := range s.doc.Lines(b) {
				whole := brenner.HideComments(s.doc.Text.Slice(l))
				line := strings.TrimSpace(whole)
				if line == "" {
					continue
				}
				text, from := brenner.Unmark(line)
				l.Start += strings.Index(whole, line) + from
				if !yield(source.Span{Start: l.Start, End: l.Start + len(text)}) {
					return
				}
			}
		}
	}
}

// Text returns a span of the section as a string.
func (s *Section) Text(span source.Span) string { return s.doc.Text.Slice(span) }

// title returns a heading without emphasis and backticks around it: `**Target**`, and
// `**Target**:` too.
func title(heading string) string {
	heading = brenner.FoldSpace(brenner.WithoutComments(heading))
	if t, n := brenner.Unmark(strings.TrimSuffix(heading, ":")); n > 0 {
		return t
	}
	return heading
}
