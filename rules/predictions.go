package rules

import (
	"fmt"
	"iter"
	"strings"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/source"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about the predictions table.
var predictionRules = []*lint.Rule{
	{
		ID: "EP-001", Name: "predictions-minimum", Severity: lint.Error, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "At least 3 active prediction rows.",
		Check:   atLeast(protocol.PredictionsTable),
	},
	{
		ID: "EP-002", Name: "predictions-id-column", Severity: lint.Error, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "The predictions table exists and its first column is `ID`.",
		Check:   lint.ArtifactCheck(checkPredictionsTable),
	},
	{
		ID: "EP-003", Name: "predictions-hypothesis-columns", Severity: lint.Error, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "The table has a column for every active hypothesis.",
		Check:   lint.ArtifactCheck(checkHypothesisColumns),
	},
	{
		ID: "WP-001", Name: "prediction-discriminates", Severity: lint.Warning, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "Outcomes in a row are not all the same or all empty over the active hypotheses.",
		Check:   lint.ArtifactCheck(checkPredictionDiscriminates),
	},
	{
		ID: "WP-002", Name: "prediction-id", Severity: lint.Warning, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "Row ids are P<n> or P<n>.H<n>.",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			for s := range predictionSections(p.Artifact) {
				reportStrays(p, s)
			}
		}),
	},
	{
		ID: "IP-001", Name: "third-alternative-indeterminate", Severity: lint.Info, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "The third alternative's column says `indeterminate` in at least one row.",
		Check:   lint.ArtifactCheck(checkIndeterminate),
	},
}

// predictionSections yields the predictions sections that can be read: those of
// JSON, and of Markdown with a usable table (else EP-002 stands alone).
func predictionSections(a *artifact.Artifact) iter.Seq[*artifact.Section] {
	return func(yield func(*artifact.Section) bool) {
		for s := range sections(a, protocol.PredictionsTable) {
			if (a.IsJSON() || usableTable(a, s)) && !yield(s) {
				return
			}
		}
	}
}

// usableTable reports whether a section of Markdown has a table whose first
// column is ID.
func usableTable(a *artifact.Artifact, s *artifact.Section) bool {
	return s.Table != nil && isIDHeader(a, s.Table)
}

func isIDHeader(a *artifact.Artifact, t *artifact.PredictionsTable) bool {
	cells := t.Table.Header.Cells
	return len(cells) > 0 && strings.EqualFold(strings.Trim(a.Text.String(cells[0]), "*_`"), "ID")
}

func checkPredictionsTable(p *lint.ArtifactPass) {
	a := p.Artifact
	s := a.Section(protocol.PredictionsTable)
	if s == nil || a.IsJSON() || usableTable(a, s) {
		return
	}
	if s.Table == nil {
		p.Report(lint.Diagnostic{
			At:         heading(a, s),
			Message:    "section 3 has no table, needs one with the columns ID, condition and one for each hypothesis",
			Suggestion: "begin it with `| ID | Observation/Condition | H1 | H2 | H3 |`",
		})
		return
	}
	header := s.Table.Table.Header
	at, first := header.Span, ""
	if len(header.Cells) > 0 {
		at, first = header.Cells[0], a.Text.String(header.Cells[0])
		if at.Empty() {
			at = header.Span
		}
	}
	p.Report(lint.Diagnostic{
		At:      a.Text.Place(at),
		Message: fmt.Sprintf("the first column of the predictions table is %s, needs to be ID", wording.Quote(first)),
	})
}

// column is the table's column of a hypothesis, or nil.
func column(t *artifact.PredictionsTable, h protocol.ItemID) *artifact.Column {
	for i := range t.Columns {
		if t.Columns[i].ID == h {
			return &t.Columns[i]
		}
	}
	return nil
}

func checkHypothesisColumns(p *lint.ArtifactPass) {
	a := p.Artifact
	for s := range predictionSections(a) {
		if s.Table == nil {
			continue
		}
		var missing []string
		for h := range active(a, protocol.HypothesisSlate) {
			if column(s.Table, h.ID) == nil {
				missing = append(missing, h.ID.String())
			}
		}
		if len(missing) > 0 {
			p.Report(lint.Diagnostic{
				At:      heading(a, s),
				Message: fmt.Sprintf("the predictions table has no column for %s, needs one for every active hypothesis", wording.And(missing)),
			})
		}
		checkCells(p, s.Table)
	}
}

// checkCells reports rows that do not have a cell for every column. A Markdown
// renderer shows none of it: it drops surplus cells and makes up missing ones.
func checkCells(p *lint.ArtifactPass, t *artifact.PredictionsTable) {
	a := p.Artifact
	columns := len(t.Table.Header.Cells)
	for _, row := range t.Table.Rows {
		n := len(row.Cells)
		switch {
		case n > columns:
			p.Report(lint.Diagnostic{
				At:         a.Text.Place(source.Span{Start: row.Cells[columns].Start, End: row.Cells[n-1].End}),
				Item:       rowID(a, row.Cells[0]),
				Message:    fmt.Sprintf("the row has %d cells, the table %d columns: what is too much is not shown", n, columns),
				Suggestion: "write a bar in a cell as \\|",
			})
		case n < columns:
			p.Report(lint.Diagnostic{
				At:         a.Text.Place(row.Span),
				Item:       rowID(a, row.Cells[0]),
				Message:    fmt.Sprintf("the row has %d cells, needs %d: one for every column", n, columns),
				Suggestion: "write — for an outcome that is absent",
			})
		}
	}
}

// rowID is the item that a row's first cell names, "" if none.
func rowID(a *artifact.Artifact, cell source.Span) string {
	if id, ok := protocol.ParseItemID(strings.Trim(a.Text.String(cell), "~")); ok {
		return id.String()
	}
	return ""
}

// outcome is what a prediction says of a hypothesis, "" if nothing.
func outcome(row *artifact.Item, h protocol.ItemID) string {
	f := row.Field("predictions")
	if f == nil {
		return ""
	}
	for i := range f.Entries {
		e := &f.Entries[i]
		if id, ok := protocol.ParseItemID(e.Key); ok && id == h && !isAbsent(e.Text) {
			return e.Text
		}
	}
	return ""
}

// isAbsent reports whether a cell says that there is no outcome.
func isAbsent(text string) bool {
	switch text {
	case "", "—", "–", "-", "--", "N/A", "n/a":
		return true
	}
	return strings.TrimSpace(text) == ""
}

func checkPredictionDiscriminates(p *lint.ArtifactPass) {
	a := p.Artifact
	for s := range predictionSections(a) {
		compared := 0
		for h := range active(a, protocol.HypothesisSlate) {
			if s.Table == nil || column(s.Table, h.ID) != nil {
				compared++
			}
		}
		if compared < 2 {
			continue // EH-001 or EP-003 says so
		}
		for _, row := range s.Items {
			if row.Killed {
				continue
			}
			if same, text := sameOutcomes(a, row); same {
				reportSameOutcomes(p, row, text)
			}
		}
	}
}

// sameOutcomes reports whether a row's outcomes over the active hypotheses are
// all the same or empty; absent ones do not count as different (decisions.md 33).
func sameOutcomes(a *artifact.Artifact, row *artifact.Item) (same bool, text string) {
	for h := range active(a, protocol.HypothesisSlate) {
		o := outcome(row, h.ID)
		switch {
		case o == "" || text != "" && sameText(o, text):
		case text == "":
			text = o
		default:
			return false, ""
		}
	}
	return true, text
}

func reportSameOutcomes(p *lint.ArtifactPass, row *artifact.Item, text string) {
	at := row.IDSpan
	if f := row.Field("predictions"); f != nil && !f.Value.Empty() {
		at = f.Value
	}
	message := fmt.Sprintf("%s predicts nothing, needs an outcome for each hypothesis", row.ID)
	if text != "" {
		message = fmt.Sprintf("%s predicts %s whatever is true, needs outcomes that tell the hypotheses apart", row.ID, wording.Quote(text))
	}
	itemReport(p, row, "predictions", at, lint.Diagnostic{Message: message})
}

func checkIndeterminate(p *lint.ArtifactPass) {
	a := p.Artifact
	for s := range predictionSections(a) {
		var third *artifact.Item
		predicted := false
		for h := range active(a, protocol.HypothesisSlate) {
			if !isThirdAlternative(h) {
				continue
			}
			for _, row := range s.Items {
				if row.Killed {
					continue
				}
				text := outcome(row, h.ID)
				if containsFold(text, "indeterminate") {
					return
				}
				predicted = predicted || text != ""
			}
			if third == nil {
				third = h
			}
		}
		if third == nil || !predicted {
			continue // EH-003, EP-003 or WP-001 says so
		}
		at := heading(a, s)
		if s.Table != nil {
			if c := column(s.Table, third.ID); c != nil {
				at = a.Text.Place(c.Span)
			}
		}
		p.Report(lint.Diagnostic{
			At: at, Item: third.ID.String(),
			Message:    fmt.Sprintf("the third alternative %s predicts every outcome, needs one that it leaves indeterminate", third.ID),
			Suggestion: "a hypothesis that all others are wrong seldom says what is right: write indeterminate where it does not",
		})
	}
}
