package export

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// readJSON returns what a store reads from one JSON text: threads, then problems.
func readJSON(t testing.TB, data string) []string {
	t.Helper()
	s := NewStore(Options{Scope: AllScope})
	err := s.Add(context.Background(), input.NewBytes(input.JSON, "in.json", []byte(data)), nil)
	out := list(t, s)
	out = append(out, faults(s)...)
	if err != nil {
		out = append(out, err.Error())
	}
	return out
}

// message returns a message of JSON with some members replaced; "-" removes one.
func message(changes ...string) string {
	m := map[string]string{
		"id": "1", "subject": `"INFO: x"`, "created_ts": `"2025-12-30T00:00:00+00:00"`, "body_md": `"b"`, "from": `"A"`, "thread_id": `"T"`,
	}
	for i := 0; i < len(changes); i += 2 {
		if m[changes[i]] = changes[i+1]; changes[i+1] == "-" {
			delete(m, changes[i])
		}
	}
	var parts []string
	for _, k := range []string{"id", "thread_id", "subject", "created_ts", "body_md", "from", "project", "project_slug", "project_id", "kind", "to", "importance"} {
		if v, ok := m[k]; ok {
			parts = append(parts, `"`+k+`":`+v)
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func thread(messages ...string) string {
	return `{"project":"/data/p","thread_id":"T","messages":[` + strings.Join(messages, ",") + `]}`
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestJSONShapes(t *testing.T) {
	two := thread(message("id", "2"), message("id", "1"))
	const want = "data-p T: 1 2"
	tests := []struct{ name, in, want string }{
		{"thread", two, want},
		{"escaped names", strings.NewReplacer(`"body_md"`, `"body\u005fmd"`, `"thread_id"`, `"\u0074hread_id"`, `"messages"`, `"message\u0073"`).Replace(two), want},
		{"messages before the rest", `{"messages":[` + message("thread_id", "-") + `],"thread_id":"T","project":"/data/p"}`, "data-p T: 1"},
		{"byte order mark", "\xef\xbb\xbf" + two, want},
		{"resource", `{"contents":[{"uri":"resource://thread/T","text":` + quoted(two) + `}]}`, want},
		{"JSON-RPC", `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"text":` + quoted(two) + `}]}}`, want},
		{"twice in strings", `{"content":[{"type":"text","text":` + quoted(`{"contents":[{"text":`+quoted(two)+`}]}`) + `}]}`, want},
		{"tool result", `{"content":[{"type":"text","text":` + quoted(two) + `}],"structuredContent":` + two + `,"isError":false}`, want},
		{"tool result, content only", `{"content":[{"type":"text","text":` + quoted(two) + `}],"structuredContent":null}`, want},
		{"content alone", `[{"type":"text","text":` + quoted(two) + `}]`, want},
		{"events", "event: message\r\ndata: " + two + "\r\n\r\n", want},
		{"events, data over lines", "data: {\"project\":\"/data/p\",\"thread_id\":\"T\",\ndata: \"messages\":[\ndata:" + message("id", "2") + ",\ndata: " + message() + "]}\n\n", want},
		{"events of the transport", ": ping\r\revent: endpoint\rdata: /messages?x=1\r\rdata: " + two + "\r\rdata: [DONE]\r\r", want},
		{"two events", "data: " + thread(message("id", "2")) + "\n\n: note\n\ndata: " + thread(message()) + "\n\n", want},
		{"bare array", "[" + message("id", "2", "project_slug", `"data-p"`) + "," + message("project_slug", `"data-p"`) + "]", want},
		{"inbox by its tool", "[" + message("kind", `"to"`) + "," + message("id", "2", "kind", `"cc"`) + "]", " T: 1 2 (part)"},
		{"inbox resource", `{"project":"/data/p","agent":"A","count":1,"messages":[` + message() + `]}`, "data-p T: 1 (part)"},
		{"JSON Lines", message() + "\n" + message("id", "2") + "\n", " T: 1 2"},
		{"message", message(), " T: 1 (part)"},
		{"sent", `{"deliveries":[{"project":"/data/p","payload":` + message() + `}],"count":1}`, "data-p T: 1 (part)"},
		{"reply, its mail twice", `{"id":1,"subject":"INFO: x","created_ts":"2025-12-30T00:00:00+00:00","body_md":"b","from":"A","thread_id":"T","deliveries":[{"project":"/data/p","payload":` + message() + `}]}`, "data-p T: 1 (part)"},
		{"unified inbox", `{"messages":[{"id":1,"subject":"INFO: x","created_ts":"2025-12-30 00:00:00.000000","sender":"A","recipients":"B, C","project_id":3,"excerpt":"b","thread_id":"T"}],"projects":[{"id":3,"slug":"data-p","human_key":"/data/p"}]}`, "data-p T: 1 (part)"},
		{"ids as strings", thread(message("id", `"10"`), message("id", `"9"`)), "data-p T: 9 10"},
		{"order by instant", thread(message("id", "1", "created_ts", `"2025-12-30T01:00:00+02:00"`), message("id", "2", "created_ts", `"2025-12-29 22:30:00.000000"`)), "data-p T: 2 1"},
		{"numeric thread", `{"project":"/data/p","agent":"A","messages":[` + message("id", "9", "thread_id", "null") + "," + message("id", "10", "thread_id", `"9"`) + "," + message("id", "8", "thread_id", `""`) + `]}`, "data-p : 8 (part)\ndata-p 9: 9 10 (part)"},
		{"two projects", "[" + message("project", `"/data/p"`) + "," + message("id", "2", "project", `"/data/q"`) + "]", "data-p T: 1\ndata-q T: 2"},
		{"projects by their folders", "[" + message("project", quoted(`C:\Work\My  Project/`)) + "," + message("id", "2", "project", `"data-brenner_bot"`) + "," + message("id", "3", "project", `"é"`) + "]", " T: 3\nc-work-my-project T: 1\ndata-brenner-bot T: 2"},
		{"mail without a thread stands alone", "[" + message("thread_id", "null") + "," + message("id", "2", "thread_id", "null") + "]", " : 1\n : 2"},
		{"mail without ids", "[" + message("id", "-") + "," + message("id", "-") + "]", " T:  "},
		{"without bodies", thread(message("body_md", "-")), "data-p T: 1"},
		{"names given twice", thread(`{"id":7,` + message()[1:]), "data-p T: 1"},
		{"lone surrogate", thread(message("body_md", `"\ud800"`)), "data-p T: 1"},
		{"empty thread", thread(), ""},
		{"empty inbox", "[]", ""},
		{"other JSON", `{"name":"x","messages":[{"role":"user","content":"hi"}]}`, "has no mail"},
		{"viewer of a share", `[{"id":1,"subject":"INFO: x","created_ts":"2025-12-30 00:00:00","importance":"normal","project_id":1,"snippet":"b"}]`, "has no mail"},
		{"tool result of another program", `{"content":[{"type":"text","text":"hello {"}]}`, "has no mail"},
		{"texts of another program", `[{"type":"text","text":"{\"a\":[1]}"}]`, "has no mail"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == "" {
				if got := readJSON(t, tt.in); got != nil {
					t.Error(got)
				}
				return
			}
			equal(t, tt.want, readJSON(t, tt.in))
		})
	}
}

// TestTwoExportsInOneFile checks that a thread and an inbox in one file say different
// things about their messages.
func TestTwoExportsInOneFile(t *testing.T) {
	dir := write(t, "mail.jsonl", thread(message())+"\n"+`{"project":"/data/p","agent":"A","messages":[`+message("id", "2", "thread_id", `"U"`)+`]}`+"\n")
	s := open(t, Options{}, dir)
	equal(t, "data-p T: 1\ndata-p U: 2 (part)", list(t, s))
	for _, ti := range s.Threads() {
		th, _ := s.Load(ti)
		if info, isInbox := th.Messages[0].ExportInfo, th.ID == "U"; info.Partial != isInbox || info.Mailbox != isInbox {
			t.Errorf("thread %s is of %+v", th.ID, info)
		}
	}
	if exports := s.Exports(); len(exports) != 2 || exports[0] == exports[1] {
		t.Errorf("the exports are %v", exports)
	}
}

var jsonFaults = []struct{ name, in, want string }{
	{"empty", " \n", `Malformed in.json:1:1 "": the file is empty, expected mail as JSON`},
	{"truncated", thread(message(), message("id", "2"))[:150], `Malformed in.json:1:151 "": the text ends inside a string`},
	{"trailing comma", `{"project":"/data/p","thread_id":"T","messages":[` + message() + `,]}`, `data-p T: 1 (part)
Malformed in.json:1:160 ",": trailing comma before ]`},
	{"garbage after", thread(message()) + "}", `data-p T: 1 (part)
Malformed in.json:1:162 "}": unmatched }`},
	{"line of JSON Lines", message() + "\n{\"id\":2,\n" + message("id", "3") + "\n", ` T: 1 3 (part)
Malformed in.json:2:9 "": the text ends where a key in double quotes is expected`},
	{"bad line of JSON Lines", message() + "\n{\"id\":2 \"x\"}\n" + message("id", "3") + "\n", ` T: 1 3 (part)
Malformed in.json:2:9 "\"": missing comma before a string`},
	{"log within JSON Lines", message() + "\nINFO x\nINFO y\n" + message("id", "3") + "\n", ` T: 1 3 (part)
Malformed in.json:2:1 "INFO x": text where a JSON value is expected`},
	{"brace too many in JSON Lines", message() + "}\n" + message("id", "3") + "\n", ` T: 1 3 (part)
Malformed in.json:1:111 "}": unmatched }`},
	{"conflict in JSON Lines", message() + "\n<<<<<<< a\n" + message("id", "3") + "\n=======\n", ` T: 1 (part)
Malformed in.json:2:1 "<<<<<<< a": the line is a conflict marker`},
	{"first line of JSON Lines", "{\"subject\": \"x\", \"id\": 2]\n" + message("id", "3") + "\n", ` T: 3 (part)
Malformed in.json:1:25 "]": ] where } is expected to close the object`},
	{"no message in a line of JSON Lines", message() + "\nnull\n" + message("id", "3") + "\n", ` T: 1 3 (part)
Malformed in.json:2:1 "null": expected a message, which is an object`},
	{"list in a thread", thread(message(), "[]", message("id", "3")), `data-p T: 1 3 (part)
Malformed in.json:1:161 "[]": expected a message, which is an object`},
	{"null in a list", "[" + message() + ",\nnull]", ` T: 1 (part)
Malformed in.json:2:1 "null": expected a message, which is an object`},
	{"only null in a thread", thread("null"), `Malformed in.json:1:50 "null": expected a message, which is an object`},
	{"not UTF-8", thread(message(), message("id", "2", "body_md", "\"\xff\"")), `data-p T: 1 2
NotUTF8 in.json:1:257 "\xff": message 2: not valid UTF-8: byte 0xFF`},
	{"not UTF-8 in a name that means one", strings.Replace(thread(message()), "messages", "message\xff", 1), "data-p T: 1\nNotUTF8 in.json:1:46 \"\\xff\": not valid UTF-8: byte 0xFF"},
	{"not UTF-8 in a name that means several", strings.Replace(thread(message()), "project", "project\xff", 1), " T: 1\nNotUTF8 in.json:1:10 \"\\xff\": not valid UTF-8: byte 0xFF"},
	{"not UTF-8 in a string in a string", `{"contents":[{"text":` + strings.Replace(quoted(thread(message("body_md", `"X"`), message("id", "2"))), "X", "\xff", 1) + `}]}`, `data-p T: 1 2
NotUTF8 in.json:1:195 "\xff": message 1: not valid UTF-8: byte 0xFF`},
	{"UTF-16", "\xff\xfe{\x00}\x00", `NotUTF8 in.json:1:1 "\xff\xfe": not UTF-8: the byte order mark is that of UTF-16`},
	{"error of JSON-RPC", `{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"no \u00a7"}}`, `Malformed in.json:1:53 "\"no \\u00a7\"": the server answered with an error, so the export has no mail: "no §"`},
	{"error of JSON-RPC, not UTF-8", `{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"no ` + "\xff" + `"}}`, `Malformed in.json:1:53 "\"no \xff\"": the server answered with an error, so the export has no mail: "no �"
NotUTF8 in.json:1:57 "\xff": not valid UTF-8: byte 0xFF`},
	{"failed tool", `{"content":[{"type":"text","text":"Project not found"}],"isError":true}`, `Malformed in.json:1:35 "\"Project not found\"": the tool failed, so the export has no mail: "Project not found"`},
	{"no list", `{"project": "p", "thread_id": "T", "messages": {"1": {"x": 1}}}`, `Malformed in.json:1:48 "{": messages is an object; expected a list of messages`},
	{"text in place of a list", `{"project": "p", "thread_id": "T", "messages": "none"}`, `Malformed in.json:1:48 "\"none\"": messages is a string; expected a list of messages`},
	{"log above", "[INFO] export\n" + thread(message()), `Malformed in.json:1:1 "[INFO] export": the file does not begin with JSON`},
	{"log in colours above", "\x1b[32mok\x1b[0m\n" + thread(message()), "Malformed in.json:1:2 \"[32mok\\x1b[0m\": the file does not begin with JSON"},
	{"colours in JSON", strings.Replace(thread(message()), `"T"`, "\"\x1b[32mT\"", 1), "data-p T: 1\nRawControl in.json:1:35 \"\\x1b\": control character U+001B is not escaped"},
	{"words in a list", "[INFO, x]\n", `Malformed in.json:1:2 "INFO": value INFO is not in double quotes`},
	{"broken inside a string", `{"contents":[{"uri":"resource://thread/T","text":` + quoted(thread(message())[:40]+`"§"`) + `}]}`, `Malformed in.json:1:102 "§": unexpected §; expected a colon after the key`},
	{"blob", `{"contents":[{"uri":"resource://thread/T","mimeType":"application/json","blob":"e30="}]}`, `Malformed in.json:1:80 "\"e30=\"": the resource is a blob in base64; expected text`},
	{"blob beside text", `{"contents":[{"uri":"resource://thread/T","blob":"e30=","text":` + quoted(thread(message())) + `}]}`, "data-p T: 1"},
	{"no subject", thread(message("subject", "-"), message("id", "2")), `data-p T: 1 2
Incomplete in.json:1:50 "{": message 1 lacks a subject`},
	{"null subject, no sender", thread(message("subject", "null", "from", "-")), `data-p T: 1
Incomplete in.json:1:84 "null": message 1 lacks a subject and a sender`},
	{"blank subject", thread(message("subject", `" "`)), `data-p T: 1
Incomplete in.json:1:85 " ": message 1 lacks a subject`},
	{"subject of a wrong type", thread(message("subject", `{"a":1}`)), `data-p T: 1
Incomplete in.json:1:84 "{\"a\":1}": message 1 lacks a subject`},
	{"null body", thread(message("body_md", "null")), `data-p T: 1
Incomplete in.json:1:145 "null": message 1 lacks a body`},
	{"time that does not parse", thread(message("created_ts", `"yester\u00a7day"`)), `data-p T: 1
Incomplete in.json:1:108 "yester\\u00a7day": message 1 lacks a timestamp that parses (found "yester§day")`},
	{"no time", thread(message("created_ts", "-")), `data-p T: 1
Incomplete in.json:1:85 "INFO: x": message 1 lacks a timestamp`},
	{"nothing at all", thread("{}"), `data-p T: 
Incomplete in.json:1:50 "{": message lacks a subject, a sender and a timestamp`},
	{"wrappers nested too deep", strings.Repeat(`{"result":`, 40) + message() + strings.Repeat("}", 40), `Malformed in.json:1:161 "": wrappers nest too deeply`},
	{"deep nesting elsewhere", `{"thread_id":"T","project":"/data/p","extra":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `,"messages":[]}`, `Malformed in.json:1:10044 "[": nested deeper than 10000 levels`},
	{"many values", `{"thread_id":"T","messages":[` + strings.Repeat("1,", 1<<18) + "1]}", `Malformed in.json:1:393242 "1": too many values for the length of the text`},
	{"no JSON", "hello", `Malformed in.json:1:1 "hello": value hello is not in double quotes`},
}

func TestJSONFaults(t *testing.T) {
	for _, tt := range jsonFaults {
		t.Run(tt.name, func(t *testing.T) {
			equal(t, tt.want, readJSON(t, tt.in))
		})
	}
}

// TestPlaces holds for every character of every text of the corpus, and of some
// nasty ones, that the file holds it where its place says.
func TestPlaces(t *testing.T) {
	nasty := thread(message("body_md", `"a\u00a7\n\"q\"\\ \ud83d\ude00 § 😀\/\t\ud800x"`, "subject", `"\u0041CK: §"`))
	wrapped := `{"contents":[{"text":` + quoted(nasty) + `}]}`
	inputs := []*input.Input{
		input.NewBytes(input.JSON, "nasty", []byte(nasty)),
		input.NewBytes(input.JSON, "bom", []byte("\xef\xbb\xbf"+nasty)),
		input.NewBytes(input.JSON, "wrapped", []byte(wrapped)),
		input.NewBytes(input.JSON, "twice", []byte(`{"jsonrpc":"2.0","result":{"content":[{"text":`+quoted(wrapped)+`}]}}`)),
		input.NewBytes(input.JSON, "events", []byte("event: x\r\ndata: "+wrapped+"\r\n\r\n")),
		input.NewBytes(input.JSON, "events over lines", []byte("\xef\xbb\xbfdata: "+strings.ReplaceAll(nasty, ",", ",\ndata: ")+"\n\n")),
		input.NewBytes(input.JSON, "lines", []byte(message("id", "2")+"\n"+nasty+"\n")),
	}
	for _, name := range corpusJSON(t) {
		inputs = append(inputs, input.New(input.JSON, name))
	}
	for _, in := range inputs {
		s := added(t, Options{Scope: AllScope}, in)
		whole, err := in.Bytes()
		must.OK(t, err)
		file := source.NewFile(in.Path(), whole)
		for _, ti := range s.Threads() {
			th, _ := s.Load(ti)
			for _, m := range th.Messages {
				for _, text := range []*source.Text{m.Subject, m.Body, m.From, m.Created, m.Thread} {
					if text != nil {
						checkPlaces(t, file, text)
					}
				}
			}
		}
	}
}

// checkPlaces checks that each character of a text is, possibly escaped, at its place in
// the file, and that lines and columns are those of the file.
func checkPlaces(t *testing.T, file *source.File, text *source.Text) {
	t.Helper()
	end := -1
	for i, r := range string(text.Data) {
		width := len(string(r))
		span, ok := text.ToFile(source.Span{Start: i, End: i + width})
		if !ok {
			t.Fatalf("%s: no place for %q", file.Path, r)
		}
		raw := string(file.Data[span.Start:span.End])
		if got := unescapeAll(raw, r); got != string(r) {
			t.Fatalf("%s: %q at %v is %q", file.Path, r, span, raw)
		}
		if span.Start < end {
			t.Fatalf("%s: %q at %v overlaps the character before it", file.Path, r, span)
		}
		end = span.End
		if i == 0 || r == '\n' || r == '§' {
			if got, want := text.File.Position(span.Start), file.Position(span.Start); got != want {
				t.Fatalf("%s: position %v, want %v", file.Path, got, want)
			}
		}
	}
}

// unescapeAll decodes JSON escapes until r is left.
func unescapeAll(s string, r rune) string {
	for range 4 {
		if s == string(r) {
			break
		}
		var out string
		if json.Unmarshal([]byte(`"`+s+`"`), &out) != nil {
			break
		}
		s = out
	}
	return s
}

// TestManyFaults checks that a file of nothing but faults is read quickly.
func TestManyFaults(t *testing.T) {
	lines := strings.Repeat(message()+"\n{\"id\": x}\n", 500)
	s := added(t, Options{}, input.NewBytes(input.JSON, "in.json", []byte(lines)))
	got := faults(s)
	if len(got) != maxFaults+1 || got[maxFaults] != `Malformed in.json:202:8 "x": value x is not in double quotes` || s.Faults()[maxFaults].Hint == "" {
		t.Error(len(got), got[len(got)-1])
	}
	deep := `{"thread_id":"T","messages":` + strings.Repeat("[", 1<<20)
	equal(t, `Malformed in.json:1:44 "": wrappers nest too deeply`, readJSON(t, deep))
}

// corpusJSON returns the exports as JSON of the corpus.
func corpusJSON(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(realmail + "json/*")
	if err != nil || len(files) < 40 {
		t.Fatal(files, err)
	}
	return files
}

// TestCorpusJSON compares what is read with what a plain JSON library finds: by
// id, every subject, body, sender and time.
func TestCorpusJSON(t *testing.T) {
	truth := corpusMessages(t)
	seen := 0
	for _, name := range corpusJSON(t) {
		s := open(t, Options{Scope: AllScope}, name)
		for _, ti := range s.Threads() {
			th, problems := s.Load(ti)
			if problems.Count() > 0 {
				t.Errorf("%s: %v", name, problems)
			}
			for i, m := range th.Messages {
				seen++
				want, ok := truth[m.ID]
				if !ok {
					t.Errorf("%s: message %s is none of the corpus", name, m.ID)
					continue
				}
				got := corpusMessage{textOf(m.Subject), textOf(m.From), textOf(m.Created), want.Body, m.AckRequired}
				if m.BodyState == mail.BodyPresent {
					got.Body = textOf(m.Body)
				} else if !strings.Contains(name, "nobodies") && !strings.Contains(name, "mailbox") {
					t.Errorf("%s: message %s has no body", name, m.ID)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s: message %s: (-want +got)\n%s", name, m.ID, d)
				}
				if i > 0 && th.Messages[i-1].Time.After(m.Time) {
					t.Errorf("%s: message %s is out of order", name, m.ID)
				}
			}
		}
		if strings.Contains(name, "error") {
			equal(t, `Malformed error.rpc.json:1:90 "\"Error reading resource 'resource://thread/RS-20990101-nope': project parameter is required for thread resource\"": the server answered with an error, so the export has no mail: "Error reading resource 'resource://thread/RS-20…"`, faults(s))
		} else if p := faults(s); p != nil {
			t.Errorf("%s: %v", name, p)
		}
	}
	if seen < 200 {
		t.Errorf("only %d messages", seen)
	}
}

type corpusMessage struct {
	Subject, From, Created, Body string
	Ack                          bool
}

// corpusMessages reads the bare thread and inbox exports by encoding/json.
func corpusMessages(t testing.TB) map[string]corpusMessage {
	t.Helper()
	type object struct {
		ID      int    `json:"id"`
		Subject string `json:"subject"`
		From    string `json:"from"`
		Created string `json:"created_ts"`
		Body    string `json:"body_md"`
		Ack     bool   `json:"ack_required"`
	}
	out := map[string]corpusMessage{}
	for _, name := range corpusJSON(t) {
		data := must.Read(t, name)
		var thread struct{ Messages []object }
		var inbox []object
		if json.Unmarshal(data, &thread) != nil && json.Unmarshal(data, &inbox) != nil {
			continue
		}
		for _, m := range append(thread.Messages, inbox...) {
			if m.Body != "" {
				out[fmt.Sprint(m.ID)] = corpusMessage{m.Subject, m.From, m.Created, m.Body, m.Ack}
			}
		}
	}
	return out
}
