package bundle_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/must"
)

// allocated returns how many bytes a function allocates, including those that are freed
// again.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// chunked returns a bundle with one chunk, which contains a database.
func chunked(t testing.TB) map[string][]byte {
	return map[string][]byte{
		bundle.ManifestName: []byte(`{"database": {}}`),
		bundle.ConfigName:   []byte(`{"chunk_count": 1, "pattern": "chunks/{index}"}`),
		"chunks/0":          tree(t, "bundle")[bundle.DatabaseName],
	}
}

// TestMemory opens shares that are made to exhaust memory.
func TestMemory(t *testing.T) {
	line := strings.Repeat("0", 64) + "  "
	for _, c := range []struct {
		name  string
		file  string
		text  string
		times int // how many bytes may be allocated per byte of the file
	}{
		{"many checksums", "chunks.sha256", strings.Repeat(line+"x\n", 15_000), 10},
		{"malformed checksums", "chunks.sha256", strings.Repeat("x\n", 500_000), 10},
		{"a long manifest", bundle.ManifestName, `{"database": {}, "attachments": [` + strings.Repeat("0,", 500_000) + `0]}`, 12},
		{"many members", bundle.ManifestName, `{` + strings.Repeat(`"scrub":0,`, 100_000) + `"database": {"x": [[` + strings.Repeat(`{},`, 1000) + `0]]}}`, 36},
	} {
		files := chunked(t)
		files[c.file] = []byte(c.text)
		var b *bundle.Bundle
		base := allocated(func() { folder(t, chunked(t)) })
		got := allocated(func() { b = folder(t, files) }) - base
		if most := c.times * len(c.text); got > most {
			t.Errorf("%s: %d bytes are allocated for %d, at most %d expected", c.name, got, len(c.text), most)
		}
		if n := messages(t, b); n != 51 {
			t.Errorf("%s: %d messages", c.name, n)
		}
		if strings.Count(faults(b), "\n") > 1 {
			t.Errorf("%s:\n%s", c.name, faults(b))
		}
	}
}

// TestLongNames opens a zip whose names have very many folders.
func TestLongNames(t *testing.T) {
	files := tree(t, "bundle")
	for i := range 40 {
		files[strings.Repeat("a/", 32_000)+fmt.Sprint(i)] = nil
	}
	data := packed(t, "", files)
	var b *bundle.Bundle
	var err error
	got := allocated(func() { b, err = openZip(t, data, bundle.Limits{}) })
	must.OK(t, err)
	if most := 6 * len(data); got > most {
		t.Errorf("%d bytes are allocated for %d, at most %d expected", got, len(data), most)
	}
	if n := messages(t, b); n != 51 {
		t.Errorf("%d messages", n)
	}
}

// packedTwice returns a zip of files, followed by some more.
func packedTwice(t testing.TB, files map[string][]byte, last ...string) []byte {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, name := range append(slices.Sorted(maps.Keys(files)), last...) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(files[name])
		}
		must.OK(t, err)
	}
	must.OK(t, w.Close())
	return buf.Bytes()
}

// TestNamesTwice checks that names that lead out are reported in addition to duplicate
// names, and that it is not left to chance which of two spellings of a name is read.
func TestNamesTwice(t *testing.T) {
	good := tree(t, "bundle")
	for name, c := range map[string]struct {
		twice, out string
		want       string
	}{
		"twice":           {"a", "", `share.zip: the zip has two entries named "./a"`},
		"twice, and out":  {"a", "../out", `share.zip: the zip has an entry whose path leads out of it: "../out" (1 of 13 entries)` + "\n" + `share.zip: the zip has two entries named "./a"`},
		"the database":    {bundle.DatabaseName, "", `share.zip: the zip has two entries named "./mailbox.sqlite3"`},
		"a backslash":     {`x/y`, "", `share.zip: the zip has two entries named "./x/y"`},
		"a very long one": {strings.Repeat("n", 60_000), "", `share.zip: the zip has two entries named "./` + strings.Repeat("n", 45) + `…"`},
	} {
		files := map[string][]byte{}
		for n, data := range good {
			files[n] = data
		}
		if files[c.twice] == nil {
			files[strings.ReplaceAll(c.twice, "/", `\`)] = nil
		}
		if c.out != "" {
			files[c.out] = nil
		}
		// The other spelling comes last.
		b, err := openZip(t, packedTwice(t, files, "./"+c.twice), bundle.Limits{})
		must.OK(t, err)
		if got := faults(b); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
		if b.Database != nil {
			t.Errorf("%s: a database is read", name)
		}
	}
}

// TestSparseChunks opens a folder whose chunks are larger than any disk.
func TestSparseChunks(t *testing.T) {
	dir := t.TempDir()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for name, data := range map[string]string{
		bundle.ManifestName: `{"database": {"size_bytes": 1099511627776, "sha256": "x"}}`,
		bundle.ConfigName:   `{"chunk_count": 2, "pattern": "{index}"}`, "0": "", "1": "",
	} {
		must.Write(t, filepath.Join(dir, name), data)
	}
	grow := func(name string) {
		if err := os.Truncate(filepath.Join(dir, name), 1<<40); err != nil {
			t.Skip(err) // no sparse files
		}
	}
	grow("0")
	limits := bundle.Limits{Expanded: 1 << 20}
	b := bundle.OpenFolder(files.Named(dir), "share", limits)
	if got, want := faults(b), "share/0: cannot be read: the bundle has more than the 1048576 bytes allowed"; got != want || b.Database != nil {
		t.Errorf("got %s\nwant %s", got, want)
	}
	// The same for a database in its place.
	must.Write(t, filepath.Join(dir, bundle.DatabaseName), tree(t, "bundle")[bundle.DatabaseName])
	grow(bundle.DatabaseName)
	must.OK(t, os.Truncate(filepath.Join(dir, "0"), 0))
	b = bundle.OpenFolder(files.Named(dir), "share", limits)
	if got, want := faults(b), "share/mailbox.sqlite3: cannot be read: the bundle has more than the 1048576 bytes allowed"; !strings.HasSuffix(got, want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
	b.Close()
}
