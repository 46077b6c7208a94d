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
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
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
	compiled int // the index of the first COMPILED, or of what was to be one; larger than any if there is none
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
	if out.Intended == brenner.Compiled || out.Intended == "" && meansCompiled(out.SubjectText) {
		t.compiled = min(t.compiled, out.Index)
	}
	t.Messages = append(t.Messages, out)
	return out
}

// meansCompiled reports whether a subject without a type was to be that of a COMPILED (MB-001).
func meansCompiled(subject string) bool {
	subject = strings.TrimLeftFunc(subject, func(r rune) bool { return !unicode.IsLetter(r) })
	if !brenner.HasPrefixFold(subject, "compiled") {
		return false
	}
	_, _, namesVersion := FindVersion(subject)
	return namesVersion
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

// frontMatter is YAML at the head of a body. For Markdown it is a heading.
var frontMatter = text.Pattern(`^---[ \t]*\r?\n(?:[A-Za-z][\w -]*:[^\n{]*\n){2,}---[ \t]*(?:\r?\n|$)`)

func (m *Message) readBody(limits artifact.Limits) {
	head := 0
	if m.Intended != brenner.Compiled { // the artifact has one
		head = len(frontMatter().Find(m.Body.Data))
	}
	m.Doc = markdown.ParseFrom(m.Body, head)
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

// HoldsDeltas reports whether the body contributes deltas, in fences or not.
func (m *Message) HoldsDeltas() bool {
	return len(m.Deltas) > 0 || slices.ContainsFunc(m.UnfencedDeltas, func(x delta.UnfencedDelta) bool { return x.Form != delta.InlineLine })
}

// InSubject returns the place of a span of the subject.
func (m *Message) InSubject(s source.Span) source.Place {
	return source.Place{Text: m.Subject, Span: s}
}

// InBody returns the place of a span of the body.
func (m *Message) InBody(s source.Span) source.Place {
	return source.Place{Text: m.Body, Span: s}
}

// Wrapper is what prevents a whole body from being read as Markdown, so that its headings and
// fences do not count as such (decisions.md 44).
type Wrapper struct {
	// Fence reports that the body is one fence from its first to its last line;
	// else all of its line breaks are written \n.
	Fence bool
	// Span is the fence's opening line, without white space around it, or the
	// first \n.
	Span source.Span
}

// findWrapper finds what the body is wrapped in, nil if nothing.
func (m *Message) findWrapper() *Wrapper {
	if len(m.Doc.Blocks) == 0 {
		return nil
	}
	if w := m.fenceWrapper(); w != nil {
		return w
	}
	return escapedLines(m.Body.Data)
}

// fenceWrapper returns the fence, without a tag or for Markdown, that is the whole
// body. If the body contains fences of the same length, the first of those ends it as
// CommonMark reads it, and its own closing line opens another. A delta alone in a fence
// is not wrapped: its fence lacks the tag.
func (m *Message) fenceWrapper() *Wrapper {
	first, last := &m.Doc.Blocks[0], &m.Doc.Blocks[len(m.Doc.Blocks)-1]
	if first.Kind != markdown.Fence || first.InList || first.InQuote {
		return nil
	}
	tag := strings.ToLower(m.Body.Slice(first.Info))
	switch marked := tag == "markdown" || tag == "md"; {
	case !marked && tag != "":
		return nil
	case first == last:
	case last.Kind != markdown.Fence || !strings.HasPrefix(last.Marks(), first.Marks()) || !last.Info.Empty() || last.Span.End < len(bytes.TrimRight(m.Body.Data, " \t\r\n")):
		return nil
	case !marked && (last.Closed || len(last.Parts) > 0) && !m.hidesHeadings(first):
		return nil
	}
	if m.Intended == brenner.Delta && len(first.Parts) > 0 {
		text := bytes.TrimSpace(m.Body.Data[first.Parts[0].Start:first.Parts[len(first.Parts)-1].End])
		if len(text) > 0 && (text[0] == '{' || text[0] == '[') {
			return nil
		}
	}
	return &Wrapper{Fence: true, Span: first.Opening()}
}

// hidesHeadings reports whether the headings of the body are all in fences, and some in
// the first: the text between them belongs to one document.
func (m *Message) hidesHeadings(first *markdown.Block) bool {
	for i := range m.Doc.Blocks {
		if m.Doc.Blocks[i].Kind == markdown.Heading {
			return false
		}
	}
	for l := range m.Doc.Lines(first) {
		if line := bytes.TrimLeft(m.Body.Bytes(l), "#"); len(line) < l.Len() && len(line) > 0 && line[0] == ' ' {
			return true
		}
	}
	return false
}

// escapedBreak is a line break that is written \n, before a line that is no text.
var escapedBreak = text.Pattern("\\\\n[\\\\#`~*|-]")

// escapedLines finds the first \n of a body of one line that has further lines
// if its \n are read as line breaks: a blank line, a heading, a list or a fence. In JSON
// they belong to its strings, unless one of these is the body.
func escapedLines(data []byte) *Wrapper {
	if bytes.ContainsAny(bytes.TrimSpace(data), "\r\n") || !escapedBreak().Match(data) {
		return nil
	}
	if value, _ := jsontree.Parse(data, jsontree.Options{}); value.Is(jsontree.Array) || value.Is(jsontree.Object) && !value.Get("body_md").Is(jsontree.String) {
		return nil
	}
	at := bytes.Index(data, []byte(`\n`))
	return &Wrapper{Span: source.Span{Start: at, End: at + 2}}
}
