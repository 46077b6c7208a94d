package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Checks of the columns and cells of the predictions table.

// columnSet returns the hypotheses that have a column.
func columnSet(t *artifact.PredictionsTable) map[brenner.ItemID]bool {
	set := map[brenner.ItemID]bool{}
	for i := range t.Columns {
		if id := t.Columns[i].ID; id.Section != 0 {
			set[id] = true
		}
	}
	return set
}

func checkHypothesisColumns(p *lint.ArtifactPass) {
	a := p.Artifact
	s := predictionRows(a)
	if s == nil || s.Table == nil {
		return
	}
	missing := missingColumns(a, s.Table)
	if len(missing) > 0 && !slices.ContainsFunc(missing[:min(len(missing), 8)], func(h string) bool { return lostColumn(p, s, h) }) {
		reportMissingColumns(p, s, missing)
	}
	checkCells(p, s.Table, len(missing))
}

// missingColumns returns the active hypotheses without a column.
func missingColumns(a *artifact.Artifact, t *artifact.PredictionsTable) []string {
	columns := columnSet(t)
	var missing []string
	for _, h := range active(a, brenner.HypothesisSlate) {
		if !columns[h.ID] {
			missing = append(missing, h.ID.String())
		}
	}
	return missing
}

// reportMissingColumns reports which hypotheses have no column. A column of an unknown
// hypothesis is most likely theirs: WS-102 leaves it to this rule.
func reportMissingColumns(p *lint.ArtifactPass, s *artifact.Section, missing []string) {
	d := lint.Diagnostic{
		At:      heading(p.Artifact, s),
		Message: fmt.Sprintf("the predictions table has no column for %s; expected one for every active hypothesis", text.And(few(missing))),
	}
	r := references{ArtifactPass: p}
	if unknown := r.unknownColumns(s.Table); len(unknown) > 0 {
		d.At = p.Artifact.Text.Place(unknown[0].Span)
		d.Message = fmt.Sprintf("the predictions table has no column for %s, but has one for %s, which does not exist", text.And(few(missing)), unknown[0].ID)
		d.Suggestion = "did you mean " + text.Or(few(missing)) + "?"
	}
	p.Report(d)
}

// lostColumn reports whether the merge has an outcome for a hypothesis where the
// published table has no column.
func lostColumn(p *lint.ArtifactPass, s *artifact.Section, hypothesis string) bool {
	return slices.ContainsFunc(s.Items, func(row *artifact.Item) bool {
		return lostPart(p, row.ID, "predictions", hypothesis)
	})
}

// checkCells reports rows that do not have a cell for every column. A Markdown renderer
// hides this: it drops surplus cells and adds missing ones. Cells of columns already
// reported as missing are not surplus.
func checkCells(p *lint.ArtifactPass, t *artifact.PredictionsTable, missing int) {
	a := p.Artifact
	columns := len(t.Table.Header.Cells)
	for _, row := range t.Table.Rows {
		n := len(row.Cells)
		id, _ := brenner.ParseItemID(rowID(a, row.Cells[0]))
		switch {
		case n != columns && id.Section != 0 && p.Reported.Has(replay.FieldDiffers, id):
		case n > columns && n <= columns+missing:
		case n > columns:
			p.Report(lint.Diagnostic{
				At:         a.Text.Place(source.Span{Start: row.Cells[columns].Start, End: row.Cells[n-1].End}),
				Item:       rowID(a, row.Cells[0]),
				Message:    fmt.Sprintf("the row has %d cells, but the table has %d columns; Markdown drops the extra cells", n, columns),
				Suggestion: "escape a bar inside a cell as \\|",
			})
		case n < columns:
			p.Report(lint.Diagnostic{
				At:         a.Text.Place(row.Span),
				Item:       rowID(a, row.Cells[0]),
				Message:    fmt.Sprintf("the row has %d cells; expected %d, one for each column", n, columns),
				Suggestion: "write — for an absent outcome",
			})
		}
	}
}

// rowID returns the item that a row's first cell names, "" if none.
func rowID(a *artifact.Artifact, cell source.Span) string {
	if id, ok := brenner.ParseItemID(strings.Trim(a.Text.Slice(cell), "~")); ok {
		return id.String()
	}
	return ""
}
