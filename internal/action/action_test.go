// Package action_test runs the scripts of the GitHub action with inputs that no job of
// ci.yml gives them: hostile ones, and releases that are not what they should be.
package action_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
)

// runner is the environment of a job: below dir the checkout in workspace, and the
// folders "temp dir" of the runner and bin, whose programs are found first.
type runner struct {
	dir, workspace, temp string
	env                  []string
}

func newRunner(t *testing.T, files map[string]string) *runner {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no bash whose paths are ours") // the job `action` of ci.yml runs it on Windows
	}
	dir := t.TempDir()
	r := &runner{dir: dir, workspace: dir + "/workspace", temp: dir + "/temp dir"}
	for _, d := range []string{r.workspace, r.temp, dir + "/bin", dir + "/release"} {
		must.OK(t, os.Mkdir(d, 0o755))
	}
	for name, text := range files {
		must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	r.env = append(os.Environ(),
		"PATH="+dir+"/bin"+string(os.PathListSeparator)+os.Getenv("PATH"), "RUNNER_TEMP="+r.temp, "GITHUB_OUTPUT="+dir+"/output", "GITHUB_PATH="+dir+"/path",
		"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "INPUT_VERSION=", "INPUT_PATHS=.", "INPUT_ARGS=", "INPUT_CONFIG=", "INPUT_BASELINE=",
		"INPUT_FAIL_ON=", "INPUT_SARIF_FILE=brennerlint.sarif", "INPUT_WORKING_DIRECTORY=.")
	return r
}

// run runs a script of the action, and returns what it prints and its status.
func (r *runner) run(t *testing.T, script string, env ...string) (printed string, status int) {
	t.Helper()
	path, err := filepath.Abs("../../.github/action/" + script)
	must.OK(t, err)
	c := exec.Command("bash", path)
	c.Dir, c.Env = r.workspace, slices.Concat(r.env, env)
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

func (r *runner) read(name string) string {
	data, _ := os.ReadFile(filepath.Join(r.dir, name))
	return string(data)
}

// fake is a brennerlint that notes its arguments and writes a report.
const fake = `#!/usr/bin/env bash
printf '%s\n' "$@" >"$RUNNER_TEMP/../arguments"
for a in "$@"; do case $a in sarif=*) echo new >"${a#sarif=}" ;; esac; done
exit "${FAKE_STATUS-0}"
`

// TestSARIFFile gives names of the report that lead to files of the checkout, or
// nowhere: none of them is written or uploaded, and none is a line of the outputs.
func TestSARIFFile(t *testing.T) {
	for name, refused := range map[string]bool{
		"brennerlint.sarif": false, "old.sarif": false, "link.sarif": false, "reports/x.sarif": false, "../outside.sarif": false,
		"ABSOLUTE/old.sarif": false, `D:\a\_temp\x.sarif`: false,
		"": true, "..": true, "reports/": true, "-x": true, ".hidden": true, "a b.sarif": true, "x.sarif\nsarif-file=/etc/passwd": true,
		"$(touch hacked)": true, "`touch hacked`": true, "x;touch hacked": true, strings.Repeat("x", 101): true,
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t, map[string]string{"bin/brennerlint": fake, "workspace/old.sarif": "stale", "outside.sarif": "stale", "secret": "stale"})
			must.OK(t, os.Symlink("../secret", filepath.Join(r.workspace, "link.sarif")))
			printed, status := r.run(t, "run", "INPUT_SARIF_FILE="+strings.ReplaceAll(name, "ABSOLUTE", r.workspace))
			output := r.read("output")
			_, file, _ := strings.Cut(strings.TrimSuffix(output, "\n"), "sarif-file=")
			written, _ := os.ReadFile(file)
			switch {
			case status != 0:
				t.Errorf("status %d, %s", status, printed)
			case refused && (!strings.Contains(output, "exit-code=2\n") || file != "" || !strings.Contains(printed, "sarif-file must end in a plain file name")):
				t.Errorf("%q, %s", output, printed)
			case !refused && (!strings.Contains(output, "exit-code=0\n") || string(written) != "new\n" || !strings.HasPrefix(file, r.temp+"/")):
				t.Errorf("%q, %q", output, written)
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

// TestArguments checks that inputs become arguments as they are, and none a command.
func TestArguments(t *testing.T) {
	r := newRunner(t, map[string]string{"bin/brennerlint": fake})
	_, status := r.run(t, "run", "FAKE_STATUS=1", "INPUT_PATHS=artifacts  mail\n-x $(touch hacked)", "INPUT_ARGS=--select\nMB,DL\n\n--ignore=a b", "INPUT_CONFIG=c.yaml",
		"INPUT_BASELINE=b.json", "INPUT_FAIL_ON=warning")
	want := "--fail-on|warning|--config|c.yaml|--baseline|b.json|--select|MB,DL|--ignore=a b|--|artifacts|mail|-x|$(touch|hacked)|"
	got := strings.ReplaceAll(r.read("arguments"), "\n", "|")
	if !strings.HasPrefix(got, "--format|github|--output|sarif="+r.temp+"/") || !strings.HasSuffix(got, want) || status != 0 {
		t.Errorf("status %d, arguments %s", status, got)
	}
	if r.run(t, "run"); strings.Contains(r.read("arguments"), "--fail-on") {
		t.Error("fail-on of the configuration does not count")
	}
}

// fakeCurl copies what a release holds: the last part of the address names it.
const fakeCurl = `#!/usr/bin/env bash
while [ $# -gt 0 ]; do
  case $1 in -o) out=$2; shift ;; https://*) url=$1 ;; esac
  shift
done
cp "$RUNNER_TEMP/../release/${url##*/}" "$out"
`

// TestInstallRefuses installs nothing that is not the release.
func TestInstallRefuses(t *testing.T) {
	const file = "brennerlint_1.2.3_linux_amd64.tar.gz"
	for name, c := range map[string]struct{ checksums, env, want string }{
		"wrong checksum": {fmt.Sprintf("%x  %s\n", sha256.Sum256(nil), file), "", "checksum of " + file + " does not match"},
		"no checksum":    {"", "", "checksum of " + file + " does not match"},
		"version":        {"", "INPUT_VERSION=v1.2.3/../../evil", "version must look like v0.1.0"},
		"line break":     {"", "INPUT_VERSION=v1.2.3\nx", "version must look like v0.1.0"},
		"system":         {"", "RUNNER_OS=Plan9", "no release for Plan9"},
		"processor":      {"", "RUNNER_ARCH=X86", "no release for X86"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t, map[string]string{"bin/curl": fakeCurl, "release/" + file: "another program", "release/checksums.txt": c.checksums})
			printed, status := r.run(t, "install", "INPUT_VERSION=v1.2.3", c.env)
			if status == 0 || !strings.Contains(printed, c.want) {
				t.Errorf("status %d, %s", status, printed)
			}
			if left, _ := filepath.Glob(r.temp + "/brennerlint-bin/*"); len(left) > 0 {
				t.Errorf("installed %v", left)
			}
		})
	}
}
