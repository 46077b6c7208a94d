package replay

import (
	"cmp"
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

// findRejects finds how the publisher merged the window, and pairs the items.
func (p *publication) findRejects() {
	p.pair(nil)
	p.findOrder()
	rejected := applicable(slices.Concat(p.w.Rejected, p.w.hidden))
	if len(rejected) == 0 {
		return
	}
	p.findHidden()
	p.findShifting(rejected)
	for i := range p.rejects {
		p.rejects[i].at, p.rejects[i].item = p.placeOf(p.rejects[i].delta)
	}
	for range maxAppliedRejects {
		rejected = slices.DeleteFunc(rejected, func(d *Delta) bool { return p.applied[d.merge] })
		p.pair(p.candidates(rejected))
		found := p.findShown(rejected)
		if len(found) == 0 {
			return
		}
		p.mergeWith(append(p.rejects, found...))
	}
	p.pair(nil)
}

// applicable returns the deltas that a lenient compiler can apply.
func applicable(ds []*Delta) []*Delta {
	return slices.DeleteFunc(slices.Clone(ds), func(d *Delta) bool {
		return d.merge == nil || d.Rejected() != nil && d.merge.Payload == nil && d.merge.Operation != brenner.Kill
	})
}

// findOrder finds out whether tied ADDs were merged in the other order, which a later
// EDIT may hide.
func (p *publication) findOrder() {
	tried := 0
	for i := range p.w.strict.Ties {
		other := p.w.strict.Ties[i].Swapped
		if other == nil || tried == maxTrials {
			continue
		}
		tried++
		if p.try(brenner.Sections[:], func() { p.use(other) }, func() bool { return true }) {
			return
		}
	}
}

// use takes a result as what the publisher merged.
func (p *publication) use(res *merge.Result) { p.w.result, p.Want = res, res.State }

// mergeWith merges the window with rejected deltas that were applied. One that named an item
// before it was added must have been applied after all others.
func (p *publication) mergeWith(rejects []appliedReject) {
	p.rejects, p.applied = rejects, map[*merge.Delta]bool{}
	opts := merge.Options{Priority: p.r.opts.Priority, Unlimited: p.applied}
	log := p.w.strict.Log
	deltas := make([]*merge.Delta, 0, len(log)+len(rejects))
	for _, a := range rejects {
		d := a.delta.merge
		if p.applied[d] = true; a.delta.lacksTarget() && len(log) > 0 {
			late := *d
			late.Time = log[len(log)-1].Delta.Time.Add(1)
			d = &late
		}
		deltas = append(deltas, d)
	}
	for i := range log {
		if d := log[i].Delta; !p.applied[d] {
			deltas = append(deltas, d)
		}
	}
	p.use(merge.Merge(p.w.base, deltas, opts))
}

// lacksTarget reports whether a delta was rejected because the item it names does not
// exist.
func (d *Delta) lacksTarget() bool {
	return d.Entry != nil && d.Entry.Refusal != nil && d.Entry.Refusal.Reason == merge.NoTarget
}

// findHidden applies all deltas of a message whose subject hid them, if they explain
// what was published: later ones may have overwritten each.
func (p *publication) findHidden() {
	var messages [][]*Delta
	for i, d := range p.w.hidden {
		if i == 0 || p.w.hidden[i-1].In != d.In {
			messages = append(messages, nil)
		}
		n := len(messages) - 1
		messages[n] = append(messages[n], d)
	}
	for _, ds := range messages[:min(len(messages), maxTrials)] {
		ds = applicable(ds)
		var shown []*Delta
		all := func() bool {
			shown = slices.DeleteFunc(slices.Clone(ds), func(d *Delta) bool { return d.merge.Operation == brenner.Add && p.added(d) == nil })
			return len(shown) == len(ds)
		}
		if !p.tryToApply(ds, brenner.Sections[:], all) && len(shown) > 0 && len(shown) < len(ds) {
			ds = shown
			p.tryToApply(ds, brenner.Sections[:], all)
		}
	}
}

// findShifting applies the rejected ADDs without which the ids of a section are
// shifted: a later EDIT that names an item by its published id then changes another
// one, which hides the ADD.
func (p *publication) findShifting(rejected []*Delta) {
	edits := map[brenner.Section]*merge.Delta{} // the last ones of items that the window added
	for i := range p.w.strict.Log {
		if d := p.w.strict.Log[i].Delta; d.Operation == brenner.Edit && d.Target.Number > p.w.base.Highest(d.Target.Section) {
			edits[d.Target.Section] = d
		}
	}
	tried, alreadyApplied := 0, p.applied
	for _, d := range rejected {
		last := edits[d.merge.Section]
		if d.merge.Operation != brenner.Add || tried == maxTrials || alreadyApplied[d.merge] || last == nil || !follows(last, d.merge) {
			continue
		}
		tried++
		p.tryToApply([]*Delta{d}, []brenner.Section{d.merge.Section}, func() bool { return p.added(d) != nil })
	}
}

// try merges the window in another way, and keeps that if it shows and the published sections
// then differ less from the merge. Else everything is again as it was.
func (p *publication) try(secs []brenner.Section, remerge func(), shows func() bool) bool {
	before, result, rejects, applied := p.misfit(secs), p.w.result, p.rejects, p.applied
	if before == 0 {
		return false
	}
	remerge()
	p.pair(nil)
	if shows() && p.misfit(secs) < before {
		return true
	}
	p.rejects, p.applied = rejects, applied
	p.use(result)
	p.pair(nil)
	return false
}

// tryToApply tries whether the publisher applied rejected deltas too.
func (p *publication) tryToApply(ds []*Delta, secs []brenner.Section, shows func() bool) bool {
	with := slices.Clone(p.rejects)
	for _, d := range ds {
		with = append(with, appliedReject{delta: d})
	}
	return len(ds) > 0 && p.try(secs, func() { p.mergeWith(with) }, shows)
}

// placeOf returns what shows an applied delta, or the first heading if nothing does.
func (p *publication) placeOf(d *Delta) (source.Span, brenner.ItemID) {
	o := p.added(d)
	for i := range p.pairs[d.merge.Section] {
		if each := &p.pairs[d.merge.Section][i]; o == nil && each.Want != nil && each.Want.ID == d.merge.Target && each.Published() {
			o = each
		}
	}
	if o == nil {
		return p.Artifact.Sections[0].Heading, brenner.ItemID{}
	}
	return o.Item.Heading, o.Item.ID
}

// added returns the published item that is like what an applied ADD added, or nil.
func (p *publication) added(d *Delta) *diff.Pair {
	for i := range p.pairs[d.merge.Section] {
		o := &p.pairs[d.merge.Section][i]
		if o.Want != nil && merge.OriginOf(o.Want).Added == d.merge && o.Published() && o.Like(d.merge.Payload) {
			return o
		}
	}
	return nil
}

// misfit measures by how much published sections differ from the merge: an item on one
// side only counts as much as all fields of one.
func (p *publication) misfit(secs []brenner.Section) int {
	n := 0
	for _, sec := range secs {
		for i := range p.pairs[sec] {
			o := &p.pairs[sec][i]
			switch {
			case o.Published() && o.Want != nil:
				n += len(p.Fields(o))
				if o.KilledOnOneSide() {
					n++
				}
			case o.Item == nil && diff.Visible(o.Want), o.Want == nil && o.Published():
				n += len(sec.Fields())
			}
		}
	}
	return n
}

// candidates returns the items that rejected ADDs would have added.
func (p *publication) candidates(rejected []*Delta) *diff.Candidates {
	var out []diff.Candidate
	for _, d := range rejected {
		if d.merge.Operation != brenner.Add {
			continue
		}
		fields := d.merge.Payload
		if d.merge.Section == brenner.PredictionsTable {
			fields = p.after(nil, d.merge).Fields()
		}
		out = append(out, diff.Candidate{Section: d.merge.Section, Fields: fields, Source: d})
	}
	return diff.NewCandidates(out)
}

// findShown returns the rejected deltas that show in what was published. If several of one item
// explain the same, only the one that fits best counts (decisions.md 89).
func (p *publication) findShown(rejected []*Delta) []appliedReject {
	var out []appliedReject
	byID := map[brenner.ItemID]*diff.Pair{}
	for sec := range p.pairs {
		for i := range p.pairs[sec] {
			o := &p.pairs[sec][i]
			switch {
			case o.Candidate != nil:
				out = append(out, appliedReject{o.Candidate.Source.(*Delta), o.Item.Heading, o.Item.ID})
			case !o.Published():
			case o.Want != nil:
				byID[o.Want.ID] = o
			default:
				byID[o.Item.ID] = o
			}
		}
	}
	type part struct {
		of   *diff.Pair
		name string
	}
	type fit struct {
		appliedReject
		place int // among the rejected
		kill  int
		parts []part
	}
	var fits []fit
	for i, d := range rejected {
		o := byID[d.merge.Target]
		if o == nil || d.merge.Operation == brenner.Add {
			continue
		}
		at, names := p.explains(o, d.merge)
		f := fit{appliedReject: appliedReject{d, at, o.Item.ID}, place: i, kill: killFit(o.Item.Kill(), d.merge)}
		for _, name := range names {
			f.parts = append(f.parts, part{o, name})
		}
		fits = append(fits, f)
	}
	slices.SortStableFunc(fits, func(a, b fit) int {
		return cmp.Or(cmp.Compare(len(b.parts), len(a.parts)), cmp.Compare(b.kill, a.kill))
	})
	explained := map[part]bool{}
	fits = slices.DeleteFunc(fits, func(f fit) bool {
		n := len(explained)
		for _, each := range f.parts {
			explained[each] = true
		}
		return len(explained) == n
	})
	slices.SortFunc(fits, func(a, b fit) int { return a.place - b.place })
	for _, f := range fits {
		out = append(out, f.appliedReject)
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

// explains returns the parts of a published item that are not as merged and that a rejected EDIT
// or KILL explains, and where the first of them is: its KILL, fields and members of arrays.
func (p *publication) explains(o *diff.Pair, d *merge.Delta) (at source.Span, parts []string) {
	if o.Want == nil {
		if d.Operation != brenner.Edit || !holds(o.Got(), d.Payload) {
			return at, nil
		}
		return o.Item.Heading, slices.Sorted(maps.Keys(d.Payload))
	}
	if kill := merge.OriginOf(o.Want).Killed; !o.Want.Active() && (kill == nil || !follows(kill, d)) {
		return at, nil
	}
	if d.Operation == brenner.Kill {
		if showsKill(o, d) {
			return o.Item.Heading, []string{""}
		}
		return at, nil
	}
	after := p.after(o.Want, d)
	for i := range o.Want.ID.Section.Fields() {
		f := &o.Want.ID.Section.Fields()[i]
		v := after.Fields()[f.Key]
		members, last := unitedIn(o, d, f.Key), overwrites(o.Want, f.Key, d)
		if diff.Same(o.Want.ID.Section, f, o.Want.Fields()[f.Key], v) ||
			last != nil && (len(members) == 0 || !merge.Unites(last.Operation, last.Payload, f.Key)) {
			continue // it does not show there
		}
		if o.Item.Killed && state.NormalValue(o.Want.ID.Section, f, o.Got().Fields()[f.Key]) == nil {
			continue // a killed item may be shown with less
		}
		if len(members) == 0 {
			if !diff.Same(o.Want.ID.Section, f, v, o.Got().Fields()[f.Key]) {
				return at, nil
			}
			members = []string{""}
		}
		if pf := o.Item.Field(f.Key); len(parts) == 0 && pf != nil {
			at = pf.Value
		}
		for _, m := range members {
			parts = append(parts, f.Key+" "+m)
		}
	}
	if at.Empty() {
		at = o.Item.Heading
	}
	return at, parts
}

// showsKill reports whether a rejected KILL explains that an item is published as killed:
// by its agent or reason; if another one kills the item later, by what is left of it.
func showsKill(o *diff.Pair, d *merge.Delta) bool {
	got := o.Item.Kill()
	switch {
	case !o.Item.Killed:
		return false
	case o.Want.Active():
		return !diff.TextDiffers(d.Agent, got.By) || d.Reason != "" && got.Reason != "" && !diff.TextDiffers(d.Reason, got.Reason)
	}
	fits, left := killParts(o, o.Want.Killed, d)
	return fits && left
}

// killParts reports whether agent, time and reason of a published KILL are each those of a
// KILL or of a rejected delta, and whether some are those of the delta only.
func killParts(o *diff.Pair, want *state.Kill, d *merge.Delta) (fits, left bool) {
	got := o.Item.Kill()
	fits = true
	for _, differ := range [...][2]bool{
		{diff.TextDiffers(want.By, got.By), diff.TextDiffers(d.Agent, got.By)},
		{diff.TextDiffers(want.Reason, got.Reason), diff.TextDiffers(d.Reason, got.Reason)},
		{o.KilledAtDiffers(want.At), o.KilledAtDiffers(d.Time)},
	} {
		fits = fits && !(differ[0] && differ[1])
		left = left || differ[0] && !differ[1]
	}
	return fits, left
}

// unitedIn returns what a rejected EDIT adds to an array, if all of it is published, in
// whichever order.
func unitedIn(o *diff.Pair, d *merge.Delta, key string) (added []string) {
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
	want, got := members(o.Want.Fields()[key]), members(o.Got().Fields()[key])
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

// after returns an item after a delta was applied to it; for a nil item, the item that the delta
// adds. Outcomes of all hypotheses that the window kills are N/A (decisions.md 22).
func (p *publication) after(it *state.Item, d *merge.Delta) *state.Item {
	base := &state.State{}
	if d.Section != brenner.HypothesisSlate {
		base.Replace(brenner.HypothesisSlate, p.Want)
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

// overwrites returns the later delta of the window that sets the same field as a rejected one;
// nil if there is none (decisions.md 49).
func overwrites(it *state.Item, key string, d *merge.Delta) *merge.Delta {
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
