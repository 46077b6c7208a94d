package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// scanner reads one text of JSON once, from start to end, and records where its messages
// are. It descends only where mail can be (mail_formats.md section 4): lists of messages,
// results of tools and resources, JSON-RPC, and JSON in the strings of these. All else is
// skipped.
type scanner struct {
	*jsontext.Decoder
	text  *source.Text
	start int   // where the decoder begins in the text
	depth int   // how many wrappers are around the text
	err   error // why it could not go on; then nothing more is read
	findings
	plain   *plainText
	scalars []source.Fault // elements of the list of messages that is scanned, which are no messages
}

// findings are what was found in a text.
type findings struct {
	evidence evidence
	found    []*object
	faults   []source.Fault
}

func (f *findings) add(more *findings) {
	f.evidence |= more.evidence
	f.found, f.faults = append(f.found, more.found...), append(f.faults, more.faults...)
}

// evidence is what shows that a text is an export of mail, even if it holds no
// message.
type evidence uint16

const (
	mailish    evidence = 1 << iota // something that only Agent Mail writes
	isExport                        // a list of messages of a project, thread or agent
	likely                          // what other programs write too: enough if the user names the file
	ours                            // a member thread_id or body_md, even outside a message
	messages                        // a list of messages
	chat                            // a member of the messages of a chat
	refused                         // an answer of JSON-RPC that is an error
	toolFailed                      // the result of a tool says so
	ofMail                          // the error says what only Agent Mail has
)

func (e evidence) has(any evidence) bool { return e&any != 0 }

// isMail reports whether the text is certainly an export of mail, also if the user does not say
// so.
func (e evidence) isMail() bool { return e.has(mailish) || e.has(isExport) && !e.has(chat) }

// isBrokenMail reports whether a text that does not parse was meant to be an export
// (decisions.md 52).
func (e evidence) isBrokenMail() bool { return e.has(ours) || e.has(messages) && !e.has(chat) }

// plainText is the last text of a tool or resource that is not JSON: it may say why the
// tool failed.
type plainText struct {
	at    source.Place
	text  string        // its beginning
	fault *source.Fault // where it stops to be JSON; nil where it does not even begin so
}

// maxQuoted is how much is kept of such a text, in bytes.
const maxQuoted = 300

// maxCut is how much of a string that is cut off is searched for members of mail, in bytes.
const maxCut = 1 << 20

// maxNesting is the maximum nesting of wrappers.
const maxNesting = 16

// object is an object where mail may be: a message, a wrapper, or (the result of a reply) both.
type object struct {
	text    *source.Text
	span    source.Span
	outer   *object      // whose value it is in
	listed  bool         // it is an element of a list
	values  []value      // of its members that mail has, the last of each name, until it is read
	message mail.Message // without its body
	body    source.Span  // of its value
	// bodyText is the body of a message of the archive, which is below the object.
	bodyText *source.Text

	// What it says about the messages in it, and about itself if it is one.
	slug, projectID string // of its project
	project         string // the slug, too
	thread          string
	threadText      *source.Text
	projects        map[string]string // slugs by project number: a unified inbox

	hasAgent, hasThread bool // it has such a member
	inListing           bool // a message of an inbox, an outbox or a mailbox
	inUnified           bool // of the unified inbox, which has no ack_required

	// To decide at its end what it was.
	faults               int           // that were noted before it
	structured, resource bool          // it has messages in structuredContent, the uri of a resource
	failed               bool          // isError: true
	failure              *source.Fault // the error of JSON-RPC
}

// value is the value of a member.
type value struct {
	member string
	kind   jsontext.Kind
	at     source.Span // its beginning is known only of messages and of values without them
	found  [2]int32    // the range of scanner.found that is in it
}

// last returns the last value that any of some members has; nil without one.
func (o *object) last(any ...string) *value {
	for i := len(o.values) - 1; i >= 0; i-- {
		if v := &o.values[i]; slices.Contains(any, v.member) {
			return v
		}
	}
	return nil
}

func (o *object) has(any ...string) bool { return o.last(any...) != nil }

// inherit completes what a message says by what the objects around it say, before or after it. Messages
// inside of it must have inherited already.
func (o *object) inherit() {
	o.project = cmp.Or(o.slug, o.project)
	for up := o.outer; up != nil; up = up.outer {
		o.project, o.thread = cmp.Or(o.project, up.project, up.projects[o.projectID]), cmp.Or(o.thread, up.thread)
		if o.message.Thread == nil && !o.hasThread {
			o.message.Thread = up.threadText
		}
		o.inUnified = o.inUnified || up.projects != nil
		o.inListing = o.inListing || up.hasAgent || o.inUnified
	}
}

// newScanner returns a scanner of a part of a text.
func newScanner(t *source.Text, part source.Span) *scanner {
	return &scanner{Decoder: jsontree.NewDecoder(t.Data[part.Start:part.End:part.End]), text: t, start: part.Start}
}

// offset returns the end of what was read last.
func (c *scanner) offset() int { return c.start + int(c.InputOffset()) }

// last returns the place of the value of n bytes that was read last.
func (c *scanner) last(n int) source.Place {
	return c.text.Place(source.Span{Start: c.offset() - n, End: c.offset()})
}

var errNesting = errors.New("wrappers nest too deeply")

// read reads the next value.
func (c *scanner) read() (raw jsontext.Value) {
	if c.err == nil {
		raw, c.err = c.ReadValue()
	}
	return raw
}

// token reads a bracket, and reports whether it could.
func (c *scanner) token() bool {
	if c.err == nil {
		_, c.err = c.ReadToken()
	}
	return c.err == nil
}

// more reports whether an object or array goes on before its end.
func (c *scanner) more(end jsontext.Kind) bool { return c.err == nil && c.PeekKind() != end }

var errNoMessage = errors.New("expected a message, which is an object")

// maxScalars bounds the faults for elements of one list that are not messages.
const maxScalars = 100

// value scans a value that may be a message, a list, or a wrapper of either. Listed values are
// the elements of a list; if it is one of messages, all its objects are messages, and elements that are
// none are faults.
func (c *scanner) value(in *object, listed, ofMessages bool) {
	kind := c.PeekKind()
	switch {
	case kind != '{' && kind != '[':
		if raw := c.read(); ofMessages || listed && in == nil {
			c.noMessage(c.last(len(raw)))
		}
	case c.nesting() >= maxNesting:
		c.err = errNesting
	case kind == '[':
		c.token()
		start, before := c.last(1).Span, len(c.found)+len(c.scalars)
		for c.more(']') {
			c.value(in, true, ofMessages)
		}
		if c.token(); listed && ofMessages && len(c.found)+len(c.scalars) == before {
			c.noMessage(c.text.Place(source.Span{Start: start.Start, End: c.offset()}))
		}
	default:
		c.object(&object{text: c.text, outer: in, listed: listed}, listed && ofMessages)
	}
}

// noMessage notes an element of a list of messages that is none.
func (c *scanner) noMessage(at source.Place) {
	if c.err == nil && len(c.scalars) < maxScalars {
		c.scalars = append(c.scalars, malformed(at, errNoMessage, ""))
	}
}

// nesting returns how many wrappers are open.
func (c *scanner) nesting() int { return c.depth + c.StackDepth() }

// nested scans JSON in a string, or directly in place. Other strings are ignored.
func (c *scanner) nested(in *object) {
	if c.PeekKind() != '"' {
		c.value(in, false, false)
		return
	}
	rest := c.text.Data[c.offset():]
	raw := c.read()
	if c.err != nil { // it is cut off
		rest = rest[:min(len(rest), maxCut)]
		if bytes.Contains(rest, []byte(`\"thread_id\"`)) || bytes.Contains(rest, []byte(`\"body_md\"`)) {
			c.evidence |= ours
		}
		return
	}
	at := c.last(len(raw))
	t := c.text.JSONString(at.Span)
	plain := &plainText{at: at, text: string(t.Data[:min(len(t.Data), maxQuoted)])}
	if k := firstByte(t.Data); k != '{' && k != '[' || c.nesting() >= maxNesting {
		c.plain = plain
		return
	}
	sub := newScanner(t, t.WholePlace().Span)
	sub.depth = c.nesting() + 1
	if sub.document(in); sub.err != nil {
		f := sub.diagnose(t.WholePlace().Span)
		if len(sub.found) == 0 && !sub.evidence.isMail() {
			plain.fault = &f
			c.plain = plain
			return
		}
		sub.faults = append(sub.faults, f)
	}
	c.add(&sub.findings)
	if sub.plain != nil {
		c.plain = sub.plain
	}
}

// document scans one value and nothing after it.
func (c *scanner) document(in *object) {
	c.value(in, false, false)
	c.end()
}

// end checks that nothing follows the value.
func (c *scanner) end() {
	if c.err != nil {
		return
	}
	if _, err := c.ReadToken(); !errors.Is(err, io.EOF) {
		c.err = errMore
	}
}

var errMore = errors.New("unexpected data after the JSON value")

func firstByte(text []byte) byte {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return 0
	}
	return text[0]
}

// malformed returns a fault of a file; its path is set later.
func malformed(at source.Place, err error, hint string) source.Fault {
	return source.Fault{Kind: source.Malformed, At: at, Err: err, Hint: hint}
}

// diagnose returns the fault of a part of the text that could not be scanned. If the text may be
// a draft, the fault does not show a credential.
func (c *scanner) diagnose(part source.Span) source.Fault {
	data := c.text.Bytes(part)
	f := malformed(c.text.Place(source.Span{Start: c.offset(), End: c.offset()}), c.err, "")
	f.Sensitive = input.NamesCredential(data)
	if e := jsontree.CheckSyntax(data); e != nil && !errors.Is(c.err, errNesting) {
		if f.Sensitive {
			e = e.Discreet()
		}
		f.At, f.Err, f.Hint = c.text.Place(e.Span.Shift(part.Start)), e, e.Hint
	}
	return f
}

// object scans an object, which may be known to be a message.
func (c *scanner) object(o *object, isMessage bool) {
	c.token()
	o.span, o.faults = c.last(1).Span, len(c.faults)
	for c.more('}') {
		if name := c.read(); c.err == nil {
			c.member(o, memberNamed(name))
		}
	}
	if c.token() {
		o.span.End = c.offset()
		c.finish(o, isMessage)
	}
}

// member scans the value of a member: of a wrapper, which may hold messages, or of a message.
func (c *scanner) member(o *object, m string) {
	if m == "" {
		c.read()
		return
	}
	for i := range o.values {
		if o.values[i].member == m {
			o.values = slices.Delete(o.values, i, i+1)
			break
		}
	}
	o.values = append(o.values, value{member: m, kind: c.PeekKind(), found: [2]int32{int32(len(c.found))}})
	v := &o.values[len(o.values)-1]
	switch m {
	case "messages":
		c.noteExport(o) // now, for an object with a fault has no end
		v.at.Start = len(c.text.Data) - len(bytes.TrimLeft(c.text.Data[c.offset():], ": \t\r\n"))
		if v.kind == '[' {
			c.evidence |= messages
		}
		others := c.scalars
		c.scalars = nil
		if c.value(o, false, true); len(c.found) > int(v.found[0]) || v.kind == '[' && c.evidence.isMail() { // another list without any is not one of mail
			c.faults = append(c.faults, c.scalars...)
		}
		c.scalars = others
	case "result":
		c.nested(o)
		if c.plain != nil && c.plain.at.Text == c.text && c.plain.at.Span.End == c.offset() {
			c.plain = nil // a plain answer
		}
	case "text":
		c.nested(o)
	case "deliveries":
		c.evidence |= likely
		c.value(o, false, false)
	case "payload", "contents", "content":
		c.value(o, false, false)
	case "structuredContent":
		c.value(o, false, false)
		o.structured = o.structured || len(c.found) > int(v.found[0])
	default:
		rest := c.text.Data[c.offset():]
		raw := c.read()
		v.at.Start = c.offset() - len(raw)
		switch m {
		case "role":
			c.evidence |= chat
		case "isError":
			o.failed = o.failed || v.kind == 't'
		case "body_md", "thread_id":
			c.evidence |= ours
		case "uri":
			uri := scalarText(raw)
			if c.err != nil { // it is cut off
				uri = strings.TrimLeft(string(rest[:min(len(rest), maxQuoted)]), ": \"")
			}
			if strings.HasPrefix(uri, "resource://") {
				o.resource = true
				c.noteAnswer(uri)
			}
		}
		if at := c.last(len(raw)); c.err == nil && m == "error" {
			c.rpcError(o, raw, at)
		} else if c.err == nil {
			o.note(m, raw, at.Span)
		}
	}
	v.at.End, v.found[1] = c.offset(), int32(len(c.found))
}

// note notes what a member says about the messages in an object.
func (o *object) note(m string, raw jsontext.Value, at source.Span) {
	switch m {
	case "agent":
		o.hasAgent = true
	case "kind":
		o.inListing = true
	case "thread_id": // it may be null, or a number
		o.hasThread, o.thread, o.threadText = true, scalarText(raw), nil
		switch raw.Kind() {
		case '"':
			o.threadText = o.text.JSONString(at)
		case '0':
			o.threadText = o.text.Sub(at)
		}
	case "project_slug":
		o.slug = scalarText(raw)
	case "project_id":
		o.projectID = scalarText(raw)
	case "project": // a human key or a slug
		o.project = slug(scalarText(raw))
	case "projects":
		o.addProjects(raw)
	}
}

// isMessage reports whether the members are those of a message: a subject or a body, and
// something else that only mail has. Messages of other programs (a chat has role and
// content) do not count, nor does the excerpt of a share's viewer.
func (o *object) isMessage() bool {
	subject, body, from := o.has("subject"), o.has("body_md", "body"), o.has("from", "sender")
	if o.has("snippet") && !body && !from {
		return false
	}
	other := from || o.has("created_ts", "created", "importance")
	return subject && (other || body || o.scalar("id") != "") || body && other
}

// finish decides what an object was.
func (c *scanner) finish(o *object, isMessage bool) {
	if content := o.last("content"); o.structured && content != nil { // decisions.md 17
		c.found = append(c.found[:content.found[0]], c.found[content.found[1]:]...)
	}
	if p := c.plain; p != nil && (o.failed || o.resource) {
		f := malformed(p.at, fmt.Errorf("the text of the resource is not JSON: %s", text.Quote(p.text)), "export it as JSON")
		if p.fault != nil {
			f = *p.fault
		}
		if o.failed {
			c.evidence |= toolFailed
			c.faults = c.faults[:o.faults] // they follow from it
			f = malformed(p.at, fmt.Errorf("the tool failed, so the export has no mail: %s", text.Quote(p.text)), failureHint)
		}
		c.faults = append(c.faults, f)
		c.noteAnswer(p.text)
		c.plain = nil
	}
	if v := o.last("messages"); v != nil {
		c.noteExport(o)
		if v.kind != '[' && v.found[0] == v.found[1] {
			c.noteNoList(o, v)
		}
	}
	if o.has("jsonrpc") || o.failure != nil && isOfProtocol(o.thread) && !o.has("messages") && !o.isMessage() {
		if o.failure != nil {
			c.faults = append(c.faults, *o.failure)
		}
		if o.outer == nil && (o.failure != nil || c.evidence.has(toolFailed)) && c.evidence.has(ofMail) {
			c.evidence |= refused
		}
	}
	if o.isMessage() {
		isMessage = true
		c.evidence |= likely
		if slices.ContainsFunc(o.values, func(v value) bool { return mail.HasRole(v.member, mail.OfMail) }) {
			c.evidence |= mailish
		}
	}
	if isMessage {
		o.read()
		c.found = append(c.found, o)
	}
	o.values = nil
}

// noteExport records an object that says which project, thread or agent its messages belong
// to. Logs of other programs say one of these, too.
func (c *scanner) noteExport(o *object) {
	if o.thread != "" || o.project != "" || o.hasAgent {
		c.evidence |= likely
	}
	if o.project != "" && (o.hasAgent || o.thread != "") || isOfProtocol(o.thread) {
		c.evidence |= isExport
	}
}

// mailNames are what the errors of Agent Mail name: members, tools and resources. Other programs,
// too, answer by JSON-RPC.
var mailNames = []string{
	"thread_id", "body_md", "project_key", "project_slug", "sender_name", "agent_name", "ack_required", "thread resource",
	"send_message", "reply_message", "fetch_inbox", "inbox", "outbox", "mailbox",
}

// noteAnswer records a text of a server: it may name a resource that Agent Mail offers
// (mail_formats.md section 4), or, if the server failed, what only Agent Mail has.
func (c *scanner) noteAnswer(text string) {
	c.evidence |= likely
	for _, name := range []string{"thread", "inbox", "outbox", "mailbox", "message"} {
		if strings.Contains(text, "resource://"+name+"/") {
			c.evidence |= mailish
		}
	}
	if slices.ContainsFunc(mailNames, func(name string) bool { return strings.Contains(text, name) }) {
		c.evidence |= ofMail
	}
}

const failureHint = "correct the request, and export the mail again"

// noteNoList records that the messages of an object are not a list.
func (c *scanner) noteNoList(o *object, v *value) {
	found := map[jsontext.Kind]string{'n': "null", '"': "a string", '0': "a number", 't': "true", 'f': "false", '{': "an object"}[v.kind]
	at := v.at
	if v.kind == '{' {
		at.End = at.Start + 1
	}
	c.faults = append(c.faults, malformed(c.text.Place(at), fmt.Errorf("messages is %s; expected a list of messages", found), failureHint))
	if o.project != "" || o.hasAgent {
		c.evidence |= isExport
	}
}

// rpcError notes the error of JSON-RPC. Its objects have a code and a message; some servers
// write a text.
func (c *scanner) rpcError(o *object, raw jsontext.Value, at source.Place) {
	value, _ := jsontree.Parse(raw, jsontree.Options{})
	if value.Is(jsontree.Object) {
		value = value.Get("message")
	} else if !value.Is(jsontree.String) {
		return
	}
	if o.failure = nil; value.StringOr("") != "" {
		at.Span = value.Span().Shift(at.Span.Start)
		c.noteAnswer(string(raw))
		f := malformed(at, fmt.Errorf("the server answered with an error, so the export has no mail: %s", text.Quote(value.Text)), failureHint)
		o.failure = &f
	}
}

// addProjects notes the projects of a unified inbox: their slugs by number.
func (o *object) addProjects(raw jsontext.Value) {
	list, _ := jsontree.Parse(raw, jsontree.Options{})
	for _, p := range list.Items() {
		member := func(name string) string {
			value := p.Get(name)
			if value.Is(jsontree.Number) {
				return value.Text
			}
			return strings.TrimSpace(value.StringOr(""))
		}
		id, name := member("id"), member("slug")
		if name == "" {
			name = slug(member("human_key"))
		}
		if id != "" && name != "" {
			if o.projects == nil {
				o.projects = map[string]string{}
			}
			o.projects[id] = name
		}
	}
}

// scalarText returns a string or a number as text, without white space around it; "" for another
// value.
func scalarText(raw jsontext.Value) string {
	switch raw.Kind() {
	case '"':
		return strings.TrimSpace(unquoted(raw))
	case '0':
		return string(raw)
	}
	return ""
}

// unquoted decodes a string literal; "" for another value.
func unquoted(raw jsontext.Value) string {
	if raw.Kind() != '"' {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	return string(source.AppendUnescaped(nil, raw[1:len(raw)-1]))
}

// slug returns the name that Agent Mail gives a project's folder: the project's path
// in lower case, with hyphens for what is neither letter nor digit
// (mail_formats.md section 1).
func slug(humanKey string) string {
	words := strings.FieldsFunc(humanKey, func(r rune) bool {
		return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.ToLower(strings.Join(words, "-"))
}
