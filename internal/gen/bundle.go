package gen

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	size, sum, err := digest(w.database())
	if err != nil {
		return err
	}
	err = w.file("manifest.json", object{
		{"database", object{{"chunked", w.form == "chunked"}, {"path", "mailbox.sqlite3"}, {"sha256", sum}, {"size_bytes", size}}},
		{"exporter_version", "prototype"}, {"schema_version", "0.1.0"},
		{"scrub", object{{"ack_flags_cleared", 0}, {"bodies_redacted", 0}, {"preset", "archive"}, {"secrets_replaced", 0}}},
	})
	switch {
	case err != nil:
		return err
	case w.form == "chunked":
		return w.chunks(size)
	case w.form == "zip":
		return errors.Join(w.pack(), os.RemoveAll(w.dir))
	}
	return nil
}

func (w *bundleWriter) file(name string, v object) error {
	return os.WriteFile(filepath.Join(w.dir, name), append(appendJSON(nil, v, ""), '\n'), 0o644)
}

// digest returns the size and the SHA-256 of a file.
func digest(name string) (int, string, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, f)
	return int(n), fmt.Sprintf("%x", hash.Sum(nil)), err
}

// chunks cuts the database up.
func (w *bundleWriter) chunks(size int) error {
	if err := os.MkdirAll(filepath.Join(w.dir, "chunks"), 0o755); err != nil {
		return err
	}
	f, err := os.Open(w.database())
	if err != nil {
		return err
	}
	defer f.Close()
	var sums []byte
	buf := make([]byte, chunkSize)
	count := 0
	for {
		n, err := io.ReadFull(f, buf)
		if err == io.EOF {
			break
		} else if err != nil && err != io.ErrUnexpectedEOF {
			return err
		}
		name := fmt.Sprintf("chunks/%05d.bin", count)
		if err := os.WriteFile(filepath.Join(w.dir, name), buf[:n], 0o644); err != nil {
			return err
		}
		sums = fmt.Appendf(sums, "%x  %s\n", sha256.Sum256(buf[:n]), name)
		count++
	}
	return errors.Join(os.WriteFile(filepath.Join(w.dir, "chunks.sha256"), sums, 0o644),
		w.file("mailbox.sqlite3.config.json", object{
			{"chunk_count", count}, {"chunk_size", chunkSize}, {"original_bytes", size}, {"pattern", "chunks/{index:05d}.bin"}, {"threshold_bytes", chunkSize}, {"version", 1},
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
		if err := packFile(z, filepath.Join(w.dir, name), name); err != nil {
			return errors.Join(err, out.Close())
		}
	}
	return errors.Join(z.Close(), out.Close())
}

func packFile(z *zip.Writer, path, name string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := z.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return err
}
