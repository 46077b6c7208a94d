package export

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// object is the scan of one object.
type object struct {
	*scanner
	env *envelope
	msg found
	has traits

	content [2]int // the range of scanner.found that is in content
	noList  *fault // messages that are no list, or nil
	failure *fault // the error of JSON-RPC, or nil
}

// traits are the members of an object that determine whether it is a message.
type traits uint16

const (
	hasSubject traits = 1 << iota
	hasBody
	hasFrom
	hasCreated
	hasImportance
	hasSnippet // the excerpt of a share's viewer: not a message to lint
	hasStructured
	hasError // isError: true
	hasRPC
	hasResource // the uri of a resource
	hasMessages
	hasOwn // a member that messages of other programs do not have
)

// isMessage reports whether the members are those of a message: a subject or a body, and
// something else that only mail has. Messages of other programs (a chat has role and
// content) do not count.
func (o *object) isMessage() bool {
	if o.has&hasSnippet != 0 && o.has&hasBody == 0 && o.has&hasFrom == 0 {
		return false
	}
	mail := o.has & (hasFrom | hasCreated | hasImportance)
	return o.has&hasSubject != 0 && (mail != 0 || o.has&hasBody != 0 || o.msg.entry.id != "") ||
		o.has&hasBody != 0 && mail != 0
}

// isOurs reports whether a message is from Agent Mail, not from another program.
func (o *object) isOurs() bool { return o.isMessage() && o.has&hasOwn != 0 }

// member scans the value of a member.
func (o *object) member(m mail.Member) (err error) {
	e := &o.msg.entry
	o.notice(m)
	switch m {
	case mail.MemberID:
		e.id, _, err = o.scalar()
	case mail.MemberSubject:
		o.has |= hasSubject
		o.msg.subject, _, err = o.scalar()
	case mail.MemberBodyMD, mail.MemberBody:
		o.has |= hasBody
		e.body = bodyState(o.PeekKind())
		err = o.SkipValue()
	case mail.MemberFrom, mail.MemberSender:
		o.has |= hasFrom
		err = o.SkipValue()
	case mail.MemberCreatedTS, mail.MemberCreated:
		o.has |= hasCreated
		text := o.PeekKind() == '"' // a number is not a time
		var s string
		if s, _, err = o.scalar(); err == nil && text {
			if ts, ok := brenner.ParseTime(s); ok {
				e.time, e.hasTime = ts.Time, true
			}
		}
	case mail.MemberImportance:
		o.has |= hasImportance
		err = o.SkipValue()
	case mail.MemberSnippet:
		o.has |= hasSnippet
		err = o.SkipValue()
	case mail.MemberKind:
		o.msg.hasKind = true
		err = o.SkipValue()
	case mail.MemberThreadID:
		if !o.msg.hasThread { // now, for an object with a fault has no end
			o.envs = append(o.envs, o.env)
		}
		o.msg.hasThread = true
		e.thread, o.env.threadAt, err = o.scalar()
		o.env.thread = e.thread
	case mail.MemberProjectSlug:
		e.project, _, err = o.scalar()
	case mail.MemberProject:
		o.env.project, _, err = o.scalar()
	case mail.MemberProjectID:
		e.row, _, err = o.scalar()
	case mail.MemberAgent:
		o.env.agent = true
		err = o.SkipValue()
	default:
		err = o.wrapper(m)
	}
	return err
}

// notice records what the presence of a member shows.
func (o *object) notice(m mail.Member) {
	if m.Has(mail.OfMail) {
		o.has |= hasOwn
	}
	switch m {
	case mail.MemberRole:
		o.chat = true
	case mail.MemberBodyMD, mail.MemberThreadID:
		o.ours = true
	}
}

// wrapper scans the value of a member that may hold messages.
func (o *object) wrapper(m mail.Member) (err error) {
	n := len(o.found)
	switch m {
	case mail.MemberMessages:
		o.has |= hasMessages
		o.isExport() // now, for an object with a fault has no end
		kind := o.PeekKind()
		o.messages = o.messages || kind == '['
		o.env.messages = true
		err = o.value(o.env)
		o.env.messages = false
		o.endMessages(n)
		if o.noList = nil; err == nil && kind != '[' && len(o.found) == n {
			o.notList(kind)
		}
	case mail.MemberResult:
		if err = o.nested(o.env); err == nil && o.plain != nil && o.plain.end == o.offset() {
			o.plain = nil // a plain answer
		}
	case mail.MemberDeliveries, mail.MemberPayload, mail.MemberContents:
		o.likely = o.likely || m == mail.MemberDeliveries
		err = o.value(o.env)
	case mail.MemberContent:
		err = o.value(o.env)
		o.content = [2]int{n, len(o.found)}
	case mail.MemberStructuredContent:
		if err = o.value(o.env); len(o.found) > n {
			o.has |= hasStructured
		}
	case mail.MemberText:
		err = o.nested(o.env)
	case mail.MemberProjects:
		err = o.projectList()
	case mail.MemberJSONRPC:
		o.has |= hasRPC
		err = o.SkipValue()
	case mail.MemberError:
		err = o.rpcError()
	case mail.MemberIsError:
		if o.PeekKind() == 't' {
			o.has |= hasError
		}
		err = o.SkipValue()
	case mail.MemberURI:
		var uri string
		uri, _, err = o.scalar()
		if strings.HasPrefix(uri, "resource://") {
			o.has |= hasResource
			o.likely = true
			o.mailish = o.mailish || namesMailResource(uri)
		}
	default:
		return o.SkipValue()
	}
	return err
}

// finish decides what the object was.
func (o *object) finish() {
	if o.has&hasStructured != 0 && o.content[0] >= 0 { // decisions.md 17
		o.found = append(o.found[:o.content[0]], o.found[o.content[1]:]...)
	}
	if p := o.plain; p != nil && o.has&(hasError|hasResource) != 0 {
		f := fault{place: p.place, err: fmt.Errorf("the text of the resource is not JSON: %s", text.Quote(p.text)), hint: "export it as JSON"}
		if p.fault != nil {
			f = *p.fault
		}
		if o.has&hasError != 0 {
			o.toolFailed = true
			f = fault{place: p.place, err: fmt.Errorf("the tool failed, so the export has no mail: %s", text.Quote(p.text)), hint: failureHint}
		}
		o.faults = append(o.faults, f)
		o.failed(p.text)
		o.plain = nil
	}
	o.isExport()
	if o.noList != nil {
		o.faults = append(o.faults, *o.noList)
		o.exports = o.exports || o.env.project != "" || o.env.agent
	}
	if o.has&hasRPC != 0 {
		if o.failure != nil {
			o.faults = append(o.faults, *o.failure)
		}
		o.refused = o.env.outer == nil && (o.failure != nil || o.toolFailed) && o.ofMail
	}
	inMessages := o.env.outer != nil && o.env.outer.messages && o.msg.listed
	if o.isMessage() || inMessages {
		o.msg.weak = !o.isMessage()
		o.likely = o.likely || !o.msg.weak
		o.mailish = o.mailish || o.isOurs()
		o.msg.entry.size = int64(o.msg.end - o.msg.start)
		o.found = append(o.found, o.msg)
	}
}

// isExport records an object that says which project, thread or agent its messages belong
// to. Logs of other programs say one of these, too.
func (o *object) isExport() {
	e := o.env
	if o.has&hasMessages == 0 {
		return
	}
	kind, _ := brenner.ClassifyThreadID(e.thread)
	o.likely = o.likely || e.thread != "" || e.project != "" || e.agent
	o.exports = o.exports || e.project != "" && (e.agent || e.thread != "") || kind != brenner.EngineeringThread
}

// failed records the response of a server that failed. Only one that mentions mail is
// certainly from Agent Mail.
func (o *object) failed(text string) {
	o.likely = true
	o.mailish = o.mailish || namesMailResource(text)
	for _, name := range mailNames {
		o.ofMail = o.ofMail || strings.Contains(text, name)
	}
}

// mailNames are what the errors of Agent Mail name: members, tools and resources. Other programs,
// too, answer by JSON-RPC.
var mailNames = []string{
	"thread_id", "body_md", "project_key", "project_slug", "sender_name", "agent_name", "ack_required", "thread resource",
	"send_message", "reply_message", "fetch_inbox", "inbox", "outbox", "mailbox",
}

// namesMailResource reports whether a text names a resource that Agent Mail
// offers (mail_formats.md section 4).
func namesMailResource(text string) bool {
	for _, name := range []string{"thread", "inbox", "outbox", "mailbox", "message"} {
		if strings.Contains(text, "resource://"+name+"/") {
			return true
		}
	}
	return false
}

const failureHint = "correct the request, and export the mail again"

// notList records that the messages which were read last are no list.
func (o *object) notList(kind jsontext.Kind) {
	found := map[jsontext.Kind]string{'n': "null", '"': "a string", '0': "a number", 't': "true", 'f': "false", '{': "an object"}[kind]
	o.noList = &fault{place: o.last(1), err: fmt.Errorf("messages is %s; expected a list of messages", found), hint: failureHint}
	if kind == 'n' {
		o.noList.start = o.noList.end - len("null")
	}
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
	message := unquoted(raw)
	if kind == '{' {
		text, offset := memberOf(raw, "message")
		message = unquoted(text)
		at.start += offset
		at.end = at.start + len(text)
	}
	if o.failure = nil; message != "" {
		o.failed(string(raw))
		o.failure = &fault{place: at, hint: failureHint,
			err: fmt.Errorf("the server answered with an error, so the export has no mail: %s", text.Quote(message))}
	}
	return nil
}

// memberOf returns the value of a member of an object, and its offset in raw; nil if there
// is none.
func memberOf(raw jsontext.Value, name string) (jsontext.Value, int) {
	d := newDecoder(raw)
	if _, err := d.ReadToken(); err != nil {
		return nil, 0
	}
	for d.PeekKind() == '"' {
		n, err := d.ReadToken()
		if err != nil {
			break
		}
		match := n.String() == name
		v, err := d.ReadValue()
		if err != nil {
			break
		}
		if match {
			return v, int(d.InputOffset()) - len(v)
		}
	}
	return nil, 0
}

// projectList scans the projects of a unified inbox: their slugs by number.
func (o *object) projectList() error {
	raw, err := o.ReadValue()
	if err != nil || raw.Kind() != '[' {
		return err
	}
	d := newDecoder(raw)
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '{' {
		p, err := d.ReadValue()
		if err != nil {
			return err
		}
		member := func(name string) string {
			v, _ := memberOf(p, name)
			return scalarText(v)
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
func (c *scanner) scalar() (string, place, error) {
	switch c.PeekKind() {
	case '"', '0':
		raw, err := c.ReadValue()
		if err != nil {
			return "", place{}, err
		}
		return scalarText(raw), c.last(len(raw)), nil
	}
	return "", place{}, c.SkipValue()
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
