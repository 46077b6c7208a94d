package protocol

import (
	"regexp"
	"strings"

	"github.com/brennerlint/brennerlint/internal/source"
)

// MessageType is what a subject prefix makes of a message.
type MessageType uint8

// The ten message types (thread_subject_conventions, Defined Prefixes). The
// zero MessageType is none.
const (
	Kickoff MessageType = iota + 1
	Delta
	Compiled
	Critique
	Ack
	Claim
	Handoff
	Blocked
	Question
	Info
)

// MessageTypes lists the ten in the order of the specification.
var MessageTypes = [...]MessageType{Kickoff, Delta, Compiled, Critique, Ack, Claim, Handoff, Blocked, Question, Info}

var typeNames = [...]string{"", "KICKOFF", "DELTA", "COMPILED", "CRITIQUE", "ACK", "CLAIM", "HANDOFF", "BLOCKED", "QUESTION", "INFO"}

// String is the prefix without tag and colon.
func (t MessageType) String() string { return typeNames[t] }

// NeedsAck reports whether a message of this type must set ack_required
// (message_body_schema, ACK Semantics Summary).
func (t MessageType) NeedsAck() bool {
	switch t {
	case Kickoff, Critique, Handoff, Blocked, Question:
		return true
	}
	return false
}

// Roles are the tags that DELTA subjects may carry
// (thread_subject_conventions, Role Shorthand for DELTA).
var Roles = []string{"opus", "gpt", "gemini", "claude", "human"}

// Subject is a subject line taken apart.
type Subject struct {
	// Type is the message type if the subject matches the pattern of
	// thread_subject_conventions, Subject Validation; else 0.
	Type MessageType
	// Intended is the type as leniently read: any case, any or no DELTA tag,
	// spaces around the colon (decisions.md 4); 0 for a reply or other mail.
	Intended MessageType
	// Reply reports a reply prefix ("Re:"); Type and Intended are then 0.
	Reply bool
	// Prefix is the span up to and with the colon, of the leniently read prefix.
	Prefix source.Span
	// Role is the span of the DELTA tag without its brackets; empty if none.
	Role source.Span
	// Description is the span of the text after the prefix, without white space
	// around it; the whole subject if there is no prefix.
	Description source.Span
}

var (
	replyPrefix   = regexp.MustCompile(`^(?i)\s*(?:re|aw|fwd?)\s*:`)
	lenientPrefix = regexp.MustCompile(`^(?i)\s*(KICKOFF|DELTA\s*(?:\[([^\]]*)\])?|COMPILED|CRITIQUE|ACK|CLAIM|HANDOFF|BLOCKED|QUESTION|INFO)\s*:`)
	strictPrefix  = regexp.MustCompile(`^(KICKOFF|DELTA\[[a-z]+\]|COMPILED|CRITIQUE|ACK|CLAIM|HANDOFF|BLOCKED|QUESTION|INFO):`)
)

// ParseSubject takes a subject line apart. It never fails.
func ParseSubject(s string) Subject {
	var out Subject
	if replyPrefix.MatchString(s) {
		out.Reply = true
		out.Description = trimmed(s, 0)
		return out
	}
	m := lenientPrefix.FindStringSubmatchIndex(s)
	if m == nil {
		out.Description = trimmed(s, 0)
		return out
	}
	word := strings.ToUpper(s[m[2]:m[3]])
	for _, t := range MessageTypes {
		if strings.HasPrefix(word, t.String()) {
			out.Intended = t
		}
	}
	out.Prefix = source.Span{Start: m[0], End: m[1]}
	if m[4] >= 0 {
		out.Role = source.Span{Start: m[4], End: m[5]}
	}
	out.Description = trimmed(s, m[1])
	if strictPrefix.MatchString(s) {
		out.Type = out.Intended
	}
	return out
}

// trimmed is the span of s from start on without white space around it.
func trimmed(s string, start int) source.Span {
	rest := s[start:]
	left := len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
	end := start + len(strings.TrimRight(rest, " \t\r\n"))
	return source.Span{Start: min(start+left, end), End: end}
}
