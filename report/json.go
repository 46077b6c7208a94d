package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/lint"
)

// Schema names the format of the json report.
const Schema = "brennerlint/report/v1"

// writeJSON writes the report of contract.md.
func writeJSON(w *bufio.Writer, r *lint.Report, o *Options) {
	e := newJSON(w)
	w.WriteString("{\n  \"schema\": ")
	e.value("  ", Schema)
	w.WriteString(",\n  \"version\": ")
	e.value("  ", o.Version)
	w.WriteString(",\n  \"summary\": ")
	e.value("  ", &r.Summary)
	w.WriteString(",\n  \"findings\": ")
	writeArray(e, "  ", r.Findings, func(f *lint.Finding) any { return f })
	if len(r.AfterFixes) > 0 {
		w.WriteString(",\n  \"after_fixes\": ")
		writeArray(e, "  ", r.AfterFixes, func(f *lint.Finding) any { return f })
	}
	if o.Statistics != "" {
		w.WriteString(",\n  \"statistics\": ")
		e.value("  ", statistics{o.Statistics, append([]*tally{}, tallies(o.Statistics, r.Findings)...)})
	}
	if len(r.Failures) > 0 {
		w.WriteString(",\n  \"failures\": ")
		writeArray(e, "  ", r.Failures, func(f lint.Failure) any { return f })
	}
	if preview := MergePreview(r); len(preview) > 0 {
		w.WriteString(",\n  \"merge_preview\": ")
		writeArray(e, "  ", preview, func(s string) any { return s })
	}
	w.WriteString("\n}\n")
}

// jsonWriter writes JSON values whose strings are safe to print: hidden
// characters and the beginnings of logging commands are escaped, which any
// reader of JSON undoes.
type jsonWriter struct {
	w     *bufio.Writer
	buf   bytes.Buffer
	plain *json.Encoder
	out   []byte
}

func newJSON(w *bufio.Writer) *jsonWriter {
	e := &jsonWriter{w: w}
	e.plain = json.NewEncoder(&e.buf)
	e.plain.SetEscapeHTML(false)
	return e
}

// encode returns v as JSON without indentation; the result is valid until the next call. The
// types of the formats cannot fail to encode: an error is a fault of the program.
func (e *jsonWriter) encode(v any) []byte {
	e.buf.Reset()
	if err := e.plain.Encode(v); err != nil {
		panic(fmt.Errorf("encode %T: %w", v, err))
	}
	e.out = appendSafe(e.out[:0], bytes.TrimSuffix(e.buf.Bytes(), []byte{'\n'}))
	return e.out
}

// value writes v, indented after prefix.
func (e *jsonWriter) value(prefix string, v any) {
	out := e.encode(v)
	e.buf.Reset()
	if err := json.Indent(&e.buf, out, prefix, "  "); err != nil {
		panic(fmt.Errorf("indent %T: %w", v, err))
	}
	e.w.Write(e.buf.Bytes())
}

// writeArray writes an array of what item makes of each element, as the value of
// a member indented by prefix. It is never null.
func writeArray[T any](e *jsonWriter, prefix string, items []T, item func(T) any) {
	if len(items) == 0 {
		e.w.WriteString("[]")
		return
	}
	e.w.WriteByte('[')
	for i, it := range items {
		if i > 0 {
			e.w.WriteByte(',')
		}
		e.w.WriteString("\n" + prefix + "  ")
		e.value(prefix+"  ", item(it))
	}
	e.w.WriteString("\n" + prefix + "]")
}

// appendSafe appends encoded JSON, which has other characters than ASCII and the
// sign # only in strings, with hidden characters and the [ of ##[ as \u escapes.
func appendSafe(dst, src []byte) []byte {
	from := 0
	for i := 0; i < len(src); {
		c := src[i]
		if c < utf8.RuneSelf && c != 0x7f && c != '[' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(src[i:])
		if c == '[' && opensCommand(string(src[max(0, i-maxCommand):i])) || c != '[' && isHidden(r) {
			dst = append(dst, src[from:i]...)
			if r > 0xffff {
				high, low := utf16.EncodeRune(r)
				dst = fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
			} else {
				dst = fmt.Appendf(dst, `\u%04x`, r)
			}
			from = i + size
		}
		i += size
	}
	return append(dst, src[from:]...)
}

// maxCommand is how far before its [ a logging command may begin.
const maxCommand = 32
