package rules

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// bodyVersion returns the version that the body of a COMPILED states, 0 if none.
func bodyVersion(m *session.Message) int {
	if m.Doc == nil {
		return 0
	}
	if f := m.Field("Version"); f != nil {
		if n, ok := versionValue(f.Text); ok {
			return n
		}
	}
	n, _, _ := session.FindVersion(m.Doc.Text.Slice(titleVersion(m)))
	return n
}

// checkBodyVersion reports nothing if the subject has no version (AP-001).
func checkBodyVersion(p *lint.MessagePass) {
	m := p.Message
	if m.Doc == nil || isWrapped(m) || !m.Version.OK {
		return
	}
	want := m.Version.Number
	given, wrong := false, false
	if f := m.Field("Version"); f != nil && !unfilled(f) {
		given = true
		if n, ok := versionValue(f.Text); !ok || n != want {
			wrong = true
			reportField(p, f, fmt.Sprintf("Version is %s, but the subject says v%d", text.Quote(f.Text), want), fmt.Sprintf("write v%d", want))
		}
	}
	if title := titleVersion(m); !title.Empty() {
		given = true
		if n, _, _ := session.FindVersion(m.Doc.Text.Slice(title)); n != want {
			wrong = true
			p.Report(lint.Diagnostic{
				At:         m.InBody(title),
				Message:    fmt.Sprintf("title says %s, but the subject says v%d", m.Doc.Text.Slice(title), want),
				Suggestion: fmt.Sprintf("write v%d", want),
			})
		}
	}
	if meta := frontMatterVersion(m); meta != nil {
		given = true
		if !brenner.SameVersion(meta.Text, want) && (p.Thread == nil || !p.Thread.Complete) { // else that is AP-010
			wrong = true
			p.Report(lint.Diagnostic{
				At:         m.Artifact.Text.Place(meta.Span),
				Message:    fmt.Sprintf("the front matter says version %s, but the subject says v%d", text.Quote(meta.Text), want),
				Suggestion: fmt.Sprintf("write version: %d", want),
			})
		}
	}
	if !given && !summaryNames(m, want) {
		p.Report(lint.Diagnostic{
			At:         m.SubjectPlace(),
			Message:    fmt.Sprintf("the body does not state version v%d in its title or in a Version field", want),
			Suggestion: fmt.Sprintf("begin the body with # Compiled Artifact v%d", want),
		})
	}
	if !wrong { // the body of another version states that one's previous version
		checkPrevious(p, want)
	}
}

// frontMatterVersion returns the version in the front matter of the inline artifact,
// nil if there is none.
func frontMatterVersion(m *session.Message) *artifact.MetaValue {
	if m.Artifact == nil {
		return nil
	}
	v := m.Artifact.Meta.Get("version")
	if v == nil || !brenner.IsNumber(strings.TrimLeft(strings.TrimSpace(v.Text), "vV")) {
		return nil
	}
	return v
}

// titleVersion returns the first `vN` of the body's title, its first H1; empty if it
// has none.
func titleVersion(m *session.Message) source.Span {
	for i := range m.Sections {
		if s := &m.Sections[i]; s.Level == 1 && !s.Nested {
			_, v, _ := session.FindVersion(s.Text(s.Heading))
			return v.Shift(s.Heading.Start)
		}
	}
	return source.Span{}
}

// summaryNames reports whether the Summary states `vN`, which message_body_schema,
// COMPILED Messages, allows instead of the title.
func summaryNames(m *session.Message, version int) bool {
	s := m.Section("Summary")
	if s == nil {
		return false
	}
	text := s.Text(s.Content)
	for {
		n, at, ok := session.FindVersion(text)
		if !ok || n == version {
			return ok
		}
		text = text[at.End:]
	}
}

// checkPrevious checks Previous Version, which the first version may omit.
func checkPrevious(p *lint.MessagePass, version int) {
	f := p.Message.Field("Previous Version")
	if f == nil || unfilled(f) {
		return
	}
	n, ok := versionValue(f.Text)
	if !ok && version == 1 || ok && n == version-1 {
		return
	}
	before := fmt.Sprintf("the version before v%d is v%d", version, version-1)
	if version == 1 {
		before = "v1 is the first version"
	}
	hint := fmt.Sprintf("write v%d", version-1)
	if version == 1 {
		hint = "remove the line"
	}
	reportField(p, f, "Previous Version is "+text.Quote(f.Text)+", but "+before, hint)
}

// versionValue reads a value `v3` or `3`, which a remark may follow.
func versionValue(text string) (n int, ok bool) {
	word, _, _ := strings.Cut(text, " ")
	word = strings.TrimPrefix(word, "v")
	n, digits := session.ParseNumber(word)
	return n, digits > 0 && digits == len(word) && (word[0] != '0' || digits == 1) // decisions.md 60
}
