package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/must"
)

// workspaceOf makes a workspace of copies of the examples, and gives its URI.
func workspaceOf(t *testing.T, files ...string) (root string, opts Options) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must.OK(t, err)
	for _, name := range files {
		data := must.Read(t, filepath.Join("..", "..", "examples", filepath.FromSlash(name)))
		must.Write(t, filepath.Join(dir, filepath.FromSlash(name)), data)
	}
	opts = testOptions()
	opts.Load = func(string) (Settings, error) { return Settings{Paths: []string{dir}}, nil }
	return (&client{root: dir}).uriOf(dir), opts
}

// placeIn returns the parameters of a request about a place in the example artifact: in the second
// character of a text.
func placeIn(text, at string) map[string]any {
	before := text[:strings.Index(text, at)]
	return map[string]any{
		"textDocument": map[string]any{"uri": artifactURI},
		"position":     map[string]any{"line": strings.Count(before, "\n"), "character": len(before) - strings.LastIndex(before, "\n")},
	}
}

// hovered returns what hovering over a text of the example artifact shows.
func hovered(t *testing.T, c *testClient, id int, text, at string) string {
	t.Helper()
	return fmt.Sprint(c.request(id, "textDocument/hover", placeIn(text, at))["result"])
}

// TestMailInDatabase checks that a database shows who set a field, and that there is no
// place in it to go to.
func TestMailInDatabase(t *testing.T) {
	root, opts := workspaceOf(t, "mailbox/storage.sqlite3")
	c := start(t, opts)
	c.request(1, "initialize", map[string]any{"rootUri": root})
	text := exampleArtifact(t)
	c.notify("textDocument/didOpen", open(artifactURI, 1, text))
	if got := hovered(t, c, 2, text, "Claim**: Fate follows ancestry"); !strings.Contains(got, "set by RedCreek (message ") {
		t.Errorf("hovering over a claim shows %q, expected who set it", got)
	}
	if got := c.request(3, "textDocument/definition", placeIn(text, "Claim**")); got["result"] != nil || got["error"] != nil {
		t.Errorf("the definition in a database is %v", got)
	}
	c.finish()
}

// TestFolders checks that the mail is that of the folders that are open now.
func TestFolders(t *testing.T) {
	root, opts := workspaceOf(t, "mail/RS-20251230-cell-fate.json")
	c := start(t, opts)
	c.request(1, "initialize", map[string]any{})
	text := exampleArtifact(t)
	c.notify("textDocument/didOpen", open(artifactURI, 1, text))
	const claim = "Claim**: Fate follows ancestry"
	folder := []any{map[string]any{"uri": root, "name": "w"}}
	for i, event := range []map[string]any{{}, {"added": folder}, {"removed": folder}} {
		c.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": event})
		_, isOpen := event["added"]
		if got := hovered(t, c, 2+i, text, claim); strings.Contains(got, "set by RedCreek") != isOpen {
			t.Errorf("after %v hovering shows %q", event, got)
		}
	}
	c.finish()
}

// TestConfigOfFolders checks that it is said which configurations are not read.
func TestConfigOfFolders(t *testing.T) {
	root, opts := workspaceOf(t, "mail/RS-20251230-cell-fate.json")
	var folders []any
	for _, name := range []string{"a", "b", "c"} {
		folders = append(folders, map[string]any{"uri": root + "/" + name, "name": name})
		if name != "c" {
			must.Write(t, filepath.Join(filePath(root), name, ".brennerlint.yaml"), "")
		}
	}
	c := start(t, opts)
	var shown []string
	c.log = func(m map[string]any) {
		if m["method"] == "window/showMessage" {
			shown = append(shown, fmt.Sprint(m["params"]))
		}
	}
	c.request(1, "initialize", map[string]any{"workspaceFolders": folders})
	c.finish()
	if len(shown) != 1 || !strings.Contains(shown[0], filepath.Join("b", ".brennerlint.yaml")+" is not read") {
		t.Errorf("shown are %q, expected one message, about b", shown)
	}
}

// TestMailWhileItChanges asks for what needs the mail while its file is written again and
// again: what is asked after a change is answered with it.
func TestMailWhileItChanges(t *testing.T) {
	root, opts := workspaceOf(t, "mail/RS-20251230-cell-fate.json")
	c := start(t, opts)
	c.request(1, "initialize", map[string]any{"rootUri": root})
	text := exampleArtifact(t)
	c.notify("textDocument/didOpen", open(artifactURI, 1, text))
	file := filepath.Join(filePath(root), "mail", "RS-20251230-cell-fate.json")
	data := must.Read(t, file)
	const rounds, requests = 8, 5
	for round := range rounds {
		agent := []string{"RedCreek", "GreyFox"}[round%2]
		must.Write(t, file+".new", strings.ReplaceAll(string(data), "RedCreek", agent)+strings.Repeat(" ", round))
		must.OK(t, os.Rename(file+".new", file))
		c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": root + "/mail/RS-20251230-cell-fate.json", "type": 2}}})
		for i := range requests {
			method := []string{"textDocument/hover", "textDocument/definition", "textDocument/prepareRename"}[i%3]
			c.send(map[string]any{"jsonrpc": "2.0", "id": 1000*round + i + 10, "method": method, "params": placeIn(text, "Claim**: Fate follows ancestry")})
		}
		got := hovered(t, c, 1000*round+999, text, "Claim**: Fate follows ancestry")
		if !strings.Contains(got, "set by "+agent) {
			t.Errorf("round %d: hovering shows %q, expected %s", round, got, agent)
		}
	}
	c.finish()
}

// TestMailFindings checks that what needs mail is shown of an open artifact, at its place in
// what is being written, and that it goes where the mail agrees.
func TestMailFindings(t *testing.T) {
	const name = "artifacts/RS-20251230-cell-fate.md"
	root, opts := workspaceOf(t, name, "mail/RS-20251230-cell-fate.json")
	good := exampleArtifact(t)
	bad := strings.Replace(good, "**Claim**: Fate follows", "**Claim**: Changed Fate follows", 1)
	file := filepath.Join(filePath(root), filepath.FromSlash(name))
	must.Write(t, file, bad)
	load, ignored := opts.Load, map[string]bool(nil)
	opts.Load = func(root string) (Settings, error) {
		out, err := load(root)
		out.Severities.Ignore = ignored
		return out, err
	}
	c := start(t, opts)
	c.request(1, "initialize", map[string]any{"rootUri": root, "capabilities": map[string]any{"textDocument": map[string]any{"diagnostic": map[string]any{}}}})
	uri := root + "/" + name
	id := 1
	pull := func() string {
		id++
		return fmt.Sprint(c.request(id, "textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": uri}})["result"])
	}
	check := func(text string) string {
		id++
		c.request(id, "workspace/diagnostic", map[string]any{"previousResultIds": []any{}})
		c.notify("textDocument/didOpen", open(uri, id, text))
		return pull()
	}
	line := strings.Count(bad[:strings.Index(bad, "**Claim**: Changed")], "\n")
	if got := check(bad); !strings.Contains(got, "MR-020") || !strings.Contains(got, fmt.Sprintf("line:%d]", line)) {
		t.Errorf("the open artifact has %s, expected MR-020 in line %d", got, line)
	}
	if got := check(strings.Replace(bad, "## 1.", "\n\n## 1.", 1)); !strings.Contains(got, "MR-020") || !strings.Contains(got, fmt.Sprintf("line:%d]", line+2)) {
		t.Errorf("two lines further down it has %s, expected MR-020 in line %d", got, line+2)
	}
	reload := func(ignore map[string]bool) {
		ignored = ignore
		c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": root + "/.brennerlint.yaml", "type": 2}}})
	}
	reload(map[string]bool{"MR-020": true})
	if got := pull(); strings.Contains(got, "MR-020") {
		t.Errorf("under settings that ignore MR-020 it has %s", got)
	}
	reload(nil)
	must.Write(t, file, good)
	if got := check(good); strings.Contains(got, "MR-020") {
		t.Errorf("where the mail agrees it has %s", got)
	}
	c.finish()
}

// TestMendedMail checks that a fault of a file is not shown where it is mended in the editor, and that a
// workspace folder that is missing hides no findings.
func TestMendedMail(t *testing.T) {
	const name = "mail/RS-20251230-cell-fate.json"
	root, opts := workspaceOf(t, name)
	c := start(t, opts)
	c.request(1, "initialize", map[string]any{"workspaceFolders": []any{
		map[string]any{"uri": root, "name": "a"}, map[string]any{"uri": root + "-missing", "name": "b"},
	}})
	text := string(must.Read(t, filepath.Join(filePath(root), filepath.FromSlash(name))))
	c.notify("textDocument/didOpen", open(root+"/"+name, 1, strings.ReplaceAll(text, `\"T7\"`, `\"T2\"`)))
	if got := fmt.Sprint(c.request(2, "workspace/diagnostic", map[string]any{"previousResultIds": []any{}})); strings.Contains(got, "error") {
		t.Errorf("the workspace has %s", got)
	}
	got := fmt.Sprint(c.request(3, "textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": root + "/" + name}})["result"])
	if strings.Contains(got, "MR-001") || !strings.Contains(got, "MR-013") {
		t.Errorf("the open thread has %s, expected MR-013 and no MR-001", got)
	}
	c.finish()
}

// TestConfigFindings checks that an open configuration has the findings that the check of the files
// makes in it.
func TestConfigFindings(t *testing.T) {
	const name, text = ".brennerlint.yaml", "suppress:\n  - rule: TH-001\n    reason: x\n"
	root, opts := workspaceOf(t, "mail/RS-20251230-cell-fate.json")
	opts.Load = func(dir string) (Settings, error) {
		out := Settings{Paths: []string{dir}}
		cfg, err := config.Parse(filepath.Join(dir, name), []byte(text), opts.Rules)
		if err == nil {
			cfg.Apply(&out.Options, opts.Rules)
		}
		return out, err
	}
	must.Write(t, filepath.Join(filePath(root), name), text)
	c := start(t, opts)
	c.request(1, "initialize", map[string]any{"rootUri": root, "capabilities": map[string]any{"textDocument": map[string]any{"diagnostic": map[string]any{}}}})
	uri := root + "/" + name
	c.notify("textDocument/didOpen", open(uri, 1, text))
	c.request(2, "workspace/diagnostic", map[string]any{"previousResultIds": []any{}})
	got := fmt.Sprint(c.request(3, "textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": uri}})["result"])
	if !strings.Contains(got, "IN-005") {
		t.Errorf("the open configuration has %s, expected IN-005", got)
	}
	c.finish()
}

// TestHoverMarkdown checks that a text of the input is shown as it is where the client shows
// Markdown, and that rules have their page.
func TestHoverMarkdown(t *testing.T) {
	c := start(t, testOptions())
	c.request(1, "initialize", map[string]any{"capabilities": map[string]any{"textDocument": map[string]any{"hover": map[string]any{"contentFormat": []string{"markdown", "plaintext"}}}}})
	text := strings.Replace(exampleArtifact(t), "Fate follows ancestry", "![p](http://x.example/p) follows *ancestry*", 1)
	text = strings.Replace(text, "## 1.", "MB-005\n\n## 1.", 1)
	c.notify("textDocument/didOpen", open(artifactURI, 1, text))
	if got := hovered(t, c, 2, text, "H1: "); !strings.Contains(got, "kind:markdown") || !strings.Contains(got, `\!\[p\](http\://x.example/p) follows \*ancestry\*`) {
		t.Errorf("the item is shown as %s", got)
	}
	if got := hovered(t, c, 3, text, "MB-005"); !strings.Contains(got, "kind:markdown") || !strings.Contains(got, "# MB-005 ") {
		t.Errorf("the rule is shown as %.300s", got)
	}
	c.finish()
}
