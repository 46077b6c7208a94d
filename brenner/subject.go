package brenner

import (
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/source"
)

// MessageType is the type of a message, as its subject says: the prefix without tag and colon.
type MessageType string

// The ten message types (thread_subject_conventions, Defined Prefixes).
const (
	Kickoff  MessageType = "KICKOFF"
	Delta    MessageType = "DELTA"
	Compiled MessageType = "COMPILED"
	Critique MessageType = "CRITIQUE"
	Ack      MessageType = "ACK"
	Claim    MessageType = "CLAIM"
	Handoff  MessageType = "HANDOFF"
	Blocked  MessageType = "BLOCKED"
	Question MessageType = "QUESTION"
	Info     MessageType = "INFO"
)

// MessageTypes lists the ten in the order of the specification.
var MessageTypes = []MessageType{Kickoff, Delta, Compiled, Critique, Ack, Claim, Handoff, Blocked, Question, Info}

// Roles are the tags that DELTA subjects may carry
// (thread_subject_conventions, Role Shorthand for DELTA).
var Roles = []string{"opus", "gpt", "gemini", "claude", "human"}

// SubjectLine is a parsed subject line.
type SubjectLine struct {
	// Type is the message type if the subject matches the pattern of
	// thread_subject_conventions, Subject Validation; else "".
	Type MessageType
	// Intended is the type as leniently read: any case, any or no DELTA tag,
	// spaces around the colon (decisions.md 4: intended type); "" for a reply or other
	// mail.
	Intended MessageType
	// Reply reports a reply prefix ("Re:"); Type and Intended are then "".
	Reply bool
	// Prefix is the span of the leniently read prefix with its colon, or of the
	// reply prefix.
	Prefix source.Span
	// Role is the span of the DELTA tag without its brackets; empty if none.
	Role source.Span
	// Description is the span of the text after the prefix (or reply prefix),
	// without white space around it; the whole subject if there is no prefix.
	Description source.Span
}

// replyPrefixes are what mail programs put before the subject of a reply or a forwarded
// mail, in lower case.
var replyPrefixes = []string{"re", "aw", "fw", "fwd"}

// ParseSubject parses a subject line. It never fails.
func ParseSubject(s string) SubjectLine {
	start := skipSpace(s, 0)
	word := len(s) - len(strings.TrimLeft(s[start:], letters))
	name, end := s[start:word], skipSpace(s, word)
	out := SubjectLine{Intended: typeByName(name)}
	out.Reply = out.Intended == "" && isReply(name)
	if out.Intended == Delta && strings.HasPrefix(s[end:], "[") {
		if n := strings.IndexByte(s[end:], ']'); n > 0 {
			out.Role = source.Span{Start: end + 1, End: end + n}
			end = skipSpace(s, end+n+1)
		}
	}
	if out.Intended == "" && !out.Reply || !strings.HasPrefix(s[end:], ":") {
		return SubjectLine{Description: trimmed(s, 0)}
	}
	out.Prefix = source.Span{Start: start, End: end + 1}
	out.Description = trimmed(s, end+1)
	if !out.Reply && out.isCanonical(s[:end+1]) {
		out.Type = out.Intended
	}
	return out
}

// isCanonical reports whether the prefix of a subject matches the pattern.
func (u SubjectLine) isCanonical(prefix string) bool {
	if u.Intended != Delta {
		return prefix == string(u.Intended)+":"
	}
	role := prefix[u.Role.Start:u.Role.End]
	return IsRole(role) && prefix == "DELTA["+role+"]:"
}

// IsRole reports whether the pattern allows a DELTA tag: lower-case letters a to
// z, at least one.
func IsRole(tag string) bool {
	return tag != "" && strings.Trim(tag, "abcdefghijklmnopqrstuvwxyz") == ""
}

func isReply(name string) bool {
	return slices.ContainsFunc(replyPrefixes, func(p string) bool { return strings.EqualFold(name, p) })
}

// typeByName returns the type of that name in any case, or "".
func typeByName(name string) MessageType {
	for _, t := range MessageTypes {
		if strings.EqualFold(name, string(t)) {
			return t
		}
	}
	return ""
}

// skipSpace returns the end of the white space at i.
func skipSpace(s string, i int) int {
	return len(s) - len(strings.TrimLeftFunc(s[i:], unicode.IsSpace))
}

// trimmed returns the span of s from start on without white space around it.
func trimmed(s string, start int) source.Span {
	start = skipSpace(s, start)
	return source.Span{Start: start, End: start + len(strings.TrimRightFunc(s[start:], unicode.IsSpace))}
}
