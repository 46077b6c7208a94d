package report

import (
	"fmt"

	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/result"
)

// MergePreview says what the merge would make of each delta of a draft, a line
// each.
func MergePreview(r *result.Report) []string {
	out := make([]string, len(r.MergePreview))
	for i := range r.MergePreview {
		d := &r.MergePreview[i]
		out[i] = fmt.Sprintf("delta %d: %s", d.Delta, previewLine(d))
	}
	return out
}

func previewLine(d *result.DeltaPreview) string {
	switch {
	case d.Outcome == merge.Rejected && d.RejectedBy == "":
		return "would be rejected"
	case d.RejectedBy != "":
		return "would be rejected (" + d.RejectedBy + ")"
	case d.Outcome == 0:
		return "would not be read"
	case d.Outcome == merge.Skipped:
		return "would be skipped: " + d.Item.String() + " is killed"
	case d.Outcome == merge.Dropped:
		return "would be dropped: " + d.Item.String() + " is killed at the same instant"
	case d.Outcome == merge.Unchanged:
		return "would change nothing"
	}
	switch d.Operation {
	case protocol.Add:
		return "this ADD becomes " + d.Item.String()
	case protocol.Kill:
		return "kills " + d.Item.String()
	default:
		return "edits " + d.Item.String()
	}
}
