package input

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/brennerlint/brennerlint/internal/files"
)

// Outputs are files that are written after the inputs were read.
type Outputs []output

// output is one that already exists.
type output struct {
	name string // as the user wrote it
	path string // clean, absolute and without links
	info os.FileInfo
}

// NewOutputs returns the files among names that exist. A file that belongs to a database,
// such as its log, counts as the database itself.
func NewOutputs(names []string) Outputs {
	var out Outputs
	for _, name := range names {
		target, err := files.Target(name)
		if err != nil {
			continue // writing it reports the error
		}
		for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
			target, ok := strings.CutSuffix(target, suffix)
			if info, err := os.Stat(target); ok && err == nil && info.Mode().IsRegular() {
				out = append(out, output{name, target, info})
			}
		}
	}
	return out
}

// Check returns a usage error if an input would be overwritten, or nil.
func (o Outputs) Check(in *Input) error {
	for i := range o {
		if o[i].overwrites(in) {
			return &UsageError{Path: o[i].name, Reason: "is both an input and an output", Hint: "write to another file"}
		}
	}
	return nil
}

func (o *output) overwrites(in *Input) bool {
	switch {
	case in.InMemory():
		return false
	case in.Kind == Bundle:
		dir, base := filepath.Split(o.path)
		dir = filepath.ToSlash(filepath.Clean(dir))
		return dir == in.Abs() && isOfBundle(base) || path.Base(dir) == "chunks" && path.Dir(dir) == in.Abs()
	case !strings.EqualFold(path.Base(in.Ref().Name), filepath.Base(o.path)):
		return false // nearly always, and without a stat of the file
	}
	info, err := in.Ref().Stat()
	return err == nil && os.SameFile(info, o.info)
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
