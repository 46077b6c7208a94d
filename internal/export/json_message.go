package export

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// messageReader reads the members of one message object.
type messageReader struct {
	t *source.Text
	m *mail.Message

	hasBody bool // a body_md was read
}

// readMessage reads the JSON object at a span of t into m: a message of JSON, the
// front matter of the archive, or the arguments of a tool that sends. Names
// differ between them, and are all accepted.
func readMessage(m *mail.Message, t *source.Text, span source.Span) error {
	m.Header = t.Place(source.Span{Start: span.Start, End: min(span.Start+1, span.End)})
	r := messageReader{t: t, m: m}
	d := newDecoder(t.Data[span.Start:span.End:span.End])
	if d.PeekKind() != '{' {
		return errNoObject
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadValue()
		if err != nil {
			return err
		}
		member := memberNamed(name)
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		end := span.Start + int(d.InputOffset())
		if err := r.member(member, raw, source.Span{Start: end - len(raw), End: end}); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

var errNoObject = errors.New("is not a JSON object")

// member reads a member, whose value is raw, at a span of the text.
func (r *messageReader) member(member mail.Member, raw jsontext.Value, at source.Span) error {
	m := r.m
	switch member {
	case mail.MemberID:
		m.ID = scalarText(raw)
	case mail.MemberThreadID:
		r.text(&m.Thread, mail.MemberThreadID, raw, at)
	case mail.MemberSubject:
		r.text(&m.Subject, mail.MemberSubject, raw, at)
	case mail.MemberFrom, mail.MemberSender, mail.MemberSenderName:
		r.text(&m.From, mail.MemberFrom, raw, at)
	case mail.MemberCreated, mail.MemberCreatedTS:
		r.text(&m.Created, mail.MemberCreated, raw, at)
		if m.Created != nil {
			if ts, ok := brenner.ParseTime(strings.TrimSpace(string(m.Created.Data))); ok {
				m.Time, m.HasTime = ts.Time, true
			}
		}
	case mail.MemberBodyMD:
		r.hasBody = true
		r.body(raw, at)
	case mail.MemberBody:
		if !r.hasBody { // else it is something else's
			r.body(raw, at)
		}
	case mail.MemberAckRequired:
		r.ack(raw, at)
	case mail.MemberTo, mail.MemberCc, mail.MemberBcc:
		return r.recipients(member.String(), raw, at)
	case mail.MemberRecipients:
		return r.recipients("", raw, at)
	}
	return nil
}

// text reads a string; of any other value it keeps the place, for IN-003. A
// thread may be null, or a number.
func (r *messageReader) text(to **source.Text, field mail.Member, raw jsontext.Value, at source.Span) {
	*to = nil
	switch kind := raw.Kind(); {
	case kind == '"':
		*to = r.t.JSONString(at)
	case kind == '0' && field == mail.MemberThreadID:
		*to = r.t.Sub(at)
	case kind != 'n' || field != mail.MemberThreadID:
		r.m.Malformed = append(r.m.Malformed, mail.MalformedField{Name: field.String(), At: r.t.Place(at)})
	}
}

func (r *messageReader) body(raw jsontext.Value, at source.Span) {
	r.m.BodyState = bodyState(raw.Kind())
	r.text(&r.m.Body, mail.MemberBody, raw, at)
	r.m.Body = r.m.Body.Normalize()
}

// ack reads ack_required: a boolean, or the 0 and 1 of a database.
func (r *messageReader) ack(raw jsontext.Value, at source.Span) {
	r.m.AckPlace, r.m.AckMistyped = r.t.Place(at), false
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
}

// recipients reads a list of names, or one string of names: joined by commas, or the list as
// JSON, as some clients send it.
func (r *messageReader) recipients(kind string, raw jsontext.Value, at source.Span) error {
	r.m.Recipients = slices.DeleteFunc(r.m.Recipients, func(o mail.Recipient) bool { return o.Kind == kind })
	switch raw.Kind() {
	case '"':
		t := r.t.JSONString(at)
		span := source.Span{End: len(t.Data)}.Trim(t.Data)
		if list := jsontext.Value(t.Data[span.Start:span.End]); len(list) > 0 && list[0] == '[' && list.IsValid() {
			inner := *r
			inner.t = t
			return inner.recipients(kind, list, span)
		}
		addNames(r.m, t, kind)
		return nil
	case '[':
	default:
		return nil
	}
	d := newDecoder(raw)
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	r.m.HasRecipients = true
	for d.PeekKind() != ']' {
		name, err := d.ReadValue()
		if err != nil {
			return err
		}
		if name.Kind() == '"' {
			end := at.Start + int(d.InputOffset())
			t := r.t.JSONString(source.Span{Start: end - len(name), End: end})
			r.m.Recipients = append(r.m.Recipients, mail.Recipient{Name: string(t.Data), Kind: kind, Text: t})
		}
	}
	return nil
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

// memberNames are the names of all members that mail has.
var memberNames = func() (names []string) {
	for m := mail.MemberID; m.String() != ""; m++ {
		names = append(names, m.String())
	}
	return names
}()

// memberNamed returns the member that a name, as written with its quotes, means; 0 if
// mail has none of that name.
func memberNamed(quoted jsontext.Value) mail.Member {
	switch {
	case !utf8.Valid(quoted):
		return mail.MemberOf(brenner.Meant(source.ValidString(string(quoted[1:len(quoted)-1])), memberNames...))
	case bytes.IndexByte(quoted, '\\') < 0:
		return mail.MemberOf(quoted[1 : len(quoted)-1])
	}
	name, _ := jsontext.AppendUnquote(nil, quoted) // a lone surrogate is in no name of ours
	return mail.MemberOf(name)
}
