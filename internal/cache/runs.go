package cache

import (
	"cmp"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/internal/files"
)

func runName(key Key) string { return format + "/runs/" + nameOf(key) }

// GetRun returns what was put under a key for a run; nil if the key is unknown.
func (c *Cache) GetRun(key Key) []byte {
	body := checked(c.readFile(runName(key), c.limits.Run))
	if len(body) < len(key) || Key(body) != key {
		return nil
	}
	if root, err := os.OpenRoot(c.path); err == nil {
		now := c.now()
		_ = root.Chtimes(runName(key), now, now) // if this fails, it is evicted sooner
		root.Close()
	}
	return body[len(key):]
}

// PutRun stores the result of a run, unless it is too large.
func (c *Cache) PutRun(key Key, data []byte) {
	if int64(len(data)+len(fileHeader)+2*len(key)) <= c.limits.Run {
		c.note(c.writeFile(runName(key), head(key[:], data), key[:], data))
	}
}

// leftover is the age from which a temporary file is that of an interrupted run.
const leftover = time.Hour

// evictRuns removes the least recently used runs, and the files that interrupted runs left
// behind.
func (c *Cache) evictRuns() error {
	root, err := os.OpenRoot(c.path)
	if err != nil {
		return files.Cause(err)
	}
	defer root.Close()
	infos := c.list(format)
	for _, info := range infos {
		if files.IsTempName(info.Name()) && c.now().Sub(info.ModTime()) > leftover {
			_ = root.Remove(format + "/" + info.Name())
		}
	}
	runs := c.list(format + "/runs")
	slices.SortFunc(runs, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	room := c.limits.Runs
	for _, info := range runs {
		if room -= info.Size(); room < 0 {
			_ = root.Remove(format + "/runs/" + info.Name())
		}
	}
	return nil
}

// list returns the regular files of a folder.
func (c *Cache) list(name string) []fs.FileInfo {
	entries, err := c.dir.ReadDir(name)
	if err != nil {
		return nil
	}
	var out []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			out = append(out, info)
		}
	}
	return out
}
