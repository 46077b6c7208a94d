package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// hostileText tries what terminals, CI logs, Markdown and browsers obey.
const hostileText = "x\n::error::pwned\n##[error]pwned ##vso[task.complete] \x1b]8;;http://x\x07\x1b[2J\u202e\u200b | `|` <script>alert(1)</script> ]]> \u0085\u2028\r::set-output name=x::y"

// obeyed is what a runner of CI obeys: a command at the start of a line, which
// may follow white space, or a logging command anywhere.
var obeyed = regexp.MustCompile(`(?m)^\s*::[a-z-]+[ :]|##[a-zA-Z]*\[`)

// ourCommand is a workflow command of the github format.
var ourCommand = regexp.MustCompile(`(?m)^::(error|warning|notice) (file|title)=`)

func checkShown(t *testing.T, what, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8", what)
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsGraphic(r) || r == '\u2028' }); i >= 0 {
		t.Errorf("%s shows %q", what, text[max(0, i-40):min(len(text), i+10)])
	}
	if m := obeyed.FindString(ourCommand.ReplaceAllString(text, "")); m != "" {
		t.Errorf("%s has the command %q", what, m)
	}
}

// hostileName is a hostile name of a file.
const hostileName = "a\n::error::b\x1b[31m##[error]\u202e"

// hostileTree writes mail and artifacts whose every text, their names included,
// is hostile.
func hostileTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Skipf("the file system takes no such name: %v", err)
		}
	}
	message := map[string]any{
		"id": hostileText, "from": hostileText, "to": []string{hostileText}, "thread_id": "../../" + hostileText,
		"subject": "DELTA[" + hostileText + "]: " + hostileText, "created_ts": "2025-12-30T10:00:00Z",
		"body_md": hostileText + "\n```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": " + quote(hostileText) + ", " + quote(hostileText) + ": 1}\n```\n",
	}
	mail := func(id any) string {
		message["id"] = id
		data, err := json.Marshal(map[string]any{"messages": []any{message}})
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	name := hostileName
	write(name+".json", mail(hostileText))
	write("mail/"+name+"2.json", mail(17))
	write("artifacts/"+name+".md", "---\nsession_id: "+quote(hostileText)+"\nversion: 0\nstatus: "+quote(hostileText)+"\n---\n\n# Brenner Protocol Artifact: x\n\n## 1. Research Thread\n\n"+hostileText+"\n\n## 2. Hypothesis Slate\n\n### H1: "+strings.ReplaceAll(hostileText, "\n", " ")+"\n**Claim**: "+hostileText+"\n**Anchors**: §999999 | x\n")
	write("draft.json", `{"subject": `+quote("DELTA["+hostileText+"]: "+hostileText)+`, "thread_id": `+quote("../"+hostileText)+`, "to": [`+quote(hostileText)+`], "body_md": `+quote(hostileText+"\n```delta\n{"+hostileText+"}\n```\n")+`, `+quote(hostileText)+`: 1}`)
	write("draft.md", "Subject: "+hostileText+"\nThread: "+hostileText+"\n\n"+hostileText)
	write("hostile.yaml", "include: ["+quote(hostileText)+"]\n"+quote(hostileText)+": 1\nrules: {select: ["+quote(hostileText)+"]}\nscope: "+quote(hostileText)+"\nlimits: {file-size: "+quote(hostileText)+"}\n")
	write("nonsense.yaml", "a: [\x1b[31m ::error::x\u202e\n  ##[error]x: {\n")
	write("nowhere.yaml", "include: ["+quote(hostileText)+"]\n")
	write("accepted.json", `{"schema": `+quote(hostileText)+`}`)
	write("artifacts/broken\n::error::x.md", "---\n: [\x1b[31m\n---\n# Brenner Protocol Artifact\n\xff\xfe\n")
	return dir
}

func quote(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// TestHostileInputs checks hostile inputs in every format: nothing of them may
// take effect where a report or standard error is read.
func TestHostileInputs(t *testing.T) {
	dir := hostileTree(t)
	t.Chdir(dir)
	out := allFormats(t, ".")
	if n := strings.Count(out["json"], `"rule"`); n < 10 {
		t.Errorf("only %d findings", n)
	}
	for format, text := range out {
		checkShown(t, format, text)
	}
	for _, args := range [][]string{
		{"no such\n::error::x\x1b[31m"}, {"--format", "::error::\x1b"}, {"--output", "\n::error::x=\x1b[31m/x", "."},
		{"--config", "\n::error::\x1b"}, {"--severity", "\n::error::\x1b[2J"}, {"--\n::error::x"}, {"explain", "\n::error::\x1b[2J"},
		{"replay", "."}, {"replay", "--thread", "\n::error::\x1b", "."}, {"presend", "\n::error::x"},
		{"--baseline", "\n::error::x", "."}, {"--fix", "--diff", "--verbose", "mail"}, {"--statistics", "."}, {"blame", "artifacts/" + hostileName + ".md", "."}, {"blame", "--format", "json", "artifacts/" + hostileName + ".md", "."},
		{"blame", "\n::error::x"}, {"rules", "\n::error::\x1b"}, {"completion", "\n::error::\x1b"}, {"init", "\n::error::\x1b"}, {"init", "--hook", "\n::error::\x1b"}, {"help", "\n::error::\x1b"},
		{"presend", "draft.json"}, {"presend", "--format", "text", "draft.json"}, {"presend", "--format", "json", "draft.json"}, {"presend", "draft.md"}, {"presend", "--thread", ".", "draft.json"},
		{"presend", "--hook", "claude", "draft.json"}, {"presend", "--hook", "\n::error::\x1b", "draft.json"}, {"--kind", "draft", "draft.json"},
		{"--config", "hostile.yaml", "."}, {"--config", "nonsense.yaml", "."}, {"--config", "nowhere.yaml"}, {"--config", "nowhere.yaml", "--show-config"}, {"--baseline", "accepted.json", "."},
		{"replay", "--format", "json", "."}, {"replay", "--permutations", "2", "."}, {"--verbose", "--color", "never", "."},
	} {
		stdout, stderr, _ := runHere(t, args...)
		checkShown(t, fmt.Sprintf("standard output of %q", args), stdout)
		checkShown(t, fmt.Sprintf("standard error of %q", args), stderr)
	}
}

// TestNothingWrittenElsewhere checks that a check, and a fix, leave every file of
// hostile inputs but artifacts as it is, and make none.
func TestNothingWrittenElsewhere(t *testing.T) {
	dir := hostileTree(t)
	outside := filepath.Join(filepath.Dir(dir), "outside.md")
	if err := os.WriteFile(outside, []byte("# Brenner Protocol Artifact: x\n## 2. Hypothesis Slate\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "artifacts", "link.md")); err != nil {
		t.Skip(err)
	}
	before := contents(t, filepath.Dir(dir))
	t.Chdir(dir)
	for _, args := range [][]string{{"."}, {"--fix", "."}, {"--unsafe-fixes", "."}, {"replay", "."}} {
		runHere(t, args...)
	}
	after := contents(t, filepath.Dir(dir))
	for path, data := range after {
		old, was := before[path]
		if !was {
			t.Errorf("%q was made", path)
		} else if old != data && !(strings.Contains(path, "artifacts") && !strings.Contains(path, "link")) {
			t.Errorf("%q was changed", path)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files before, %d after", len(before), len(after))
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	for _, path := range inputsOf(t, dir) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got[path] = string(data)
	}
	return got
}

const fixable = "../examples/artifacts/RS-20251230-cell-fate.md"

// fixableCopy returns an artifact with a fault that --fix fixes.
func fixableCopy(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(fixable)
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.Replace(data, []byte("## 2. Hypothesis Slate"), []byte("<!-- brennerlint:ignore ES-002 -->\n## 2. Hypothesis Slate"), 1)
	if bytes.Equal(broken, data) {
		t.Fatal("the example has no such heading")
	}
	if err := os.WriteFile(path, broken, 0o640); err != nil {
		t.Fatal(err)
	}
	return broken
}

// TestFixThroughLink fixes the file that a named link leads to, and keeps both
// the link and the file's mode.
func TestFixThroughLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "real.md"), filepath.Join(dir, "link.md")
	broken := fixableCopy(t, file)
	if err := os.Symlink("real.md", link); err != nil {
		t.Skip(err)
	}
	_, stderr, _ := runHere(t, "--no-config", "--fix", link)
	data, err := os.ReadFile(file)
	if err != nil || bytes.Equal(data, broken) {
		t.Errorf("the file was not fixed: %v %s", err, stderr)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v: %v", info.Mode(), err)
	}
	if rest, _ := os.ReadDir(dir); len(rest) != 2 {
		t.Errorf("%d files are left", len(rest))
	}
}

// failing is a stream that breaks after some bytes.
type failing struct {
	left int
	err  error
}

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, f.err
	}
	return len(p), nil
}
