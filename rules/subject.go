package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// subjectRules are about subject lines (thread_subject_conventions, Subject
// Prefix Conventions). Mail without a subject is IN-003, a reply draft has none.
var subjectRules = []*lint.Rule{
	{ID: "SU-001", Name: "subject-description", Severity: lint.Error, Code: "EMPTY_SUBJECT_DESCRIPTION",
		SpecRef: "thread_subject_conventions#Subject Validation",
		Summary: "The subject has non-empty text after its prefix.",
		Help:    "describe the message in a few words after the prefix",
		Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			description := m.SubjectText[m.Description.Start:m.Description.End]
			if m.Intended == 0 || hasContent(strings.TrimFunc(description, invisible)) {
				return
			}
			d := lint.Diagnostic{
				At:         m.InSubject(m.Prefix),
				Message:    "subject has no description after " + text.Quote(m.SubjectText[m.Prefix.Start:m.Prefix.End]),
				Suggestion: "write it after the prefix: " + brenner.SubjectPlaceholder,
			}
			if !blankText(description) {
				d.At, d.Message = m.InSubject(m.Description), "the description is still the placeholder "+description
			}
			p.Report(d)
		})},
	{ID: "SU-002", Name: "subject-length", Severity: lint.Error, Code: "SUBJECT_TOO_LONG", SpecRef: "thread_subject_conventions#Subject Validation",
		Summary: "The whole subject has at most 120 characters (Unicode code points).",
		Help:    "shorten the subject to 120 characters and move the rest into the body",
		Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			n := utf8.RuneCountInString(m.SubjectText)
			if n <= maxSubject {
				return
			}
			p.Report(finding(m.InSubject(past(m.SubjectText, source.Span{End: len(m.SubjectText)}, maxSubject)),
				fmt.Sprintf("subject has %d characters; expected at most %d", n, maxSubject),
				"write "+strconv.Quote(shortSubject(m.SubjectText))+", and the rest into the body"))
		})},
	{ID: "SU-003", Name: "subject-description-length", Severity: lint.Info, SpecRef: "thread_subject_conventions#Subject Format",
		Summary: "The description after the prefix has under 80 characters.",
		// If the whole subject is too long, SU-002 reports it.
		Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			n := utf8.RuneCountInString(m.SubjectText[m.Description.Start:m.Description.End])
			if m.Intended == 0 || n <= maxDescription || utf8.RuneCountInString(m.SubjectText) > maxSubject {
				return
			}
			p.Report(finding(m.InSubject(past(m.SubjectText, m.Description, maxDescription)),
				fmt.Sprintf("description has %d characters; expected fewer than %d to fit an inbox listing", n, maxDescription+1), ""))
		})},
	{ID: "SU-004", Name: "delta-role", Severity: lint.Warning, SpecRef: "thread_subject_conventions#Role Shorthand for DELTA",
		Summary: "The DELTA role is one of opus, gpt, gemini, claude, human, or one that the configuration adds.",
		// Tags that the pattern does not allow are MB-001.
		Types: ofTypes(brenner.Delta), Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			if m.Type != brenner.Delta {
				return
			}
			role := m.SubjectText[m.Role.Start:m.Role.End]
			known := knownRoles(p.RuleConfig)
			if isOneOf(role, known) {
				return
			}
			meant, ok := roleMeant[role]
			if !ok {
				meant = text.Nearest(role, known)
			}
			d := lint.Diagnostic{
				At:         m.InSubject(m.Role),
				Message:    "DELTA role is " + text.Quote(role) + "; expected " + text.Or(known),
				Suggestion: "name the contributing model, or add the role to the configuration",
			}
			if meant != "" {
				d.Suggestion = "did you mean DELTA[" + meant + "]?"
				d.Fix = newFix("write DELTA["+meant+"]", m.Message.Subject, source.Edit{Span: m.Role, Text: meant})
				d.Fix.Unsafe = true
			}
			p.Report(d)
		})},
	{ID: "SU-005", Name: "delta-role-agent", Severity: lint.Warning, SpecRef: "thread_subject_conventions#Role Shorthand for DELTA",
		Summary: "The role of a DELTA fits the program and model that the export records for its sender.",
		Types:   ofTypes(brenner.Delta), Check: lint.MessageCheck(checkRoleOfAgent)},
}

const (
	maxSubject     = 120 // characters of a whole subject
	maxDescription = 79  // characters of a description: "under 80"
)

// blankText reports whether a text shows nothing: white space, control and invisible
// characters.
func blankText(s string) bool { return strings.TrimFunc(s, invisible) == "" }

func invisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// shortSubject returns a subject cut between two words, or characters, to the maximum
// length.
func shortSubject(s string) string {
	s = s[:past(s, source.Span{End: len(s)}, maxSubject).Start]
	if at := strings.LastIndexByte(s, ' '); at > maxSubject/2 {
		s = s[:at]
	}
	return strings.TrimRight(strings.ToValidUTF8(s, ""), " ,;:-–—")
}

// past returns what follows the first n characters of a span of s.
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

// roleMeant are tags that name a program, model or person of Role Shorthand for DELTA in
// other words than the table.
var roleMeant = map[string]string{
	"codex": "gpt", "openai": "gpt", "chatgpt": "gpt", "sonnet": "claude", "haiku": "claude", "anthropic": "claude",
	"google": "gemini", "operator": "human", "user": "human", "overseer": "human",
}

// rolesOf are the roles of the programs and models in Role Shorthand for DELTA. A model is
// named with a version, such as opus-4.5 or claude-opus-4-5.
var rolesOf = []struct {
	program string
	models  []string
	roles   []string
}{
	{"claude-code", []string{"opus", "sonnet", "haiku", "claude"}, []string{"opus", "claude"}},
	{"codex-cli", []string{"gpt"}, []string{"gpt"}},
	{"gemini-cli", []string{"gemini"}, []string{"gemini"}},
}

// checkRoleOfAgent compares a role of the table with what the export records for the
// sender (decisions.md 78). A program that the table does not have may run any model; a
// person has none.
func checkRoleOfAgent(p *lint.MessagePass) {
	m := p.Message
	role := m.SubjectText[m.Role.Start:m.Role.End]
	if m.Type != brenner.Delta || m.From == nil || !slices.Contains(brenner.Roles, role) || slices.Contains(p.RuleConfig.Roles, role) {
		return
	}
	var misfit *mail.Agent
	var expected []string
	for i := range p.Roster {
		a := &p.Roster[i]
		if a.Name != string(m.From.Data) {
			continue
		}
		roles := agentRoles(a)
		if roles == nil || slices.Contains(roles, role) || role == "human" && blankText(a.Program) {
			return // one record that fits is enough
		}
		misfit, expected = a, roles
	}
	if misfit == nil {
		return
	}
	recorded := misfit.Program
	if blankText(recorded) {
		recorded = misfit.Model
	} else if !blankText(misfit.Model) {
		recorded = strings.Trim(recorded+" with "+misfit.Model, " ")
	}
	p.Report(finding(m.InSubject(m.Role),
		"DELTA role is "+text.Quote(role)+", but "+text.Quote(misfit.Name)+" is recorded as "+text.Quote(recorded)+"; expected "+text.Or(expected),
		"write the role of the agent that contributes, or send from that agent"))
}

// agentRoles returns the roles that fit an agent's program or, where none is recorded, its
// model; nil if neither is in the table.
func agentRoles(a *mail.Agent) []string {
	for _, known := range rolesOf {
		isModel := func(name string) bool { return brenner.ContainsFold(a.Model, name) }
		if strings.EqualFold(strings.TrimSpace(a.Program), known.program) || blankText(a.Program) && slices.ContainsFunc(known.models, isModel) {
			return known.roles
		}
	}
	return nil
}
