package export

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// messageReader is the state of reading one message object.
type messageReader struct {
	jsontext.Decoder
	buf bytes.Buffer

	t    *source.Text
	base int // where the object begins in t
	m    *mail.Message

	hasBody bool // a body_md was read
}

var messageReaders = sync.Pool{New: func() any { return new(messageReader) }}

// readMessage reads the JSON object at a span of t into m: a message of JSON, the
// front matter of the archive, or the arguments of a tool that sends. Names
// differ between them, and are all accepted.
func readMessage(m *mail.Message, t *source.Text, span source.Span) error {
	r := messageReaders.Get().(*messageReader)
	defer func() {
		r.buf, r.t, r.m = bytes.Buffer{}, nil, nil
		messageReaders.Put(r)
	}()
	r.buf = *bytes.NewBuffer(t.Data[span.Start:span.End:span.End])
	r.Reset(&r.buf, scanOptions...)
	r.t, r.base, r.m, r.hasBody = t, span.Start, m, false
	m.Header = t.Place(source.Span{Start: span.Start, End: min(span.Start+1, span.End)})
	if r.PeekKind() != '{' {
		return errNoObject
	}
	if _, err := r.ReadToken(); err != nil {
		return err
	}
	for r.PeekKind() != '}' {
		name, err := r.ReadValue()
		if err != nil {
			return err
		}
		if err := r.member(name[1 : len(name)-1]); err != nil {
			return err
		}
	}
	_, err := r.ReadToken()
	return err
}

var errNoObject = errors.New("is not a JSON object")

// member reads the value of one member.
func (r *messageReader) member(name []byte) error {
	m := r.m
	switch member := mail.MemberOf(name); member {
	case mail.MemberID:
		return r.id()
	case mail.MemberThreadID:
		return r.text(&m.Thread, mail.MemberThreadID)
	case mail.MemberSubject:
		return r.text(&m.Subject, mail.MemberSubject)
	case mail.MemberFrom, mail.MemberSender, mail.MemberSenderName:
		return r.text(&m.From, mail.MemberFrom)
	case mail.MemberCreated, mail.MemberCreatedTS:
		err := r.text(&m.Created, mail.MemberCreated)
		if m.Created != nil {
			if ts, ok := protocol.ParseTime(strings.TrimSpace(string(m.Created.Data))); ok {
				m.Time, m.HasTime = ts.Time, true
			}
		}
		return err
	case mail.MemberBodyMD:
		r.hasBody = true
		return r.body()
	case mail.MemberBody:
		if !r.hasBody { // else it is something else's
			return r.body()
		}
	case mail.MemberAckRequired:
		return r.ack()
	case mail.MemberTo, mail.MemberCc, mail.MemberBcc:
		return r.recipients(member.String())
	case mail.MemberRecipients:
		return r.recipients("")
	}
	return r.SkipValue()
}

// value reads a value and tells its place.
func (r *messageReader) value() (jsontext.Value, source.Span, error) {
	raw, err := r.ReadValue()
	end := r.base + int(r.InputOffset())
	return raw, source.Span{Start: end - len(raw), End: end}, err
}

// text reads a string; of any other value it keeps the place, for IN-003. A
// thread may be null, or a number.
func (r *messageReader) text(to **source.Text, field mail.Member) error {
	raw, span, err := r.value()
	if err != nil {
		return err
	}
	switch raw.Kind() {
	case '"':
		*to = r.t.JSONString(span)
		return nil
	case '0':
		if field == mail.MemberThreadID {
			*to = r.t.Sub(span)
			return nil
		}
	case 'n':
		if field == mail.MemberThreadID {
			*to = nil
			return nil
		}
	}
	*to = nil
	r.m.Malformed = append(r.m.Malformed, mail.MalformedField{Name: field.String(), At: r.t.Place(span)})
	return nil
}

func (r *messageReader) body() error {
	r.m.BodyState = bodyState(r.PeekKind())
	err := r.text(&r.m.Body, mail.MemberBody)
	r.m.Body = r.m.Body.Normalize()
	return err
}

func (r *messageReader) id() error {
	raw, _, err := r.value()
	if err != nil {
		return err
	}
	r.m.ID = scalarText(raw)
	return nil
}

// ack reads ack_required: a boolean, or the 0 and 1 of a database.
func (r *messageReader) ack() error {
	raw, span, err := r.value()
	if err != nil {
		return err
	}
	r.m.AckPlace, r.m.AckMistyped = r.t.Place(span), false
	switch s := string(raw); s {
	case "true", "1":
		r.m.AckRequired = true
	case "false", "0":
		r.m.AckRequired = false
	case "null":
		r.m.AckPlace = source.Place{}
	default: // a string is read as what it says, so that the acknowledgements are counted
		r.m.AckRequired = raw.Kind() == '"' && strings.EqualFold(unquoted(raw), "true")
		r.m.AckMistyped = true
	}
	return nil
}

// recipients reads a list of names, or one string of names joined by commas.
func (r *messageReader) recipients(kind string) error {
	r.m.Recipients = slices.DeleteFunc(r.m.Recipients, func(o mail.Recipient) bool { return o.Kind == kind })
	switch r.PeekKind() {
	case '"':
		_, span, err := r.value()
		if err != nil {
			return err
		}
		addNames(r.m, r.t.JSONString(span), kind)
		return nil
	case '[':
	default:
		return r.SkipValue()
	}
	if _, err := r.ReadToken(); err != nil {
		return err
	}
	r.m.HasRecipients = true
	for r.PeekKind() != ']' {
		raw, span, err := r.value()
		if err != nil {
			return err
		}
		if raw.Kind() == '"' {
			t := r.t.JSONString(span)
			r.m.Recipients = append(r.m.Recipients, mail.Recipient{Name: string(t.Data), Kind: kind, Text: t})
		}
	}
	_, err := r.ReadToken()
	return err
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
