package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// watched is a watch that runs, and its events.
type watched struct {
	t      testing.TB
	events *bufio.Scanner
	stop   context.CancelFunc
	status chan int
	errs   *strings.Builder
}

// watchEvent is an event as scripts read it.
type watchEvent struct {
	Event   string
	First   bool
	Finding struct {
		Rule      string
		MessageID string `json:"message_id"`
	}
	MessageID string `json:"message_id"`
	Body      string `json:"body_md"`
}

func startWatch(t testing.TB, args ...string) *watched {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	out, in := io.Pipe()
	w := &watched{t: t, events: bufio.NewScanner(out), stop: stop, status: make(chan int, 1), errs: &strings.Builder{}}
	w.events.Buffer(nil, 1<<20)
	if !slices.Contains(args, "--config") {
		args = append([]string{"--no-config"}, args...)
	}
	go func() {
		status := run(ctx, append([]string{"watch", "--format", "json", "--poll", "10ms"}, args...), streams{strings.NewReader(""), in, w.errs}, rules.All())
		in.Close()
		w.status <- status
	}()
	return w
}

// next waits for an event, and holds what it is about; without a message, of any.
func (w *watched) next(event, rule, message string) watchEvent {
	w.t.Helper()
	var e watchEvent
	if !w.events.Scan() {
		w.t.Fatalf("the watch ended with %d: %s", <-w.status, w.errs)
	}
	must.OK(w.t, json.Unmarshal(w.events.Bytes(), &e))
	if id := e.MessageID + e.Finding.MessageID; e.Event != event || e.Finding.Rule != rule || message != "" && id != message {
		w.t.Fatalf("the event is %s, want %s %s %s", w.events.Bytes(), event, rule, message)
	}
	return e
}

// end interrupts the watch, and holds that it ends at once, with the status of the
// last check.
func (w *watched) end(want int) {
	w.t.Helper()
	w.stop()
	if w.events.Scan() {
		w.t.Errorf("interrupted, it prints %s", w.events.Bytes())
	}
	if got := <-w.status; got != want {
		w.t.Errorf("interrupted, it ends with %d, want %d: %s", got, want, w.errs)
	}
}

// brokenDelta is the body of a DELTA that is not JSON, and fixedDelta one that is.
const (
	brokenDelta = "## Deltas\n\n```delta\n{\"operation\": \"ADD\",}\n```\n"
	fixedDelta  = "## Deltas\n\n```delta\n{\"operation\": \"ADD\"}\n```\n"
)

// openMailbox returns a copy of a mailbox, alone in its folder, that another program has
// opened.
func openMailbox(t *testing.T) (path string, conn *sqlite3.Conn) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "storage.sqlite3")
	must.Write(t, path, readFile(t, realMailbox))
	conn, err := sqlite3.Open(path)
	if err == nil {
		err = conn.Exec("DROP TRIGGER fts_messages_ai; DROP TRIGGER fts_messages_au; DROP TRIGGER fts_messages_ad")
	}
	must.OK(t, err)
	t.Cleanup(func() { conn.Close() })
	return path, conn
}

// TestWatchLiveDatabase checks that a watch reports what another program commits to a
// database in WAL mode, whether it is in the log or in the file, that it survives
// a checkpoint, a truncation and a replacement, and that it never locks: each write
// has the database for itself, and nothing else is left beside it.
func TestWatchLiveDatabase(t *testing.T) {
	path, conn := openMailbox(t)
	dir := filepath.Dir(path)
	exec := func(sql string) {
		t.Helper()
		if err := conn.Exec(sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	exec("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0")
	insert := func(id, body string) {
		exec("BEGIN EXCLUSIVE; INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, importance, ack_required, created_ts) VALUES (" + id +
			", 7, 19, 'RS-20260102-round2-nanochat', 'DELTA[gpt]: x', '" + body + "', 'normal', 0, '2026-01-03 10:00:00.000000'); COMMIT")
	}
	insert("9000", brokenDelta)
	w := startWatch(t, "--select", "MB-005", "--validation-error", path)
	if e := w.next("appeared", "MB-005", "9000"); !e.First {
		t.Error("what was there before is not marked as first")
	}
	insert("9001", brokenDelta)
	if e := w.next("appeared", "MB-005", "9001"); e.First {
		t.Error("what is new is marked as first")
	}
	if e := w.next("validation_error", "", "9001"); !strings.HasPrefix(e.Body, "# Validation Error\n\n## Message\n9001\n\n## Errors\n- MB-005 ") {
		t.Errorf("the reply is %q", e.Body)
	}
	exec("PRAGMA wal_checkpoint(TRUNCATE)")
	insert("9002", brokenDelta)
	w.next("appeared", "MB-005", "9002")
	w.next("validation_error", "", "9002")
	exec("UPDATE messages SET body_md = '" + fixedDelta + "' WHERE id = 9001")
	w.next("resolved", "MB-005", "9001")
	exec("PRAGMA wal_checkpoint(TRUNCATE)")
	whole := readFile(t, path)
	exec("UPDATE messages SET body_md = '" + fixedDelta + "' WHERE id = 9002")
	w.next("resolved", "MB-005", "9002")
	must.OK(t, conn.Close())
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("beside the database there is %v (%v)", entries, err)
	}
	if err := os.Truncate(path, 60_000); err != nil { // resolves nothing
		t.Fatal(err)
	}
	fresh := filepath.Join(t.TempDir(), "storage.sqlite3") // it would be mail itself beside the other
	must.Write(t, fresh, whole)
	must.OK(t, os.Rename(fresh, path))
	w.next("appeared", "MB-005", "9002") // it was seen before: no reply
	w.end(exitFindings)
}

// TestWatchSettings checks that a change of the configuration, of a file that it includes,
// or of the baseline concerns everything, and that settings at fault change nothing. Files with
// rules are followed as soon as the configuration includes them, also while they are at fault,
// and whatever their folder is called.
func TestWatchSettings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[group]")
	must.OK(t, os.Mkdir(dir, 0o700))
	t.Chdir(dir)
	write := func(name, text string) {
		t.Helper()
		must.Write(t, name+".new", text)
		must.OK(t, os.Rename(name+".new", name))
	}
	messages := ""
	send := func(id string) {
		messages += `{"id": ` + id + `, "from": "GreenCastle", "to": ["BlueLake"], "created_ts": "2025-12-30T10:00:0` + id + `Z", "subject": "DELTA[gpt]: x", "body_md": "none"},`
		write("mail.json", `{"thread_id": "RS-20251230-x", "messages": [`+strings.TrimSuffix(messages, ",")+`]}`)
	}
	own := func(id, message string) string {
		return "rules: [{id: " + id + ", name: own-" + strings.ToLower(id) + ", scope: message, when: message.id == '" + message + "', report: x}]\n"
	}
	const empty = `{"schema": "brennerlint/baseline/v1", "findings": []}`
	send("1")
	write("baseline.json", empty)
	if _, stderr, _ := runHere(t, "--no-config", "--select", "MB-004", "--write-baseline", "accepted.json", "mail.json"); !strings.Contains(stderr, "1 finding written") {
		t.Fatal(stderr)
	}
	write("c.yaml", "rules: {select: [MB-004]}\n")
	w := startWatch(t, "--config", "c.yaml", "--baseline", "baseline.json", "mail.json")
	w.next("appeared", "MB-004", "1")
	write("c.yaml", "rules: {select: [MB-005]}\n")
	w.next("resolved", "MB-004", "1")
	write("c.yaml", "rules: {select: [MB-004]}\n")
	w.next("appeared", "MB-004", "1")
	write("c.yaml", "nonsense: 1\n")
	send("2")
	w.next("appeared", "MB-004", "2")

	write("a1.yaml", own("GRP-001", "1"))
	write("c.yaml", "rules: {select: [MB-004, GRP]}\ninclude-rules: [a*.yaml]\n")
	w.next("appeared", "GRP-001", "1")
	write("b.yaml", "rules: [{id: 1}]\n")
	write("c.yaml", "rules: {select: [MB-004, GRP]}\ninclude-rules: [a*.yaml, b.yaml]\n")
	send("3")
	w.next("appeared", "MB-004", "3")
	write("b.yaml", own("GRP-002", "3"))
	w.next("appeared", "GRP-002", "3")

	write("baseline.json", "{")
	write("c.yaml", "rules: {select: [MB-005]}\n") // does not count while the baseline is at fault
	send("4")
	w.next("appeared", "MB-004", "4")
	write("c.yaml", "rules: {select: [MB-004]}\n")
	write("baseline.json", readFile(t, "accepted.json"))
	for _, e := range [][2]string{{"GRP-001", "1"}, {"MB-004", "1"}, {"GRP-002", "3"}} {
		w.next("resolved", e[0], e[1])
	}
	write("baseline.json", empty)
	w.next("appeared", "MB-004", "1")
	w.end(exitFindings)
	if !strings.Contains(w.errs.String(), `unknown key "nonsense"`) {
		t.Errorf("of the broken configuration it says %q", w.errs)
	}
}
