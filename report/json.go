package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/lint"
)

// Schema names the format of the json report.
const Schema = "brennerlint/report/v1"

// writeJSON writes the report of contract.md, finding by finding: there may be many.
func writeJSON(w *bufio.Writer, r *lint.Report, o *Options) error {
	before := "{\n  "
	name := func(name string) {
		w.WriteString(before + `"` + name + `": `)
		before = ",\n  "
	}
	member := func(of string, v any) {
		name(of)
		w.Write(encode(v, "  ", "  "))
	}
	member("schema", Schema)
	member("version", o.Version)
	member("summary", &r.Summary)
	name("findings")
	w.WriteByte('[')
	for i, f := range r.Findings {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n    ")
		w.Write(encode(f, "    ", "  "))
	}
	if len(r.Findings) > 0 {
		w.WriteString("\n  ")
	}
	w.WriteByte(']')
	if len(r.AfterFixes) > 0 {
		member("after_fixes", r.AfterFixes)
	}
	if o.Statistics != "" {
		member("statistics", statistics{o.Statistics, tallies(o.Statistics, r.Findings)})
	}
	if len(r.Failures) > 0 {
		member("failures", r.Failures)
	}
	if preview := MergePreview(r); len(preview) > 0 {
		member("merge_preview", preview)
	}
	w.WriteString("\n}\n")
	return nil
}

// indented writes a value as JSON for people and programs to read.
func indented(w io.Writer, v any) error {
	_, err := w.Write(append(encode(v, "", "  "), '\n'))
	return err
}

// encode returns v as JSON that is safe to print. The types of the formats cannot fail to encode:
// an error is a fault of the program.
func encode(v any, prefix, indent string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	if err := e.Encode(v); err != nil {
		panic(fmt.Errorf("encode %T: %w", v, err))
	}
	return safeJSON(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// safeJSON makes encoded JSON safe to print: hidden characters and the [ of ##[, which are only
// in strings, become \u escapes, which any reader of JSON undoes.
func safeJSON(data []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == '[' && opensCommand(data[:i]) || r != '[' && r != '\n' && isHidden(r) {
			out = append(out, data[from:i]...)
			for _, unit := range utf16.AppendRune(nil, r) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
			from = i + size
		}
		i += size
	}
	if from == 0 { // nearly all
		return data
	}
	return append(out, data[from:]...)
}
