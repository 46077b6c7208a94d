package engine

import (
	"fmt"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

const (
	// maxFixEdits bounds the edits of one fix: one for each line break of a text would
	// take many times the memory of the text, and as much of a report.
	maxFixEdits = 1000
	// maxMoreEdits bounds the edits that the fixes of a task, or of a report, have in
	// addition to one each.
	maxMoreEdits = 10_000
)

// offerFix gives a finding the fix of its diagnostic, or says that it has too many edits.
func (s *collector) offerFix(f *lint.Finding, fix *lint.SuggestedFix) {
	if f.Fix = s.resolveFix(fix); fix == nil || f.Fix != nil || len(fix.Edits) <= maxFixEdits {
		return
	}
	if f.Suggestion != "" {
		f.Suggestion += "; "
	}
	f.Suggestion += fmt.Sprintf("no fix is offered: it would have %d edits", len(fix.Edits))
}

// resolveFix puts the edits of a fix where they are in the file. It returns nil for a fix
// of a text that no file holds, and for one with too many edits.
func (s *collector) resolveFix(fix *lint.SuggestedFix) *lint.Fix {
	if fix == nil || len(fix.Edits) > maxFixEdits || s.moreEdits+len(fix.Edits)-1 > maxMoreEdits {
		return nil
	}
	s.moreEdits += len(fix.Edits) - 1
	out := &lint.Fix{Description: fix.Description, Unsafe: fix.Unsafe, Edits: make([]lint.Edit, len(fix.Edits))}
	for i := range fix.Edits {
		e := &fix.Edits[i]
		r := rangeOf(e.At)
		if r == nil {
			return nil
		}
		out.Edits[i] = lint.Edit{Range: *r, Text: e.At.Text.Encode(e.Text)}
	}
	return out
}

// limitEdits removes fixes from a report that have too many edits together.
func limitEdits(rep *lint.Report) {
	more, removed := 0, 0
	for i, f := range rep.Findings {
		if f.Fix == nil || len(f.Fix.Edits) <= 1 {
			continue
		}
		if more+len(f.Fix.Edits)-1 > maxMoreEdits {
			without := *f
			without.Fix = nil
			rep.Findings[i] = &without
			removed++
			continue
		}
		more += len(f.Fix.Edits) - 1
	}
	if removed > 0 {
		rep.Notices = append(rep.Notices, fmt.Sprintf("%s too many edits together: make those of the report, and check again", text.Count(removed, "fix is not offered, because the fixes have", "fixes are not offered, because they have")))
	}
}
