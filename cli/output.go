package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/wording"
)

// output is a report to write; an empty path is standard output.
type output struct {
	format, path string
}

// parseOutputs reads the values of --output: FILE in the format of --format, or
// FORMAT=FILE. Without any, or if --format is given beside FORMAT=FILE only, the
// report goes to standard output too.
func parseOutputs(values []string, format string, formatGiven bool) ([]output, error) {
	var out []output
	plain := ""
	for _, v := range values {
		name, path, ok := strings.Cut(v, "=")
		switch {
		case ok && slices.Contains(formatNames(), name) && path != "":
			out = append(out, output{name, path})
		case v == "" || ok && path == "":
			return nil, fmt.Errorf("--output %q lacks a file name", v)
		case ok && wording.Nearest(name, formatNames()) != "":
			return nil, unknownValue("format in --output", name, formatNames())
		case plain != "":
			return nil, fmt.Errorf("--output is given twice, %q and %q; write FORMAT=FILE for several reports", plain, v)
		default:
			plain = v
			out = append(out, output{format, v})
		}
	}
	for i, o := range out {
		for _, p := range out[:i] {
			if p.path == o.path {
				return nil, fmt.Errorf("--output names %q twice", o.path)
			}
		}
	}
	if len(out) == 0 || plain == "" && formatGiven {
		out = append(out, output{format: format})
	}
	return out, nil
}

// writeFile writes a file at once or not at all: a reader never sees half a
// report, and a full disk leaves the old one. What is no regular file (a pipe,
// a device) is written to directly.
func writeFile(path string, data []byte) (err error) {
	if info, statErr := os.Stat(path); statErr == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("write report: %s is a folder", path)
		}
		return os.WriteFile(path, data, 0)
	}
	if target, linkErr := filepath.EvalSymlinks(path); linkErr == nil {
		path = target
	}
	mode := os.FileMode(0o666) &^ umask()
	if info, statErr := os.Stat(path); statErr == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		var reason *os.PathError
		if errors.As(err, &reason) { // without the name of the temporary file
			err = reason.Err
		}
		return fmt.Errorf("write report %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write report %s: %w", path, err), os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// relative shortens a path to one from the working folder where that is below
// or above it.
func relative(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}
