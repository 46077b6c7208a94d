package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/report"
)

// cached runs a check twice with one cache, and returns what each printed: output and
// standard error, but for the line of the cache, and the status.
func cached(t *testing.T, dir string, args ...string) (got [2]string, used [2]string) {
	t.Helper()
	for i := range got {
		stdout, stderr, status := runHere(t, append([]string{"--cache=" + dir, "--verbose"}, args...)...)
		var rest []string
		for line := range strings.Lines(stderr) {
			line = strings.TrimPrefix(line, "brennerlint: ")
			switch {
			case strings.HasPrefix(line, "cache: "):
				used[i] = strings.TrimSpace(strings.TrimPrefix(line, "cache: "))
			case !isTiming.MatchString(line):
				rest = append(rest, line)
			}
		}
		got[i] = fmt.Sprintf("%s%s%d", elapsed.ReplaceAllString(stdout, ""), strings.Join(rest, ""), status)
	}
	return got, used
}

// isTiming matches what --verbose says of times, and elapsed what the report does.
var (
	isTiming = regexp.MustCompile(`^(time of|slowest) `)
	elapsed  = regexp.MustCompile(` · [0-9.]+m?s\n`)
)

// uncached returns what cached returns of a run without a cache.
func uncached(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, status := runHere(t, append([]string{"--verbose"}, args...)...)
	var rest []string
	for line := range strings.Lines(stderr) {
		if line = strings.TrimPrefix(line, "brennerlint: "); !isTiming.MatchString(line) {
			rest = append(rest, line)
		}
	}
	return fmt.Sprintf("%s%s%d", elapsed.ReplaceAllString(stdout, ""), strings.Join(rest, ""), status)
}

// nothingChanged is what --verbose says of a cache that knows the whole run; elsewhere
// the times of files do not tell enough.
const nothingChanged = "no input has changed"

var tellsChanges = runtime.GOOS == "linux" || runtime.GOOS == "darwin"

// TestCacheSameBytes checks that a cache changes not one byte of a report: neither when
// it is filled, nor when results are taken from it, in any format, alone or with others.
func TestCacheSameBytes(t *testing.T) {
	roots := []string{"../testdata/corpus", "../examples"}
	all := allFormats(t, roots...)
	dir := filepath.Join(t.TempDir(), "cache")
	for i := range 2 {
		for format, got := range allFormats(t, append([]string{"--cache=" + dir}, roots...)...) {
			if got != all[format] {
				t.Errorf("run %d with all formats: %s differs: %s", i, format, firstDifference(got, all[format]))
			}
		}
	}
	modes := [][]string{
		{"--statistics"}, {"--statistics=agent", "--format", "json"}, {"--redact"}, {"--level", "error", "--max-findings", "3"},
		{"--select", "MB,MR", "--severity", "MB=info"}, {"--scope", "all"}, {"--kind", "mail"}, {"--diff"}, {"--fail-on-empty", "--exclude", "**"},
	}
	for _, f := range report.Formats {
		modes = append(modes, []string{"--format", f.Name})
	}
	for _, mode := range modes {
		// A folder for each path: a share is not recalled as a whole.
		for _, roots := range [][]string{roots, {"../testdata/corpus/artifacts", "../testdata/corpus/realmail/archive", "../examples/mail", "../testdata/corpus/realmail/storage.sqlite3"}} {
			args := append(append([]string{"--no-config"}, mode...), roots...)
			want := uncached(t, args...)
			got, used := cached(t, dir, args...)
			for i := range got {
				if got[i] != want {
					t.Errorf("%q, run %d: differs: %s", args, i, firstDifference(got[i], want))
				}
			}
			readsAgain := mode[0] == "--diff" || mode[len(mode)-1] == "html" || len(roots) == 2 && mode[0] != "--fail-on-empty" || !tellsChanges
			if (used[1] != nothingChanged) != readsAgain {
				t.Errorf("%q: the second run says %q", args, used[1])
			}
			if strings.Contains(used[1], ", 0 checked") && strings.HasPrefix(used[1], "0 ") && mode[0] != "--fail-on-empty" {
				t.Errorf("%q: nothing is taken from the cache: %q", args, used[1])
			}
		}
	}
}

// TestCacheBaseline checks that baselines are written and applied alike.
func TestCacheBaseline(t *testing.T) {
	dir := t.TempDir()
	mail, cache := "../testdata/corpus/realmail/storage.sqlite3", "--cache="+filepath.Join(dir, "cache")
	for i, args := range [][]string{{}, {cache}, {cache}} {
		path := filepath.Join(dir, fmt.Sprint(i))
		runHere(t, append(args, "--no-config", "--write-baseline", path, mail)...)
		if i > 0 && readFile(t, path) != readFile(t, filepath.Join(dir, "0")) {
			t.Errorf("run %d writes another baseline", i)
		}
		runHere(t, append(args, "--no-config", "--baseline", path, "--prune-baseline", mail)...)
		if i > 0 && readFile(t, path) != readFile(t, filepath.Join(dir, "0")) {
			t.Errorf("run %d prunes the baseline otherwise", i)
		}
	}
	lines := strings.Split(readFile(t, filepath.Join(dir, "0")), "\n")
	if len(lines) < 20 {
		t.Fatalf("the baseline has %d lines", len(lines))
	}
	for _, mode := range [][]string{{}, {"--show-only", "baseline"}} {
		args := append([]string{"--no-config", "--baseline", filepath.Join(dir, "0"), "--format", "json", mail}, mode...)
		want := uncached(t, args...)
		got, used := cached(t, filepath.Join(dir, "cache"), args...)
		if got[0] != want || got[1] != want || (used[1] == nothingChanged) != tellsChanges || !strings.Contains(want, `"baselined": `) {
			t.Errorf("%q: %q: %s", mode, used, firstDifference(got[1], want))
		}
	}
}

// TestCacheNoticesChanges changes one thing after the other, and holds that the report
// is that of a run without a cache.
func TestCacheNoticesChanges(t *testing.T) {
	const file = "artifacts/RS-20251230-cell-fate.md"
	artifact := readFile(t, "../examples/"+file)
	thread := readFile(t, "../examples/mail/RS-20251230-cell-fate.json")
	t.Chdir(t.TempDir())
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(file, artifact)
	write("mail/thread.json", thread)
	write(".brennerlint.yaml", "agents:\n  roster: [BlueLake]\n")
	known := ""
	check := func(what string, differs bool, args ...string) {
		t.Helper()
		want := uncached(t, append(args, "--format", "json", "artifacts", "mail")...)
		got, _ := cached(t, "cache", append(args, "--format", "json", "artifacts", "mail")...)
		if got[0] != want || got[1] != want {
			t.Errorf("%s: with the cache the report differs: %s", what, firstDifference(got[0], want))
		}
		if (want != known) != differs {
			t.Errorf("%s: the report changes: %v", what, !differs)
		}
		known = want
	}
	check("at first", true)
	check("nothing", false)
	write("mail/thread.json", strings.Replace(thread, "DELTA[", "DELTO[", 1))
	check("a subject", true)
	write("mail/thread.json", " \n"+thread)
	check("the positions", true)
	write(file, strings.Replace(artifact, "**Claim**", "**Clam**", 1))
	check("an artifact", true)
	write(file, "<!-- brennerlint-disable-file ALL: a test -->\n"+artifact)
	check("a suppression", true)
	write(file, artifact)
	write(".brennerlint.yaml", "agents:\n  roster: [RedRiver]\n")
	check("the configuration", true)
	write(".brennerlint.yaml", "suppress:\n  - rule: ALL\n    path: mail/**\n    reason: a test\n")
	check("a suppression of the configuration", true)
	check("the rules", true, "--select", "MB,IN")
	write(".brennerlint.yaml", "agents:\n  roster: [RedRiver]\n")
	check("the rules again", true)
	check("a severity", true, "--severity", "ALL=info")
	check("the severity again", true)
	if err := os.Rename(file, "artifacts/RS-20251230-other.md"); err != nil {
		t.Fatal(err)
	}
	check("a name", true)
	check("the scope", false, "--scope", "all")
	if err := os.RemoveAll("artifacts/RS-20251230-other.md"); err != nil {
		t.Fatal(err)
	}
	check("a file that is gone", true)
}

// TestCacheFix checks that a check after fixes does not take over what was found before.
func TestCacheFix(t *testing.T) {
	text := readFile(t, "../testdata/corpus/artifacts/RS-20251230-role-prompting.md")
	t.Chdir(t.TempDir())
	var want string
	for i, args := range [][]string{{}, {"--cache=cache"}, {"--cache=cache"}} {
		if err := os.WriteFile("a.md", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, status := runHere(t, append(args, "--no-config", "--fix", "--unsafe-fixes", "a.md")...)
		got := fmt.Sprint(stdout, stderr, status, readFile(t, "a.md"))
		if i == 0 {
			want = got
		}
		if got != want || !strings.Contains(stderr, " fixed") {
			t.Errorf("run %d: %s", i, firstDifference(got, want))
		}
	}
}

// TestCacheOfNoUse checks that a cache that cannot be used, or holds whatever else, is a
// notice at most: the check is the same.
func TestCacheOfNoUse(t *testing.T) {
	text := readFile(t, "../testdata/corpus/artifacts/golden-example-cell-fate.md")
	t.Chdir(t.TempDir())
	for path, data := range map[string]string{"a.md": text, "file": "x", "v1file/v1": "x", "entriesfile/v1/entries": "x"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("open", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod("open", 0o777); err != nil {
		t.Fatal(err)
	}
	want, _, status := runHere(t, "--no-config", "a.md")
	for _, dir := range []string{"file", "open", "file/below", "v1file", "entriesfile", "a.md", "", "\n::error::x", strings.Repeat("x", 5000)} {
		for i := range 2 {
			stdout, stderr, got := runHere(t, "--no-config", "--cache="+dir, "a.md")
			if stdout != want || got != status || strings.Contains(stderr, "\n::error") {
				t.Errorf("--cache=%.20q: status %d: %s%s", dir, got, stdout, stderr)
			}
			if noticed := strings.Contains(stderr, "--cache"); i == 0 && noticed != (dir != "" && dir[0] != '\n') {
				t.Errorf("--cache=%.20q says %q", dir, stderr)
			}
		}
	}
	if info, err := os.Stat("open/v1"); err == nil {
		t.Errorf("a folder that others can write to has %s", info.Name())
	}
}

// TestCacheSideBySide runs several checks with one cache at once.
func TestCacheSideBySide(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	args := []string{"--no-config", "--format", "json", "../testdata/corpus/artifacts", "../testdata/corpus/realmail/storage.sqlite3"}
	want := uncached(t, args...)
	var checks sync.WaitGroup
	for range 4 {
		checks.Go(func() {
			if got, _ := cached(t, dir, args...); got[0] != want || got[1] != want {
				t.Errorf("side by side: %s", firstDifference(got[0], want))
			}
		})
	}
	checks.Wait()
	if got, used := cached(t, dir, args...); got[0] != want || (used[0] == nothingChanged) != tellsChanges {
		t.Errorf("afterwards: %q", used)
	}
}

// TestCacheOfLiveDatabase checks that what another program commits is noticed, in the log
// of a database or in the file, and that an unchanged one is not read.
func TestCacheOfLiveDatabase(t *testing.T) {
	path, conn := openMailbox(t)
	dir := t.TempDir()
	args := []string{"--no-config", "--format", "json", path}
	before := ""
	for i, sql := range []string{
		"DROP TRIGGER fts_messages_ai; DROP TRIGGER fts_messages_au; DROP TRIGGER fts_messages_ad; PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0; PRAGMA foreign_keys = off",
		"UPDATE messages SET body_md = body_md || ' [inference]' WHERE id = (SELECT max(id) FROM messages WHERE subject LIKE 'DELTA%')",
		"UPDATE messages SET subject = 'DELTO[x]: y' WHERE id = (SELECT max(id) FROM messages WHERE subject LIKE 'DELTA%')",
		"PRAGMA wal_checkpoint(TRUNCATE)",
		"DELETE FROM messages WHERE subject LIKE 'KICKOFF%'",
		"PRAGMA journal_mode = delete",
		"UPDATE messages SET body_md = 'no' WHERE subject LIKE 'DELTA%'",
	} {
		if err := conn.Exec(sql); err != nil {
			t.Fatal(sql, err)
		}
		want := uncached(t, args...)
		got, _ := cached(t, filepath.Join(dir, "cache"), args...)
		if got[0] != want || got[1] != want {
			t.Errorf("after %s: %s", sql, firstDifference(got[0], want))
		}
		if i > 1 && want == before && !strings.HasPrefix(sql, "PRAGMA") {
			t.Errorf("%s changes nothing", sql)
		}
		before = want
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	known := ""
	for range 100 { // until the change of its times is out of the clock's tick
		if _, used := cached(t, filepath.Join(dir, "cache"), args...); used[1] == nothingChanged {
			known = used[1]
			break
		}
	}
	if known == "" && tellsChanges {
		t.Error("an unchanged database is read each time")
	}
}

// TestCacheOfOtherBuild checks that another build of the program has results of its own,
// also where size and time of its file are the same, as of packages whose files all have
// one time.
func TestCacheOfOtherBuild(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	sign := func(id string) string {
		path := filepath.Join(t.TempDir(), "brennerlint")
		data := bytes.Repeat([]byte{0}, 100_000)
		copy(data[4000:], "Go build ID: "+id)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := signProgram(&b, path); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	one, again, two := sign("one"), sign("one"), sign("two")
	if one != again || one == two {
		t.Error("the id of a build does not tell one from another")
	}
}
