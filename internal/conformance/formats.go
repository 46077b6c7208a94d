package conformance

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"text/template"
	"unicode"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/report"
)

// Formats are the formats of reports.
var Formats = []string{"text", "json", "junit", "tap", "markdown"}

//go:embed formats.tmpl
var formatsText string

// functions are what the templates call.
var functions = template.FuncMap{
	"add":  func(a, b int) int { return a + b },
	"line": oneLine, "passages": passagesOf, "markdown": report.MarkdownText,
	"tap": strings.NewReplacer("\\", "\\\\", "#", "\\#").Replace,
	"json": func(text string) (string, error) {
		data, err := json.Marshal(text)
		return string(data), err
	},
	"xml": func(text string) (string, error) {
		var out strings.Builder
		err := xml.EscapeText(&out, []byte(text))
		return out.String(), err
	},
}

// Write writes a report in a format.
func (r *Report) Write(w io.Writer, format string) error {
	if format == "json" {
		return writeJSON(w, r)
	}
	var out bytes.Buffer
	formats := template.Must(template.New("formats").Funcs(functions).Parse(formatsText))
	if err := formats.ExecuteTemplate(&out, format, r); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

// Write writes the badge as JSON.
func (b Badge) Write(w io.Writer) error { return writeJSON(w, b) }

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// oneLine returns a text on one line, without control characters: it may quote what the
// command wrote.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, text)
}

// passagesOf names the sections of the specifications that a case shows: the first
// ones, where there are many.
func passagesOf(c *conformance.Case) string {
	const most = 2
	var names []string
	for _, p := range c.Spec {
		if len(names) == most {
			return strings.Join(names, "; ") + "; …"
		}
		names = append(names, fmt.Sprintf("%s, %s, line %d", p.Document, p.Section, p.Line))
	}
	for _, d := range c.Decisions {
		if len(names) < most {
			names = append(names, fmt.Sprintf("decision %d", d))
		}
	}
	return strings.Join(names, "; ")
}
