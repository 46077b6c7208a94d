package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
)

// say returns all that a check says, in bytes.
func say(t *testing.T, opts engine.Options, paths ...string) string {
	t.Helper()
	rep, err := engine.MustNew(rules.All(), opts).Check(context.Background(), paths...)
	if err != nil {
		return err.Error()
	}
	var out bytes.Buffer
	for _, format := range []string{"json", "text"} {
		if err := report.Write(&out, format, rep, report.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintln(&out, strings.Join(rep.Notices, "\n"), rep.Unreadable, len(rep.Failures))
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

// editDatabase changes a live database, by a connection that stays open.
func editDatabase(conn *sqlite3.Conn) edit {
	statements := append(slices.Clone(crossing),
		"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, thread_id, subject, body_md || 'x', 0, created_ts, 'normal' FROM messages WHERE id = %d",
		"INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts, importance) SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, thread_id, 'ACK: %[1]d', 'Message ID: 5', 0, created_ts, 'normal' FROM messages WHERE id = %[1]d",
		"UPDATE messages SET body_md = replace(body_md, 'H1', 'H2') WHERE id = %d",
		"UPDATE messages SET body_md = replace(body_md, 'ADD', 'KILL') WHERE id = %d",
		"UPDATE messages SET thread_id = (SELECT thread_id FROM messages WHERE id = 3) WHERE id = %d",
		"UPDATE messages SET thread_id = NULL WHERE id = %d",
		"DELETE FROM messages WHERE id = %d",
		"UPDATE message_recipients SET ack_ts = NULL WHERE message_id = %d",
		"UPDATE agents SET name = name || 'x' WHERE id = %d %% 20",
		"PRAGMA wal_checkpoint(TRUNCATE) -- %d",
	)
	return func(random *rand.Rand, _ string) error {
		return conn.Exec(fmt.Sprintf(statements[random.IntN(len(statements))], 1+random.IntN(200)))
	}
}

// TestKept changes inputs at random, and holds that a check that takes over what is
// known says the same, to the byte, as one that knows nothing.
func TestKept(t *testing.T) {
	testenv.SkipUnderRace(t)
	source := t.TempDir()
	if err := gen.Generate(gen.Options{Out: source, Seed: 7, Artifacts: 8, Threads: 8, Defects: 0.7, Forms: []string{"json", "archive", "sqlite"}}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		parts []string
		edits []edit
		live  bool
	}{
		"folder":     {[]string{"artifacts", "json"}, []edit{editText(".md"), editText(".json")}, false},
		"archive":    {[]string{"artifacts", "archive"}, []edit{editText(".md"), editText(".json")}, false},
		"database":   {[]string{"artifacts", "storage.sqlite3"}, []edit{editText(".md")}, true},
		"everything": {[]string{"artifacts", "json", "archive", "storage.sqlite3"}, []edit{editText(".md"), editText(".json")}, true},
	} {
		for seed := range uint64(1) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				for _, part := range c.parts {
					copyTree(t, filepath.Join(source, part), filepath.Join(dir, part))
				}
				edits := c.edits
				if c.live {
					conn, err := sqlite3.Open(filepath.Join(dir, "storage.sqlite3"))
					if err != nil {
						t.Fatal(err)
					}
					defer conn.Close()
					if err := conn.Exec("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=40; PRAGMA user_version=1"); err != nil {
						t.Fatal(err)
					}
					for id := range 30 {
						if err := conn.Exec(fmt.Sprintf(crossing[id%2], id)); err != nil {
							t.Fatal(err)
						}
					}
					edits = append(slices.Clone(edits), editDatabase(conn), editDatabase(conn), editDatabase(conn))
				}
				known, followed, across := keepAtRandom(t, rand.New(rand.NewPCG(seed, 2)), dir, edits)
				// Files that were just written may be written again within the same tick.
				if name == "database" && across == 0 {
					t.Error("no rule on several sessions found anything")
				}
				if known < 80 || followed < 10 && name == "database" {
					t.Errorf("%d results were taken over, and the index %d times", known, followed)
				}
			})
		}
	}
}

// TestKeptOptions checks that options that change concern mail that does not.
func TestKeptOptions(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("the times of files do not tell enough")
	}
	path := filepath.Join(t.TempDir(), "inbox.json")
	copyTree(t, "../testdata/corpus/realmail/json/inbox-GreenDog.json", path)
	kept := &engine.Kept{}
	defer kept.Close()
	for say(t, engine.Options{Kept: kept}, path); !kept.Use().Whole; say(t, engine.Options{Kept: kept}, path) {
		time.Sleep(time.Millisecond) // until the file is older than a tick of its clock
	}
	seen := map[string]bool{}
	for _, opts := range []engine.Options{{}, {Mail: engine.AllMail}, {Mail: engine.ProtocolMail}, {}} {
		with := opts
		with.Kept = kept
		got, want := say(t, with, path), say(t, opts, path)
		if got != want {
			t.Errorf("scope %d: taking over what is known gives\n%s\nanew\n%s", opts.Mail, firstLines(got, want), firstLines(want, got))
		}
		seen[want] = true
	}
	if len(seen) < 2 {
		t.Error("all scopes give the same report")
	}
}

func keepAtRandom(t *testing.T, random *rand.Rand, dir string, edits []edit) (known, followed, across int) {
	kept := &engine.Kept{}
	defer kept.Close()
	opts := engine.Options{Suppressions: suppressing, Today: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Baseline: halfExpired(t, dir)}
	opts.Data.LineHashes = true
	for round := range 20 {
		with := opts
		with.Kept = kept
		got, want := say(t, with, dir), say(t, opts, dir)
		if got != want {
			t.Fatalf("round %d: taking over what is known gives\n%s\nanew\n%s", round, firstLines(got, want), firstLines(want, got))
		}
		across += strings.Count(want, "XR-0")
		kept.Settle()
		if use := kept.Use(); round > 0 {
			if known += use.Known; use.Whole {
				followed++
			}
		}
		for range 1 + random.IntN(2) {
			if err := edits[random.IntN(len(edits))](random, dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	return known, followed, across
}

// halfExpired accepts the findings of inputs, half of them no longer.
func halfExpired(t *testing.T, dir string) *engine.Baseline {
	t.Helper()
	rep, err := engine.MustNew(rules.All(), engine.Options{}).Check(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	b := engine.NewBaseline(rep.Findings[:len(rep.Findings)/2])
	for i := range b.Findings {
		if i%2 == 0 {
			b.Findings[i].Until = "2025-12-31"
		}
	}
	return b
}

// firstLines returns where a text begins to differ from another.
func firstLines(a, b string) string {
	lines, other := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range lines {
		if i >= len(other) || lines[i] != other[i] {
			return strings.Join(lines[max(0, i-10):min(len(lines), i+12)], "\n")
		}
	}
	return "the same, but shorter"
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	if info.IsDir() {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestKeptForeign checks that checks of files that look like mail and hold none share
// what is known of these safely: the race detector sees if not.
func TestKeptForeign(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		for name, text := range map[string]string{
			"chat": `{"messages": [{"role": "user", "content": "hello"}]}`,
			"mail": `[{"id": 1, "thread_id": "T", "subject": "hello", "body_md": "hello", "sender": "A", "created_ts": "2025-12-30T12:00:00Z"}]`,
		} {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(name, i, ".json")), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	var kept engine.Kept
	defer kept.Close()
	opts := engine.Options{Kept: &kept, Workers: 8, SkipUnrecognized: true}
	first := say(t, opts, dir)
	for range 30 {
		if again := say(t, opts, dir); again != first {
			t.Fatalf("the same files, checked again:\n%s\nat first:\n%s", again, first)
		}
	}
}

// TestKeptUnrecognized checks inputs of which one cannot be recognised, beside one that
// looks like mail and holds none: that is an error, again and again.
func TestKeptUnrecognized(t *testing.T) {
	dir := write(t, map[string]string{"note.txt": "hi\n", "chat.json": `{"messages": [{"role": "user", "content": "hello"}]}`})
	var kept engine.Kept
	defer kept.Close()
	l := engine.MustNew(rules.All(), engine.Options{Kept: &kept})
	for range 2 {
		_, err := l.Check(t.Context(), filepath.Join(dir, "note.txt"), filepath.Join(dir, "chat.json"))
		if err == nil || !strings.Contains(err.Error(), "note.txt") {
			t.Fatalf("the error is %v, expected one that names note.txt", err)
		}
	}
}
