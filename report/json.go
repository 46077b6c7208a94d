package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/lint"
)

// Schema names the format of the json report.
const Schema = "brennerlint/report/v1"

// reportJSON is the report of contract.md.
type reportJSON struct {
	Schema       string          `json:"schema"`
	Version      string          `json:"version"`
	Summary      lint.Summary    `json:"summary"`
	Findings     []*lint.Finding `json:"findings"`
	AfterFixes   []*lint.Finding `json:"after_fixes,omitempty"`
	Statistics   *statistics     `json:"statistics,omitempty"`
	Failures     []lint.Failure  `json:"failures,omitempty"`
	MergePreview []string        `json:"merge_preview,omitempty"`
}

func writeJSON(w *bufio.Writer, r *lint.Report, o *Options) error {
	out := reportJSON{
		Schema: Schema, Version: o.Version, Summary: r.Summary, Findings: append([]*lint.Finding{}, r.Findings...),
		AfterFixes: r.AfterFixes, Failures: r.Failures, MergePreview: MergePreview(r),
	}
	if o.Statistics != "" {
		out.Statistics = &statistics{o.Statistics, tallies(o.Statistics, r.Findings)}
	}
	return indented(w, out)
}

// indented writes a value as JSON for people and programs to read.
func indented(w io.Writer, v any) error { return encode(w, v, "  ") }

// encode writes a value as JSON, and ends the line.
func encode(w io.Writer, v any, indent string) error {
	b := bufio.NewWriter(w)
	e := json.NewEncoder(safeJSON{b})
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	return b.Flush()
}

// safeJSON makes encoded JSON safe to print: hidden characters and the [ of ##[, which are only
// in strings, become \u escapes, which any reader of JSON undoes.
type safeJSON struct{ w *bufio.Writer }

func (s safeJSON) Write(data []byte) (int, error) {
	from := 0
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == '[' && opensCommand(data[:i]) || r != '[' && r != '\n' && isHidden(r) {
			s.w.Write(data[from:i])
			for _, unit := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(s.w, `\u%04x`, unit)
			}
			from = i + size
		}
		i += size
	}
	_, err := s.w.Write(data[from:])
	return len(data), err
}
