package rules

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Rules about the predictions table.
var predictionRules = []*lint.Rule{
	minimum("EP-001", "predictions-minimum", brenner.PredictionsTable, "prediction rows"),
	{ID: "EP-002", Name: "predictions-id-column", Severity: lint.Error, SpecRef: "artifact_format#Predictions Table",
		Summary: "The predictions table exists and its first column is `ID`.",
		Help:    "begin the table with a column ID",
		Check:   lint.ArtifactCheck(checkPredictionsTable)},
	{ID: "EP-003", Name: "predictions-hypothesis-columns", Severity: lint.Error, SpecRef: "artifact_format#Predictions Table",
		Summary: "The table has a column for every active hypothesis.",
		Help:    "add a column for each active hypothesis",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			a := p.Artifact
			s := predictionRows(a)
			if s == nil || s.Table == nil {
				return
			}
			missing := missingColumns(a, s.Table)
			surplus := len(missing)                                            // cells that may be theirs
			missing = slices.DeleteFunc(missing, func(h brenner.ItemID) bool { // of a hypothesis that should not be there
				return p.Reported.Has(h, replay.ItemUnexplained, replay.IDChanged, replay.RejectApplied)
			})
			isLost := func(h brenner.ItemID) bool {
				return slices.ContainsFunc(s.Items, func(row *artifact.Item) bool { return missingFromPublished(p, row.ID, "predictions", h.String()) })
			}
			if slices.ContainsFunc(missing[:min(len(missing), 8)], isLost) {
				missing = nil
			}
			shown := atMost(8, idNames(missing, 0))
			r := references{ArtifactPass: p}
			unknown := r.unknownColumns(s.Table)
			if c := repeatedColumn(s.Table); c != nil {
				d := finding(a.Text.Place(c.Span), fmt.Sprintf("the predictions table has two columns headed %s", text.Quote(c.Key)), "keep one of the two")
				if _, isID := brenner.ParseItemID(c.Key); isID && len(missing) > 0 && len(unknown) == 0 {
					d.Message, d.Suggestion = d.Message+" and none for "+text.And(shown), "head one of the two "+text.Or(shown)
					missing = nil
				}
				p.Report(d)
			}
			if len(missing) > 0 {
				d := finding(heading(a, s), fmt.Sprintf("the predictions table has no column for %s; expected one for every active hypothesis", text.And(shown)), "")
				if len(unknown) > 0 { // most likely theirs: WS-102 leaves it to this rule
					d = finding(a.Text.Place(unknown[0].Span),
						fmt.Sprintf("the predictions table has no column for %s, but has one for %s, which does not exist", text.And(shown), unknown[0].ID),
						didYouMean(text.Or(shown)))
				}
				p.Report(d)
			}
			lacksCondition := func(row *artifact.Item) bool { return missingFromPublished(p, row.ID, "condition", "") }
			if t := s.Table; t.Condition != 1 && len(t.Columns) > 0 && !slices.ContainsFunc(s.Items, lacksCondition) {
				d := finding(a.Text.Place(t.Columns[0].Span),
					fmt.Sprintf("the second column of the predictions table is %s; expected the condition", t.Columns[0].ID), "")
				if t.Condition == len(t.Table.Header.Cells) {
					d.Suggestion = "add a column for the condition before it"
				}
				p.Report(d)
			}
			reportHeaders(p, s.Table, missing)
			checkCells(p, s.Table, surplus)
		})},
	{ID: "WP-001", Name: "prediction-discriminates", Severity: lint.Warning, SpecRef: "artifact_format#Predictions Table",
		Summary: "Outcomes in a row that is not scoped are not all the same or all empty over the active hypotheses.",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			s := predictionRows(p.Artifact)
			if s == nil {
				return // EP-002 reports it
			}
			rivals := rivals(p.Artifact, s)
			if len(rivals) < 2 || s.Table != nil && len(missingColumns(p.Artifact, s.Table)) > 0 {
				return // EH-001 or EP-003 reports it
			}
			for _, row := range s.Items {
				if row.Killed || row.ID.Hypothesis > 0 || outcomeMissing(p, row) || s.Table != nil && row.Row != nil && len(row.Row.Cells) < len(s.Table.Table.Header.Cells) {
					continue // EP-003 reports the missing cells
				}
				same, outcome, n := sameOutcomes(row, rivals)
				if !same || omitted(p, brenner.HypothesisSlate, (*brenner.Item).Active, 1) {
					continue // MR-011 or MR-014 reports the hypothesis without which they are the same
				}
				at := row.IDSpan
				message := fmt.Sprintf("%s predicts nothing; expected an outcome for each hypothesis", row.ID)
				if f := row.Field("predictions"); f != nil && !f.Value.Empty() {
					if at = f.Value; f.Node != nil && !f.Node.Absent() && !f.Node.Is(jsontree.Object) {
						message = fmt.Sprintf("predictions of %s is %s; expected an object with an outcome for each hypothesis", row.ID, f.Node.Kind)
					}
				}
				if outcome != "" {
					message = fmt.Sprintf("%s predicts %s under every hypothesis; expected outcomes that differ", row.ID, text.Quote(outcome))
				}
				if n > 0 && n < len(rivals) {
					message = fmt.Sprintf("%s predicts %s under %d of %d hypotheses, and nothing under the others; expected outcomes that differ",
						row.ID, text.Quote(outcome), n, len(rivals))
				}
				itemReport(p, row, "predictions", at, message, "")
			}
		})},
	{ID: "WP-002", Name: "prediction-id", Severity: lint.Warning, SpecRef: "artifact_format#Predictions Table",
		Summary: "Row ids are P<n> or P<n>.H<n>; a scoped row has an outcome for its own hypothesis, which the slate has, and for no other.",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			if s := predictionRows(p.Artifact); s != nil {
				reportMalformedIDs(p, s, true)
				reportDetached(p, s)
				checkScopedRows(p, s)
			}
		})},
	{ID: "IP-001", Name: "third-alternative-indeterminate", Severity: lint.Info, SpecRef: "artifact_format#Predictions Table",
		Summary: "The third alternative's column says `indeterminate` in at least one row.",
		Check:   lint.ArtifactCheck(checkIndeterminate)},
}

// predictionRows returns the predictions section if it can be read: that of JSON, or of
// Markdown with a usable table (else only EP-002 is reported).
func predictionRows(a *artifact.Artifact) *artifact.Section {
	s := a.Section(brenner.PredictionsTable)
	if s == nil || !a.IsJSON() && !usableTable(a, s) {
		return nil
	}
	return s
}

// usableTable reports whether a section of Markdown has a table whose first
// column is ID, and which Markdown shows as one.
func usableTable(a *artifact.Artifact, s *artifact.Section) bool {
	return s.Table != nil && isIDHeader(a, s.Table) && len(s.Table.Table.Delimiter.Cells) == len(s.Table.Table.Header.Cells)
}

func isIDHeader(a *artifact.Artifact, t *artifact.PredictionsTable) bool {
	cell := strings.TrimSpace(a.Text.Slice(t.Table.Header.Cells[0]))
	return strings.EqualFold(strings.TrimSpace(strings.Trim(cell, "*_`")), "ID")
}

func checkPredictionsTable(p *lint.ArtifactPass) {
	a := p.Artifact
	reportHidden(p, func(h artifact.Hidden) bool { return h.Table && len(h.Sections)+len(h.Items) == 0 })
	s := a.Section(brenner.PredictionsTable)
	switch {
	case s == nil || a.IsJSON() || usableTable(a, s):
	case slices.ContainsFunc(a.Sections, func(o *artifact.Section) bool { return o.Kind == s.Kind && o.Table != nil && s.Table == nil }):
		// ES-002 reports that the section is given twice
	case s.Table == nil:
		if p.Reported.Has(brenner.ItemID{Section: s.Kind}, replay.SectionOmitted) || reportUnshownTable(p, s) {
			return // MR-011 names its items
		}
		p.Report(finding(heading(a, s),
			"Predictions Table has no table; expected one with the columns ID, condition and one for each hypothesis",
			"begin the table with `| ID | Observation/Condition | H1 | H2 | H3 |`"))
	case isIDHeader(a, s.Table):
		delimiter, header := s.Table.Table.Delimiter, s.Table.Table.Header
		p.Report(finding(a.Text.Place(delimiter.Span),
			fmt.Sprintf("the delimiter row has %s, but the header has %d; Markdown does not show a table", cellCount(len(delimiter.Cells)), len(header.Cells)),
			"give both rows one cell for each column"))
	default:
		header := s.Table.Table.Header
		at := header.Cells[0]
		if at.Empty() {
			at = header.Span
		}
		p.Report(finding(a.Text.Place(at),
			fmt.Sprintf("the first column of the predictions table is %s; expected ID", text.Quote(a.Text.Slice(header.Cells[0]))), ""))
	}
}

// reportUnshownTable reports the header of a table that Markdown does not show as one, if there is one.
func reportUnshownTable(p *lint.ArtifactPass, s *artifact.Section) bool {
	a := p.Artifact
	for n := a.Text.LineAt(s.Span.Start); n <= a.Text.LineAt(s.Span.End); n++ {
		line := a.Text.Line(n)
		header := strings.TrimSpace(a.Text.Slice(line))
		cells := a.Doc.Rows([]source.Span{line})[0].Cells
		if len(cells) < 3 || !strings.EqualFold(strings.Trim(a.Text.Slice(cells[0]), " \t*_`"), "ID") {
			continue
		}
		if hiddenLine(a, a.Text.Line(n+1)) {
			return true
		}
		next := n + 1
		for next < a.Text.LineAt(s.Span.End) && strings.TrimSpace(a.Text.Slice(a.Text.Line(next))) == "" {
			next++
		}
		below, delimiter := strings.TrimSpace(a.Text.Slice(a.Text.Line(next))), "`|"+strings.Repeat("---|", len(cells))+"`"
		why, suggestion := "has no delimiter row below it", "add "+delimiter+" directly below it"
		i := slices.IndexFunc(a.Doc.Blocks, func(b markdown.Block) bool { return b.Span.End > line.Start })
		switch b := &a.Doc.Blocks[max(i, 0)]; {
		case i < 0 || b.InQuote || b.InList || b.Kind == markdown.HTML:
			return false
		case b.Kind == markdown.Fence:
			why, suggestion = "is in a fence", "remove the lines of the fence"
		case b.Kind == markdown.Code:
			why, suggestion = "is indented by four spaces", "begin each line of the table with `|`, without spaces before it"
		case next > n+1 && a.Doc.IsDelimiterRow(a.Text.Line(next)):
			why, suggestion = "has a blank line below it", "remove the blank line"
			if next > n+2 {
				suggestion += "s"
			}
		case below == "" || strings.Trim(below, "|-:=+—– \t") != "":
		case next == n+1: // |===|
			suggestion = "write the line below it as " + delimiter
		case strings.Contains(below, "|"):
			suggestion = "write " + delimiter + " directly below it, instead of " + text.Quote(below)
		}
		line.Start += strings.Index(a.Text.Slice(line), header)
		line.End = line.Start + len(header)
		d := finding(heading(a, s), "the header of the predictions table "+why+": Markdown does not show a table", suggestion)
		d.Related = []lint.RelatedLocation{{At: a.Text.Place(line), Message: "the header is here"}}
		p.Report(d)
		return true
	}
	return false
}

// reportDetached reports the first row below the end of the table.
func reportDetached(p *lint.ArtifactPass, s *artifact.Section) {
	a := p.Artifact
	n := slices.IndexFunc(s.Items, func(it *artifact.Item) bool { return it.Detached }) // and so are those below it
	if n < 0 {
		return
	}
	first, end := s.Items[n], s.Table.Table.Delimiter.Span.End
	if first.Span.Start < end {
		reportItem(p, first, "", first.IDSpan, lint.Diagnostic{
			Message:    fmt.Sprintf("%s is not in the predictions table, which begins below it", first.ID),
			Suggestion: "move it down to the other rows",
		})
		return
	}
	if n > 0 {
		end = s.Items[n-1].Span.End
	}
	if slices.ContainsFunc(a.Conflicts, func(c artifact.Conflict) bool { return c.Span.Start < first.Span.Start && end <= c.Span.End }) ||
		hiddenLine(a, source.Span{Start: end, End: first.Span.Start}) {
		return // of a marker that ends the table, ES-006 reports it
	}
	what, it := first.ID.String()+" is", "it"
	if more := len(s.Items) - n - 1; more > 0 {
		what, it = fmt.Sprintf("%s and %s are", first.ID, text.Count(more, "more row", "more rows")), "them"
	}
	d := lint.Diagnostic{
		Message:    fmt.Sprintf("%s not in the predictions table, which ends above %s", what, it),
		Suggestion: fmt.Sprintf("move %s up to the other rows", it),
	}
	if strings.TrimSpace(a.Text.Slice(source.Span{Start: end, End: first.Span.Start})) == "" {
		d.Message = fmt.Sprintf("%s not in the predictions table: a blank line ends it above %s", what, it)
		d.Suggestion = "remove the blank line"
	}
	reportItem(p, first, "", first.IDSpan, d)
}

// hiddenLine reports whether a part of the text has a line that hides what is below it: that is reported.
func hiddenLine(a *artifact.Artifact, in source.Span) bool {
	return slices.ContainsFunc(a.Hidden, func(h artifact.Hidden) bool { return in.Contains(h.Line) })
}

// checkScopedRows checks the rows that speak of one hypothesis (decisions.md 67).
func checkScopedRows(p *lint.ArtifactPass, s *artifact.Section) {
	r := references{ArtifactPass: p}
	for _, row := range s.Items {
		own := brenner.ItemID{Section: brenner.HypothesisSlate, Number: row.ID.Hypothesis}
		if own.Number == 0 || row.Killed {
			continue
		}
		if r.unknown(own) {
			itemReport(p, row, "", row.IDSpan,
				fmt.Sprintf("%s is about %s, but %s has no %s", row.ID, own, sectionName(p.Artifact, own.Section), own), "")
			continue
		}
		var given, other *artifact.Entry
		for id, e := range outcomesOf(row) {
			switch {
			case isAbsent(e.Text):
			case id == own:
				given = &e
			case other == nil && id.Section == own.Section:
				other = &e
			}
		}
		switch {
		case other != nil:
			itemReport(p, row, "predictions", other.Span,
				fmt.Sprintf("%s is about %s, but gives an outcome for %s", row.ID, own, other.Key),
				"give that outcome in a row of its own, or remove the scope")
		case given == nil && hypotheses(p.Artifact, nil)[own] && !lacksCell(p, s, row, own):
			itemReport(p, row, "predictions", row.IDSpan, fmt.Sprintf("%s is about %s, but gives no outcome for it", row.ID, own), "")
		}
	}
}

// lacksCell reports whether a row has no cell for a hypothesis, which another rule reports.
func lacksCell(p *lint.ArtifactPass, s *artifact.Section, row *artifact.Item, h brenner.ItemID) bool {
	return missingFromPublished(p, row.ID, "predictions", h.String()) ||
		s.Table != nil && row.Row != nil && (len(row.Row.Cells) < len(s.Table.Table.Header.Cells) || s.Table.Column(h.String()) < 0)
}

// isAbsent reports whether a cell means that there is no outcome.
func isAbsent(text string) bool {
	text = brenner.Fold(text)
	return text == "" || slices.Contains([]string{"–", "-", "--", "N/A", "n/a"}, text)
}

// outcomesOf yields what a row gives for each item: a hypothesis, if nothing is wrong.
func outcomesOf(row *artifact.Item) iter.Seq2[brenner.ItemID, artifact.Entry] {
	return func(yield func(brenner.ItemID, artifact.Entry) bool) {
		f := row.Field("predictions")
		for i := 0; f != nil && i < len(f.Entries); i++ {
			if id, ok := brenner.ParseItemID(f.Entries[i].Key); ok && !yield(id, f.Entries[i]) {
				return
			}
		}
	}
}

// sameOutcomes reports whether a row's outcomes over the active hypotheses are
// all the same or empty, and how many there are; absent ones do not count as different (decisions.md 33).
func sameOutcomes(row *artifact.Item, rivals map[brenner.ItemID]bool) (same bool, text string, n int) {
	for h, e := range outcomesOf(row) {
		if !rivals[h] || isAbsent(e.Text) {
			continue
		}
		if n++; n == 1 {
			text = e.Text
		} else if !sameText(e.Text, text) {
			return false, "", n
		}
	}
	return true, text, n
}

// rivals returns the active hypotheses and, as some have ids that cannot be read, those that only the
// predictions name.
func rivals(a *artifact.Artifact, s *artifact.Section) map[brenner.ItemID]bool {
	out := hypotheses(a, nil)
	if malformedIDs(a, brenner.HypothesisSlate) == 0 {
		return out
	}
	killed := map[brenner.ItemID]bool{}
	for _, it := range a.ItemsOf(brenner.HypothesisSlate) {
		killed[it.ID] = it.Killed
	}
	for _, row := range s.Items {
		for id := range outcomesOf(row) {
			if id.Section == brenner.HypothesisSlate && !killed[id] {
				out[id] = true
			}
		}
	}
	return out
}

func checkIndeterminate(p *lint.ArtifactPass) {
	s := predictionRows(p.Artifact)
	if s == nil || repeated(p.Artifact, brenner.HypothesisSlate) > 0 {
		return // it is unknown whose column it is: ES-004
	}
	third := hypotheses(p.Artifact, thirdAlternative.set)
	if slices.ContainsFunc(active(p.Artifact, brenner.HypothesisSlate), func(h *artifact.Item) bool { return third[h.ID] && len(h.Repeated) > 1 }) {
		return // the third alternative may begin in it: ES-005
	}
	predicted := false
	for _, row := range s.All() { // one with a bad id, too
		if row.Killed {
			continue
		}
		if s.Table != nil && row.Row != nil {
			n, columns := len(row.Row.Cells), len(s.Table.Table.Header.Cells)
			if n < columns || n > columns && brenner.ContainsFold(p.Artifact.Text.Slice(row.Row.Span), "indeterminate") {
				return // it is unknown whose cell it is: EP-003, or MR-013
			}
		}
		for h, e := range outcomesOf(row) {
			if !third[h] || isAbsent(e.Text) {
				continue
			}
			if brenner.ContainsFold(e.Text, "indeterminate") {
				return
			}
			predicted = true
		}
	}
	if !predicted || mergedIndeterminate(p, s.Items, third) {
		return
	}
	all := active(p.Artifact, brenner.HypothesisSlate)
	at, id := heading(p.Artifact, s), all[slices.IndexFunc(all, func(h *artifact.Item) bool { return third[h.ID] })].ID
	if s.Table != nil {
		if i := slices.IndexFunc(s.Table.Columns, func(c artifact.Column) bool { return third[c.ID] }); i >= 0 {
			at, id = p.Artifact.Text.Place(s.Table.Columns[i].Span), s.Table.Columns[i].ID
		}
	}
	p.Report(lint.Diagnostic{
		At: at, Item: id.String(),
		Message:    fmt.Sprintf("the third alternative %s predicts every outcome; expected at least one that is indeterminate", id),
		Suggestion: "write indeterminate where it makes no prediction",
	})
}

// Checks of the columns and cells of the predictions table.

// missingColumns returns the active hypotheses without a column.
func missingColumns(a *artifact.Artifact, t *artifact.PredictionsTable) (missing []brenner.ItemID) {
	columns := map[brenner.ItemID]bool{}
	for _, c := range t.Columns {
		columns[c.ID] = true
	}
	for _, h := range active(a, brenner.HypothesisSlate) {
		if !columns[h.ID] {
			missing = append(missing, h.ID)
		}
	}
	return missing
}

// repeatedColumn returns the first column with a key that one before it has; nil if there is none.
func repeatedColumn(t *artifact.PredictionsTable) *artifact.Column {
	seen := map[string]bool{}
	for i, c := range t.Columns {
		if seen[c.Key] && c.Key != "" {
			return &t.Columns[i]
		}
		seen[c.Key] = true
	}
	return nil
}

// reportHeaders reports the columns of active hypotheses whose headers do not begin with the id,
// except for those that name a hypothesis reported as missing: `H1/H2`.
func reportHeaders(p *lint.ArtifactPass, t *artifact.PredictionsTable, missing []brenner.ItemID) {
	shown := hypotheses(p.Artifact, nil)
	columns := slices.DeleteFunc(slices.Clone(t.Columns), func(c artifact.Column) bool {
		for m := range brenner.ItemMentions(p.Artifact.Text.Slice(c.Span)) {
			if slices.Contains(missing, m.ID) {
				return true
			}
		}
		return !c.Meant || !shown[c.ID]
	})
	if len(columns) == 0 {
		return
	}
	var ids []string
	for _, c := range columns {
		ids = append(ids, c.ID.String())
	}
	first := p.Artifact.Text.Slice(columns[0].Span)
	message := fmt.Sprintf("the header %s does not begin with the word %s", text.Quote(first), columns[0].ID)
	if more := len(columns) - 1; more > 0 {
		message += fmt.Sprintf(" (and %d more)", more)
	}
	p.Report(finding(p.Artifact.Text.Place(columns[0].Span), message, "write "+text.And(atMost(8, ids))))
}

// checkCells reports rows that do not have a cell for every column. A Markdown renderer
// hides this: it drops surplus cells and adds missing ones. Cells of columns already
// reported as missing are not surplus.
func checkCells(p *lint.ArtifactPass, t *artifact.PredictionsTable, missing int) {
	a := p.Artifact
	columns := len(t.Table.Header.Cells)
	for _, row := range t.Table.Rows {
		n := len(row.Cells)
		item := ""
		id, ok := brenner.ParseItemID(strings.Trim(a.Text.Slice(row.Cells[0]), "~"))
		if ok {
			item = id.String()
		}
		switch {
		case n != columns && ok && p.Reported.Has(id, replay.FieldDiffers):
		case n > columns && n <= columns+missing, !ok && isTextRow(a, &row):
		case n > columns:
			p.Report(lint.Diagnostic{
				At: a.Text.Place(source.Span{Start: row.Cells[columns].Start, End: row.Cells[n-1].End}), Item: item,
				Message:    fmt.Sprintf("the row has %s, but the table has %d columns; Markdown drops the extra cells", cellCount(n), columns),
				Suggestion: "escape a bar inside a cell as \\|",
			})
		case n < columns:
			p.Report(lint.Diagnostic{
				At: a.Text.Place(row.Span), Item: item,
				Message:    fmt.Sprintf("the row has %s; expected %d, one for each column", cellCount(n), columns),
				Suggestion: "write — for an absent outcome",
			})
		}
	}
}

func cellCount(n int) string { return text.Count(n, "cell", "cells") }

// isTextRow reports whether a row is text directly below a table, which belongs to it.
func isTextRow(a *artifact.Artifact, row *markdown.Row) bool {
	return len(row.Cells) == 1 && !strings.HasPrefix(a.Text.Slice(row.Span), "|")
}
