package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
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
	must.OK(t, c.Start())
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
	must.OK(t, err)
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
	must.OK(t, os.Remove(filepath.Join(dir, "RS-20251230-gone.md")))
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

// TestClosedPipe writes to a pipe whose reader has gone, as `head` does: the
// process ends as others do, by the signal, and says nothing.
func TestClosedPipe(t *testing.T) {
	mail, err := filepath.Abs("../testdata/corpus/realmail/json/inbox-GreenDog.json")
	must.OK(t, err)
	for _, args := range [][]string{{"rules"}, {"--no-config", mail}, {"--no-config", "--format", "json", mail}, {"--no-config", "--format", "html", mail}} {
		r, w, err := os.Pipe()
		must.OK(t, err)
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
	must.Write(t, filepath.Join(w.dir, "report.json"), oldReport)
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
	must.OK(t, c.Process.Signal(sig))
	if stderr, status := wait(); status != exitUsage || stderr != "brennerlint: interrupted\n" {
		t.Errorf("%q, %v: status %d, %q", c.Args, sig, status, stderr)
	}
	if data := readFile(t, filepath.Join(w.dir, "report.json")); data != oldReport {
		t.Errorf("%q: the old report is %q", c.Args, data)
	}
	for _, dir := range []string{w.dir, w.temp} {
		left, err := os.ReadDir(dir)
		must.OK(t, err)
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
	must.Write(t, filepath.Join(w.dir, "many.md"), text)
	c := w.program("--format", "html", "many.md")
	out, err := c.StdoutPipe()
	must.OK(t, err)
	wait := started(t, c)
	_, err = io.ReadFull(out, make([]byte, 1))
	must.OK(t, err)
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

// secret is what is in files outside of the tree that is checked. It must
// not be shown, whatever leads there.
const secret = "hunter2"

// outsideOf returns a folder to check and one beside it that holds secrets: as mail, as
// an artifact, as a database and as plain text.
func outsideOf(t *testing.T) (in, out string) {
	t.Helper()
	top := t.TempDir()
	in, out = filepath.Join(top, "in"), filepath.Join(top, "out")
	database := readFile(t, "../testdata/corpus/realmail/storage.sqlite3")
	files := map[string]string{
		"out/mail.json":          message(secret, secret),
		"out/RS-20251230-x.md":   artifactHead + "### " + secret + "\n",
		"out/storage.sqlite3":    database,
		"out/plain":              secret + "\n",
		"out/artifacts/x.md":     artifactHead + "### " + secret + "\n",
		"out/.brennerlint.yaml":  secret + ": 1\n",
		"in/mail.json":           message("KICKOFF: x", "x"),
		"in/share/manifest.json": `{"database": {}}`,
	}
	writeFiles(t, top, files)
	return in, out
}

// ended runs the program, which must end by itself, and returns all its output.
func ended(t *testing.T, dir string, args ...string) (said string, status int) {
	t.Helper()
	testenv.SkipUnderRace(t)
	t.Chdir(dir)
	hung := time.AfterFunc(time.Minute, func() { panic(fmt.Sprintf("%q hangs", args)) })
	stdout, stderr, status := runHere(t, args...)
	hung.Stop()
	return stdout + stderr, status
}

// TestLinksOutOfTheTree plants links that lead out of the tree wherever a file is
// looked for, and pipes without a writer.
func TestLinksOutOfTheTree(t *testing.T) {
	link := func(to string) func(string) error {
		return func(path string) error { return os.Symlink(to, path) }
	}
	for _, c := range []struct {
		name, target string // the link, and what it leads to; a pipe without it
		status       int
	}{
		{"link.json", "mail.json", 0},
		{"artifacts", "artifacts", 0},
		{"artifacts.md", "RS-20251230-x.md", 0},
		{"storage.sqlite3", "storage.sqlite3", 0},
		{"pipe.json", "", 0},
		{"storage.sqlite3", "", 0},
		{"share/mailbox.sqlite3", "storage.sqlite3", exitUsage},
		{"share/mailbox.sqlite3", "", exitUsage},
		{"share/mailbox.sqlite3.config.json", "plain", exitUsage},
		{"share/mailbox.sqlite3.config.json", "", exitUsage},
		{"share/chunks", "", exitUsage},
		{"share/chunks", "artifacts", exitUsage},
	} {
		t.Run(c.name+" to "+c.target, func(t *testing.T) {
			in, out := outsideOf(t)
			plant := link(filepath.Join(out, c.target))
			if c.target == "" {
				plant = func(path string) error { fifo(t, path); return nil }
			}
			must.OK(t, plant(filepath.Join(in, c.name)))
			for _, args := range [][]string{{"**"}, {"--fix", "--unsafe-fixes", "."}, {"--format", "html", "."}} {
				said, status := ended(t, in, append(args, "--no-config", "--scope", "all")...)
				if args[0] != "--format" {
					continue // what counts is that it ends, and what follows
				}
				if strings.Contains(said, secret) || (status == exitUsage) != (c.status == exitUsage) {
					t.Errorf("%q: status %d\n%s", args, status, said)
				}
			}
		})
	}
}

// TestFilesBesideDatabases plants a link and a pipe for the log and the journal of
// a database.
func TestFilesBesideDatabases(t *testing.T) {
	for _, suffix := range []string{"-wal", "-journal"} {
		for _, pipe := range []bool{false, true} {
			t.Run(fmt.Sprint(suffix, pipe), func(t *testing.T) {
				in, out := outsideOf(t)
				data := readFile(t, filepath.Join(out, "storage.sqlite3"))
				path := filepath.Join(in, "storage.sqlite3")
				must.Write(t, path, data)
				if pipe {
					fifo(t, path+suffix)
				} else if err := os.Symlink(filepath.Join(out, "plain"), path+suffix); err != nil {
					t.Fatal(err)
				}
				said, status := ended(t, in, "--no-config", "storage.sqlite3")
				if refused := strings.Contains(said, "it is not a regular file") || strings.Contains(said, "it is a link that leads out"); strings.Contains(said, secret) || refused != (suffix == "-wal") || refused != (status == exitUsage) {
					t.Errorf("status %d\n%s", status, said)
				}
			})
		}
	}
}

// TestLinksInZip checks that an entry of a zip that is a link is read as what it
// is, a few bytes of text.
func TestLinksInZip(t *testing.T) {
	in, out := outsideOf(t)
	for _, name := range []string{"mailbox.sqlite3", "snapshot/mailbox.sqlite3", "../out/mailbox.sqlite3"} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		h := &zip.FileHeader{Name: name}
		h.SetMode(fs.ModeSymlink | 0o777)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write([]byte(filepath.Join(out, "storage.sqlite3")))
		}
		if err == nil {
			err = z.Close()
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(in, "a.zip"), b.Bytes(), 0o644)
		}
		must.OK(t, err)
		if said, status := ended(t, in, "--no-config", "a.zip"); status != exitUsage || strings.Contains(said, "GreenDog") {
			t.Errorf("%s: status %d\n%s", name, status, said)
		}
	}
}

// TestPathsInInputs checks that what inputs say of files (thread ids, links,
// attachments, manifests) opens none, that patterns of a configuration follow no
// link, and that nothing is written but artifacts.
func TestPathsInInputs(t *testing.T) {
	in, out := outsideOf(t)
	up := "../out/RS-20251230-x"
	for name, text := range map[string]string{
		"mail.json":                         strings.ReplaceAll(message("COMPILED: v1 artifact", "# Artifact\n\nSee artifacts/"+up+".md, [here]("+up+".md), "+filepath.Join(out, "mail.json")+" and file://"+out+"/plain\n\n![x]("+up+".md)\n"), "RS-20251230-cell-fate", up),
		"artifacts/x.md":                    "---\nsession_id: " + up + "\nversion: 1\n---\n" + artifactHead + "### H1: x [x](" + up + ".md)\n",
		"share/mailbox.sqlite3.config.json": `{"chunk_count": 1, "pattern": "../../out/plain", "chunks": ["` + out + `/plain"]}`,
		"share/manifest.json":               `{"database": {"path": "` + out + `/storage.sqlite3", "chunk_manifest": {"pattern": "../../out/{index}"}}, "attachments": {"items": [{"media_type": "x", "path": "` + out + `/plain"}]}}`,
		".brennerlint.yaml":                 "include: ['**']\nartifacts-dir: ../out\n",
	} {
		must.Write(t, filepath.Join(in, name), text)
	}
	must.OK(t, os.Symlink(out, filepath.Join(in, "linked")))
	fixableCopy(t, filepath.Join(out, "RS-20251230-fixable.md"))
	must.OK(t, os.Symlink(filepath.Join(out, "RS-20251230-fixable.md"), filepath.Join(in, "artifacts", "RS-20251230-fixable.md")))
	before := contents(t, filepath.Dir(in))
	for _, args := range [][]string{{}, {"--format", "html"}, {"--fix", "--unsafe-fixes"}, {"replay", "."}, {"blame", "artifacts/x.md"}, {"presend", "--thread", ".", "mail.json"}} {
		if said, _ := ended(t, in, args...); strings.Contains(said, secret) {
			t.Errorf("%q shows what is outside:\n%s", args, said)
		}
	}
	for path, data := range contents(t, filepath.Dir(in)) {
		if before[path] != data && path != filepath.Join(in, "artifacts", "x.md") {
			t.Errorf("%s was changed", path)
		}
	}
}
