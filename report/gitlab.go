package report

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

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

// writeGitLab writes a Code Quality report. GitLab drops an entry whose
// fingerprint it has seen, so they are made unique.
func writeGitLab(w *bufio.Writer, r *lint.Report, o *Options) {
	seen := map[string]int{}
	issues := []gitlabIssue{}
	for _, f := range withFailures(r) {
		issue := gitlabIssue{
			Description: clean(f.Rule + ": " + withSuggestion(f)),
			CheckName:   f.Rule + " " + f.Name,
			Fingerprint: unique(f.Fingerprint, seen),
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

// unique returns the fingerprint, or one made of it if it was seen before.
func unique(fingerprint string, seen map[string]int) string {
	n := seen[fingerprint]
	seen[fingerprint]++
	if n == 0 && fingerprint != "" {
		return fingerprint
	}
	sum := sha256.Sum256([]byte(fingerprint + "\x00" + strconv.Itoa(n)))
	return hex.EncodeToString(sum[:16])
}

// withSuggestion returns the message of a finding and how to fix it.
func withSuggestion(f *lint.Finding) string {
	if f.Suggestion == "" {
		return f.Message
	}
	return f.Message + " — " + f.Suggestion
}
