package export

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// record is what an export says about a message, in a comparable form.
type record struct {
	Thread, Subject, From, Body, Created string
	Ack                                  bool
	Recipients, Acked                    []string
}

// readAll adds inputs to a store of all mail and reads every thread of it.
func readAll(t testing.TB, ins ...*input.Input) (map[string]record, Facts) {
	t.Helper()
	return recordAll(added(t, Options{Scope: AllScope}, ins...))
}

// recordAll reads every thread of a store.
func recordAll(s *Store) (map[string]record, Facts) {
	out := map[string]record{}
	facts := Facts{Faults: s.Faults()}
	for _, info := range s.Threads() {
		thread, more := s.Load(info)
		facts.Add(more)
		for _, m := range thread.Messages {
			out[m.Project+" "+m.ID] = recordOf(thread, m)
		}
	}
	return out, facts
}

func recordOf(thread *mail.Thread, m *mail.Message) record {
	out := record{Thread: thread.ID, Subject: textOf(m.Subject), Created: m.Time.UTC().String(), Ack: m.AckRequired}
	if m.From != nil {
		out.From = string(m.From.Data)
	}
	if m.Body != nil {
		out.Body = strings.TrimSpace(string(m.Body.Data))
	}
	for _, r := range m.Recipients {
		out.Recipients = append(out.Recipients, r.Kind+" "+r.Name)
		if r.Acknowledged {
			out.Acked = append(out.Acked, r.Name)
		}
	}
	slices.Sort(out.Recipients)
	slices.Sort(out.Acked)
	return out
}

func noFacts(t testing.TB, facts Facts) {
	t.Helper()
	for _, line := range describeFacts(facts) {
		t.Error(line)
	}
}

// Every form of the same mailbox yields the same mails.
func TestFormsAgree(t *testing.T) {
	live, problems := readAll(t, input.New(input.SQLite, realmail+"storage.sqlite3"))
	noFacts(t, problems)
	if len(live) != 51 {
		t.Fatalf("%d messages, want 51", len(live))
	}
	data := must.Read(t, realmail+"storage.sqlite3")
	chunks := t.TempDir()
	must.OK(t, os.CopyFS(chunks, os.DirFS(realmail+"bundle-chunked")))
	must.OK(t, os.Remove(filepath.Join(chunks, bundle.DatabaseName)))
	archive, problems := recordAll(open(t, Options{Scope: AllScope}, realmail+"archive"))
	noFacts(t, problems)
	unacked := map[string]record{}
	for key, m := range live {
		m.Acked = nil // the archive cannot show it
		unacked[key] = m
	}
	if d := cmp.Diff(unacked, archive); d != "" {
		t.Errorf("archive (-live +archive):\n%s", d)
	}
	for name, c := range map[string]struct {
		in       *input.Input
		scrubbed bool
	}{
		"standard input":     {input.NewBytes(input.SQLite, "-", data), false},
		"bundle":             {input.New(input.Bundle, realmail+"bundle"), true},
		"database of bundle": {input.New(input.SQLite, realmail+"bundle/mailbox.sqlite3"), true},
		"zip":                {input.New(input.Zip, realmail+"bundle.zip"), true},
		"chunked":            {input.New(input.Bundle, realmail+"bundle-chunked"), false},
		"chunks alone":       {input.New(input.Bundle, chunks), false},
		"first chunk":        {input.New(input.SQLite, filepath.ToSlash(chunks)+"/chunks/00000.bin"), false},
	} {
		got, problems := readAll(t, c.in)
		noFacts(t, problems)
		want := live
		if c.scrubbed {
			want = scrub(live)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-live +%s):\n%s", name, name, d)
		}
	}
}

// scrub returns what the preset standard leaves of messages.
func scrub(live map[string]record) map[string]record {
	out := map[string]record{}
	for key, m := range live {
		m.Ack, m.Acked = false, nil
		m.Body = strings.ReplaceAll(m.Body, "Bearer not-a-real-token-0123456789", "[REDACTED]")
		out[key] = m
	}
	return out
}

func TestFactsOfDatabases(t *testing.T) {
	for name, in := range map[string]*input.Input{
		"live":     input.New(input.SQLite, realmail+"storage.sqlite3"),
		"standard": input.New(input.Bundle, realmail+"bundle"),
		"strict":   input.New(input.Bundle, realmail+"bundle-strict"),
		"archive":  input.New(input.Bundle, realmail+"bundle-chunked"),
	} {
		s := added(t, Options{}, in)
		f := s.Exports()[0]
		cleared := name == "standard" || name == "strict"
		if f.AckFlagsCleared != cleared || f.RecordsAcks == cleared || f.BodiesRedacted != (name == "strict") || f.Scrubbed != cleared || !f.Mailbox || f.Partial {
			t.Errorf("%s: %+v", name, f)
		}
		if name != "strict" && !slices.Contains(f.Roster["data-projects-bio-inspired-nanochat"], mail.Agent{Name: "GreenValley", Program: "gemini-cli", Model: "gemini-3"}) {
			t.Errorf("%s: roster %v", name, f.Roster)
		}
		for _, info := range s.Threads() {
			thread, problems := s.Load(info)
			noFacts(t, problems)
			for _, m := range thread.Messages {
				if redacted := m.BodyState == mail.BodyRedacted; redacted != (name == "strict") {
					t.Errorf("%s: message %s has body state %d", name, m.ID, m.BodyState)
				}
			}
		}
	}
}

// mailboxFile creates a small mailbox, changed by more SQL, and returns its path.
func mailboxFile(t testing.TB, more ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "storage.sqlite3")
	conn, err := sqlite3.Open(path)
	must.OK(t, err)
	defer conn.Close()
	for _, sql := range append([]string{
		"CREATE TABLE projects(id INTEGER PRIMARY KEY, slug TEXT, human_key TEXT)",
		"CREATE TABLE agents(id INTEGER PRIMARY KEY, project_id INTEGER, name TEXT)",
		"CREATE TABLE messages(created_ts, id INTEGER PRIMARY KEY, project_id INTEGER, sender_id INTEGER, thread_id TEXT, subject TEXT, body_md TEXT, ack_required INTEGER)",
		"CREATE TABLE message_recipients(message_id INTEGER, agent_id INTEGER, kind TEXT, ack_ts TEXT)",
		"INSERT INTO projects VALUES(1, 'lab', '/lab')",
		"INSERT INTO agents VALUES(1, 1, 'Red'), (2, 1, 'Blue')",
		"INSERT INTO messages VALUES('2026-01-02 10:00:00.000000', 1, 1, 1, 'RS-20260102-a-b', 'KICKOFF: x', 'one', 1), ('2026-01-02T10:05:00.5', 2, 1, 2, 'RS-20260102-a-b', 'ACK: x', 'two', 0)",
		"INSERT INTO message_recipients VALUES(1, 2, 'to', '2026-01-02 10:03:00'), (2, 1, 'to', NULL)",
	}, more...) {
		if err := conn.Exec(sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	return path
}

// A thread has the agents that any of its exports lists for its project, whichever copies are reported.
func TestRosters(t *testing.T) {
	thread := filepath.Join(write(t, "thread.json", `{"project": "/lab", "thread_id": "RS-20260102-a-b", "messages": [
{"id": 1, "from": "Red", "subject": "KICKOFF: x", "created_ts": "2026-01-02T10:00:00+00:00", "body_md": "one"},
{"id": 2, "from": "Blue", "subject": "ACK: x", "created_ts": "2026-01-02T10:05:00.500000+00:00", "body_md": "two"}]}`), "thread.json")
	older := mailboxFile(t)
	newer := mailboxFile(t, "INSERT INTO projects VALUES(2, 'other', '/other')", "INSERT INTO agents VALUES(3, 1, 'Green'), (4, 2, 'Grey')")
	for _, c := range []struct {
		want  string
		paths []string
	}{{"[]", []string{thread}}, {"[Blue Red]", []string{thread, older}}, {"[Blue Green Red]", []string{older, newer}}, {"[Blue Green Red]", []string{newer, thread, older}}} {
		s := open(t, Options{}, c.paths...)
		if r := s.Open(s.Threads()[0]); len(s.Threads()) != 1 || fmt.Sprint(r.Agents(nil)) != c.want || (r.Roster == nil) != (c.want == "[]") {
			t.Errorf("%v: %v, expected %s", c.paths, r.Roster, c.want)
		}
	}
}

// Tables and columns that this version of the server lacks are not a fault.
func TestOtherSchemas(t *testing.T) {
	for name, c := range map[string]struct {
		sql  []string
		want string
	}{
		"as is":         {nil, `1 Red "one" [to Blue] [Blue]`},
		"more columns":  {[]string{"ALTER TABLE messages ADD COLUMN mood TEXT", "ALTER TABLE agents ADD COLUMN shoe INTEGER"}, `1 Red "one" [to Blue] [Blue]`},
		"capitals":      {[]string{"ALTER TABLE messages RENAME COLUMN subject TO Subject"}, `1 Red "one" [to Blue] [Blue]`},
		"no acks":       {[]string{"ALTER TABLE message_recipients DROP COLUMN ack_ts"}, `1 Red "one" [to Blue] []`},
		"no recipients": {[]string{"DROP TABLE message_recipients"}, `1 Red "one" [] []`},
		"no agents":     {[]string{"DROP TABLE agents"}, `1  "one" [] []`},
		"no projects":   {[]string{"DROP TABLE projects"}, `1 Red "one" [to Blue] [Blue]`},
		"blank thread":  {[]string{"UPDATE messages SET thread_id = ' ' WHERE id = 1"}, `1 Red "one" [to Blue] [Blue]`},
	} {
		got, _ := readAll(t, input.New(input.SQLite, mailboxFile(t, c.sql...)))
		if len(got) != 2 {
			t.Errorf("%s: %d messages", name, len(got))
		}
		found := false
		for key, m := range got {
			if id, ok := strings.CutSuffix(key, " 1"); ok {
				found = true
				if line := fmt.Sprintf("1 %s %q %v %v", m.From, m.Body, m.Recipients, m.Acked); line != c.want || m.Ack != true || (id == "lab") == (name == "no projects") {
					t.Errorf("%s: %s: %s\nwant %s", name, key, line, c.want)
				}
			}
		}
		if !found {
			t.Errorf("%s: no message 1", name)
		}
	}
}

// Ids that are no numbers have no recipients, instead of all those of such ids. Where many messages
// have one number, not each gets the recipients of all.
func TestIDsThatAreNoKeys(t *testing.T) {
	const many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 3000) SELECT "
	noKey := []string{"CREATE TABLE m AS SELECT * FROM messages", "DROP TABLE messages", "ALTER TABLE m RENAME TO messages"}
	for name, c := range map[string]struct{ sql, want string }{
		"texts":      {"UPDATE messages SET id = 'm' || id; UPDATE message_recipients SET message_id = 'm' || message_id", "[] []"},
		"digits":     {"UPDATE messages SET id = CAST(id AS TEXT)", "[[to Blue] [to Red]] []"},
		"one number": {"UPDATE messages SET id = 1; INSERT INTO messages SELECT m.* FROM messages m, (" + many + "i FROM n) WHERE body_md = 'one'; INSERT INTO message_recipients " + many + "1, 2, 'to', NULL FROM n", "more rows than the file has room for"},
	} {
		got, facts := readAll(t, input.New(input.SQLite, mailboxFile(t, append(noKey, c.sql)...)))
		var recipients [][]string
		for _, key := range slices.Sorted(maps.Keys(got)) {
			if r := got[key].Recipients; len(r) > 0 {
				recipients = append(recipients, r)
			}
		}
		if said := fmt.Sprint(recipients, describeFacts(facts)); !strings.Contains(said, c.want) {
			t.Errorf("%s: %.300s, want %s", name, said, c.want)
		}
	}
}

func TestFaultsOfMessages(t *testing.T) {
	for name, c := range map[string]struct{ sql, want string }{
		"null body": {"UPDATE messages SET body_md = NULL WHERE id = 2", "Incomplete 2: message 2 lacks a body"},
		"no sender": {"UPDATE messages SET sender_id = 77 WHERE id = 2", "Incomplete 2: message 2 lacks a sender"},
		"bad time":  {"UPDATE messages SET created_ts = 'yesterday' WHERE id = 2", `Incomplete 2: message 2 lacks a timestamp that parses (found "yesterday")`},

		"fraction":     {"UPDATE messages SET created_ts = 1767348000.5 WHERE id = 2", `Incomplete 2: message 2 lacks a timestamp that parses (found "1767348000.5")`},
		"digits":       {"UPDATE messages SET created_ts = '20260102' WHERE id = 2", `Incomplete 2: message 2 lacks a timestamp that parses (found "20260102")`},
		"no subject":   {"UPDATE messages SET subject = '' WHERE id = 2", "Incomplete 2: message 2 lacks a subject"},
		"invalid text": {"UPDATE messages SET body_md = CAST(x'6162ff63' AS TEXT) WHERE id = 2", "NotUTF8 2: message 2: not valid UTF-8: byte 0xFF"},
	} {
		got, problems := readAll(t, input.New(input.SQLite, mailboxFile(t, c.sql)))
		var list []string
		for _, line := range describeFacts(problems) {
			kind, what, _ := strings.Cut(line, " storage.sqlite3: ")
			list = append(list, kind+" 2: "+what)
		}
		if s := strings.Join(list, "\n"); s != c.want || len(got) != 2 {
			t.Errorf("%s: %d messages, problems\n%s\nwant\n%s", name, len(got), s, c.want)
		}
	}
}

// TestIntegerTimes reads times that are Unix time, in each unit and kept or not, of messages and
// of acknowledgements.
func TestIntegerTimes(t *testing.T) {
	for value, want := range map[string]string{
		"0": "1970-01-01 00:00:00 +0000 UTC", "1767348000": "2026-01-02 10:00:00 +0000 UTC", "'1767348000'": "2026-01-02 10:00:00 +0000 UTC",
		"1767348000123": "2026-01-02 10:00:00.123 +0000 UTC", "1767348000123456": "2026-01-02 10:00:00.123456 +0000 UTC",
		"1767348000123456789": "2026-01-02 10:00:00.123456789 +0000 UTC", "-9223372036854775807": "1677-09-21 00:12:43.145224193 +0000 UTC",
	} {
		name := mailboxFile(t, "UPDATE messages SET created_ts = "+value+" WHERE id = 2; UPDATE message_recipients SET ack_ts = "+value)
		for _, keep := range []bool{false, true} {
			s := NewStore(Options{Scope: AllScope})
			t.Cleanup(func() { s.Close() })
			if !keep {
				s.room.Store(0)
			}
			must.OK(t, s.Add(context.Background(), input.New(input.SQLite, name), nil))
			got, facts := recordAll(s)
			found := false
			for key, r := range got {
				if strings.HasSuffix(key, " 2") {
					found = true
					equal(t, value+": "+want, []string{value + ": " + r.Created})
				}
				if len(r.Acked) != len(r.Recipients) && value != "0" {
					t.Errorf("%s: acknowledged by %v, want %v", value, r.Acked, r.Recipients)
				}
			}
			if !found || facts.Count() > 0 {
				t.Errorf("%s: %v, %v", value, got, describeFacts(facts))
			}
		}
	}
}

func TestNotOurDatabase(t *testing.T) {
	for name, sql := range map[string]string{
		"no messages":    "DROP TABLE messages",
		"other messages": "ALTER TABLE messages DROP COLUMN body_md",
	} {
		s := NewStore(Options{})
		err := s.Add(context.Background(), input.New(input.SQLite, mailboxFile(t, sql)), nil)
		if !errors.Is(err, ErrNoMail) {
			t.Errorf("%s: error %v, problems %v", name, err, s.Faults())
		}
		s.Close()
	}
}

// FuzzRows fills a mailbox with arbitrary values, and checks that every row is either a
// message or a problem, that texts are unchanged, and that messages are sorted.
func FuzzRows(f *testing.F) {
	f.Add("KICKOFF: x", []byte("body"), "2026-01-02 10:00:00.000000", "RS-20260102-a-b", int64(1), int64(1))
	f.Add("", []byte("\xff\x00"), "2026-01-02T10:00:00", "", int64(-1), int64(9))
	f.Add("ACK: \x00", []byte(nil), "never", "2", int64(2), int64(1<<62))
	base := must.Read(f, mailboxFile(f))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, subject string, body []byte, created, thread string, sender, id int64) {
		if id == 1 || id == 2 {
			return
		}
		path := filepath.Join(dir, fmt.Sprintf("fuzz-%d.sqlite3", os.Getpid()))
		must.Write(t, path, base)
		conn, err := sqlite3.Open(path)
		must.OK(t, err)
		stmt, _, err := conn.Prepare("INSERT INTO messages VALUES(?, ?, 1, ?, ?, ?, ?, 1)")
		must.OK(t, err)
		err = errors.Join(stmt.BindText(1, created), stmt.BindInt64(2, id), stmt.BindInt64(3, sender), stmt.BindText(4, thread),
			stmt.BindText(5, subject), stmt.BindRawText(6, body), stmt.Exec())
		must.OK(t, err)
		stmt.Close()
		conn.Close()

		s := added(t, Options{Scope: AllScope}, input.New(input.SQLite, path))
		seen := 0
		for _, info := range s.Threads() {
			th, problems := s.Load(info)
			seen += len(th.Messages)
			for i, m := range th.Messages {
				if i > 0 && compareMessages(th.Messages[i-1], m) > 0 {
					t.Errorf("messages %s and %s are out of order", th.Messages[i-1].ID, m.ID)
				}
				if m.ID != fmt.Sprint(id) {
					continue
				}
				if string(m.Subject.Data) != source.ValidString(subject) || body != nil && string(m.Body.Data) != source.NewText(body).Normalize().String() {
					t.Errorf("read %q %q, want %q %q", m.Subject.Data, m.Body.Data, subject, body)
				}
				if valid := utf8.ValidString(strings.Join([]string{created, thread, subject, string(body)}, " ")); m.Garbled == valid {
					t.Errorf("garbled %v, valid %v", m.Garbled, valid)
				}
				lacks := strings.TrimSpace(subject) == "" || body == nil || m.From == nil || !m.HasTime
				reported := slices.ContainsFunc(problems.Incomplete, func(f mail.Incomplete) bool { return f.MessageID == m.ID })
				if lacks != reported {
					t.Errorf("lacks something: %v; told: %v", lacks, reported)
				}
			}
		}
		if seen != 3 {
			t.Errorf("%d messages, want 3", seen)
		}
	})
}
