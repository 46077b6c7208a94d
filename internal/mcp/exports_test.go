package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serverHere connects a client to a server in a folder.
func serverHere(t *testing.T, dir string, b bounds) *mcp.ClientSession {
	t.Helper()
	t.Chdir(dir)
	return inMemory(t, b)
}

const oneMessage = `{"thread_id": "RS-20251230-cell-fate", "messages": [{"id": 1, "from": "A", "to": ["B"], "created": "2025-12-30T10:00:00Z", "ack_required": true, "subject": "KICKOFF: x", "body_md": "SECRET"}]}`

// folders makes a working folder with mail beside a folder with other mail.
func folders(t *testing.T) (dir string) {
	t.Helper()
	top := t.TempDir()
	for name, text := range map[string]string{"work/mail.json": oneMessage, "work/in/mail.json": oneMessage, "work/-": oneMessage, "outside/mail.json": oneMessage} {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir = filepath.Join(top, "work")
	for link, to := range map[string]string{"out": "../outside", "out.json": "../outside/mail.json", "up": "..", "inside.json": "in/mail.json", "loop": "loop"} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	return dir
}

// TestExportPaths checks which paths the tools read: those below the working folder, wherever
// links lead. They write nothing.
func TestExportPaths(t *testing.T) {
	dir := folders(t)
	before := snapshot(t, filepath.Dir(dir))
	session := serverHere(t, dir, defaultBounds)
	for path, want := range map[string]string{
		"mail.json":                              "",
		"in":                                     "",
		".":                                      "",
		"./in/../mail.json":                      "",
		"inside.json":                            "",
		"-":                                      "",
		filepath.Join(dir, "mail.json"):          "",
		"../outside/mail.json":                   "outside the server's working folder",
		"..":                                     "outside the server's working folder",
		"/":                                      "outside the server's working folder",
		filepath.Join(dir, "../outside"):         "outside the server's working folder",
		"out":                                    "outside the server's working folder",
		"out/mail.json":                          "outside the server's working folder",
		"out.json":                               "outside the server's working folder",
		"up/outside/mail.json":                   "outside the server's working folder",
		"in/../../outside/mail.json":             "outside the server's working folder",
		"../outside/*.json":                      "find export",
		"../outside/...":                         "find export",
		"*.json":                                 "find export",
		"loop":                                   "find export",
		"nothing.json":                           "find export",
		"mail.json/x":                            "find export",
		"/dev/null":                              "outside the server's working folder",
		filepath.Join(dir, "missing", "x\x00.j"): "find export",
	} {
		text, failed := call(t, session, "replay_thread", map[string]any{"export": path})
		switch {
		case want == "" && (failed || !strings.Contains(text, thread)):
			t.Errorf("%q is not read: %s", path, text)
		case want != "" && (!failed || !strings.Contains(text, want) || strings.Contains(text, thread)):
			t.Errorf("%q is answered with failed %t and %q, want %q", path, failed, text, want)
		}
		file := path
		if want == "" {
			file = filepath.Join(path, "artifact.md")
		}
		if text, failed := call(t, session, "check_artifact", map[string]any{"path": file}); !failed || want != "" && !strings.Contains(text, strings.Replace(want, "export", "artifact", 1)) {
			t.Errorf("check_artifact with %q is answered with failed %t and %q", file, failed, text)
		}
		draft := map[string]any{"subject": "INFO: x", "body_md": "# Information\n\nx", "thread_id": thread, "export": path}
		if text, failed := call(t, session, "check_message", draft); failed != (want != "") {
			t.Errorf("check_message with %q is answered with failed %t and %q", path, failed, text)
		}
	}
	if after := snapshot(t, filepath.Dir(dir)); !slices.Equal(after, before) {
		t.Errorf("the tools write: before\n%s\nafter\n%s", before, after)
	}
}

// snapshot lists the files of a folder with what shows that one was changed.
func snapshot(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files = append(files, fmt.Sprint(path, info.Mode(), info.Size(), info.ModTime()))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestExportBounds checks that an export that holds too much is refused before it
// is read.
func TestExportBounds(t *testing.T) {
	dir := folders(t)
	few, small := defaultBounds, defaultBounds
	few.files, small.bytes = 2, int64(len(oneMessage))+10
	for _, c := range []struct {
		bounds     bounds
		path, want string
	}{
		{few, ".", "more than 2 files"}, {few, "in", ""}, {small, ".", "more than 0 MiB"}, {small, "mail.json", ""},
	} {
		text, failed := call(t, serverHere(t, dir, c.bounds), "replay_thread", map[string]any{"export": c.path})
		if failed != (c.want != "") || !strings.Contains(text, c.want) {
			t.Errorf("%q is answered with failed %t and %q, want %q", c.path, failed, text, c.want)
		}
	}
}

// TestBoundsOfDatabase checks that the size of a database does not count where one
// thread is all that is read of it.
func TestBoundsOfDatabase(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile("../../testdata/corpus/realmail/storage.sqlite3")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "storage.sqlite3"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	small := defaultBounds
	small.bytes = 1000
	session := serverHere(t, dir, small)
	const thread = "RS-20260102-round2-nanochat"
	for _, c := range []struct {
		export, thread, want string
		failed               bool
	}{
		{"storage.sqlite3", "", "more than 0 MiB", true}, {".", thread, "more than 0 MiB", true},
		{"storage.sqlite3", thread, thread, false},
	} {
		text, failed := call(t, session, "replay_thread", map[string]any{"export": c.export, "thread_id": c.thread})
		if failed != c.failed || !strings.Contains(text, c.want) {
			t.Errorf("replay of %q in %q is answered with failed %t and %q, want %q", c.thread, c.export, failed, text, c.want)
		}
	}
	kill := "## Deltas\n\n```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": \"H77\", \"payload\": {\"reason\": \"x\"}}\n```\n"
	draft := map[string]any{"subject": "DELTA[opus]: Killed H77", "sender_name": "BrownSnow", "body_md": kill, "thread_id": thread, "export": "storage.sqlite3"}
	if text, failed := call(t, session, "check_message", draft); failed || !strings.Contains(text, "KILL names H77, but hypothesis_slate holds") {
		t.Errorf("the draft is answered with failed %t and %q", failed, text)
	}
}

// TestWithin checks that a call that does not end is answered all the same, and that
// calls that hold all the room keep others waiting only so long.
func TestWithin(t *testing.T) {
	s := &server{bounds: bounds{time: time.Millisecond}, room: make(chan struct{}, 1)}
	release, ended := make(chan struct{}), make(chan struct{})
	stuck := func(context.Context) (int, error) { defer close(ended); <-release; return 1, nil }
	for range 2 { // the second does not even begin
		if _, err := within(t.Context(), s, stuck); err == nil || !strings.Contains(err.Error(), "longer than 1ms") {
			t.Errorf("the error is %v", err)
		}
	}
	close(release)
	<-ended
	s.bounds.time = time.Hour
	if n, err := within(t.Context(), s, func(context.Context) (int, error) { return 2, nil }); n != 2 || err != nil {
		t.Errorf("afterwards it gives %d, %v", n, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := within(gone, s, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was cancelled gives %v", err)
	}
}
