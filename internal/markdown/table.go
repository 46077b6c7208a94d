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
	return d.tableOf(b.Parts)
}

func (d *Document) tableOf(lines []source.Span) (*Table, bool) {
	for i := 1; i < len(lines); i++ {
		if header := lines[i-1]; d.IsDelimiterRow(lines[i]) && d.nextBar(header.Start, header.End) < header.End {
			return &Table{Header: d.row(header), Delimiter: d.row(lines[i]), Rows: d.Rows(lines[i+1:])}, true
		}
	}
	return nil, false
}

// Rows reads lines as rows of a table.
func (d *Document) Rows(lines []source.Span) []Row {
	rows := make([]Row, len(lines))
	for i, l := range lines {
		rows[i] = d.row(l)
	}
	return rows
}

// IsDelimiterRow reports whether a line is the row of dashes.
func (d *Document) IsDelimiterRow(at source.Span) bool {
	line := d.Text.Bytes(at)
	return len(bytes.Trim(line, "-|: \t")) == 0 && bytes.IndexByte(line, '-') >= 0 && bytes.IndexByte(line, '|') >= 0
}

// row splits a line at its bars.
func (d *Document) row(line source.Span) Row {
	data := d.Text.Data
	r := Row{Span: line, Cells: make([]source.Span, 0, bytes.Count(d.Text.Bytes(line), []byte{'|'})+1)}
	s := source.Trim(data, line)
	if s.Start < s.End && data[s.Start] == '|' {
		s.Start++
	}
	if last := s.End - 1; last >= s.Start && d.nextBar(last, s.End) == last {
		s.End = last
	}
	for at := s.Start; at <= s.End; {
		bar := d.nextBar(at, s.End)
		r.Cells = append(r.Cells, source.Trim(data, source.Span{Start: at, End: bar}))
		at = bar + 1
	}
	return r
}

// nextBar returns the offset of the first bar from one offset on that no backslash escapes, or the end.
func (d *Document) nextBar(at, end int) int {
	for ; at < end; at++ {
		if d.Text.Data[at] == '|' && (at == 0 || d.Text.Data[at-1] != '\\') {
			break
		}
	}
	return at
}
