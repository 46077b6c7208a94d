package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/term"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// write writes the report in every format asked for, to files at once or not
// at all.
func (c *checkCommand) write(rep *lint.Report, outputs []output) error {
	if c.redact {
		rep = report.Redact(rep)
	}
	for _, n := range rep.Notices {
		c.std.logf("%s", n)
	}
	c.tellFailures(rep)
	for _, o := range outputs {
		opts := c.reportOptions()
		if o.path != "" {
			var buf bytes.Buffer
			if err := report.Write(&buf, o.format, rep, opts); err != nil {
				return err
			}
			if err := c.files.Write(o.path, buf.Bytes()); err != nil {
				return fmt.Errorf("write report %s: %w", o.path, err)
			}
			continue
		}
		opts.Color, opts.Width = c.terminal(c.std.out)
		if err := report.Write(c.std.out, o.format, rep, opts); err != nil {
			return err
		}
		if o.format == "github" {
			if err := c.jobSummary(rep, opts); err != nil {
				return err
			}
		}
	}
	return nil
}

// tellFailures writes what the reports leave out of internal errors: where the
// program broke.
func (c *checkCommand) tellFailures(rep *lint.Report) {
	for i := range rep.Failures {
		c.std.logf("%v; please report this\n%s", &rep.Failures[i], rep.Failures[i].Stack)
	}
}

// reportOptions are those of the check's reports.
func (c *checkCommand) reportOptions() report.Options {
	opts := c.settings.reportOptions()
	opts.Quiet, opts.Statistics, opts.MaxFindings = c.quiet, c.statistics, c.maxFindings
	if c.verbose {
		opts.Elapsed = time.Since(c.started)
	}
	return opts
}

// reportOptions are what every report is told: the version, and where paths
// that are shown begin.
func (s *settings) reportOptions() report.Options {
	opts := report.Options{
		Version: programVersion(),
		Notice:  func(text string) { s.std.logf("%s", text) },
	}
	if wd, err := os.Getwd(); err == nil {
		opts.Dir = filepath.ToSlash(wd)
		root := repositoryRoot(wd)
		opts.Root = filepath.ToSlash(root)
		if real, err := filepath.EvalSymlinks(cmp.Or(root, wd)); err == nil {
			opts.RealRoot = filepath.ToSlash(real)
		}
	}
	return opts
}

// repositoryRoot is the folder of the repository that dir lies in; "" if none.
func repositoryRoot(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// jobSummary adds a table of the findings to the summary of the job, where the
// runner offers it.
func (c *checkCommand) jobSummary(rep *lint.Report, opts report.Options) error {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("write job summary: %w", err)
	}
	var used int64
	if info, err := f.Stat(); err == nil {
		used = info.Size()
	}
	if err := errors.Join(report.JobSummary(f, rep, opts, used), f.Close()); err != nil {
		return fmt.Errorf("write job summary: %w", err)
	}
	return nil
}

// terminal tells whether a stream takes colour, and how wide it is (0: unknown).
func (s *settings) terminal(w io.Writer) (color bool, width int) {
	color = s.color == "always"
	if !isTerminal(w) {
		return color, 0
	}
	if s.color == "auto" && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		color = true
	}
	width, _, _ = term.GetSize(int(w.(*os.File).Fd()))
	return color, width
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// formatNames lists the formats of reports, the default one first.
func formatNames() []string {
	names := make([]string, 0, len(report.Formats))
	for _, f := range report.Formats {
		names = append(names, f.Name)
	}
	return names
}
