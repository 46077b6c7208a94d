package replay

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
)

// refused names the rule by which the merge refused a delta, and says why.
func refused(e *merge.Entry) (rule, message string) {
	d, r := e.Delta, e.Refusal
	target := targetName(d)
	switch r.Reason {
	case merge.NoTarget:
		return "MR-001", fmt.Sprintf("%s names %s, but %s %s at this point", d.Operation, target, d.Section, holding(r))
	case merge.TargetKilled:
		return "MR-002", fmt.Sprintf("EDIT names %s, but %s: killed items are not edited", target, r.Kill.Sentence())
	case merge.SectionFull:
		return "MR-003", fmt.Sprintf("ADD would make %d active %s: %s holds %d, and at most %d are allowed",
			r.Active+1, d.Section.Plural(), d.Section, r.Active, d.Section.Maximum())
	default:
		return "DL-009", "ADD to research_thread: there is exactly one, which EDIT makes and changes"
	}
}

// targetName is the target of a delta; a number that no item can have is shown as
// it was written.
func targetName(d *merge.Delta) string {
	if d.Target.Number > protocol.MaxItemNumber {
		return strings.Trim(wording.Quote(of(d).TargetID), `"`)
	}
	return d.Target.String()
}

// holding says which items a section held when a delta was refused.
func holding(r *merge.Refusal) string {
	switch r.Items {
	case 0:
		return "is empty"
	case 1:
		return fmt.Sprintf("holds only %s", r.First)
	case 2:
		return fmt.Sprintf("holds only %s and %s", r.First, r.Last)
	}
	return fmt.Sprintf("holds %s to %s", r.First, r.Last)
}
