package action_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// fakeCrane notes how crane is called, and keeps the layers that it is given.
const fakeCrane = `#!/bin/sh
printf '%s\n' "$*" >>"$LOG/calls"
case $1 in
append) cp "$4" "$LOG/$(basename "$4")" ;;
digest) echo sha256:0123 ;;
esac
`

// release writes the archives of a release and their checksums.
func release(t *testing.T, dir, version string) {
	t.Helper()
	var sums strings.Builder
	for _, arch := range []string{"amd64", "arm64"} {
		var b bytes.Buffer
		g := gzip.NewWriter(&b)
		w := tar.NewWriter(g)
		for _, name := range []string{"CHANGELOG.md", "LICENSE", "README.md", "THIRD_PARTY_LICENSES.txt", "brennerlint"} {
			content := name + " of " + arch
			if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o700, Size: int64(len(content))}); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, content); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Close(), g.Close()); err != nil {
			t.Fatal(err)
		}
		name := "brennerlint_" + version + "_linux_" + arch + ".tar.gz"
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(b.Bytes()), name)
	}
	if err := os.WriteFile(filepath.Join(dir, "checksums.txt"), []byte(sums.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// image makes the image of a release, and returns what was printed and the calls.
func image(t *testing.T, dist string) (printed, calls, log string, err error) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("releases are made on Linux")
	}
	log = t.TempDir()
	crane := filepath.Join(log, "crane")
	if err := os.WriteFile(crane, []byte(fakeCrane), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "../../.ci/image", "1.2.3", "registry.example/brennerlint", dist)
	cmd.Env = append(os.Environ(), "CRANE="+crane, "LOG="+log)
	out, err := cmd.Output()
	noted, _ := os.ReadFile(filepath.Join(log, "calls"))
	return strings.TrimSpace(string(out)), string(noted), log, err
}

// TestImage checks that the released image has no base, and in it the released
// binaries, their licences and a folder for temporary files, for the same user and
// program as that of a checkout.
func TestImage(t *testing.T) {
	dist := t.TempDir()
	release(t, dist, "1.2.3")
	printed, calls, log, err := image(t, dist)
	if err != nil || printed != "sha256:0123" {
		t.Fatalf("printed %q: %v\n%s", printed, err, calls)
	}
	if strings.Contains(calls, "--base") || strings.Count(calls, "append --oci-empty-base ") != 2 {
		t.Errorf("the image has a base:\n%s", calls)
	}
	for _, want := range []string{
		"--set-platform linux/amd64 ", "--set-platform linux/arm64 ", "--entrypoint /brennerlint", "--user 65532:65532",
		"index append --manifest registry.example/brennerlint:1.2.3-amd64 --manifest registry.example/brennerlint:1.2.3-arm64 --tag registry.example/brennerlint:1.2.3\n",
	} {
		if !strings.Contains(calls, want) {
			t.Errorf("no call has %q:\n%s", want, calls)
		}
	}
	dockerfile, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	_, last, _ := strings.Cut(string(dockerfile), "\nFROM scratch\n")
	if !strings.Contains(last, "USER 65532:65532\n") || !strings.Contains(last, `ENTRYPOINT ["/brennerlint"]`) {
		t.Errorf("the image of a checkout is another:\n%s", last)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		data, err := os.ReadFile(filepath.Join(log, arch+".tar"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for r := tar.NewReader(bytes.NewReader(data)); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			if h.Uid != 0 || h.Gid != 0 || h.ModTime.Unix() != 0 {
				t.Errorf("%s is of %d:%d, %v", h.Name, h.Uid, h.Gid, h.ModTime)
			}
			got = append(got, fmt.Sprintf("%o %s %s", h.Mode, h.Name, content))
		}
		want := []string{
			"755 brennerlint brennerlint of " + arch, "755 licenses/ ",
			"644 licenses/LICENSE LICENSE of " + arch, "644 licenses/THIRD_PARTY_LICENSES.txt THIRD_PARTY_LICENSES.txt of " + arch, "1777 tmp/ ",
		}
		if !slices.Equal(got, want) {
			t.Errorf("the layer of %s holds %q, want %q", arch, got, want)
		}
	}
}

// TestImageOfChangedRelease checks that no archive gets into an image that does not
// agree with its checksum.
func TestImageOfChangedRelease(t *testing.T) {
	dist := t.TempDir()
	release(t, dist, "1.2.3")
	f, err := os.OpenFile(filepath.Join(dist, "brennerlint_1.2.3_linux_arm64.tar.gz"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if printed, calls, _, err := image(t, dist); err == nil || printed != "" || strings.Contains(calls, "index append") {
		t.Errorf("printed %q, %v:\n%s", printed, err, calls)
	}
}

// TestReleaseTools checks that what makes a release is pinned: actions by commit,
// other tools by version, and that the image is made of what was released.
func TestReleaseTools(t *testing.T) {
	data, err := os.ReadFile("../../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses, Run string
				With      map[string]any
			}
		}
	}
	if err := yaml.Unmarshal(data, &workflow); err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, s := range workflow.Jobs["release"].Steps {
		name, commit, _ := strings.Cut(s.Uses, "@")
		switch {
		case s.Uses != "" && len(commit) != 40:
			t.Errorf("%s is not pinned by a commit", s.Uses)
		case name == "goreleaser/goreleaser-action":
			if v, _ := s.With["version"].(string); !strings.HasPrefix(v, "v") || strings.Count(v, ".") != 2 {
				t.Errorf("the version of GoReleaser is %q", v)
			}
			order = append(order, "release")
		case strings.Contains(s.Run, ".ci/image "):
			order = append(order, "image")
		case name == "actions/attest":
			order = append(order, "attest")
		}
	}
	if want := []string{"release", "attest", "image", "attest"}; !slices.Equal(order, want) {
		t.Errorf("the steps are %v, want %v", order, want)
	}
	script, err := os.ReadFile("../../.ci/image")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(script), "/cmd/crane@v") || strings.Contains(string(script), "@latest") {
		t.Error(".ci/image does not pin crane")
	}
}
