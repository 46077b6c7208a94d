package rules

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// prefixRules hold MB-001, the rule on what a subject begins with.
var prefixRules = []*lint.Rule{{
	ID: "MB-001", Name: "subject-prefix", Severity: lint.Error, Code: "INVALID_SUBJECT_PREFIX",
	SpecRef: "message_body_schema#MB-001; thread_subject_conventions#Subject Validation",
	Summary: "Subject starts with one of the ten defined prefixes, exactly as the pattern writes them (DELTA carries a lower-case [role]).",
	Help:    "begin the subject with KICKOFF:, DELTA[role]:, CRITIQUE:, COMPILED:, ACK:, CLAIM:, HANDOFF:, BLOCKED:, QUESTION: or INFO:",
	Check:   lint.MessageCheck(checkPrefix),
}}

func checkPrefix(p *lint.MessagePass) {
	m := p.Message
	if m.Type != 0 || strings.TrimSpace(m.SubjectText) == "" {
		return // a missing subject is IN-003
	}
	var d lint.Diagnostic
	at, message, hint := prefixFault(m.SubjectText, m.SubjectLine, knownRoles(p.RuleConfig))
	d.At, d.Message, d.Suggestion = m.InSubject(at), message, hint
	if m.SubjectLine.Reply || m.Intended == 0 && !namesPrefix(m, p.RuleConfig) {
		suggestType(p, &d)
	} else if end, prefix, unsafe := rewritePrefix(m.SubjectText, knownRoles(p.RuleConfig)); prefix != "" {
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

// namesPrefix reports whether a subject without an intended type makes clear which prefix
// is meant.
func namesPrefix(m *session.Message, settings *lint.RuleConfig) bool {
	_, prefix, _ := rewritePrefix(m.SubjectText, knownRoles(settings))
	return prefix != ""
}

// prefixFault describes how a subject fails to match the pattern, and where; the hint
// is "" if the rewritten prefix is enough.
func prefixFault(s string, u brenner.SubjectLine, roles []string) (at source.Span, message, hint string) {
	lead := len(s) - len(strings.TrimLeftFunc(s, invisible))
	switch {
	case u.Reply:
		return u.Prefix, "reply prefix " + text.Quote(s[u.Prefix.Start:u.Prefix.End]) + " hides the message type; the subject must begin with one of the ten prefixes",
			`a reply can set its own subject: replace "Re:" with a prefix such as "ACK:", or send a new message in the same thread`
	case u.Intended == 0 && lead > 0 && brenner.ParseSubject(s[lead:]).Intended != 0:
		return source.Span{End: lead}, "invisible characters " + text.Quote(s[:lead]) + " before the prefix; the subject must begin with it", ""
	case u.Intended == 0:
		return noPrefix(s, lead, roles)
	case u.Prefix.Start > 0:
		return source.Span{End: u.Prefix.Start}, "white space before the prefix; the subject must begin with it", ""
	}
	name := u.Intended.String()
	word := source.Span{Start: u.Prefix.Start, End: u.Prefix.Start + len(name)}
	role := s[u.Role.Start:u.Role.End]
	switch {
	case s[word.Start:word.End] != name:
		return word, "prefix " + text.Quote(s[word.Start:word.End]) + " is not in upper case", ""
	case u.Intended == brenner.Delta && role == "":
		return u.Prefix, "DELTA has no role; expected DELTA[role]: with the short name of the contributing model",
			"write " + prefixOf(brenner.Delta) + " with the model that contributes: " + text.Or(roles)
	case u.Intended == brenner.Delta && !brenner.IsRole(role):
		return u.Role, "DELTA role " + text.Quote(role) + " does not match [a-z]+; expected lower-case letters only", roleHint(role, roles)
	}
	return u.Prefix, "white space in the prefix " + text.Quote(s[u.Prefix.Start:u.Prefix.End]), ""
}

// roleHint returns "" if the tag does name a role: then the rewritten prefix is enough.
func roleHint(tag string, roles []string) string {
	switch role, _ := roleNamed(tag, roles); {
	case role == "":
		return "write " + prefixOf(brenner.Delta) + " with the model that contributes, not the agent or its function: " + text.Or(roles)
	case strings.HasPrefix(letters(tag), "claudecode"):
		return "write DELTA[claude]:, or DELTA[opus]: if the model is Opus"
	}
	return ""
}

// noPrefix describes a subject that has no prefix at all. lead is the number of invisible
// bytes at its start.
func noPrefix(s string, lead int, roles []string) (at source.Span, message, hint string) {
	whole := source.Span{End: len(s)}
	if lead == len(s) {
		return whole, "subject is empty; expected one of the ten prefixes", ""
	}
	word := source.Span{Start: lead, End: lead + wordEnd(s[lead:])}
	name, rest := s[word.Start:word.End], s[word.End:]
	if tag, end := otherBrackets(s, lead); end > 0 {
		return source.Span{Start: tag.Start - 1, End: tag.End + 1}, "the DELTA role is not in square brackets", roleHint(s[tag.Start:tag.End], roles)
	}
	if tag, end := brenner.BareRole(s[lead:]); end > 0 {
		return tag.Shift(lead), "the DELTA role is not in brackets", roleHint(s[lead+tag.Start:lead+tag.End], roles)
	}
	if end := tagBefore(s, lead); end > 0 && s[lead] == '[' {
		if _, prefix, _ := rewritePrefix(s, roles); prefix != "" {
			return source.Span{Start: lead, End: end}, text.Quote(s[lead:end]) + " is before the prefix; the subject must begin with the prefix", ""
		}
	}
	if t := typeNamed(name); t != 0 {
		return missesColon(t, word, rest, roles)
	}
	names := make([]string, len(brenner.MessageTypes))
	for i, t := range brenner.MessageTypes {
		names[i] = t.String()
	}
	if near := text.Nearest(name, names); near != "" && strings.HasPrefix(rest, ":") {
		return word, "unknown prefix " + text.Quote(name), "did you mean " + near + ":?"
	}
	for i, t := range brenner.MessageTypes {
		if t == brenner.Delta {
			names[i] += "[role]"
		}
	}
	return whole, "subject " + text.Quote(s) + " does not begin with one of the ten prefixes",
		"begin it with " + text.Or(names) + " and a colon"
}

// missesColon describes what follows the name of a type instead of a colon.
func missesColon(t brenner.MessageType, word source.Span, rest string, roles []string) (at source.Span, message, hint string) {
	writeRole := "write DELTA[role]: with the short name of the contributing model"
	if !strings.HasPrefix(rest, "[") {
		hint = "begin the subject with " + strconv.Quote(t.String()+":")
		if t == brenner.Delta {
			hint = writeRole
		}
		return word, "missing colon after " + t.String(), hint
	}
	tag := source.Span{Start: word.End, End: word.End + len(rest)}
	if end := strings.IndexByte(rest, ']'); end >= 0 {
		tag.End = word.End + end + 1
	} else if t == brenner.Delta {
		return tag, "the bracket of the DELTA role is not closed", writeRole
	}
	if t == brenner.Delta {
		if role, _ := roleNamed(rest[:tag.End-word.End], roles); role == "" {
			hint = writeRole
		}
		return source.Span{Start: word.Start, End: tag.End}, "missing colon after the DELTA role", hint
	}
	return tag, "only DELTA has a tag in brackets", "begin the subject with " + strconv.Quote(t.String()+":")
}

// typeNamed returns the type that a word in capital letters names, or 0.
func typeNamed(word string) brenner.MessageType {
	for _, t := range brenner.MessageTypes {
		if word == t.String() {
			return t
		}
	}
	return 0
}

// wordEnd returns the end of the ASCII letters that begin s.
func wordEnd(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }))
}

// letters returns the lower-case letters a to z of a text.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}
