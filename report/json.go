package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/brennerlint/brennerlint/lint"
)

// Schema names the format of the json report.
const Schema = "brennerlint/report/v1"

// writeJSON writes the report of contract.md, finding by finding: there may be many.
func writeJSON(w *bufio.Writer, r *lint.Report, o *Options) {
	fmt.Fprintf(w, "{\n  \"schema\": %q", Schema)
	member := func(name string, v any) { fmt.Fprintf(w, ",\n  %q: %s", name, encode(v, "  ", "  ")) }
	member("version", o.Version)
	member("summary", &r.Summary)
	w.WriteString(",\n  \"findings\": [")
	before, after := "\n    ", ""
	for _, f := range r.Findings {
		w.WriteString(before)
		w.WriteString(encode(withThread(f), "    ", "  "))
		before, after = ",\n    ", "\n  "
	}
	w.WriteString(after + "]")
	if len(r.AfterFixes) > 0 {
		member("after_fixes", r.AfterFixes)
	}
	if o.Statistics != "" {
		member("statistics", map[string]any{"by": o.Statistics, "groups": tallies(o.Statistics, r.Findings)})
	}
	if len(r.Failures) > 0 {
		member("failures", r.Failures)
	}
	if preview := MergePreview(r); len(preview) > 0 {
		member("merge_preview", preview)
	}
	w.WriteString("\n}\n")
}

// withThread returns a finding as JSON has it: in an artifact file, with the thread of that.
func withThread(f *lint.Finding) *lint.Finding {
	shown := *f
	shown.Thread = cmp.Or(f.Thread, f.Session)
	return &shown
}

// indented returns a value as JSON for people and programs to read.
func indented(v any) string { return encode(v, "", "  ") + "\n" }

// encode returns v as JSON that is safe to print.
func encode(v any, prefix, indent string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	sure(e.Encode(v))
	return safeJSON(strings.TrimSuffix(b.String(), "\n"))
}

// sure panics with an error that cannot be: what formats write can be encoded, and is with the program.
func sure(err error) {
	if err != nil {
		panic(fmt.Errorf("write report: %w", err))
	}
}

// safeJSON makes encoded JSON safe to print: hidden characters and the [ of ##[, which are only
// in strings, become \u escapes, which any reader of JSON undoes.
func safeJSON(data string) string {
	return escapeEach(data, func(at int, r rune, part string) string {
		if r == '\n' || !isHidden(r) && !opensCommand(data, at) {
			return part
		}
		shown := ""
		for _, unit := range utf16.AppendRune(nil, r) {
			shown += fmt.Sprintf(`\u%04x`, unit)
		}
		return shown
	})
}
