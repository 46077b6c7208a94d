package input

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/files"
)

// CheckOutputs returns a usage error for each input that a file, written after the inputs were
// read, would overwrite. A file that belongs to a database, such as its log, counts as the
// database itself.
func CheckOutputs(inputs []*Input, names ...string) error {
	var errs []error
	for _, name := range names {
		target, err := files.Target(name)
		if name == "" || err != nil {
			continue // standard output, or writing it reports the error
		}
		for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
			output, ok := strings.CutSuffix(target, suffix)
			info, err := os.Stat(output)
			if !ok || err != nil || !info.Mode().IsRegular() {
				continue
			}
			for _, in := range inputs {
				if in.isOverwritten(output, info) {
					errs = append(errs, &UsageError{Path: name, Reason: "is both an input and an output", Hint: "write to another file"})
				}
			}
		}
	}
	return errors.Join(errs...)
}

// bundleFiles are the files of a share besides its chunks.
var bundleFiles = []string{"manifest.json", "mailbox.sqlite3", "mailbox.sqlite3.config.json", "chunks.sha256"}

// isOverwritten reports whether an input is, or holds, an existing file, by its clean absolute
// path without links.
func (in *Input) isOverwritten(output string, info fs.FileInfo) bool {
	dir, base := filepath.Split(output)
	switch dir = filepath.ToSlash(filepath.Clean(dir)); {
	case in.InMemory():
		return false
	case in.Kind == SQLite && path.Base(path.Dir(in.Abs())) == "chunks" && isShareFile(path.Dir(path.Dir(in.Abs())), dir, base):
		return true
	case in.Kind == Bundle:
		return isShareFile(in.Abs(), dir, base)
	case !strings.EqualFold(path.Base(in.ref.Name), base):
		return false // nearly always, and without a stat of the file
	}
	own, err := in.ref.Stat()
	return err == nil && os.SameFile(own, info)
}

// isShareFile reports whether a file in a folder is one of the share in another folder.
func isShareFile(share, dir, base string) bool {
	return dir == share && slices.Contains(bundleFiles, base) || path.Base(dir) == "chunks" && path.Dir(dir) == share
}
