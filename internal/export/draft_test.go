package export

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

var draftTests = []struct{ name, in, want string }{
	{"arguments", `{"project_key": "/p", "sender_name": "BlueLake", "to": ["A", "B"], "subject": "ACK: x", "body_md": "# Done\n", "thread_id": "RS-20251230-x", "ack_required": true}`,
		`tool="" subject=ACK: x thread=RS-20251230-x from=BlueLake to=[A B] ack=true body="# Done\n"`},
	{"to as string", `{"subject": "ACK: x", "body_md": "b", "to": "A, B"}`,
		`tool="" subject=ACK: x thread= from= to=[A B] ack=false body="b"`},
	{"call", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_message","arguments":{"subject":"INFO: \u00a7","body_md":"b"}}}`,
		`tool="send_message" subject=INFO: § thread= from= to=[] ack=false body="b"`},
	{"hook", `{"hook_event_name":"PreToolUse","tool_name":"mcp__mcp-agent-mail__send_message","tool_input":{"subject":"INFO: x","body_md":"b"}}`,
		`hook tool="mcp__mcp-agent-mail__send_message" subject=INFO: x thread= from= to=[] ack=false body="b"`},
	{"gemini hook", `{"hook_event_name":"BeforeTool","tool_name":"mcp_agent_reply_message","tool_input":{"project_key":"/p","message_id":7,"body_md":"b"}}`,
		`hook tool="mcp_agent_reply_message" reply subject= thread= from= to=[] ack=false body="b"`},
	{"bare reply", `{"message_id": 7, "body_md": "b"}`,
		`tool="" reply subject= thread= from= to=[] ack=false body="b"`},
	{"other tool", `{"tool_name":"Bash","tool_input":{"command":"rm"}}`, `hook tool="Bash" no mail`},
	{"namesake of another server", `{"tool_name":"mcp__slack__send_message","tool_input":{"channel":"c","text":"t"}}`, `hook tool="mcp__slack__send_message" no mail`},
	{"other method", `{"jsonrpc":"2.0","method":"tools/list"}`, `tool="tools/list" no mail`},
	{"call without params", `{"jsonrpc":"2.0","method":"tools/call"}`, `tool="" no mail`},
	{"namesake with a subject", `{"tool_name":"mcp__gmail__send_message","tool_input":{"to":"a@b.example","subject":"s","body":"t"}}`, `hook tool="mcp__gmail__send_message" no mail`},
	{"tool whose name ends alike", `{"tool_name":"mcp__mail__resend_message","tool_input":{"project_key":"p","subject":"s"}}`, `hook tool="mcp__mail__resend_message" no mail`},
	{"name cut short by Gemini", `{"tool_name":"mcp_a_rather_long_na___me_send_mess","tool_input":{"subject":"INFO: x","body_md":"b"},"mcp_context":{"server_name":"a-rather-long-name","tool_name":"send_message"}}`,
		`hook tool="send_message" subject=INFO: x thread= from= to=[] ack=false body="b"`},
	{"hook without tool", `{"tool_name":"","tool_input":{"subject":"x"}}`, `hook tool="" no mail
Malformed draft:1:1 "{\"tool_name\":\"\",\"tool_input\":{\"subject\":\"x\"}}": the hook's input does not name a tool`},
	{"hook whose tool is a number", `{"tool_name":5}`, `hook tool="" no mail
Malformed draft:1:1 "{\"tool_name\":5}": the hook's input does not name a tool`},
	{"hook without arguments", `{"tool_name":"send_message"}`, `hook tool="send_message" no mail`},
	{"hook with null", `{"tool_name":"mcp__m__reply_message","tool_input":null}`, `hook tool="mcp__m__reply_message" no mail`},
	{"call without arguments", `{"method":"tools/call","params":{"name":"send_message"}}`, `tool="send_message" no mail
Malformed draft:1:1 "{\"method\":\"tools/call\",\"params\":{\"name\":\"send_message\"}}": the call of "send_message" has no arguments`},
	{"call with null", `{"method":"tools/call","params":{"name":"m_reply_message","arguments":null}}`, `tool="m_reply_message" no mail
Malformed draft:1:71 "null": the draft is null, expected an object with subject and body_md`},
	{"body by another name", `{"sender_name": "A", "subject": "s", "body": "§"}`, `tool="" subject=s thread= from=A to=[] ack=false body="§"
Incomplete draft:1:38 "\"body\"": the draft lacks a body`},
	{"body by another name, no subject", `{"sender_name": "A", "body": "x"}`, `tool="" subject= thread= from=A to=[] ack=false body="x"
Incomplete draft:1:22 "\"body\"": the draft lacks a subject and a body`},
	{"body twice", `{"body_md": "m", "subject": "s", "body": "b"}`, `tool="" subject=s thread= from= to=[] ack=false body="m"`},
	{"no subject, no body", `{"sender_name": "A"}`, `tool="" subject= thread= from=A to=[] ack=false body=""
Incomplete draft:1:1 "{": the draft lacks a subject and a body`},
	{"null body", `{"subject": "INFO: x", "body_md": null}`, `tool="" subject=INFO: x thread= from= to=[] ack=false body=""
Incomplete draft:1:35 "null": the draft lacks a body`},
	{"subject of wrong type", `{"subject": ["x"], "body_md": "b"}`, `tool="" subject= thread= from= to=[] ack=false body="b"
Incomplete draft:1:13 "[\"x\"]": the draft lacks a subject`},
	{"broken JSON", `{"subject": "x",}`, `tool="" no mail
Malformed draft:1:16 ",": trailing comma before }`},
	{"array", `[]`, `tool="" no mail
Malformed draft:1:1 "[]": the draft is an array, expected an object with subject and body_md`},
	{"markdown", "Subject: KICKOFF: x\nThread: RS-20251230-x\nTo: A, B\nAck-Required: yes\n\n# Question\n\nWhy?\n",
		`tool="" subject=KICKOFF: x thread=RS-20251230-x from= to=[A B] ack=true body="# Question\n\nWhy?"`},
	{"markdown, fenced", "---\r\nsubject: \"INFO: x\"\r\nto: [A, B]\r\n---\r\n\r\nText\r\n",
		`tool="" subject=INFO: x thread= from= to=[A B] ack=false body="Text"`},
	{"markdown with a stray line", "Subject: INFO: x\nno header\n\nText\n",
		`tool="" subject=INFO: x thread= from= to=[] ack=false body="no header\n\nText"
Malformed draft:2:1 "no header": the header has a line that is not ` + "`Name: value`"},
	{"markdown without a header", "Here it is.\n\nText\n", `tool="" subject= thread= from= to=[] ack=false body="Here it is.\n\nText"
Incomplete draft:1:1 "Here it is.": the draft lacks a subject`},
	{"markdown without a header, below a rule", "---\nText\n", `tool="" subject= thread= from= to=[] ack=false body="---\nText"
Incomplete draft:1:1 "---": the draft lacks a subject`},
	{"archive form", "---json\n{\"subject\": \"INFO: x\", \"to\": [\"A\"]}\n---\n\nText\n",
		`tool="" subject=INFO: x thread= from= to=[A] ack=false body="Text"`},
	{"archive form, broken", "---json\n{\"subject\": }\n---\n\nText\n", `tool="" no mail
Malformed draft:2:13 "}": } where the value of a key is expected`},
	{"empty", "", `tool="" subject= thread= from= to=[] ack=false body=""
Incomplete draft:1:1 "": the draft lacks a subject`},
}

func TestReadDraft(t *testing.T) {
	for _, tt := range draftTests {
		t.Run(tt.name, func(t *testing.T) {
			call, facts := ReadDraft(source.NewFile("draft", []byte(tt.in)), jsontree.Options{})
			equal(t, tt.want, describeCall(call, facts))
		})
	}
}

func describeCall(call *Call, facts Facts) []string {
	var b strings.Builder
	if call.Hook {
		b.WriteString("hook ")
	}
	fmt.Fprintf(&b, "tool=%q ", call.Tool)
	if m := call.Message; m == nil {
		b.WriteString("no mail")
	} else {
		if m.ReplyDraft {
			b.WriteString("reply ")
		}
		var to []string
		for _, r := range m.Recipients {
			to = append(to, r.Name)
		}
		fmt.Fprintf(&b, "subject=%s thread=%s from=%s to=%v ack=%v body=%q",
			textOf(m.Subject), textOf(m.Thread), textOf(m.From), to, m.AckRequired, textOf(m.Body))
	}
	return append([]string{b.String()}, describeFacts(facts)...)
}

func textOf(t *source.Text) string {
	if t == nil {
		return ""
	}
	return string(t.Data)
}
