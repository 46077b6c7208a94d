package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/files"
)

func TestHead(t *testing.T) {
	buf := make([]byte, 8)
	for _, text := range []string{"", "short", "as long.", "longer than that"} {
		dir := tree(t, "a.md", text)
		f, n, size, err := files.Named(filepath.Join(dir, "a.md")).Head(buf)
		if err != nil || !strings.HasPrefix(text, string(buf[:n])) || n != min(len(text), len(buf)) || size != int64(len(text)) {
			t.Errorf("%q: %q of %d bytes: %v", text, buf[:n], size, err)
		}
		if (f != nil) != (n < len(text)) {
			t.Errorf("%q: a file: %v", text, f != nil)
		}
		if f != nil {
			rest := make([]byte, len(text)-n)
			if _, err := f.ReadAt(rest, int64(n)); err != nil || string(rest) != text[n:] {
				t.Errorf("%q: the rest is %q: %v", text, rest, err)
			}
			f.Close()
		}
	}
	for _, name := range []string{".", "missing.md"} {
		if _, _, _, err := (files.Ref{Dir: files.NewDir(tree(t)), Name: name}).Head(buf); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestHeadOfUnknownSize reads a file that says it is empty.
func TestHeadOfUnknownSize(t *testing.T) {
	const name = "/proc/self/stat"
	if info, err := os.Stat(name); err != nil || info.Size() > 0 {
		t.Skip("no such file here")
	}
	buf := make([]byte, 64<<10)
	f, n, size, err := files.Named(name).Head(buf)
	if err != nil || f != nil || n == 0 || size != int64(n) {
		t.Errorf("%d bytes of %d: %v", n, size, err)
	}
}

func TestHeadOfFolder(t *testing.T) {
	dir := tree(t, "sub/b.md", "b")
	if _, _, _, err := files.Named(filepath.Join(dir, "sub")).Head(make([]byte, 8)); !errors.Is(err, files.ErrIrregular) {
		t.Errorf("error %v", err)
	}
}
