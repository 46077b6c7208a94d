package mcp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/internal/must"
)

// serverHere connects a client to a server in a folder.
func serverHere(t *testing.T, dir string) *mcp.ClientSession {
	t.Helper()
	t.Chdir(dir)
	return inMemory(t)
}

const oneMessage = `{"thread_id": "RS-20251230-cell-fate", "messages": [{"id": 1, "from": "A", "to": ["B"], "created": "2025-12-30T10:00:00Z", "ack_required": true, "subject": "KICKOFF: x", "body_md": "SECRET"}]}`

// folders makes a working folder with mail beside a folder with other mail.
func folders(t *testing.T) (dir string) {
	t.Helper()
	top := t.TempDir()
	for name, text := range map[string]string{"work/mail.json": oneMessage, "work/in/mail.json": oneMessage, "work/-": oneMessage, "outside/mail.json": oneMessage} {
		must.Write(t, filepath.Join(top, filepath.FromSlash(name)), text)
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
	session := serverHere(t, dir)
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
		"../outside/nothing.json":                "outside the server's working folder",
		"/nothing/mail.json":                     "outside the server's working folder",
		"out/nothing.json":                       "outside the server's working folder",
		"out/mail.json/x":                        "outside the server's working folder",
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
	must.OK(t, err)
	return files
}
