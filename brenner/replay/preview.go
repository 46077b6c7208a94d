package replay

import "github.com/brennerlint/brennerlint/brenner/merge"

// DeltaPreview is what the next merge will make of a delta.
type DeltaPreview struct {
	Delta *Delta
	// Rejection is why it would be rejected; else nil.
	Rejection *Rejection
	// Entry is its outcome; nil if it is rejected or would not be read.
	Entry *merge.Entry
}

// MergePreview returns what the next merge will make of the deltas of the thread's last
// message, for checking a draft.
func (r *Thread) MergePreview() []DeltaPreview {
	messages := r.Thread.Messages
	if len(messages) == 0 || r.Pending.Unread {
		return nil
	}
	fate := map[*merge.Delta]*merge.Entry{}
	for i := range r.Pending.result.Log {
		e := &r.Pending.result.Log[i]
		fate[e.Delta] = e
	}
	var out []DeltaPreview
	for _, d := range r.Pending.Deltas {
		if d.In != messages[len(messages)-1] {
			continue
		}
		p := DeltaPreview{Delta: d, Rejection: d.Rejection}
		if d.Rejection == nil {
			p.Entry = fate[d.merge]
		}
		out = append(out, p)
	}
	return out
}
