package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/rules"
)

const (
	artifactHead = "# Brenner Protocol Artifact: RS-20251230-cell-fate\n\n## 2. Hypothesis Slate\n\n"
	mailHead     = `{"id": 1, "from": "BlueLake", "to": ["RedCreek"], "thread_id": "RS-20251230-cell-fate", "created_ts": "2025-12-30T10:00:00Z", "subject": `
)

// message returns a mail export of one message.
func message(subject, body string) string {
	return `{"messages": [` + mailHead + quote(subject) + `, "body_md": ` + quote(body) + "}]}\n"
}

// zipped returns a zip of files of text, stored.
func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name})
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		must.OK(t, err)
	}
	must.OK(t, z.Close())
	return b.String()
}

// program returns the brennerlint that testscript puts on the path, in a process of
// its own.
func program(dir string, args ...string) *exec.Cmd {
	c := exec.Command("brennerlint", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "NO_COLOR=1")
	return c
}

// runProgram returns what the program prints and how it ends.
func runProgram(t *testing.T, c *exec.Cmd) (stdout, stderr string, status int) {
	t.Helper()
	testenv.SkipUnderRace(t)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

// limitTest brings an input to a limit and beyond. Those with a name are in the
// configuration and have a default; "" tests the default.
type limitTest struct {
	name, config string
	limit        int
	file         string
	content      func(n int) string // a content that reaches a limit of n
	args         []string
	want         string // what is said beyond the limit
	status       int    // and the exit status
}

func limitTests(t *testing.T) []limitTest {
	padded := func(head string) func(int) string {
		return func(n int) string { return head + strings.Repeat("x", n-len(head)) }
	}
	exact := func(make func(pad string) string) func(int) string {
		return func(n int) string { return make(strings.Repeat("x", n-len(make("")))) }
	}
	mail := exact(func(pad string) string { return message("KICKOFF: x", pad) })
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	meta := func(n int) string { // the mapping is the first level
		return "---\nsession_id: " + strings.Repeat("[", n-1) + "x" + strings.Repeat("]", n-1) + "\n---\n\n" + artifactHead
	}
	aliases := func(n int) string {
		return "---\nsession_id: &a RS-20251230-cell-fate\ncontributors: [" + strings.Repeat("*a, ", n) + "]\n---\n\n" + artifactHead
	}
	delta := func(n int) string {
		return message("DELTA[gpt]: x", "```delta\n"+`{"operation": "ADD", "section": "hypothesis_slate", "x": `+nested(n-1)+"}\n```\n")
	}
	database := readFile(t, realMailbox)
	share := func(manifest string) string {
		return zipped(t, map[string]string{"manifest.json": manifest, "mailbox.sqlite3": database})
	}
	expanded := func(n int) string { // what follows the pages does not count
		return zipped(t, map[string]string{"mailbox.sqlite3": database + strings.Repeat("x", n-len(database))})
	}
	entries := func(n int) string {
		files := map[string]string{"mailbox.sqlite3": database}
		for i := 1; i < n; i++ {
			files[strconv.Itoa(i)] = ""
		}
		return zipped(t, files)
	}
	malformed := func(n int) string { return artifactHead + strings.Repeat("### H\n\n", n) }
	inputs := []string{"--select", "IN", "--format", "agent"}
	only := []string{"--select", "ES-003", "--fail-on", "never"}
	unreadable, found := exitUsage, exitFindings
	return []limitTest{
		{"file-size", "file-size: 1KB", 1024, "a.md", padded(artifactHead), nil, "IN-001", unreadable},
		{"file-size", "file-size: 1KB", 1024, "a.json", mail, nil, "IN-001", unreadable},
		{"file-size", "file-size: 1KB", 1024, "messages/2025/12/a.md", padded("---json\n" + mailHead + `"KICKOFF: x"}` + "\n---\n\n"), nil, "IN-001", unreadable},
		{"expanded-size", fmt.Sprint("expanded-size: ", len(database)), len(database), "a.zip", expanded, nil, "bytes allowed", unreadable},
		{"entries", "entries: 20", 20, "a.zip", entries, nil, "lists more than the 20 entries allowed", unreadable},
		{"json-depth", "json-depth: 9", 9, "a.json", delta, nil, "nested deeper than 9 levels", found},
		{"json-depth", "", engine.DefaultLimits.JSONDepth, "a.json", delta, nil, "nested deeper than 512 levels", found},
		{"json-depth", "json-depth: 10000", 10_000, "a.json", delta, nil, "nested deeper than 10000 levels", found},
		{"json-depth", "json-depth: 9", 9, "artifacts/a.json", func(n int) string { return `{"metadata": {}, "sections": {"x": ` + nested(n-2) + "}}" }, nil, "nested deeper than 9 levels", unreadable},
		{"json-depth", "json-depth: 9", 9, "draft.json", func(n int) string { return mailHead + `"INFO: x", "body_md": "x", "x": ` + nested(n-1) + "}" }, []string{"--kind", "draft"}, "nested deeper than 9 levels", unreadable},
		{"yaml-depth", "yaml-depth: 5", 5, "artifacts/a.md", meta, nil, "nests deeper than 5 levels", found},
		{"yaml-depth", "", engine.DefaultLimits.YAMLDepth, "artifacts/a.md", meta, nil, "nests deeper than 32 levels", found},
		{"yaml-depth", "yaml-depth: 1000", 1000, "artifacts/a.md", meta, nil, "nests deeper than 1000 levels", found},
		{"yaml-aliases", "yaml-aliases: 3", 3, "artifacts/a.md", aliases, nil, "has more than 3 aliases", found},
		{"yaml-aliases", "", engine.DefaultLimits.YAMLAliases, "artifacts/a.md", aliases, nil, "has more than 1000 aliases", found},
		{"findings", "findings: 3", 3, "artifacts/a.md", malformed, only, "1 more finding is not shown (limits: findings)", 0},
		{"findings", "", engine.DefaultLimits.Findings, "artifacts/a.md", malformed, only, "1 more finding is not shown (limits: findings)", 0},
		{"frame-line", "frame-line: 80", 80, "artifacts/a.md", func(n int) string { return artifactHead + "### H1: " + strings.Repeat("x", n-8) + "\n" }, nil, "x…", found},
		{"JSON around mail", "", 10_000, "a.json", func(n int) string {
			return `{"messages": [` + mailHead + `"INFO: x", "body_md": "x"}], "x": ` + nested(n-1) + "}"
		}, inputs, "nested deeper than 10000 levels", unreadable},
		{"JSON of a manifest", "", 10_000, "a.zip", func(n int) string { return share(`{"database": {}, "x": ` + nested(n-1) + "}") }, inputs, "nested deeper than 10000 levels", unreadable},
		{"size of a draft", "", 16 << 20, "draft.md", func(n int) string {
			return padded("Subject: INFO: x\nThread: RS-20251230-x\n\n# Information\n\n")(n-1) + "\n"
		}, []string{"presend"}, "larger than 16 MiB", unreadable},
	}
}

// TestLimits holds for each limit that what is just within it is read, and that
// beyond it there is a finding or a notice, and the right exit status.
func TestLimits(t *testing.T) {
	testenv.SkipUnderRace(t)
	for _, c := range limitTests(t) {
		t.Run(fmt.Sprintf("%s/%d/%s", c.name, c.limit, c.file), func(t *testing.T) {
			for _, n := range []int{c.limit, c.limit + 1} {
				dir := t.TempDir()
				must.Write(t, filepath.Join(dir, c.file), c.content(n))
				if c.config != "" {
					must.Write(t, filepath.Join(dir, ".brennerlint.yaml"), "limits:\n  "+c.config+"\n")
				}
				stdout, stderr, status := runProgram(t, program(dir, append(c.args, c.file)...))
				said := strings.Contains(stdout+stderr, c.want)
				if beyond := n > c.limit; said != beyond || beyond && status != c.status || status == exitUsage && (!beyond || c.status != exitUsage) {
					t.Errorf("%d: status %d\n%.2000s\n%s", n, status, stdout, stderr)
				}
			}
		})
	}
}

// TestLimitsOfConfiguration checks that no limit can be set to what would let
// inputs do harm.
func TestLimitsOfConfiguration(t *testing.T) {
	for _, c := range []string{"json-depth: 10001", "json-depth: 0", "yaml-depth: 1001", "yaml-depth: -1", "yaml-aliases: 0", "entries: 0", "findings: 0", "frame-line: 79", "frame-line: 1000001", "file-size: 0", "expanded-size: -1", "file-size: 9999999999GB"} {
		if _, err := config.Parse("c.yaml", []byte("limits: {"+c+"}\n"), rules.All()); err == nil || !strings.Contains(err.Error(), "c.yaml:1:") || !strings.Contains(err.Error(), "expected a") {
			t.Errorf("%s: %v", c, err)
		}
	}
}
