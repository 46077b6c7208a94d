package gen

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// chunkSize is how large the chunks of a database are.
const chunkSize = 4 << 20

const sharedName = "mailbox.sqlite3"

// bundleWriter writes a share (mail_formats.md section 3): a folder, one with
// the database in chunks, or a zip. Nothing is scrubbed in it.
type bundleWriter struct {
	*databaseWriter
	dir, form string
}

func newBundleWriter(out, form string) (*bundleWriter, error) {
	dir := filepath.Join(out, "bundle")
	if form != "bundle" {
		dir += "-" + form
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	db, err := newDatabaseWriter(filepath.Join(dir, sharedName), "DELETE")
	return &bundleWriter{db, dir, form}, err
}

func (w *bundleWriter) close() error {
	if err := w.databaseWriter.close(); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(w.dir, sharedName))
	if err != nil {
		return err
	}
	err = w.put("manifest.json", pretty(map[string]any{
		"database": map[string]any{
			"chunked": w.form == "chunked", "path": sharedName, "sha256": fmt.Sprintf("%x", sha256.Sum256(data)), "size_bytes": len(data),
		},
		"exporter_version": "prototype", "schema_version": "0.1.0",
		"scrub": map[string]any{"ack_flags_cleared": 0, "bodies_redacted": 0, "preset": "archive", "secrets_replaced": 0},
	})+"\n")
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

func (w *bundleWriter) put(name, data string) error {
	return writeFile(filepath.Join(w.dir, filepath.FromSlash(name)), data)
}

// chunks cuts the database up.
func (w *bundleWriter) chunks(data []byte) (err error) {
	sums, count := "", 0
	for chunk := range slices.Chunk(data, chunkSize) {
		name := fmt.Sprintf("chunks/%05d.bin", count)
		err = errors.Join(err, w.put(name, string(chunk)))
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256(chunk), name)
		count++
	}
	return errors.Join(err, w.put("chunks.sha256", sums), w.put(sharedName+".config.json", pretty(map[string]any{
		"chunk_count": count, "chunk_size": chunkSize, "original_bytes": len(data), "pattern": "chunks/{index:05d}.bin",
		"threshold_bytes": chunkSize, "version": 1,
	})+"\n"))
}

// pack makes the zip of the folder.
func (w *bundleWriter) pack() error {
	out, err := os.Create(filepath.Join(filepath.Dir(w.dir), "bundle.zip"))
	if err != nil {
		return err
	}
	z := zip.NewWriter(out)
	for _, name := range []string{sharedName, "manifest.json"} {
		data, unread := os.ReadFile(filepath.Join(w.dir, name))
		f, failed := z.Create(name)
		if err = errors.Join(err, unread, failed); err == nil {
			_, err = f.Write(data)
		}
	}
	return errors.Join(err, z.Close(), out.Close())
}
