package session

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Version is the version in a COMPILED subject.
type Version struct {
	// Number is N of `COMPILED: vN …` as leniently read (V2, v2: …), 0 if the subject has
	// none; it is at most brenner.MaxItemNumber.
	Number int
	// Meant is the N that a malformed version means (v02, v1.2), else Number.
	Meant int
	// OK reports that it is written as the protocol requires: N at least 1 and without
	// leading zero, then a space or the end (AP-001).
	OK bool
	// Span is that of `vN` in the subject.
	Span source.Span
}

// ReadVersion reads the version at the beginning of a subject's description.
func ReadVersion(subject string, description source.Span) Version {
	s := subject[description.Start:description.End]
	if s == "" || s[0] != 'v' && s[0] != 'V' {
		return Version{}
	}
	meant, digits := brenner.ParseNumber(s[1:])
	if digits == 0 {
		return Version{}
	}
	n, rest := meant, s[1+digits:]
	if !isPlain(s[1:], digits) {
		n = 0
	}
	return Version{
		Number: n, Meant: meant,
		OK:   s[0] == 'v' && s[1] != '0' && (rest == "" || rest[0] == ' ' || rest[0] == '\t'),
		Span: source.Span{Start: description.Start, End: description.Start + 1 + digits},
	}
}

// FindVersion finds the first word `vN` of a text; `v01` and `v1.2` do not count.
func FindVersion(text string) (n int, span source.Span, ok bool) {
	for i := 0; i < len(text); i++ {
		if text[i] != 'v' && text[i] != 'V' || i > 0 && isWordByte(text[i-1]) {
			continue
		}
		if n, digits := ParseVersion(text[i+1:]); digits > 0 {
			return n, source.Span{Start: i, End: i + 1 + digits}, true
		}
	}
	return 0, source.Span{}, false
}

// ParseVersion reads the number of a version at the beginning of s and returns how many
// digits it has, 0 if it is not one.
func ParseVersion(s string) (n, digits int) {
	n, digits = brenner.ParseNumber(s)
	if !isPlain(s, digits) || digits < len(s) && isWordByte(s[digits]) {
		return 0, 0
	}
	return n, digits
}

// isPlain reports whether a text begins with the number of a version, of some digits: `01` and `1.2`
// are not versions (decisions.md 60).
func isPlain(s string, digits int) bool {
	rest := s[digits:]
	isDecimal := len(rest) > 1 && rest[0] == '.' && '0' <= rest[1] && rest[1] <= '9'
	return digits > 0 && s[0] != '0' && !isDecimal
}

func isWordByte(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}

// readArtifact reads the inline artifact of a COMPILED, and returns where the message's
// own text ends: where a raw artifact begins, else at the end of the body. The contents
// of a raw artifact (headings, front matter) are then not part of Doc; sections of the message below it are.
func (m *Message) readArtifact(limits artifact.Limits) int {
	from, fence := m.findArtifact(limits)
	switch {
	case fence != nil:
		m.Artifact = fenced(m.Doc, fence, limits)
		fallthrough
	case from < 0:
		return len(m.Body.Data)
	}
	m.Artifact = artifact.FromDocument(m.Doc, from, limits)
	n := 0
	for n < len(m.Doc.Blocks) && m.Doc.Blocks[n].Span.End <= from {
		n++
	}
	rest := m.Doc.Blocks[n:]
	m.Doc = &markdown.Document{Text: m.Doc.Text, Blocks: m.Doc.Blocks[:n:n]}
	if below := m.ownSections(rest); n > 0 && below != nil {
		m.Doc.Blocks = append(m.Doc.Blocks, below...)
		return len(m.Body.Data)
	}
	return from
}

// ownSections returns the blocks below an artifact from the first section, under its exact title, that a COMPILED
// has beside the artifact, and this one lacks above it (decisions.md 5); nil if there is none.
func (m *Message) ownSections(blocks []markdown.Block) (below []markdown.Block) {
	m.Sections = sections(m.Doc, 0) // those above; all are read when it is known where the message's own text is
	isAbove := func(name string) bool { return m.Section(name) != nil }
	lacking := slices.DeleteFunc([]string{"Contributors", "Statistics", "Validation Status", "Persistence"}, isAbove)
	for i := range blocks {
		b := &blocks[i]
		if m.sectionOf(b) != 0 {
			below = nil
		} else if below == nil && m.artifactHeading(b) {
			isTitle := func(name string) bool { return strings.EqualFold(name, title(m.Doc.HeadingText(b))) }
			if slices.ContainsFunc(lacking, isTitle) {
				below = blocks[i:]
			}
		}
	}
	return below
}

// fenced reads the artifact in a fence, Markdown or JSON; nil if the JSON has a fault.
func fenced(doc *markdown.Document, fence *markdown.Block, limits artifact.Limits) *artifact.Artifact {
	text := doc.Content(fence)
	if bytes.HasPrefix(bytes.TrimSpace(text.Data), []byte("{")) {
		a, _ := artifact.ParseJSON(text, limits)
		return a
	}
	return artifact.ParseMarkdown(text, limits)
}

// findArtifact finds where a raw inline artifact begins, -1 if there is none, or the
// fence that contains one: after a heading `Full Artifact`, or, without one, a body
// that is itself an artifact.
func (m *Message) findArtifact(limits artifact.Limits) (from int, fence *markdown.Block) {
	blocks := m.Doc.Blocks
	for i := range blocks {
		if b := &blocks[i]; b.Kind == markdown.Heading && !b.InQuote {
			if s := (Section{Title: title(m.Doc.HeadingText(b)), doc: m.Doc}); s.Is("Full Artifact") {
				if from, fence = m.artifactIn(blocks[i+1:]); from >= 0 || fence != nil {
					return from, fence
				}
				return m.misheadedArtifact(b, blocks[i+1:], limits)
			}
		}
	}
	return m.bareArtifact(), nil
}

// artifactIn finds the artifact among the blocks after `Full Artifact`.
func (m *Message) artifactIn(blocks []markdown.Block) (from int, fence *markdown.Block) {
	for i := range blocks {
		b := &blocks[i]
		switch {
		case m.fencesArtifact(b):
			return -1, b
		case m.isFrontMatter(b), m.isTitle(b), m.sectionOf(b) != 0:
			return m.Body.LineStart(b.Span.Start), nil
		}
	}
	return -1, nil
}

// misheadedArtifact finds the artifact among the blocks after `Full Artifact` that has no proper heading: most of
// the seven sections are there, below headings of other levels or bold lines (decisions.md 45).
func (m *Message) misheadedArtifact(heading *markdown.Block, blocks []markdown.Block, limits artifact.Limits) (from int, fence *markdown.Block) {
	isArtifact := func(a *artifact.Artifact) bool { return a != nil && len(a.Sections) > len(brenner.Sections)/2 }
	end := slices.IndexFunc(blocks, func(b markdown.Block) bool {
		if b.Kind != markdown.Heading || b.Level > heading.Level {
			return false
		}
		text := m.Doc.HeadingText(&b)
		return brenner.SectionByTitle(text) == 0 && !isArtifactTitle(text)
	})
	if end >= 0 {
		blocks = blocks[:end:end]
	}
	if len(blocks) == 0 || HoldsLink(m.Body.Slice(source.Span{Start: heading.Span.End, End: blocks[len(blocks)-1].Span.End})) {
		return -1, nil
	}
	for i := range blocks {
		if b := &blocks[i]; b.Kind == markdown.Fence && isArtifact(fenced(m.Doc, b, limits)) {
			return -1, b
		}
	}
	a := artifact.FromDocument(&markdown.Document{Text: m.Doc.Text, Blocks: blocks}, heading.Span.End, limits)
	if !isArtifact(a) {
		return -1, nil
	}
	return m.Body.LineStart(a.Sections[0].Span.Start), nil
}

// linkToNothing is the end of a link without a destination: [the file]().
var linkToNothing = text.Pattern(`\]\(\s*(<\s*>)?\s*\)`)

// HoldsLink reports whether a text contains a link, or a path, to an artifact.
func HoldsLink(text string) bool {
	text = linkToNothing().ReplaceAllString(text, "")
	isIn := func(sign string) bool { return strings.Contains(text, sign) }
	return slices.ContainsFunc([]string{"](", "://", ".md", ".json", "artifacts/"}, isIn)
}

// bareArtifact returns where the artifact begins in a body without a heading
// `Full Artifact`: at an artifact's title, or at its first section if most of the seven are there,
// or at the front matter above it or at the beginning of the body; else -1.
func (m *Message) bareArtifact() int {
	blocks := m.Doc.Blocks
	start := func(b *markdown.Block) int {
		at := b.Span.Start
		if m.isFrontMatter(&blocks[0]) {
			at = blocks[0].Span.Start
		}
		for _, above := range slices.Backward(blocks) {
			if above.Span.Start < b.Span.Start && m.isFrontMatter(&above) {
				front := bytes.TrimSpace(m.Body.Data[above.Span.End:b.Span.Start])
				if bytes.HasSuffix(front, []byte("\n---")) && !bytes.Contains(front, []byte("\n#")) {
					at = above.Span.Start
				}
				break
			}
		}
		return m.Body.LineStart(at)
	}
	var first *markdown.Block
	seen := map[brenner.Section]bool{}
	for i := range blocks {
		b := &blocks[i]
		if m.isTitle(b) {
			return start(b)
		}
		if s := m.sectionOf(b); s != 0 {
			first = cmp.Or(first, b)
			seen[s] = true
		}
	}
	if first != nil && (m.isFrontMatter(&blocks[0]) || len(seen) > len(brenner.Sections)/2) {
		return start(first)
	}
	return -1
}

// isFrontMatter reports whether a block is the --- that opens YAML front matter.
func (m *Message) isFrontMatter(b *markdown.Block) bool {
	data := m.Body.Data
	if b.Kind != markdown.ThematicBreak || b.InList || b.InQuote || string(bytes.TrimRight(data[b.Span.Start:b.Span.End], " \t\r")) != "---" {
		return false
	}
	_, below, _ := bytes.Cut(data[b.Span.End:], []byte("\n"))
	line, _, _ := bytes.Cut(below, []byte("\n"))
	key, _, colon := bytes.Cut(line, []byte(":"))
	return colon && len(key) > 0 && bytes.IndexFunc(key, func(r rune) bool { return !isNameRune(r) }) < 0
}

// isTitle reports whether a block is the H1 of an artifact.
func (m *Message) isTitle(b *markdown.Block) bool {
	return m.artifactHeading(b) && b.Level == 1 && isArtifactTitle(m.Doc.HeadingText(b))
}

func isArtifactTitle(heading string) bool {
	return brenner.HasPrefixFold(heading, brenner.ArtifactTitle)
}

// sectionOf returns the artifact section that a heading begins, or 0.
func (m *Message) sectionOf(b *markdown.Block) brenner.Section {
	if !m.artifactHeading(b) {
		return 0
	}
	return brenner.SectionByTitle(m.Doc.HeadingText(b))
}

// artifactHeading reports whether a block can be a heading of an artifact: artifacts have
// them at H1 and H2 (decisions.md 30).
func (m *Message) artifactHeading(b *markdown.Block) bool {
	return b.Kind == markdown.Heading && b.Level <= 2 && !b.InList && !b.InQuote
}

// fencesArtifact reports whether a block is a fence that contains an artifact.
func (m *Message) fencesArtifact(b *markdown.Block) bool {
	if b.Kind != markdown.Fence {
		return false
	}
	for l := range m.Doc.Lines(b) {
		text := m.Doc.Text.Slice(l)
		if l.Start == b.Parts[0].Start && strings.HasPrefix(text, "{") && strings.Contains(m.Doc.Text.Slice(b.Span), `"sections"`) {
			return true
		}
		heading := strings.TrimLeft(text, "#")
		if level := len(text) - len(heading); level < 1 || level > 2 {
			continue
		}
		if heading = strings.TrimSpace(heading); isArtifactTitle(heading) || brenner.SectionByTitle(heading) != 0 {
			return true
		}
	}
	return false
}
