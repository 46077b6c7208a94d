// Package report writes a [lint.Report] in the formats that people and programs
// read: a terminal, code scanning, continuous integration, a browser, a
// language-model agent.
//
// Formatters are pure: they know neither clock nor files nor environment, and
// the same report gives the same bytes. Findings come sorted; no formatter sorts
// them again, except where a consumer takes only the most severe.
//
// The texts come from mail and artifacts that strangers wrote, so every format
// escapes them for what reads it. In all formats control, bidirectional and
// invisible characters are shown escaped, and no text can become a workflow
// command of a CI system that scans the output (see clean).
package report

import (
	"bufio"
	"cmp"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// Options are what a report depends on in addition to its findings. The zero Options
// suit a file.
type Options struct {
	// Version is the version of the program.
	Version string
	// Color decorates the text format. No format depends on it to be understood.
	Color bool
	// Width is the width of the terminal in columns; 0 if there is none. Then the text format
	// wraps no lines, and cuts source lines at 120 columns.
	Width int
	// Quiet makes the text and agent formats write nothing if there are no findings.
	Quiet bool
	// Elapsed is how long the run took; the text format shows it unless it is 0.
	Elapsed time.Duration
	// Exit is the line with the exit status and its reason at the end of the text format; ""
	// leaves it out.
	Exit string
	// Fails reports whether a finding makes the run fail, for the junit format; nil if
	// errors do.
	Fails func(*lint.Finding) bool
	// Statistics, if not "", makes the text format count the findings instead of
	// showing them, and the json format count them too: one of StatisticsBy.
	Statistics string
	// MaxFindings bounds what the text and agent formats show; 0 shows all.
	MaxFindings int
	// Dir is the working folder and Root the folder of the repository, both absolute with forward
	// slashes. Formats for code hosts name files relative to Root, or to Dir without a Root.
	// Paths outside stay as given.
	Dir, Root string
	// RealRoot is Root by a path without symbolic links, which absolute paths may begin with.
	RealRoot string
	// Hyperlinks makes the text format link places and rules (OSC 8), files as those
	// of Host.
	Hyperlinks bool
	Host       string // name of the machine, in links to files
	// Notice, if not nil, is called with a sentence about findings that a format left out because
	// its readers take only so many.
	Notice func(string)
}

// Format is a way to write a report.
type Format struct {
	Name        string
	Description string // one line, for the usage text

	// Needs is what engine.Mailbox.Show must add to the findings for this format.
	Needs lint.Data

	write func(*bufio.Writer, *lint.Report, *Options)
}

// Formats lists the formats, the default one first.
var Formats = []Format{
	{Name: "text", Description: "for people: each finding with its source (default)", write: writeText},
	{Name: "json", Description: "for scripts: schema " + Schema, write: writeJSON},
	{Name: "sarif", Description: "SARIF 2.1.0, for GitHub code scanning and editors", Needs: lint.Data{LineHashes: true}, write: writeSARIF},
	{Name: "github", Description: "annotations of a GitHub Actions run", write: writeGitHub},
	{Name: "junit", Description: "JUnit XML, for test reports of CI systems", write: writeJUnit},
	{Name: "gitlab", Description: "GitLab Code Quality", write: writeGitLab},
	{Name: "rdjson", Description: "Reviewdog Diagnostic Format", write: writeRDJSON},
	{Name: "markdown", Description: "a summary for a pull request", write: writeMarkdown},
	{Name: "html", Description: "one page to read in a browser: threads as timelines, filters", Needs: lint.Data{Threads: true}, write: writeHTML},
	{Name: "agent", Description: "for language-model agents: one line per finding", write: writeAgent},
}

// Write writes the report in the format of that name. It fails if there is no
// such format or if w does.
func Write(w io.Writer, format string, r *lint.Report, opts Options) error {
	f, err := Find(format)
	if err != nil {
		return err
	}
	return f.Write(w, r, opts)
}

// Write writes the report in the format. It fails if w does.
func (f Format) Write(w io.Writer, r *lint.Report, opts Options) error {
	b := bufio.NewWriterSize(w, 64<<10)
	f.write(b, r, &opts)
	return b.Flush() // the first error of w sticks to b
}

// JSON returns the report in the json format. A program that calls only this function does not
// link the other formats.
func JSON(r *lint.Report, opts Options) string {
	var out strings.Builder
	_ = Format{write: writeJSON}.Write(&out, r, opts) // a builder takes all
	return out.String()
}

// Find returns the format of a name. It fails if there is none.
func Find(name string) (Format, error) {
	i := slices.Index(FormatNames(), name)
	if i < 0 {
		return Format{}, text.Unknown("format", name, FormatNames())
	}
	return Formats[i], nil
}

// FormatNames lists the names of the formats, the default one first.
func FormatNames() []string {
	names := make([]string, 0, len(Formats))
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// fromRoot returns a path as a code host names it: relative to the repository, or
// without one to the working folder, where it lies in it.
func (o *Options) fromRoot(p string) string {
	abs := p
	switch {
	case p == "-":
		return p
	case !isAbs(p):
		abs = o.Dir + "/" + p
	}
	for _, root := range []string{cmp.Or(o.Root, o.Dir), o.RealRoot} {
		if rel, ok := strings.CutPrefix(path.Clean(abs), strings.TrimSuffix(path.Clean(root), "/")+"/"); ok {
			return rel
		}
	}
	return path.Clean(p)
}

// isOutside reports whether a path leads out of the repository.
func (o *Options) isOutside(path string) bool {
	path = o.fromRoot(path)
	return isAbs(path) || path == ".." || strings.HasPrefix(path, "../")
}

// OnlyAccepted returns a report that shows the findings that the baseline accepts, instead
// of the new ones. The summary counts the new ones.
func OnlyAccepted(r *lint.Report) *lint.Report {
	out := *r
	out.Findings, out.Hidden = r.Accepted, r.Findings
	return &out
}

// AtLevel returns a report that shows findings of a severity or above. It hides the others, but
// the summary counts all.
func AtLevel(r *lint.Report, level lint.Severity) *lint.Report {
	out := *r
	out.Findings = atLevel(r.Findings, level)
	below := slices.DeleteFunc(slices.Clone(r.Findings), func(f *lint.Finding) bool { return f.Severity <= level })
	out.Hidden = slices.Concat(r.Hidden, below)
	if level < lint.Warning {
		out.Summary.Hidden += r.Summary.Warnings
	}
	if level < lint.Info {
		out.Summary.Hidden += r.Summary.Info
	}
	return &out
}

// atLevel returns the findings of a severity or above.
func atLevel(findings []*lint.Finding, level lint.Severity) []*lint.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool { return f.Severity > level })
}
