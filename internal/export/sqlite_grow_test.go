package export

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

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
	mailbox := generated(t, 30)
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			path, conn := openCopy(t, mailbox)
			defer conn.Close()
			random := rand.New(rand.NewPCG(seed, 1))
			do := func(list []string) {
				execute(t, conn, fmt.Sprintf(list[random.IntN(len(list))], 1+random.IntN(400)))
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
		s := NewStore(Options{Grows: true})
		if err := s.Add(context.Background(), input.New(input.SQLite, path), nil); err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := index()
	defer func() { s.Close() }()
	added, grown := 0, 0
	for round := range 60 {
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
	if added < 10 || grown < added*9/10 {
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
	for id := range 500 {
		for _, info := range s.Threads()[:min(3, len(s.Threads()))] {
			out = append(out, fmt.Sprint(id, s.Has(info.Project, fmt.Sprint(id))))
		}
	}
	return out
}
