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
		writeValue(w, "  ", v)
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
		writeValue(w, "    ", f)
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
	b := bufio.NewWriter(w)
	writeValue(b, "", v)
	b.WriteByte('\n')
	return b.Flush()
}

// writeValue writes a value as indented JSON; its further lines begin with prefix.
func writeValue(w *bufio.Writer, prefix string, v any) {
	_, _ = safeJSON{w}.Write(encode(v, prefix, "  "))
}

// encode returns v as JSON. The types of the formats cannot fail to encode: an error is a fault
// of the program.
func encode(v any, prefix, indent string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	if err := e.Encode(v); err != nil {
		panic(fmt.Errorf("encode %T: %w", v, err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
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
