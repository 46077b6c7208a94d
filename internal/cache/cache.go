// Package cache keeps results in a folder, by keys that are hashes of all that a result
// depends on.
//
// Get returns only what was put under a key, regardless of what is in the folder: entries
// have checksums; damaged and foreign ones, and those of another format, are ignored.
// Files are written atomically and readable only by their owner. The folder's size is
// bounded: the least recently used entries are evicted first. Several processes may use
// it; some of what they put at the same moment may be lost.
//
// A checksum does not prevent forgery by those who can write to the folder, so the folder
// must belong to the user.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/brennerlint/brennerlint/internal/files"
)

// Key names a result.
type Key = [sha256.Size]byte

// Limits bound the folder, in bytes.
type Limits struct {
	Entries int64 // results of threads and files
	Run     int64 // one result of a run
	Runs    int64 // all of them
}

// DefaultLimits are the limits that Open sets.
var DefaultLimits = Limits{Entries: 256 << 20, Run: 64 << 20, Runs: 128 << 20}

// Cache is an open folder of results. It is safe for concurrent use.
type Cache struct {
	path   string
	dir    *files.Dir
	limits Limits
	now    func() time.Time
	shards [shards]shard

	mu  sync.Mutex
	err error // the first write error
}

// format is the name of the subfolder; each format has its own.
const format = "v1"

// marker is a file that makes backup programs skip the folder
// (https://bford.info/cachedir/), and says what the folder is.
const (
	markerName = "CACHEDIR.TAG"
	marker     = "Signature: 8a477f597d28d172789f06886806bc55\n# Results of brennerlint. It can be deleted at any time.\n"
)

// Open opens a folder, which is created if it does not exist.
func Open(path string) (*Cache, error) {
	c := &Cache{limits: DefaultLimits, now: time.Now}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	_, err = os.Stat(path)
	if made := os.MkdirAll(path, 0o700); made != nil {
		return nil, files.Cause(made)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(filepath.Join(path, markerName), []byte(marker), 0o600); err != nil {
			return nil, files.Cause(err)
		}
	}
	if err := checkOwner(path); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, files.Cause(err)
	}
	defer root.Close()
	for _, name := range []string{format, format + "/entries", format + "/runs"} {
		if err := root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, files.Cause(err)
		}
	}
	if c.path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, files.Cause(err)
	}
	c.dir = files.NewDir(c.path)
	return c, nil
}

// Close writes what was put. The error says why some of it could not be written.
func (c *Cache) Close() error {
	for i := range c.shards {
		c.note(c.flush(i))
	}
	c.note(c.evictRuns())
	return c.err
}

func (c *Cache) note(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}

// readFile reads a regular file of the folder; nil if there is none, or if it is larger
// than most. It follows no link out of the folder and does not wait for a pipe.
func (c *Cache) readFile(name string, most int64) []byte {
	f, size, err := c.dir.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if size > most {
		return nil
	}
	data := make([]byte, size)
	if n, err := f.ReadAt(data, 0); int64(n) < size || err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return data
}

// writeFile writes a file of the folder atomically.
func (c *Cache) writeFile(name string, parts ...[]byte) error {
	root, err := os.OpenRoot(c.path)
	if err != nil {
		return files.Cause(err)
	}
	defer root.Close()
	temp := format + "/" + files.TempName()
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return files.Cause(err)
	}
	for _, p := range parts {
		if _, err = f.Write(p); err != nil {
			break
		}
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp) // if it stays, a later run removes it
		return fmt.Errorf("write %s: %w", name, files.Cause(err))
	}
	return nil
}

// fileHeader begins every file; a checksum of the rest follows it.
var fileHeader = []byte("brennerlint cache " + format + "\n")

// checked returns the contents of a file after its checksum; nil if the header or the
// checksum is wrong.
func checked(data []byte) []byte {
	n := len(fileHeader) + sha256.Size
	if len(data) < n || string(data[:len(fileHeader)]) != string(fileHeader) {
		return nil
	}
	sum := sha256.Sum256(data[n:])
	if string(sum[:]) != string(data[len(fileHeader):n]) {
		return nil
	}
	return data[n:]
}

// head returns the header and checksum of a file.
func head(parts ...[]byte) []byte {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(append([]byte(nil), fileHeader...))
}

func nameOf(key Key) string { return hex.EncodeToString(key[:]) }
