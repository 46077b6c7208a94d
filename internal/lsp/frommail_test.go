package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

// TestMailFindings checks that what needs mail is shown of an open artifact, at its place in
// what is being written, and that it goes where the mail agrees.
func TestMailFindings(t *testing.T) {
	const name = "artifacts/RS-20251230-cell-fate.md"
	root, opts := workspaceOf(t, name, "mail/RS-20251230-cell-fate.json")
	good := exampleArtifact(t)
	bad := strings.Replace(good, "**Claim**: Fate follows", "**Claim**: Changed Fate follows", 1)
	file := filepath.Join(filePath(root), filepath.FromSlash(name))
	if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
		t.Fatal(err)
	}
	c := start(t, opts)
	c.request(1, "initialize", map[string]any{"rootUri": root, "capabilities": map[string]any{"textDocument": map[string]any{"diagnostic": map[string]any{}}}})
	uri := root + "/" + name
	id := 1
	check := func(text string) string {
		id += 3
		c.request(id, "workspace/diagnostic", map[string]any{"previousResultIds": []any{}})
		c.notify("textDocument/didOpen", open(uri, id, text))
		return fmt.Sprint(c.request(id+1, "textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": uri}})["result"])
	}
	line := strings.Count(bad[:strings.Index(bad, "**Claim**: Changed")], "\n")
	if got := check(bad); !strings.Contains(got, "MR-020") || !strings.Contains(got, fmt.Sprintf("line:%d]", line)) {
		t.Errorf("the open artifact has %s, expected MR-020 in line %d", got, line)
	}
	if got := check(strings.Replace(bad, "## 1.", "\n\n## 1.", 1)); !strings.Contains(got, "MR-020") || !strings.Contains(got, fmt.Sprintf("line:%d]", line+2)) {
		t.Errorf("two lines further down it has %s, expected MR-020 in line %d", got, line+2)
	}
	if err := os.WriteFile(file, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := check(good); strings.Contains(got, "MR-020") {
		t.Errorf("where the mail agrees it has %s", got)
	}
	c.finish()
}

// TestMoved checks where a place is after an edit.
func TestMoved(t *testing.T) {
	for _, c := range []struct {
		before, after string
		at, want      source.Span
	}{
		{"abc", "abc", source.Span{Start: 1, End: 2}, source.Span{Start: 1, End: 2}},
		{"abc", "xabc", source.Span{Start: 1, End: 2}, source.Span{Start: 2, End: 3}},
		{"abc", "abcx", source.Span{Start: 1, End: 2}, source.Span{Start: 1, End: 2}},
		{"abc", "", source.Span{Start: 1, End: 2}, source.Span{Start: 0, End: 0}},
		{"abcd", "ad", source.Span{Start: 3, End: 4}, source.Span{Start: 1, End: 2}},
	} {
		if got := moved([]byte(c.before), []byte(c.after), c.at); got != c.want {
			t.Errorf("%v of %q is %v in %q, want %v", c.at, c.before, got, c.after, c.want)
		}
	}
}

// TestHoverMarkdown checks that a text of the input is shown as it is where the client shows
// Markdown, and that rules have their page.
func TestHoverMarkdown(t *testing.T) {
	c := start(t, testOptions())
	c.request(1, "initialize", map[string]any{"capabilities": map[string]any{"textDocument": map[string]any{"hover": map[string]any{"contentFormat": []string{"markdown", "plaintext"}}}}})
	text := strings.Replace(exampleArtifact(t), "Fate follows ancestry", "![p](http://x.example/p) follows *ancestry*", 1)
	text = strings.Replace(text, "## 1.", "MB-005\n\n## 1.", 1)
	c.notify("textDocument/didOpen", open(artifactURI, 1, text))
	hover := func(id int, at string) string {
		before := text[:strings.Index(text, at)]
		line := before[strings.LastIndex(before, "\n")+1:]
		return fmt.Sprint(c.request(id, "textDocument/hover", map[string]any{
			"textDocument": map[string]any{"uri": artifactURI}, "position": map[string]any{"line": strings.Count(before, "\n"), "character": len(line) + 1},
		})["result"])
	}
	if got := hover(2, "H1: "); !strings.Contains(got, "kind:markdown") || !strings.Contains(got, `\!\[p\](http\://x.example/p) follows \*ancestry\*`) {
		t.Errorf("the item is shown as %s", got)
	}
	if got := hover(3, "MB-005"); !strings.Contains(got, "kind:markdown") || !strings.Contains(got, "# MB-005 ") {
		t.Errorf("the rule is shown as %.300s", got)
	}
	c.finish()
}
