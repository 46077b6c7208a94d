package export

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// scanner reads one text of JSON once, from start to end, and records where its messages
// are. It descends only where mail can be (mail_formats.md section 4): lists of messages,
// results of tools and resources, JSON-RPC, and JSON in the strings of these. All else is
// skipped.
type scanner struct {
	*jsontext.Decoder
	depth uint8 // how many JSON strings the text is in
	nest  int   // how many wrappers are open
	list  bool  // the next value is an element of a list

	found   []found
	faults  []fault
	scalars []fault // elements of the list of messages that are none, until its end
	envs    []*envelope
	evidence
	plain *plainText
}

// evidence is what shows that a text is an export of mail, even if it holds no
// message.
type evidence struct {
	mailish  bool // something that only Agent Mail writes
	exports  bool // a list of messages of some project, thread or agent
	likely   bool // what other programs write too: enough if the user names the file
	ours     bool // a member thread_id or body_md, even outside a message
	messages bool // a list of messages
	chat     bool // a member of the messages of a chat
	refused  bool // an answer of JSON-RPC that is an error

	toolFailed bool // the result of a tool says so
	ofMail     bool // the error says what only Agent Mail has
}

// add adds further evidence.
func (e *evidence) add(o evidence) {
	e.mailish = e.mailish || o.mailish
	e.exports = e.exports || o.exports
	e.likely = e.likely || o.likely
	e.ours = e.ours || o.ours
	e.messages = e.messages || o.messages
	e.chat = e.chat || o.chat
	e.refused = e.refused || o.refused
	e.toolFailed = e.toolFailed || o.toolFailed
	e.ofMail = e.ofMail || o.ofMail
}

// isMail reports whether the text is an export of mail, as far as can be determined without
// the user saying so.
func (e *evidence) isMail() bool { return e.mailish || e.exports && !e.chat }

// isBrokenMail reports whether a text that does not parse was meant to be an export
// (decisions.md 52).
func (e *evidence) isBrokenMail() bool { return e.ours || e.messages && !e.chat }

// plainText is the last text of a tool or resource that is not JSON: it may say why the
// tool failed.
type plainText struct {
	place
	text  string // its beginning
	fault *fault // where it stops to be JSON; nil where it does not even begin so
}

// maxQuoted is how much is kept of such a text, in bytes.
const maxQuoted = 300

// maxNesting is the maximum nesting of wrappers.
const maxNesting = 16

// place is a place in the text of the scanner that found it, and after the scan, in the
// file. Depth counts the JSON strings between the file and the place.
type place struct {
	start, end int
	depth      uint8
}

// found is a message that was found.
type found struct {
	place
	entry     entry
	subject   string
	env       *envelope // what is around it
	hasThread bool      // it has a thread_id of its own, which may be null
	hasKind   bool      // it has the kind of an inbox
	listed    bool      // it is an element of a list
	weak      bool      // it is a message only because it is among messages
}

// envelope is what an object says about the messages in it. It is complete only when the
// object has ended.
type envelope struct {
	outer    *envelope
	project  string // a human key or a slug
	slugged  string // the slug of project, once it was needed
	thread   string
	threadAt place
	agent    bool              // an inbox, outbox or mailbox
	messages bool              // its member messages is being scanned
	projects map[string]string // slugs by project number: a unified inbox
}

// slug returns the slug of the project, "" if there is none.
func (e *envelope) slug() string {
	if e.slugged == "" {
		e.slugged = slug(e.project)
	}
	return e.slugged
}

// fault is something wrong with the text.
type fault struct {
	place
	err       error
	hint      string
	sensitive bool // as of a source.Fault
}

// newScanner returns a scanner of a text that is in some JSON strings.
func newScanner(text []byte, depth uint8) *scanner {
	return &scanner{Decoder: newDecoder(text), depth: depth}
}

// offset returns the end of what was read last.
func (c *scanner) offset() int { return int(c.InputOffset()) }

// last returns the place of the value of n bytes that was read last.
func (c *scanner) last(n int) place {
	return place{c.offset() - n, c.offset(), c.depth}
}

// eachPlace calls f for all recorded places.
func (c *scanner) eachPlace(f func(*place)) {
	for i := range c.found {
		f(&c.found[i].place)
	}
	for i := range c.faults {
		f(&c.faults[i].place)
	}
	for _, e := range c.envs {
		f(&e.threadAt)
	}
	if c.plain != nil {
		f(&c.plain.place)
		if c.plain.fault != nil {
			f(&c.plain.fault.place)
		}
	}
}

var errNesting = errors.New("wrappers nest too deeply")

// value scans what may be a message, a list, or a wrapper of either.
func (c *scanner) value(env *envelope) error {
	kind := c.PeekKind()
	if kind != '{' && kind != '[' {
		return c.scalarElement(env)
	}
	if c.nest++; c.nest > maxNesting {
		return errNesting
	}
	defer func() { c.nest-- }()
	if kind == '{' {
		return c.object(env)
	}
	if _, err := c.ReadToken(); err != nil {
		return err
	}
	for c.PeekKind() != ']' {
		c.list = true
		if err := c.value(env); err != nil {
			return err
		}
	}
	_, err := c.ReadToken()
	return err
}

// maxScalars bounds the faults for elements of one list that are no messages.
const maxScalars = 100

// scalarElement skips a value that holds no message; among messages that is a fault.
func (c *scanner) scalarElement(env *envelope) error {
	listed := c.list
	c.list = false
	if !listed || env == nil || !env.messages || len(c.scalars) == maxScalars {
		return c.SkipValue()
	}
	raw, err := c.ReadValue()
	if err == nil {
		c.scalars = append(c.scalars, fault{place: c.last(len(raw)), err: errNoMessage})
	}
	return err
}

// endMessages keeps the faults for elements of a list of messages that has ended; n
// messages were found before it. A list without any is not one of mail.
func (c *scanner) endMessages(n int) {
	if len(c.found) > n {
		c.faults = append(c.faults, c.scalars...)
	}
	c.scalars = nil
}

var errNoMessage = errors.New("expected a message, which is an object")

// object scans an object. It may be a message, a wrapper, or (the result of a
// reply) both.
func (c *scanner) object(outer *envelope) error {
	if _, err := c.ReadToken(); err != nil {
		return err
	}
	o := object{scanner: c, env: &envelope{outer: outer}, content: [2]int{-1, -1}}
	o.msg.listed, c.list = c.list, false
	o.msg.place = c.last(1)
	o.msg.env = o.env
	o.msg.entry.body = mail.BodyAbsent
	for c.PeekKind() != '}' {
		name, err := c.ReadValue()
		if err != nil {
			return err
		}
		if err := o.member(memberNamed(name)); err != nil {
			return err
		}
	}
	if _, err := c.ReadToken(); err != nil {
		return err
	}
	o.msg.end = c.offset()
	o.finish()
	return nil
}

// nested scans JSON in a string, or directly in place. Other strings are ignored.
func (c *scanner) nested(env *envelope) error {
	if c.PeekKind() != '"' {
		return c.value(env)
	}
	raw, err := c.ReadValue()
	if err != nil {
		return err
	}
	at := c.last(len(raw))
	text := source.AppendUnescaped(make([]byte, 0, len(raw)), raw[1:len(raw)-1])
	if k := firstByte(text); k != '{' && k != '[' || c.nest >= maxNesting {
		c.plain = &plainText{place: at, text: string(text[:min(len(text), maxQuoted)])}
		return nil
	}
	sub := newScanner(text, c.depth+1)
	sub.nest = c.nest + 1
	if err := sub.document(env); err != nil {
		sub.faults = append(sub.faults, diagnose(text, err, sub.offset(), sub.depth))
		if len(sub.found) == 0 && !sub.isMail() {
			sub.unescape(raw[1:len(raw)-1], at.start+1)
			c.plain = &plainText{place: at, text: string(text[:min(len(text), maxQuoted)]), fault: &sub.faults[len(sub.faults)-1]}
			return nil
		}
	}
	sub.unescape(raw[1:len(raw)-1], at.start+1)
	c.found = append(c.found, sub.found...)
	c.faults = append(c.faults, sub.faults...)
	c.envs = append(c.envs, sub.envs...)
	c.evidence.add(sub.evidence)
	if sub.plain != nil {
		c.plain = sub.plain
	}
	return nil
}

// document scans one value and nothing after it.
func (c *scanner) document(env *envelope) error {
	if err := c.value(env); err != nil {
		return err
	}
	if _, err := c.ReadToken(); !errors.Is(err, io.EOF) {
		return errMore
	}
	return nil
}

var errMore = errors.New("unexpected data after the JSON value")

// unescape maps places in decoded text to the string literal, whose inside raw
// begins at offset base.
func (c *scanner) unescape(raw []byte, base int) {
	c.mapPlaces(func(offsets []int, _ bool) {
		source.Escaped(raw, offsets)
		for i := range offsets {
			offsets[i] += base
		}
	})
}

// mapPlaces maps the starts of all places, and then their ends, by a function
// that changes offsets, which ascend.
func (c *scanner) mapPlaces(change func(offsets []int, ends bool)) {
	var starts, ends []*int
	c.eachPlace(func(p *place) { starts, ends = append(starts, &p.start), append(ends, &p.end) })
	for i, list := range [][]*int{starts, ends} {
		slices.SortFunc(list, func(a, b *int) int { return *a - *b })
		offsets := make([]int, len(list))
		for i, at := range list {
			offsets[i] = *at
		}
		change(offsets, i == 1)
		for i, at := range list {
			*at = offsets[i]
		}
	}
}

func firstByte(text []byte) byte {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return 0
	}
	return text[0]
}

// diagnose returns the fault of a text, in some JSON strings, that could be scanned up to an
// offset. For what may be a draft, the fault does not show a credential.
func diagnose(text []byte, err error, at int, depth uint8) fault {
	f := fault{place: place{at, at, depth}, err: err, sensitive: input.NamesCredential(text)}
	if e := jsontree.CheckSyntax(text); e != nil && !errors.Is(err, errNesting) {
		if f.sensitive {
			e = e.Discreet()
		}
		f.place, f.err, f.hint = place{e.Span.Start, e.Span.End, depth}, e, e.Hint
	}
	return f
}
