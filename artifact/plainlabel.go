package artifact

import (
	"strings"

	"github.com/brennerlint/brennerlint/source"
)

// plainLabel records the name of a field that begins a line which is not a field line:
// `Claim: …`, `*Claim*: …` or `**Claim** …`.
func (p *parser) plainLabel(l source.Span) {
	const marks = "*_ \t"
	line := p.src[l.Start:min(l.End, l.Start+maxLabel)]
	end := strings.IndexByte(line, ':')
	if mark := strongMark(line); mark != "" && end < 0 {
		if end = strings.Index(line[2:], mark); end >= 0 {
			end += len(mark) + 2
		}
	}
	if end <= 0 {
		return
	}
	_, known := p.fieldKey(strings.Trim(line[:end], marks))
	if known == nil {
		return
	}
	for _, other := range p.item.PlainLabels {
		if other.Field == known {
			return
		}
	}
	if end < len(line) && line[end] == ':' {
		end++
	}
	p.item.PlainLabels = append(p.item.PlainLabels, PlainLabel{known, source.Span{Start: l.Start, End: l.Start + end}})
}
