package replay

import (
	"fmt"

	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
)

// MergePreview is what the next merge will make of the deltas of the thread's last
// message, a line each: the answer to a draft.
func (r *Thread) MergePreview() []string {
	messages := r.Thread.Messages
	if len(messages) == 0 || r.Pending.Unread {
		return nil
	}
	fate := map[*merge.Delta]*merge.Entry{}
	for i := range r.Pending.result.Log {
		e := &r.Pending.result.Log[i]
		fate[e.Delta] = e
	}
	var out []string
	for _, d := range r.Pending.Deltas {
		if d.In != messages[len(messages)-1] {
			continue
		}
		line := fmt.Sprintf("delta %d: ", d.Index)
		e := fate[d.merge]
		switch {
		case d.RejectedBy != "":
			line += "would be rejected (" + d.RejectedBy + ")"
		case e == nil:
			line += "would not be read"
		default:
			line += preview(e)
		}
		out = append(out, line)
	}
	return out
}

func preview(e *merge.Entry) string {
	switch e.Outcome {
	case merge.Rejected:
		rule, _ := refused(e)
		return "would be rejected (" + rule + ")"
	case merge.Skipped:
		return "would be skipped: " + e.Item.String() + " is killed"
	case merge.Dropped:
		return "would be dropped: " + e.Item.String() + " is killed at the same instant"
	case merge.Unchanged:
		return "would change nothing"
	}
	switch e.Delta.Operation {
	case protocol.Add:
		return "this ADD becomes " + e.Item.String()
	case protocol.Kill:
		return "kills " + e.Item.String()
	default:
		return "edits " + e.Item.String()
	}
}
