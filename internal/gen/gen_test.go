package gen

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/must"
)

// generate makes what o asks for in a new folder.
func generate(t testing.TB, o Options) string {
	t.Helper()
	o.Out = t.TempDir()
	must.OK(t, Generate(o))
	return o.Out
}

// sums returns the hashes of all files below a folder.
func sums(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, p))
		out[p] = fmt.Sprintf("%d bytes, %x", len(data), sha256.Sum256(data))
		return err
	})
	must.OK(t, err)
	return out
}

func TestSameSeedSameBytes(t *testing.T) {
	o := Options{Seed: 7, Artifacts: 5, Threads: 3, Defects: 0.5, Forms: Forms}
	first, second := sums(t, generate(t, o)), sums(t, generate(t, o))
	if d := cmp.Diff(first, second); d != "" {
		t.Errorf("two runs differ:\n%s", d)
	}
	if len(first) < 100 {
		t.Errorf("only %d files", len(first))
	}
}
