// Package session parses mail as the protocol reads it: each message has its subject and body
// parsed (sections, field lines, deltas, the inline artifact of a COMPILED), and each thread its
// messages in order.
//
// A [Session] is a compact summary of a thread or an artifact file, which package replay makes.
// A [Workspace] has those of all inputs, and finds relations between them.
//
// It contains no rules; they work on it.
package session

import (
	"math"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Message is a parsed message. All spans of the body are of Body.
type Message struct {
	*mail.Message
	brenner.SubjectLine

	// Index is the message's place in its thread, from 0.
	Index int

	// SubjectText and ThreadID are texts as strings, "" if there is none.
	SubjectText string
	ThreadID    string

	// Doc is the block structure of the body; nil if there is no body to read. In a
	// COMPILED it ends where a raw inline artifact begins.
	Doc *markdown.Document
	// Sections are the headings of Doc in order (decisions.md 5).
	Sections []Section
	// Fields are the field lines of Doc in order (decisions.md 7).
	Fields []Field
	// Wrapper is what hides all of Doc's sections and blocks; nil if they are not hidden.
	Wrapper *Wrapper
	// Deltas are the delta blocks of the whole body in order.
	Deltas []*delta.Delta
	// Artifact is the inline artifact of a COMPILED, or nil.
	Artifact *artifact.Artifact

	// Version is the version in a COMPILED subject.
	Version Version

	// UnfencedDeltas are the deltas of the body that are not in a delta fence.
	UnfencedDeltas []delta.UnfencedDelta
}

// Thread is a thread and its messages in time order.
type Thread struct {
	*mail.Thread
	Messages []*Message

	limits   artifact.Limits
	compiled int // the index of the first COMPILED, larger than any if there is none
}

// Published reports whether the thread has a COMPILED before a message.
func (t *Thread) Published(before *Message) bool { return t.compiled < before.Index }

// NewThread reads all messages of a thread.
func NewThread(t *mail.Thread, limits artifact.Limits) *Thread {
	out := Begin(t, limits)
	for _, m := range t.Messages {
		out.Add(m)
	}
	return out
}

// Begin returns a thread without messages; Add reads them.
func Begin(t *mail.Thread, limits artifact.Limits) *Thread {
	return &Thread{Thread: t, Messages: make([]*Message, 0, len(t.Messages)), limits: limits, compiled: math.MaxInt}
}

// Add reads the next message of the thread.
func (t *Thread) Add(m *mail.Message) *Message {
	out := readMessage(m, t.ID, t.limits)
	out.Index = len(t.Messages)
	if out.Intended == brenner.Compiled {
		t.compiled = min(t.compiled, out.Index)
	}
	t.Messages = append(t.Messages, out)
	return out
}

// readMessage reads a message of the thread with an id: its subject, and its body if there
// is one to read.
func readMessage(m *mail.Message, thread string, limits artifact.Limits) *Message {
	out := &Message{Message: m, SubjectText: m.Subject.String(), ThreadID: thread}
	if m.Thread == nil || string(m.Thread.Data) != thread {
		out.ThreadID = m.Thread.String()
	}
	out.SubjectLine = brenner.ParseSubject(out.SubjectText)
	if out.Intended == brenner.Compiled {
		out.Version = ReadVersion(out.SubjectText, out.Description)
	}
	if m.Body != nil && m.BodyState == mail.BodyPresent {
		out.readBody(limits)
	}
	return out
}

func (m *Message) readBody(limits artifact.Limits) {
	m.Doc = markdown.Parse(m.Body)
	m.Wrapper = m.findWrapper()
	m.Deltas = delta.Extract(m.Doc, limits.JSON())
	end := len(m.Body.Data)
	if m.Intended == brenner.Compiled {
		end = m.readArtifact(limits)
	}
	m.Sections = sections(m.Doc, end)
	m.Fields = readFields(m.Doc, m.Doc.Blocks, false)
	m.UnfencedDeltas = delta.FindMisplaced(m.Doc, limits.JSON())
}

// SubjectPlace returns the place of findings about the whole message: its subject, or the first
// line of the body if the form has no subject (decisions.md 3).
func (m *Message) SubjectPlace() source.Place {
	switch {
	case m.Subject != nil:
		return m.Subject.WholePlace()
	case m.Body != nil && m.Body.Len() > 0:
		return m.Body.Place(m.Body.Line(1))
	default:
		return m.Header
	}
}

// InSubject returns the place of a span of the subject.
func (m *Message) InSubject(s source.Span) source.Place {
	return source.Place{Text: m.Subject, Span: s}
}

// InBody returns the place of a span of the body.
func (m *Message) InBody(s source.Span) source.Place {
	return source.Place{Text: m.Body, Span: s}
}
