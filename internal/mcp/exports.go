package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/deadline"
	"github.com/brennerlint/brennerlint/source"
)

// maxTime bounds how long a call may take: agents wait for the answer.
const maxTime = 30 * time.Second

// path returns a path that a tool is given, relative to the root and without symbolic links:
// the tools read nothing outside the root. It is an error if the path is neither a file nor a
// folder.
func (s *server) path(what, path string) (rel string, err error) {
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(s.root, path)
	}
	real, notFound := filepath.EvalSymlinks(abs)
	// Of what is not there the folder counts: it is not told whether there is a file outside.
	for at, err := abs, notFound; err != nil && at != filepath.Dir(at); real, err = filepath.EvalSymlinks(at) {
		at = filepath.Dir(at)
	}
	if rel, err = filepath.Rel(s.root, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s %q is outside the server's working folder", what, path)
	}
	if notFound != nil {
		return "", fmt.Errorf("find %s %q: %w", what, path, source.Reason(notFound))
	}
	if rel == "-" {
		rel = "." + string(filepath.Separator) + rel // "-" would be standard input
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return "", fmt.Errorf("read %s %q: %w", what, path, source.Reason(err))
	case !info.IsDir() && !info.Mode().IsRegular():
		return "", fmt.Errorf("%s %q is neither a file nor a folder", what, path)
	case what == "artifact" && info.IsDir():
		return "", fmt.Errorf("artifact %q is not a file", path)
	}
	return rel, nil
}

// within does the work of a call in the time that a call may take.
func within[T any](ctx context.Context, work func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime, fmt.Errorf("the call took longer than %s; name a smaller export", maxTime))
	defer cancel()
	return deadline.Run(ctx, work)
}

// errNoExport is the error of a call that has to name an export.
var errNoExport = errors.New("there is no export; give the path of a mail export or database")

// inExport does the work of a call with the mailbox of an export, which is empty if none is named.
func inExport[T any](ctx context.Context, s *server, export string, work func(context.Context, *engine.Mailbox) (T, error)) (none T, _ error) {
	return within(ctx, func(ctx context.Context) (T, error) {
		var paths []string
		if export != "" {
			path, err := s.path("export", export)
			if err != nil {
				return none, err
			}
			paths = append(paths, path)
		}
		box, err := engine.Open(ctx, s.Rules, s.Checks, paths...)
		if err != nil {
			return none, err
		}
		defer box.Close()
		return work(ctx, box)
	})
}
