package export

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

// change runs SQL on a copy of a database and gives its path.
func change(t testing.TB, from string, sql ...string) string {
	t.Helper()
	path, conn := openCopy(t, from)
	defer conn.Close()
	execute(t, conn, sql...)
	return path
}

// openCopy copies a database and opens the copy.
func openCopy(t testing.TB, from string) (path string, conn *sqlite3.Conn) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "storage.sqlite3")
	must.Write(t, path, must.Read(t, from))
	conn, err := sqlite3.Open(path)
	must.OK(t, err)
	return path, conn
}

func execute(t testing.TB, conn *sqlite3.Conn, sql ...string) {
	t.Helper()
	for _, q := range sql {
		if err := conn.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

func generated(t testing.TB, threads int) string {
	t.Helper()
	dir := t.TempDir()
	must.OK(t, gen.Generate(gen.Options{Out: dir, Seed: 7, Threads: threads, Defects: 0.5, Forms: []string{"sqlite"}}))
	return filepath.Join(dir, "storage.sqlite3")
}

// answer is all that a store says about a thread.
type answer struct {
	Threads  []string
	Messages []record
	Rosters  []string
	Facts    []string
	Has      []string
}

func ask(s *Store, id string, ids []string) (a answer) {
	for _, info := range s.Threads() {
		if info.ID != id || id == "" {
			continue
		}
		thread, facts := s.Load(info)
		a.Threads = append(a.Threads, fmt.Sprint(info.Project, " ", info.ID, " ", info.Messages, " ", info.Size, " ", thread.Complete, " ", thread.Roster))
		a.Facts = append(a.Facts, describeFacts(facts)...)
		for _, m := range thread.Messages {
			a.Messages = append(a.Messages, recordOf(thread, m))
		}
	}
	for _, project := range []string{"", "data-projects-brenner-bot", "data-projects-demo", "data-projects-embryo-lab"} {
		a.Rosters = append(a.Rosters, fmt.Sprint(s.RosterOf(&mail.Message{Project: project})))
		for _, id := range ids {
			if s.Has(project, id) {
				a.Has = append(a.Has, project+" "+id)
			}
		}
	}
	for _, f := range s.Faults() {
		a.Facts = append(a.Facts, f.Error())
	}
	for _, f := range s.Exports() {
		a.Facts = append(a.Facts, fmt.Sprint(f.Path, f.Form, f.Mailbox, f.Partial, f.RecordsAcks))
	}
	return a
}

// TestThreadsOfDatabase checks that reading one thread of a database yields the same as
// reading the whole, whose messages are kept.
func TestThreadsOfDatabase(t *testing.T) {
	testenv.SkipUnderRace(t)
	real, small := realmail+"storage.sqlite3", generated(t, 10)
	variants := map[string]string{
		"real": change(t, real), "generated": small,
		"no index":    change(t, real, "DROP INDEX ix_messages_thread_id", "DROP INDEX ix_messages_project_id"),
		"spaces":      change(t, real, "DROP TRIGGER fts_messages_au", "UPDATE messages SET thread_id = ' ' || thread_id || '\t' WHERE id % 3 = 0", "UPDATE messages SET thread_id = char(0x3000) || thread_id WHERE id % 5 = 0", "UPDATE messages SET thread_id = thread_id || char(0x85, 0xa0) WHERE id % 7 = 0"),
		"numbers":     change(t, small, "UPDATE messages SET thread_id = 3 WHERE id > 3 AND id < 9", "UPDATE messages SET thread_id = NULL WHERE id = 3", "UPDATE messages SET thread_id = '07' WHERE id = 12", "UPDATE messages SET thread_id = '' WHERE id = 7"),
		"two":         change(t, small, "UPDATE messages SET project_id = 3 - project_id WHERE id % 4 = 0 AND project_id < 3"),
		"one":         change(t, small, "UPDATE messages SET project_id = 1"),
		"ordinary":    change(t, small, "UPDATE messages SET thread_id = 'x-' || project_id, subject = 'Lunch' WHERE project_id > 1"),
		"no projects": change(t, small, "DROP TABLE projects"),
		"no agents":   change(t, small, "DROP TABLE agents", "DROP TABLE message_recipients"),
		"utf-16":      utf16Database(t),
		"partial":     change(t, small, "DROP INDEX ix_messages_thread_id", "CREATE INDEX i ON messages(thread_id) WHERE project_id = 1"),
		"odd values": change(t, small, "DROP TABLE messages", "CREATE TABLE messages(id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts)",
			`INSERT INTO messages VALUES (1, 1, 1, 'RS-20260102-a-b', 'KICKOFF: größer', 'одно', 1, '2026-01-02 10:00:00'), ('two', 1.5, NULL, '3', '', '', 0, 1767348000),
				(3.5, 'x', 'y', '3', x'4142', x'ff00', 'z', x'32'), (-4, NULL, 1, 5, 6, 7, 8, NULL), (NULL, 1, 1, ' RS-20260102-a-b ', NULL, NULL, NULL, 2.5)`),
		"not text": change(t, small, "UPDATE messages SET thread_id = CAST(x'52532dff' AS TEXT) WHERE id = 5"),
	}
	for name, path := range variants {
		for _, scope := range []Scope{AutoScope, AllScope} {
			t.Run(fmt.Sprint(name, scope), func(t *testing.T) { t.Parallel(); compareWholeAndPart(t, path, scope) })
		}
	}
}

// utf16Database returns a database whose texts are in UTF-16.
func utf16Database(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "storage.sqlite3")
	conn, err := sqlite3.Open(path)
	must.OK(t, err)
	defer conn.Close()
	execute(t, conn, "PRAGMA encoding='UTF-16le'", "CREATE TABLE messages (id INTEGER PRIMARY KEY, thread_id VARCHAR(128), subject TEXT, body_md TEXT)",
		"INSERT INTO messages VALUES (1, 'RS-20260101-a-b', 'KICKOFF: x', 'y'), (2, 'RS-20260101-a-b', 'INFO: x', 'y'), (3, '1', 'INFO: x', 'y')")
	return path
}

func compareWholeAndPart(t *testing.T, path string, scope Scope) {
	whole := added(t, Options{Scope: scope}, input.New(input.SQLite, path))
	threads := []string{"", "absent", "RS-", " RS-x", "x\ufffd", "RS-\ufffd", "3", "03", "5", "7"}
	for _, info := range whole.Threads() {
		threads = append(threads, info.ID)
	}
	ids := []string{"", "0", "03", "m3", "-1", "1.0", "99999999999999999999"}
	for i := range 40 {
		ids = append(ids, fmt.Sprint(1+i*i))
	}
	slices.Sort(threads)
	for i, id := range slices.Compact(threads) {
		if !testenv.Sampled(i, 3) {
			continue
		}
		one := NewStore(Options{Scope: scope})
		must.OK(t, one.Add(context.Background(), input.New(input.SQLite, path), []string{id}))
		if diff := cmp.Diff(ask(whole, id, ids), ask(one, id, ids)); diff != "" {
			t.Fatalf("thread %q: whole (-), one (+):\n%s", id, diff)
		}
		one.Close()
	}
}

// TestThreadsReadLittle checks that as many pages are read for one thread of a large
// mailbox as of a small one.
func TestThreadsReadLittle(t *testing.T) {
	testenv.SkipUnderRace(t)
	path := generated(t, 150)
	whole := open(t, Options{}, path)
	for _, id := range []string{whole.Threads()[75].ID, "RS-20251230-absent"} {
		s := NewStore(Options{})
		must.OK(t, s.Add(context.Background(), input.New(input.SQLite, path), []string{id}))
		s.RosterOf(&mail.Message{})
		for i := range 20 {
			s.Has("data-projects-embryo-lab", fmt.Sprint(i))
		}
		messages := 0
		for _, info := range s.Threads() {
			thread, _ := s.Load(info)
			messages += len(thread.Messages)
		}
		var pages int64
		must.OK(t, s.database.do(func(conn *database.Conn) (err error) {
			pages, _, err = conn.Status(sqlite3.DBSTATUS_CACHE_MISS, false)
			return err
		}))
		if pages == 0 || pages > 45 || len(s.entries) != messages || strings.HasSuffix(id, "absent") != (messages == 0) {
			t.Errorf("thread %s: %d pages are read for %d messages, %d indexed", id, pages, messages, len(s.entries))
		}
		s.Close()
	}
	if len(whole.entries) < 1500 {
		t.Errorf("the mailbox has only %d messages", len(whole.entries))
	}
}

// A damaged database is read as a whole, and that is reported.
func TestThreadsOfDamagedDatabase(t *testing.T) {
	testenv.SkipUnderRace(t)
	data := must.Read(t, generated(t, 20))
	path := filepath.Join(t.TempDir(), "storage.sqlite3")
	must.Write(t, path, data[:len(data)/2])
	compareWholeAndPart(t, path, AutoScope)
	s := NewStore(Options{})
	defer s.Close()
	if err := s.Add(context.Background(), input.New(input.SQLite, path), []string{"x"}); err != nil || s.database.looksUp || len(s.Faults()) != 1 {
		t.Errorf("error %v, %d faults", err, len(s.Faults()))
	}
}

// additions add mail: %[1]d is the number of a message.
var additions = []string{
	"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, thread_id, 'DELTA[opus]: more', body_md || 'x', 0, created_ts, 'normal' FROM messages WHERE id = %[1]d",
	"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, 'RS-20260101-new', 'KICKOFF: new', '', 0, created_ts, 'normal' FROM messages WHERE id = %[1]d",
	"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, '%[1]d', 'Re: hello', 'x', 0, created_ts, 'normal' FROM messages WHERE id = (SELECT max(id) FROM messages)",
	"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, id, 'Re: hello', 'x', 0, created_ts, 'normal' FROM messages WHERE thread_id IS NULL AND id > %[1]d LIMIT 1",
	"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, NULL, 'hello', hex(zeroblob(9000)), 0, created_ts, 'normal' FROM messages WHERE id = %[1]d",
}

// addRecipients gives the last message recipients.
const addRecipients = "INSERT OR IGNORE INTO message_recipients (message_id, agent_id, kind, ack_ts) SELECT (SELECT max(id) FROM messages), id, 'to', CASE WHEN id %% 2 = 0 THEN '2026-01-02 00:00:00.000000' END FROM agents WHERE %[1]d > 0 LIMIT 3"

// otherChanges are what else may be done to a mailbox.
var otherChanges = []string{
	"UPDATE messages SET body_md = replace(body_md, 'e', 'f') WHERE id = %[1]d", // in its place
	"UPDATE messages SET body_md = hex(zeroblob(20000)) WHERE id = %[1]d",
	"UPDATE messages SET thread_id = NULL WHERE id = %[1]d",
	"UPDATE messages SET thread_id = '5' WHERE id = %[1]d",
	"UPDATE messages SET project_id = 3 - project_id WHERE id = %[1]d",
	"UPDATE messages SET subject = 'hello' WHERE id = %[1]d",
	"DELETE FROM messages WHERE id = %[1]d",
	"UPDATE message_recipients SET ack_ts = '2026-01-02 00:00:00.000000' WHERE message_id = %[1]d",
	"DELETE FROM message_recipients WHERE message_id = %[1]d",
	"UPDATE message_recipients SET message_id = message_id + 1000000 WHERE message_id = %[1]d",
	"INSERT OR IGNORE INTO message_recipients (message_id, agent_id, kind) VALUES (%[1]d, 1, 'cc')",
	"UPDATE agents SET name = name || 'x' WHERE id = %[1]d %% 20",
	"UPDATE agents SET last_active_ts = '2026-01-02 00:00:00.0%[1]d'",
	"PRAGMA wal_checkpoint(TRUNCATE) -- %[1]d",
}

// withMail are other changes that show although mail is added at the same moment.
var withMail = []string{
	"DELETE FROM messages WHERE id = %[1]d",
	"UPDATE message_recipients SET ack_ts = '2026-01-02 00:00:00.000000' WHERE ack_ts IS NULL AND message_id = %[1]d",
	"DELETE FROM message_recipients WHERE message_id = %[1]d",
	"INSERT OR IGNORE INTO message_recipients (message_id, agent_id, kind) VALUES (%[1]d, 1, 'cc')",
	"UPDATE agents SET name = name || 'x' WHERE id = %[1]d %% 20",
}

// TestGrow changes a mailbox at random, and checks that an index that has grown is the same
// as a new one, and that it grows by mail that is added.
func TestGrow(t *testing.T) {
	testenv.SkipUnderRace(t)
	mailbox := generated(t, 10)
	for seed := range uint64(3) {
		if !testenv.Sampled(int(seed), 3) {
			continue
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			path, conn := openCopy(t, mailbox)
			defer conn.Close()
			random := rand.New(rand.NewPCG(seed, 1))
			do := func(list []string) {
				execute(t, conn, fmt.Sprintf(list[random.IntN(len(list))], 1+random.IntN(150)))
			}
			execute(t, conn, "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=50; PRAGMA user_version=1")
			growAtRandom(t, path, func() (added bool) {
				switch random.IntN(4) {
				case 0:
					do(otherChanges)
					return false
				case 1:
					execute(t, conn, "BEGIN")
					do(additions)
					do(withMail)
					execute(t, conn, "COMMIT")
					return false
				}
				for range 1 + random.IntN(3) {
					do(additions[:1+random.IntN(len(additions))])
					do([]string{addRecipients})
				}
				return true
			})
		})
	}
}

// growAtRandom calls change, which reports whether mail was added and nothing else happened.
func growAtRandom(t *testing.T, path string, change func() bool) {
	index := func() *Store {
		t.Helper()
		s := added(t, Options{Grows: true}, input.New(input.SQLite, path))
		return s
	}
	s := index()
	defer func() { s.Close() }()
	added, grown := 0, 0
	for round := range 30 {
		n := s.Counts()
		before := map[ThreadKey]string{}
		for _, info := range s.Threads() {
			before[info.Key()] = messagesOf(s, info)
		}
		addition := change()
		grows := s.Grow()
		fresh := index()
		if addition && fresh.Counts() != n {
			if added++; grows {
				grown++
			}
		}
		if !grows {
			s.Close()
			s = fresh
			continue
		}
		if diff := cmp.Diff(describe(fresh), describe(s)); diff != "" {
			t.Fatalf("round %d: made anew (-), grown (+):\n%s", round, diff)
		}
		for _, info := range s.Threads() {
			if was, known := before[info.Key()]; known && was != messagesOf(s, info) {
				t.Fatalf("round %d: thread %q has the same key and other messages", round, info.ID)
			}
		}
		fresh.Close()
	}
	if added < 5 || grown < added*9/10 {
		t.Errorf("mail was added %d times, and the index has grown %d times", added, grown)
	}
}

// messagesOf returns the messages of a thread.
func messagesOf(s *Store, info ThreadInfo) string {
	var b strings.Builder
	th, facts := s.Load(info)
	for _, m := range th.Messages {
		fmt.Fprintln(&b, m.ID, m.Project, m.From, m.Subject, m.Thread, m.Time, m.Body, m.Recipients)
	}
	fmt.Fprintln(&b, th.Complete, th.Roster, facts.Count())
	return b.String()
}

// describe returns all that a Store reports.
func describe(s *Store) []string {
	out := []string{fmt.Sprintf("%+v", s.Counts())}
	for _, info := range s.Threads() {
		out = append(out, fmt.Sprintf("%s %s %d %d %s", info.Project, info.ID, info.Messages, info.Size, messagesOf(s, info)))
	}
	for id := range 200 {
		for _, info := range s.Threads()[:min(3, len(s.Threads()))] {
			out = append(out, fmt.Sprint(id, s.Has(info.Project, fmt.Sprint(id))))
		}
	}
	return out
}
