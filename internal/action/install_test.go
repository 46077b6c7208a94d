package action_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fakeCurl copies what a release holds: the last part of the address names it.
const fakeCurl = `
while [ $# -gt 0 ]; do
  case $1 in -o) out=$2; shift ;; https://*) url=$1 ;; esac
  shift
done
printf '%s\n' "$url" >>"$RUNNER_TEMP/../addresses"
cp "$RUNNER_TEMP/../release/${url##*/}" "$out"
`

// archive returns a release as a zip, or as a compressed tar.
func archive(t *testing.T, name, program string) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	if strings.HasSuffix(name, ".zip") {
		z := zip.NewWriter(&b)
		h := &zip.FileHeader{Name: program}
		h.SetMode(0o755)
		w, herr := z.CreateHeader(h)
		if herr != nil {
			t.Fatal(herr)
		}
		if _, err = w.Write([]byte("program")); err == nil {
			err = z.Close()
		}
	} else {
		g := gzip.NewWriter(&b)
		w := tar.NewWriter(g)
		if err = w.WriteHeader(&tar.Header{Name: program, Mode: 0o755, Size: 7}); err == nil {
			_, err = w.Write([]byte("program"))
		}
		if err == nil {
			err = w.Close()
		}
		if err == nil {
			err = g.Close()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestInstall installs the archive of each system, with its checksum.
func TestInstall(t *testing.T) {
	for _, c := range []struct{ system, arch, file, program string }{
		{"Linux", "X64", "brennerlint_1.2.3_linux_amd64.tar.gz", "brennerlint"},
		{"macOS", "ARM64", "brennerlint_1.2.3_darwin_arm64.tar.gz", "brennerlint"},
		{"Windows", "X64", "brennerlint_1.2.3_windows_amd64.zip", "brennerlint.exe"},
	} {
		t.Run(c.system, func(t *testing.T) {
			r := newRunner(t)
			if _, err := exec.LookPath("unzip"); err != nil && strings.HasSuffix(c.file, ".zip") {
				t.Skip(err)
			}
			r.program(t, "curl", fakeCurl)
			data := archive(t, c.file, c.program)
			r.write(t, "release/"+c.file, string(data))
			r.write(t, "release/checksums.txt", fmt.Sprintf("%x  other.zip\n%x  %s\n", sha256.Sum256(nil), sha256.Sum256(data), c.file))
			said, status := r.run(t, "install", "INPUT_VERSION=v1.2.3", "RUNNER_OS="+c.system, "RUNNER_ARCH="+c.arch)
			program := filepath.Join(strings.TrimSpace(r.read("path")), c.program)
			if got, err := os.ReadFile(program); status != 0 || err != nil || string(got) != "program" {
				t.Errorf("status %d, %v\n%s", status, err, said)
			}
			if want := "https://github.com/brennerlint/brennerlint/releases/download/v1.2.3/" + c.file + "\n"; !strings.HasPrefix(r.read("addresses"), want) {
				t.Errorf("fetched %s", r.read("addresses"))
			}
		})
	}
}

// TestInstallRefuses installs nothing that is not the release.
func TestInstallRefuses(t *testing.T) {
	const file = "brennerlint_1.2.3_linux_amd64.tar.gz"
	for name, c := range map[string]struct {
		checksums string
		env       []string
		want      string
	}{
		"wrong checksum": {fmt.Sprintf("%x  %s\n", sha256.Sum256(nil), file), nil, "checksum of " + file + " does not match"},
		"no checksum":    {"", nil, "checksum of " + file + " does not match"},
		"version":        {"", []string{"INPUT_VERSION=v1.2.3/../../evil"}, "version must look like v0.1.0"},
		"line break":     {"", []string{"INPUT_VERSION=v1.2.3\nx"}, "version must look like v0.1.0"},
		"system":         {"", []string{"RUNNER_OS=Plan9"}, "no release for Plan9"},
		"processor":      {"", []string{"RUNNER_ARCH=X86"}, "no release for X86"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t)
			r.program(t, "curl", fakeCurl)
			r.write(t, "release/"+file, string(archive(t, file, "brennerlint")))
			r.write(t, "release/checksums.txt", c.checksums)
			said, status := r.run(t, "install", append([]string{"INPUT_VERSION=v1.2.3"}, c.env...)...)
			if status == 0 || !strings.Contains(said, c.want) {
				t.Errorf("status %d, %s", status, said)
			}
			if left, _ := filepath.Glob(r.temp + "/brennerlint-bin/*"); len(left) > 0 {
				t.Errorf("installed %v", left)
			}
		})
	}
}
