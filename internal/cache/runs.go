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

// GetRun returns what was put under a key for a run, nil if it is not known.
func (c *Cache) GetRun(key Key) []byte {
	body := checked(c.readFile(runName(key), c.limits.Run))
	if len(body) < len(key) || Key(body) != key {
		return nil
	}
	if root, err := os.OpenRoot(c.path); err == nil {
		now := c.now()
		_ = root.Chtimes(runName(key), now, now) // else it goes sooner
		root.Close()
	}
	return body[len(key):]
}

// PutRun keeps the result of a run. One that is too large is not kept.
func (c *Cache) PutRun(key Key, data []byte) {
	if int64(len(data)+len(fileHeader)+2*len(key)) <= c.limits.Run {
		c.note(c.writeFile(runName(key), head(key[:], data), key[:], data))
	}
}

// leftover is how old a file is that a run was writing when it ended.
const leftover = time.Hour

// evictRuns removes the runs that were not used for longest, and what interrupted runs
// have left behind.
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

// list is the regular files of a folder.
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
