package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/text"
)

// output is a report to write; an empty path is standard output.
type output struct {
	format, path string
}

// parseOutputs reads the values of --output: FILE in the format of --format, or
// FORMAT=FILE. Without any, or if --format is given with FORMAT=FILE only, the
// report goes to standard output too, which is also named -.
func parseOutputs(values []string, format string, formatGiven bool) ([]output, error) {
	var out []output
	plain := ""
	for _, v := range values {
		name, path, ok := strings.Cut(v, "=")
		switch {
		case ok && slices.Contains(formatNames(), name) && path != "":
			out = append(out, output{name, path})
		case v == "" || ok && path == "":
			return nil, fmt.Errorf("--output %s lacks a file name", text.QuotePath(v))
		case ok && text.Nearest(name, formatNames()) != "":
			return nil, unknownValue("format in --output", name, formatNames())
		case plain != "":
			return nil, fmt.Errorf("--output is given twice, %s and %s; write FORMAT=FILE for several reports", text.QuotePath(plain), text.QuotePath(v))
		case slices.Contains(formatNames(), v):
			return nil, fmt.Errorf("--output %s is the name of a format; write --format %[1]s, or --output %[1]s=FILE", v)
		default:
			plain = v
			out = append(out, output{format, v})
		}
	}
	printed := 0
	for i := range out {
		if out[i].path == "-" {
			out[i].path = ""
			printed++
		}
	}
	if printed > 1 {
		return nil, errors.New("--output names standard output twice")
	}
	if len(out) == 0 || plain == "" && formatGiven && printed == 0 {
		out = append(out, output{format: format})
	}
	return out, nil
}

// checkOutputs refuses outputs that are one file under two names, or a file that the
// run reads: used names those by what they are.
func checkOutputs(outputs []output, used map[string]string) error {
	for i, o := range outputs {
		if o.path == "" {
			continue
		}
		for _, p := range outputs[:i] {
			if p.path != "" && files.Same(p.path, o.path) {
				return fmt.Errorf("--output names one file twice, %s and %s", text.QuotePath(p.path), text.QuotePath(o.path))
			}
		}
		for _, what := range slices.Sorted(maps.Keys(used)) {
			if path := used[what]; path != "" && files.Same(path, o.path) {
				return fmt.Errorf("--output %s is the %s: write to another file", text.QuotePath(o.path), what)
			}
		}
	}
	return nil
}

// written returns the files that a run writes, except those that --fix changes.
func written(outputs []output, baseline string) []string {
	var paths []string
	for _, o := range outputs {
		paths = append(paths, o.path)
	}
	return slices.DeleteFunc(append(paths, baseline), func(p string) bool { return p == "" })
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
