package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/internal/agenthook"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// hookAnswer runs a hook as an agent program does.
func hookAnswer(t *testing.T, name, stdin, mailbox string) (stdout, stderr string, status int) {
	t.Helper()
	t.Setenv(mailboxVariable, mailbox)
	var out, errs bytes.Buffer
	status = run(t.Context(), []string{"presend", "--no-config", "--hook", name}, streams{strings.NewReader(stdin), &out, &errs}, rules.All())
	return out.String(), errs.String(), status
}

func recorded(t *testing.T, name, kind string) string {
	t.Helper()
	return readFile(t, filepath.Join("..", "testdata", "hooks", name+"-"+kind+".json"))
}

const realMailbox = "../testdata/corpus/realmail/storage.sqlite3"

// TestRecordedHooks answers what the three agent programs hand over. A DELTA that kills
// a missing hypothesis is refused where the mailbox is known, a reply with a delta
// always; ordinary mail and other tools pass.
func TestRecordedHooks(t *testing.T) {
	mailbox := mailboxPath(t)
	for _, a := range agenthook.Agents {
		name := a.Name
		for _, c := range []struct{ kind, mailbox, want string }{
			{"send", "", ""}, {"send", mailbox, "MR-001 invalid-target: KILL names H77, but hypothesis_slate holds"},
			{"reply", "", "DL-021: a reply has no subject of its own: send it with send_message"}, {"reply", mailbox, "DL-021"},
			{"mail", mailbox, ""}, {"mail", "missing", ""}, {"shell", mailbox, ""}, {"shell", "missing", ""},
		} {
			stdout, stderr, status := hookAnswer(t, name, recorded(t, name, c.kind), c.mailbox)
			if stdout != "" || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "tok-5ecret") ||
				c.want == "" && (status != exitClean || stderr != "") || c.want != "" && status != exitUsage {
				t.Errorf("%s %s with mailbox %q: status %d, stdout %q, stderr %q", name, c.kind, c.mailbox, status, stdout, stderr)
			}
		}
	}
}

// liveMailbox makes a copy of a mailbox, runs SQL on it and keeps the connection, as
// the mail server does.
func liveMailbox(t *testing.T, sql ...string) string {
	t.Helper()
	testenv.SkipUnderRace(t)
	path, conn := openMailbox(t)
	for _, q := range sql {
		if err := conn.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	return path
}

func mailboxPath(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(realMailbox)
	must.OK(t, err)
	return path
}

// TestHookOfBrokenMailbox checks that a mailbox that cannot be read neither blocks a
// message nor lets one with errors through, and that the reason is said.
func TestHookOfBrokenMailbox(t *testing.T) {
	data := readFile(t, realMailbox)
	write := func(data string) string {
		path := filepath.Join(t.TempDir(), "storage.sqlite3")
		must.Write(t, path, data)
		return path
	}
	garbled := []byte(data)
	for i := 4096; i < len(garbled); i++ {
		garbled[i] = byte(i * 7)
	}
	for what, c := range map[string]struct{ path, want string }{
		"a path in it":    {mailboxPath(t) + "/x", "not a directory"},
		"empty":           {write(""), "is empty"},
		"one page":        {write(data[:4096]), "truncated"},
		"garbled":         {write(string(garbled)), "the database is damaged"},
		"halfway":         {liveMailbox(t, "PRAGMA journal_mode=DELETE", "PRAGMA cache_size=2", "BEGIN EXCLUSIVE", "UPDATE messages SET body_md = body_md || 'x'"), "rollback journal"},
		"an empty folder": {t.TempDir(), `thread "RS-20260102-round2-nanochat" is not in the exports`},
		"no mail":         {liveMailbox(t, "ALTER TABLE messages RENAME TO letters"), "has no mail"},
	} {
		_, stderr, status := hookAnswer(t, "claude", recorded(t, "claude", "send"), c.path)
		if status != exitClean || !strings.Contains(stderr, c.want) || !strings.Contains(stderr, "the draft was checked alone") {
			t.Errorf("%s: status %d, stderr %q, want %q", what, status, stderr, c.want)
		}
	}
	_, stderr, status := hookAnswer(t, "gemini", strings.Replace(recorded(t, "gemini", "send"), "DELTA[opus]", "delta[opus]", 1), write(""))
	if status != exitUsage || !strings.Contains(stderr, "MB-001") || !strings.Contains(stderr, "is empty") {
		t.Errorf("a draft with an error: status %d, stderr %q", status, stderr)
	}
}

// TestHookOfLongArguments answers calls with arguments of megabytes, and such that break off.
func TestHookOfLongArguments(t *testing.T) {
	call := func(subject, body string) string {
		data, err := json.Marshal(map[string]any{"tool_name": "mcp__mail__send_message", "tool_input": map[string]any{"subject": subject, "body_md": body, "thread_id": "RS-20260102-round2-nanochat"}})
		must.OK(t, err)
		return string(data)
	}
	const n = 3 << 20
	long := call("INFO: long", "# Information\n\n"+strings.Repeat("All is well. ", n/13))
	deltas := call("DELTA[opus]: many", strings.Repeat("```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": \"H77\"}\n```\n\n", n/300))
	for what, c := range map[string]struct {
		stdin, want string
		status      int
	}{
		"text": {long, "", exitClean}, "deltas": {deltas, "DL-008", exitUsage}, "cut off": {long[:n/2], "the call was not checked", exitClean},
		"too long": {long + strings.Repeat("x", 16<<20), "larger than 16 MiB", exitUsage},
	} {
		stdout, stderr, status := hookAnswer(t, "codex", c.stdin, mailboxPath(t))
		if status != c.status || stdout != "" || !strings.Contains(stderr, c.want) || c.want == "" && stderr != "" {
			t.Errorf("%s: status %d, stdout %q, stderr %.500q", what, status, stdout, stderr)
		}
	}
}

// TestHookOfSlowDraft checks that a call whose check does not end is blocked, and that one
// whose check with the mailbox does not end is checked alone.
func TestHookOfSlowDraft(t *testing.T) {
	for alone, want := range []error{errLate, nil} {
		ctx, late := context.WithCancelCause(t.Context())
		release := make(chan struct{})
		var calls atomic.Int64
		slow := &lint.Rule{
			ID: "ZZ-001", Name: "does-not-end", Severity: lint.Info, SpecRef: "test", Summary: "Does not end.",
			Check: lint.MessageCheck(func(*lint.MessagePass) {
				if calls.Add(1) > int64(alone) {
					late(errLate)
					<-release
				}
			}),
		}
		p := presendCommand{settings: settings{setup: setup{rules: append(rules.All(), slow)}}}
		d, notes, err := p.checkCall(ctx, "-", []byte(recorded(t, "claude", "send")), nil)
		if !errors.Is(err, want) {
			t.Errorf("after %d checks: error %v, want %v", alone, err, want)
		}
		if want == nil && (!d.Sends || len(notes) != 1 || !strings.Contains(notes[0], "checked alone")) {
			t.Errorf("draft %+v, notes %q", d, notes)
		}
		close(release)
	}
}

// TestHookOfSlowMailbox checks that a mailbox that takes too long is given up.
func TestHookOfSlowMailbox(t *testing.T) {
	p := presendCommand{settings: settings{setup: setup{rules: rules.All()}}}
	data := []byte(recorded(t, "claude", "send"))
	if _, err := p.reviewWith(t.Context(), []string{mailboxPath(t)}, 0, "-", data); err == nil || err.Error() != "reading it takes longer than 0s" {
		t.Errorf("error %v", err)
	}
	if d, err := p.reviewWith(t.Context(), []string{mailboxPath(t)}, time.Hour, "-", data); err != nil || d.Summary.Errors != 1 {
		t.Errorf("error %v", err)
	}
}

// TestHookOffPath checks that init says what to do if the agent program will not find the
// command of the hook.
func TestHookOffPath(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PATH", "")
	for _, c := range []struct {
		args []string
		want bool
	}{{nil, true}, {nil, true}, {[]string{"--remove"}, false}} {
		var out strings.Builder
		status := run(t.Context(), append([]string{"init", "--hook", "claude"}, c.args...), streams{nil, &out, &out}, nil)
		if got := strings.Contains(out.String(), "add the folder of the program to PATH"); status != exitClean || got != c.want {
			t.Errorf("%q: status %d, output %q", c.args, status, out.String())
		}
	}
}
