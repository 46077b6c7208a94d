package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
)

// say returns all that a mailbox says of its findings and threads, in bytes.
func say(t *testing.T, open func(context.Context, lint.Catalogue, engine.Options, ...string) (*engine.Mailbox, error), opts engine.Options, paths ...string) string {
	t.Helper()
	box, err := open(t.Context(), rules.All(), opts, paths...)
	if err != nil {
		return err.Error()
	}
	defer box.Close()
	rep, err := box.Check(t.Context())
	if err == nil {
		err = box.Show(t.Context(), rep, lint.Data{LineHashes: true})
	}
	if err != nil {
		return err.Error()
	}
	var out bytes.Buffer
	for _, format := range []string{"json", "text"} {
		must.OK(t, report.Write(&out, format, rep, report.Options{}))
	}
	fmt.Fprintln(&out, strings.Join(rep.Notices, "\n"), rep.Unreadable, len(rep.Failures))
	for _, ref := range threads(t, box) {
		thread, err := box.Thread(t.Context(), ref)
		if err != nil {
			fmt.Fprintln(&out, ref, err)
			continue
		}
		fmt.Fprintf(&out, "%+v %d\n%s\n", ref, thread.LatestVersion(), thread.Artifact().Text.Data)
	}
	return out.String()
}

// suppressing are entries that suppress findings of some rules.
var suppressing = []engine.Suppression{
	{Rule: "MR", Reason: "a test", Thread: "RS-20251230-x"}, {Rule: "DL,MB", Reason: "a test"}, {Rule: "EP-001", Reason: "a test", Path: "**/*.md"},
	{Rule: "TH-005", Reason: "a test", Message: "17"},
}

// edit is something that may happen to the inputs.
type edit func(random *rand.Rand, dir string) error

// filesBelow returns the files of a folder whose names end in a suffix.
func filesBelow(dir, suffix string) (out []string) {
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, suffix) {
			out = append(out, path)
		}
		return nil
	})
	return out
}

// editText changes a file of a folder.
func editText(suffix string) edit {
	return func(random *rand.Rand, dir string) error {
		files := filesBelow(dir, suffix)
		if len(files) == 0 {
			return nil
		}
		path := files[random.IntN(len(files))]
		data, err := os.ReadFile(path)
		if err != nil || len(data) == 0 {
			return err
		}
		switch random.IntN(9) {
		case 0:
			return os.Remove(path)
		case 1:
			return os.Rename(path, strings.TrimSuffix(path, suffix)+"x"+suffix)
		case 2:
			return os.WriteFile(strings.TrimSuffix(path, suffix)+"-copy"+suffix, data, 0o600)
		case 3:
			data = data[:random.IntN(len(data))]
		case 4:
			data = append([]byte("\n"), data...)
		case 5:
			data = bytes.Replace(data, []byte("## "), []byte("<!-- brennerlint-disable-next AP: a test -->\n## "), 1)
		default:
			words := []string{"EDIT", "ADD", "KILL", "H1", "H2", "T1", "COMPILED", "DELTA", "**Claim**", "RS-", "1", "created_ts", "2025"}
			from, to := words[random.IntN(len(words))], words[random.IntN(len(words))]
			data = bytes.Replace(data, []byte(from), []byte(to), 1+random.IntN(3))
		}
		return os.WriteFile(path, data, 0o600)
	}
}

// crossing are statements by which another session says the same as a message, and by
// which one refers to an item that another session does not have.
var crossing = []string{
	"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, (SELECT thread_id FROM messages WHERE id > %[1]d %% 80 LIMIT 1), subject, body_md, 0, '2027-01-01 00:00:00.000000', 'normal' FROM messages WHERE id = %[1]d",
	`UPDATE messages SET body_md = replace(body_md, '"payload": {', '"payload": {"references": [{"session": "' || (SELECT thread_id FROM messages WHERE id > %[1]d * 7 %% 80 LIMIT 1) || '", "item": "H9", "relation": "extends"}], ') WHERE id = %[1]d`,
}

// additions are statements by which mail is added, and otherChanges by which something else
// is changed: %[1]d is the number of a message.
var (
	additions = []string{
		crossing[0],
		"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, thread_id, subject, body_md || 'x', 0, created_ts, 'normal' FROM messages WHERE id = %[1]d",
		"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, thread_id, 'ACK: %[1]d', 'Message ID: 5', 0, created_ts, 'normal' FROM messages WHERE id = %[1]d",
		"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, thread_id, 'ACK: more', 'Message ID: ' || ((SELECT max(id) FROM messages) + 2), 0, created_ts, 'normal' FROM messages WHERE id = %[1]d",
	}
	otherChanges = []string{
		crossing[1],
		"UPDATE messages SET body_md = replace(body_md, 'H1', 'H2') WHERE id = %[1]d",
		"UPDATE messages SET body_md = replace(body_md, 'ADD', 'KILL') WHERE id = %[1]d",
		"UPDATE messages SET thread_id = (SELECT thread_id FROM messages WHERE id = 3) WHERE id = %[1]d",
		"UPDATE messages SET thread_id = NULL WHERE id = %[1]d",
		"DELETE FROM messages WHERE id = %[1]d",
		"UPDATE message_recipients SET ack_ts = NULL WHERE message_id = %[1]d",
		"UPDATE agents SET name = name || 'x' WHERE id = %[1]d %% 20",
		"PRAGMA wal_checkpoint(TRUNCATE) -- %[1]d",
	}
)

// editDatabase changes a live database, by a connection that stays open: it adds mail, or
// does something else.
func editDatabase(conn *sqlite3.Conn) edit {
	return func(random *rand.Rand, _ string) error {
		do := func(list []string) error {
			return conn.Exec(fmt.Sprintf(list[random.IntN(len(list))], 1+random.IntN(200)))
		}
		if random.IntN(3) == 0 {
			return do(otherChanges)
		}
		return errors.Join(do(additions), do(additions))
	}
}

// TestPrevious changes inputs at random, and holds that a check that goes on from the one
// before says the same, to the byte, as one that knows nothing.
func TestPrevious(t *testing.T) {
	testenv.SkipUnderRace(t)
	source := t.TempDir()
	must.OK(t, gen.Generate(gen.Options{Out: source, Seed: 7, Artifacts: 8, Threads: 8, Defects: 0.7, Forms: []string{"json", "sqlite"}}))
	for name, c := range map[string]struct {
		parts []string
		edits []edit // beside those of the database
		known int    // how many messages need not be checked again, at least
	}{
		"database":   {[]string{"storage.sqlite3"}, nil, 150},
		"artifacts":  {[]string{"artifacts", "storage.sqlite3"}, []edit{editText(".md")}, 10},
		"everything": {[]string{"artifacts", "json", "storage.sqlite3"}, []edit{editText(".md"), editText(".json")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, part := range c.parts {
				copyTree(t, filepath.Join(source, part), filepath.Join(dir, part))
			}
			conn, err := sqlite3.Open(filepath.Join(dir, "storage.sqlite3"))
			must.OK(t, err)
			defer conn.Close()
			must.OK(t, conn.Exec("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=40; PRAGMA user_version=1"))
			for id := range 30 {
				must.OK(t, conn.Exec(fmt.Sprintf(crossing[id%2], id)))
			}
			known, across := goOnAtRandom(t, rand.New(rand.NewPCG(1, 2)), dir, append(slices.Clone(c.edits), editDatabase(conn)))
			if across == 0 && name == "database" {
				t.Error("no rule on several sessions found anything")
			}
			if known < c.known && runtime.GOOS != "windows" {
				t.Errorf("%d messages were not checked again, expected %d at least", known, c.known)
			}
		})
	}
}

// goOnAtRandom returns how many messages were not checked again, and how many findings
// depend on several sessions.
func goOnAtRandom(t *testing.T, random *rand.Rand, dir string, edits []edit) (known, across int) {
	var previous engine.Previous
	defer previous.Close()
	opts := engine.Options{Suppressions: suppressing, Baseline: halfExpired(t, dir)}
	opts.Baseline.Today = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rounds := 10
	if testenv.Nightly() {
		rounds = 50
	}
	for round := range rounds {
		var checked, all atomic.Int64
		with, fresh := opts, opts
		with.Trace = &engine.Trace{Message: func(mail.Ref) { checked.Add(1) }}
		fresh.Trace = &engine.Trace{Message: func(mail.Ref) { all.Add(1) }}
		got, want := say(t, previous.Open, with, dir), say(t, engine.Open, fresh, dir)
		if got != want {
			t.Fatalf("round %d: going on gives, and anew (-want +got):\n%s", round, cmp.Diff(want, got))
		}
		known += int(all.Load() - checked.Load())
		across += strings.Count(want, "XR-0")
		must.OK(t, edits[random.IntN(len(edits))](random, dir))
	}
	return known, across
}

// TestPreviousLetsGo checks that a check keeps nothing of those before but what it uses: a
// watch runs for weeks.
func TestPreviousLetsGo(t *testing.T) {
	dir := t.TempDir()
	copyTree(t, "../testdata/corpus/realmail/storage.sqlite3", filepath.Join(dir, "storage.sqlite3"))
	conn, err := sqlite3.Open(filepath.Join(dir, "storage.sqlite3"))
	must.OK(t, err)
	defer conn.Close()
	must.OK(t, conn.Exec("DROP TRIGGER fts_messages_ai; PRAGMA journal_mode=WAL"))
	var previous engine.Previous
	defer previous.Close()
	const rounds = 10
	gone := make(chan bool, 2*rounds)
	var checked atomic.Int64
	for round := range rounds {
		// Only the check holds what is passed to it.
		held := &[1 << 10]byte{byte(round)}
		runtime.AddCleanup(held, func(bool) { gone <- true }, true)
		with := engine.Options{Trace: &engine.Trace{Message: func(mail.Ref) { checked.Add(int64(len(held))) }}}
		box, err := previous.Open(t.Context(), rules.All(), with, dir)
		if err == nil {
			_, err = box.Check(t.Context())
			box.Close()
		}
		must.OK(t, err)
		must.OK(t, conn.Exec(fmt.Sprintf(additions[1], 3)))
	}
	if most := int64(rounds * 51 << 10); checked.Load() >= most/2 && runtime.GOOS != "windows" {
		t.Error("all mail is checked again")
	}
	for n := range rounds - 1 { // the last is in use
		runtime.GC()
		select {
		case <-gone:
		case <-time.After(10 * time.Second):
			t.Fatalf("of %d checks only %d are let go of", rounds, n)
		}
	}
}

// halfExpired accepts the findings of inputs, half of them no longer.
func halfExpired(t *testing.T, dir string) *engine.Baseline {
	t.Helper()
	rep, err := engine.Check(t.Context(), rules.All(), engine.Options{}, dir)
	must.OK(t, err)
	b := engine.NewBaseline(rep.Findings[:len(rep.Findings)/2])
	for i := range b.Findings {
		if i%2 == 0 {
			b.Findings[i].Until = "2025-12-31"
		}
	}
	return b
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	must.OK(t, err)
	if info.IsDir() {
		must.OK(t, os.CopyFS(to, os.DirFS(from)))
		return
	}
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	must.OK(t, err)
}

// TestPreviousUnrecognized checks inputs of which one cannot be recognised, beside one that
// looks like mail and holds none: that is an error, again and again.
func TestPreviousUnrecognized(t *testing.T) {
	dir := write(t, map[string]string{"note.txt": "hi\n", "chat.json": `{"messages": [{"role": "user", "content": "hello"}]}`})
	var previous engine.Previous
	defer previous.Close()
	for range 2 {
		_, err := previous.Open(t.Context(), rules.All(), engine.Options{}, filepath.Join(dir, "note.txt"), filepath.Join(dir, "chat.json"))
		if err == nil || !strings.Contains(err.Error(), "note.txt") {
			t.Fatalf("the error is %v, expected one that names note.txt", err)
		}
	}
}
