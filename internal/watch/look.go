package watch

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/input"
)

// Look is what the file system says about each file, by its path: enough to detect that it was
// changed or replaced.
type Look map[string]fs.FileInfo

// LookAt looks at the files of paths. It opens none of them: a connection to a
// database, which could ask for its data_version, would take a lock. A commit
// changes the database or its log, and so the size or the time of one of them.
func LookAt(ctx context.Context, paths []string, opts input.Options) (Look, error) {
	look := Look{}
	err := input.List(ctx, paths, opts, func(path string, folder bool) {
		if folder {
			look.addFolder(path)
			return
		}
		look.Add(path)
		if !isText(path) {
			look.Add(path + logSuffix)
			look.Add(path + journalSuffix)
		}
	})
	return look, err
}

// The suffixes of the files that SQLite keeps next to a database. The shared memory is
// not read.
const (
	logSuffix     = "-wal"
	journalSuffix = "-journal"
	memorySuffix  = "-shm"
)

// isText reports whether a file cannot be a database, by its name.
func isText(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".json", ".jsonl", ".markdown":
		return true
	}
	return false
}

// Add adds a file, if it exists.
func (l Look) Add(path string) {
	if strings.HasSuffix(path, memorySuffix) {
		return
	}
	if info, err := os.Stat(path); err == nil {
		l[path] = info
	}
}

// addFolder adds the files of a share. It follows no link.
func (l Look) addFolder(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read counts as missing
		}
		if d.Type().IsRegular() {
			l.Add(filepath.ToSlash(path))
		}
		return nil
	})
}

// Changed returns the paths of files that were added, removed, replaced or written before
// the second look, sorted.
func (l Look) Changed(now Look) []string {
	var out []string
	for path, was := range l {
		is, ok := now[path]
		if !ok || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime()) || !os.SameFile(is, was) {
			out = append(out, path)
		}
	}
	for path := range now {
		if _, ok := l[path]; !ok {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// folders returns the folders that contain the files, and those named, sorted.
func (l Look) folders(paths []string) []string {
	var out []string
	for path := range l {
		out = append(out, filepath.Dir(path))
	}
	for _, p := range paths {
		if info, err := os.Stat(p); err != nil || !info.IsDir() {
			p = filepath.Dir(p)
		}
		out = append(out, filepath.Clean(p))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
