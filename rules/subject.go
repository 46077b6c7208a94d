package rules

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// subjectRules are about subject lines (thread_subject_conventions, Subject
// Prefix Conventions). Mail without a subject is IN-003, a reply draft has none.
var subjectRules = []*lint.Rule{
	{
		ID: "SU-001", Name: "subject-description", Severity: lint.Error, Scope: lint.MessageScope, Code: "EMPTY_SUBJECT_DESCRIPTION",
		Source:  "thread_subject_conventions#Subject Validation",
		Summary: "The subject has non-empty text after its prefix.",
		Advice:  "say after the prefix in a few words what the message is about",
		Check:   lint.MessageCheck(checkDescription),
	},
	{
		ID: "SU-002", Name: "subject-length", Severity: lint.Error, Scope: lint.MessageScope, Code: "SUBJECT_TOO_LONG",
		Source:  "thread_subject_conventions#Subject Validation",
		Summary: "The whole subject has at most 120 characters (Unicode code points).",
		Advice:  "shorten the subject to 120 characters and move the rest into the body",
		Check:   lint.MessageCheck(checkSubjectLength),
	},
	{
		ID: "SU-003", Name: "subject-description-length", Severity: lint.Info, Scope: lint.MessageScope,
		Source:  "thread_subject_conventions#Subject Format",
		Summary: "The description after the prefix has under 80 characters.",
		Check:   lint.MessageCheck(checkDescriptionLength),
	},
	{
		ID: "SU-004", Name: "delta-role", Severity: lint.Warning, Scope: lint.MessageScope,
		Source:  "thread_subject_conventions#Role Shorthand for DELTA",
		Summary: "The DELTA role is one of opus, gpt, gemini, claude, human, or one that the configuration adds.",
		Types:   ofTypes(protocol.Delta), Fixable: true, Check: lint.MessageCheck(checkRole),
	},
}

const (
	maxSubject     = 120 // characters of a whole subject
	maxDescription = 79  // characters of a description: "under 80"
)

// blankText reports whether a text shows nothing: white space, control and
// invisible characters.
func blankText(s string) bool { return strings.TrimFunc(s, invisible) == "" }

func invisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

func checkDescription(p *lint.MessagePass) {
	m := p.Message
	if m.Intended == 0 || !blankText(m.SubjectText[m.Description.Start:m.Description.End]) {
		return
	}
	p.Report(lint.Diagnostic{
		At:         m.InSubject(m.Prefix),
		Message:    "subject has no description after " + wording.Quote(m.SubjectText[m.Prefix.Start:m.Prefix.End]),
		Suggestion: "say in a few words what the message is about",
	})
}

func checkSubjectLength(p *lint.MessagePass) {
	m := p.Message
	n := utf8.RuneCountInString(m.SubjectText)
	if n <= maxSubject {
		return
	}
	p.Report(lint.Diagnostic{
		At:         m.InSubject(past(m.SubjectText, source.Span{End: len(m.SubjectText)}, maxSubject)),
		Message:    fmt.Sprintf("subject has %d characters: at most %d are allowed", n, maxSubject),
		Suggestion: "keep the subject short and move the rest into the body",
	})
}

// checkDescriptionLength is silent where the whole subject is too long: that is
// SU-002.
func checkDescriptionLength(p *lint.MessagePass) {
	m := p.Message
	n := utf8.RuneCountInString(m.SubjectText[m.Description.Start:m.Description.End])
	if m.Intended == 0 || n <= maxDescription || utf8.RuneCountInString(m.SubjectText) > maxSubject {
		return
	}
	p.Report(lint.Diagnostic{
		At:      m.InSubject(past(m.SubjectText, m.Description, maxDescription)),
		Message: fmt.Sprintf("description has %d characters: under %d fit an inbox listing", n, maxDescription+1),
	})
}

// past is what follows the first n characters of a span of s.
func past(s string, span source.Span, n int) source.Span {
	for i := range s[span.Start:span.End] {
		if n == 0 {
			span.Start += i
			break
		}
		n--
	}
	return span
}

// roleMeant are tags that name a program, model or person of Role Shorthand for
// DELTA otherwise than the table does.
var roleMeant = map[string]string{
	"codex": "gpt", "openai": "gpt", "chatgpt": "gpt", "sonnet": "claude", "haiku": "claude", "anthropic": "claude",
	"google": "gemini", "operator": "human", "user": "human", "overseer": "human",
}

// checkRole looks at tags that the pattern allows; others are MB-001.
func checkRole(p *lint.MessagePass) {
	m := p.Message
	if m.Type != protocol.Delta {
		return
	}
	role := m.SubjectText[m.Role.Start:m.Role.End]
	known := append(append([]string{}, protocol.Roles...), p.Settings.Roles...)
	if isOneOf(role, known) {
		return
	}
	meant, ok := roleMeant[role]
	if !ok {
		meant = wording.Nearest(role, known)
	}
	d := lint.Diagnostic{
		At:         m.InSubject(m.Role),
		Message:    "DELTA role " + wording.Quote(role) + " is not one of " + wording.Or(known),
		Suggestion: "the role names the model that contributes; further ones can be added in the configuration",
	}
	if meant != "" {
		d.Suggestion = "did you mean DELTA[" + meant + "]?"
		d.Fix = &lint.SuggestedFix{
			Description: "write DELTA[" + meant + "]", Unsafe: true,
			Edits: []lint.TextEdit{{At: d.At, Text: meant}},
		}
	}
	p.Report(d)
}

// prefixRules hold MB-001, the rule on what a subject begins with.
var prefixRules = []*lint.Rule{{
	ID: "MB-001", Name: "subject-prefix", Severity: lint.Error, Scope: lint.MessageScope, Code: "INVALID_SUBJECT_PREFIX", Fixable: true,
	Source:  "message_body_schema#MB-001; thread_subject_conventions#Subject Validation",
	Summary: "Subject starts with one of the ten defined prefixes, exactly as the pattern writes them (DELTA carries a lower-case [role]).",
	Advice:  "begin the subject with KICKOFF:, DELTA[role]:, CRITIQUE:, COMPILED:, ACK:, CLAIM:, HANDOFF:, BLOCKED:, QUESTION: or INFO:",
	Check:   lint.MessageCheck(checkPrefix),
}}

func checkPrefix(p *lint.MessagePass) {
	m := p.Message
	if m.Type != 0 || strings.TrimSpace(m.SubjectText) == "" {
		return // no subject is IN-003
	}
	var d lint.Diagnostic
	at, message, hint := prefixFault(m.SubjectText, m.SubjectLine)
	d.At, d.Message, d.Suggestion = m.InSubject(at), message, hint
	if end, prefix, unsafe := mendPrefix(m.SubjectText); prefix != "" {
		begin := "begin the subject with " + strconv.Quote(strings.TrimSpace(prefix))
		if d.Suggestion == "" {
			d.Suggestion = begin
		}
		d.Fix = &lint.SuggestedFix{
			Description: begin, Unsafe: unsafe,
			Edits: []lint.TextEdit{{At: m.InSubject(source.Span{End: end}), Text: prefix}},
		}
	}
	p.Report(d)
}

// prefixFault says what is wrong with a subject that the pattern does not match,
// and where; the hint is "" where the mended prefix says it all.
func prefixFault(s string, u protocol.SubjectLine) (at source.Span, message, hint string) {
	lead := len(s) - len(strings.TrimLeftFunc(s, invisible))
	switch {
	case u.Reply:
		return u.Prefix, "reply prefix " + wording.Quote(s[u.Prefix.Start:u.Prefix.End]) + " hides what kind of message this is: one of the ten prefixes must begin the subject",
			`a reply can set its own subject: give it a subject prefix such as "ACK:" in place of "Re:", or send a new message in the same thread`
	case u.Intended == 0 && lead > 0 && protocol.ParseSubject(s[lead:]).Intended != 0:
		return source.Span{End: lead}, "invisible characters " + wording.Quote(s[:lead]) + " stand before the prefix: the subject must begin with it", ""
	case u.Intended == 0:
		return noPrefix(s, lead)
	case u.Prefix.Start > 0:
		return source.Span{End: u.Prefix.Start}, "white space stands before the prefix: the subject must begin with it", ""
	}
	name := u.Intended.String()
	word := source.Span{Start: u.Prefix.Start, End: u.Prefix.Start + len(name)}
	role := s[u.Role.Start:u.Role.End]
	switch {
	case s[word.Start:word.End] != name:
		return word, "prefix " + wording.Quote(s[word.Start:word.End]) + " is not written in capital letters", ""
	case u.Intended == protocol.Delta && role == "":
		return u.Prefix, "DELTA has no role: the pattern is DELTA[role]: with the shorthand of the model that contributes",
			"write DELTA[" + strings.Join(protocol.Roles, "]:, DELTA[") + "]: as fits"
	case u.Intended == protocol.Delta && !protocol.IsRole(role):
		return u.Role, "DELTA role " + wording.Quote(role) + " does not match [a-z]+: a role is lower-case letters only", roleHint(role)
	}
	return u.Prefix, "white space stands in the prefix " + wording.Quote(s[u.Prefix.Start:u.Prefix.End]), ""
}

// roleHint is "" where the tag names a role after all: then the mended prefix
// says it.
func roleHint(tag string) string {
	if isOneOf(letters(tag), protocol.Roles) {
		return ""
	}
	return "name the model that contributes: " + wording.Or(protocol.Roles)
}

// noPrefix says what is wrong with a subject that has no prefix at all. lead is
// the number of invisible bytes at its start.
func noPrefix(s string, lead int) (at source.Span, message, hint string) {
	whole := source.Span{End: len(s)}
	if lead == len(s) {
		return whole, "subject is empty: one of the ten prefixes must begin it", ""
	}
	word := source.Span{Start: lead, End: lead + wordEnd(s[lead:])}
	name, rest := s[word.Start:word.End], s[word.End:]
	if t := typeNamed(name); t != 0 {
		return missesColon(t, word, rest)
	}
	names := make([]string, len(protocol.MessageTypes))
	for i, t := range protocol.MessageTypes {
		names[i] = t.String()
	}
	if near := wording.Nearest(name, names); near != "" && strings.HasPrefix(rest, ":") {
		return word, wording.Quote(name) + " is none of the ten prefixes", "did you mean " + near + ":?"
	}
	for i, t := range protocol.MessageTypes {
		if t == protocol.Delta {
			names[i] += "[role]"
		}
	}
	return whole, "subject " + wording.Quote(s) + " begins with none of the ten prefixes",
		"begin it with " + wording.Or(names) + " and a colon"
}

// missesColon says what follows the name of a type in place of a colon.
func missesColon(t protocol.MessageType, word source.Span, rest string) (at source.Span, message, hint string) {
	writeRole := "write DELTA[role]: with the shorthand of the model that contributes"
	if !strings.HasPrefix(rest, "[") {
		hint = "begin the subject with " + strconv.Quote(t.String()+":")
		if t == protocol.Delta {
			hint = writeRole
		}
		return word, "no colon follows " + t.String(), hint
	}
	tag := source.Span{Start: word.End, End: word.End + len(rest)}
	if end := strings.IndexByte(rest, ']'); end >= 0 {
		tag.End = word.End + end + 1
	} else if t == protocol.Delta {
		return tag, "the bracket of the DELTA role is not closed", writeRole
	}
	if t == protocol.Delta {
		if prefix, _ := mendRole(rest[:tag.End-word.End]); prefix == "" {
			hint = writeRole
		}
		return source.Span{Start: word.Start, End: tag.End}, "no colon follows the DELTA role", hint
	}
	return tag, "only DELTA carries a tag in brackets", "begin the subject with " + strconv.Quote(t.String()+":")
}

// typeNamed is the type that a word in capital letters names, or 0.
func typeNamed(word string) protocol.MessageType {
	for _, t := range protocol.MessageTypes {
		if word == t.String() {
			return t
		}
	}
	return 0
}

// wordEnd is the end of the ASCII letters that begin s.
func wordEnd(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }))
}

// letters is the lower-case letters a to z of a text.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

// mendPrefix is the prefix that stands for the first bytes of a near miss; ""
// if what was meant cannot be told. It is unsafe where it may not be what the
// writer meant: a reply becomes what it answers, a tag loses characters.
func mendPrefix(s string) (end int, prefix string, unsafe bool) {
	lead := len(s) - len(strings.TrimLeftFunc(s, invisible))
	u := protocol.ParseSubject(s[lead:])
	switch {
	case u.Reply:
		end, prefix, _ = mendPrefix(s[lead+u.Description.Start:])
		return end + lead + u.Description.Start, prefix, true
	case u.Intended == protocol.Delta:
		prefix, unsafe = mendRole(s[lead+u.Role.Start : lead+u.Role.End])
		return lead + u.Prefix.End, prefix, unsafe
	case u.Intended != 0:
		return lead + u.Prefix.End, u.Intended.String() + ":", false
	}
	return missingColon(s, lead)
}

// mendRole is the DELTA prefix for a tag: its letters, or the role they begin
// with (`GPT-5.2`, `claude_code`).
func mendRole(tag string) (prefix string, unsafe bool) {
	role := letters(tag)
	if role == "" {
		return "", false
	}
	for _, known := range protocol.Roles {
		if strings.HasPrefix(role, known) {
			return "DELTA[" + known + "]:", role != known
		}
	}
	return "DELTA[" + role + "]:", true
}

// missingColon mends `KICKOFF Cell fate`, `KICKOFF - Cell fate` and
// `DELTA[opus] Added H4`.
func missingColon(s string, lead int) (end int, prefix string, unsafe bool) {
	end = lead + wordEnd(s[lead:])
	t := typeNamed(s[lead:end])
	prefix = t.String() + ":"
	switch t {
	case 0:
		return 0, "", false
	case protocol.Delta:
		tag, rest, ok := strings.Cut(s[end:], "]")
		if !ok || !strings.HasPrefix(tag, "[") {
			return 0, "", false
		}
		end = len(s) - len(rest)
		if prefix, unsafe = mendRole(tag); prefix == "" {
			return 0, "", false
		}
	}
	rest := strings.TrimLeft(s[end:], " \t-–—：.;")
	if rest == "" || len(rest) == len(s[end:]) {
		return 0, "", false
	}
	return len(s) - len(rest), prefix + " ", unsafe
}
