package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/brennerlint/brennerlint/engine"
)

// bounds limit what a tool may read and how long it may take: agents wait for the answer.
type bounds struct {
	bytes int64
	files int
	time  time.Duration
	calls int // that work at once
}

var defaultBounds = bounds{bytes: 256 << 20, files: 20_000, time: 30 * time.Second, calls: 4}

// path returns a path that a tool is given, relative to the root and without symbolic links:
// the tools read nothing outside the root. It is an error if the path is neither a file nor a
// folder, or holds too much. A database may be of any size if only one thread is read.
func (s *server) path(ctx context.Context, what, path string, oneThread bool) (rel string, err error) {
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(s.root, path)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", fmt.Errorf("find %s %q: %w", what, path, reasonOf(err))
	}
	if rel, err = filepath.Rel(s.root, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s %q is outside the server's working folder", what, path)
	}
	if rel != "." {
		rel = "." + string(filepath.Separator) + rel // "./-" is a file, "-" would be standard input
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return "", fmt.Errorf("read %s %q: %w", what, path, reasonOf(err))
	case !info.IsDir() && !info.Mode().IsRegular():
		return "", fmt.Errorf("%s %q is neither a file nor a folder", what, path)
	case what == "artifact" && info.IsDir():
		return "", fmt.Errorf("artifact %q is not a file", path)
	case oneThread && isDatabase(real):
		return rel, nil
	}
	if excess := s.excess(ctx, real); excess != "" {
		return "", fmt.Errorf("%s %q contains more than %s; name the file or folder of the thread", what, path, excess)
	}
	return rel, ctx.Err()
}

// excess says which bound a file or folder exceeds; "" if none.
func (s *server) excess(ctx context.Context, path string) (what string) {
	var bytes int64
	files := 0
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error { // the check reports errors
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				bytes += info.Size()
				files++
			}
		}
		switch {
		case files > s.bounds.files:
			what = fmt.Sprintf("%d files", s.bounds.files)
		case bytes > s.bounds.bytes:
			what = fmt.Sprintf("%d MiB", s.bounds.bytes>>20)
		case ctx.Err() == nil:
			return nil
		}
		return fs.SkipAll
	})
	return what
}

// isDatabase reports whether a file or folder is a file that begins like a database.
func isDatabase(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == magic
}

// reasonOf returns an error without the absolute path in it.
func reasonOf(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// within does the work of a call in the time that a call may take. Then the call is answered:
// work that does not stop keeps its room until it ends.
func within[T any](ctx context.Context, s *server, work func(context.Context) (T, error)) (value T, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.bounds.time, fmt.Errorf("the call took longer than %s; name a smaller export", s.bounds.time))
	defer cancel()
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		select {
		case s.room <- struct{}{}:
			value, err := work(ctx)
			done <- result{value, err}
			<-s.room
		case <-ctx.Done():
		}
	}()
	select {
	case r := <-done:
		if r.err == nil || ctx.Err() == nil {
			return r.value, r.err
		}
	case <-ctx.Done():
	}
	return value, context.Cause(ctx)
}

// inExport opens an export for a call.
func inExport[T any](ctx context.Context, s *server, export string, oneThread bool, work func(context.Context, *engine.Mailbox) (T, error)) (none T, _ error) {
	if export == "" {
		return none, errors.New("there is no export; give the path of a mail export or database")
	}
	return within(ctx, s, func(ctx context.Context) (T, error) {
		path, err := s.path(ctx, "export", export, oneThread)
		if err != nil {
			return none, err
		}
		box, err := engine.Open(ctx, s.rules, s.opts, path)
		if err != nil {
			return none, err
		}
		defer box.Close()
		return work(ctx, box)
	})
}
