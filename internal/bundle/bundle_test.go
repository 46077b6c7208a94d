package bundle_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

const corpus = "../../testdata/corpus/realmail/"

// tree reads a bundle of the corpus into memory.
func tree(t testing.TB, name string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	fsys := os.DirFS(corpus + name)
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[p], err = fs.ReadFile(fsys, p)
		return err
	})
	must.OK(t, err)
	return files
}

// folder writes files to a folder and opens it.
func folder(t testing.TB, contents map[string][]byte) *bundle.Bundle {
	t.Helper()
	dir := t.TempDir()
	for name, data := range contents {
		must.Write(t, filepath.Join(dir, filepath.FromSlash(name)), data)
	}
	b := bundle.OpenFolder(files.Named(dir), "share", bundle.Limits{})
	t.Cleanup(func() { b.Close() })
	return b
}

// packed returns a zip of files, under a prefix, followed by some more of them.
func packed(t testing.TB, prefix string, files map[string][]byte, last ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, name := range append(slices.Sorted(maps.Keys(files)), last...) {
		f, err := w.Create(prefix + name)
		must.OK(t, err)
		_, err = f.Write(files[name])
		must.OK(t, err)
	}
	must.OK(t, w.Close())
	return buf.Bytes()
}

func openZip(t testing.TB, data []byte, limits bundle.Limits) (*bundle.Bundle, error) {
	t.Helper()
	b, err := bundle.OpenZip(bytes.NewReader(data), int64(len(data)), "share.zip", limits)
	if err == nil {
		t.Cleanup(func() { b.Close() })
	}
	return b, err
}

// messages counts the messages of a bundle; -1 without a database.
func messages(t testing.TB, b *bundle.Bundle) int {
	t.Helper()
	if b.Database == nil {
		return -1
	}
	count := 0
	err := b.Database.Do(func(conn *database.Conn) error {
		stmt, _, err := conn.Prepare("SELECT count(*) FROM messages")
		if err != nil {
			return err
		}
		defer stmt.Close()
		stmt.Step()
		count = stmt.ColumnInt(0)
		return stmt.Err()
	})
	must.OK(t, err)
	return count
}

// faults renders faults as `path:line:column: message`.
func faults(b *bundle.Bundle) string {
	var out []string
	all := slices.Clone(b.Faults)
	if b.Differs != nil {
		all = append(all, *b.Differs)
	}
	for i := range all {
		f, at := &all[i], ""
		if f.At.Known() {
			p := f.At.Text.Position(f.At.Span.Start)
			at = fmt.Sprintf(":%d:%d", p.Line, p.Column)
		}
		out = append(out, f.Path+at+strings.TrimPrefix(f.Error(), f.Path))
	}
	return strings.Join(out, "\n")
}

func TestRealBundles(t *testing.T) {
	zipped := must.Read(t, corpus+"bundle.zip")
	whole, err := openZip(t, zipped, bundle.Limits{})
	must.OK(t, err)
	chunked := tree(t, "bundle-chunked")
	delete(chunked, bundle.DatabaseName)
	saved, err := openZip(t, packed(t, "snapshot/", tree(t, "bundle")), bundle.Limits{})
	must.OK(t, err)
	enclosed, err := openZip(t, packed(t, "my-share/", tree(t, "bundle-chunked")), bundle.Limits{})
	must.OK(t, err)
	chunksInZip, err := openZip(t, packed(t, "", chunked), bundle.Limits{})
	must.OK(t, err)
	for name, c := range map[string]struct {
		bundle    *bundle.Bundle
		path      string
		messages  int
		ack, body bool
	}{
		"folder":          {folder(t, tree(t, "bundle")), "share/mailbox.sqlite3", 51, true, false},
		"strict":          {folder(t, tree(t, "bundle-strict")), "share/mailbox.sqlite3", 12, true, true},
		"chunked":         {folder(t, tree(t, "bundle-chunked")), "share/mailbox.sqlite3", 51, false, false},
		"chunks alone":    {folder(t, chunked), "share/mailbox.sqlite3.config.json", 51, false, false},
		"zip":             {whole, "share.zip", 51, true, false},
		"archive save":    {saved, "share.zip", 51, true, false},
		"enclosed zip":    {enclosed, "share.zip", 51, false, false},
		"zip with chunks": {chunksInZip, "share.zip", 51, false, false},
	} {
		if got := messages(t, c.bundle); got != c.messages {
			t.Errorf("%s: %d messages, want %d", name, got, c.messages)
		}
		if c.bundle.AckFlagsCleared != c.ack || c.bundle.BodiesRedacted != c.body || c.bundle.Path != c.path {
			t.Errorf("%s: ack cleared %v, bodies redacted %v, path %q", name, c.bundle.AckFlagsCleared, c.bundle.BodiesRedacted, c.bundle.Path)
		}
		if f := faults(c.bundle); f != "" {
			t.Errorf("%s: %s", name, f)
		}
	}
}

// replace replaces a text that occurs once in a file.
func replace(t testing.TB, files map[string][]byte, name, old, with string) {
	t.Helper()
	if n := bytes.Count(files[name], []byte(old)); n != 1 {
		t.Fatalf("%s holds %q %d times", name, old, n)
	}
	files[name] = bytes.Replace(files[name], []byte(old), []byte(with), 1)
}

func TestFaultsOfFolders(t *testing.T) {
	for name, c := range map[string]struct {
		from   string
		damage func(files map[string][]byte)
		want   string
		read   int
	}{
		"hash": {"bundle", func(files map[string][]byte) {
			db := files[bundle.DatabaseName]
			db[len(db)-1] ^= 1
		}, "share/manifest.json:40:15: the database has the SHA-256 ", 51},
		"size": {"bundle", func(files map[string][]byte) {
			replace(t, files, "manifest.json", `"size_bytes": 515072`, `"size_bytes": 515073`)
		}, "share/manifest.json:41:19: the database has 515072 bytes, the manifest says 515073", 51},
		"truncated": {"bundle", func(files map[string][]byte) {
			files[bundle.DatabaseName] = files[bundle.DatabaseName][:514048]
		}, "share/manifest.json:41:19: the database has 514048 bytes, the manifest says 515072", 51},
		"manifest syntax": {"bundle", func(files map[string][]byte) {
			replace(t, files, "manifest.json", `"fts_enabled": false,
    "path"`, `"fts_enabled": false;
    "path"`)
		}, "share/manifest.json:38:25: the file is not valid JSON: ", 51},
		"no database": {"bundle", func(files map[string][]byte) {
			delete(files, bundle.DatabaseName)
		}, "share/manifest.json: the bundle has no database: expected mailbox.sqlite3, or its chunks and mailbox.sqlite3.config.json", -1},
		"chunk missing": {"bundle-chunked", func(files map[string][]byte) {
			delete(files, "chunks/00002.bin")
			delete(files, bundle.DatabaseName)
		}, "share/mailbox.sqlite3.config.json:2:18: 1 of the 4 chunks is missing: chunks/00002.bin", -1},
		"chunks missing beside the database": {"bundle-chunked", func(files map[string][]byte) {
			delete(files, "chunks/00001.bin")
			delete(files, "chunks/00002.bin")
			delete(files, "chunks/00003.bin")
		}, "share/mailbox.sqlite3.config.json:2:18: 3 of the 4 chunks are missing: chunks/00001.bin", 51},
		"chunk damaged": {"bundle-chunked", func(files map[string][]byte) {
			files["chunks/00003.bin"][7] ^= 1
		}, "share/chunks.sha256:4:1: 1 of the 4 chunks is not what the SHA-256 says: chunks/00003.bin", 51},
		"chunk damaged, no other database": {"bundle-chunked", func(files map[string][]byte) {
			files["chunks/00003.bin"][7] ^= 1
			delete(files, bundle.DatabaseName)
		}, "share/chunks.sha256:4:1: 1 of the 4 chunks is not what the SHA-256 says: chunks/00003.bin", 51},
		"checksum line": {"bundle-chunked", func(files map[string][]byte) {
			replace(t, files, "chunks.sha256", "chunks/00001.bin", "")
		}, "share/chunks.sha256:2:1: the line is not a SHA-256, two spaces and a chunk's name\n" +
			"share/chunks.sha256:1:1: 1 of the 4 chunks is not listed: chunks/00001.bin", 51},
		"pattern leads out": {"bundle-chunked", func(files map[string][]byte) {
			replace(t, files, bundle.ConfigName, "chunks/{index:05d}.bin", "../{index:05d}.bin")
		}, `share/mailbox.sqlite3.config.json:5:14: pattern does not give the names of the chunks; expected one such as "chunks/{index:05d}.bin"`, 51},
		"chunk count": {"bundle-chunked", func(files map[string][]byte) {
			replace(t, files, bundle.ConfigName, `"chunk_count": 4`, `"chunk_count": 4000000000`)
		}, "share/mailbox.sqlite3.config.json:2:18: invalid chunk_count; expected a number from 1 to 65536", 51},
	} {
		files := tree(t, c.from)
		c.damage(files)
		b := folder(t, files)
		if got := faults(b); !strings.HasPrefix(got, c.want) || strings.Count(got, "\n") != strings.Count(c.want, "\n") {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
		if got := messages(t, b); got != c.read {
			t.Errorf("%s: %d messages read, want %d", name, got, c.read)
		}
	}
}

func TestFaultsOfZips(t *testing.T) {
	testenv.SkipUnderRace(t)
	good := tree(t, "bundle")
	for name, c := range map[string]struct {
		change func(files map[string][]byte)
		limits bundle.Limits
		err    string
		want   string
		read   int
	}{
		"step upwards": {func(files map[string][]byte) { files["../../etc/passwd"] = nil }, bundle.Limits{}, "",
			`share.zip: the zip has an entry whose path leads out of it: "../../etc/passwd" (1 of 11 entries)`, 51},
		"absolute name": {func(files map[string][]byte) { files["/etc/passwd"] = nil }, bundle.Limits{}, "",
			`share.zip: the zip has an entry whose path leads out of it: "/etc/passwd" (1 of 11 entries)`, 51},
		"drive": {func(files map[string][]byte) { files[`C:\windows\system.ini`] = nil }, bundle.Limits{}, "",
			`share.zip: the zip has an entry whose path leads out of it: "C:\\windows\\system.ini" (1 of 11 entries)`, 51},
		"too many entries": {func(map[string][]byte) {}, bundle.Limits{Entries: 9},
			"the zip lists more than the 9 entries allowed", "", 0},
		"a long list": {func(files map[string][]byte) {
			for i := range 6000 {
				files[fmt.Sprintf("%0250d", i)] = nil
			}
		}, bundle.Limits{Entries: 11}, "the zip lists more than the 11 entries allowed", "", 0},
		"bomb": {func(files map[string][]byte) { files[bundle.DatabaseName] = make([]byte, 2<<20) }, bundle.Limits{Expanded: 1 << 20}, "",
			"share.zip: read mailbox.sqlite3: the zip expands to more than the 1048576 bytes allowed", -1},
		"hash": {func(files map[string][]byte) {
			files[bundle.DatabaseName] = append([]byte(nil), files[bundle.DatabaseName]...)
			files[bundle.DatabaseName][515071] ^= 1
		}, bundle.Limits{}, "", "share.zip: manifest.json: the database has the SHA-256 ", 51},
		"something else": {func(files map[string][]byte) { delete(files, bundle.DatabaseName) }, bundle.Limits{},
			bundle.ErrNoMailbox.Error(), "", 0},
	} {
		files := maps.Clone(good)
		c.change(files)
		b, err := openZip(t, packed(t, "", files), c.limits)
		if err != nil {
			if c.err == "" || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", name, err, c.err)
			}
			continue
		}
		if c.err != "" {
			t.Errorf("%s: no error, want %q", name, c.err)
			continue
		}
		if got := faults(b); !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
		if got := messages(t, b); got != c.read {
			t.Errorf("%s: %d messages read, want %d", name, got, c.read)
		}
	}
}

// A zip with a password is one fault, unless it is no share.
func TestEncryptedZip(t *testing.T) {
	const inList = "PK\x01\x02" // begins what the list at the end says of an entry; 8 bytes on are its flags
	for name, want := range map[string]string{"bundle": "the zip is encrypted", "json": bundle.ErrNoMailbox.Error()} {
		data := packed(t, "", tree(t, name))
		for at := bytes.Index(data, []byte(inList)); at >= 0 && at < len(data); at++ {
			if bytes.HasPrefix(data[at:], []byte(inList)) {
				data[at+8] |= 1
			}
		}
		if _, err := openZip(t, data, bundle.Limits{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}

// A database too large for memory goes to a temporary file, which is removed in the end.
func TestLargeDatabaseLeavesNothingBehind(t *testing.T) {
	testenv.SkipUnderRace(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	large := filepath.Join(t.TempDir(), "large.sqlite3")
	conn, err := sqlite3.Open(large)
	must.OK(t, err)
	must.OK(t, conn.Exec("CREATE TABLE messages(body_md); INSERT INTO messages VALUES (zeroblob(20000000))"))
	conn.Close()
	data := must.Read(t, large)
	b, err := openZip(t, packed(t, "", map[string][]byte{bundle.DatabaseName: data}), bundle.Limits{})
	must.OK(t, err)
	if got := messages(t, b); got != 1 {
		t.Errorf("%d messages", got)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(temp)
	must.OK(t, err)
	if len(left) > 0 {
		t.Errorf("left behind: %s", left[0].Name())
	}
}

// FuzzZip reads damaged zips, and checks that what they expand to never exceeds the limits,
// that names leading out are reported, and that a database is read or a fault says why not.
func FuzzZip(f *testing.F) {
	small := map[string][]byte{
		"manifest.json":         []byte(`{"database":{"size_bytes":3,"sha256":"x"},"scrub":{"preset":"strict"}}`),
		bundle.DatabaseName:     []byte("SQLite format 3\x00"),
		bundle.ConfigName:       []byte(`{"chunk_count":1,"pattern":"chunks/{index:05d}.bin"}`),
		"chunks.sha256":         []byte(strings.Repeat("0", 64) + "  chunks/00000.bin\n"),
		"chunks/00000.bin":      []byte("SQLite"),
		"../out":                []byte("x"),
		"snapshot/mailbox.json": nil,
	}
	f.Add(packed(f, "", small))
	f.Add(packed(f, "top/", small))
	f.Add(packed(f, "", small, "manifest.json", "../late"))
	f.Add(packed(f, "snapshot/", map[string][]byte{bundle.ConfigName: small[bundle.ConfigName]}))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := bundle.OpenZip(bytes.NewReader(data), int64(len(data)), "share.zip", bundle.Limits{Expanded: 1 << 20})
		if err != nil {
			return
		}
		defer b.Close()
		if b.Database == nil && len(b.Faults) == 0 {
			t.Error("no database, and nothing says why")
		}
		for _, fault := range b.Faults {
			if fault.Err == nil || !strings.HasPrefix(fault.Path, "share.zip") {
				t.Errorf("fault %+v", fault)
			}
		}
		zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
			return
		}
		for _, entry := range zr.File {
			if strings.HasPrefix(path.Clean(entry.Name), "../") && !strings.Contains(faults(b), "whose path leads out of it") {
				t.Errorf("nothing said of %q", entry.Name)
			}
		}
	})
}

// Entries that are the same bytes of a zip could make it expand without end.
func TestOverlappingZip(t *testing.T) {
	data := packed(t, "", tree(t, "bundle"))
	_, err := openZip(t, data, bundle.Limits{})
	must.OK(t, err)
	at := bytes.Index(data, []byte("PK\x01\x02")) + 20 // the packed size of the first entry, by the list at the end
	binary.LittleEndian.PutUint32(data[at:], binary.LittleEndian.Uint32(data[at:])+uint32(len(data)))
	if _, err = openZip(t, data, bundle.Limits{}); !strings.Contains(fmt.Sprint(err), "its entries overlap") {
		t.Errorf("error %v", err)
	}
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
		files := maps.Clone(good)
		if files[c.twice] == nil {
			files[strings.ReplaceAll(c.twice, "/", `\`)] = nil
		}
		if c.out != "" {
			files[c.out] = nil
		}
		// The other spelling comes last.
		b, err := openZip(t, packed(t, "", files, "./"+c.twice), bundle.Limits{})
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
