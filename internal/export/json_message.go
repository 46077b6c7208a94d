package export

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// An object is read as a message by the names of all exports, of the front matter of the archive,
// and of a tool's arguments.

// messageAt reads a part of a text as a message whatever its members are: the front matter of an
// archive, or the arguments of a tool. The fault says why it is not one object; it has an Err if there
// is one.
func messageAt(t *source.Text, part source.Span) (o *object, fault source.Fault) {
	o, c := &object{text: t}, newScanner(t, part)
	if c.PeekKind() == '{' {
		c.object(o, true)
	} else {
		c.read()
	}
	c.end()
	switch {
	case c.err != nil:
		fault = c.diagnose(part)
	case o.span.Empty():
		fault = malformed(t.Place(part), errNoFront, "")
	}
	return o, fault
}

// value returns the last value that any of some members has, as it is written; nil without one.
func (o *object) value(any ...string) (raw jsontext.Value, at source.Span) {
	if v := o.last(any...); v != nil {
		return o.text.Bytes(v.at), v.at
	}
	return nil, source.Span{}
}

// scalar returns the value of a member as scalarText does.
func (o *object) scalar(m string) string {
	raw, _ := o.value(m)
	return scalarText(raw)
}

// read reads the message, without its body.
func (o *object) read() {
	m := &o.message
	m.ID, m.Thread, m.BodyState = o.scalar("id"), o.threadText, mail.BodyAbsent
	m.Header = o.text.Place(source.Span{Start: o.span.Start, End: o.span.Start + 1})
	malformed := func(is string, at source.Span) {
		m.Malformed = append(m.Malformed, mail.MalformedField{Name: is, At: o.text.Place(at)})
	}
	text := func(any ...string) *source.Text {
		raw, at := o.value(any...)
		if raw.Kind() == '"' {
			return o.text.JSONString(at)
		}
		if raw != nil {
			malformed(any[0], at)
		}
		return nil
	}
	m.Subject = text("subject")
	m.From = text("from", "sender", "sender_name")
	m.Created = text("created", "created_ts")
	if t, ok := brenner.ParseTime(strings.TrimSpace(m.Created.String())); ok {
		m.Time, m.HasTime = t.Time, true
	}
	body, at := o.value("body_md")
	if body == nil {
		body, at = o.value("body")
	}
	switch o.body = at; {
	case body.Kind() == '"':
		m.BodyState = mail.BodyPresent
	case body != nil:
		m.BodyState = mail.BodyNull
		malformed("body", at)
	}
	o.readAck(m)
	for _, v := range o.values {
		switch v.member {
		case "to", "cc", "bcc":
			readRecipients(m, o.text, v.member, v.at)
		case "recipients":
			readRecipients(m, o.text, "", v.at)
		}
	}
}

// load returns the message with its body.
func (o *object) load() *loaded {
	m := &loaded{Message: o.message}
	m.Recipients = slices.Clone(m.Recipients) // acknowledgements may be added
	switch {
	case o.bodyText != nil:
		m.Body = o.bodyText
	case m.BodyState == mail.BodyPresent:
		m.Body = o.text.JSONString(o.body).Normalize()
	}
	return m
}

// readAck reads ack_required: a boolean, or the 0 and 1 of a database.
func (o *object) readAck(m *mail.Message) {
	raw, at := o.value("ack_required")
	if raw == nil {
		return
	}
	m.AckPlace = o.text.Place(at)
	switch s := string(raw); s {
	case "true", "1", "false", "0", "null":
		m.AckRequired = s == "true" || s == "1"
	default: // a string is read as what it says, so that the acknowledgements are counted
		m.AckRequired = strings.EqualFold(unquoted(raw), "true")
		m.AckMistyped = true
	}
}

// readRecipients reads a list of names, or one string of names: joined by commas, or the list as
// JSON, as some clients send it.
func readRecipients(m *mail.Message, in *source.Text, kind string, at source.Span) {
	switch in.Data[at.Start] {
	case '"':
		t := in.JSONString(at)
		span := source.Trim(t.Data, source.Span{End: len(t.Data)})
		if list := jsontext.Value(t.Bytes(span)); len(list) > 0 && list[0] == '[' && list.IsValid() {
			readRecipients(m, t, kind, span)
		} else {
			addNames(m, t, kind)
		}
	case '[':
		m.HasRecipients = true
		c := newScanner(in, at)
		for c.token(); c.more(']'); {
			if name := c.read(); name.Kind() == '"' {
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
		if name := source.Trim(t.Data, source.Span{Start: at, End: at + len(part)}); !name.Empty() {
			sub := t.Sub(name)
			m.Recipients = append(m.Recipients, mail.Recipient{Name: string(sub.Data), Kind: kind, Text: sub})
		}
		at += len(part) + 1
	}
}

// memberNamed returns the member that a name, as written with its quotes, means; "" if
// mail has none of that name.
func memberNamed(quoted jsontext.Value) string {
	name := []byte(quoted[1 : len(quoted)-1])
	if bytes.IndexByte(name, '\\') >= 0 {
		name = source.AppendUnescaped(nil, name)
	}
	if known := mail.Named(name); known != "" || utf8.Valid(quoted) {
		return known
	}
	return brenner.Meant(source.ValidString(string(quoted[1:len(quoted)-1])), mail.Names()...)
}
