package mcp

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

const (
	initialize = `{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	ready      = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	explain    = `{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"explain_rule","arguments":{"rule":"MB-005"}}}`
)

// patience is how long a test waits for what must come.
const patience = time.Minute

// TestBrokenDatabases checks that a database that another program writes, or that was
// cut off, and a thread that is in no mail get a clear answer; the draft is checked
// alone.
func TestBrokenDatabases(t *testing.T) {
	data := must.Read(t, "../../testdata/corpus/realmail/storage.sqlite3")
	dir := t.TempDir()
	journal := binary.BigEndian.AppendUint32([]byte("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"), 1)
	for name, data := range map[string][]byte{
		"whole.sqlite3": data, "half.sqlite3": data[:60_000], "header.sqlite3": data[:50],
		"locked.sqlite3": data, "locked.sqlite3-journal": append(journal, make([]byte, 600)...), "half.json": []byte(`{"messages": [`),
	} {
		must.Write(t, filepath.Join(dir, name), data)
	}
	session := serverHere(t, dir)
	draft := map[string]any{"subject": "INFO: x", "body_md": "# Information\n\nx", "thread_id": "RS-20251230-not-in-there", "to": "A", "sender_name": "B"}
	for name, want := range map[string]string{
		"whole.sqlite3": "", "half.sqlite3": "the database is truncated", "header.sqlite3": "it ends after 50 bytes",
		"locked.sqlite3": "another program is writing to it", "half.json": "the text ends before",
	} {
		draft["export"] = name
		text, a, failed := callFull(t, session, "check_message", draft)
		notices := strings.Join(a.Notices, "\n")
		if failed || len(a.Findings) > 0 || !strings.Contains(text, want) || !strings.Contains(notices, want) || !strings.Contains(notices, `"RS-20251230-not-in-there" is not in the exports: the draft was checked alone`) {
			t.Errorf("check_message with %s is answered with failed %t, notices %q:\n%s", name, failed, notices, text)
		}
		text, failed = call(t, session, "replay_thread", map[string]any{"export": name, "thread_id": "RS-20251230-not-in-there"})
		if !failed || !strings.Contains(text, "not in the inputs") || !strings.Contains(text, want) {
			t.Errorf("replay_thread of a thread in %s is answered with failed %t and %q", name, failed, text)
		}
		if text, failed = call(t, session, "replay_thread", map[string]any{"export": name}); failed != (want != "") || !strings.Contains(text, want) {
			t.Errorf("replay_thread of %s is answered with failed %t and %q", name, failed, text)
		}
	}
}

// TestLargeArguments checks that a draft of 2 MB is checked, and not repaired in vain.
func TestLargeArguments(t *testing.T) {
	testenv.SkipUnderRace(t)
	session := inMemory(t)
	fence := "```delta\n{\"operation\": \"KILL\",}\n```\n"
	prose := strings.Repeat("A line of prose that is long enough.\n", 2<<20/37)
	for _, c := range []struct {
		body string
		want string
	}{
		{fence + prose, "MB-005"},
		{strings.Repeat(">", 1<<18), ""},
		{strings.Repeat(`"\`+"\x00\n", 1<<16), ""},
	} {
		text, a, failed := callFull(t, session, "check_message", map[string]any{"subject": "DELTA[gpt]: x", "body_md": c.body, "thread_id": thread, "to": "A", "sender_name": "B"})
		if failed || !strings.Contains(text, c.want) || len(text) > 10_000 || a.Repaired != nil {
			t.Errorf("a body of %d bytes is answered with failed %t and %.300q", len(c.body), failed, text)
		}
	}
	if text, failed := call(t, session, "check_artifact", map[string]any{"content": prose}); failed || !strings.Contains(text, "EM-001") {
		t.Errorf("an artifact of 2 MB is answered with failed %t and %.300q", failed, text)
	}
}

// TestDeepArguments checks that arguments nested too deep are refused.
func TestDeepArguments(t *testing.T) {
	deep := json.RawMessage(`{"body_md":` + strings.Repeat(`{"x":[`, 400) + strings.Repeat("]}", 400) + `}`)
	if text, _, failed := callFull(t, inMemory(t), "check_message", deep); !failed || !strings.Contains(text, "nested deeper than 512 levels") {
		t.Errorf("they are answered with failed %t and %q", failed, text)
	}
}

// TestMalformedLine checks that a line that is no message, or too long, ends the server with an
// error, and that the calls before it are answered.
func TestMalformedLine(t *testing.T) {
	for _, line := range []string{"nonsense", "42", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, strings.Repeat("[", 2000) + strings.Repeat("]", 2000), `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 16<<20) + `"}`} {
		lines := serve(t)
		lines.send(explain)
		lines.answer(t, "last")
		lines.send(line)
		go func() { _, _ = io.Copy(io.Discard, lines.out) }()
		if err := <-lines.ended; err == nil {
			t.Errorf("the server takes %.80q", line)
		}
	}
}

// TestCancelledCalls checks that a call that is cancelled ends, that the server works
// on, and that it does not wait for the call when its client goes away.
func TestCancelledCalls(t *testing.T) {
	lines := serve(t)
	for i := range 20 {
		lines.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"check_message","arguments":{"body_md":"x"}}}`, i))
		lines.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"enough"}}`, i))
	}
	lines.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}`)
	lines.send(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	lines.send(explain)
	if result := lines.answer(t, "last"); !strings.Contains(string(result), "delta-json") {
		t.Errorf("afterwards the tool says %s", result)
	}
	lines.end(t)
}

// TestSameID checks that each of several requests with one id is answered, and that the server
// then ends at once.
func TestSameID(t *testing.T) {
	lines := serve(t)
	for range 3 {
		lines.send(strings.Replace(explain, "last", "same", 1))
	}
	for range 3 {
		lines.answer(t, "same")
	}
	start := time.Now()
	if lines.end(t); time.Since(start) > maxTime {
		t.Errorf("the server took %s to end", time.Since(start))
	}
}

// dialogue is a server and the client's ends of its streams.
type dialogue struct {
	lines chan string
	out   *bufio.Reader
	ended chan error
}

// serve starts a server that has shaken hands.
func serve(t *testing.T) *dialogue {
	t.Helper()
	s := newServer(testOptions)
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	d := &dialogue{lines: make(chan string, 100), out: bufio.NewReader(out), ended: make(chan error, 1)}
	go func() { d.ended <- s.Run(context.Background(), &stdio{fromClient, toClient}) }()
	go func() {
		defer in.Close()
		for line := range d.lines {
			_, _ = io.WriteString(in, line+"\n")
		}
	}()
	d.send(initialize)
	d.answer(t, "first")
	d.send(ready)
	return d
}

// send sends a line, without waiting for the server to read it: it may wait for its
// answers to be read first.
func (d *dialogue) send(line string) { d.lines <- line }

// answer reads messages until the one with an id, and returns its result.
func (d *dialogue) answer(t *testing.T, id string) json.RawMessage {
	t.Helper()
	for {
		var m struct {
			ID     any             `json:"id"`
			Result json.RawMessage `json:"result"`
		}
		data, err := d.out.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil {
			t.Fatalf("the server ended before it answered %q: %v", id, err)
		}
		if m.ID == id {
			return m.Result
		}
	}
}

// end closes the client's end, and holds that the server ends in peace.
func (d *dialogue) end(t *testing.T) {
	t.Helper()
	close(d.lines)
	go func() { _, _ = io.Copy(io.Discard, d.out) }()
	select {
	case err := <-d.ended:
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(patience):
		t.Error("the server waits for calls that were cancelled")
	}
}
