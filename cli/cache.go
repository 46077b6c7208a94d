package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/cache"
	"github.com/brennerlint/brennerlint/internal/text"
)

// userCache is the value of --cache without a folder: that of the user.
const userCache = "auto"

// openCache opens the cache of --cache; without one, or where it cannot be used, it
// does nothing. What it returns ends the use.
func (c *checkCommand) openCache(opts *engine.Options) (end func()) {
	if c.cacheDir == "" {
		return func() {}
	}
	dir, err := c.cacheFolder()
	var kept *cache.Cache
	if err == nil {
		kept, err = cache.Open(dir)
	}
	if err == nil {
		var version string
		if version, err = c.cacheVersion(); err == nil {
			opts.Cache = engine.NewCache(kept, version)
		}
	}
	if err != nil {
		c.std.logf("--cache: %s: %v; checked without it", text.QuotePath(dir), err)
		return func() {}
	}
	used := opts.Cache
	return func() {
		if err := kept.Close(); err != nil {
			c.std.logf("--cache: %s: %v", text.QuotePath(dir), err)
		}
		if c.verbose {
			c.std.logf("%s", describeUse(used.Use()))
		}
	}
}

// describeUse says what was taken from a cache.
func describeUse(u engine.CacheUse) string {
	if u.Whole {
		return "cache: no input has changed"
	}
	return fmt.Sprintf("cache: %s known, %d checked", text.Count(u.Known, "result", "results"), u.Checked)
}

// cacheFolder returns the folder of --cache.
func (c *checkCommand) cacheFolder() (string, error) {
	if c.cacheDir != userCache {
		return c.cacheDir, nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "brennerlint"), err
}

// cacheVersion identifies all that results depend on in addition to inputs and options: the
// program, by how it was built and which file it is, and the configuration as it was
// read, which may define rules.
func (c *checkCommand) cacheVersion() (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, programVersion())
	if info, ok := debug.ReadBuildInfo(); ok {
		fmt.Fprintln(h, info)
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	if err := signProgram(h, path); err != nil {
		return "", err
	}
	fmt.Fprintln(h, c.cfg.Digest())
	return hex.EncodeToString(h.Sum(nil)), nil
}

// signProgram writes what distinguishes a program from another build of it: size and time of its
// file, and what that begins with, for builds whose files all have one time. The id that
// Go gives a build is there.
func signProgram(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintln(w, info.Size(), info.ModTime().UnixNano())
	const beginning = 64 << 10 // go tool buildid looks at the first 32 KB
	_, err = io.Copy(w, io.LimitReader(f, beginning))
	return err
}
