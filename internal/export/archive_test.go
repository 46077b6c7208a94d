package export

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
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
		{"copies alone", []string{outbox1, one, inbox1, one}, "data-p T: 1"},
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
			"data-p T: 1\nCopyMismatch 2025-12-30T00-00-01Z__info-x__1.md:18:2 \"ody\": body of message 1: \"body\", in IN \"b\""},
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

func TestArchiveRoot(t *testing.T) {
	for path, want := range map[string]string{
		"mail/projects/p/messages/2025/12/x.md":  "mail",
		"projects/p/agents/A/inbox/2025/12/x.md": ".",
		"../m/projects/p/agents/A/profile.json":  "../m",
		"old/messages/2025/12/x.md":              "old",
		"messages/2025/12/x.md":                  ".",
		"some/x.md":                              "some",
		"projects/notes/x.md":                    "projects/notes",
	} {
		if got := placeOf(path).root; got != want {
			t.Errorf("placeOf(%q).root = %q, want %q", path, got, want)
		}
	}
}
