package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/lint"
)

// Schema names the format of the json report.
const Schema = "brennerlint/report/v1"

// writeJSON writes the report of contract.md, finding by finding: there may be many.
func writeJSON(w *bufio.Writer, r *lint.Report, o *Options) {
	e := newJSON(w)
	e.token(jsontext.BeginObject)
	e.member("schema", Schema)
	e.member("version", o.Version)
	e.member("summary", &r.Summary)
	e.token(jsontext.String("findings"))
	e.token(jsontext.BeginArray)
	for _, f := range r.Findings {
		e.value(f)
	}
	e.token(jsontext.EndArray)
	if len(r.AfterFixes) > 0 {
		e.member("after_fixes", r.AfterFixes)
	}
	if o.Statistics != "" {
		e.member("statistics", statistics{o.Statistics, append([]*tally{}, tallies(o.Statistics, r.Findings)...)})
	}
	if len(r.Failures) > 0 {
		e.member("failures", r.Failures)
	}
	if preview := MergePreview(r); len(preview) > 0 {
		e.member("merge_preview", preview)
	}
	e.token(jsontext.EndObject)
}

// jsonWriter writes indented JSON whose strings are safe to print. It ends a value at the top
// with a line break. The writer keeps its first error.
type jsonWriter struct{ e *jsontext.Encoder }

func newJSON(w *bufio.Writer) jsonWriter {
	return jsonWriter{jsontext.NewEncoder(safeJSON{w}, jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true))}
}

func (j jsonWriter) token(t jsontext.Token) { must(j.e.WriteToken(t)) }

func (j jsonWriter) value(v any) { must(j.e.WriteValue(encode(v))) }

func (j jsonWriter) member(name string, v any) {
	j.token(jsontext.String(name))
	j.value(v)
}

// must holds that a value of the program's own can be encoded: an error is a fault of the program.
func must(err error) {
	if err != nil {
		panic(fmt.Errorf("encode JSON: %w", err))
	}
}

// encode returns v as JSON on one line.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must(e.Encode(v))
	return b.Bytes()
}

// indented writes a value as JSON for people and programs to read.
func indented(w io.Writer, v any) error {
	b := bufio.NewWriter(w)
	newJSON(b).value(v)
	return b.Flush()
}

// safeJSON makes encoded JSON safe to print: hidden characters and the [ of ##[, which are only
// in strings, become \u escapes, which any reader of JSON undoes. No string may be written in parts.
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
	s.w.Write(data[from:])
	return len(data), nil
}
