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

// A publisher may have merged deltas that had to be rejected, or tied ones in another
// order. The window is merged again as it seems to have been, so that nothing that
// follows is reported (decisions.md 25, 49, 84, 87 and 89).

const (
	// maxAppliedRejects bounds how often a window is merged again because another rejected
	// delta shows in what was published.
	maxAppliedRejects = 3
	// maxTrials bounds how often a window is merged again to find out whether that explains
	// what was published.
	maxTrials = 4
)

// appliedReject is a rejected delta that was published anyway.
type appliedReject struct {
	delta *Delta
	at    source.Span // of what shows it
	item  brenner.ItemID
}

// detectAppliedRejects finds how the publisher merged the window, and pairs the items.
func (c *publicationChecker) detectAppliedRejects() {
	rejected := readable(slices.Concat(c.w.Rejected, c.w.hidden))
	c.pair(nil)
	c.detectOrder()
	if len(rejected) == 0 {
		return
	}
	c.detectHidden()
	c.detectShifting(rejected)
	if len(c.rejects) > 0 {
		rejected = c.mergeRejects(rejected)
	}
	for range maxAppliedRejects {
		c.pair(c.candidates(rejected))
		found := c.shown(rejected)
		if len(found) == 0 {
			return
		}
		c.rejects = append(c.rejects, found...)
		rejected = c.mergeRejects(rejected)
	}
	c.pair(nil)
}

// detectOrder finds out whether tied ADDs were merged in the other order, which a later
// EDIT may hide.
func (c *publicationChecker) detectOrder() {
	tried := 0
	for i := range c.w.strict.Ties {
		other := c.w.strict.Ties[i].Swapped
		if other == nil || tried == maxTrials {
			continue
		}
		tried++
		before := c.misfit(brenner.Sections[:])
		if before == 0 {
			return
		}
		c.use(other)
		if c.pair(nil); c.misfit(brenner.Sections[:]) < before {
			return
		}
		c.use(c.w.strict)
		c.pair(nil)
	}
}

// use takes a result as what the publisher merged.
func (c *publicationChecker) use(res *merge.Result) { c.w.result, c.Want = res, res.State }

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
	c.use(merge.Merge(c.w.base, deltas, opts))
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

// detectHidden applies all deltas of a message whose subject hid them, if they explain
// what was published: later ones may have overwritten each.
func (c *publicationChecker) detectHidden() {
	var hidden [][]*Delta
	for _, d := range c.w.hidden {
		if n := len(hidden); n == 0 || hidden[n-1][0].In != d.In {
			hidden = append(hidden, nil)
		}
		hidden[len(hidden)-1] = append(hidden[len(hidden)-1], d)
	}
	for _, ds := range hidden[:min(len(hidden), maxTrials)] {
		ds = readable(ds)
		var shown []*Delta
		all := func() bool {
			shown = slices.DeleteFunc(slices.Clone(ds), func(d *Delta) bool { return d.merge.Operation == brenner.Add && c.added(d) == nil })
			return len(shown) == len(ds)
		}
		if !c.try(ds, brenner.Sections[:], all) && len(shown) > 0 && len(shown) < len(ds) {
			ds = shown
			c.try(ds, brenner.Sections[:], all)
		}
	}
	for i := range c.rejects {
		c.rejects[i].at, c.rejects[i].item = c.placeOf(c.rejects[i].delta)
	}
}

// placeOf returns what shows an applied delta, or the first heading if nothing does.
func (c *publicationChecker) placeOf(d *Delta) (source.Span, brenner.ItemID) {
	if p := c.added(d); p != nil {
		return p.Item.Heading, p.Item.ID
	}
	for i := range c.pairs[d.merge.Section] {
		if p := &c.pairs[d.merge.Section][i]; p.Want != nil && p.Want.ID == d.merge.Target && p.Published() {
			return p.Item.Heading, p.Item.ID
		}
	}
	return c.Artifact.Sections[0].Heading, brenner.ItemID{}
}

// detectShifting applies the rejected ADDs without which the ids of a section are
// shifted: a later EDIT that names an item by its published id then changes another
// one, which hides the ADD.
func (c *publicationChecker) detectShifting(rejected []*Delta) {
	edits, done, tried := c.lastEdits(), map[*Delta]bool{}, 0
	for _, f := range c.rejects {
		done[f.delta] = true
	}
	for _, d := range rejected {
		last := edits[d.merge.Section]
		if d.merge.Operation != brenner.Add || tried == maxTrials || done[d] || last == nil || !follows(last, d.merge) {
			continue
		}
		tried++
		var shown *diff.Pair
		if c.try([]*Delta{d}, []brenner.Section{d.merge.Section}, func() bool { shown = c.added(d); return shown != nil }) {
			a := &c.rejects[len(c.rejects)-1]
			a.at, a.item = shown.Item.Heading, shown.Item.ID
		}
	}
}

// try applies deltas, and keeps them if they show and the published sections then
// differ less from the merge.
func (c *publicationChecker) try(ds []*Delta, secs []brenner.Section, shows func() bool) bool {
	before, result, rejects := c.misfit(secs), c.w.result, c.rejects
	if before == 0 || len(ds) == 0 {
		return false
	}
	c.rejects = slices.Clip(c.rejects)
	for _, d := range ds {
		c.rejects = append(c.rejects, appliedReject{delta: d})
	}
	c.mergeRejects(nil)
	c.pair(nil)
	if shows() && c.misfit(secs) < before {
		return true
	}
	c.rejects = rejects
	c.use(result)
	c.pair(nil)
	return false
}

// lastEdits returns, by section, the last EDITs of items that the window added: a
// rejected ADD may have shifted their ids.
func (c *publicationChecker) lastEdits() map[brenner.Section]*merge.Delta {
	out := map[brenner.Section]*merge.Delta{}
	for i := range c.w.strict.Log {
		if d := c.w.strict.Log[i].Delta; d.Operation == brenner.Edit && d.Target.Number > c.w.base.Highest(d.Target.Section) {
			out[d.Target.Section] = d
		}
	}
	return out
}

// added returns the published item that is like what an applied ADD added, or nil.
func (c *publicationChecker) added(d *Delta) *diff.Pair {
	for i := range c.w.result.Log {
		e := &c.w.result.Log[i]
		if e.Delta != d.merge {
			continue
		}
		for j := range c.pairs[d.merge.Section] {
			if p := &c.pairs[d.merge.Section][j]; p.Want != nil && p.Want.ID == e.Item && p.Published() && p.Like(d.merge.Payload) {
				return p
			}
		}
	}
	return nil
}

// misfit measures by how much published sections differ from the merge: an item on one
// side only counts as much as all fields of one.
func (c *publicationChecker) misfit(secs []brenner.Section) int {
	n := 0
	for _, sec := range secs {
		for i := range c.pairs[sec] {
			p := &c.pairs[sec][i]
			switch {
			case p.Published() && p.Want != nil:
				n += len(c.Fields(p))
				if p.KilledOnOneSide() {
					n++
				}
			case p.Item == nil && diff.Visible(p.Want), p.Want == nil && p.Published():
				n += len(sec.Fields())
			}
		}
	}
	return n
}

// candidates returns the items that rejected ADDs would have added.
func (c *publicationChecker) candidates(rejected []*Delta) *diff.Candidates {
	var out []diff.Candidate
	for _, d := range rejected {
		if d.merge.Operation != brenner.Add {
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

// shown returns the rejected deltas that show in what was published. What several of one
// item explain, the one that fits best explains (decisions.md 89).
func (c *publicationChecker) shown(rejected []*Delta) []appliedReject {
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
	type shown struct {
		appliedReject
		place int // among the rejected
		parts []string
	}
	byPair := map[*diff.Pair][]shown{}
	var fit []shown
	for i, d := range rejected {
		if p := byID[d.merge.Target]; p != nil && d.merge.Operation != brenner.Add {
			if at, parts := c.shows(p, d.merge); len(parts) > 0 {
				byPair[p] = append(byPair[p], shown{appliedReject{d, at, p.Item.ID}, i, parts})
			}
		}
	}
	for p, all := range byPair {
		slices.SortStableFunc(all, func(a, b shown) int {
			if n := len(b.parts) - len(a.parts); n != 0 {
				return n
			}
			return killFit(p.Item.Kill(), b.delta.merge) - killFit(p.Item.Kill(), a.delta.merge)
		})
		explained := map[string]bool{}
		for _, s := range all {
			n := len(explained)
			for _, part := range s.parts {
				explained[part] = true
			}
			if len(explained) > n {
				fit = append(fit, s)
			}
		}
	}
	slices.SortFunc(fit, func(a, b shown) int { return a.place - b.place })
	for _, s := range fit {
		out = append(out, s.appliedReject)
	}
	return out
}

// killFit measures how well a KILL fits what is published.
func killFit(got *state.Kill, d *merge.Delta) (n int) {
	if d.Operation != brenner.Kill || got == nil {
		return 0
	}
	if !diff.TextDiffers(d.Agent, got.By) {
		n += 4
	}
	if got.Reason != "" && !diff.TextDiffers(d.Reason, got.Reason) {
		n += 2
	}
	if d.Time.Equal(got.At) {
		n++
	}
	return n
}

// shows returns what of a published item, which is not replayed, a rejected EDIT or KILL
// explains, and where the first of it is: its KILL, fields and members of arrays.
func (c *publicationChecker) shows(p *diff.Pair, d *merge.Delta) (at source.Span, parts []string) {
	if p.Want == nil {
		if d.Operation != brenner.Edit || !holds(p.Got(), d.Payload) {
			return at, nil
		}
		put(&c.made, p.Item.ID, true)
		return p.Item.Heading, slices.Sorted(maps.Keys(d.Payload))
	}
	if kill := merge.OriginOf(p.Want).Killed; !p.Want.Active() && (kill == nil || !follows(kill, d)) {
		return at, nil
	}
	if d.Operation == brenner.Kill {
		if c.showsKill(p, d) {
			return p.Item.Heading, []string{""}
		}
		return at, nil
	}
	after := c.after(p.Want, d)
	for i := range p.Want.ID.Section.Fields() {
		f := &p.Want.ID.Section.Fields()[i]
		v := after.Fields()[f.Key]
		members, last := unitedIn(p, d, f.Key), c.overwrites(p.Want, f.Key, d)
		if diff.Same(p.Want.ID.Section, f, p.Want.Fields()[f.Key], v) ||
			last != nil && (len(members) == 0 || !merge.Unites(last.Operation, last.Payload, f.Key)) {
			continue // it does not show there
		}
		if p.Item.Killed && state.NormalValue(p.Want.ID.Section, f, p.Got().Fields()[f.Key]) == nil {
			continue // a killed item may be shown with less
		}
		if len(members) == 0 {
			if !diff.Same(p.Want.ID.Section, f, v, p.Got().Fields()[f.Key]) {
				return at, nil
			}
			members = []string{""}
		}
		if pf := p.Item.Field(f.Key); len(parts) == 0 && pf != nil {
			at = pf.Value
		}
		for _, m := range members {
			parts = append(parts, f.Key+" "+m)
		}
	}
	if at.Empty() {
		at = p.Item.Heading
	}
	return at, parts
}

// showsKill reports whether a rejected KILL explains that an item is published as killed:
// by its agent or reason; if another one kills the item later, by what is left of it.
func (c *publicationChecker) showsKill(p *diff.Pair, d *merge.Delta) bool {
	got := p.Item.Kill()
	switch {
	case !p.Item.Killed:
		return false
	case p.Want.Active():
		return !diff.TextDiffers(d.Agent, got.By) || d.Reason != "" && got.Reason != "" && !diff.TextDiffers(d.Reason, got.Reason)
	}
	fits, left := killParts(p, p.Want.Killed, d)
	return fits && left
}

// killParts reports whether agent, time and reason of a published KILL are each those of a
// KILL or of a rejected delta, and whether some are those of the delta only.
func killParts(p *diff.Pair, want *state.Kill, d *merge.Delta) (fits, left bool) {
	got := p.Item.Kill()
	fits = true
	for _, differ := range [...][2]bool{
		{diff.TextDiffers(want.By, got.By), diff.TextDiffers(d.Agent, got.By)},
		{diff.TextDiffers(want.Reason, got.Reason), diff.TextDiffers(d.Reason, got.Reason)},
		{p.KilledAtDiffers(want.At), p.KilledAtDiffers(d.Time)},
	} {
		fits = fits && !(differ[0] && differ[1])
		left = left || differ[0] && !differ[1]
	}
	return fits, left
}

// unitedIn returns what a rejected EDIT adds to an array, if all of it is published, in
// whichever order.
func unitedIn(p *diff.Pair, d *merge.Delta, key string) (added []string) {
	if !merge.Unites(d.Operation, d.Payload, key) {
		return nil
	}
	members := func(v any) map[string]bool {
		list, _ := v.([]any)
		set := make(map[string]bool, len(list))
		for _, e := range list {
			set[state.Fold(state.Plain(e))] = true
		}
		return set
	}
	want, got := members(p.Want.Fields()[key]), members(p.Got().Fields()[key])
	for _, e := range slices.Sorted(maps.Keys(members(d.Payload[key]))) {
		switch {
		case want[e]:
		case !got[e]:
			return nil
		default:
			added = append(added, e)
		}
	}
	return added
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

// overwrites returns the later delta of the window that also sets a field that a rejected
// one sets; nil if there is none (decisions.md 49).
func (c *publicationChecker) overwrites(it *state.Item, key string, d *merge.Delta) *merge.Delta {
	if last := merge.OriginOf(it).Field(key); last != nil && !of(d).lacksTarget() && follows(last, d) {
		return last
	}
	return nil
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
