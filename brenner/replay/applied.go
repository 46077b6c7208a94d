package replay

import (
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/source"
)

// maxAppliedRejects bounds how often a window is merged again because another rejected
// delta shows in what was published.
const maxAppliedRejects = 3

// appliedReject is a rejected delta that was published anyway.
type appliedReject struct {
	delta *Delta
	at    source.Span // of what shows it
	item  brenner.ItemID
}

// detectAppliedRejects finds the rejected deltas that the publisher applied, applies
// them too, and continues comparing (decisions.md 25). It pairs the items.
func (c *publicationChecker) detectAppliedRejects() {
	rejected := c.detectTogether(readable(slices.Concat(c.w.Rejected, c.w.hidden)))
	c.pair(c.candidates(rejected))
	for range maxAppliedRejects {
		found := c.shown(rejected)
		if len(found) == 0 {
			return
		}
		c.rejects = append(c.rejects, found...)
		rejected = c.mergeRejects(rejected)
		c.pair(c.candidates(rejected))
	}
	c.pair(nil)
}

// mergeRejects merges the window with the rejected deltas that were applied; it
// returns the others.
func (c *publicationChecker) mergeRejects(rejected []*Delta) []*Delta {
	opts := c.r.mergeOptions()
	opts.Unlimited = map[*merge.Delta]bool{}
	deltas := make([]*merge.Delta, 0, len(c.w.strict.Log)+len(c.rejects))
	for _, a := range c.rejects {
		opts.Unlimited[a.delta.merge] = true
		deltas = append(deltas, c.late(a.delta))
	}
	for i := range c.w.strict.Log {
		if d := c.w.strict.Log[i].Delta; !opts.Unlimited[d] {
			deltas = append(deltas, d)
		}
	}
	c.w.result = merge.Merge(c.w.base, deltas, opts)
	c.Want = c.w.result.State
	return slices.DeleteFunc(slices.Clone(rejected), func(d *Delta) bool { return opts.Unlimited[d.merge] })
}

// late returns an applied reject as the publisher must have applied it: one that named
// an item before it was added, after all others.
func (c *publicationChecker) late(d *Delta) *merge.Delta {
	log := c.w.strict.Log
	if !d.lacksTarget() || len(log) == 0 {
		return d.merge
	}
	out := *d.merge
	out.Time = log[len(log)-1].Delta.Time.Add(1)
	return &out
}

// readable returns the rejected deltas that a lenient compiler can read.
func readable(rejected []*Delta) []*Delta {
	var out []*Delta
	for _, d := range rejected {
		if d.merge == nil {
			read := d.Lenient()
			if read == nil || read.Operation == 0 || read.Section == 0 {
				continue
			}
			d.enter(read)
		}
		if d.Rejected() == nil || d.merge.Payload != nil || d.merge.Operation == brenner.Kill {
			out = append(out, d)
		}
	}
	return out
}

// lacksTarget reports whether a delta was rejected because the item it names does not
// exist.
func (d *Delta) lacksTarget() bool {
	return d.Rejection != nil && d.Rejection.Refusal != nil && d.Rejection.Refusal.Reason == merge.NoTarget
}

// candidates returns the items that rejected ADDs would have added.
func (c *publicationChecker) candidates(rejected []*Delta) *diff.Candidates {
	var out []diff.Candidate
	for _, d := range rejected {
		if d.merge == nil || d.merge.Operation != brenner.Add {
			continue
		}
		fields := d.merge.Payload
		if d.merge.Section == brenner.PredictionsTable {
			fields = c.after(nil, d.merge).Fields()
		}
		out = append(out, diff.Candidate{Section: d.merge.Section, Fields: fields, Source: d})
	}
	return diff.NewCandidates(out)
}

// shown returns the rejected deltas that show in what was published.
func (c *publicationChecker) shown(rejected []*Delta) []appliedReject {
	if len(rejected) == 0 {
		return nil
	}
	var out []appliedReject
	byID := map[brenner.ItemID]*diff.Pair{}
	for sec := range c.pairs {
		for i := range c.pairs[sec] {
			p := &c.pairs[sec][i]
			switch {
			case p.Candidate != nil:
				out = append(out, appliedReject{p.Candidate.Source.(*Delta), p.Item.Heading, p.Item.ID})
			case !p.Published():
			case p.Want != nil:
				byID[p.Want.ID] = p
			default:
				byID[p.Item.ID] = p
			}
		}
	}
	killed := map[*diff.Pair]int{} // one KILL explains that an item is killed: the one that fits best
	for _, d := range rejected {
		p := byID[d.merge.Target]
		if p == nil || d.merge.Operation == brenner.Add {
			continue
		}
		at, ok := c.shows(p, d.merge)
		if !ok {
			continue
		}
		found := appliedReject{d, at, p.Item.ID}
		if d.merge.Operation == brenner.Kill {
			if n, known := killed[p]; known {
				if fitsBetter(p.Item.Kill(), d.merge, out[n].delta.merge) {
					out[n] = found
				}
				continue
			}
			killed[p] = len(out)
		}
		out = append(out, found)
	}
	return out
}

// fitsBetter reports whether a KILL fits better what is published than another one does.
func fitsBetter(got *state.Kill, d, than *merge.Delta) bool {
	fit := func(d *merge.Delta) (n int) {
		if got.Reason != "" && !diff.TextDiffers(d.Reason, got.Reason) {
			n += 2
		}
		if d.Time.Equal(got.At) {
			n++
		}
		return n
	}
	return fit(d) > fit(than)
}

// shows reports whether a rejected EDIT or KILL explains what is published of an item
// but not replayed, and where.
func (c *publicationChecker) shows(p *diff.Pair, d *merge.Delta) (source.Span, bool) {
	if p.Want == nil {
		if d.Operation != brenner.Edit || !holds(p.Got(), d.Payload) {
			return source.Span{}, false
		}
		put(&c.made, p.Item.ID, true)
		return p.Item.Heading, true
	}
	if kill := merge.OriginOf(p.Want).Killed; !p.Want.Active() && (kill == nil || !follows(kill, d)) {
		return source.Span{}, false
	}
	if d.Operation == brenner.Kill {
		return p.Item.Heading, p.Item.Killed && !diff.TextDiffers(d.Agent, p.Item.KilledBy) && (p.Want.Active() || c.leaves(p, d))
	}
	after := c.after(p.Want, d)
	at, changed := source.Span{}, false
	for i := range p.Want.ID.Section.Fields() {
		f := &p.Want.ID.Section.Fields()[i]
		v := after.Fields()[f.Key]
		if diff.Same(p.Want.ID.Section, f, p.Want.Fields()[f.Key], v) || c.overwritten(p.Want, f.Key, d) && !unitedIn(p, d, f.Key) {
			continue // it does not show there
		}
		if p.Item.Killed && state.NormalValue(p.Want.ID.Section, f, p.Got().Fields()[f.Key]) == nil {
			continue // a killed item may be shown with less
		}
		if !diff.Same(p.Want.ID.Section, f, v, p.Got().Fields()[f.Key]) && !unitedIn(p, d, f.Key) {
			return source.Span{}, false
		}
		if pf := p.Item.Field(f.Key); !changed && pf != nil {
			at = pf.Value
		}
		changed = true
	}
	if at.Empty() {
		at = p.Item.Heading
	}
	return at, changed
}

// leaves reports whether a rejected KILL of an item that another one kills later explains
// what is published of it: its agent or reason is what is left of it (decisions.md 89).
func (c *publicationChecker) leaves(p *diff.Pair, d *merge.Delta) bool {
	want, got := p.Want.Killed, p.Item.Kill()
	if diff.TextDiffers(d.Reason, got.Reason) {
		return false
	}
	return diff.TextDiffers(want.By, got.By) || diff.TextDiffers(want.Reason, got.Reason)
}

// unitedIn reports whether what a rejected EDIT adds to an array is published in another
// order, among what others add.
func unitedIn(p *diff.Pair, d *merge.Delta, key string) bool {
	if !merge.Unites(d.Operation, d.Payload, key) {
		return false
	}
	members := func(v any) map[string]bool {
		list, _ := v.([]any)
		set := make(map[string]bool, len(list))
		for _, e := range list {
			set[state.Fold(state.Plain(e))] = true
		}
		return set
	}
	want, got, added := members(p.Want.Fields()[key]), members(p.Got().Fields()[key]), members(d.Payload[key])
	for e := range got {
		if !want[e] && !added[e] {
			return false
		}
	}
	n := 0
	for e := range added {
		if !want[e] && !got[e] {
			return false
		} else if !want[e] {
			n++
		}
	}
	return n > 0
}

// after returns an item as a delta changes it, or adds it where there is none. Outcomes of
// hypotheses that the window kills are N/A, whenever it does (decisions.md 22).
func (c *publicationChecker) after(it *state.Item, d *merge.Delta) *state.Item {
	base := &state.State{}
	if d.Section != brenner.HypothesisSlate {
		base.Replace(brenner.HypothesisSlate, c.Want)
	}
	if it != nil {
		base.Add(state.NewItem(it.ID, maps.Clone(it.Fields())))
	}
	res := merge.Merge(base, []*merge.Delta{d}, merge.Options{})
	if it == nil {
		return res.State.Find(res.Log[0].Item)
	}
	return res.State.Find(it.ID)
}

// overwritten reports whether a later delta of the window also sets a field that a
// rejected one sets: then it does not show in that field (decisions.md 49).
func (c *publicationChecker) overwritten(it *state.Item, key string, d *merge.Delta) bool {
	last := merge.OriginOf(it).Field(key)
	return last != nil && !of(d).lacksTarget() && follows(last, d)
}

// holds reports whether an item has all values of a payload.
func holds(it *state.Item, payload map[string]any) bool {
	n := 0
	for key, v := range payload {
		if f := it.ID.Section.Field(key); f != nil && f.Kind != brenner.ReferenceField {
			if !diff.Same(it.ID.Section, f, v, it.Fields()[key]) {
				return false
			}
			if state.NormalValue(it.ID.Section, f, v) != nil {
				n++
			}
		}
	}
	return n > 0
}
