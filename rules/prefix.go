package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
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

// rewritePrefix returns the prefix that replaces the first bytes of a near miss; "" if
// the meaning is unclear. It is unsafe if it may not be what the writer meant: a reply
// gets the type of what it answers, a tag loses characters.
func rewritePrefix(s string, roles []string) (end int, prefix string, unsafe bool) {
	lead := len(s) - len(strings.TrimLeftFunc(s, invisible))
	u := brenner.ParseSubject(s[lead:])
	switch {
	case u.Reply:
		end, prefix, _ = rewritePrefix(s[lead+u.Description.Start:], roles)
		return end + lead + u.Description.Start, prefix, true
	case u.Intended == brenner.Delta:
		prefix, unsafe = deltaPrefix(s[lead+u.Role.Start:lead+u.Role.End], roles)
		return lead + u.Prefix.End, prefix, unsafe
	case u.Intended != 0:
		return lead + u.Prefix.End, u.Intended.String() + ":", false
	}
	if tag, end := otherBrackets(s, lead); end > 0 {
		prefix, unsafe = deltaPrefix(s[tag.Start:tag.End], roles)
		return end, prefix, unsafe
	}
	if tag, end := brenner.BareRole(s[lead:]); end > 0 {
		prefix, unsafe = deltaPrefix(s[lead+tag.Start:lead+tag.End], roles)
		return lead + end, prefix, unsafe
	}
	if end := tagBefore(s, lead); end > 0 {
		return behindTag(s, lead, end, roles)
	}
	return missingColon(s, lead, roles)
}

// deltaPrefix returns the DELTA prefix with the role that a tag names, "" if it names
// none.
func deltaPrefix(tag string, roles []string) (prefix string, unsafe bool) {
	role, unsafe := roleNamed(tag, roles)
	if role == "" {
		return "", false
	}
	return "DELTA[" + role + "]:", unsafe
}

// roleNamed returns the role that a tag names: its letters are one, or begin with one or
// with the name of its model or program (`GPT-5.2`, `codex_cli`). Others are left
// unchanged: the name of an agent is not a role (SU-004).
func roleNamed(tag string, roles []string) (role string, unsafe bool) {
	word := letters(tag)
	for _, known := range roles {
		if word == known {
			return known, false
		}
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
	if len(words) == 0 || words[0] != name || roleMeant[name] == "human" {
		return false
	}
	for _, w := range words[1:] {
		if !slices.Contains(modelWords, w) {
			return false
		}
	}
	return true
}

// modelWords are what follows the names of models, and of programs that run one.
var modelWords = []string{"cli", "pro", "flash", "max", "high", "mini", "turbo", "preview", "codex", "thinking", "exp", "ultra", "v", "x", "o"}

// knownRoles returns the roles of the table, and those that the configuration adds.
func knownRoles(settings *lint.RuleConfig) []string {
	return slices.Concat(brenner.Roles, settings.Roles)
}

// otherBrackets returns the role of `DELTA(opus):` or `DELTA(opus) Added H4`, in brackets
// that the pattern does not allow, and the end of the prefix; 0 if the subject begins
// otherwise.
func otherBrackets(s string, lead int) (tag source.Span, end int) {
	const name = "DELTA"
	if !brenner.HasPrefixFold(s[lead:], name) {
		return tag, 0
	}
	rest := strings.TrimLeft(s[lead+len(name):], " ")
	for _, pair := range [...]string{"()", "{}", "<>"} {
		if n := strings.IndexByte(rest, pair[1]); n > 1 && rest[0] == pair[0] {
			start := len(s) - len(rest)
			after := strings.TrimLeft(s[start+n+1:], " ")
			tag = source.Span{Start: start + 1, End: start + n}
			switch {
			case strings.HasPrefix(after, ":"):
				return tag, len(s) - len(after) + 1
			case after != "" && len(after) < len(s)-start-n-1:
				return tag, start + n + 1 // only the colon is missing
			}
		}
	}
	return tag, 0
}

// tagBefore returns the end of the `[RS-20251230-cell-fate]` that a subject begins
// with, 0 if it begins with none.
func tagBefore(s string, lead int) int {
	if n := strings.IndexByte(s[lead:], ']'); n > 1 && s[lead] == '[' {
		return lead + n + 1
	}
	return 0
}

// behindTag moves bracketed text behind the prefix that follows it.
func behindTag(s string, lead, end int, roles []string) (to int, prefix string, unsafe bool) {
	start := len(s) - len(strings.TrimLeft(s[end:], " \t"))
	u := brenner.ParseSubject(s[start:])
	if u.Intended == 0 {
		return 0, "", false
	}
	to, prefix, unsafe = rewritePrefix(s[start:], roles)
	if prefix == "" {
		return 0, "", false
	}
	_, _, isThread := brenner.SplitResearchID(s[lead+1 : end-1])
	return start + to, prefix + " " + s[lead:end], unsafe || !isThread
}

// missingColon rewrites `KICKOFF Cell fate`, `KICKOFF - Cell fate` and
// `DELTA[opus] Added H4`.
func missingColon(s string, lead int, roles []string) (end int, prefix string, unsafe bool) {
	end = lead + wordEnd(s[lead:])
	t := typeNamed(s[lead:end])
	prefix = t.String() + ":"
	switch t {
	case 0:
		return 0, "", false
	case brenner.Delta:
		tag, rest, ok := strings.Cut(s[end:], "]")
		if !ok || !strings.HasPrefix(tag, "[") {
			return 0, "", false
		}
		end = len(s) - len(rest)
		if prefix, unsafe = deltaPrefix(tag, roles); prefix == "" {
			return 0, "", false
		}
	}
	rest := strings.TrimLeft(s[end:], " \t-–—：.;")
	for _, dash := range []string{"â€”", "â€“", "â\u0080\u0094", "â\u0080\u0093"} { // dashes, decoded wrongly
		rest = strings.TrimLeft(strings.TrimPrefix(rest, dash), " \t")
	}
	if rest == "" || len(rest) == len(s[end:]) {
		return 0, "", false
	}
	return len(s) - len(rest), prefix + " ", unsafe
}

// typeSigns is what indicates the type of a message without a prefix: the title of its
// template, sections that it must have and others of its template, and words with which
// writers begin a subject.
var typeSigns = []struct {
	is       brenner.MessageType
	title    string
	required []string
	others   []string
	words    string
}{
	{brenner.Kickoff, "", []string{"Research Question", "Context"}, []string{"Excerpt", "Requested Outputs", "Initial Hypotheses", "Constraints"}, " kickoff kick starting start launching "},
	{brenner.Delta, "Delta Contribution", []string{"Deltas"}, nil, " delta deltas "},
	{brenner.Compiled, "Compiled Artifact", []string{"Contributors", "Full Artifact"}, []string{"Statistics", "Validation Status"}, " compiled compilation "},
	{brenner.Critique, "Critique", []string{"Target", "Attack"}, []string{"Evidence", "Severity", "Proposed Resolution"}, " critique challenge challenging objection "},
	{brenner.Ack, "Acknowledgement", []string{"Message ID", "Status"}, nil, " ack acknowledged acknowledging acknowledgement received understood confirmed "},
	{brenner.Claim, "Work Claim", []string{"Item", "Agent"}, []string{"Approach", "Estimated Duration"}, " claim claiming taking "},
	{brenner.Handoff, "Work Handoff", []string{"Item", "From", "To"}, []string{"State", "Next Steps", "Files Modified"}, " handoff handing handover passing transferring "},
	{brenner.Blocked, "Work Blocked", []string{"Item", "Blocker"}, []string{"Type", "Attempted", "Needed"}, " blocked blocker blocking stuck "},
	{brenner.Question, "", []string{"Question"}, []string{"Urgency", "Options", "Impact"}, " question asking ask which what how why should can could is does "},
	{brenner.Info, "Information", nil, nil, " info information fyi status update note "},
}

// likelyType returns the type that a message without one most likely has, by its body
// and then by its subject. It is certain if the body fits no other type.
func likelyType(m *session.Message, subject string) (t brenner.MessageType, certain bool) {
	switch {
	case holdsDeltas(m):
		return brenner.Delta, true
	case m.Body != nil && operationMember().Match(m.Body.Data) && payloadMember().Match(m.Body.Data):
		return brenner.Delta, false
	}
	most, second := 0, 0
	for _, s := range typeSigns {
		score, all := 0, len(s.required) > 0
		if s.title != "" && titled(m, s.title) {
			score += 3
		}
		for _, title := range s.required {
			if m.Section(title) != nil {
				score += 2
			} else {
				all = false
			}
		}
		for _, title := range s.others {
			if m.Section(title) != nil {
				score++
			}
		}
		switch {
		case score > most:
			t, certain, second, most = s.is, all, most, score
		case score > second:
			second = score
		}
	}
	if most >= 2 {
		return t, certain && most >= 4 && most > second+1
	}
	word := " " + strings.ToLower(letterWord(subject)) + " "
	for _, s := range typeSigns {
		if strings.Contains(s.words, word) && (s.is != brenner.Question || strings.Contains(word, "question") || strings.HasSuffix(strings.TrimSpace(subject), "?")) {
			return s.is, false
		}
	}
	if strings.HasSuffix(strings.TrimSpace(subject), "?") {
		return brenner.Question, false
	}
	return brenner.Info, false
}

// What a delta's members look like in any notation, and under names that writers use
// for the operation: a contribution must not be taken for news.
var (
	operationMember = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:op|operation|action|type)["'` + "`" + `*]{0,2}\s*[:=]\s*["'` + "`" + `]?(?:add|edit|kill)\b`)
	})
	payloadMember = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:section|payload|target_id|rationale)["'` + "`" + `*]{0,2}\s*[:=]`)
	})
)

// letterWord returns the first word of a subject.
func letterWord(subject string) string {
	subject = strings.TrimLeft(subject, " \t[(*#")
	return subject[:wordEnd(subject)]
}

// holdsDeltas reports whether a body contributes deltas, anywhere in it.
func holdsDeltas(m *session.Message) bool {
	if len(m.Deltas) > 0 {
		return true
	}
	for _, x := range m.UnfencedDeltas {
		if x.Form != delta.InlineLine {
			return true
		}
	}
	return false
}

// titled reports whether the body's title begins as that of a template does.
func titled(m *session.Message, title string) bool {
	for i := range m.Sections {
		if s := &m.Sections[i]; s.Level == 1 && !s.Nested {
			return brenner.HasPrefixFold(s.Title, title)
		}
	}
	return false
}

// prefixOf returns the prefix of a type, with the role of a DELTA left open.
func prefixOf(t brenner.MessageType) string {
	if t == brenner.Delta {
		return "DELTA[" + brenner.RolePlaceholder + "]:"
	}
	return t.String() + ":"
}

// suggestType suggests the prefix of the likeliest type if the subject has none that is
// near, or that of the mail which it answers; the check continues with it.
func suggestType(p *lint.MessagePass, d *lint.Diagnostic) {
	m, roles := p.Message, knownRoles(p.RuleConfig)
	s := m.SubjectText
	start := len(s) - len(strings.TrimLeftFunc(s, invisible))
	end := withoutReply(s)
	t, certain := likelyType(m, s[end:])
	prefix := prefixOf(t)
	d.Suggestion = "begin the subject with " + strconv.Quote(prefix) + ", the type that fits the message best"
	answered := brenner.ParseSubject(s[end:])
	near, n := nearPrefix(s[end:])
	_, same, _ := rewritePrefix(s[end:], roles)
	switch {
	case m.SubjectLine.Reply && answered.Intended == t && same != "": // it has the type of what it answers
		n, _, _ = rewritePrefix(s[end:], roles)
		prefix = same
		d.Suggestion = "a reply can set its own subject: begin it with " + strconv.Quote(prefix) + ", without " + strconv.Quote(strings.TrimSpace(s[start:end]))
	case m.SubjectLine.Reply:
		n = 0
		d.Suggestion = "a reply can set its own subject: replace " + strconv.Quote(strings.TrimSpace(s[start:end])) +
			" with " + strconv.Quote(prefix) + ", the type that fits the message best"
	case near != 0:
		certain = certain && t == near
		prefix = prefixOf(near)
		d.Suggestion = "begin the subject with " + strconv.Quote(prefix)
	}
	open := strings.Contains(prefix, brenner.RolePlaceholder)
	if open {
		d.Suggestion += "; the role is the model that contributes: " + text.Or(roles)
	}
	end += n
	end += len(s[end:]) - len(strings.TrimLeft(s[end:], " \t"))
	write := strings.Replace(prefix, brenner.RolePlaceholder, brenner.Roles[0], 1)
	if end < len(s) {
		write += " "
	}
	fix := &lint.SuggestedFix{
		Description: "begin the subject with " + strconv.Quote(prefix), Unsafe: !certain,
		Edits: []lint.TextEdit{{At: m.InSubject(source.Span{Start: start, End: end}), Text: write}},
	}
	if open || !certain && !m.SubjectLine.Reply && near == 0 {
		d.Assume = fix // only the writer knows the model, or the type of the message
		return
	}
	d.Fix = fix
}

// withoutReply returns where a subject begins without invisible characters and reply
// prefixes.
func withoutReply(s string) int {
	at := 0
	for {
		at += len(s[at:]) - len(strings.TrimLeftFunc(s[at:], invisible))
		u := brenner.ParseSubject(s[at:])
		if !u.Reply {
			return at
		}
		at += u.Description.Start
	}
}

// nearPrefix returns the type whose prefix a subject nearly begins with, and where that
// ends: a misspelt name, or one that lacks its colon or role.
func nearPrefix(s string) (t brenner.MessageType, end int) {
	word := wordEnd(s)
	rest := s[word:]
	if t = typeNamed(s[:word]); t != 0 {
		if n := strings.IndexByte(rest, ']'); strings.HasPrefix(rest, "[") && n > 0 {
			rest = rest[n+1:]
		}
		return t, len(s) - len(strings.TrimLeft(rest, " \t-–—：.;:"))
	}
	if !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "[") {
		return 0, 0
	}
	for _, t := range brenner.MessageTypes {
		if text.Nearest(s[:word], []string{t.String()}) == "" {
			continue
		}
		if n := strings.IndexByte(rest, ':'); n >= 0 && (rest[0] == ':' || t == brenner.Delta) {
			return t, word + n + 1
		}
	}
	return 0, 0
}
