package markdown

import (
	"bytes"

	"github.com/brennerlint/brennerlint/source"
)

// Table is a GFM table as it is written.
type Table struct {
	Header    Row
	Delimiter Row // the row of dashes
	Rows      []Row
}

// Row is a line of a table; its cells are those written, which may be fewer or
// more than the header's.
type Row struct {
	Span  source.Span
	Cells []source.Span // without the white space and bars around them; \| kept
}

// Table reads a paragraph as a GFM table: the line before the first delimiter
// row is the header. It also reads a table whose header and delimiter rows
// differ in length, which Markdown shows as a paragraph.
func (d *Document) Table(b *Block) (*Table, bool) {
	if b.Kind != Paragraph {
		return nil, false
	}
	for i := 1; i < len(b.Parts); i++ {
		if !d.IsDelimiterRow(b.Parts[i]) || !hasBar(d.Text.Bytes(b.Parts[i-1])) {
			continue
		}
		return &Table{Header: d.row(b.Parts[i-1]), Delimiter: d.row(b.Parts[i]), Rows: d.Rows(b.Parts[i+1:])}, true
	}
	return nil, false
}

// Rows reads lines as rows of a table.
func (d *Document) Rows(lines []source.Span) []Row {
	if len(lines) == 0 {
		return nil
	}
	rows := make([]Row, len(lines))
	for i, l := range lines {
		rows[i] = d.row(l)
	}
	return rows
}

func hasBar(line []byte) bool {
	for i, c := range line {
		if c == '|' && (i == 0 || line[i-1] != '\\') {
			return true
		}
	}
	return false
}

// IsDelimiterRow reports whether a line is the row of dashes.
func (d *Document) IsDelimiterRow(at source.Span) bool {
	dashes, bars := 0, 0
	for _, c := range d.Text.Bytes(at) {
		switch c {
		case '-':
			dashes++
		case '|':
			bars++
		case ':', ' ', '\t':
		default:
			return false
		}
	}
	return dashes > 0 && bars > 0
}

// row splits a line at its unescaped bars.
func (d *Document) row(line source.Span) Row {
	r := Row{Span: line, Cells: make([]source.Span, 0, bytes.Count(d.Text.Bytes(line), []byte{'|'})+1)}
	data := d.Text.Data
	s := source.Trim(data, line)
	if s.Start < s.End && data[s.Start] == '|' {
		s.Start++
	}
	if s.End > s.Start && data[s.End-1] == '|' && (s.End-1 == s.Start || data[s.End-2] != '\\') {
		s.End--
	}
	start := s.Start
	inside := data[s.Start:s.End]
	for i, c := range inside {
		if c == '|' && (i == 0 || inside[i-1] != '\\') {
			end := s.Start + i
			r.Cells = append(r.Cells, source.Trim(data, source.Span{Start: start, End: end}))
			start = end + 1
		}
	}
	r.Cells = append(r.Cells, source.Trim(data, source.Span{Start: start, End: s.End}))
	return r
}
