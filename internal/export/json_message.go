package export

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// An object is read as a message by the names of all exports, of the front matter of the archive,
// and of a tool's arguments.

// messageAt reads a part of a text as a message whatever its members are: the front matter of an
// archive. The fault says why it is not one object; it has an Err if there is one.
func messageAt(t *source.Text, part source.Span) (o *object, fault source.Fault) {
	values, err := jsontree.Values(t.Data[:part.End], part.Start, memberNamed)
	switch {
	case err != nil || len(values) != 1:
		fault = (&scanner{text: t, err: cmp.Or(err, errNotOne)}).diagnose(part)
	case !values[0].Is(jsontree.Object):
		fault = malformed(t.Place(part), errNoFront, "")
	default:
		return newMessage(t, values[0]), fault
	}
	return &object{text: t}, fault
}

// newMessage reads an object as a message whatever its members are.
func newMessage(t *source.Text, n *jsontree.Node) *object {
	o := newObject(t, n, nil, false)
	o.read()
	return o
}

// value returns the last value that any of some members has, as it is written; nil without one.
func (o *object) value(any ...string) (raw []byte, at source.Span) {
	if n := o.last(any...); n != nil {
		return o.text.Bytes(n.Span()), n.Span()
	}
	return nil, source.Span{}
}

// scalar returns what a member says, as the function scalar does.
func (o *object) scalar(m string) string { return scalar(o.text, o.last(m)) }

// scalar returns a string or a number as text, without white space around it; "" for another value.
func scalar(t *source.Text, n *jsontree.Node) string {
	switch {
	case n.Is(jsontree.String):
		return strings.TrimSpace(unquoted(t.Bytes(n.Span())))
	case n.Is(jsontree.Number):
		return t.Slice(n.Span())
	}
	return ""
}

// read reads the message, without its body.
func (o *object) read() {
	m := &o.message
	m.ID, m.BodyState = o.scalar("id"), mail.BodyAbsent
	m.Header = o.text.Place(source.Span{Start: o.span.Start, End: o.span.Start + 1})
	malformed := func(is string, at source.Span) {
		m.Malformed = append(m.Malformed, mail.MalformedField{Name: is, At: o.text.Place(at)})
	}
	text := func(any ...string) *source.Text {
		n := o.last(any...)
		if n.Is(jsontree.String) {
			return o.text.JSONString(n.Span())
		}
		if n != nil {
			malformed(any[0], n.Span())
		}
		return nil
	}
	m.Subject = text("subject")
	m.From = text("from", "sender", "sender_name")
	m.Created = text("created", "created_ts")
	if t, ok := brenner.ParseTime(strings.TrimSpace(m.Created.String())); ok {
		m.Time, m.HasTime = t.Time, true
	}
	body := cmp.Or(o.last("body_md"), o.last("body"))
	switch o.body = body.Span(); {
	case body.Is(jsontree.String):
		m.BodyState = mail.BodyPresent
	case body != nil:
		m.BodyState = mail.BodyNull
		malformed("body", o.body)
	}
	o.readAck(m)
	for _, v := range o.Members() {
		switch {
		case v.Replaced:
		case v.Name == "to", v.Name == "cc", v.Name == "bcc":
			readRecipients(m, o.text, v.Name, v.Value)
		case v.Name == "recipients":
			readRecipients(m, o.text, "", v.Value)
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
func readRecipients(m *mail.Message, in *source.Text, kind string, list *jsontree.Node) {
	switch list.Kind {
	case jsontree.String:
		t := in.JSONString(list.Span())
		span := source.Trim(t.Data, t.WholePlace().Span)
		values, err := jsontree.Values(t.Data[:span.End], span.Start, memberNamed)
		if err == nil && len(values) == 1 && values[0].Is(jsontree.Array) {
			readRecipients(m, t, kind, values[0])
		} else {
			addNames(m, t, kind)
		}
	case jsontree.Array:
		m.HasRecipients = true
		for _, name := range list.Items() {
			if name.Is(jsontree.String) {
				t := in.JSONString(name.Span())
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

// memberNamed returns the member that a name means; "" if mail has none of that name.
func memberNamed(name []byte) string {
	if known := mail.Named(name); known != "" || utf8.Valid(name) {
		return known
	}
	names := slices.DeleteFunc(mail.Names(), func(known string) bool { return known == "message" }) // of an error: messag? means messages
	return brenner.Meant(source.ValidString(string(name)), names...)
}
