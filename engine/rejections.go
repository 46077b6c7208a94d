package engine

import (
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/lint"
)

// preview returns what the next merge would make of the deltas of a draft, the last
// message of a thread.
func (l *ruleList) preview(r *replay.Thread) []lint.DeltaPreview {
	var out []lint.DeltaPreview
	for _, d := range r.MergePreview() {
		p := lint.DeltaPreview{Delta: d.Delta.Index}
		switch e := d.Entry; {
		case d.Rejection != nil:
			p.Outcome = merge.Rejected
			p.RejectedBy, _ = l.RejectedBy(d.Rejection)
		case e != nil:
			p.Outcome, p.Operation, p.Item = e.Outcome, e.Delta.Operation, e.Item
		}
		out = append(out, p)
	}
	return out
}
