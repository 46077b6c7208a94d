package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// scanner finds the messages in a text of JSON. It looks only where mail can be (mail_formats.md section
// 4): in lists of messages, results of tools and resources, JSON-RPC, and JSON in the strings of
// these.
type scanner struct {
	text  *source.Text
	depth int   // how many wrappers are around the value
	err   error // why it could not go on; then nothing more is read
	at    int   // where that was
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
	*jsontree.Node // with the members that mail has, until it is read
	text           *source.Text
	span           source.Span
	outer          *object      // whose value it is in
	listed         bool         // it is an element of a list
	message        mail.Message // without its body
	body           source.Span  // of its value
	// bodyText is the body of a message of the archive, which is below the object.
	bodyText *source.Text

	// What it says about the messages in it, and about itself if it is one.
	project, projectID string // its slug, and its number
	thread             string
	projects           map[string]string // slugs by project number: a unified inbox

	hasAgent  bool // it has such a member
	inListing bool // a message of an inbox, an outbox or a mailbox
	inUnified bool // of the unified inbox, which has no ack_required

	// To decide what it was.
	content    [2]int        // the range of scanner.found that is in it
	structured bool          // there are messages in structuredContent
	noMail     bool          // there are none in messages
	failure    *source.Fault // the error of JSON-RPC
}

// last returns the last value that any of some members has; nil without one.
func (o *object) last(any ...string) *jsontree.Node {
	members := o.Members()
	for i := len(members) - 1; i >= 0; i-- {
		if slices.Contains(any, members[i].Name) {
			return members[i].Value
		}
	}
	return nil
}

// has reports whether it has any of some members, if only the name of one.
func (o *object) has(any ...string) bool {
	return slices.ContainsFunc(o.Members(), func(m jsontree.Member) bool { return slices.Contains(any, m.Name) })
}

// inherit completes what a message says by what the objects around it say, before or after it. Messages
// inside of it must have inherited already.
func (o *object) inherit() {
	for up := o.outer; up != nil; up = up.outer {
		o.project, o.thread = cmp.Or(o.project, up.project, up.projects[o.projectID]), cmp.Or(o.thread, up.thread)
		if o.message.Thread == nil && !o.has("thread_id") {
			o.message.Thread = up.message.Thread
		}
		o.inUnified = o.inUnified || up.projects != nil
		o.inListing = o.inListing || up.hasAgent || o.inUnified
	}
}

var errNesting = errors.New("wrappers nest too deeply")

var errNoMessage = errors.New("expected a message, which is an object")

// maxScalars bounds the faults for elements of one list that are not messages.
const maxScalars = 100

// value scans a value that may be a message, a list, or a wrapper of either. Listed values are
// the elements of a list; if it is one of messages, all its objects are messages, and elements that are
// none are faults.
func (c *scanner) value(n *jsontree.Node, in *object, listed, ofMessages bool) {
	isList, isObject := n.Is(jsontree.Array), n.Is(jsontree.Object)
	switch {
	case c.err != nil || n == nil:
	case !isList && !isObject:
		if ofMessages || listed && in == nil {
			c.noMessage(n)
		}
	case c.depth >= maxNesting:
		c.err, c.at = errNesting, n.Span().Start
	case isList:
		c.depth++
		before := len(c.found) + len(c.scalars)
		for _, item := range n.Items() {
			c.value(item, in, true, ofMessages)
		}
		if c.depth--; listed && ofMessages && len(c.found)+len(c.scalars) == before {
			c.noMessage(n)
		}
	default:
		c.depth++
		c.object(newObject(c.text, n, in, listed), listed && ofMessages)
		c.depth--
	}
}

// noMessage notes an element of a list of messages that is none.
func (c *scanner) noMessage(n *jsontree.Node) {
	if c.err == nil && len(c.scalars) < maxScalars && !n.Span().Empty() {
		c.scalars = append(c.scalars, malformed(c.text.Place(n.Span()), errNoMessage, ""))
	}
}

// nested scans JSON in a string, or directly in place. Other strings are ignored.
func (c *scanner) nested(m *jsontree.Member, in *object) {
	if m.Value == nil { // it is cut off
		rest := bytes.TrimLeft(c.text.Data[m.NameSpan().End:], ": \t\r\n")
		rest = rest[:min(len(rest), maxCut)]
		if len(rest) > 0 && rest[0] == '"' && (bytes.Contains(rest, []byte(`\"thread_id\"`)) || bytes.Contains(rest, []byte(`\"body_md\"`))) {
			c.evidence |= ours
		}
		return
	}
	if !m.Value.Is(jsontree.String) {
		c.value(m.Value, in, false, false)
		return
	}
	at := c.text.Place(m.Value.Span())
	t := c.text.JSONString(at.Span)
	plain := &plainText{at: at, text: string(t.Data[:min(len(t.Data), maxQuoted)])}
	if k := firstByte(t.Data); k != '{' && k != '[' || c.depth >= maxNesting {
		c.plain = plain
		return
	}
	sub := &scanner{text: t, depth: c.depth + 1}
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
	values, err := jsontree.Values(c.text.Data, 0, memberNamed)
	if len(values) > 0 {
		c.value(values[0], in, false, false)
	}
	if c.err = cmp.Or(c.err, err); c.err == nil && len(values) != 1 {
		c.err = errNotOne
	}
}

var errNotOne = errors.New("expected one JSON value")

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
	at := max(c.at, part.Start)
	f := malformed(c.text.Place(source.Span{Start: at, End: at}), c.err, "")
	if e, ok := errors.AsType[*jsontree.SyntaxError](c.err); ok { // too many values
		f.At, f.Hint = c.text.Place(e.Span), e.Hint
	}
	f.Sensitive = input.NamesCredential(data)
	if e := jsontree.CheckSyntax(data); e != nil && !errors.Is(c.err, errNesting) {
		if f.Sensitive {
			e = e.Discreet()
		}
		f.At, f.Err, f.Hint = c.text.Place(e.Span.Shift(part.Start)), e, e.Hint
	}
	return f
}

// newObject returns an object of a text, with what it says about the messages in it.
func newObject(t *source.Text, n *jsontree.Node, outer *object, listed bool) *object {
	o := &object{Node: n, text: t, span: n.Span(), outer: outer, listed: listed}
	o.project = cmp.Or(o.scalar("project_slug"), slug(o.scalar("project"))) // that is a human key or a slug
	o.projectID, o.thread, o.hasAgent, o.inListing = o.scalar("project_id"), o.scalar("thread_id"), o.has("agent"), o.has("kind")
	switch id := o.last("thread_id"); { // it may be null, or a number
	case id.Is(jsontree.String):
		o.message.Thread = t.JSONString(id.Span())
	case id.Is(jsontree.Number):
		o.message.Thread = t.Sub(id.Span())
	}
	for _, n := range o.last("projects").Items() {
		p := object{Node: n, text: t}
		if id, name := p.scalar("id"), cmp.Or(p.scalar("slug"), slug(p.scalar("human_key"))); id != "" && name != "" {
			if o.projects == nil {
				o.projects = map[string]string{}
			}
			o.projects[id] = name
		}
	}
	return o
}

// object scans an object, which may be known to be a message.
func (c *scanner) object(o *object, isMessage bool) {
	faults := len(c.faults)
	if o.has("messages") {
		c.noteExport(o)
	}
	for i := range o.Members() {
		if c.member(o, &o.Members()[i]); c.err != nil {
			return
		}
	}
	if !o.span.Empty() { // else it has no end
		c.finish(o, isMessage, faults)
	}
}

// member scans the value of a member: of a wrapper, which may hold messages, or of a message.
func (c *scanner) member(o *object, m *jsontree.Member) {
	before := len(c.found)
	switch m.Name {
	case "messages":
		isList := m.Value.Is(jsontree.Array)
		if isList {
			c.evidence |= messages
		}
		others := c.scalars
		c.scalars = nil
		if c.value(m.Value, o, false, true); len(c.found) > before || isList && c.evidence.isMail() { // another list without any is not one of mail
			c.faults = append(c.faults, c.scalars...)
		}
		c.scalars, o.noMail = others, !isList && len(c.found) == before
	case "result":
		if c.nested(m, o); c.plain != nil && c.plain.at == c.text.Place(m.Value.Span()) {
			c.plain = nil // a plain answer
		}
	case "text":
		c.nested(m, o)
	case "deliveries":
		c.evidence |= likely
		c.value(m.Value, o, false, false)
	case "payload", "contents":
		c.value(m.Value, o, false, false)
	case "content":
		c.value(m.Value, o, false, false)
		o.content = [2]int{before, len(c.found)}
	case "structuredContent":
		c.value(m.Value, o, false, false)
		o.structured = len(c.found) > before
	case "role":
		c.evidence |= chat
	case "body_md", "thread_id":
		c.evidence |= ours
	case "uri":
		uri := scalar(c.text, m.Value)
		if m.Value == nil { // it is cut off
			rest := c.text.Data[m.NameSpan().End:]
			uri = strings.TrimLeft(string(rest[:min(len(rest), maxQuoted)]), ": \"")
		}
		if strings.HasPrefix(uri, "resource://") {
			c.noteAnswer(uri)
		}
	case "error":
		c.rpcError(o, m.Value)
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
func (c *scanner) finish(o *object, isMessage bool, faults int) {
	if o.structured { // decisions.md 17
		c.found = append(c.found[:o.content[0]], c.found[o.content[1]:]...)
	}
	isError, _ := o.value("isError")
	failed := string(isError) == "true"
	isResource := strings.HasPrefix(o.scalar("uri"), "resource://")
	if blob := o.last("blob"); blob != nil && isResource && !o.has("text") {
		c.faults = append(c.faults, malformed(c.text.Place(blob.Span()), errors.New("the resource is a blob in base64; expected text"), "decode it, and check the JSON in it"))
	}
	if p := c.plain; p != nil && (failed || isResource) {
		f := malformed(p.at, fmt.Errorf("the text of the resource is not JSON: %s", text.Quote(p.text)), "export it as JSON")
		if p.fault != nil {
			f = *p.fault
		}
		if failed {
			c.evidence |= toolFailed
			c.faults = c.faults[:faults] // they follow from it
			f = malformed(p.at, fmt.Errorf("the tool failed, so the export has no mail: %s", text.Quote(p.text)), failureHint)
		}
		c.faults = append(c.faults, f)
		c.noteAnswer(p.text)
		c.plain = nil
	}
	if o.noMail {
		c.noteNoList(o, o.last("messages"))
	}
	if o.has("jsonrpc", "isError") || o.failure != nil && isOfProtocol(o.thread) && !o.has("messages") && !o.isMessage() {
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
		if slices.ContainsFunc(o.Members(), func(m jsontree.Member) bool { return mail.HasRole(m.Name, mail.OfMail) }) {
			c.evidence |= mailish
		}
	}
	if isMessage {
		o.read()
		o.inherit()
		c.found = append(c.found, o)
	}
	o.Node = nil
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

// threadName is how the ids of threads of the protocol begin.
var threadName = text.Pattern(`\b(RS-\d{8}|COORD)-[a-z]`)

// noteAnswer records a text of a server: it may name a resource that Agent Mail offers
// (mail_formats.md section 4), or, if the server failed, what only Agent Mail has.
func (c *scanner) noteAnswer(text string) {
	c.evidence |= likely
	for _, name := range []string{"thread", "inbox", "outbox", "mailbox", "message"} {
		if strings.Contains(text, "resource://"+name+"/") {
			c.evidence |= mailish
		}
	}
	if threadName().MatchString(text) || slices.ContainsFunc(mailNames, func(name string) bool { return strings.Contains(text, name) }) {
		c.evidence |= ofMail
	}
}

const failureHint = "correct the request, and export the mail again"

// noteNoList records that the messages of an object are not a list.
func (c *scanner) noteNoList(o *object, n *jsontree.Node) {
	at, found := n.Span(), n.Kind.String()
	switch n.Kind {
	case jsontree.Bool:
		found = c.text.Slice(at)
	case jsontree.Object:
		at.End = at.Start + 1
	}
	c.faults = append(c.faults, malformed(c.text.Place(at), fmt.Errorf("messages is %s; expected a list of messages", found), failureHint))
	if o.project != "" || o.hasAgent {
		c.evidence |= isExport
	}
}

// rpcError notes the error of JSON-RPC. Its objects have a code and a message; some servers
// write a text.
func (c *scanner) rpcError(o *object, n *jsontree.Node) {
	said := n
	if n.Is(jsontree.Object) {
		said = n.Get("message")
	}
	if what := source.ValidString(unquoted(c.text.Bytes(said.Span()))); what != "" && !n.Span().Empty() {
		c.noteAnswer(c.text.Slice(n.Span()))
		f := malformed(c.text.Place(said.Span()), fmt.Errorf("the server answered with an error, so the export has no mail: %s", text.Quote(what)), failureHint)
		o.failure = &f
	}
}

// unquoted decodes a string literal; "" for another value.
func unquoted(raw []byte) string {
	if len(raw) == 0 || raw[0] != '"' {
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
