package report

import (
	"bufio"

	"github.com/brennerlint/brennerlint/lint"
)

// gitlabIssue is an entry of a Code Quality report, as far as GitLab reads it.
type gitlabIssue struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
			End   int `json:"end"`
		} `json:"lines"`
	} `json:"location"`
}

var gitlabSeverities = map[lint.Severity]string{lint.Error: "major", lint.Warning: "minor", lint.Info: "info"}

// writeGitLab writes a Code Quality report. GitLab drops an entry whose fingerprint it has
// seen: those of a report differ.
func writeGitLab(w *bufio.Writer, r *lint.Report, o *Options) {
	issues := []gitlabIssue{}
	for _, f := range withFailures(r) {
		issue := gitlabIssue{
			Description: clean(f.Rule + ": " + f.Message + withLead(" — ", f.Suggestion)),
			CheckName:   f.Rule + " " + f.Name,
			Fingerprint: f.Fingerprint,
			Severity:    gitlabSeverities[f.Severity],
		}
		issue.Location.Path = o.fromRoot(f.Path)
		lines := &issue.Location.Lines
		lines.Begin, lines.End = 1, 1
		if f.Range != nil {
			lines.Begin, lines.End = f.Range.Start.Line, f.Range.End.Line
		}
		issues = append(issues, issue)
	}
	w.WriteString(indented(issues))
}
