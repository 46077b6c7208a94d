package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// outcome is the exit status of a check, and why it is that.
type outcome struct {
	status int
	reason string // "" if there is nothing to say
}

// String is both in words: "exit 1: 3 errors".
func (o outcome) String() string {
	if o.reason == "" {
		return ""
	}
	return "exit " + strconv.Itoa(o.status) + ": " + o.reason
}

// err ends the command with the status.
func (o outcome) err() error {
	if o.status == exitClean {
		return nil
	}
	return exitError(o.status)
}

// outcome returns the outcome of a check. An empty check and files that could not be fixed
// have outcomes of their own.
func (c *checkCommand) outcome(rep *lint.Report) outcome {
	o := c.settings.outcome(rep)
	switch {
	case o.status == exitUsage:
	case c.refused > 0:
		o = outcome{exitUsage, text.Count(c.refused, "file", "files") + " could not be fixed"}
	case rep.Summary.Files == 0 && c.failOnEmpty:
		o = outcome{exitUsage, "nothing to check (--fail-on-empty)"}
	}
	return o
}

// outcome returns the outcome of a report (contract.md, Exit status).
func (s *settings) outcome(rep *lint.Report) outcome {
	sum := &rep.Summary
	found := sum.Errors+sum.Warnings+sum.Info > 0
	switch {
	case rep.Unreadable:
		return outcome{exitUsage, unreadable(rep)}
	case len(rep.Failures) > 0:
		return outcome{exitUsage, report.FailureCount(rep)}
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
	level, err := lint.ParseSeverity(s.failOn)
	if err != nil {
		return 0
	}
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
