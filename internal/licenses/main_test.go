package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// source returns a module with some files.
func source(t *testing.T, path string, files ...string) module {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte("text of "+name+"\r\nend\r\n\r\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return module{Path: path, Version: "v1.0.0", Dir: dir}
}

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	err := write(&b, []module{
		source(t, "example.org/a", "LICENSE", "NOTICE", "license.go", "README.md"),
		source(t, "example.org/b", "COPYING.md", "LICENCE-MIT", "LICENSES/MIT.txt"),
	})
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Repeat("=", 80) + "\n"
	want := "The program of this release holds the following, each under its own licence.\n"
	for _, file := range []string{"example.org/a v1.0.0: LICENSE", "example.org/a v1.0.0: NOTICE", "example.org/b v1.0.0: COPYING.md", "example.org/b v1.0.0: LICENCE-MIT"} {
		_, name, _ := strings.Cut(file, ": ")
		want += "\n" + line + file + "\n\ntext of " + name + "\nend\n"
	}
	if b.String() != want {
		t.Errorf("got %s\nwant %s", b.String(), want)
	}
}

// TestNoLicense checks that a module without a licence is not released.
func TestNoLicense(t *testing.T) {
	var b bytes.Buffer
	err := write(&b, []module{source(t, "example.org/a", "LICENSE"), source(t, "example.org/b", "README.md", "licensing.go", "LICENSES/MIT.txt")})
	if err == nil || err.Error() != "example.org/b v1.0.0 has no licence file" {
		t.Errorf("error %v", err)
	}
}
