// Package action_test runs the scripts of the GitHub action as a runner does, with
// an environment of its own and programs that only look like those outside.
package action_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// runner is the environment of a job.
type runner struct {
	dir       string // all of it
	workspace string
	temp      string
	bin       string // programs that are found first
	output    string // the file of outputs
	env       []string
}

func newRunner(t *testing.T) *runner {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no bash whose paths are ours") // the job `action` of ci.yml runs it on Windows
	}
	dir := t.TempDir()
	r := &runner{dir: dir, workspace: dir + "/workspace", temp: dir + "/temp dir", bin: dir + "/bin", output: dir + "/output"}
	for _, d := range []string{r.workspace, r.temp, r.bin} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r.env = append(os.Environ(),
		"PATH="+r.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "RUNNER_TEMP="+r.temp, "GITHUB_OUTPUT="+r.output, "GITHUB_PATH="+dir+"/path",
		"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "INPUT_VERSION=", "INPUT_PATHS=.", "INPUT_ARGS=", "INPUT_CONFIG=", "INPUT_BASELINE=",
		"INPUT_FAIL_ON=error", "INPUT_SARIF_FILE=brennerlint.sarif", "INPUT_WORKING_DIRECTORY=.")
	return r
}

// program puts a script on the path.
func (r *runner) program(t *testing.T, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(r.bin, name), []byte("#!/usr/bin/env bash\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// write writes a file of the job.
func (r *runner) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(r.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func (r *runner) read(name string) string {
	data, _ := os.ReadFile(filepath.Join(r.dir, name))
	return string(data)
}

// run runs a script of the action.
func (r *runner) run(t *testing.T, script string, env ...string) (said string, status int) {
	t.Helper()
	path, err := filepath.Abs("../../.github/action/" + script)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("bash", path)
	c.Dir, c.Env = r.workspace, append(append([]string(nil), r.env...), env...)
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// outputs returns those of a step, by name. A line that is none is a failure.
func (r *runner) outputs(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(r.read("output")) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if _, twice := out[name]; !ok || twice || name != "exit-code" && name != "sarif-file" {
			t.Errorf("output %q", line)
		}
		out[name] = value
	}
	return out
}

// fake is a brennerlint that prints its arguments and writes a report.
const fake = `
printf '%s\n' "$@" >"$RUNNER_TEMP/../arguments"
for a in "$@"; do case $a in sarif=*) [ -n "${FAKE_SILENT-}" ] || echo new >"${a#sarif=}" ;; esac; done
exit "${FAKE_STATUS-0}"
`

// TestSARIFFile gives names of the report that lead to files of the checkout, or
// nowhere: none of them is written or uploaded.
func TestSARIFFile(t *testing.T) {
	for name, refused := range map[string]bool{
		"brennerlint.sarif": false, "old.sarif": false, "link.sarif": false, "reports/x.sarif": false, "../outside.sarif": false,
		"ABSOLUTE/old.sarif": false, `D:\a\_temp\x.sarif`: false,
		"": true, "..": true, ".": true, "reports/": true, "-x": true, ".hidden": true, "a b.sarif": true, "x\nexit-code=0": true, "x.sarif\nsarif-file=/etc/passwd": true,
		"$(touch hacked)": true, "`touch hacked`": true, "x;touch hacked": true, strings.Repeat("x", 101): true,
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t)
			r.program(t, "brennerlint", fake)
			r.write(t, "workspace/old.sarif", "stale")
			r.write(t, "outside.sarif", "stale")
			r.write(t, "secret", "stale")
			if err := os.Symlink("../secret", filepath.Join(r.workspace, "link.sarif")); err != nil {
				t.Fatal(err)
			}
			said, status := r.run(t, "run", "INPUT_SARIF_FILE="+strings.ReplaceAll(name, "ABSOLUTE", r.workspace))
			out := r.outputs(t)
			if status != 0 {
				t.Errorf("status %d, %s", status, said)
			}
			if refused {
				if out["exit-code"] != "2" || out["sarif-file"] != "" || !strings.Contains(said, "sarif-file must end in a plain file name") {
					t.Errorf("%v, %s", out, said)
				}
			} else {
				file := out["sarif-file"]
				if data, err := os.ReadFile(file); err != nil || string(data) != "new\n" || !strings.HasPrefix(file, r.temp+"/") || out["exit-code"] != "0" {
					t.Errorf("%v: %q, %v", out, data, err)
				}
			}
			for _, old := range []string{"workspace/old.sarif", "outside.sarif", "secret"} {
				if r.read(old) != "stale" {
					t.Errorf("%s holds %q", old, r.read(old))
				}
			}
			if entries, err := os.ReadDir(r.workspace); err != nil || len(entries) != 2 {
				t.Errorf("the checkout holds %v, %v", entries, err)
			}
		})
	}
}

// TestNothingStale checks that a run that writes no report gives none to upload, one
// of a run before neither.
func TestNothingStale(t *testing.T) {
	r := newRunner(t)
	r.program(t, "brennerlint", fake)
	r.run(t, "run")
	first := r.outputs(t)
	if err := os.Remove(r.output); err != nil {
		t.Fatal(err)
	}
	r.run(t, "run", "FAKE_SILENT=1", "FAKE_STATUS=2")
	if out := r.outputs(t); out["sarif-file"] != "" || out["exit-code"] != "2" || first["sarif-file"] == "" {
		t.Errorf("%v after %v", out, first)
	}
	if err := os.Remove(r.output); err != nil {
		t.Fatal(err)
	}
	r.run(t, "run", "INPUT_WORKING_DIRECTORY=missing")
	if out := r.outputs(t); out["sarif-file"] != "" || out["exit-code"] != "2" {
		t.Errorf("%v", out)
	}
}

// TestArguments checks that inputs become arguments as they are, and none a command.
func TestArguments(t *testing.T) {
	r := newRunner(t)
	r.program(t, "brennerlint", fake)
	r.write(t, "workspace/sub/x", "")
	_, status := r.run(t, "run", "FAKE_STATUS=1", "INPUT_PATHS=artifacts  mail\n-x $(touch hacked)", "INPUT_ARGS=--select\nMB,DL\n\n--ignore=a b", "INPUT_CONFIG=c.yaml",
		"INPUT_BASELINE=b.json", "INPUT_FAIL_ON=warning", "INPUT_WORKING_DIRECTORY=sub")
	args := strings.Split(strings.TrimSuffix(r.read("arguments"), "\n"), "\n")
	want := []string{"--format", "github", "--fail-on", "warning", "--output", "sarif=…", "--config", "c.yaml", "--baseline", "b.json", "--select", "MB,DL", "--ignore=a b", "--", "artifacts", "mail", "-x", "$(touch", "hacked)"}
	if len(args) > 5 && strings.HasPrefix(args[5], "sarif="+r.temp+"/") {
		args[5] = "sarif=…"
	}
	if got := strings.Join(args, "|"); got != strings.Join(want, "|") || status != 0 || r.outputs(t)["exit-code"] != "1" {
		t.Errorf("status %d\n got %s\nwant %s", status, got, strings.Join(want, "|"))
	}
}
