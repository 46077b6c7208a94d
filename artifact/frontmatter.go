package artifact

import (
	"bytes"
	"strings"

	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// frontMatter reads the front matter at from, optionally after blank lines, and returns
// where the body begins. Without front matter that is from.
func (p *parser) frontMatter(from int) int {
	open, ok := p.fence(p.lineAt(p.skipBlankLines(from)))
	if !ok {
		return from
	}
	content := source.Span{Start: min(p.lineEnd(open.Start)+1, len(p.data))}
	for at := content.Start; at < len(p.data); {
		line := p.lineAt(at)
		if fence, ok := p.fence(line); ok || p.src[fence.Start:fence.End] == "..." {
			content.End = at
			whole := source.Span{Start: open.Start, End: fence.End}
			p.a.Meta, p.a.MetaFault = p.yaml(content, whole)
			if p.a.Meta == nil && p.holdsSection(content) {
				// A rule (---) of the text below.
				p.a.MetaFault = p.unclosed(open, content.Start)
				return from
			}
			return min(line.End+1, len(p.data))
		}
		at = line.End + 1
	}
	p.a.MetaFault = p.unclosed(open, content.Start)
	return from
}

// unclosed returns a fault if front matter is not closed and the line at off looks like
// part of it: otherwise the line above is only a rule.
func (p *parser) unclosed(open source.Span, off int) *Fault {
	if !p.holdsKey(off) {
		return nil
	}
	last := ""
	for at := off; at < len(p.data) && !strings.ContainsAny(p.src[at:at+1], "#\r\n"); at = p.lineEnd(at) + 1 {
		if p.holdsKey(at) {
			last, _, _ = strings.Cut(p.src[at:p.lineEnd(at)], ":")
		}
	}
	return &Fault{
		Span: open, Message: "front matter is not closed by a line ---",
		Hint: "add a line --- below " + last + " and what belongs to it",
	}
}

// fence returns a line without white space at its end, and whether it is ---.
func (p *parser) fence(line source.Span) (source.Span, bool) {
	for line.End > line.Start && source.IsSpace(p.data[line.End-1]) {
		line.End--
	}
	return line, p.src[line.Start:line.End] == "---"
}

func (p *parser) lineAt(off int) source.Span { return source.Span{Start: off, End: p.lineEnd(off)} }

func (p *parser) lineEnd(off int) int {
	if n := bytes.IndexByte(p.data[off:], '\n'); n >= 0 {
		return off + n
	}
	return len(p.data)
}

func (p *parser) skipBlankLines(off int) int {
	for at := off; at < len(p.data) && source.IsSpace(p.data[at]); at++ {
		if p.data[at] == '\n' {
			off = at + 1
		}
	}
	return off
}

// holdsSection reports whether a span contains the heading of a section.
func (p *parser) holdsSection(s source.Span) bool {
	for at := s.Start; at < s.End; {
		end := p.lineEnd(at)
		if line := p.src[at:end]; strings.HasPrefix(line, "#") && protocol.SectionByTitle(strings.TrimLeft(line, "#")) != 0 {
			return true
		}
		at = end + 1
	}
	return false
}

// holdsKey reports whether the line at off looks like a front matter line.
func (p *parser) holdsKey(off int) bool {
	key, _, ok := strings.Cut(p.src[off:p.lineEnd(off)], ":")
	return ok && key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// yaml reads the content of front matter; whole is its span with both fences.
func (p *parser) yaml(content, whole source.Span) (*Meta, *Fault) {
	if values, ok := p.plainMeta(content); ok {
		return &Meta{Span: whole, Values: values}, nil
	}
	return p.anyMeta(content, whole)
}
