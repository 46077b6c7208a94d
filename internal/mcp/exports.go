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

// workspace is the folder that the tools may read: the one that the server was
// started in, or --root.
type workspace struct {
	root   string // absolute, without symbolic links
	bounds bounds
}

func newWorkspace(dir string, b bounds) (*workspace, error) {
	root, err := filepath.Abs(dir)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, fmt.Errorf("find the working folder: %w", err)
	}
	return &workspace{root, b}, nil
}

// export returns the path of an export that a tool is given, relative to the root and without
// symbolic links. It is an error if the path leads out of the root, is neither a file nor a
// folder, or holds too much. A database may be of any size if the tool reads one thread.
func (w *workspace) export(ctx context.Context, path string, oneThread bool) (string, error) {
	real, rel, err := w.resolve("export", path)
	if err != nil || oneThread && isDatabase(real) {
		return rel, err
	}
	return rel, w.measure(ctx, "export", path, real)
}

// artifact does the same for the path of an artifact.
func (w *workspace) artifact(ctx context.Context, path string) (string, error) {
	real, rel, err := w.resolve("artifact", path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(real); err == nil && info.IsDir() {
		return "", fmt.Errorf("artifact %q is not a file", path)
	}
	return rel, w.measure(ctx, "artifact", path, real)
}

// isDatabase reports whether a file begins like a database.
func isDatabase(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
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

// resolve follows the symbolic links of a path. rel is relative to the root.
func (w *workspace) resolve(what, path string) (real, rel string, err error) {
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(w.root, path)
	}
	real, err = filepath.EvalSymlinks(abs)
	if err != nil {
		return "", "", fmt.Errorf("find %s %q: %w", what, path, reasonOf(err))
	}
	rel, err = filepath.Rel(w.root, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", "", fmt.Errorf("%s %q is outside the server's working folder", what, path)
	}
	if rel != "." {
		rel = "." + string(filepath.Separator) + rel // "./-" is a file, "-" would be standard input
	}
	return real, rel, nil
}

// measure returns an error if a path is neither a file nor a folder, or holds more than may be
// read. The check reports what cannot be read below it.
func (w *workspace) measure(ctx context.Context, what, shown, path string) error {
	var bytes int64
	files := 0
	return filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && p == path:
			return fmt.Errorf("read %s %q: %w", what, shown, reasonOf(err))
		case err != nil:
			return nil //nolint:nilerr // the check reports it
		case p == path && !d.IsDir() && !d.Type().IsRegular():
			return fmt.Errorf("%s %q is neither a file nor a folder", what, shown)
		}
		if info, err := d.Info(); err == nil && d.Type().IsRegular() { // walks leave links and the like alone
			bytes += info.Size()
			files++
		}
		switch {
		case files > w.bounds.files:
			return fmt.Errorf("%s %q contains more than %d files; name the file or folder of the thread", what, shown, w.bounds.files)
		case bytes > w.bounds.bytes:
			return fmt.Errorf("%s %q contains more than %d MiB; name the file or folder of the thread", what, shown, w.bounds.bytes>>20)
		}
		return nil
	})
}

// reasonOf returns an error without the absolute path in it.
func reasonOf(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// gate bounds how many calls work at once, and for how long.
type gate struct {
	room chan struct{}
	time time.Duration
}

func newGate(b bounds) *gate { return &gate{make(chan struct{}, b.calls), b.time} }

// do does the work of a call. When its time is over, the call is answered at once; work that
// does not stop keeps its room in the gate until it ends.
func do[T any](ctx context.Context, g *gate, work func(context.Context) (T, error)) (value T, err error) {
	ctx, cancel := context.WithTimeout(ctx, g.time)
	defer cancel()
	select {
	case g.room <- struct{}{}:
	case <-ctx.Done():
		return value, g.late(ctx)
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work(ctx)
		done <- result{value, err}
		<-g.room
	}()
	select {
	case r := <-done:
		value, err = r.value, r.err
	case <-ctx.Done():
		err = ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = g.late(ctx)
	}
	return value, err
}

// inExport opens an export for a call.
func inExport[T any](ctx context.Context, s *server, export string, oneThread bool, work func(context.Context, *engine.Mailbox) (T, error)) (none T, _ error) {
	if export == "" {
		return none, errors.New("there is no export; give the path of a mail export or database")
	}
	return do(ctx, s.gate, func(ctx context.Context) (T, error) {
		path, err := s.workspace.export(ctx, export, oneThread)
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

func (g *gate) late(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("the call took longer than %s; name a smaller export", g.time)
	}
	return ctx.Err()
}
