package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

const (
	aroundFinding = 3   // lines shown on either side of a finding
	foldFrom      = 12  // fewer lines between findings are not folded away
	maxLine       = 600 // bytes of a line that a page shows
)

// text writes the findings of a message or file in place: those without a line
// first, then the text with each finding below its line. Lines far from any
// finding are folded.
func (h *htmlWriter) text(e *htmlEntry) {
	var lines []string
	if e.known {
		lines = strings.Split(strings.TrimSuffix(e.text, "\n"), "\n")
	}
	at := make([]placed, 0, len(e.findings))
	for _, f := range e.findings {
		n := e.lineOf(f)
		if n < 1 || n > len(lines) {
			h.finding(e, f, false)
			continue
		}
		at = append(at, placed{n, f})
	}
	// The order of the report is that of the file, which may differ from that of
	// the decoded body in a database.
	slices.SortStableFunc(at, func(a, b placed) int { return cmp.Compare(a.line, b.line) })

	whole := len(e.text) <= h.left
	if whole {
		h.left -= len(e.text)
	}
	next := 1 // the first line not written
	for len(at) > 0 {
		n, k := at[0].line, 1
		for k < len(at) && at[k].line == n {
			k++
		}
		if n-next > 2*aroundFinding+foldFrom {
			if next > 1 {
				h.lines(lines, next, next+aroundFinding-1, nil)
				next += aroundFinding
			}
			h.fold(lines, next, n-aroundFinding-1, whole)
			next = n - aroundFinding
		}
		h.lines(lines, next, n, at[:k])
		for _, p := range at[:k] {
			h.finding(e, p.finding, true)
		}
		at, next = at[k:], n+1
	}
	if next > 1 {
		end := len(lines)
		if end-next > aroundFinding+foldFrom {
			end = next + aroundFinding - 1
		}
		h.lines(lines, next, end, nil)
		next = end + 1
	}
	h.fold(lines, next, len(lines), whole)
}

// placed is a finding at a line of a text.
type placed struct {
	line    int
	finding *lint.Finding
}

// lineOf is the line of the entry's text that a finding is at; 0 if none.
func (e *htmlEntry) lineOf(f *lint.Finding) int {
	switch {
	case e.message != nil && f.Body != nil:
		return f.Body.Line
	case e.message == nil && f.Range != nil:
		return f.Range.Start.Line
	}
	return 0
}

// fold writes lines behind a summary, or only their number if the page is full.
func (h *htmlWriter) fold(lines []string, from, to int, whole bool) {
	n := to - from + 1
	switch {
	case n <= 0:
	case !whole:
		h.write(`<p class="left">`, count(n, "line"), " not shown</p>\n")
	default:
		h.write("<details><summary>", count(n, "line"), "</summary>\n")
		h.lines(lines, from, to, nil)
		h.write("</details>\n")
	}
}

// lines writes source lines with their numbers; the findings are all at the last
// one.
func (h *htmlWriter) lines(lines []string, from, to int, at []placed) {
	if to < from {
		return
	}
	h.write("<pre>")
	for n := from; n <= to; n++ {
		var marks []marked
		if n == to {
			marks = marksOn(lines[n-1], at)
		}
		h.line(n, lines[n-1], marks)
	}
	h.write("</pre>\n")
}

// marked is a part of a line at fault.
type marked struct {
	start, end int
	severity   lint.Severity
}

// marksOn finds the parts of a line that its findings are about. Their frames
// tell, if they show this line whole.
func marksOn(line string, at []placed) []marked {
	line = strings.TrimSuffix(line, "\r")
	var out []marked
	for _, p := range at {
		fr := p.finding.Frame
		if fr == nil || len(fr.Lines) == 0 || fr.Before || fr.After || fr.Lines[len(fr.Lines)-1] != line {
			continue
		}
		if fr.End > fr.Start {
			out = append(out, marked{fr.Start, fr.End, p.finding.Severity})
		}
	}
	return joinMarks(out)
}

// joinMarks makes overlapping marks one, of the most severe severity among them.
func joinMarks(marks []marked) []marked {
	slices.SortFunc(marks, func(a, b marked) int { return cmp.Compare(a.start, b.start) })
	out := marks[:0]
	for _, m := range marks {
		if n := len(out); n > 0 && m.start < out[n-1].end {
			out[n-1].end = max(out[n-1].end, m.end)
			out[n-1].severity = min(out[n-1].severity, m.severity)
			continue
		}
		out = append(out, m)
	}
	return out
}

// sourceHTML is a part of a line, safe to show; tabs stay.
func sourceHTML(s string) string {
	if !strings.Contains(s, "\t") {
		return escape(s)
	}
	parts := strings.Split(s, "\t")
	for i, p := range parts {
		parts[i] = escape(p)
	}
	return strings.Join(parts, "\t")
}

// runeStart moves an offset back to the start of a character.
func runeStart(s string, i int) int {
	for n := 0; n < 3 && i > 0 && i < len(s) && s[i]&0xc0 == 0x80; n++ {
		i--
	}
	return i
}
