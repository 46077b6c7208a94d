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

var errNoObject = errors.New("is not a JSON object")

// read reads a member of a message, whose value is raw, at a span of the text. It accepts the
// names of all exports, of the front matter of the archive, and of a tool's arguments. The body is
// read when the message is loaded.
func (o *object) read(member mail.Member, raw jsontext.Value, at source.Span) {
	m := &o.message
	switch member {
	case mail.MemberID:
		m.ID = scalarText(raw)
	case mail.MemberThreadID:
		o.thread = scalarText(raw)
		m.Thread = o.readText(mail.MemberThreadID, raw, at)
	case mail.MemberSubject:
		m.Subject = o.readText(mail.MemberSubject, raw, at)
	case mail.MemberFrom, mail.MemberSender, mail.MemberSenderName:
		m.From = o.readText(mail.MemberFrom, raw, at)
	case mail.MemberCreated, mail.MemberCreatedTS:
		m.Created = o.readText(mail.MemberCreated, raw, at)
		if ts, ok := brenner.ParseTime(strings.TrimSpace(m.Created.String())); ok {
			m.Time, m.HasTime = ts.Time, true
		}
	case mail.MemberBody, mail.MemberBodyMD:
		if member == mail.MemberBodyMD || !o.has.Has(mail.MemberBodyMD) { // else it is something else's
			m.BodyState, o.body = bodyState(raw.Kind()), at
			if m.BodyState != mail.BodyPresent {
				o.malformed(mail.MemberBody, at)
			}
		}
	case mail.MemberAckRequired:
		o.readAck(raw, at)
	case mail.MemberTo, mail.MemberCc, mail.MemberBcc:
		readRecipients(m, o.text, member.String(), raw, at)
	case mail.MemberRecipients:
		readRecipients(m, o.text, "", raw, at)
	}
}

// readText reads a string. For any other value it keeps the place, for IN-003. A thread may be
// null, or a number.
func (o *object) readText(field mail.Member, raw jsontext.Value, at source.Span) *source.Text {
	switch kind := raw.Kind(); {
	case kind == '"':
		return o.text.JSONString(at)
	case kind == '0' && field == mail.MemberThreadID:
		return o.text.Sub(at)
	case kind != 'n' || field != mail.MemberThreadID:
		o.malformed(field, at)
	}
	return nil
}

func (o *object) malformed(field mail.Member, at source.Span) {
	o.message.Malformed = append(o.message.Malformed, mail.MalformedField{Name: field.String(), At: o.text.Place(at)})
}

// readAck reads ack_required: a boolean, or the 0 and 1 of a database.
func (o *object) readAck(raw jsontext.Value, at source.Span) {
	m := &o.message
	m.AckPlace, m.AckMistyped = o.text.Place(at), false
	switch s := string(raw); s {
	case "true", "1":
		m.AckRequired = true
	case "false", "0":
		m.AckRequired = false
	case "null":
		m.AckPlace = source.Place{}
	default: // a string is read as what it says, so that the acknowledgements are counted
		m.AckRequired = raw.Kind() == '"' && strings.EqualFold(unquoted(raw), "true")
		m.AckMistyped = true
	}
}

// readRecipients reads a list of names, or one string of names: joined by commas, or the list as
// JSON, as some clients send it.
func readRecipients(m *mail.Message, in *source.Text, kind string, raw jsontext.Value, at source.Span) {
	m.Recipients = slices.DeleteFunc(m.Recipients, func(o mail.Recipient) bool { return o.Kind == kind })
	switch raw.Kind() {
	case '"':
		t := in.JSONString(at)
		span := source.Span{End: len(t.Data)}.Trim(t.Data)
		if list := jsontext.Value(t.Data[span.Start:span.End]); len(list) > 0 && list[0] == '[' && list.IsValid() {
			readRecipients(m, t, kind, list, span)
		} else {
			addNames(m, t, kind)
		}
	case '[':
		m.HasRecipients = true
		c := newScanner(in, at)
		_, _ = c.ReadToken() // the list is valid
		for c.PeekKind() != ']' {
			name, err := c.ReadValue()
			if err != nil {
				return
			}
			if name.Kind() == '"' {
				t := in.JSONString(c.last(len(name)).Span)
				m.Recipients = append(m.Recipients, mail.Recipient{Name: string(t.Data), Kind: kind, Text: t})
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

// load returns the message with its body, and with the thread of the objects around it if it has
// none of its own.
func (o *object) load() *loaded {
	m := &loaded{Message: o.message}
	m.Recipients = slices.Clone(m.Recipients) // acknowledgements may be added
	if !o.has.Has(mail.MemberThreadID) {
		for up := o.outer; up != nil && m.Thread == nil; up = up.outer {
			m.Thread = up.message.Thread
		}
	}
	if m.BodyState == mail.BodyPresent {
		m.Body = o.text.JSONString(o.body).Normalize()
	}
	return m
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
