package artifact

import (
	"bytes"

	"github.com/brennerlint/brennerlint/markdown"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// heading opens what a heading begins; it reports false if the heading is part
// of a value.
func (p *parser) heading(b *markdown.Block) bool {
	if kind := protocol.SectionByTitle(p.headingText(b)); kind != 0 {
		switch {
		case b.Level <= 2:
			p.openSection(kind, p.headingSpan(b), p.trim(b.Span), int(b.Level))
			return true
		case !p.heads.hasSection(p, kind):
			p.misheadSection(kind, p.headingSpan(b), p.wrongLevel(b))
			return true
		}
	}
	switch {
	case isSetext(b) || p.sec == nil:
		return false
	case b.Level != 3 && p.headsItem(p.headingText(b)):
		p.openItem(p.headingSpan(b), p.wrongLevel(b))
		return true
	case b.Level > 3:
		return false
	case b.Level == 3 && p.holdsItem(b):
		p.openItem(p.headingSpan(b), Misheading{Span: p.trim(b.Span)})
		return true
	case b.Level == 3:
		p.closeField(b.Span.Start)
		p.tail = -1
		return true
	case b.Level == 1 && p.isComment(b):
		return false
	default:
		p.closeSection(b.Span.Start)
		return true
	}
}

// holdsItem reports whether an H3 begins an item of the open section: all do in sections
// with items, and in the research thread those of other sections, whose own heading may
// be missing.
func (p *parser) holdsItem(b *markdown.Block) bool {
	switch p.sec.Kind {
	case protocol.PredictionsTable:
		return false
	case protocol.ResearchThread:
		id, _ := headingID(p.headingText(b))
		return id.Section > protocol.ResearchThread
	}
	return true
}

// isSetext reports whether a heading is one by underline: most are text above a rule (---).
func isSetext(b *markdown.Block) bool {
	return len(b.Parts) > 0 && b.Parts[0].Start == b.Span.Start
}

// isComment reports whether an H1 is a comment of a command in a field without a fence:
// no artifact has an H1 among its sections, unless they are H1 themselves; then it is
// one that follows a line of text.
func (p *parser) isComment(b *markdown.Block) bool {
	if p.field == nil || protocol.HasPrefixFold(p.headingText(b), protocol.ArtifactTitle) {
		return false
	}
	if p.level != 1 {
		return true
	}
	before := p.data[:bytes.LastIndexByte(p.data[:b.Span.Start], '\n')+1]
	before = bytes.TrimRight(bytes.TrimSuffix(before, []byte("\n")), " \t\r")
	return len(before) > 0 && before[len(before)-1] != '\n'
}

func (p *parser) openSection(kind protocol.Section, heading, whole source.Span, level int) {
	p.closeSection(whole.Start)
	p.sec = p.room.newSection()
	p.sec.Kind, p.sec.Heading, p.sec.Span = kind, heading, whole
	p.level = level
	p.a.addSection(p.sec)
	p.tail = -1
	if kind == protocol.ResearchThread {
		p.item = p.room.newItem(heading, whole)
		p.item.ID, p.item.IDSpan = protocol.ItemID{Section: kind}, heading
		p.item.NameSpan = source.Span{Start: heading.End, End: heading.End}
		p.sec.Items = p.room.sectionItems.add(nil, p.item)
	}
}

// headingSpan returns the text of a heading; of one without text it is empty, after
// its marks.
func (p *parser) headingSpan(b *markdown.Block) source.Span {
	if len(b.Parts) == 0 {
		end := p.trim(b.Span).End
		return source.Span{Start: end, End: end}
	}
	return source.Span{Start: b.Parts[0].Start, End: b.Parts[len(b.Parts)-1].End}
}

// headingText returns the text of a heading, its lines joined by a space.
func (p *parser) headingText(b *markdown.Block) string {
	if len(b.Parts) == 1 {
		return p.src[b.Parts[0].Start:b.Parts[0].End]
	}
	return p.a.Doc.HeadingText(b)
}
