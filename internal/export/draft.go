package export

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Call is an unsent message, or the call of a tool that may send one (contract.md, Drafts).
type Call struct {
	// Tool is the tool's name as written; "" if a file contains the message or the bare
	// arguments.
	Tool string
	// Hook reports whether it is the JSON of an agent's pre-tool hook.
	Hook bool
	// Message is what would be sent; nil for a tool that sends no mail. Its ReplyDraft
	// marks a reply, which has no subject of its own.
	Message *mail.Message
	// HoldsBody reports whether the arguments have body_md: only tools of Agent Mail do
	// (decisions.md 36).
	HoldsBody bool
}

// ReadDraft reads a draft: the arguments of send_message or reply_message, a
// JSON-RPC request or a hook's JSON with them, an archive message, or Markdown
// with a small header (decisions.md 17).
func ReadDraft(f *source.File, opts jsontree.Options) (*Call, Facts) {
	t := f.Text().Normalize()
	d := &draft{text: t, opts: opts, call: &Call{}}
	bad := input.CheckUTF8(f)
	switch k := firstByte(t.Data); {
	case bad != nil && input.IsUTF16(f.Data): // none of it can be read
	case k == '{' || k == '[':
		d.json()
	case bytes.HasPrefix(t.Data, []byte(input.ArchiveStart)):
		d.archive()
	case !d.inFence():
		d.markdown()
	}
	if m := d.call.Message; m != nil {
		m.File, m.Form = f, mail.Draft
		m.ExportInfo = &mail.ExportInfo{Path: f.Path, Form: mail.Draft, Standalone: true}
		m.Garbled = bad != nil
		if lacks := d.check(m); lacks != nil && len(d.facts.Faults) == 0 {
			d.facts.Incomplete = append(d.facts.Incomplete, *lacks)
		}
	}
	if bad != nil {
		d.facts.Faults = append(d.facts.Faults, *bad)
	}
	for i := range d.facts.Faults {
		d.facts.Faults[i].Sensitive = true // the sender's token may be next to it
	}
	return d.call, d.facts
}

// check returns what the draft lacks; nil if it lacks nothing. A body under another name than
// body_md would not be sent: it counts as missing, but is checked.
func (d *draft) check(m *mail.Message) *mail.Incomplete {
	state := m.BodyState
	for _, other := range d.misnamed {
		if other.Is == "body_md" {
			m.BodyState = mail.BodyAbsent
			m.Malformed = append(m.Malformed, mail.MalformedField{Name: "body", At: other.At})
		}
	}
	f := check(m)
	m.BodyState = state
	if f != nil {
		f.Header, f.Headless, f.Misnamed = d.header, d.headless, d.misnamed
	}
	return f
}

// draft reads a draft.
type draft struct {
	header   bool // it is Markdown, which begins with a header
	headless bool // but it has none
	text     *source.Text
	opts     jsontree.Options
	call     *Call
	misnamed []mail.MisnamedMember
	facts    Facts
}

// fault adds a fault, and edits that would probably repair it.
func (d *draft) fault(span source.Span, err error, hint string, repair ...source.Edit) {
	d.facts.Faults = append(d.facts.Faults, source.Fault{Kind: source.Malformed, Path: d.text.File.Path, At: d.text.Place(span), Err: err, Hint: hint, Repair: repair})
}

// syntax adds the fault of JSON that begins at an offset of the text. It does not quote the text
// there, which may be the sender's token.
func (d *draft) syntax(e *jsontree.SyntaxError, offset int) {
	e = e.Discreet()
	hint := e.Hint
	var repair []source.Edit
	if offset == 0 {
		repair = jsontree.Recover(d.text.Data, d.opts).Edits
	}
	if len(repair) > 1 {
		hint = strings.TrimPrefix(hint+"; write the whole draft as JSON", "; ")
	}
	d.fault(e.Span.Shift(offset), e, hint, repair...)
}

// json reads arguments, a request, or the input of a hook.
func (d *draft) json() {
	root, fault := jsontree.Parse(d.text.Data, d.opts)
	if fault != nil {
		d.syntax(fault, 0)
		return
	}
	args := root
	switch {
	case root.Get("tool_name") != nil || root.Get("tool_input") != nil:
		d.call.Hook = true
		name := root.Get("tool_name")
		if full := root.Get("mcp_context").Get("tool_name"); full.Is(jsontree.String) {
			name = full // Gemini CLI shortens long names
		}
		if name.StringOr("") == "" {
			d.fault(root.Span(), errors.New("the hook's input does not name a tool"), "")
			return
		}
		d.call.Tool, args = name.Text, root.Get("tool_input")
	case root.Get("method") != nil:
		d.call.Tool = root.Get("method").StringOr("")
		if d.call.Tool != "tools/call" {
			return
		}
		d.call.Tool = root.Get("params").Get("name").StringOr("")
		args = root.Get("params").Get("arguments")
	default:
		if what := d.isExport(root); what != "" {
			d.fault(root.Span(), errors.New("the input is "+what+", not a draft"), "check it with `brennerlint`, and the draft of a new message with `brennerlint presend --thread` and the export")
			return
		}
	}
	d.arguments(d.innerArguments(args))
}

// isExport names the kind of export that the input is; "" if it may be a draft.
func (d *draft) isExport(root *jsontree.Node) string {
	if root.Get("body_md") != nil {
		return ""
	}
	c := &scanner{text: d.text}
	c.value(root, nil, false, false)
	switch {
	case !slices.ContainsFunc(c.found, func(o *object) bool { return o.listed || o.outer != nil }):
		return ""
	case root.Is(jsontree.Array):
		return "a list of messages"
	}
	return "an export of a thread or mailbox"
}

// maxDispatchers bounds how many calls are around the one that sends.
const maxDispatchers = 4

// innerArguments returns the arguments of the call that sends mail. They may be inside the
// arguments of a tool that calls another one, or in a text.
func (d *draft) innerArguments(args *jsontree.Node) *jsontree.Node {
	for range maxDispatchers {
		inner := args
		if args.Is(jsontree.Object) && args.Get("body_md") == nil {
			inner = args.Get("arguments")
		}
		switch {
		case inner.Is(jsontree.Object) && inner != args:
			if name := args.Get("name").StringOr(""); name != "" {
				d.call.Tool = name
			}
		case inner.Is(jsontree.String) && strings.Contains(inner.Text, `"body_md"`):
			text := d.text.JSONString(inner.Span())
			root, fault := jsontree.Parse(text.Data, d.opts)
			if fault != nil {
				return args
			}
			d.text, inner = text, root
		default:
			return args
		}
		args = inner
	}
	return args
}

// arguments reads the arguments of a tool that sends mail, and ignores others.
func (d *draft) arguments(args *jsontree.Node) {
	reply := isTool(d.call.Tool, "reply_message")
	isReply := reply || args.Get("message_id") != nil && args.Get("subject") == nil
	d.call.HoldsBody = args.Get("body_md") != nil
	holder := slices.IndexFunc(args.Members(), func(m jsontree.Member) bool {
		return !d.call.HoldsBody && !d.call.Hook && (args.Get("subject") == nil || !m.Value.Is(jsontree.String)) && holdsBody(m.Value)
	})
	const hint = "write the arguments of send_message as one JSON object"
	switch {
	case d.call.HoldsBody: // regardless of the tool's name
	case d.call.Tool == "" && args == nil: // not the call of a tool
		return
	case d.call.Tool == "":
	case !reply && !isTool(d.call.Tool, "send_message"), d.call.Hook && !args.Is(jsontree.Object):
		return
	case args.Is(jsontree.Object) && holder < 0 && !isAgentMail(d.call.Tool, args):
		return
	case args == nil:
		d.fault(d.text.WholePlace().Span, fmt.Errorf("the call of %s has no arguments", text.Quote(d.call.Tool)), hint)
		return
	}
	if !args.Is(jsontree.Object) {
		d.fault(args.Span(), fmt.Errorf("the draft is %s, expected an object with subject and body_md", args.Kind), hint)
		return
	}
	if holder >= 0 {
		m := args.Members()[holder]
		d.fault(m.Value.Span(), fmt.Errorf("the draft is inside %s", text.Quote(m.Name)), "give the object in "+text.Quote(m.Name)+" alone")
		return
	}
	m := newMessage(d.text, args).load()
	m.ReplyDraft = isReply
	m.Project = slug(args.Get("project_key").StringOr(""))
	d.call.Message = &m.Message
	for _, other := range args.Members() {
		if is := otherNames[brenner.FoldKey(other.Name)]; is != "" && args.Get(is) == nil {
			d.misnamed = append(d.misnamed, mail.MisnamedMember{At: d.text.Place(other.NameSpan()), Name: other.Name, Is: is})
		}
	}
}

// holdsBody reports whether a value is a draft, or a draft is in it, perhaps as JSON in a string.
func holdsBody(n *jsontree.Node) bool {
	if said := n.StringOr(""); firstByte([]byte(said)) == '{' {
		return strings.Contains(said, `"body_md"`)
	}
	isOrHolds := func(m jsontree.Member) bool { return m.Name == "body_md" || holdsBody(m.Value) }
	return slices.ContainsFunc(n.Members(), isOrHolds) || slices.ContainsFunc(n.Items(), holdsBody)
}

// otherNames are names that writers give to the members of a draft, folded.
var otherNames = map[string]string{
	"body": "body_md", "content": "body_md", "message": "body_md", "body_markdown": "body_md", "body_md": "body_md", "bodymd": "body_md",
	"title": "subject", "subject": "subject", "thread": "thread_id", "thread_id": "thread_id", "threadid": "thread_id",
}

// isTool reports whether a tool has a name, whatever the name of its server:
// mcp__mail__send_message.
func isTool(tool, name string) bool {
	server, ok := strings.CutSuffix(tool, name)
	return ok && (server == "" || !unicode.IsLetter(rune(server[len(server)-1])))
}

// isAgentMail reports, by its name or its arguments, whether a tool is Agent Mail's: tools of
// other servers may have the same name, and a subject.
func isAgentMail(tool string, args *jsontree.Node) bool {
	return strings.Contains(brenner.FoldKey(tool), "agent_mail") || args.Get("project_key") != nil || args.Get("sender_name") != nil ||
		brenner.ParseSubject(args.Get("subject").StringOr("")).Type != ""
}

// archive reads a draft in the form of the git archive.
func (d *draft) archive() {
	front, body, at, err := splitArchive(d.text.Data)
	if err != nil {
		d.fault(at, err, "")
		return
	}
	head := d.text.Sub(front)
	root, e := jsontree.Parse(head.Data, d.opts)
	if e != nil {
		d.syntax(e, front.Start)
		return
	}
	if !root.Is(jsontree.Object) {
		d.fault(front, errNoFront, "")
		return
	}
	m := newMessage(head, root).load()
	m.Body, m.BodyState = d.text.Sub(body), mail.BodyPresent
	d.call.Message = &m.Message
}

// inFence reports whether the draft is JSON in a fence, which is a fault.
func (d *draft) inFence() bool {
	if strings.IndexByte("`~", firstByte(d.text.Data)) < 0 {
		return false
	}
	doc := markdown.Parse(d.text)
	if len(doc.Blocks) != 1 || doc.Blocks[0].Kind != markdown.Fence {
		return false
	}
	b := &doc.Blocks[0]
	if json := doc.Content(b).Data; firstByte(json) != '{' || !bytes.Contains(json, []byte(`"body_md"`)) {
		return false
	}
	start, end := b.Parts[0].Start, b.Parts[len(b.Parts)-1].End
	d.fault(b.Opening(), errors.New("the draft is in a fence"), "give the JSON alone, without the marks around it",
		source.Edit{Span: source.Span{End: start}}, source.Edit{Span: source.Span{Start: end, End: len(d.text.Data)}})
	return true
}

// markdown reads header lines `Name: value`, bare or fenced by --- lines, a
// blank line, and the body.
func (d *draft) markdown() {
	d.header = true
	data, fenced := d.text.Data, false
	at := len(data) - len(bytes.TrimLeft(data, " \t\r\n"))
	first := source.Span{Start: at, End: source.LineEnd(data, at)}
	m := &mail.Message{BodyState: mail.BodyPresent, Header: d.text.Place(first)}
	d.call.Message = m
	if string(bytes.TrimRight(d.text.Bytes(first), " \t\r")) == "---" {
		at, fenced = min(first.End+1, len(data)), true
	}
	list := "" // the member whose values YAML lists on the lines below
	for start := at; at < len(data); {
		line := source.Span{Start: at, End: source.LineEnd(data, at)}
		text := bytes.TrimSpace(d.text.Bytes(line))
		last := len(text) == 0
		if fenced {
			last = string(text) == "---"
		}
		isItem := fenced && list != "" && bytes.HasPrefix(text, []byte("- ")) && !bytes.ContainsAny(text, "[{:#~'\"") // a plain name
		switch key, isList := bytes.CutSuffix(text, []byte(":")); {
		case isList:
			list = strings.Trim(strings.ToLower(string(key)), `"'`)
		case !isItem:
			list = ""
		case slices.Contains([]string{"to", "cc", "bcc"}, list):
			addNames(m, d.text.Sub(source.Span{Start: at + bytes.IndexByte(data[at:], '-') + 1, End: line.End}), list)
		}
		if !last && !isItem && len(text) > 0 && !d.headerLine(m, line) {
			if at == start {
				d.headless, at = true, 0
			}
			if !blank(m.Subject) { // else the draft lacks that
				d.fault(line, errors.New("the header has a line that is not `Name: value`"), "put a blank line between the header and the body",
					source.Edit{Span: source.Span{Start: at, End: at}, Text: "\n"})
			}
			break // the line belongs to the body
		}
		at = min(line.End+1, len(data))
		if last {
			break
		}
	}
	m.Body = d.text.Sub(bodySpan(data, at))
}

// headerLine reads one line of the header, false if it is not one.
func (d *draft) headerLine(m *mail.Message, line source.Span) bool {
	name, _, ok := bytes.Cut(d.text.Bytes(line), []byte(":"))
	if !ok || len(bytes.TrimSpace(name)) == 0 {
		return false
	}
	value := source.Trim(d.text.Data, source.Span{Start: line.Start + len(name) + 1, End: line.End})
	if n := value.Len(); n >= 2 && (d.text.Data[value.Start] == '"' || d.text.Data[value.Start] == '\'') && d.text.Data[value.End-1] == d.text.Data[value.Start] {
		value = source.Span{Start: value.Start + 1, End: value.End - 1}
	}
	t := d.text.Sub(value)
	member := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(string(name))))
	switch member {
	case "subject":
		m.Subject = t
	case "thread", "thread_id":
		m.Thread = t
	case "from", "sender", "sender_name":
		m.From = t
	case "to", "cc", "bcc":
		addNames(m, d.text.Sub(withoutBrackets(d.text.Data, value)), member)
	case "ack", "ack_required":
		m.AckRequired = slices.Contains([]string{"true", "yes", "required", "requested"}, strings.ToLower(string(t.Data)))
		m.AckPlace = t.WholePlace()
	}
	return true
}

// withoutBrackets returns the span of a list without its brackets.
func withoutBrackets(data []byte, s source.Span) source.Span {
	rest := bytes.TrimLeft(data[s.Start:s.End], "[] \t")
	s.Start = s.End - len(rest)
	s.End = s.Start + len(bytes.TrimRight(rest, "[] \t"))
	return s
}
