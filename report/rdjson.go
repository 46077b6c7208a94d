package report

import (
	"bufio"
	"cmp"
	"path"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// The Reviewdog Diagnostic Format, as far as it is written. Columns count bytes
// from 1, the end is exclusive.
type (
	rdReport struct {
		Source      map[string]string `json:"source"`
		Diagnostics []*rdDiagnostic   `json:"diagnostics"`
	}
	rdDiagnostic struct {
		Message     string         `json:"message"`
		Location    rdLocation     `json:"location"`
		Severity    string         `json:"severity"`
		Code        rdCode         `json:"code"`
		Suggestions []rdSuggestion `json:"suggestions,omitempty"`
		Related     []rdRelated    `json:"related_locations,omitempty"`
	}
	rdLocation struct {
		Path  string   `json:"path"`
		Range *rdRange `json:"range,omitempty"`
	}
	rdRange struct {
		Start lint.BodyPosition `json:"start"`
		End   lint.BodyPosition `json:"end"`
	}
	rdCode struct {
		Value string `json:"value"`
		URL   string `json:"url,omitempty"`
	}
	rdSuggestion struct {
		Range rdRange `json:"range"`
		Text  string  `json:"text"`
	}
	rdRelated struct {
		Message  string     `json:"message,omitempty"`
		Location rdLocation `json:"location"`
	}
)

func writeRDJSON(w *bufio.Writer, r *lint.Report, o *Options) {
	out := &rdReport{map[string]string{"name": "brennerlint", "url": homepage}, []*rdDiagnostic{}}
	rules := rulesByID(r)
	for _, f := range withFailures(r) {
		d := &rdDiagnostic{
			Message:  markdownProse(f.Message + withLead(" — ", f.Suggestion)), // comments show it as Markdown
			Location: rdAt(f.Path, f.Range),
			Severity: strings.ToUpper(f.Severity.String()),
			Code:     rdCode{f.Rule, rules[f.Rule].URL},
		}
		// Reviewdog offers each suggestion by itself, so a fix of several edits would
		// be taken in part.
		if f.Fix != nil && len(f.Fix.Edits) == 1 {
			edit := f.Fix.Edits[0]
			d.Suggestions = []rdSuggestion{{rdSpan(edit.Range), edit.Text}}
		}
		for _, rel := range f.Related {
			d.Related = append(d.Related, rdRelated{markdownProse(rel.Message), rdAt(rel.Path, rel.Range)})
		}
		out.Diagnostics = append(out.Diagnostics, d)
	}
	w.WriteString(indented(out))
}

func rdAt(p string, r *source.Range) rdLocation {
	loc := rdLocation{Path: path.Clean(p)}
	if r != nil {
		span := rdSpan(*r)
		loc.Range = &span
	}
	return loc
}

// rdSpan returns a range in bytes; in code points if bytes were not counted.
func rdSpan(r source.Range) rdRange {
	at := func(p source.Position) lint.BodyPosition {
		return lint.BodyPosition{Line: p.Line, Column: cmp.Or(p.Byte, p.Column)}
	}
	return rdRange{at(r.Start), at(r.End)}
}
