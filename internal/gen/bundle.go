package gen

import (
	"archive/zip"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// chunkSize is how large the chunks of a database are.
const chunkSize = 4 << 20

// bundleWriter writes a share (mail_formats.md section 3): a folder, one with
// the database in chunks, or a zip. Nothing is scrubbed in it.
type bundleWriter struct {
	*databaseWriter
	dir, form, zip string
}

func newBundleWriter(out, form string) (*bundleWriter, error) {
	w := &bundleWriter{dir: filepath.Join(out, "bundle"), form: form, zip: filepath.Join(out, "bundle.zip")}
	if form != "bundle" {
		w.dir += "-" + form
	}
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		return nil, err
	}
	var err error
	if w.databaseWriter, err = newDatabaseWriter(w.database()); err != nil {
		return nil, err
	}
	w.share = true
	return w, nil
}

func (w *bundleWriter) database() string { return filepath.Join(w.dir, "mailbox.sqlite3") }

func (w *bundleWriter) close() error {
	if err := w.databaseWriter.close(); err != nil {
		return err
	}
	data, err := os.ReadFile(w.database())
	if err != nil {
		return err
	}
	err = w.file("manifest.json", object{
		{"database", object{{"chunked", w.form == "chunked"}, {"path", "mailbox.sqlite3"}, {"sha256", fmt.Sprintf("%x", sha256.Sum256(data))}, {"size_bytes", len(data)}}},
		{"exporter_version", "prototype"}, {"schema_version", "0.1.0"},
		{"scrub", object{{"ack_flags_cleared", 0}, {"bodies_redacted", 0}, {"preset", "archive"}, {"secrets_replaced", 0}}},
	})
	switch {
	case err != nil:
		return err
	case w.form == "chunked":
		return w.chunks(data)
	case w.form == "zip":
		return errors.Join(w.pack(), os.RemoveAll(w.dir))
	}
	return nil
}

func (w *bundleWriter) file(name string, v object) error {
	return os.WriteFile(filepath.Join(w.dir, name), append(appendJSON(nil, v, ""), '\n'), 0o644)
}

// chunks cuts the database up.
func (w *bundleWriter) chunks(data []byte) error {
	err := os.MkdirAll(filepath.Join(w.dir, "chunks"), 0o755)
	var sums []byte
	count := 0
	for chunk := range slices.Chunk(data, chunkSize) {
		name := fmt.Sprintf("chunks/%05d.bin", count)
		err = cmp.Or(err, os.WriteFile(filepath.Join(w.dir, name), chunk, 0o644))
		sums = fmt.Appendf(sums, "%x  %s\n", sha256.Sum256(chunk), name)
		count++
	}
	return errors.Join(err, os.WriteFile(filepath.Join(w.dir, "chunks.sha256"), sums, 0o644),
		w.file("mailbox.sqlite3.config.json", object{
			{"chunk_count", count}, {"chunk_size", chunkSize}, {"original_bytes", len(data)}, {"pattern", "chunks/{index:05d}.bin"}, {"threshold_bytes", chunkSize}, {"version", 1},
		}))
}

// pack makes the zip of the folder.
func (w *bundleWriter) pack() error {
	out, err := os.Create(w.zip)
	if err != nil {
		return err
	}
	z := zip.NewWriter(out)
	for _, name := range []string{"mailbox.sqlite3", "manifest.json"} {
		data, unread := os.ReadFile(filepath.Join(w.dir, name))
		f, failed := z.Create(name)
		if err = cmp.Or(err, unread, failed); err == nil {
			_, err = f.Write(data)
		}
	}
	return errors.Join(err, z.Close(), out.Close())
}
