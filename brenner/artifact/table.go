package artifact

import (
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// table reads the predictions table, if the block is one: a row is an item with the
// fields condition and predictions. Below the table it reads rows that were meant to be
// part of it.
func (p *parser) table(b *markdown.Block) {
	t, ok := p.a.Doc.Table(b)
	replaces := ok && !b.InQuote && !b.InList && p.hasPredictions(t)
	switch {
	case p.sec.Table != nil && !(replaces && p.isLegend(p.sec.Table)):
		p.detachedRows(b, t)
	case ok:
		p.sec.Table = p.columns(t)
		p.sec.Malformed = slices.DeleteFunc(p.sec.Malformed, func(m MalformedItem) bool { return m.Item.Row != nil }) // of a legend
		p.rowsAbove(b, t)
		for i := range t.Rows {
			row := &t.Rows[i]
			if len(row.Cells) == 1 && p.src[row.Span.Start] == '#' {
				break // a heading without its space, directly below the table
			}
			p.row(p.sec.Table, row)
		}
	}
}

// isLegend reports whether the table that was read explains others: it has neither a prediction nor
// a column of a hypothesis or a condition.
func (p *parser) isLegend(table *PredictionsTable) bool {
	isCondition := func(header source.Span) bool {
		text := strings.ToLower(p.src[header.Start:header.End])
		return strings.Contains(text, "condition") || strings.Contains(text, "observation") || strings.Contains(text, "prediction")
	}
	return len(p.sec.Items) == 0 && !slices.ContainsFunc(table.Table.Header.Cells, isCondition) &&
		!slices.ContainsFunc(table.Columns, func(c Column) bool { return c.ID.Section != 0 })
}

// hasPredictions reports whether the first row of a table is a prediction.
func (p *parser) hasPredictions(t *markdown.Table) bool {
	return len(t.Rows) > 0 && p.isPrediction(p.sec, t.Rows[0].Cells[0], false)
}

// rowsAbove reads the rows above the header: directly, or in the paragraph before.
func (p *parser) rowsAbove(b *markdown.Block, t *markdown.Table) {
	lines := b.Parts[:slices.Index(b.Parts, t.Header.Span)]
	if before := p.a.Doc.Blocks[p.next-2]; len(lines) == 0 && before.Kind == markdown.Paragraph && !before.InList && !before.InQuote {
		lines = before.Parts
	}
	for _, row := range p.a.Doc.Rows(lines) {
		if !p.isRow(p.sec.Table, &row) || !p.isPrediction(p.sec, row.Cells[0], true) {
			return
		}
		p.row(p.sec.Table, &row).Detached = true
	}
}

// columns reads the header: `H1`, `H1 (lineage)`, `H2 predicts`. Where no other column begins with
// the id of a hypothesis, it is the one that names it in another way.
func (p *parser) columns(t *markdown.Table) *PredictionsTable {
	all := make([]Column, len(t.Header.Cells))
	for i, cell := range t.Header.Cells {
		cell = p.trim(cell)
		key, id := columnKey(p.text(cell))
		all[i] = Column{ID: id, Key: key, Span: cell, cell: i}
	}
	table := &PredictionsTable{Table: t, Condition: p.conditionColumn(all), Columns: make([]Column, 0, len(all))}
	named := map[brenner.ItemID]bool{}
	for i, c := range all {
		if i > 0 && i != table.Condition {
			table.Columns = append(table.Columns, c)
			named[c.ID] = true
		}
	}
	for i := range table.Columns {
		c := &table.Columns[i]
		if id := p.hypothesisOf(*c); c.ID.Section == 0 && id.Section != 0 && !named[id] {
			named[id] = true
			c.ID, c.Key, c.Meant = id, id.String(), true
		}
	}
	return table
}

// hypothesisOf returns the hypothesis that a column names, in whatever way.
func (p *parser) hypothesisOf(c Column) brenner.ItemID {
	if c.ID.Section != 0 {
		return c.ID
	}
	return meantHypothesis(p.text(c.Span))
}

// conditionColumn returns the cell of a header that is the condition: the second, unless only that
// names its hypothesis. Then it is the next one that names none or, without one, the cell after the last.
func (p *parser) conditionColumn(cells []Column) int {
	if len(cells) < 3 || cells[1].ID.Section == 0 {
		return 1
	}
	rest := cells[2:]
	if slices.ContainsFunc(rest, func(c Column) bool { return p.hypothesisOf(c) == cells[1].ID }) {
		return 1 // `H1 or H2?`
	}
	if i := slices.IndexFunc(rest, func(c Column) bool { return p.hypothesisOf(c).Section == 0 }); i >= 0 {
		return i + 2
	}
	return len(cells)
}

// detachedRows reads the rows in a paragraph below the table (decisions.md 45), which may begin with text. A second
// table, own, contains predictions if it begins with a column ID and continues where the
// rows before end.
func (p *parser) detachedRows(b *markdown.Block, own *markdown.Table) {
	if b.InList || b.InQuote {
		return
	}
	table, rows := p.sec.Table, []markdown.Row(nil)
	if own == nil {
		rows = p.a.Doc.Rows(b.Parts)
	} else if id := p.trim(own.Header.Cells[0]); strings.EqualFold(p.src[id.Start:id.End], "ID") {
		table, rows = p.columns(own), own.Rows
	}
	first := slices.IndexFunc(rows, func(r markdown.Row) bool { return p.isRow(table, &r) })
	if first < 0 || own != nil && first > 0 || !p.isPrediction(p.sec, rows[first].Cells[0], own != nil || first > 0) {
		return
	}
	for i := range rows {
		if p.isRow(table, &rows[i]) {
			p.row(table, &rows[i]).Detached = true
		}
	}
}

// isRow reports whether a line below a table looks like a row of it.
func (p *parser) isRow(table *PredictionsTable, row *markdown.Row) bool {
	return len(row.Cells) > 1 && (p.src[row.Span.Start] == '|' || len(row.Cells) == len(table.Table.Header.Cells))
}

// isPrediction reports whether a cell has the id of a prediction; if after is set, of one
// after the section's last.
func (p *parser) isPrediction(sec *Section, cell source.Span, after bool) bool {
	id, ok := brenner.ParseItemID(strings.Trim(p.src[cell.Start:cell.End], "~*_`"))
	if !ok || id.Section != brenner.PredictionsTable {
		return false
	}
	n := len(sec.Items)
	return !after || n == 0 || id.Compare(sec.Items[n-1].ID) > 0
}

// columnKey returns the key of a column's outcomes: the hypothesis that it names, if any,
// or its text. With a backslash the text is literal.
func columnKey(text string) (string, brenner.ItemID) {
	if strings.HasPrefix(text, `\`) {
		return unescape(text[1:], cellMarks), brenner.ItemID{}
	}
	if id := leadingID(unescape(text, noMarks)); id.Section != 0 {
		return id.String(), id
	}
	return unescape(text, cellMarks), brenner.ItemID{}
}

// beforeHypothesis are words that a header may have before the id of its hypothesis.
var beforeHypothesis = strings.Fields("hypothesis if under prediction predictions predicted outcome by for of")

// meantHypothesis returns the hypothesis that a header most likely means which does not begin with
// its id: `Prediction under H1`, `Lineage (H1)`, `[H1](#h1)`, `H1<br/>Lineage` or `h1`; zero if there is none.
func meantHypothesis(text string) brenner.ItemID {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for len(words) > 1 && slices.Contains(beforeHypothesis, strings.ToLower(words[0])) {
		words = words[1:]
	}
	isID := func(word string) bool { return leadingID(word).Section != 0 }
	if len(words) == 0 || text[0] == '\\' || !strings.HasPrefix(text, words[0]) && isID(words[0]) && slices.ContainsFunc(words[1:], isID) {
		return brenner.ItemID{} // `For H1 and H2` is none of them
	}
	last := words[len(words)-1]
	if id := leadingID(strings.ToUpper(words[0])); id.Section != 0 || !strings.HasSuffix(strings.TrimRight(text, "*_`~"), "("+last+")") {
		return id
	}
	return leadingID(last)
}

// leadingID returns the hypothesis id that begins a text, in front of white space,
// a hyphen or a bracket; zero if there is none.
func leadingID(text string) brenner.ItemID {
	text = strings.TrimLeft(text, "~*_`")
	if n := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune("(:-~*_`", r) || unicode.IsSpace(r) }); n >= 0 {
		text = text[:n]
	}
	if id, ok := brenner.ParseItemID(text); ok && id.Section == brenner.HypothesisSlate && id.InRange() {
		return id
	}
	return brenner.ItemID{}
}

func (p *parser) row(table *PredictionsTable, row *markdown.Row) *Item {
	it := &Item{Heading: row.Span, Span: row.Span, Row: row}
	cell := func(i int) source.Span {
		if i < len(row.Cells) {
			return p.trim(row.Cells[i])
		}
		return source.Span{Start: row.Span.End, End: row.Span.End}
	}
	id := cell(0)
	it.Struck = hasStrikes(p.src[id.Start:id.End]) || unstruck(p.src, id) != id
	it.Killed, p.killed = it.Struck, it.Struck
	if it.Killed { // `~~P3~~ [KILLED]`
		id = p.unstrikeEnds(id)
		before, _ := cutKilledMark(p.src[id.Start:id.End])
		id = p.unstrikeEnds(p.trim(source.Span{Start: id.Start, End: id.Start + len(before)}))
	}
	it.IDSpan = p.unmark(id)
	it.NameSpan = source.Span{Start: it.IDSpan.End, End: it.IDSpan.End}

	field := func(key string, value source.Span) *Field {
		label := source.Span{Start: value.Start, End: value.Start}
		return &Field{Key: key, Known: brenner.PredictionsTable.Field(key), Label: label, Value: value}
	}
	none, first := len(row.Cells), len(row.Cells)
	if len(table.Columns) > 0 {
		first = table.Columns[0].cell
	}
	condition, outcomes := field("condition", cell(table.Condition)), field("predictions", cell(first))
	condition.Text = p.cellText(condition.Value)
	outcomes.Entries = make([]Entry, 0, min(none, len(table.Columns)))
	for _, col := range table.Columns {
		if col.cell >= none {
			break // only the cells that are written: a header may have any number of columns
		}
		c := cell(col.cell)
		outcomes.Entries = append(outcomes.Entries, Entry{Key: col.Key, KeySpan: col.Span, Text: p.cellText(c), Span: c})
		if col.Key == "" {
			outcomes.Text = p.cellText(c)
		}
		outcomes.Value.End = c.End
	}
	it.Fields = []*Field{condition, outcomes}
	p.killed = false
	p.addItem(it)
	return it
}

// cellText returns the text of a cell, "" if it is absent.
func (p *parser) cellText(cell source.Span) string {
	raw := p.value(cell)
	if raw == absent {
		return ""
	}
	return unescape(raw, cellMarks)
}
