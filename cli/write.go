package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
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
		case ok && slices.Contains(report.FormatNames(), name) && path != "":
			out = append(out, output{name, path})
		case v == "" || ok && path == "":
			return nil, fmt.Errorf("--output %s lacks a file name", text.QuotePath(v))
		case ok && text.Nearest(name, report.FormatNames()) != "":
			return nil, text.Unknown("format in --output", name, report.FormatNames())
		case ok && !strings.ContainsAny(name, `./\`):
			return nil, fmt.Errorf("%w; write ./%s for a file of this name", text.Unknown("format in --output", name, report.FormatNames()), v)
		case plain != "":
			return nil, fmt.Errorf("--output is given twice, %s and %s; write FORMAT=FILE for several reports", text.QuotePath(plain), text.QuotePath(v))
		case slices.Contains(report.FormatNames(), v):
			return nil, fmt.Errorf("--output %s is the name of a format; write --format %[1]s, or --output %[1]s=FILE", v)
		default:
			plain = v
			out = append(out, output{format, v})
		}
	}
	printed := 0
	for i := range out {
		if out[i].path == "-" {
			if formatGiven && plain == "" && out[i].format != format {
				return nil, fmt.Errorf("--format %s has no effect with --output %s=-", format, out[i].format)
			}
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

// checkOutputs refuses outputs that are one file under two names, or a file that the run reads,
// and flags that have no effect on any of the formats.
func (c *checkCommand) checkOutputs(outputs []output) error {
	var formats []string
	for i, o := range outputs {
		formats = append(formats, o.format)
		if o.path == "" {
			continue
		}
		for _, p := range outputs[:i] {
			if p.path != "" && files.Same(p.path, o.path) {
				return fmt.Errorf("--output names one file twice, %s and %s", text.QuotePath(p.path), text.QuotePath(o.path))
			}
		}
		for _, used := range [][2]string{{"baseline", c.baseline}, {"configuration", c.configFile}} {
			if used[1] != "" && files.Same(used[1], o.path) {
				return fmt.Errorf("--output %s is the %s: write to another file", text.QuotePath(o.path), used[0])
			}
		}
	}
	for _, flag := range []struct {
		name    string
		given   bool
		formats []string
	}{
		{"statistics", c.statistics != "", []string{"text", "json"}},
		{"max-findings", c.maxFindings > 0, []string{"text", "agent"}},
	} {
		if flag.given && !slices.ContainsFunc(formats, func(f string) bool { return slices.Contains(flag.formats, f) }) {
			return fmt.Errorf("--%s has no effect on the format %s; it changes %s", flag.name, strings.Join(slices.Compact(formats), ", "), text.And(flag.formats))
		}
	}
	return nil
}

// write writes the report in every requested format. Each file is written atomically.
func (c *checkCommand) write(rep *lint.Report, outputs []output) error {
	exit, printed := c.outcome(rep).Error(), false
	if c.showOnly == "baseline" {
		rep = report.OnlyAccepted(rep)
	}
	if c.redact {
		rep = report.Redact(rep)
	}
	if level, err := lint.ParseSeverity(c.level); err == nil {
		rep = report.AtLevel(rep, level)
	}
	c.std.logLines(rep.Notices)
	c.std.logLines(failuresOf(rep))
	for _, o := range outputs {
		opts := c.reportOptions()
		opts.Exit = exit
		if o.path != "" {
			write := func(to io.Writer) error { return report.Write(to, o.format, rep, opts) }
			if err := files.WriteFrom(o.path, write); err != nil {
				return fmt.Errorf("write report %s: %w", o.path, err)
			}
			continue
		}
		printed = true
		c.terminal(&opts)
		to := &lineCounter{Writer: c.std.out}
		if err := report.Write(to, o.format, rep, opts); err != nil {
			return err
		}
		if o.format == "text" && to.lines > longReport {
			c.logShorter(to.lines)
		}
		if o.format == "github" {
			if err := c.jobSummary(rep, opts); err != nil {
				return err
			}
		}
	}
	if n := rep.Summary.Hidden; n > 0 && printed && !slices.ContainsFunc(outputs, saysHidden) {
		c.note("%s below %s not shown", text.Count(n, "finding", "findings"), c.level)
	}
	if !printed {
		c.note("%s", strings.TrimSuffix(report.Summary(rep)+"; "+exit, "; "))
	}
	return nil
}

// note logs what is neither a finding nor an error, unless --quiet is given.
func (c *checkCommand) note(format string, args ...any) {
	if !c.quiet {
		c.std.logf(format, args...)
	}
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
		c.note("the report has %d lines; %s", lines, strings.Join(ways, ", "))
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

// failuresOf describes the internal errors of a report with what it leaves out of them: where
// the program broke.
func failuresOf(rep *lint.Report) (out []string) {
	for _, f := range rep.Failures {
		said := f.Error()
		if !f.Stopped {
			said += "; please report this\n" + f.Stack
		}
		out = append(out, said)
	}
	return out
}

// reportOptions returns the options of the check's reports.
func (c *checkCommand) reportOptions() report.Options {
	opts := c.settings.reportOptions()
	opts.Quiet, opts.Statistics, opts.MaxFindings, opts.Fails = c.quiet, c.statistics, c.maxFindings, c.fails
	if c.verbose {
		opts.Elapsed = time.Since(c.started)
	}
	return opts
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

// isEmpty reports whether there was nothing to check, as the summary says it.
func isEmpty(rep *lint.Report) bool { return rep.Summary.Messages+rep.Summary.Artifacts == 0 }

// outcome returns the outcome of a report (contract.md, Exit status).
func (s *settings) outcome(rep *lint.Report) outcome {
	sum := &rep.Summary
	found := sum.Errors+sum.Warnings+sum.Info > 0
	switch {
	case rep.Unreadable:
		return outcome{exitUsage, unreadable(rep)}
	case len(rep.Failures) > 0:
		return outcome{exitUsage, report.FailureCount(rep)}
	case s.notFixed > 0:
		return outcome{exitUsage, text.Count(s.notFixed, "file", "files") + " could not be fixed"}
	case isEmpty(rep) && s.failOnEmpty:
		return outcome{exitUsage, "nothing to check (--fail-on-empty)"}
	case s.failOn == "never" && found:
		return outcome{exitClean, "--fail-on never"}
	}
	var failing, missing []string
	counts := []struct {
		n         int
		one, many string
	}{{sum.Errors, "error", "errors"}, {sum.Warnings, "warning", "warnings"}, {sum.Info, "info", "info"}}
	for _, c := range counts[:s.limit()] {
		if c.n > 0 {
			failing = append(failing, text.Count(c.n, c.one, c.many))
		} else {
			missing = append(missing, c.many)
		}
	}
	switch {
	case len(failing) > 0:
		return outcome{exitFindings, strings.Join(failing, ", ")}
	case found:
		return outcome{exitClean, "no " + text.Or(missing)}
	}
	return outcome{}
}

// limit returns the level from which on findings make the exit status 1; 0 if none do.
func (s *settings) limit() lint.Severity {
	level, _ := lint.ParseSeverity(s.failOn) // 0 for never
	return level
}

// fails reports whether a finding makes the exit status one other than 0.
func (s *settings) fails(f *lint.Finding) bool { return f.Unreadable || f.Severity <= s.limit() }

// refused returns the level from which on a finding refuses a draft. With --fail-on never
// errors are still shown.
func (s *settings) refused() lint.Severity { return cmp.Or(s.limit(), lint.Error) }

// unreadable says how many inputs could not be read or parsed, and where the first
// is.
func unreadable(rep *lint.Report) string {
	files, first := map[string]bool{}, (*lint.Finding)(nil)
	for _, f := range slices.Concat(rep.Findings, rep.Accepted) {
		if f.Unreadable {
			if first == nil {
				first = f
			}
			files[f.Path] = true
		}
	}
	if first == nil { // the rule that reports it is ignored
		return "an input could not be read"
	}
	where := first.Path
	if first.Range != nil {
		where += ":" + strconv.Itoa(first.Range.Start.Line)
	}
	return fmt.Sprintf("%s could not be read (%s, %s)", text.Count(len(files), "input", "inputs"), first.Rule, where)
}
