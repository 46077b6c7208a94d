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

// messageReader reads a message from the members of JSON, of the front matter of the archive, or
// of a tool's arguments. It accepts the names of all of these.
type messageReader struct {
	t *source.Text
	m *mail.Message
}

var errNoObject = errors.New("is not a JSON object")

// read reads the members of an object into m.
func (o *members) read(m *mail.Message) {
	m.Header = o.text.Place(source.Span{Start: o.span.Start, End: o.span.Start + 1})
	r := messageReader{o.text, m}
	for _, v := range o.values {
		at := source.Span{Start: int(v.start), End: int(v.end)}
		r.member(v.member, jsontext.Value(o.text.Bytes(at)), at, o.has)
	}
}

// member reads a member, whose value is raw, at a span of the text.
func (r *messageReader) member(member mail.Member, raw jsontext.Value, at source.Span, has mail.Members) {
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
		if ts, ok := brenner.ParseTime(strings.TrimSpace(m.Created.String())); ok {
			m.Time, m.HasTime = ts.Time, true
		}
	case mail.MemberBodyMD:
		r.body(raw, at)
	case mail.MemberBody:
		if !has.Has(mail.MemberBodyMD) { // else it is something else's
			r.body(raw, at)
		}
	case mail.MemberAckRequired:
		r.ack(raw, at)
	case mail.MemberTo, mail.MemberCc, mail.MemberBcc:
		r.recipients(member.String(), raw, at)
	case mail.MemberRecipients:
		r.recipients("", raw, at)
	}
}

// text reads a string. For any other value it keeps the place, for IN-003. A thread may be null,
// or a number.
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
func (r *messageReader) recipients(kind string, raw jsontext.Value, at source.Span) {
	r.m.Recipients = slices.DeleteFunc(r.m.Recipients, func(o mail.Recipient) bool { return o.Kind == kind })
	switch raw.Kind() {
	case '"':
		t := r.t.JSONString(at)
		span := source.Span{End: len(t.Data)}.Trim(t.Data)
		if list := jsontext.Value(t.Data[span.Start:span.End]); len(list) > 0 && list[0] == '[' && list.IsValid() {
			inner := messageReader{t, r.m}
			inner.recipients(kind, list, span)
		} else {
			addNames(r.m, t, kind)
		}
	case '[':
		r.m.HasRecipients = true
		c := newScanner(r.t, at)
		_, _ = c.ReadToken() // the list is valid
		for c.PeekKind() != ']' {
			name, err := c.ReadValue()
			if err != nil {
				return
			}
			if name.Kind() == '"' {
				t := r.t.JSONString(c.last(len(name)).Span)
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

// newDecoder returns a decoder of a text. If a member is given twice, the last counts
// (decisions.md 9). The decoder allows invalid UTF-8, because it takes a surrogate escape
// without its partner for that, which is not a fault. The reader looks for invalid bytes itself.
func newDecoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}
