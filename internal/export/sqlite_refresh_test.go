package export

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

// changes are what may be done to a mailbox: %d is a number, mostly of a message.
var changes = []string{
	"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, thread_id, 'DELTA[opus]: more', body_md || 'x', 0, created_ts, 'normal' FROM messages WHERE id = %d",
	"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, 'RS-20260101-new', 'KICKOFF: new', '', 0, created_ts, 'normal' FROM messages WHERE id = %d",
	"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, '%d', 'Re: hello', 'x', 0, created_ts, 'normal' FROM messages WHERE id = (SELECT max(id) FROM messages)",
	"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, NULL, 'hello', hex(zeroblob(9000)), 0, created_ts, 'normal' FROM messages WHERE id = %d",
	"UPDATE messages SET body_md = body_md || 'y' WHERE id = %d",
	"UPDATE messages SET body_md = replace(body_md, 'e', 'f') WHERE id = %d", // in its place
	"UPDATE messages SET body_md = hex(zeroblob(20000)) WHERE id = %d",
	"UPDATE messages SET thread_id = NULL WHERE id = %d",
	"UPDATE messages SET thread_id = '3' WHERE id = %d",
	"UPDATE messages SET thread_id = '5' WHERE id = %d",
	"UPDATE messages SET thread_id = NULL, project_id = ifnull((SELECT project_id FROM messages WHERE thread_id = '3' LIMIT 1), project_id) WHERE id = 3 AND %d > 0",
	"DELETE FROM messages WHERE thread_id IN ('3', '5') AND %d > 0",
	"UPDATE messages SET thread_id = 'RS-20260101-other' WHERE id = %d",
	"UPDATE messages SET project_id = 3 - project_id WHERE id = %d",
	"UPDATE messages SET created_ts = '2026-01-01 00:00:00.000000' WHERE id = %d",
	"UPDATE messages SET subject = 'hello' WHERE id = %d",
	"DELETE FROM messages WHERE id = %d",
	"DELETE FROM messages WHERE thread_id = (SELECT thread_id FROM messages WHERE id = %d)",
	"UPDATE message_recipients SET ack_ts = '2026-01-02 00:00:00.000000' WHERE message_id = %d",
	"DELETE FROM message_recipients WHERE message_id = %d",
	"UPDATE message_recipients SET message_id = message_id + 1000000 WHERE message_id = %d",
	"INSERT OR IGNORE INTO message_recipients (message_id, agent_id, kind) VALUES (%d, 1, 'cc')",
	"UPDATE agents SET last_active_ts = '2026-01-02 00:00:00.0%d'",
	"CREATE TABLE IF NOT EXISTS notes (text); INSERT INTO notes VALUES (hex(zeroblob(%d * 100)))",
	"DELETE FROM notes WHERE rowid %% 2 = %d %% 2",
}

// TestRefresh changes a mailbox at random, and checks that a refreshed index is the same as
// a new one, without reading all of the mailbox; and that it is refreshed by changes of the
// log, also after checkpoints.
func TestRefresh(t *testing.T) {
	testenv.SkipUnderRace(t)
	mailbox := generated(t, 30)
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			path, conn := openCopy(t, mailbox)
			defer conn.Close()
			do := func(sql string) { t.Helper(); execute(t, conn, sql) }
			do("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=50; CREATE TABLE notes (text); PRAGMA user_version=1")
			refreshAtRandom(t, rand.New(rand.NewPCG(seed, 1)), path, do)
		})
	}
}

func refreshAtRandom(t *testing.T, random *rand.Rand, path string, do func(string)) {
	index := func() *Store {
		t.Helper()
		s := NewStore(Options{})
		if err := s.Add(context.Background(), input.New(input.SQLite, path)); err != nil {
			t.Fatal(err)
		}
		return s
	}
	kept := index()
	if !kept.Track() {
		t.Fatal("the database cannot be followed")
	}
	defer func() { kept.Close() }()
	refreshed := 0
	const rounds = 60
	for round := range rounds {
		do("BEGIN")
		for range 1 + random.IntN(3) {
			id := 1 + random.IntN(400)
			sql := changes[random.IntN(len(changes))]
			args := make([]any, 0, 2)
			for i := range len(sql) - 1 {
				if sql[i:i+2] == "%d" {
					args = append(args, id)
				}
			}
			do(fmt.Sprintf(sql, args...))
		}
		do("COMMIT")
		before := map[uint64]bool{}
		for _, info := range kept.Threads() {
			before[info.Stamp] = true
		}
		if !kept.Refresh() {
			kept.Close()
			if kept = index(); !kept.Track() {
				t.Fatal("the database cannot be followed")
			}
			continue
		}
		refreshed++
		fresh := index()
		same, all := 0, kept.Threads()
		for _, info := range all {
			if before[info.Stamp] {
				same++
			}
		}
		if diff := cmp.Diff(describe(fresh), describe(kept)); diff != "" {
			t.Fatalf("round %d: made anew (-), refreshed (+):\n%s", round, diff)
		}
		if round < 5 && same < len(all)/4 {
			t.Errorf("round %d: of %d threads only %d stay", round, len(all), same)
		}
		fresh.Close()
	}
	if refreshed < rounds*9/10 {
		t.Errorf("%d of %d changes were followed", refreshed, rounds)
	}
}

// describe returns all that a Store reports.
func describe(s *Store) []string {
	out := []string{fmt.Sprintf("%+v", s.Counts())}
	for _, info := range s.Threads() {
		sum, ok := s.Digest(info)
		out = append(out, fmt.Sprintf("%s %s %d %d %x %v", info.Project, info.ID, info.Messages, info.Size, sum[:8], ok))
	}
	for id := range 500 {
		for _, info := range s.Threads()[:min(3, len(s.Threads()))] {
			out = append(out, fmt.Sprint(id, s.Has(info.Project, fmt.Sprint(id))))
		}
	}
	return out
}

// TestRefreshOfRecipientsChangedBack checks that a page of recipients that changed, and has
// none before and after, is no change.
func TestRefreshOfRecipientsChangedBack(t *testing.T) {
	path, conn := openCopy(t, generated(t, 5))
	defer conn.Close()
	execute(t, conn, "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=5000; DELETE FROM message_recipients; PRAGMA user_version=1")
	s := NewStore(Options{})
	defer s.Close()
	if err := s.Add(context.Background(), input.New(input.SQLite, path)); err != nil {
		t.Fatal(err)
	}
	if !s.Track() {
		t.Fatal("the mailbox cannot be refreshed")
	}
	execute(t, conn, "BEGIN; INSERT INTO message_recipients (message_id, agent_id, kind) VALUES (5, 1, 'cc'); DELETE FROM message_recipients; COMMIT")
	if !s.Refresh() {
		t.Error("the mailbox was not refreshed")
	}
}
