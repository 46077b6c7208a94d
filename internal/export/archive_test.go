package export

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/source"
)

// letter returns a message file of the archive.
func letter(id, thread, subject, body string) string {
	if thread != "null" {
		thread = `"` + thread + `"`
	}
	return "---json\n{\n  \"bcc\": [],\n  \"cc\": [],\n  \"created\": \"2025-12-30T00:00:0" + id[len(id)-1:] + "+00:00\",\n  \"from\": \"A\",\n  \"id\": " + id +
		",\n  \"project\": \"/data/p\",\n  \"project_slug\": \"data-p\",\n  \"subject\": \"" + subject + "\",\n  \"thread_id\": " + thread + ",\n  \"to\": [\n    \"B\"\n  ]\n}\n---\n\n" + body + "\n"
}

const (
	project  = "projects/data-p/"
	message1 = project + "messages/2025/12/2025-12-30T00-00-01Z__info-x__1.md"
	outbox1  = project + "agents/A/outbox/2025/12/2025-12-30T00-00-01Z__info-x__1.md"
	inbox1   = project + "agents/B/inbox/2025/12/2025-12-30T00-00-01Z__info-x__1.md"
	message2 = project + "messages/2025/12/2025-12-30T00-00-02Z__info-y__2.md"
)

func TestArchive(t *testing.T) {
	one := letter("1", "T", `INFO: \u00a7`, "body")
	two := letter("2", "T", "INFO: y", "body")
	long := letter("1", "T", "INFO: x", "body\n\ntext\nend")
	tests := []struct {
		name  string
		files []string
		want  string
	}{
		{"copies", []string{message1, one, outbox1, one, inbox1, one, message2, two}, "data-p T: 1 2"},
		{"copies alone", []string{outbox1, one, inbox1, one}, "data-p T: 1 (part)"},
		{"line ends of Windows", []string{message1, strings.ReplaceAll(one, "\n", "\r\n"), outbox1, strings.ReplaceAll(one, "\n", "\r\n")}, "data-p T: 1"},
		{"line ends of Windows in a copy", []string{message1, long, inbox1, strings.ReplaceAll(long, "\n", "\r\n")}, "data-p T: 1"},
		{"another line in a copy with line ends of Windows", []string{message1, long, inbox1, strings.ReplaceAll(strings.Replace(long, "text", "tent", 1), "\n", "\r\n")},
			"data-p T: 1\nCopyMismatch 2025-12-30T00-00-01Z__info-x__1.md:20:3 \"xt\": body of message 1: \"text\", in IN \"tent\""},
		{"byte order mark", []string{message1, "\xef\xbb\xbf" + one}, "data-p T: 1"},
		{"body begins with a rule", []string{message1, letter("1", "T", "INFO: x", "---\nfront: matter\n---\n\ntext")}, "data-p T: 1"},
		{"digest", []string{message1, one, project + "messages/threads/T.md", "# Thread T\n\n### INFO: x\n"}, "data-p T: 1"},
		{"numeric thread", []string{message1, letter("1", "null", "INFO: x", "b"), message2, letter("2", "1", "Re: INFO: x", "b")}, "data-p 1: 1 2"},
		{"mail outside the protocol", []string{message1, letter("1", "chat", "hello", "b"), message2, letter("2", "null", "contact", "b")}, ""},
		{"research thread of replies", []string{message1, letter("1", "RS-20251230-x", "Re: hello", "b")}, "data-p RS-20251230-x: 1"},
		{"body of a copy differs", []string{message1, one, outbox1, strings.Replace(one, "body", "b§dy", 1), inbox1, strings.Replace(one, "body", "boo", 1)},
			"data-p T: 1\nCopyMismatch 2025-12-30T00-00-01Z__info-x__1.md:18:2 \"ody\": body of message 1: \"body\", in OUT \"b§dy\""},
		{"subject of a copy differs", []string{message1, one, inbox1, strings.Replace(one, `\u00a7`, `\u00a7!`, 1)},
			"data-p T: 1\nCopyMismatch 2025-12-30T00-00-01Z__info-x__1.md:10:27 \"\": subject of message 1: \"INFO: §\", in IN \"INFO: §!\""},
		{"copies differ without a canonical one", []string{outbox1, one, inbox1, strings.Replace(one, "body", "b", 1)},
			"data-p T: 1 (part)\nCopyMismatch 2025-12-30T00-00-01Z__info-x__1.md:18:2 \"ody\": body of message 1: \"body\", in IN \"b\""},
		{"two messages with one id", []string{message1, one, message2, strings.Replace(one, "body", "other", 1)},
			"data-p T: 1\nCopyMismatch 2025-12-30T00-00-01Z__info-x__1.md:18:1 \"body\": body of message 1: \"body\", in TWO \"other\""},
		{"only white space differs", []string{message1, one, inbox1, one + "\n\n"}, "data-p T: 1"},
		{"broken front matter, but a copy", []string{message1, strings.Replace(one, `"A",`, `"A"`, 1), outbox1, one, message2, two},
			"data-p T: 1 2\nCopyReadAlone 2025-12-30T00-00-01Z__info-x__1.md:7:3 \"\\\"\": message 1, from OUT\nMalformed 2025-12-30T00-00-01Z__info-x__1.md:7:3 \"\\\"\": missing comma before a string"},
		{"broken front matter", []string{message1, strings.Replace(one, `"A",`, `"A"`, 1), message2, two},
			"data-p T: 2 (part)\nMalformed 2025-12-30T00-00-01Z__info-x__1.md:7:3 \"\\\"\": missing comma before a string"},
		{"UTF-16", []string{message1, "\xff\xfe-\x00-\x00-\x00", message2, two},
			"data-p T: 2\nMalformed 2025-12-30T00-00-01Z__info-x__1.md:1:1 " + `"\xff\xfe-\x00-\x00-\x00": is in UTF-16; expected a message in UTF-8`},
		{"front matter never closed", []string{message1, strings.Replace(one, "\n---\n", "\n--\n", 1), message2, two},
			"data-p T: 2 (part)\nMalformed 2025-12-30T00-00-01Z__info-x__1.md:1:1 \"---json\": the front matter is never closed: expected a line --- after it"},
		{"front matter is no object", []string{message1, "---json\n[1]\n---\n\nx\n"},
			"Malformed 2025-12-30T00-00-01Z__info-x__1.md:2:1 \"[1]\\n\": the front matter is not a JSON object"},
		{"front matter of no message", []string{message1, "---json\n{\"id\": 1}\n---\n\nx\n", message2, two},
			"data-p T: 2\nMalformed 2025-12-30T00-00-01Z__info-x__1.md:2:1 \"{\\\"id\\\": 1}\\n\": the front matter has no subject, no sender and no thread"},
		{"not UTF-8", []string{message1, strings.Replace(one, "body", "b\xffdy", 1), message2, two},
			"data-p T: 1 2\nNotUTF8 2025-12-30T00-00-01Z__info-x__1.md:18:2 \"\\xff\": message 1: not valid UTF-8: byte 0xFF"},
		{"no sender, no time", []string{message1, strings.NewReplacer(`"from": "A",`, "", `"created": "2025-12-30T00:00:01+00:00"`, `"created": 3`).Replace(one)},
			"data-p T: 1\nIncomplete 2025-12-30T00-00-01Z__info-x__1.md:5:14 \"3\": message 1 lacks a sender and a timestamp"},
		{"no subject", []string{message1, strings.NewReplacer(`"subject"`, `"title"`, `"T"`, `"RS-20251230-x"`).Replace(one)},
			"data-p RS-20251230-x: 1\nIncomplete 2025-12-30T00-00-01Z__info-x__1.md:2:1 \"{\": message 1 lacks a subject"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, tt.files...)
			s := open(t, Options{Scope: AutoScope}, dir)
			got := append(list(t, s), faults(s)...)
			for i := range got {
				got[i] = strings.NewReplacer(dir+"/"+outbox1, "OUT", dir+"/"+inbox1, "IN", dir+"/"+message2, "TWO").Replace(got[i])
			}
			if tt.want == "" {
				if got != nil || s.Counts().Skipped != 2 {
					t.Error(got, s.Counts())
				}
				return
			}
			equal(t, tt.want, got)
		})
	}
}

// TestArchiveAlone checks that one file of an archive, named explicitly, is read whole
// whatever its subject, and does not say that its thread is complete.
func TestArchiveAlone(t *testing.T) {
	dir := write(t, message1, letter("1", "chat", "hello", "b"), message2, letter("2", "chat", "hello", "b"))
	equal(t, "data-p chat: 1 (part)", list(t, open(t, Options{}, dir+"/"+message1)))
	equal(t, "data-p chat: 1 2", list(t, open(t, Options{}, dir+"/"+message1, dir+"/"+message2)))
	if got := list(t, open(t, Options{Scope: ProtocolScope}, dir+"/"+message1)); got != nil {
		t.Error(got)
	}
	equal(t, "data-p chat: 1 2", list(t, open(t, Options{Scope: AllScope}, dir)))
}

func TestArchiveMessage(t *testing.T) {
	data := letter("1", "T", `INFO: \u00a7 \"q\"`, "# One\n\ntwo §")
	x := scanMessage("m.md", []byte(data))
	m, err := x.message(&entry{size: uint32(len(data))})
	must.OK(t, err)
	if textOf(m.Subject) != `INFO: § "q"` || textOf(m.Body) != "# One\n\ntwo §" || textOf(m.Thread) != "T" || textOf(m.From) != "A" || m.ID != "1" {
		t.Error(textOf(m.Subject), textOf(m.Body), textOf(m.Thread), textOf(m.From), m.ID)
	}
	if !m.HasRecipients || len(m.Recipients) != 1 || m.Recipients[0].Name != "B" || m.Recipients[0].Kind != "to" {
		t.Error(m.Recipients)
	}
	for _, x := range []*source.Text{m.Subject, m.Body, m.From, m.Created, m.Recipients[0].Text} {
		checkPlaces(t, source.NewFile("m.md", []byte(data)), x)
	}
}

// drafts returns the drafts of testdata/drafts.txtar, and how they are read.
func drafts(tb testing.TB) []must.Example {
	all := must.Examples(tb, "testdata/drafts.txtar")
	for i := range all {
		all[i].In = strings.TrimSuffix(all[i].In, "\n")
	}
	return all
}

func TestReadDraft(t *testing.T) {
	for _, ex := range drafts(t) {
		t.Run(ex.Name, func(t *testing.T) {
			call, facts := ReadDraft(source.NewFile("draft", []byte(ex.In)), jsontree.Options{})
			equal(t, ex.Want, describeCall(call, facts))
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

// jsonText returns a text as a JSON string, with bytes that are not UTF-8 unchanged.
func jsonText(s string) string {
	r := strings.NewReplacer("\x00", `\u0000`, "\r", `\r`, "\n", `\n`, `"`, `\"`, "\x1b", `\u001b`)
	return `"` + r.Replace(s) + `"`
}

// inEveryForm writes two messages of a thread, of which the first has the subject
// and body, in every form of export.
func inEveryForm(t *testing.T, subject, body string) map[string]string {
	one := message("subject", jsonText(subject), "body_md", jsonText(body), "project_slug", `"data-p"`)
	two := message("id", "2", "project_slug", `"data-p"`)
	whole := thread(one, two)
	path := mailboxFile(t, "DELETE FROM messages", "UPDATE projects SET slug = 'data-p'")
	conn, err := sqlite3.Open(path)
	must.OK(t, err)
	defer conn.Close()
	stmt, _, err := conn.Prepare("INSERT INTO messages VALUES('2025-12-30 00:00:00', ?, 1, 1, 'T', ?, ?, 0)")
	must.OK(t, err)
	defer stmt.Close()
	for i, row := range [][2]string{{subject, body}, {"INFO: x", "b"}} {
		for n, err := range []error{stmt.BindInt(1, i+1), stmt.BindText(2, row[0]), stmt.BindText(3, row[1]), stmt.Exec(), stmt.Reset()} {
			if err != nil {
				t.Fatal(n, err)
			}
		}
	}
	front := strings.Trim(jsonText(subject), `"`)
	return map[string]string{
		"thread":  write(t, "in.json", whole),
		"lines":   write(t, "in.jsonl", one+"\n"+two+"\n"),
		"events":  write(t, "in.txt", "event: message\ndata: "+whole+"\n\n"),
		"tool":    write(t, "in.json", `{"contents":[{"text":`+quotedBytes(whole)+`}]}`),
		"archive": write(t, message1, letter("1", "T", front, body), message2, letter("2", "T", "INFO: x", "b")),
		"SQLite":  path,
	}
}

// quotedBytes is quoted for text that need not be UTF-8.
func quotedBytes(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// TestBytes checks that a message is read the same from every form of export, whatever its
// bytes, and that the rest of the export is too.
func TestBytes(t *testing.T) {
	testenv.SkipUnderRace(t)
	for name, c := range map[string]struct {
		subject, body         string
		wantSubject, wantBody string
		fault                 string
	}{
		"NUL":               {"INFO: x", "a\x00b", "INFO: x", "a\x00b", ""},
		"NUL in subject":    {"INFO: \x00x", "b", "INFO: \x00x", "b", ""},
		"escape character":  {"INFO: x", "\x1b[2J", "INFO: x", "\x1b[2J", ""},
		"Latin-1":           {"INFO: x", "caf\xe9 \xff", "INFO: x", "caf\ufffd \ufffd", "not valid UTF-8: byte 0xE9"},
		"Latin-1, long":     {"INFO: x", strings.Repeat("line\n", 1000) + "\xe9" + strings.Repeat("\nline", 1000), "INFO: x", strings.Repeat("line\n", 1000) + "\ufffd" + strings.Repeat("\nline", 1000), "not valid UTF-8: byte 0xE9"},
		"bytes in subject":  {"INFO: \xa7 x", "\xe9", "INFO: \ufffd x", "\ufffd", "not valid UTF-8: byte 0xA7"},
		"character cut off": {"INFO: x", "a\xe2\x82", "INFO: x", "a\ufffd\ufffd", "not valid UTF-8: byte 0xE2"},
		"all kinds":         {"INFO: x", "a\x00\r\xff\n\r\nb", "INFO: x", "a\x00\n\ufffd\n\r\nb", "not valid UTF-8: byte 0xFF"},
		"lone CR":           {"INFO: x", "# a\r\rb\r\nc", "INFO: x", "# a\n\nb\r\nc", ""},
	} {
		for form, path := range inEveryForm(t, c.subject, c.body) {
			t.Run(name+"/"+form, func(t *testing.T) {
				s := open(t, Options{Scope: AllScope}, path)
				if p := s.Faults(); len(p) > 0 || len(s.Threads()) != 1 {
					t.Fatal(p, s.Threads())
				}
				th, facts := s.Load(s.Threads()[0])
				if len(th.Messages) != 2 || !th.Complete {
					t.Fatalf("%d messages, whole %v", len(th.Messages), th.Complete)
				}
				m := th.Messages[0]
				if got := m.Subject.String(); got != c.wantSubject {
					t.Errorf("subject %q, want %q", got, c.wantSubject)
				}
				if got := m.Body.String(); got != c.wantBody {
					t.Errorf("body %q, want %q", got, c.wantBody)
				}
				var faults []string
				for _, f := range facts.Faults {
					faults = append(faults, f.Err.Error())
					if f.Kind != source.NotUTF8 || !f.InMessage || f.MessageID != "1" || !f.At.Known() {
						t.Errorf("%+v", f)
					}
				}
				if strings.Join(faults, "\n") != c.fault || m.Garbled != (c.fault != "") {
					t.Errorf("told of %q, want %q; garbled %v", faults, c.fault, m.Garbled)
				}
			})
		}
	}
}

// TestRawControls checks the effect of raw control characters in JSON, and of other bytes
// that it does not allow.
func TestRawControls(t *testing.T) {
	body := func(s string) string { return message("body_md", `"`+s+`"`) }
	two := message("id", "2")
	for name, c := range map[string]struct{ in, body, want string }{
		"in a body": {thread(body("a\x00b"), two), "a\ufffdb",
			"data-p T: 1 2\nRawControl in.json:1:147 \"\\xff\": message 1: control character U+0000 is not escaped"},
		"in two messages": {thread(body("a\x00\x00b"), message("id", "2", "body_md", "\"\x1f\"")), "a\ufffd\ufffdb",
			"data-p T: 1 2\nRawControl in.json:1:147 \"\\xff\": message 1: control character U+0000 is not escaped\n" +
				"RawControl in.json:1:260 \"\\xff\": message 2: control character U+001F is not escaped"},
		"beside a byte that is not UTF-8": {thread(body("\xe9\x00"), two), "\ufffd\ufffd",
			"data-p T: 1 2\nNotUTF8 in.json:1:146 \"\\xe9\": message 1: not valid UTF-8: byte 0xE9\n" +
				"RawControl in.json:1:147 \"\\xff\": message 1: control character U+0000 is not escaped"},
		"between members": {strings.Replace(thread(body("x"), two), `"from"`, "\x00"+`"from"`, 1), "x",
			"data-p T: 1 2\nRawControl in.json:1:149 \" \": message 1: control character U+0000 is not escaped"},
		"outside of messages": {strings.Replace(thread(body("x"), two), `"project"`, "\"n\x01\":1,"+`"project"`, 1), "x",
			"RawControl in.json:1:4 \"\\x01\": control character U+0001 is not escaped\ndata-p T: 1 2"},
		"after the end": {thread(body("x"), two) + "\x00\x00\x00", "x",
			"RawControl in.json:1:273 \"\\x00\": control character U+0000 is not escaped\ndata-p T: 1 2"},
		"a stray byte": {strings.Replace(thread(body("x"), two), `},{`, "},\xff{", 1), "x",
			"NotUTF8 in.json:1:161 \"\\xff\": not valid UTF-8: byte 0xFF\ndata-p T: 1 2"},
		"in a wrapper": {`{"contents":[{"text":"` + strings.NewReplacer(`"`, `\"`).Replace(thread(body("a\x00b"), two)) + `"}]}`, "a\ufffdb",
			"data-p T: 1 2\nRawControl in.json:1:196 \"\\xff\": message 1: control character U+0000 is not escaped"},
		"beside another fault": {thread(body("a\x00b"), two) + "}", "a\ufffdb",
			"Malformed in.json:1:275 \"}\": unmatched }\ndata-p T: 1 2 (part)\n" +
				"RawControl in.json:1:147 \"\\xff\": message 1: control character U+0000 is not escaped"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, Options{Scope: AllScope}, write(t, "in.json", c.in))
			got := append(faults(s), list(t, s)...)
			equal(t, c.want, got)
			th, _ := s.Load(s.Threads()[0])
			if th.Messages[0].Body.String() != c.body {
				t.Errorf("body %q, want %q", th.Messages[0].Body.String(), c.body)
			}
		})
	}
	front := write(t, message1, letter("1", "T", "INFO: \x00x", "b"), message2, letter("2", "T", "INFO: x", "b"))
	equal(t, "data-p T: 1 2\nRawControl 2025-12-30T00-00-01Z__info-x__1.md:10:21 \"\\xff\": message 1: control character U+0000 is not escaped",
		list(t, open(t, Options{Scope: AllScope}, front)))
}

// TestGarbledCopies checks that a byte is reported once per message, at the reported copy,
// and that copies that differ only in it do not count as different.
func TestGarbledCopies(t *testing.T) {
	bad := letter("1", "T", "INFO: x", "caf\xe9")
	good := strings.Replace(bad, "\xe9", "é", 1)
	inJSON := thread(message("body_md", "\"caf\xe9\""))
	for name, c := range map[string]struct {
		files []string
		want  []string
	}{
		"all copies":       {[]string{message1, bad, outbox1, bad, inbox1, bad, "x.json", inJSON}, []string{"NotUTF8 2025-12-30T00-00-01Z__info-x__1.md:18:4"}},
		"the canonical":    {[]string{message1, bad, inbox1, good}, []string{"NotUTF8 2025-12-30T00-00-01Z__info-x__1.md:18:4"}},
		"another copy":     {[]string{message1, good, inbox1, bad}, []string{"NotUTF8 2025-12-30T00-00-01Z__info-x__1.md:18:4"}},
		"a copy elsewhere": {[]string{message1, good, "x.json", inJSON}, []string{"NotUTF8 x.json:1:149"}},
		"another difference, too": {[]string{message1, strings.Replace(good, "caf", "Caf", 1), inbox1, bad},
			[]string{"NotUTF8 2025-12-30T00-00-01Z__info-x__1.md:18:4", "CopyMismatch 2025-12-30T00-00-01Z__info-x__1.md:18:1"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, Options{Scope: AllScope}, write(t, c.files...))
			_, facts := s.Load(s.Threads()[0])
			var got []string
			for _, line := range describeFacts(facts) {
				line, _, _ = strings.Cut(line, ` "`)
				got = append(got, line)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("told of %q, want %q", got, c.want)
			}
		})
	}
}

// TestGarbledThreads checks that the id of a thread is the same in every form of export.
func TestGarbledThreads(t *testing.T) {
	s := open(t, Options{Scope: AllScope}, write(t, "a.json", thread(message("thread_id", "\"RS-\xe9\"")), "b.json", thread(message("id", "2", "thread_id", `"RS-`+"\ufffd"+`"`))))
	var got []string
	for _, th := range s.Threads() {
		got = append(got, fmt.Sprint(th.ID, " ", th.Messages))
	}
	if want := "RS-\ufffd 2"; strings.Join(got, ", ") != want {
		t.Errorf("threads %q, want %q", got, want)
	}
}
