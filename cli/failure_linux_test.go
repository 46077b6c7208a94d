package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What follows runs the program in a process of its own and breaks what it
// relies on. A pipe without a name (fifo) shows when the process has come to a
// certain point: opening one waits for the other side.

func fifo(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
}

// started starts a process and returns what it prints on standard error once it
// has ended. One that hangs is killed, and the test fails.
func started(t *testing.T, c *exec.Cmd) (wait func() (stderr string, status int)) {
	t.Helper()
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	hung := time.AfterFunc(time.Minute, func() {
		t.Errorf("%q hangs", c.Args)
		_ = c.Process.Kill() // it may have ended by now
	})
	return func() (string, int) {
		_ = c.Wait() // the status is checked below
		hung.Stop()
		return errs.String(), c.ProcessState.ExitCode()
	}
}

// startedOnPipe starts a process that reads the pipe pipe.md in its folder. in is the other side.
func startedOnPipe(t *testing.T, c *exec.Cmd) (in *os.File, wait func() (stderr string, status int)) {
	t.Helper()
	path := filepath.Join(c.Dir, "pipe.md")
	fifo(t, path)
	wait = started(t, c)
	in, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return in, wait
}

// feed writes to a pipe and closes it.
func feed(t *testing.T, w *os.File, text string) {
	t.Helper()
	if _, err := w.WriteString(text); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestVanishedFile removes a file after it was found and before it is read.
func TestVanishedFile(t *testing.T) {
	dir := t.TempDir()
	fixableCopy(t, filepath.Join(dir, "RS-20251230-gone.md"))
	c := program(dir, "--no-config", "--format", "json", "RS-20251230-gone.md", "pipe.md")
	var out bytes.Buffer
	c.Stdout = &out
	w, wait := startedOnPipe(t, c)
	// All paths were looked at but this one, and none was read.
	if err := os.Remove(filepath.Join(dir, "RS-20251230-gone.md")); err != nil {
		t.Fatal(err)
	}
	feed(t, w, artifactHead)
	stderr, status := wait()
	if status != exitUsage || !strings.Contains(out.String(), `"rule": "IN-001"`) || !strings.Contains(out.String(), "no such file") || !strings.Contains(out.String(), `"path": "pipe.md"`) {
		t.Errorf("status %d\n%s\n%s", status, out.String(), stderr)
	}
}

// TestPipeIsReadOnce checks what comes through a pipe, which can be read only
// once, in ways that read regular files again.
func TestPipeIsReadOnce(t *testing.T) {
	for _, args := range [][]string{{"--format", "sarif"}, {"--fix"}, {"--unsafe-fixes", "--diff"}, {"--format", "html"}} {
		dir := t.TempDir()
		text := fixableCopy(t, filepath.Join(dir, "file.md"))
		w, wait := startedOnPipe(t, program(dir, append(args, "--no-config", "pipe.md")...))
		feed(t, w, text)
		if stderr, status := wait(); status != exitClean {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
}

// TestUnreadableFile reads a file whose bytes cannot be read, by any user.
func TestUnreadableFile(t *testing.T) {
	for _, kind := range []string{"auto", "mail", "artifact"} {
		stdout, stderr, status := runProgram(t, program(t.TempDir(), "--no-config", "--kind", kind, "/proc/self/mem"))
		if status != exitUsage || !strings.Contains(stdout, "IN-001") || !strings.Contains(stdout, "input/output error") {
			t.Errorf("--kind %s: status %d\n%s\n%s", kind, status, stdout, stderr)
		}
	}
}

// TestClosedPipe writes to a pipe whose reader has gone, as `head` does: the
// process ends as others do, by the signal, and says nothing.
func TestClosedPipe(t *testing.T) {
	mail, err := filepath.Abs("../testdata/corpus/realmail/json/inbox-GreenDog.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"rules"}, {"--no-config", mail}, {"--no-config", "--format", "json", mail}, {"--no-config", "--format", "html", mail}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c := program(t.TempDir(), args...)
		c.Stdout = w
		r.Close()
		stderr, status := started(t, c)()
		w.Close()
		ended := c.ProcessState.Sys().(syscall.WaitStatus)
		if stderr != "" || status != exitClean && !(ended.Signaled() && ended.Signal() == syscall.SIGPIPE) {
			t.Errorf("%q: %v, %q", args, c.ProcessState, stderr)
		}
	}
}

// work is a folder with an old report, in which a program that is asked to end
// leaves nothing behind.
type work struct {
	dir, temp string
}

func newWork(t *testing.T) work {
	t.Helper()
	w := work{t.TempDir(), t.TempDir()}
	writeFile(t, filepath.Join(w.dir, "report.json"), oldReport)
	return w
}

func (w work) program(args ...string) *exec.Cmd {
	c := program(w.dir, append(args, "--no-config")...)
	c.Env = append(c.Env, "TMPDIR="+w.temp)
	return c
}

// interrupted sends a signal to a process that cannot go on by itself: it says
// so, and leaves what was there and the input alone.
func (w work) interrupted(t *testing.T, c *exec.Cmd, wait func() (string, int), sig syscall.Signal, input string) {
	t.Helper()
	if err := c.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	if stderr, status := wait(); status != exitUsage || stderr != "brennerlint: interrupted\n" {
		t.Errorf("%q, %v: status %d, %q", c.Args, sig, status, stderr)
	}
	if data := readFile(t, filepath.Join(w.dir, "report.json")); data != oldReport {
		t.Errorf("%q: the old report is %q", c.Args, data)
	}
	for _, dir := range []string{w.dir, w.temp} {
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range left {
			if e.Name() != "report.json" && e.Name() != input {
				t.Errorf("%q leaves %s", c.Args, e.Name())
			}
		}
	}
}

// oldReport is what a report replaces; a baseline that is written again is read first.
const oldReport = `{"schema": "brennerlint/baseline/v1", "findings": []}`

// TestSignals asks processes to end that wait for input, or for a reader to
// take their report.
func TestSignals(t *testing.T) {
	for i, args := range [][]string{{"--output", "report.json", "pipe.md"}, {"replay", "pipe.md"}, {"blame", "pipe.md"}, {"presend", "pipe.md"}, {"--write-baseline", "report.json", "pipe.md"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			w := newWork(t)
			c := w.program(args...)
			in, wait := startedOnPipe(t, c)
			w.interrupted(t, c, wait, []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[i%2], "pipe.md")
			in.Close()
		})
	}
}

func TestSignalWhileReportIsWritten(t *testing.T) {
	w := newWork(t)
	text := artifactHead + strings.Repeat("x\n", 100_000) // which does not fit into a pipe
	writeFile(t, filepath.Join(w.dir, "many.md"), text)
	c := w.program("--format", "html", "many.md")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	wait := started(t, c)
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	w.interrupted(t, c, wait, syscall.SIGINT, "many.md")
}

// TestSecondSignal asks a process again to end that does not end by itself: it
// waits for somebody who writes.
func TestSecondSignal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		w := newWork(t)
		c := w.program("pipe.md")
		in, wait := startedOnPipe(t, c)
		ended := make(chan struct{})
		go func() { // the first signal that comes after one was heeded is the second
			for c.Process.Signal(sig) == nil {
				select {
				case <-ended:
				case <-time.After(time.Millisecond):
				}
			}
		}()
		stderr, status := wait()
		close(ended)
		if by := c.ProcessState.Sys().(syscall.WaitStatus); !by.Signaled() || by.Signal() != sig || stderr != "" {
			t.Errorf("%v: status %d, ended by a signal %v, %q", sig, status, by.Signaled(), stderr)
		}
		in.Close()
	}
}

// TestModeOfReports checks that a new report gets the user's permissions, and
// that an old one keeps its own, its place behind a link too.
func TestModeOfReports(t *testing.T) {
	w := newWork(t)
	fixableCopy(t, filepath.Join(w.dir, "RS-20251230-cell-fate.md"))
	if err := os.Symlink("report.json", filepath.Join(w.dir, "link.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(w.dir, "report.json"), 0o604); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"new.json": 0o640, "link.json": 0o604, "base.json": 0o640} {
		flag := "--output"
		if name == "base.json" {
			flag = "--write-baseline"
		}
		c := w.program()
		c.Path, c.Args = "/bin/sh", []string{"sh", "-c", `umask 027; exec brennerlint --no-config ` + flag + ` "$1" RS-20251230-cell-fate.md`, "sh", name}
		if _, stderr, status := runProgram(t, c); status != exitClean {
			t.Fatalf("status %d, %s", status, stderr)
		}
		if info, err := os.Stat(filepath.Join(w.dir, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if to, err := os.Readlink(filepath.Join(w.dir, "link.json")); err != nil || to != "report.json" {
		t.Errorf("the link leads to %q: %v", to, err)
	}
	if readFile(t, filepath.Join(w.dir, "report.json")) == oldReport {
		t.Error("the report behind the link is the old one")
	}
}

// TestNowhereToWrite names reports in folders that are not there, or that take
// no files, whoever the user is.
func TestNowhereToWrite(t *testing.T) {
	file, err := filepath.Abs(fixable)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"missing/report.json", "/sys/report.json", "report.json/report.json", ".", strings.Repeat("x", 300)} {
		w := newWork(t)
		for _, flag := range []string{"--output", "--write-baseline"} {
			_, stderr, status := runProgram(t, w.program(flag, path, file))
			if status != exitUsage || !strings.Contains(stderr, path) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s %s: status %d, %q", flag, path, status, stderr)
			}
		}
	}
}

// TestHookOfSpecialFiles checks that a hook waits for no pipe and reads no device.
func TestHookOfSpecialFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "storage.sqlite3")
	fifo(t, pipe)
	for _, path := range []string{pipe, "/dev/zero", "/dev/stdin"} {
		_, stderr, status := hookAnswer(t, "claude", recorded(t, "claude", "send"), path)
		if status != exitClean || !strings.Contains(stderr, "is neither a file nor a folder") || !strings.Contains(stderr, "the draft was checked alone") {
			t.Errorf("%s: status %d, stderr %q", path, status, stderr)
		}
	}
}

// TestFixRefuses checks that --fix leaves a file that it cannot keep as it is, says
// so, goes on with the others, and ends with status 2.
func TestFixRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	broken := fixableCopy(t, at("a.md"))
	fixableCopy(t, at("b.md"))
	if err := os.Link(at("a.md"), at("other-name")); err != nil {
		t.Skip(err)
	}
	stdout, stderr, status := runProgram(t, program(dir, "--no-config", "--fix", "a.md", "b.md"))
	if status != exitUsage || !strings.Contains(stderr, "a.md is not fixed: it has other names (hard links)") || !strings.Contains(stderr, "1 fixed") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if !strings.Contains(stdout, "a.md") || strings.Contains(stdout, "b.md") {
		t.Errorf("the report is\n%s", stdout)
	}
	for _, name := range []string{"a.md", "other-name"} {
		if readFile(t, at(name)) != broken {
			t.Errorf("%s was changed", name)
		}
	}
}

// TestFixLongName fixes a file whose name is as long as a name may be.
func TestFixLongName(t *testing.T) {
	dir := t.TempDir()
	name := strings.Repeat("x", 252) + ".md"
	broken := fixableCopy(t, filepath.Join(dir, name))
	report := strings.Repeat("y", 255)
	if _, stderr, status := runProgram(t, program(dir, "--no-config", "--fix", "--output", report, name)); status != exitClean || stderr != "brennerlint: 1 fixed\nbrennerlint: no findings in 1 artifact\n" {
		t.Errorf("status %d, %s", status, stderr)
	}
	if readFile(t, filepath.Join(dir, name)) == broken {
		t.Error("it is as it was")
	}
	if _, err := os.Stat(filepath.Join(dir, report)); err != nil {
		t.Error(err)
	}
}
