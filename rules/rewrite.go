package rules

import (
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

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
