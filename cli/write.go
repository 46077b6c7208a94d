package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// write writes the report in every format asked for, to files at once or not
// at all.
func (c *checkCommand) write(rep *lint.Report, outputs []output) error {
	exit, printed := c.outcome(rep).String(), false
	if c.showOnly == showBaseline {
		rep = report.OnlyAccepted(rep)
	}
	if c.redact {
		rep = report.Redact(rep)
	}
	if level, err := lint.ParseSeverity(c.level); err == nil {
		rep = report.AtLevel(rep, level)
	}
	for _, n := range rep.Notices {
		c.std.logf("%s", n)
	}
	c.tellFailures(rep)
	for _, o := range outputs {
		opts := c.reportOptions()
		opts.Exit = exit
		if o.path != "" {
			write := func(to io.Writer) error { return report.Write(to, o.format, rep, opts) }
			if err := c.files.WriteFrom(o.path, write); err != nil {
				return fmt.Errorf("write report %s: %w", o.path, err)
			}
			continue
		}
		printed = true
		c.terminal(c.std.out, &opts)
		to := &lineCounter{Writer: c.std.out}
		if err := report.Write(to, o.format, rep, opts); err != nil {
			return err
		}
		if o.format == "text" && to.lines > longReport && !c.quiet {
			c.logShorter(to.lines)
		}
		if o.format == "github" {
			if err := c.jobSummary(rep, opts); err != nil {
				return err
			}
		}
	}
	if n := rep.Summary.Hidden; n > 0 && printed && !c.quiet && !slices.ContainsFunc(outputs, saysHidden) {
		c.std.logf("%s below %s not shown", text.Count(n, "finding", "findings"), c.level)
	}
	if !printed && !c.quiet {
		c.std.logf("%s", strings.TrimSuffix(report.Summary(rep)+"; "+exit, "; "))
	}
	return nil
}

// longReport is the number of lines beyond which a report ends with how to see less.
const longReport = 200

// logShorter says how to see less of a long report: by what is not in use yet.
func (c *checkCommand) logShorter(lines int) {
	var ways []string
	if c.statistics == "" {
		ways = append(ways, "--statistics counts the findings")
	}
	if c.maxFindings == 0 && c.statistics == "" {
		ways = append(ways, "--max-findings 20 lists the most severe")
	}
	if c.level == "" {
		ways = append(ways, "--level error hides the others")
	}
	if len(ways) > 0 {
		c.std.logf("the report has %d lines; %s", lines, strings.Join(ways, ", "))
	}
}

// lineCounter counts the lines that are written.
type lineCounter struct {
	io.Writer
	lines int
}

func (l *lineCounter) Write(p []byte) (int, error) {
	l.lines += bytes.Count(p, []byte("\n"))
	return l.Writer.Write(p)
}

// saysHidden reports whether an output goes to standard output in a format that says
// how many findings are hidden.
func saysHidden(o output) bool {
	return o.path == "" && slices.Contains([]string{"text", "json", "github", "markdown"}, o.format)
}

// tellFailures writes what the reports leave out of internal errors: where the
// program broke.
func (c *checkCommand) tellFailures(rep *lint.Report) {
	for i := range rep.Failures {
		c.std.logf("%s", describeFailure(&rep.Failures[i]))
	}
}

// describeFailure returns a failure for standard error, with where the program broke.
func describeFailure(f *lint.Failure) string {
	if f.Stopped {
		return f.Error()
	}
	return fmt.Sprintf("%v; please report this\n%s", f, f.Stack)
}

// reportOptions returns those of the check's reports.
func (c *checkCommand) reportOptions() report.Options {
	opts := c.settings.reportOptions()
	opts.Quiet, opts.Statistics, opts.MaxFindings, opts.Fails = c.quiet, c.statistics, c.maxFindings, c.fails
	if c.verbose {
		opts.Elapsed = time.Since(c.started)
	}
	return opts
}

// reportOptions returns the options of every report: the version, and where paths
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

// repositoryRoot returns the folder of the repository that dir lies in; "" if none.
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

// terminal fits the options of a report to a stream: colour, links and width.
func (s *settings) terminal(w io.Writer, opts *report.Options) {
	onTerminal := isTerminal(w)
	opts.Color = s.color == "always" || s.color == "auto" && wantsColor(onTerminal)
	if !onTerminal {
		return
	}
	opts.Width, _, _ = term.GetSize(int(w.(*os.File).Fd()))
	if opts.Hyperlinks = opts.Color && takesLinks(); opts.Hyperlinks {
		opts.Host, _ = os.Hostname()
	}
}

// wantsColor reports whether the environment asks for colour: NO_COLOR forbids it, and
// FORCE_COLOR and CLICOLOR_FORCE have it without a terminal, too.
func wantsColor(onTerminal bool) bool {
	forced := func(name string) bool { v := os.Getenv(name); return v != "" && v != "0" && v != "false" }
	switch {
	case os.Getenv("NO_COLOR") != "":
		return false
	case forced("FORCE_COLOR"), forced("CLICOLOR_FORCE"):
		return true
	}
	return onTerminal && os.Getenv("TERM") != "dumb"
}

// takesLinks reports whether the terminal takes hyperlinks (OSC 8). Most do, or ignore
// them; of those that show them as text these are known, and FORCE_HYPERLINK says it
// of others.
func takesLinks() bool {
	if force, ok := os.LookupEnv("FORCE_HYPERLINK"); ok {
		return force != "0" && force != "false"
	}
	if version, err := strconv.Atoi(os.Getenv("VTE_VERSION")); err == nil && version < 5000 {
		return false
	}
	name := os.Getenv("TERM")
	return name != "" && name != "dumb" && name != "linux" && !strings.HasPrefix(name, "vt") && os.Getenv("INSIDE_EMACS") == ""
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
