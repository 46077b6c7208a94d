package input

import (
	"bytes"
	"io"
	"io/fs"
	"path"
)

// maxManifest is how much of a manifest is read to find its database, in bytes.
const maxManifest = 64 << 20

// isBundle reports whether a folder is that of a share: a manifest that names a database, and
// that database or its pieces (mail_formats.md section 3).
func isBundle(dir *folder, entries []fs.DirEntry) bool {
	manifest, database := false, false
	for _, e := range entries {
		switch e.Name() {
		case "manifest.json":
			manifest = e.Type().IsRegular()
		case "mailbox.sqlite3", "mailbox.sqlite3.config.json", "chunks":
			database = true
		}
	}
	if !manifest || !database {
		return false
	}
	f, _, err := dir.root.Open(path.Join(dir.rel, "manifest.json"))
	if err != nil {
		return false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest))
	return err == nil && bytes.Contains(data, []byte(`"database"`))
}

// isOfBundle reports whether a file of that name in the folder of a share is a part
// of the share.
func isOfBundle(name string) bool {
	switch name {
	case "manifest.json", "mailbox.sqlite3", "mailbox.sqlite3.config.json", "chunks.sha256":
		return true
	}
	return false
}
