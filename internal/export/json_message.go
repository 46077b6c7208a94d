package export

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// member is a member of a message object: its name, and where its value is in the
// object. Before the value there may be white space and the colon.
type member struct {
	name       memberName
	start, end uint32
}

// memberName is a name that a member of a message may have. Names differ between the
// exports, and are all accepted.
type memberName uint8

// The members of messages.
const (
	noMember memberName = iota
	memberID
	memberThread
	memberSubject
	memberFrom
	memberCreated
	memberBodyMD
	memberBody
	memberAck
	memberTo
	memberCC
	memberBCC
	memberRecipients
)

// nameOf is the member that is written so.
func nameOf(name []byte) memberName {
	switch string(name) {
	case "id":
		return memberID
	case "thread_id":
		return memberThread
	case "subject":
		return memberSubject
	case "from", "sender", "sender_name":
		return memberFrom
	case "created", "created_ts":
		return memberCreated
	case "body_md":
		return memberBodyMD
	case "body":
		return memberBody
	case "ack_required":
		return memberAck
	case "to":
		return memberTo
	case "cc":
		return memberCC
	case "bcc":
		return memberBCC
	case "recipients":
		return memberRecipients
	}
	return noMember
}

// readMessage reads the JSON object at a span of t into m: a message of JSON, the
// front matter of the archive, or the arguments of a tool that sends.
func readMessage(m *mail.Message, t *source.Text, span source.Span) error {
	c := newScanner(t.Data[span.Start:span.End:span.End], 0)
	defer c.free()
	r := messageReader{t: t, m: m}
	r.begin(span)
	if c.PeekKind() != '{' {
		return errNoObject
	}
	if _, err := c.ReadToken(); err != nil {
		return err
	}
	for c.PeekKind() != '}' {
		name, err := c.ReadValue()
		if err != nil {
			return err
		}
		which := nameOf(name[1 : len(name)-1])
		if which == noMember {
			if err := c.SkipValue(); err != nil {
				return err
			}
			continue
		}
		value, err := c.ReadValue()
		if err != nil {
			return err
		}
		end := span.Start + c.offset()
		r.member(which, value, source.Span{Start: end - len(value), End: end})
	}
	_, err := c.ReadToken()
	return err
}

// readMembers is readMessage of an object whose members are known.
func readMembers(m *mail.Message, t *source.Text, span source.Span, members []member) {
	r := messageReader{t: t, m: m}
	r.begin(span)
	for _, o := range members {
		at := source.Span{Start: span.Start + int(o.start), End: span.Start + int(o.end)}
		for c := t.Data[at.Start]; c == ':' || c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = t.Data[at.Start] {
			at.Start++
		}
		r.member(o.name, t.Data[at.Start:at.End], at)
	}
}

var errNoObject = errors.New("is not a JSON object")

// messageReader reads the members of one message object.
type messageReader struct {
	t *source.Text
	m *mail.Message

	hasBody bool // a body_md was read
}

func (r *messageReader) begin(span source.Span) {
	r.m.Header = r.t.Place(source.Span{Start: span.Start, End: min(span.Start+1, span.End)})
}

// member reads the value of one member, which is at a span of the text.
func (r *messageReader) member(name memberName, value jsontext.Value, at source.Span) {
	m := r.m
	switch name {
	case memberID:
		m.ID = scalarText(value)
	case memberThread:
		r.thread(value, at)
	case memberSubject:
		r.text(&m.Subject, "subject", value, at)
	case memberFrom:
		r.text(&m.From, "from", value, at)
	case memberCreated:
		r.text(&m.Created, "created", value, at)
		if m.Created != nil {
			if ts, ok := protocol.ParseTime(strings.TrimSpace(string(m.Created.Data))); ok {
				m.Time, m.HasTime = ts.Time, true
			}
		}
	case memberBodyMD:
		r.hasBody = true
		r.body(value, at)
	case memberBody:
		if !r.hasBody { // else it is something else's
			r.body(value, at)
		}
	case memberAck:
		r.ack(value, at)
	case memberTo:
		r.recipients("to", value, at)
	case memberCC:
		r.recipients("cc", value, at)
	case memberBCC:
		r.recipients("bcc", value, at)
	case memberRecipients:
		r.recipients("", value, at)
	}
}

// text reads a string; of any other value it keeps the place, for IN-003.
func (r *messageReader) text(to **source.Text, field string, value jsontext.Value, at source.Span) {
	if value.Kind() == '"' {
		*to = r.t.JSONString(at)
		return
	}
	*to = nil
	r.m.Malformed = append(r.m.Malformed, mail.MalformedField{Name: field, At: r.t.Place(at)})
}

// thread reads a thread id, which may be null, or a number.
func (r *messageReader) thread(value jsontext.Value, at source.Span) {
	switch value.Kind() {
	case '0':
		r.m.Thread = r.t.Sub(at)
	case 'n':
		r.m.Thread = nil
	default:
		r.text(&r.m.Thread, "thread_id", value, at)
	}
}

func (r *messageReader) body(value jsontext.Value, at source.Span) {
	r.m.BodyState = bodyState(value.Kind())
	r.text(&r.m.Body, "body", value, at)
	r.m.Body = r.m.Body.Normalize()
}

// ack reads ack_required: a boolean, or the 0 and 1 of a database.
func (r *messageReader) ack(value jsontext.Value, at source.Span) {
	r.m.AckPlace, r.m.AckMistyped = r.t.Place(at), false
	switch string(value) {
	case "true", "1":
		r.m.AckRequired = true
	case "false", "0":
		r.m.AckRequired = false
	case "null":
		r.m.AckPlace = source.Place{}
	default: // a string is read as what it says, so that the acknowledgements are counted
		r.m.AckRequired = value.Kind() == '"' && strings.EqualFold(unquoted(value), "true")
		r.m.AckMistyped = true
	}
}

// recipients reads a list of names, or one string of names joined by commas.
func (r *messageReader) recipients(kind string, value jsontext.Value, at source.Span) {
	r.m.Recipients = slices.DeleteFunc(r.m.Recipients, func(o mail.Recipient) bool { return o.Kind == kind })
	switch value.Kind() {
	case '"':
		addNames(r.m, r.t.JSONString(at), kind)
	case '[':
		r.m.HasRecipients = true
		c := newScanner(value, 0)
		defer c.free()
		for _, err := c.ReadToken(); err == nil && c.PeekKind() != ']'; {
			var one jsontext.Value
			if one, err = c.ReadValue(); err == nil && one.Kind() == '"' {
				end := at.Start + c.offset()
				t := r.t.JSONString(source.Span{Start: end - len(one), End: end})
				r.m.Recipients = append(r.m.Recipients, mail.Recipient{Name: string(t.Data), Kind: kind, Text: t})
			}
		}
	}
}

// addNames adds recipients whose names are joined by commas.
func addNames(m *mail.Message, t *source.Text, kind string) {
	m.HasRecipients = true
	at := 0
	for part := range bytes.SplitSeq(t.Data, []byte(",")) {
		if name := (source.Span{Start: at, End: at + len(part)}).Trim(t.Data); !name.Empty() {
			sub := t.Sub(name)
			m.Recipients = append(m.Recipients, mail.Recipient{Name: string(sub.Data), Kind: kind, Text: sub})
		}
		at += len(part) + 1
	}
}
