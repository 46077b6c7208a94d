package report

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// escape is a foreign text as text or attribute of a page.
func escape(s string) string { return template.HTMLEscapeString(clean(s)) }

// finding writes a finding of an entry. In a file of many messages it tells which
// one it is about; where the page does not show the source, it shows the lines
// around the fault.
func (h *htmlWriter) finding(e *htmlEntry, f *lint.Finding, inPlace bool) {
	severity, rule := f.Severity.String(), escape(f.Rule)
	h.write(`<div class="finding `, severity, `" data-rule="`, rule, `" data-severity="`, severity, `" id="f`, escape(f.Fingerprint), "\">\n")
	h.write(`<p class="what"><b class="severity">`, severity, `</b> <a href="#rule-`, rule, `">`, rule, `</a> `, escape(f.Name))
	if canFix(f) {
		h.write(` <i>--fix</i>`)
	}
	h.write(` <code>`, escape(e.place(f)), "</code></p>\n")
	if e.message == nil && f.Mail != nil {
		h.write(`<p class="related">`, escape(messageTitle(f.Mail)), "</p>\n")
	}
	h.write(`<p>`, escape(f.Message), "</p>\n")
	if f.Suggestion != "" {
		h.write(`<p class="suggestion">`, escape(f.Suggestion), "</p>\n")
	}
	for i := range f.Related {
		r := &f.Related[i]
		where := place(r.Path, r.Range)
		if r.Mail != nil && r.Mail.ID != "" {
			where = "message " + r.Mail.ID + " · " + where
		}
		h.write(`<p class="related">`, escape(r.Message), ` <code>`, escape(where), "</code></p>\n")
	}
	if !inPlace {
		h.frame(f)
	}
	h.write("</div>\n")
}

// place is where a finding is, without the path if the entry names it.
func (e *htmlEntry) place(f *lint.Finding) string {
	if f.Path == e.path || e.message != nil && f.Path == e.message.Path {
		return strings.TrimPrefix(place("", f.Range), ":")
	}
	return place(f.Path, f.Range)
}

// frame writes the source around a finding, if anybody knows it.
func (h *htmlWriter) frame(f *lint.Finding) {
	fr := f.Frame
	if fr == nil || len(fr.Lines) == 0 {
		return
	}
	h.write("<pre>")
	for i, l := range fr.Lines {
		var marks []marked
		if i == len(fr.Lines)-1 {
			marks = []marked{{min(fr.Start, len(l)), min(fr.End, len(l)), f.Severity}}
		}
		h.line(fr.Line+i, l, marks)
	}
	h.write("</pre>\n")
}

// write writes parts that are markup or escaped.
func (h *htmlWriter) write(parts ...string) {
	for _, p := range parts {
		h.w.WriteString(p)
	}
}

// line writes a line of source. A long one is cut, around its first mark.
func (h *htmlWriter) line(number int, line string, marks []marked) {
	line = strings.TrimSuffix(line, "\r")
	h.write(`<span data-n="`, strconv.Itoa(number), `">`)
	at, end := 0, len(line)
	if len(line) > maxLine {
		if len(marks) > 0 {
			at = max(0, marks[0].start-maxLine/3)
		}
		at, end = runeStart(line, at), runeStart(line, min(len(line), at+maxLine))
	}
	if at > 0 {
		h.write("…")
	}
	for _, m := range marks {
		start, stop := min(max(m.start, at), end), min(m.end, end)
		if stop <= start {
			continue
		}
		h.write(sourceHTML(line[at:start]), `<mark class="`, m.severity.String(), `">`, sourceHTML(line[start:stop]), "</mark>")
		at = stop
	}
	h.write(sourceHTML(line[at:end]))
	if end < len(line) {
		h.write("…")
	}
	h.write("</span>")
}
