package export

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner"
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
	start int  // where the decoder begins in the text
	nest  int  // how many wrappers are open
	list  bool // the next value is an element of a list
	findings

	scalars []source.Fault // elements of the list of messages that are none, until its end
	plain   *plainText
}

// findings are what was found in a text.
type findings struct {
	evidence evidence
	found    []*found
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
	isExport                        // a list of messages of some project, thread or agent
	likely                          // what other programs write too: enough if the user names the file
	ours                            // a member thread_id or body_md, even outside a message
	messages                        // a list of messages
	chat                            // a member of the messages of a chat
	refused                         // an answer of JSON-RPC that is an error
	toolFailed                      // the result of a tool says so
	ofMail                          // the error says what only Agent Mail has
)

func (e evidence) has(any evidence) bool { return e&any != 0 }

// isMail reports whether the text is an export of mail, as far as can be determined without
// the user saying so.
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

// maxNesting is the maximum nesting of wrappers.
const maxNesting = 16

// found is a message that was found: an object at a span of a text, which is the file or in a
// string of it.
type found struct {
	text      *source.Text
	span      source.Span
	entry     *entry
	subject   string
	env       *envelope // what is around it
	hasThread bool      // it has a thread_id of its own, which may be null
	hasKind   bool      // it has the kind of an inbox
	listed    bool      // it is an element of a list
}

// envelope is what an object says about the messages in it. It is complete only when the
// object has ended.
type envelope struct {
	outer    *envelope
	has      mail.Members
	project  string // the slug
	thread   string
	threadAt source.Place      // of the value
	messages bool              // its member messages is being scanned
	projects map[string]string // slugs by project number: a unified inbox
}

// threadText returns the text of a thread id: a string or a number.
func threadText(at source.Place) *source.Text {
	if at.Text.Data[at.Span.Start] == '"' {
		return at.Text.JSONString(at.Span)
	}
	return at.Text.Sub(at.Span)
}

// outerThread returns the place of the thread id that the message has without one of its own;
// the zero Place if there is none.
func (f *found) outerThread() source.Place {
	if f.hasThread {
		return source.Place{}
	}
	for e := f.env.outer; e != nil; e = e.outer {
		if e.thread != "" {
			return e.threadAt
		}
	}
	return source.Place{}
}

// inListing reports whether a message is of an inbox, an outbox or a mailbox.
func (f *found) inListing() bool {
	for e := f.env.outer; e != nil; e = e.outer {
		if e.has.Has(mail.MemberAgent) || e.projects != nil {
			return true
		}
	}
	return false
}

// resolve completes the entry of a message by what its envelopes say about it.
func (f *found) resolve() *entry {
	e := f.entry
	for o := f.env; o != nil; o = o.outer {
		if e.project == "" {
			e.project = o.project
		}
		if o == f.env {
			continue
		}
		if e.project == "" {
			e.project = o.projects[e.row]
		}
		if e.thread == "" {
			e.thread = o.thread
		}
	}
	if e.project != "" {
		e.row = ""
	}
	return e
}

// newScanner returns a scanner of a text from an offset.
func newScanner(t *source.Text, start int) *scanner {
	return &scanner{Decoder: newDecoder(t.Data[start:]), text: t, start: start}
}

// offset returns the end of what was read last.
func (c *scanner) offset() int { return c.start + int(c.InputOffset()) }

// last returns the place of the value of n bytes that was read last.
func (c *scanner) last(n int) source.Place {
	return c.text.Place(source.Span{Start: c.offset() - n, End: c.offset()})
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
		c.scalars = append(c.scalars, malformed(c.last(len(raw)), errors.New("expected a message, which is an object"), ""))
	}
	return err
}

// nested scans JSON in a string, or directly in place. Other strings are ignored.
func (c *scanner) nested(env *envelope) error {
	if c.PeekKind() != '"' {
		return c.value(env)
	}
	rest := c.text.Data[c.offset():]
	raw, err := c.ReadValue()
	if err != nil { // it is cut off
		if bytes.Contains(rest, []byte(`\"thread_id\"`)) || bytes.Contains(rest, []byte(`\"body_md\"`)) {
			c.evidence |= ours
		}
		return err
	}
	at := c.last(len(raw))
	t := c.text.JSONString(at.Span)
	plain := &plainText{at: at, text: string(t.Data[:min(len(t.Data), maxQuoted)])}
	if k := firstByte(t.Data); k != '{' && k != '[' || c.nest >= maxNesting {
		c.plain = plain
		return nil
	}
	sub := newScanner(t, 0)
	sub.nest = c.nest + 1
	if err := sub.document(env); err != nil {
		f := diagnose(t, t.WholePos().Span, err, sub.offset())
		if len(sub.found) == 0 && !sub.evidence.isMail() {
			plain.fault = &f
			c.plain = plain
			return nil
		}
		sub.faults = append(sub.faults, f)
	}
	c.add(&sub.findings)
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

// diagnose returns the fault of a part of a text that could be scanned up to an offset. For
// what may be a draft, the fault does not show a credential.
func diagnose(t *source.Text, part source.Span, err error, at int) source.Fault {
	data := t.Bytes(part)
	f := malformed(t.Place(source.Span{Start: at, End: at}), err, "")
	f.Sensitive = input.NamesCredential(data)
	if e := jsontree.CheckSyntax(data); e != nil && !errors.Is(err, errNesting) {
		if f.Sensitive {
			e = e.Discreet()
		}
		f.At, f.Err, f.Hint = t.Place(e.Span.Shift(part.Start)), e, e.Hint
	}
	return f
}

// object is the scan of one object.
type object struct {
	*scanner
	env *envelope
	msg *found

	content              [2]int // the range of scanner.found that is in content
	structured, resource bool   // it has messages in structuredContent, the uri of a resource
	failed               bool   // isError: true
	noList               *source.Fault
	failure              *source.Fault // the error of JSON-RPC
}

// object scans an object. It may be a message, a wrapper, or (the result of a
// reply) both.
func (c *scanner) object(outer *envelope) error {
	if _, err := c.ReadToken(); err != nil {
		return err
	}
	env := &envelope{outer: outer}
	o := object{scanner: c, env: env, content: [2]int{-1, -1}}
	o.msg = &found{text: c.text, span: c.last(1).Span, env: env, listed: c.list, entry: &entry{body: mail.BodyAbsent}}
	c.list = false
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
	o.finish()
	return nil
}

// member scans the value of a member.
func (o *object) member(m mail.Member) (err error) {
	e := o.msg.entry
	o.env.has.Add(m)
	kind, n := o.PeekKind(), len(o.found)
	switch m {
	case mail.MemberRole:
		o.evidence |= chat
	case mail.MemberBodyMD, mail.MemberThreadID:
		o.evidence |= ours
	}
	switch m {
	case mail.MemberID:
		e.id, _, err = o.scalar()
	case mail.MemberSubject:
		o.msg.subject, _, err = o.scalar()
	case mail.MemberBodyMD, mail.MemberBody:
		e.body = bodyState(kind)
		err = o.SkipValue()
	case mail.MemberCreatedTS, mail.MemberCreated:
		var s string
		s, _, err = o.scalar()
		if ts, ok := brenner.ParseTime(s); ok && kind == '"' { // a number is not a time
			e.time, e.hasTime = ts.Time, true
		}
	case mail.MemberThreadID:
		o.msg.hasThread = true
		e.thread, o.env.threadAt, err = o.scalar()
		o.env.thread = e.thread
	case mail.MemberProjectSlug:
		e.project, _, err = o.scalar()
	case mail.MemberProject:
		o.env.project, _, err = o.scalar()
		o.env.project = slug(o.env.project) // a human key or a slug
	case mail.MemberProjectID:
		e.row, _, err = o.scalar()

	// What may hold messages.
	case mail.MemberMessages:
		o.noteExport() // now, for an object with a fault has no end
		if kind == '[' {
			o.evidence |= messages
		}
		o.env.messages = true
		err = o.value(o.env)
		o.env.messages = false
		if len(o.found) > n { // a list without any is not one of mail
			o.faults = append(o.faults, o.scalars...)
		}
		o.scalars, o.noList = nil, nil
		if err == nil && kind != '[' && len(o.found) == n {
			o.noteNoList(kind)
		}
	case mail.MemberResult:
		err = o.nested(o.env)
		if o.plain != nil && o.plain.at.Text == o.text && o.plain.at.Span.End == o.offset() {
			o.plain = nil // a plain answer
		}
	case mail.MemberDeliveries, mail.MemberPayload, mail.MemberContents:
		if m == mail.MemberDeliveries {
			o.evidence |= likely
		}
		err = o.value(o.env)
	case mail.MemberContent:
		err = o.value(o.env)
		o.content = [2]int{n, len(o.found)}
	case mail.MemberStructuredContent:
		err = o.value(o.env)
		o.structured = o.structured || len(o.found) > n
	case mail.MemberText:
		err = o.nested(o.env)
	case mail.MemberProjects:
		err = o.projectList()
	case mail.MemberError:
		err = o.rpcError()
	case mail.MemberIsError:
		o.failed = o.failed || kind == 't'
		err = o.SkipValue()
	case mail.MemberURI:
		rest := o.text.Data[o.offset():]
		var uri string
		if uri, _, err = o.scalar(); err != nil { // it is cut off
			uri = strings.TrimLeft(string(rest[:min(len(rest), maxQuoted)]), ": \"")
		}
		if strings.HasPrefix(uri, "resource://") {
			o.resource = true
			o.noteAnswer(uri)
		}
	default:
		err = o.SkipValue()
	}
	return err
}

// isMessage reports whether the members are those of a message: a subject or a body, and
// something else that only mail has. Messages of other programs (a chat has role and
// content) do not count, nor does the excerpt of a share's viewer.
func (o *object) isMessage() bool {
	has := o.env.has
	subject, body := has.Has(mail.MemberSubject), has.Has(mail.MemberBodyMD, mail.MemberBody)
	from := has.Has(mail.MemberFrom, mail.MemberSender)
	if has.Has(mail.MemberSnippet) && !body && !from {
		return false
	}
	other := from || has.Has(mail.MemberCreatedTS, mail.MemberCreated, mail.MemberImportance)
	return subject && (other || body || o.msg.entry.id != "") || body && other
}

// finish decides what the object was.
func (o *object) finish() {
	if o.structured && o.content[0] >= 0 { // decisions.md 17
		o.found = append(o.found[:o.content[0]], o.found[o.content[1]:]...)
	}
	if p := o.plain; p != nil && (o.failed || o.resource) {
		f := malformed(p.at, fmt.Errorf("the text of the resource is not JSON: %s", text.Quote(p.text)), "export it as JSON")
		if p.fault != nil {
			f = *p.fault
		}
		if o.failed {
			o.evidence |= toolFailed
			f = malformed(p.at, fmt.Errorf("the tool failed, so the export has no mail: %s", text.Quote(p.text)), failureHint)
		}
		o.faults = append(o.faults, f)
		o.noteFailure(p.text)
		o.plain = nil
	}
	o.noteExport()
	if o.noList != nil {
		o.faults = append(o.faults, *o.noList)
		if o.env.project != "" || o.env.has.Has(mail.MemberAgent) {
			o.evidence |= isExport
		}
	}
	if o.env.has.Has(mail.MemberJSONRPC) {
		if o.failure != nil {
			o.faults = append(o.faults, *o.failure)
		}
		if o.env.outer == nil && (o.failure != nil || o.evidence.has(toolFailed)) && o.evidence.has(ofMail) {
			o.evidence |= refused
		}
	}
	isMessage := o.isMessage()
	if isMessage {
		o.evidence |= likely
		if o.env.has.HasRole(mail.OfMail) {
			o.evidence |= mailish
		}
	}
	if isMessage || o.msg.listed && o.env.outer != nil && o.env.outer.messages {
		o.msg.span.End = o.offset()
		o.msg.entry.size = int64(o.msg.span.Len())
		o.msg.hasKind = o.env.has.Has(mail.MemberKind)
		o.found = append(o.found, o.msg)
	}
}

// noteExport records an object that says which project, thread or agent its messages belong
// to. Logs of other programs say one of these, too.
func (o *object) noteExport() {
	e := o.env
	if !e.has.Has(mail.MemberMessages) {
		return
	}
	agent := e.has.Has(mail.MemberAgent)
	if e.thread != "" || e.project != "" || agent {
		o.evidence |= likely
	}
	kind, _ := brenner.ClassifyThreadID(e.thread)
	if e.project != "" && (agent || e.thread != "") || kind != brenner.EngineeringThread {
		o.evidence |= isExport
	}
}

// noteFailure records the response of a server that failed. Only one that mentions mail is
// certainly from Agent Mail.
func (o *object) noteFailure(text string) {
	o.noteAnswer(text)
	for _, name := range mailNames {
		if strings.Contains(text, name) {
			o.evidence |= ofMail
		}
	}
}

// mailNames are what the errors of Agent Mail name: members, tools and resources. Other programs,
// too, answer by JSON-RPC.
var mailNames = []string{
	"thread_id", "body_md", "project_key", "project_slug", "sender_name", "agent_name", "ack_required", "thread resource",
	"send_message", "reply_message", "fetch_inbox", "inbox", "outbox", "mailbox",
}

// noteAnswer records a text of a server, which may name a resource that Agent Mail offers
// (mail_formats.md section 4).
func (o *object) noteAnswer(text string) {
	o.evidence |= likely
	for _, name := range []string{"thread", "inbox", "outbox", "mailbox", "message"} {
		if strings.Contains(text, "resource://"+name+"/") {
			o.evidence |= mailish
		}
	}
}

const failureHint = "correct the request, and export the mail again"

// noteNoList records that the messages which were read last are no list.
func (o *object) noteNoList(kind jsontext.Kind) {
	found := map[jsontext.Kind]string{'n': "null", '"': "a string", '0': "a number", 't': "true", 'f': "false", '{': "an object"}[kind]
	at := o.last(1)
	if kind == 'n' {
		at = o.last(len("null"))
	}
	f := malformed(at, fmt.Errorf("messages is %s; expected a list of messages", found), failureHint)
	o.noList = &f
}

// rpcError scans the error of JSON-RPC. Its objects have a code and a message; some servers
// write a text.
func (o *object) rpcError() error {
	kind := o.PeekKind()
	raw, err := o.ReadValue()
	if err != nil || kind != '{' && kind != '"' {
		return err
	}
	at := o.last(len(raw))
	value, _ := jsontree.Parse(raw, jsontree.Options{})
	if value.Is(jsontree.Object) {
		value = value.Get("message")
	}
	if o.failure = nil; value.StringOr("") != "" {
		at.Span = value.Span().Shift(at.Span.Start)
		o.noteFailure(string(raw))
		f := malformed(at, fmt.Errorf("the server answered with an error, so the export has no mail: %s", text.Quote(value.Text)), failureHint)
		o.failure = &f
	}
	return nil
}

// projectList scans the projects of a unified inbox: their slugs by number.
func (o *object) projectList() error {
	raw, err := o.ReadValue()
	if err != nil {
		return err
	}
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
			if o.env.projects == nil {
				o.env.projects = map[string]string{}
			}
			o.env.projects[id] = name
		}
	}
	return nil
}

// scalar reads a string or a number as text; other values are "".
func (c *scanner) scalar() (string, source.Place, error) {
	switch c.PeekKind() {
	case '"', '0':
		raw, err := c.ReadValue()
		if err != nil {
			return "", source.Place{}, err
		}
		return scalarText(raw), c.last(len(raw)), nil
	}
	return "", source.Place{}, c.SkipValue()
}

func scalarText(raw jsontext.Value) string {
	switch raw.Kind() {
	case '"':
		return strings.TrimSpace(unquoted(raw))
	case '0':
		return string(raw)
	}
	return ""
}

// unquoted decodes a string literal; of another value it is "".
func unquoted(raw jsontext.Value) string {
	if raw.Kind() != '"' {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	return string(source.AppendUnescaped(nil, raw[1:len(raw)-1]))
}

func bodyState(k jsontext.Kind) mail.BodyState {
	if k == '"' {
		return mail.BodyPresent
	}
	return mail.BodyNull
}

// slug returns the name that Agent Mail gives a project's folder: the project's path
// in lower case, with hyphens for what is neither letter nor digit
// (mail_formats.md section 1).
func slug(humanKey string) string {
	var b strings.Builder
	b.Grow(len(humanKey))
	for i := range len(humanKey) {
		c := humanKey[i]
		switch {
		case 'A' <= c && c <= 'Z':
			b.WriteByte(c + 'a' - 'A')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b.WriteByte(c)
		case b.Len() > 0 && b.String()[b.Len()-1] != '-':
			b.WriteByte('-')
		}
	}
	return strings.TrimRight(b.String(), "-")
}
