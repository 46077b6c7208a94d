package gen

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

const sharedName = "mailbox.sqlite3"

// zipWriter writes a share as a zip (mail_formats.md section 3): a database and its manifest.
// Nothing is scrubbed in it.
type zipWriter struct {
	*databaseWriter
	out string
}

func newZipWriter(out string) (*zipWriter, error) {
	db, err := newDatabaseWriter(filepath.Join(out, sharedName), "DELETE")
	return &zipWriter{db, out}, err
}

func (w *zipWriter) close() error {
	if err := w.databaseWriter.close(); err != nil {
		return err
	}
	unpacked := filepath.Join(w.out, sharedName)
	data, err := os.ReadFile(unpacked)
	if err != nil {
		return err
	}
	manifest := pretty(map[string]any{
		"database":         map[string]any{"chunked": false, "path": sharedName, "sha256": fmt.Sprintf("%x", sha256.Sum256(data)), "size_bytes": len(data)},
		"exporter_version": "prototype", "schema_version": "0.1.0",
		"scrub": map[string]any{"ack_flags_cleared": 0, "bodies_redacted": 0, "preset": "archive", "secrets_replaced": 0},
	}) + "\n"
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	add := func(name string, data []byte) error {
		f, err := z.Create(name)
		if err == nil {
			_, err = f.Write(data)
		}
		return err
	}
	err = errors.Join(add(sharedName, data), add("manifest.json", []byte(manifest)), z.Close())
	return errors.Join(err, writeFile(filepath.Join(w.out, "bundle.zip"), packed.String()), os.Remove(unpacked))
}
