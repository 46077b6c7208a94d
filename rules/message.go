package rules

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// Shared by the rules on messages: the constructors that most of them use, and the
// places and words of their findings (decisions.md 2, 3, 5).

// ofTypes returns the set of message types that a rule checks.
func ofTypes(t ...brenner.MessageType) []brenner.MessageType { return t }

// sectionReq is a section that a message must have.
type sectionReq struct {
	title string
	// purpose says what belongs in it.
	purpose string
	// aliases are headings that writers use instead of it.
	aliases []string
}

// section returns the rule that messages of a type have a section that is not empty.
func section(id, name, source string, t brenner.MessageType, w sectionReq, help string) *lint.Rule {
	return &lint.Rule{ID: id, Name: name, Severity: lint.Error, SpecRef: source,
		Summary: t.String() + " has a non-empty `" + w.title + "` section.",
		Help:    help, Types: ofTypes(t), Check: needSection(w)}
}

// firstSection is section for the first rule of a type (orWrapper).
func firstSection(id, name, source string, t brenner.MessageType, w sectionReq, help string) *lint.Rule {
	r := section(id, name, source, t, w, help)
	r.Check = orWrapper(needSection(w))
	return r
}

// needSection returns a check that the section exists and is not empty.
func needSection(w sectionReq) lint.MessageCheck {
	return func(p *lint.MessagePass) { filledSection(p, w) }
}

// filledSection returns the section, or reports that it is missing or empty and returns
// nil. It also returns nil if there is no body to read.
func filledSection(p *lint.MessagePass, w sectionReq) *session.Section {
	m := p.Message
	if m.Doc == nil || isWrapped(m) {
		return nil
	}
	s := m.Section(w.title)
	switch {
	case s == nil:
		reportMissing(p, w)
		return nil
	case s.Empty():
		reportEmpty(p, s, w)
		return nil
	}
	return s
}

// reportMissing reports a missing section at the message's subject.
func reportMissing(p *lint.MessagePass, w sectionReq) {
	p.Report(lint.Diagnostic{
		At:         p.Message.SubjectPlace(),
		Message:    p.Message.Intended.String() + " has no " + text.Quote(w.title) + " section (" + w.purpose + ")",
		Suggestion: missingHint(p.Message, w),
	})
}

// missingHint describes how to add a missing section: by renaming a heading that means
// it, by turning a field line into a heading, else by adding it.
func missingHint(m *session.Message, w sectionReq) string {
	if t := headingMeant(m, w); t != "" {
		return "rename the heading " + text.Quote(t) + " to " + text.Quote(w.title)
	}
	if line := namedLine(m, w.title); line != "" {
		return headingFromLine(line, w)
	}
	return newSection(w)
}

// newSection suggests to add a section, with the placeholder of its content.
func newSection(w sectionReq) string {
	return "add a section: ## " + w.title + ", and below it " + brenner.SectionPlaceholder(w.title)
}

// headingFromLine suggests to turn a line `**Context**: text` into a heading.
func headingFromLine(line string, w sectionReq) string {
	hint := "replace the line " + text.Quote(line) + " with the heading ## " + w.title
	value := strings.TrimLeft(line, "#*_` ")
	if value = strings.Trim(value[min(len(w.title), len(value)):], "#*_`: \t"); value != "" {
		return hint + " and, below it, the text " + text.Quote(value)
	}
	return hint
}

// headingMeant returns the heading below the title that probably means the section, or
// "".
func headingMeant(m *session.Message, w sectionReq) string {
	for _, aliases := range w.aliases {
		for i := range m.Sections {
			if s := &m.Sections[i]; s.Level > 1 && s.Is(aliases) {
				return s.Title
			}
		}
	}
	for i := range m.Sections {
		if t := m.Sections[i].Title; unnumbered(t) == strings.ToLower(w.title) || text.Nearest(t, []string{w.title}) != "" {
			return t
		}
	}
	return ""
}

// namedLine returns the first line of text that begins with a name and a colon, or is
// the name in bold: what should be a heading, or a field line; "" if there is none.
func namedLine(m *session.Message, name string) string {
	for i := range m.Doc.Blocks {
		b := &m.Doc.Blocks[i]
		if b.Kind != markdown.Paragraph || b.InQuote {
			continue
		}
		for _, l := range b.Parts {
			line := m.Doc.Text.Bytes(l)
			rest := bytes.TrimLeft(line, "#*_`")
			if len(rest) < len(name) || !strings.EqualFold(string(rest[:len(name)]), name) {
				continue
			}
			if rest = rest[len(name):]; len(rest) == 0 || bytes.IndexByte([]byte(":*_`"), rest[0]) >= 0 {
				return string(line)
			}
		}
	}
	return ""
}

// unnumbered returns a heading in lower case without a number or sign before it.
func unnumbered(title string) string {
	return strings.ToLower(strings.TrimLeftFunc(title, func(r rune) bool { return !unicode.IsLetter(r) }))
}

// reportEmpty reports an empty section at its heading.
func reportEmpty(p *lint.MessagePass, s *session.Section, w sectionReq) {
	d := lint.Diagnostic{
		At:      p.Message.InBody(s.Heading),
		Message: "section " + text.Quote(s.Title) + " is empty (" + w.purpose + ")",
	}
	if hint := brenner.SectionPlaceholder(w.title); hint != "" {
		d.Suggestion = "write below the heading: " + hint
	}
	if strings.ContainsAny(s.Text(s.Content), "{<") {
		d.Message = "section " + text.Quote(s.Title) + " still contains the template's placeholder (" + w.purpose + ")"
	}
	if _, value, _ := strings.Cut(s.Title, ":"); strings.TrimSpace(value) != "" {
		d.Suggestion = "put " + text.Quote(strings.TrimSpace(value)) + " on a line below the heading"
	}
	p.Report(d)
}

// sectionOneOf returns a check that the section's first line is one of the values, in
// any case and with or without a final full stop (decisions.md 5).
func sectionOneOf(w sectionReq, values ...string) lint.MessageCheck {
	return func(p *lint.MessagePass) {
		s := filledSection(p, w)
		if s == nil {
			return
		}
		line := s.FirstLine()
		if isOneOf(s.Text(line), values) {
			return
		}
		p.Report(lint.Diagnostic{
			At:         p.Message.InBody(line),
			Message:    w.title + " is " + text.Quote(s.Text(line)) + "; expected " + text.Or(values),
			Suggestion: cmp.Or(meantValue(nearestValue(s.Text(line), values)), "write "+brenner.SectionPlaceholder(w.title)+" instead of the line"),
		})
	}
}

func isOneOf(text string, values []string) bool {
	text = strings.Trim(brenner.FoldSpace(text), " .*_`")
	for _, v := range values {
		if strings.EqualFold(text, v) {
			return true
		}
	}
	return false
}

// nearestValue returns the value that a text begins with, unless it offers another, or is
// nearest to.
func nearestValue(written string, values []string) string {
	for _, v := range values {
		if len(written) > len(v) && strings.EqualFold(written[:len(v)], v) && !isLetter(written[len(v)]) {
			if namesOther(strings.ToLower(written[len(v):]), values) {
				return ""
			}
			return v
		}
	}
	return text.Nearest(written, values)
}

// namesOther reports whether what follows a value offers another one: "/ falsified".
func namesOther(rest string, values []string) bool {
	rest = strings.TrimLeft(rest, " ")
	return (strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "or ")) &&
		slices.ContainsFunc(values, func(v string) bool { return strings.Contains(rest, strings.ToLower(v)) })
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// meantValue returns the suggestion of a value, "" if there is none.
func meantValue(value string) string {
	if value == "" {
		return ""
	}
	return "did you mean " + value + "?"
}

// typed returns a text as suggestions show it: unchanged, or quoted if it could not be
// typed like that.
func typed(s string) string {
	if quoted := text.Quote(s); quoted != `"`+s+`"` {
		return quoted
	}
	return s
}
