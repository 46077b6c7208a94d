package rules

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

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
