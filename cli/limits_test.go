package cli

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/gen"
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
		{"json-depth", "json-depth: 9", 9, "draft.md", func(n int) string { return "---json\n" + mailHead + `"INFO: x", "x": ` + nested(n-1) + "}\n---\n\nx\n" }, []string{"--kind", "draft"}, "nested deeper than 9 levels", unreadable},
		{"yaml-depth", "yaml-depth: 5", 5, "artifacts/a.md", meta, nil, "nests deeper than 5 levels", found},
		{"yaml-depth", "", engine.DefaultLimits.YAMLDepth, "artifacts/a.md", meta, nil, "nests deeper than 32 levels", found},
		{"yaml-depth", "yaml-depth: 1000", 1000, "artifacts/a.md", meta, nil, "nests deeper than 1000 levels", found},
		{"yaml-aliases", "yaml-aliases: 3", 3, "artifacts/a.md", aliases, nil, "has more than 3 aliases", found},
		{"yaml-aliases", "", engine.DefaultLimits.YAMLAliases, "artifacts/a.md", aliases, nil, "has more than 1000 aliases", found},
		{"findings", "findings: 3", 3, "artifacts/a.md", malformed, only, "1 more finding is not shown (limits: findings)", 0},
		{"findings", "", engine.DefaultLimits.Findings, "artifacts/a.md", malformed, only, "1 more finding is not shown (limits: findings)", 0},
		{"frame-line", "frame-line: 80", 80, "artifacts/a.md", func(n int) string { return artifactHead + "### H1: " + strings.Repeat("x", n-8) + "\n" }, nil, "x…", found},
		{"what is repeated with each finding", "", 600, "artifacts/a.md", func(n int) string { return "---\nsession_id: " + strings.Repeat("x", n) + "\n---\n\n" + artifactHead }, []string{"--format", "json"}, `x…",`, found},
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
				t.Chdir(dir)
				stdout, stderr, status := runHere(t, append(c.args, c.file)...)
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

// peakEnv names the file that brennerlint-peak writes.
const peakEnv = "BRENNERLINT_PEAK"

// highWater is the most memory that a process had, in the file that Linux shows of it.
var highWater = regexp.MustCompile(`(?m)^VmHWM:\s*(\d+) kB$`)

// mainWithPeak is the program, which at its end writes how much memory it had at most.
func mainWithPeak() {
	code := interruptible(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}, rules.All())
	status, err := os.ReadFile("/proc/self/status")
	if m := highWater.FindSubmatch(status); err == nil && m != nil {
		err = os.WriteFile(os.Getenv(peakEnv), m[1], 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// skipMemory skips a test of memory where there is nothing to hold.
func skipMemory(t *testing.T) {
	t.Helper()
	testenv.SkipUnderRace(t)
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("the memory of a process is not shown here")
	}
}

// peak runs the program and returns its peak of memory in MiB. The garbage
// collector is set to keep it low, so that it is about what the program needs.
func peak(t *testing.T, dir, stdin string, args ...string) (stdout, stderr string, status, mebibytes int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "peak")
	c := exec.Command("brennerlint-peak", args...)
	c.Dir, c.Stdin = dir, strings.NewReader(stdin)
	c.Env = append(os.Environ(), "NO_COLOR=1", peakEnv+"="+file, "GOGC=50")
	stdout, stderr, status = runProgram(t, c)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%q ends with %d: %.1000s", args, status, stderr)
	}
	n, err := strconv.Atoi(string(data))
	must.OK(t, err)
	return stdout, stderr, status, n >> 10
}

// mustFit holds how much memory a run may take, in MiB.
func mustFit(t *testing.T, what string, got, most int) {
	t.Helper()
	t.Logf("%s: %d MiB", what, got)
	if got > most {
		t.Errorf("%s takes %d MiB, at most %d expected", what, got, most)
	}
}

// TestMemoryOfMailbox checks mailboxes with few threads and with many that are no
// larger: eight times the mail takes little more memory.
func TestMemoryOfMailbox(t *testing.T) {
	skipMemory(t)
	for i, form := range []string{"json", "archive", "sqlite", "zip"} {
		if !testenv.Sampled(i, 2) {
			continue
		}
		var peaks [2]int
		for i, threads := range []int{10, 80} {
			dir := t.TempDir()
			must.OK(t, gen.Generate(gen.Options{Out: dir, Seed: 1, Threads: threads, Forms: []string{form}}))
			stdout, stderr, status, most := peak(t, dir, "", "--no-config", "--scope", "all", "--jobs", "1", "--format", "agent", ".")
			if status != exitClean {
				t.Errorf("%s: status %d\n%.1000s%.1000s", form, status, stdout, stderr)
			}
			peaks[i] = most
		}
		mustFit(t, fmt.Sprintf("%s, eight times what takes %d MiB", form, peaks[0]), peaks[1], peaks[0]+20)
	}
}

// otherTools are calls of tools that send no mail, as hooks are handed them.
func otherTools() map[string]string {
	const n = 400_000
	call := func(input string) string { return `{"tool_name": "Bash", "tool_input": ` + input + `}` }
	return map[string]string{
		"a call":          call(`{"command": "ls"}`),
		"a file":          call(`{"content": "` + strings.Repeat(`x\n`, n/3) + `"}`),
		"a list":          call(`{"command": [` + strings.Repeat("0,", n/2) + "0]}"),
		"many arguments":  call("{" + strings.Repeat(`"k": {}, `, n/9) + `"k": 0}`),
		"nested":          call(strings.Repeat("[", n)),
		"not JSON":        call(strings.Repeat("x,", n/2)),
		"not UTF-8":       call(`"` + strings.Repeat("\xff", n) + `"`),
		"too long":        call(`"` + strings.Repeat("x", 17<<20) + `"`),
		"other arguments": `{"tool_name": "Bash"` + strings.Repeat(`, "tool_name": {"tool_input": []}`, n/34) + "}",
	}
}

// TestHookOfOtherTools checks that a hook lets the calls of other tools through,
// whatever they are and whatever the configuration is, in little memory: a hook that
// runs out of it ends with the status that blocks a call.
func TestHookOfOtherTools(t *testing.T) {
	skipMemory(t)
	hook := func(what, config, call string, most int) {
		t.Helper()
		dir := t.TempDir()
		must.Write(t, filepath.Join(dir, ".brennerlint.yaml"), config)
		stdout, stderr, status, used := peak(t, dir, call, "presend", "--hook", "claude")
		if status != exitClean || stdout != "" || len(stderr) > 20_000 {
			t.Errorf("%s: status %d, %d bytes of standard error\n%.500s%.500s", what, status, len(stderr), stdout, stderr)
		}
		mustFit(t, what, used, most)
	}
	calls := otherTools()
	for i, name := range slices.Sorted(maps.Keys(calls)) {
		if testenv.Sampled(i, 3) {
			hook(name, "{}", calls[name], 70)
		}
	}
	for name, config := range map[string]string{"faults": strings.Repeat("k: 1\n", 20_000), "a long word": "scope: " + strings.Repeat("x", 100_000)} {
		hook(name+" in the configuration", config, `{"tool_name": "Bash", "tool_input": {"command": "ls"}}`, 70)
	}
}

// heavyRun is a run over inputs that are made to take memory.
type heavyRun struct {
	name  string
	files map[string]string
	stdin string
	args  []string
	want  string // what is in the report
	most  int    // how many MiB the run may take
}

// wideTable returns an artifact of about so many bytes whose table has very many columns
// and very many rows, of one cell each.
func wideTable(size int) string {
	columns, rows := size/7, size/7
	return "---\nsession_id: RS-20251230-cell-fate\n---\n\n# Brenner Protocol Artifact: RS-20251230-cell-fate\n\n## 3. Predictions Table\n\n" +
		strings.Repeat("|a", columns) + "|\n" + strings.Repeat("|-", columns) + "|\n" + strings.Repeat("|x\n", rows)
}

// mcpCall returns what a client sends to a server to call a tool.
func mcpCall(tool string, args map[string]any) string {
	call, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args}})
	return `{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}` + "\n" +
		`{"jsonrpc": "2.0", "method": "notifications/initialized"}` + "\n" + string(call) + "\n"
}

// wideTables gives a wide table to what reads Markdown.
func wideTables() []heavyRun {
	const subject = "COMPILED: v1"
	table := wideTable(80 << 10)
	draft := map[string]any{"subject": subject, "body_md": table, "thread_id": "RS-20251230-cell-fate", "sender_name": "BlueLake", "to": []string{"RedCreek"}}
	hook, _ := json.Marshal(map[string]any{"tool_name": "mcp__mcp-agent-mail__send_message", "tool_input": draft})
	return []heavyRun{
		{name: "a wide table in an artifact", files: map[string]string{"artifacts/RS-20251230-cell-fate.md": table}, args: []string{"."}, want: "EP-", most: 70},
		{name: "a wide table in mail", files: map[string]string{"thread.json": message(subject, table)}, args: []string{"."}, want: "EP-", most: 70},
		{name: "a wide table in a hook", stdin: string(hook), args: []string{"presend", "--hook", "claude"}, want: "EP-", most: 70},
		{name: "a wide table in check_message", stdin: mcpCall("check_message", draft), args: []string{"mcp"}, want: "EP-", most: 70},
	}
}

// manyFindings are inputs with very many faults. A report shows some of them.
func manyFindings() []heavyRun {
	const n = 50_000
	artifact := `{"metadata": {"session_id": "RS-20251230-cell-fate"` + strings.Repeat(`,"a":0`, n) + `}, "sections": {"hypothesis_slate": [{"id": "H1"` + strings.Repeat(`,"name":0`, n) + "}]}}"
	delta := "```delta\n" + `{"operation": "ADD"` + strings.Repeat(`,"a":0`, n/2) + "}\n```\n"
	front := "---\nsession_id: RS-20251230-cell-fate\n" + strings.Repeat("a: 0\n", n) + "---\n\n" + artifactHead
	return []heavyRun{
		{name: "duplicate keys", files: map[string]string{"artifacts/a.json": artifact}, args: []string{"."}, want: "EM-003", most: 100},
		{name: "duplicate keys in a delta", files: map[string]string{"thread.json": message("DELTA[gpt]: x", delta)}, args: []string{"--format", "agent", "."}, want: "not shown", most: 100},
		{name: "duplicate keys in front matter", files: map[string]string{"artifacts/a.md": front}, args: []string{"--format", "agent", "artifacts/a.md"}, want: "not shown", most: 100},
	}
}

// chunkedShare returns the share of a small database in one chunk.
func chunkedShare(t *testing.T, checksums string) map[string]string {
	data := readFile(t, "../testdata/corpus/realmail/storage.sqlite3")
	return map[string]string{
		"manifest.json":               `{"database": {}}`,
		"mailbox.sqlite3.config.json": `{"chunk_count": 1, "pattern": "chunks/{index}"}`,
		"chunks/0":                    data,
		"chunks.sha256":               checksums,
	}
}

// shared returns runs over a share, as a folder and as a zip, in at most 80 MB.
func shared(t *testing.T, name string, files map[string]string, want string) []heavyRun {
	folder := map[string]string{}
	for file, text := range files {
		folder["share/"+file] = text
	}
	return []heavyRun{
		{name + ", folder", folder, "", []string{"share"}, want, 80},
		{name + ", zip", map[string]string{"share.zip": zipped(t, files)}, "", []string{"share.zip"}, want, 80},
	}
}

// badDatabase returns a mailbox whose texts are bytes that are not UTF-8.
func badDatabase(t *testing.T, messages, size int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mailbox.sqlite3")
	conn, err := sqlite3.Open(path)
	must.OK(t, err)
	err = conn.Exec(fmt.Sprintf(`CREATE TABLE projects(id INTEGER PRIMARY KEY, slug TEXT, human_key TEXT);
		CREATE TABLE agents(id INTEGER PRIMARY KEY, project_id INTEGER, name TEXT);
		CREATE TABLE messages(id INTEGER PRIMARY KEY, project_id INTEGER, sender_id INTEGER, thread_id TEXT, subject TEXT, body_md TEXT, ack_required INTEGER, created_ts);
		CREATE TABLE message_recipients(message_id INTEGER, agent_id INTEGER, kind TEXT, ack_ts TEXT);
		INSERT INTO projects VALUES(1, 'lab', '/lab');
		INSERT INTO agents VALUES(1, 1, 'BlueLake'), (2, 1, 'RedCreek');
		CREATE TEMP TABLE bad AS SELECT CAST(unhex(replace(hex(zeroblob(%d)), '00', 'ff')) AS TEXT) AS text;
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < %d)
		INSERT INTO messages SELECT i, 1, 1, 'RS-20251230-x', substr(text, 1, 50), text, 0, '2025-12-30T10:00:00Z' FROM n, bad;
		INSERT INTO message_recipients SELECT id, 2, 'to', NULL FROM messages`, size, messages))
	must.OK(t, err)
	must.OK(t, conn.Close())
	return readFile(t, path)
}

// badBytes are shares and mail with bytes that are not UTF-8 throughout.
func badBytes(t *testing.T) []heavyRun {
	const n = 1 << 20
	bad := strings.Repeat("\xff", n)
	files := chunkedShare(t, "")
	files["manifest.json"] = `{"database": {}, "x": "` + bad + `"}`
	out := slices.Concat(
		shared(t, "bad bytes in many texts", map[string]string{"manifest.json": `{"database": {}}`, "mailbox.sqlite3": badDatabase(t, n/400, 400)}, "MB-"),
		shared(t, "bad bytes in the manifest", files, "not valid UTF-8"),
		shared(t, "bad bytes in lines of the checksums", chunkedShare(t, strings.Repeat("\xff\n", n/2)), "chunks.sha256"))
	one := strings.TrimSuffix(strings.TrimPrefix(strings.Replace(message("INFO: x", "BODY"), "BODY", bad[:100], 1), `{"messages": [`), "]}\n")
	return append(out,
		heavyRun{name: "bad bytes in many bodies", files: map[string]string{"thread.json": `{"messages": [` + strings.Repeat(one+",", n/len(one)) + one + "]}"}, args: []string{"."}, want: "not valid UTF-8", most: 80},
		heavyRun{name: "bad bytes between members", files: map[string]string{"thread.json": message("INFO: x", "x") + bad}, args: []string{"thread.json"}, want: "IN-001", most: 80},
	)
}

// checksums are shares with long files of checksums.
func checksums(t *testing.T) []heavyRun {
	const n = 1_400_000
	line := strings.Repeat("0", 64) + "  chunks/%d\n"
	var listed strings.Builder
	for i := 1; listed.Len() < n; i++ {
		fmt.Fprintf(&listed, line, i)
	}
	return slices.Concat(
		shared(t, "checksums", chunkedShare(t, listed.String()), "chunks"),
		shared(t, "checksums of one name", chunkedShare(t, strings.Repeat(fmt.Sprintf(line, 0), n/len(line))), "chunks"),
		shared(t, "malformed checksums", chunkedShare(t, strings.Repeat("x\n", n/2)), "chunks"))
}

// longManifests are shares with manifests of very many values, and one with long names.
func longManifests(t *testing.T) []heavyRun {
	const n = 700_000
	manifest := func(text string) map[string]string {
		files := chunkedShare(t, "")
		files["manifest.json"] = text
		return files
	}
	names := chunkedShare(t, "")
	for i := range 40 {
		names[strconv.Itoa(i)+strings.Repeat("/a", 32_000)] = ""
	}
	return append(slices.Concat(
		shared(t, "many values in the manifest", manifest(`{"database": {}, "attachments": [`+strings.Repeat("0,", 2*n)+"0]}"), "chunks"),
		shared(t, "many members in the manifest", manifest("{"+strings.Repeat(`"scrub":0,`, n/5)+`"database": {"x": [`+strings.Repeat("{},", n/3)+"0]}}"), "chunks")),
		heavyRun{"long names", map[string]string{"share.zip": zipped(t, names)}, "", []string{"share.zip"}, "chunks", 80})
}

// TestMemoryOfInputs checks that no input takes much more memory than it is large,
// whatever is wrong with it.
func TestMemoryOfInputs(t *testing.T) {
	skipMemory(t)
	for i, run := range slices.Concat(wideTables(), manyFindings(), checksums(t), badBytes(t), longManifests(t)) {
		if !testenv.Sampled(i, 5) {
			continue
		}
		t.Run(run.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, run.files)
			stdout, stderr, status, used := peak(t, dir, run.stdin, run.args...)
			if !strings.Contains(stdout+stderr, run.want) {
				t.Errorf("status %d\n%.1000s%.1000s", status, stdout, stderr)
			}
			mustFit(t, "it", used, run.most)
		})
	}
}

// TestMemoryOfManyArtifacts checks very many artifacts of four bytes each: together
// they have more findings than a report shows.
func TestMemoryOfManyArtifacts(t *testing.T) {
	testenv.SkipByDay(t)
	skipMemory(t)
	const n = 100_000
	dir := t.TempDir()
	name := func(i int) string { return filepath.Join(dir, "artifacts", fmt.Sprintf("RS-20251230-%d.md", i)) }
	for i := range n { // Names of few files, which are made sooner than files.
		if first := i / 1000 * 1000; first == i {
			writeFiles(t, dir, map[string]string{fmt.Sprintf("artifacts/RS-20251230-%d.md", i): "# x\n"})
		} else if err := os.Link(name(first), name(i)); err != nil {
			t.Fatal(err)
		}
	}
	stdout, stderr, status, used := peak(t, dir, "", "--no-config", "--select", "EM-001,ES-001", "--format", "agent", ".")
	if shown := strings.Count(stdout, "\n"); status != exitFindings || shown != n || !strings.Contains(stderr, " more findings are not shown") {
		t.Errorf("status %d, %d lines\n%.1000s", status, shown, stderr)
	}
	mustFit(t, "it", used, 500)
}
