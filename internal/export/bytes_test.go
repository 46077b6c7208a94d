package export

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

// jsonText is a text as a JSON string, with bytes that are not UTF-8 as they are.
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
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	stmt, _, err := conn.Prepare("INSERT INTO messages VALUES('2025-12-30 00:00:00', ?, 1, 1, 'T', ?, ?, 0)")
	if err != nil {
		t.Fatal(err)
	}
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
		"tool":    write(t, "in.json", `{"contents":[{"text":`+strings.ReplaceAll(quotedBytes(whole), "", "")+`}]}`),
		"archive": write(t, message1, letter("1", "T", front, body), message2, letter("2", "T", "INFO: x", "b")),
		"large":   write(t, "in.json", strings.Replace(whole, `"messages"`, `"note":"`+strings.Repeat("x", wholeSize)+`","messages"`, 1)),
		"SQLite":  path,
	}
}

// quotedBytes is quoted for text that need not be UTF-8.
func quotedBytes(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// TestBytes holds that a message is read alike whatever bytes it holds and in
// whatever form it came, and that the rest of the export is too.
func TestBytes(t *testing.T) {
	for name, c := range map[string]struct {
		subject, body         string
		wantSubject, wantBody string
		fault                 string
	}{
		"NUL":               {"INFO: x", "a\x00b", "INFO: x", "a\x00b", ""},
		"NUL in subject":    {"INFO: \x00x", "b", "INFO: \x00x", "b", ""},
		"escape character":  {"INFO: x", "\x1b[2J", "INFO: x", "\x1b[2J", ""},
		"Latin-1":           {"INFO: x", "caf\xe9 \xff", "INFO: x", "caf\ufffd \ufffd", "message 1 is not valid UTF-8: byte 0xE9"},
		"Latin-1, long":     {"INFO: x", strings.Repeat("line\n", 1000) + "\xe9" + strings.Repeat("\nline", 1000), "INFO: x", strings.Repeat("line\n", 1000) + "\ufffd" + strings.Repeat("\nline", 1000), "message 1 is not valid UTF-8: byte 0xE9"},
		"bytes in subject":  {"INFO: \xa7 x", "\xe9", "INFO: \ufffd x", "\ufffd", "message 1 is not valid UTF-8: byte 0xA7"},
		"character cut off": {"INFO: x", "a\xe2\x82", "INFO: x", "a\ufffd\ufffd", "message 1 is not valid UTF-8: byte 0xE2"},
		"all kinds":         {"INFO: x", "a\x00\r\xff\n\r\nb", "INFO: x", "a\x00\n\ufffd\n\r\nb", "message 1 is not valid UTF-8: byte 0xFF"},
		"lone CR":           {"INFO: x", "# a\r\rb\r\nc", "INFO: x", "# a\n\nb\r\nc", ""},
	} {
		for form, path := range inEveryForm(t, c.subject, c.body) {
			t.Run(name+"/"+form, func(t *testing.T) {
				s := open(t, Options{Scope: AllScope}, path)
				if p := s.Problems(); len(p) > 0 || len(s.Threads()) != 1 {
					t.Fatal(p, s.Threads())
				}
				th, problems := s.Load(s.Threads()[0])
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
				for _, p := range problems {
					faults = append(faults, p.Message)
					if p.Rule != "IN-001" || p.ID != "1" || !p.Fatal || !p.Place.Known() {
						t.Errorf("%+v", p)
					}
				}
				if strings.Join(faults, "\n") != c.fault || m.Garbled != (c.fault != "") {
					t.Errorf("told of %q, want %q; garbled %v", faults, c.fault, m.Garbled)
				}
			})
		}
	}
}

// TestRawControls holds what raw control characters do to JSON, and other bytes
// that it does not allow.
func TestRawControls(t *testing.T) {
	body := func(s string) string { return message("body_md", `"`+s+`"`) }
	two := message("id", "2")
	for name, c := range map[string]struct{ in, body, want string }{
		"in a body": {thread(body("a\x00b"), two), "a\ufffdb",
			"data-p T: 1 2\nIN-002 in.json:1:147 \"\\xff\": message 1 has the control character U+0000 as it is, which JSON does not allow"},
		"in two messages": {thread(body("a\x00\x00b"), message("id", "2", "body_md", "\"\x1f\"")), "a\ufffd\ufffdb",
			"data-p T: 1 2\nIN-002 in.json:1:147 \"\\xff\": message 1 has the control character U+0000 as it is, which JSON does not allow\n" +
				"IN-002 in.json:1:260 \"\\xff\": message 2 has the control character U+001F as it is, which JSON does not allow"},
		"beside a byte that is not UTF-8": {thread(body("\xe9\x00"), two), "\ufffd\ufffd",
			"data-p T: 1 2\nIN-001 in.json:1:146 \"\\xe9\": message 1 is not valid UTF-8: byte 0xE9\n" +
				"IN-002 in.json:1:147 \"\\xff\": message 1 has the control character U+0000 as it is, which JSON does not allow"},
		"between members": {strings.Replace(thread(body("x"), two), `"from"`, "\x00"+`"from"`, 1), "x",
			"data-p T: 1 2\nIN-002 in.json:1:149 \" \": message 1 has the control character U+0000 as it is, which JSON does not allow"},
		"outside of messages": {strings.Replace(thread(body("x"), two), `"project"`, "\"n\x01\":1,"+`"project"`, 1), "x",
			"IN-002 in.json:1:4 \"\\x01\": the file has the control character U+0001 as it is, which JSON does not allow\ndata-p T: 1 2"},
		"after the end": {thread(body("x"), two) + "\x00\x00\x00", "x",
			"IN-002 in.json:1:273 \"\\x00\": the file has the control character U+0000 as it is, which JSON does not allow\ndata-p T: 1 2"},
		"a stray byte": {strings.Replace(thread(body("x"), two), `},{`, "},\xff{", 1), "x",
			"IN-001 in.json:1:161 \"\\xff\": is not valid UTF-8: byte 0xFF\ndata-p T: 1 2"},
		"in a wrapper": {`{"contents":[{"text":"` + strings.NewReplacer(`"`, `\"`).Replace(thread(body("a\x00b"), two)) + `"}]}`, "a\ufffdb",
			"data-p T: 1 2\nIN-002 in.json:1:196 \"\\xff\": message 1 has the control character U+0000 as it is, which JSON does not allow"},
		"beside another fault": {thread(body("a\x00b"), two) + "}", "a\ufffdb",
			"IN-002 in.json:1:275 \"}\": } closes nothing\ndata-p T: 1 2 (part)\n" +
				"IN-002 in.json:1:147 \"\\xff\": message 1 has the control character U+0000 as it is, which JSON does not allow"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, Options{Scope: AllScope}, write(t, "in.json", c.in))
			got := append(problems(s), list(t, s)...)
			equal(t, c.want, got)
			th, _ := s.Load(s.Threads()[0])
			if th.Messages[0].Body.String() != c.body {
				t.Errorf("body %q, want %q", th.Messages[0].Body.String(), c.body)
			}
		})
	}
	front := write(t, message1, letter("1", "T", "INFO: \x00x", "b"), message2, letter("2", "T", "INFO: x", "b"))
	equal(t, "data-p T: 1 2\nIN-002 2025-12-30T00-00-01Z__info-x__1.md:10:21 \"\\xff\": message 1 has the control character U+0000 as it is, which JSON does not allow",
		list(t, open(t, Options{Scope: AllScope}, front)))
}

// TestGarbledCopies holds that a byte is told once of a message, at the copy that
// is reported, and that copies which differ in it alone do not differ.
func TestGarbledCopies(t *testing.T) {
	bad := letter("1", "T", "INFO: x", "caf\xe9")
	good := strings.Replace(bad, "\xe9", "é", 1)
	inJSON := thread(message("body_md", "\"caf\xe9\""))
	for name, c := range map[string]struct {
		files []string
		want  []string
	}{
		"all copies":       {[]string{message1, bad, outbox1, bad, inbox1, bad, "x.json", inJSON}, []string{"IN-001 2025-12-30T00-00-01Z__info-x__1.md:18:4"}},
		"the canonical":    {[]string{message1, bad, inbox1, good}, []string{"IN-001 2025-12-30T00-00-01Z__info-x__1.md:18:4"}},
		"another copy":     {[]string{message1, good, inbox1, bad}, []string{"IN-001 2025-12-30T00-00-01Z__info-x__1.md:18:4"}},
		"a copy elsewhere": {[]string{message1, good, "x.json", inJSON}, []string{"IN-001 x.json:1:149"}},
		"another difference, too": {[]string{message1, strings.Replace(good, "caf", "Caf", 1), inbox1, bad},
			[]string{"IN-001 2025-12-30T00-00-01Z__info-x__1.md:18:4", "IN-004 2025-12-30T00-00-01Z__info-x__1.md:18:1"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, Options{Scope: AllScope}, write(t, c.files...))
			_, problems := s.Load(s.Threads()[0])
			var got []string
			for _, p := range problems {
				line, _, _ := strings.Cut(describeProblem(p), ` "`)
				got = append(got, line)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("told of %q, want %q", got, c.want)
			}
		})
	}
}

// TestGarbledThreads holds that the id of a thread is the same however it came.
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
