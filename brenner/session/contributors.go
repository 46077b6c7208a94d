package session

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Contributor is one agent listed in the Contributors section of a COMPILED.
type Contributor struct {
	Name string
	Span source.Span // of the name, in the body
	// Count is the number of deltas claimed, if HasCount; CountSpan its place.
	Count     int
	HasCount  bool
	CountSpan source.Span
}

// Contributors returns the agents that the section names: in the rows of a table (column Agent,
// or the first), in list items, or separated by commas. Names in other prose do not count.
func (s *Section) Contributors() []Contributor {
	var out []Contributor
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Kind != markdown.Paragraph {
			continue
		}
		if t, ok := s.doc.Table(b); ok {
			out = append(out, s.contributorRows(t)...)
			continue
		}
		for _, l := range b.Parts {
			out = append(out, s.contributorLine(l)...)
		}
	}
	return out
}

func (s *Section) contributorRows(t *markdown.Table) []Contributor {
	agent, deltas := 0, -1
	for i, c := range t.Header.Cells {
		switch name := strings.ToLower(s.Text(c)); {
		case name == "agent":
			agent = i
		case strings.Contains(name, "delta"):
			deltas = i
		}
	}
	var out []Contributor
	for _, r := range t.Rows {
		if agent >= len(r.Cells) {
			continue
		}
		c, _, ok := s.contributor(r.Cells[agent])
		if !ok {
			continue
		}
		if deltas >= 0 && deltas < len(r.Cells) {
			s.readCount(&c, r.Cells[deltas])
		}
		out = append(out, c)
	}
	return out
}

// contributorLine reads a line that lists agents: `BlueLake (2 deltas), RedLake`. After
// `BlueLake: 2 deltas, H3` the commas may belong to the remark: what follows is an agent
// only if it has its own remark.
func (s *Section) contributorLine(line source.Span) []Contributor {
	var out []Contributor
	text := s.Text(line)
	open := false
	for _, e := range brenner.SplitList(text) {
		for start := e.Start; start < e.End; {
			one, _, _ := strings.Cut(text[start:e.End], " and ")
			at := source.Span{Start: line.Start + start, End: line.Start + start + len(one)}
			c, remark, ok := s.contributor(at)
			if ok && (remark != "" || !open) {
				out = append(out, c)
			}
			open = open || ok && remark != "" && remark[0] != '(' && remark[0] != '['
			start += len(one) + len(" and ")
		}
	}
	return out
}

// contributor reads one entry: a name, and optionally a remark after a colon, a dash or
// in parentheses.
func (s *Section) contributor(e source.Span) (c Contributor, remark string, ok bool) {
	text := s.Text(e)
	trimmed := strings.TrimLeft(text, " \t*`")
	name := trimmed[:len(trimmed)-len(strings.TrimLeftFunc(trimmed, isNameRune))]
	start := e.Start + len(text) - len(trimmed)
	remark = strings.TrimLeft(trimmed[len(name):], " \t*`")
	_, isItem := brenner.ParseItemID(name)
	first, _ := utf8.DecodeRuneInString(remark)
	if !IsAgentName(name) || saysNone(name) || isItem || remark != "" && !strings.ContainsRune(":(–—-[", first) {
		return Contributor{}, "", false
	}
	c = Contributor{Name: name, Span: source.Span{Start: start, End: start + len(name)}}
	s.readCount(&c, source.Span{Start: c.Span.End, End: e.End})
	return c, remark, true
}

// readCount reads the number of deltas in a cell or remark: a number alone, or
// one before the word delta.
func (s *Section) readCount(c *Contributor, at source.Span) {
	text := s.Text(at)
	for i := 0; i < len(text); {
		n, digits := ParseNumber(text[i:])
		if digits == 0 || i > 0 && isNameRune(rune(text[i-1])) {
			i += max(digits, 1)
			continue
		}
		after := strings.TrimLeft(text[i+digits:], " \t")
		if brenner.HasPrefixFold(after, "delta") || noWord(text[:i]) && noWord(after) {
			c.Count, c.HasCount = n, true
			c.CountSpan = source.Span{Start: at.Start + i, End: at.Start + i + digits}
			return
		}
		i += digits
	}
}

func noWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0
}

// IsAgentName reports whether s may be the name of an agent: a word of letters, digits, _ and -,
// with at least one letter or digit.
func IsAgentName(s string) bool {
	plausible := false
	for _, r := range s {
		if !isNameRune(r) {
			return false
		}
		plausible = plausible || r != '_' && r != '-'
	}
	return plausible
}

func isNameRune(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// saysNone reports whether a text means "none".
func saysNone(s string) bool {
	switch strings.ToLower(strings.Trim(s, " \t.-–—")) {
	case "", "none", "nobody", "n/a", "na", "no contributors", "none yet", "tbd":
		return true
	}
	return false
}

// IsNone reports whether the first line of the section means "none": `None`, `N/A`, a
// dash.
func (s *Section) IsNone() bool { return saysNone(s.Text(s.FirstLine())) }
