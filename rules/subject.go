package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
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
			if m.Intended == "" || hasContent(strings.TrimFunc(description, invisible)) {
				return
			}
			d := finding(m.InSubject(m.Prefix),
				"subject has no description after "+text.Quote(m.Subject.Slice(m.Prefix)),
				"write it after the prefix: "+brenner.SubjectPlaceholder)
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
			if m.Intended == "" || n <= maxDescription || utf8.RuneCountInString(m.SubjectText) > maxSubject {
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
			role := m.Subject.Slice(m.Role)
			known := knownRoles(p.RuleConfig)
			if isOneOf(role, known) {
				return
			}
			d := finding(m.InSubject(m.Role),
				"DELTA role is "+text.Quote(role)+"; expected "+text.Or(known),
				"name the contributing model, or add the role to the configuration")
			if meant := cmp.Or(roleMeant[role], text.Nearest(role, known)); meant != "" {
				d.Suggestion = "did you mean DELTA[" + meant + "]?"
				d.Fix = unsafeIf(true, newFix("write DELTA["+meant+"]", m.Message.Subject, source.Edit{Span: m.Role, Text: meant}))
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

// leading returns the end of the invisible characters that begin a text.
func leading(s string) int { return len(s) - len(strings.TrimLeftFunc(s, invisible)) }

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
	role := m.Subject.Slice(m.Role)
	if m.Type != brenner.Delta || m.From == nil || !slices.Contains(brenner.Roles, role) || slices.Contains(p.RuleConfig.Roles, role) {
		return
	}
	var recorded string
	var expected []string
	for _, a := range p.Roster {
		if a.Name != string(m.From.Data) {
			continue
		}
		roles := agentRoles(&a)
		if roles == nil || slices.Contains(roles, role) || role == "human" && blankText(a.Program) {
			return // one record that fits is enough
		}
		recorded, expected = a.Program, roles
		if blankText(recorded) {
			recorded = a.Model
		} else if !blankText(a.Model) {
			recorded = strings.Trim(recorded+" with "+a.Model, " ")
		}
	}
	if expected != nil {
		p.Report(finding(m.InSubject(m.Role),
			"DELTA role is "+text.Quote(role)+", but "+text.Quote(string(m.From.Data))+" is recorded as "+text.Quote(recorded)+"; expected "+text.Or(expected),
			"write the role of the agent that contributes, or send from that agent"))
	}
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

// prefixRules hold MB-001, the rule on what a subject begins with.
var prefixRules = []*lint.Rule{{
	ID: "MB-001", Name: "subject-prefix", Severity: lint.Error, Code: "INVALID_SUBJECT_PREFIX",
	SpecRef: "message_body_schema#MB-001; thread_subject_conventions#Subject Validation",
	Summary: "Subject starts with one of the ten defined prefixes, exactly as the pattern writes them (DELTA carries a lower-case [role]).",
	Help:    "begin the subject with KICKOFF:, DELTA[role]:, CRITIQUE:, COMPILED:, ACK:, CLAIM:, HANDOFF:, BLOCKED:, QUESTION: or INFO:",
	Check: lint.MessageCheck(func(p *lint.MessagePass) {
		m := p.Message
		if m.Type != "" || strings.TrimSpace(m.SubjectText) == "" {
			return // a missing subject is IN-003
		}
		f := readPrefix(m.SubjectText, knownRoles(p.RuleConfig))
		d := lint.Diagnostic{At: m.InSubject(f.at), Message: f.message, Suggestion: f.hint}
		switch {
		case f.prefix != "":
			d.Suggestion = cmp.Or(f.hint, beginWith(f.prefix)+insteadOf(m.SubjectText[:f.end], f.prefix)) + withoutClosing(f.closing)
			d.Fix = unsafeIf(f.unsafe, beginSubject(m, f.prefix, source.Edit{Span: source.Span{End: f.end}, Text: f.prefix}, f.closing))
		case m.Intended == "":
			suggestType(p, &d)
		}
		p.Report(d)
	}),
}}

// insteadOf says what a prefix replaces; "" if only white space is wrong.
func insteadOf(written, prefix string) string {
	if written = strings.TrimSpace(written); written == "" || written == strings.TrimSpace(prefix) {
		return ""
	}
	return " instead of " + text.Quote(written)
}

// prefixFault is what is wrong with what a subject begins with, and the prefix that it means.
type prefixFault struct {
	at      source.Span
	message string
	hint    string // "" if the prefix is enough
	// prefix replaces the first end bytes of a near miss; it is "" if the meaning is unclear: then
	// suggestType finds the type. It is unsafe if it may not be what the writer meant.
	prefix string
	end    int
	unsafe bool
	// closing is the quotation mark, or emphasis, at the end of a subject that begins with one.
	closing string
}

func beginWith(prefix string) string {
	return "begin the subject with " + strconv.Quote(strings.TrimSpace(prefix))
}

// withoutClosing says to remove the marks at the end of a subject, if there are any.
func withoutClosing(closing string) string {
	if closing == "" {
		return ""
	}
	return ", and remove " + text.Quote(closing) + " at its end"
}

// beginSubject returns the fix that writes the prefix of a subject, and removes the marks at its end.
func beginSubject(m *session.Message, prefix string, write source.Edit, closing string) *lint.SuggestedFix {
	edits, end := []source.Edit{write}, len(m.SubjectText)
	if closing != "" {
		edits = append(edits, source.Edit{Span: source.Span{Start: end - len(closing), End: end}})
	}
	return newFix(beginWith(prefix), m.Message.Subject, edits...)
}

// shift moves the fault of a part of a subject by the bytes before it.
func (f prefixFault) shift(n int) prefixFault {
	f.at, f.end = f.at.Shift(n), f.end+n
	return f
}

// readPrefix says how a subject fails to match the pattern.
func readPrefix(s string, roles []string) prefixFault {
	lead := leading(s)
	line, visible := brenner.ParseSubject(s), brenner.ParseSubject(s[lead:])
	if line.Reply {
		return prefixFault{at: line.Prefix, message: "reply prefix " + text.Quote(s[line.Prefix.Start:line.Prefix.End]) +
			" hides the message type; the subject must begin with one of the ten prefixes"}
	}
	if visible.Intended == "" {
		return noPrefix(s, lead, roles)
	}
	name, role := string(visible.Intended), s[line.Role.Start:line.Role.End]
	word := source.Span{Start: line.Prefix.Start, End: line.Prefix.Start + len(name)}
	f := prefixFault{prefix: name + ":", end: lead + visible.Prefix.End}
	roleHint := ""
	if visible.Intended == brenner.Delta {
		roleHint = f.writeRole(s[lead+visible.Role.Start:lead+visible.Role.End], f.end, roles)
	}
	switch {
	case line.Intended == "":
		f.at, f.message = source.Span{End: lead}, "invisible characters "+text.Quote(s[:lead])+" before the prefix; the subject must begin with it"
	case line.Prefix.Start > 0:
		f.at, f.message = source.Span{End: line.Prefix.Start}, "white space before the prefix; the subject must begin with it"
	case s[word.Start:word.End] != name:
		f.at, f.message = word, "prefix "+text.Quote(s[word.Start:word.End])+" is not in upper case"
	case line.Intended == brenner.Delta && role == "":
		f.at, f.message = line.Prefix, "DELTA has no role; expected DELTA[role]: with the short name of the contributing model"
		f.hint = "write " + prefixOf(brenner.Delta) + " with the model that contributes: " + text.Or(roles)
	case line.Intended == brenner.Delta && !brenner.IsRole(role):
		f.at, f.message = line.Role, "DELTA role "+text.Quote(role)+" does not match [a-z]+; expected lower-case letters only"
		f.hint = roleHint
	default:
		f.at, f.message = line.Prefix, "white space in the prefix "+text.Quote(s[line.Prefix.Start:line.Prefix.End])
	}
	return f
}

// writeRole sets the DELTA prefix with the role that a tag names, if it names one; the prefix
// replaces what is before end. It returns a hint on the role, "" if the prefix is enough.
func (f *prefixFault) writeRole(tag string, end int, roles []string) (hint string) {
	role, unsafe := roleNamed(tag, roles)
	if role == "" {
		f.prefix = ""
		return "write " + prefixOf(brenner.Delta) + " with the model that contributes, not the agent or its function: " + text.Or(roles)
	}
	f.prefix, f.end, f.unsafe = "DELTA["+role+"]:", end, unsafe
	if strings.HasPrefix(letters(tag), "claudecode") {
		return "write DELTA[claude]:, or DELTA[opus]: if the model is Opus"
	}
	return ""
}

// noPrefix describes a subject that has no prefix at all. lead is the number of invisible
// bytes at its start.
func noPrefix(s string, lead int, roles []string) prefixFault {
	whole := source.Span{End: len(s)}
	if lead == len(s) {
		return prefixFault{at: whole, message: "subject is empty; expected one of the ten prefixes"}
	}
	for _, read := range []func(s string, roles []string) prefixFault{prefixInMarks, roleNotInBrackets, prefixNotFirst, missingColon} {
		if f := read(s[lead:], roles); f.message != "" {
			return f.shift(lead)
		}
	}
	word := s[lead : lead+wordEnd(s[lead:])]
	isMeant := func(t brenner.MessageType) bool { return misspells(word, t) }
	if strings.HasPrefix(s[lead+len(word):], ":") && slices.ContainsFunc(brenner.MessageTypes, isMeant) {
		return prefixFault{at: source.Span{Start: lead, End: lead + len(word)}, message: "unknown prefix " + text.Quote(word)}
	}
	return prefixFault{at: whole, message: "subject " + text.Quote(s) + " does not begin with one of the ten prefixes"}
}

// oddRoles are the forms of a role that is in brackets which the pattern does not allow, or in
// none: `DELTA(opus):`, `DELTA(opus) Added H4`, `DELTA-opus: x`. The first group is the role, the
// others are where the prefix ends.
var oddRoles = []struct {
	pattern func() *regexp.Regexp
	message string
}{
	{text.Pattern(`^(?i:delta) *(\([^)]+\)|\{[^}]+\}|<[^>]+>)(?:( *:)|() +[^ ])`), "the DELTA role is not in square brackets"},
	{text.Pattern(`^DELTA[ \-_/]+([A-Za-z]+)([\s\p{Z}]*:)`), "the DELTA role is not in brackets"},
}

// roleNotInBrackets describes a role in other brackets, or in none.
func roleNotInBrackets(s string, roles []string) prefixFault {
	for _, form := range oddRoles {
		m := form.pattern().FindStringSubmatchIndex(s)
		if m == nil {
			continue
		}
		f := prefixFault{at: source.Span{Start: m[2], End: m[3]}, message: form.message}
		f.hint = f.writeRole(strings.Trim(s[m[2]:m[3]], "(){}<>"), slices.Max(m[4:]), roles)
		if rest := strings.TrimLeft(s[f.end:], " -–—"); f.prefix != "" && strings.HasPrefix(strings.TrimLeft(s[f.end:], " "), "-") && rest != "" {
			f.prefix, f.end = f.prefix+" ", len(s)-len(rest) // Delta (gpt) - x
		}
		return f
	}
	return prefixFault{}
}

// markedForm is a prefix whose name and role are in emphasis, as code or in brackets: `**CRITIQUE**: x`,
// `[DELTA[opus]] x`.
var markedForm = text.Pattern("^(?:[*_`]+([A-Za-z]+(?:\\[[^\\]]*\\])?)[*_`]+:|[\\[*_`]+([A-Za-z]+\\[[^\\]]*\\])[\\]*_`]+:?) *")

// prefixInMarks describes marks around a prefix.
func prefixInMarks(s string, roles []string) prefixFault {
	m := markedForm().FindStringSubmatch(s)
	if m == nil || brenner.ParseSubject(m[1]+m[2]+":").Intended == "" {
		return prefixFault{}
	}
	f := readPrefix(m[1]+m[2]+":", roles)
	if f.prefix == "" {
		return prefixFault{}
	}
	f.prefix, f.end = f.prefix+" ", len(m[0])
	f.at, f.message = source.Span{End: len(strings.TrimRight(m[0], " "))}, "marks are around the prefix; the subject must begin with it"
	return f
}

// beforePrefix is what stands before a prefix: a tag, the name of the line, or signs such as quotation
// marks and emphasis.
var beforePrefix = text.Pattern(`^(?:\[([^\]]+)\][ \t]*|(?i:subject): *|[^\[\pL]\P{L}*)`)

// prefixNotFirst describes a prefix behind something else. A tag such as [RS-20251230-cell-fate] moves behind it.
func prefixNotFirst(s string, roles []string) prefixFault {
	m := beforePrefix().FindStringSubmatch(s)
	if m == nil || brenner.ParseSubject(s[len(m[0]):]).Intended == "" {
		return prefixFault{}
	}
	first, tag := m[0], m[1]
	f := readPrefix(s[len(first):], roles).shift(len(first))
	switch {
	case f.prefix == "":
		return prefixFault{}
	case tag != "":
		first, f.hint = "["+tag+"]", ""
		_, _, isThread := brenner.SplitResearchID(tag)
		f.prefix, f.unsafe = f.prefix+" "+first, f.unsafe || !isThread
	default:
		f.prefix, f.end = f.prefix+" ", len(s)-len(strings.TrimLeft(s[f.end:], "*_` "))
		f.closing = strings.NewReplacer("“", "”", "‘", "’", "«", "»").Replace(strings.TrimSpace(first))
		if strings.Trim(f.closing, "\"'”’»*_`") != "" || !strings.HasSuffix(s, f.closing) || strings.Count(s[f.end:], f.closing) != 1 {
			f.closing = ""
		}
	}
	f.at, f.message = source.Span{End: len(first)}, text.Quote(first)+" is before the prefix; the subject must begin with the prefix"
	return f
}

// afterName is what stands between the name of a type and the description instead of a colon alone; the
// last are dashes that were decoded wrongly.
var afterName = text.Pattern(`^(?:[\p{Z}\p{Cc}\p{Cf}]*:|[ \t\-–—：.;]*)[ \t]*(?:â€”[ \t]*)?(?:â€“[ \t]*)?(?:â\x{80}\x{94}[ \t]*)?(?:â\x{80}\x{93}[ \t]*)?`)

// missingColon describes what follows the name of a type instead of a colon, and writes the
// colon: `KICKOFF Cell fate`, `KICKOFF - Cell fate` and `DELTA[opus] Added H4`.
func missingColon(s string, roles []string) prefixFault {
	t := typeNamed(s)
	if t == "" {
		return prefixFault{}
	}
	f := prefixFault{at: source.Span{End: len(t)}, message: "missing colon after " + string(t)}
	tag, after, closed := strings.Cut(s[len(t):], "]")
	switch tagged := strings.HasPrefix(tag, "["); {
	case !tagged && t != brenner.Delta:
		f.prefix, f.end = string(t)+":", len(t)
	case !tagged:
		return f
	case t != brenner.Delta, !closed:
		f.at, f.message = source.Span{Start: len(t), End: len(s) - len(after)}, "the bracket of the DELTA role is not closed"
		if t != brenner.Delta {
			f.message = "only DELTA has a tag in brackets"
		}
		return f
	default:
		f.at.End, f.message = len(s)-len(after), "missing colon after the DELTA role"
		f.writeRole(tag, f.at.End, roles)
	}
	gap := afterName().FindString(s[f.end:])
	if f.end += len(gap); gap == "" || f.end == len(s) {
		f.prefix = ""
	}
	if f.prefix != "" {
		f.prefix += " "
	}
	return f
}

// typeNamed returns the type that the letters at the beginning of a text name in capitals, or "".
func typeNamed(s string) brenner.MessageType {
	if t := brenner.MessageType(s[:wordEnd(s)]); slices.Contains(brenner.MessageTypes, t) {
		return t
	}
	return ""
}

// misspells reports whether a word is nearly the name of a type.
func misspells(word string, t brenner.MessageType) bool {
	return text.Nearest(word, []string{string(t)}) != ""
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

// roleNamed returns the role that a tag names: its letters are one, or begin with one or
// with the name of its model or program (`GPT-5.2`, `codex_cli`). Others are left
// unchanged: the name of an agent is not a role (SU-004).
func roleNamed(tag string, roles []string) (role string, unsafe bool) {
	word := letters(tag)
	if model := strings.TrimPrefix(word, "claude"); strings.HasPrefix(model, "opus") { // as the model calls itself
		word = model
	}
	if slices.Contains(roles, word) {
		return word, false
	}
	for _, known := range roles {
		if strings.HasPrefix(word, known) {
			return known, !isModel(tag, known)
		}
	}
	for name := range roleMeant {
		if strings.HasPrefix(word, name) {
			return roleMeant[name], !isModel(tag, name) // no name begins with another
		}
	}
	return "", false
}

// isModel reports whether a tag is the name of a model with its version or program:
// `gemini_cli`, `GPT-5.2`. Claude Code runs several models.
func isModel(tag, name string) bool {
	words := strings.FieldsFunc(strings.ToLower(tag), func(r rune) bool { return !unicode.IsLetter(r) })
	isOther := func(word string) bool { return !slices.Contains(modelWords, word) }
	return len(words) > 0 && words[0] == name && roleMeant[name] != "human" && !slices.ContainsFunc(words[1:], isOther)
}

// modelWords are what follows the names of models, and of programs that run one.
var modelWords = []string{"cli", "pro", "flash", "max", "high", "mini", "turbo", "preview", "codex", "thinking", "exp", "ultra", "v", "x", "o"}

// knownRoles returns the roles of the table, and those that the configuration adds.
func knownRoles(settings *lint.RuleConfig) []string {
	return slices.Concat(brenner.Roles, settings.Roles)
}

// typeSign is what indicates the type of a message without a prefix: the title of its
// template, sections that it must have and others of its template, and words with which
// writers begin a subject.
type typeSign struct {
	is       brenner.MessageType
	title    string
	required []string
	others   []string
	words    string
}

var typeSigns = []typeSign{
	{brenner.Kickoff, "", []string{"Research Question", "Context"}, []string{"Excerpt", "Requested Outputs", "Initial Hypotheses", "Constraints"}, " kickoff kick starting start launching "},
	{brenner.Delta, "Delta Contribution", []string{"Deltas"}, nil, " delta deltas "},
	{brenner.Compiled, "Compiled Artifact", []string{"Contributors", "Full Artifact"}, []string{"Statistics", "Validation Status"}, " compiled compilation "},
	{brenner.Critique, "Critique", []string{"Target", "Attack"}, []string{"Severity", "Evidence", "Proposed Resolution"}, " critique challenge challenging objection "},
	{brenner.Ack, "Acknowledgement", []string{"Status", "Message ID"}, nil, " ack acknowledged acknowledging acknowledgement received understood confirmed "},
	{brenner.Claim, "Work Claim", []string{"Item", "Agent"}, []string{"Approach", "Estimated Duration"}, " claim claiming taking "},
	{brenner.Handoff, "Work Handoff", []string{"Item", "From", "To"}, []string{"State", "Reason", "Next Steps", "Files Modified"}, " handoff handing handover passing transferring "},
	{brenner.Blocked, "Work Blocked", []string{"Item", "Blocker"}, []string{"Type", "Attempted", "Needed"}, " blocked blocker blocking stuck "},
	{brenner.Question, "", []string{"Question"}, []string{"Urgency", "Options", "Impact"}, " question asking ask which what how why should can could is does "},
	{brenner.Info, "Information", nil, nil, " info information fyi status update note "},
}

// titlesOf returns the titles of the sections of a type, those that it must have first.
func titlesOf(t brenner.MessageType) []string {
	i := slices.IndexFunc(typeSigns, func(s typeSign) bool { return s.is == t })
	return slices.Concat(typeSigns[i].required, typeSigns[i].others)
}

// fits scores how well a body fits the signs of a type, and reports whether it has all sections
// that the type must have.
func (s *typeSign) fits(m *session.Message) (score int, complete bool) {
	if t := title(m); t != nil && s.title != "" && brenner.HasPrefixFold(t.Title, s.title) {
		score += 3
	}
	complete = len(s.required) > 0
	for _, title := range s.required {
		if m.Section(title) == nil {
			complete = false
		} else {
			score += 2
		}
	}
	for _, title := range s.others {
		if m.Section(title) != nil {
			score++
		}
	}
	return score, complete
}

// likelyType returns the type that a message without one most likely has, by its body
// and then by its subject. It is certain if the body fits no other type.
func likelyType(m *session.Message, subject string) (t brenner.MessageType, certain bool) {
	switch {
	case m.HoldsDeltas():
		return brenner.Delta, true
	case m.Body != nil && operationMember().Match(m.Body.Data) && payloadMember().Match(m.Body.Data):
		return brenner.Delta, false
	}
	most, second := 0, 0
	for i := range typeSigns {
		switch score, complete := typeSigns[i].fits(m); {
		case score > most:
			t, certain, second, most = typeSigns[i].is, complete, most, score
		case score > second:
			second = score
		}
	}
	if most >= 2 {
		return t, certain && most >= 4 && most > second+1
	}
	begin := strings.TrimLeft(subject, " \t[(*#")
	word := " " + strings.ToLower(begin[:wordEnd(begin)]) + " "
	isQuestion := strings.HasSuffix(strings.TrimSpace(subject), "?")
	for _, s := range typeSigns {
		if strings.Contains(s.words, word) && (s.is != brenner.Question || strings.Contains(word, "question") || isQuestion) {
			return s.is, false
		}
	}
	if isQuestion {
		return brenner.Question, false
	}
	return brenner.Info, false
}

// What a delta's members look like in any notation, and under names that writers use
// for the operation: a contribution must not be taken for news.
var (
	operationMember = text.Pattern(`(?i)\b(?:op|operation|action|type)["'` + "`" + `*]{0,2}\s*[:=]\s*["'` + "`" + `]?(?:add|edit|kill)\b`)
	payloadMember   = text.Pattern(`(?i)\b(?:section|payload|target_id|rationale)["'` + "`" + `*]{0,2}\s*[:=]`)
)

// prefixOf returns the prefix of a type, with the role of a DELTA left open.
func prefixOf(t brenner.MessageType) string {
	if t == brenner.Delta {
		return "DELTA[" + brenner.RolePlaceholder + "]:"
	}
	return string(t) + ":"
}

// answerUnder says how an answer gets the prefix of its type: what a draft can change, and what the
// sender of a reply does (decisions.md 4).
func answerUnder(m *session.Message, prefix, change string) string {
	if m.Form == mail.Draft {
		return change
	}
	return "reply_message sets no subject: answer with send_message, to the same thread_id, under a subject that begins with " + strconv.Quote(prefix)
}

// suggestType suggests the prefix of the likeliest type, for a reply or a subject that does
// not nearly begin with a prefix; the check continues with it.
func suggestType(p *lint.MessagePass, d *lint.Diagnostic) {
	m, roles := p.Message, knownRoles(p.RuleConfig)
	s, isReply := m.SubjectText, m.SubjectLine.Reply
	start, end := leading(s), withoutReply(s) // the prefix replaces what is between
	reply, rest := strconv.Quote(strings.TrimSpace(s[start:end])), s[end:]
	own := rest
	if isReply {
		own = "" // the words are those of the message that is answered
	}
	t, certain := likelyType(m, own)
	prefix, closing, isGuess := prefixOf(t), "", false
	const best = ", the type that fits the message best"
	near, nearly, n := nearPrefix(rest, roles)
	switch same := readPrefix(rest, roles); {
	case isReply && brenner.ParseSubject(same.prefix).Intended == t: // it has the type of what it answers
		prefix, closing = strings.TrimSpace(same.prefix), same.closing
		certain = certain && !same.unsafe
		end += same.end
		d.Suggestion = answerUnder(m, prefix, beginWith(prefix)+", without "+reply+withoutClosing(closing))
	case isReply:
		d.Suggestion = answerUnder(m, prefix, "replace "+reply+" with "+strconv.Quote(prefix)) + best
	case near != "":
		written := rest[:n]
		isTagged := strings.ContainsAny(written, "[［【") // the tag would be lost
		certain = t == near && certain || !certain && !isTagged
		prefix = nearly + tagKept(near, written, roles)
		end += n
		d.Suggestion = beginWith(prefix) + insteadOf(written, prefix)
	default:
		d.Suggestion, isGuess = beginWith(prefix)+best, !certain // only the writer knows the type of the message
	}
	if strings.Contains(prefix, brenner.RolePlaceholder) {
		d.Suggestion += "; the role is the model that contributes: " + text.Or(roles)
		isGuess = true // or the model
	}
	end = len(s) - len(strings.TrimLeft(s[end:], " \t"))
	write := source.Edit{Span: source.Span{Start: start, End: end}, Text: strings.Replace(prefix, brenner.RolePlaceholder, brenner.Roles[0], 1)}
	if end < len(s) {
		write.Text += " "
	}
	fix := unsafeIf(!certain || strings.Contains(s[start:end], "/"), beginSubject(m, prefix, write, closing)) // of two types one goes
	if isGuess {
		d.Assume = fix
	} else {
		d.Fix = fix
	}
}

// tagKept returns what a tag says that is no role, to be written after the prefix of a type that has no tag:
// COMPILED: v2, CRITIQUE: [H2]; "" if there is nothing.
func tagKept(t brenner.MessageType, written string, roles []string) string {
	from, to := strings.IndexAny(written, "[［【"), strings.IndexAny(written, "]］】")
	if t == brenner.Delta || from <= 0 || to < from { // nor is the name of the type a tag
		return ""
	}
	said := strings.TrimLeft(written[from:to], "[［【")
	if role, _ := roleNamed(said, roles); role != "" || blankText(said) {
		return ""
	}
	if t == brenner.Compiled && brenner.IsNumber(strings.TrimPrefix(said, "v")) {
		return " " + said
	}
	return " [" + said + "]"
}

// withoutReply returns where a subject begins without invisible characters and reply
// prefixes.
func withoutReply(s string) int {
	at := 0
	for {
		at += leading(s[at:])
		u := brenner.ParseSubject(s[at:])
		if !u.Reply {
			return at
		}
		at += u.Description.Start
	}
}

// nearForm is a prefix as writers get it wrong: a name, split or not, in brackets or not, a tag
// in any brackets, and a colon or a dash: `KICK-OFF: x`, `[DELTA][opus] x`, `Critique — x`.
var nearForm = text.Pattern(`^(\[)?([A-Za-z]+(?:[ -][A-Za-z]+)?)(\])?(?:[ \t]*[\[［【]([^\]］】]*)[\]］】])?([ \t]*[:：]|[ \t]+[-–—]+[ \t]|[–—])?`)

// longer are endings that make no other word of the name of a type.
var longer = []string{"S", "D", "ED", "NOWLEDGE", "NOWLEDGED", "NOWLEDGEMENT", "NOWLEDGMENT", "RMATION"}

// nearPrefix returns the type whose prefix a subject nearly begins with, its prefix with the
// role that its tag names, and where that ends: a misspelt name, or one that lacks its colon or role.
func nearPrefix(s string, roles []string) (t brenner.MessageType, prefix string, end int) {
	if m := nearForm().FindStringSubmatch(s); m != nil && (m[1] == "") == (m[3] == "") {
		bracketed, name, tagged, isEnded := m[1] != "", m[2], m[4] != "", m[5] != ""
		for _, t := range brenner.MessageTypes {
			isName := strings.EqualFold(strings.NewReplacer(" ", "", "-", "").Replace(name), string(t))
			isLonger := brenner.HasPrefixFold(name, string(t)) && slices.Contains(longer, strings.ToUpper(name[len(t):]))
			isMisspelt := strings.Contains(m[5], ":") && (misspells(name, t) || isLonger)
			if tagged && t != brenner.Delta || !isEnded && !tagged && !bracketed || !isName && !isMisspelt {
				continue
			}
			prefix := prefixOf(t)
			if role, _ := roleNamed(m[4], roles); tagged && role != "" {
				prefix = "DELTA[" + role + "]:"
			}
			return t, prefix, len(m[0])
		}
	}
	if t = typeNamed(s); t == "" {
		return "", "", 0
	}
	rest := s[len(t):]
	if n := strings.IndexByte(rest, ']'); strings.HasPrefix(rest, "[") && n > 0 {
		rest = rest[n+1:]
	}
	if other, after, _ := strings.Cut(rest, ":"); strings.HasPrefix(other, "/") && slices.Contains(brenner.MessageTypes, brenner.MessageType(other[1:])) {
		rest = after // ACK/INFO: x
	}
	return t, prefixOf(t), len(s) - len(strings.TrimLeft(rest, " \t-–—：.;:"))
}

// typeMeant returns the type that the writer of a subject plainly meant, or "". The type may
// follow a reply prefix or another tag.
func typeMeant(s string) brenner.MessageType {
	s = s[withoutReply(s):]
	if _, rest, tagged := strings.Cut(s, "]"); tagged && s[0] == '[' {
		s = strings.TrimLeft(rest, " \t")
	}
	if u := brenner.ParseSubject(s); u.Intended != "" {
		return u.Intended
	}
	t, _, _ := nearPrefix(s, nil)
	return t
}
