package replay

import (
	"cmp"
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/source"
)

// A publisher may have merged deltas that had to be rejected, or tied ones in another
// order. Other readings of the window are tried, so that what follows from such a merge is not
// reported (decisions.md 25, 49, 84, 87 and 89).

const (
	// maxAppliedRejects bounds how often a window is merged again because another rejected
	// delta shows in what was published.
	maxAppliedRejects = 3
	// maxTrials bounds how often a window is merged again to find out whether that explains
	// what was published.
	maxTrials = 4
)

// reading is a way in which a publisher may have merged a window. It pairs the published items
// with the items of that merge.
type reading struct {
	// Comparison compares the artifact with the merged state. Its Omitted has the items that
	// versions left out.
	*diff.Comparison
	merged *merge.Result
	pairs  diff.AllPairs
	// rejects are the rejected deltas that this reading applies; applied is the same as a set.
	rejects []appliedReject
	applied map[*merge.Delta]bool
}

// appliedReject is a rejected delta that was published anyway.
type appliedReject struct {
	delta *merge.Delta
	at    source.Span // of what shows it
	item  brenner.ItemID
}

// with returns the reading that compares the same artifact with another result of the merge.
func (rd *reading) with(res *merge.Result) *reading {
	c := *rd.Comparison
	c.Want = res.State
	return &reading{Comparison: &c, merged: res}
}

// findReading finds the reading of the window that fits best what was published.
func (p *publication) findReading() {
	p.reading.pairs = p.reading.PairAll(nil)
	tried := 0
	for i := range p.w.correct.Ties { // tied ADDs in the other order: a later EDIT may hide the order
		if other := p.w.correct.Ties[i].Swapped; other != nil && tried < maxTrials {
			if tried++; p.try(p.reading.with(other), nil) {
				break
			}
		}
	}
	rejected := applicable(slices.Concat(p.w.Rejected, p.w.hidden))
	if len(rejected) == 0 {
		return
	}
	p.tryTogether(rejected)
	for i := range p.reading.rejects {
		p.reading.rejects[i].at, p.reading.rejects[i].item = p.reading.placeOf(p.reading.rejects[i].delta)
	}
	for range maxAppliedRejects {
		rejected = slices.DeleteFunc(rejected, func(d *merge.Delta) bool { return p.reading.applied[d] })
		p.reading.pairs = p.reading.PairAll(p.candidates(rejected))
		found := p.findShown(rejected)
		if len(found) == 0 {
			return
		}
		// A delta that the state refused may be right once the others are applied: those are applied first.
		isRefused := func(a appliedReject) bool { return deltaOf(a.delta).Entry != nil }
		if others := slices.DeleteFunc(slices.Clone(found), isRefused); len(others) > 0 {
			found = others
		}
		p.reading = p.mergeWith(append(p.reading.rejects, found...))
	}
	p.reading.pairs = p.reading.PairAll(nil)
}

// applicable returns the deltas that a lenient compiler can apply.
func applicable(ds []*Delta) (out []*merge.Delta) {
	for _, d := range ds {
		for _, m := range d.reads {
			if m != nil && (d.Rejected() == nil || m.Payload != nil || m.Operation == brenner.Kill) {
				out = append(out, m)
			}
		}
	}
	return out
}

// tryTogether tries to apply rejected deltas that may not show one by one. Of a message whose
// subject hid them these are all its deltas, because later ones may have overwritten what an
// earlier one alone would show. An ADD may have shifted the ids of its section: if a later EDIT
// names an item by its published id, then without the ADD it changes another item, and that hides
// the ADD.
func (p *publication) tryTogether(rejected []*merge.Delta) {
	edits := map[brenner.Section]*merge.Delta{} // the last ones of items that the window added
	for i := range p.w.correct.Log {
		if d := p.w.correct.Log[i].Delta; d.Operation == brenner.Edit && d.Target.Number > p.w.base.Highest(d.Target.Section) {
			edits[d.Target.Section] = d
		}
	}
	var messages, shifting [][]*merge.Delta
	for i, d := range p.w.hidden {
		if i == 0 || p.w.hidden[i-1].In != d.In {
			messages = append(messages, nil)
		}
		messages[len(messages)-1] = append(messages[len(messages)-1], applicable([]*Delta{d})...)
	}
	for _, d := range rejected {
		if last := edits[d.Section]; d.Operation == brenner.Add && last != nil && follows(last, d) {
			shifting = append(shifting, []*merge.Delta{d})
		}
	}
	for _, ds := range slices.Concat(messages[:min(len(messages), maxTrials)], shifting[:min(len(shifting), maxTrials)]) {
		p.tryToApply(slices.DeleteFunc(ds, func(d *merge.Delta) bool { return p.reading.applied[d] }))
	}
}

// tryToApply tries the reading that applies some rejected deltas too. If that fails, and only some
// of them show in it, it tries the reading that applies those.
func (p *publication) tryToApply(ds []*merge.Delta) {
	if len(ds) == 0 || p.reading.misfit() == 0 {
		return
	}
	with := func(ds []*merge.Delta) *reading {
		rejects := slices.Clone(p.reading.rejects)
		for _, d := range ds {
			rejects = append(rejects, appliedReject{delta: d})
		}
		return p.mergeWith(rejects)
	}
	other := with(ds)
	if p.try(other, ds) {
		return
	}
	shown := slices.DeleteFunc(slices.Clone(ds), func(d *merge.Delta) bool { return !other.shows(d) })
	if 0 < len(shown) && len(shown) < len(ds) {
		p.try(with(shown), shown)
	}
}

// try takes another reading if all the applied deltas show in it, and if what was published
// differs less from it than from the present reading.
func (p *publication) try(other *reading, applied []*merge.Delta) bool {
	other.pairs = other.PairAll(nil)
	hides := slices.ContainsFunc(applied, func(d *merge.Delta) bool { return !other.shows(d) })
	better := !hides && other.misfit() < p.reading.misfit()
	if better {
		p.reading = other
	}
	return better
}

// mergeWith returns the reading that applies rejected deltas too. One that named an item
// before it was added must have been applied after all others.
func (p *publication) mergeWith(rejects []appliedReject) *reading {
	applied := map[*merge.Delta]bool{}
	log := p.w.correct.Log
	deltas := make([]*merge.Delta, 0, len(log)+len(rejects))
	for _, a := range rejects {
		d := a.delta
		if applied[d] = true; lacksTarget(d) && len(log) > 0 {
			late := *d
			late.Time = log[len(log)-1].Delta.Time.Add(1)
			d = &late
		}
		deltas = append(deltas, d)
	}
	for i := range log {
		if d := log[i].Delta; !applied[d] {
			deltas = append(deltas, d)
		}
	}
	out := p.reading.with(merge.Merge(p.w.base, deltas, merge.Options{Priority: p.r.opts.Priority, Unlimited: applied}))
	out.rejects, out.applied = rejects, applied
	return out
}

// lacksTarget reports whether a delta was rejected because the item that it names does not exist.
func lacksTarget(d *merge.Delta) bool {
	e := deltaOf(d).Entry
	return e != nil && e.Refusal != nil && e.Refusal.Reason == merge.NoTarget
}

// placeOf returns the heading and the id of the published item that shows an applied delta, or
// the first heading if none does.
func (rd *reading) placeOf(d *merge.Delta) (source.Span, brenner.ItemID) {
	o := rd.added(d)
	for _, each := range rd.pairs[d.Section] {
		if o == nil && each.Want != nil && each.Want.ID == d.Target && each.Published() {
			o = each
		}
	}
	if o == nil {
		return rd.Artifact.Sections[0].Heading, brenner.ItemID{}
	}
	return o.Item.Heading, o.Item.ID
}

// added returns the published item that is like what an applied ADD added, or that has all values
// that later EDITs gave that, or nil.
func (rd *reading) added(d *merge.Delta) *diff.Pair {
	for _, o := range rd.pairs[d.Section] {
		isIt := func() bool { return o.Like(d.Payload) || o.Like(o.Want.Fields()) && len(rd.Compare(o).Fields) == 0 }
		if o.Want != nil && merge.OriginOf(o.Want).Added == d && o.Published() && isIt() {
			return o
		}
	}
	return nil
}

// shows reports whether an applied delta may have been published. Of an ADD the item must be
// there; of an EDIT or a KILL nothing is known here.
func (rd *reading) shows(d *merge.Delta) bool {
	return d.Operation != brenner.Add || rd.added(d) != nil
}

// misfit measures by how much what was published differs from the merge. An item that only one
// side has counts as if all its fields differed.
func (rd *reading) misfit() (n int) {
	for _, sec := range brenner.Sections {
		for _, o := range rd.pairs[sec] {
			switch {
			case o.Published() && o.Want != nil:
				n += len(rd.Compare(o).Fields)
				if o.KilledOnOneSide() {
					n++
				}
				if o.Want.ID != o.Item.ID {
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
func (p *publication) candidates(rejected []*merge.Delta) (out []*brenner.Item) {
	for _, d := range rejected {
		if d.Operation != brenner.Add {
			continue
		}
		it := brenner.NewItem(brenner.ItemID{Section: d.Section}, d.Payload)
		if d.Section == brenner.PredictionsTable {
			it = p.after(nil, d)
		}
		it.Note = d
		out = append(out, it)
	}
	return out
}

// findShown returns the rejected deltas that show in what was published. If several explain the
// same difference of an item, only the one that fits best counts (decisions.md 89).
func (p *publication) findShown(rejected []*merge.Delta) []appliedReject {
	var out []appliedReject
	byID := map[brenner.ItemID]*diff.Pair{}
	for _, pairs := range p.reading.pairs {
		for _, o := range pairs {
			switch {
			case o.Candidate != nil:
				out = append(out, appliedReject{o.Candidate.Note.(*merge.Delta), o.Item.Heading, o.Item.ID})
			case !o.Published():
			case o.Want != nil:
				byID[o.Want.ID] = o
			default:
				byID[o.Item.ID] = o
			}
		}
	}
	type fit struct {
		appliedReject
		quality int // of two that explain as much, the better one counts
		parts   []fieldPart
	}
	var fits []fit
	for _, d := range rejected {
		if o := byID[d.Target]; o != nil && d.Operation != brenner.Add {
			at, parts := p.explains(o, d)
			quality := len(d.Payload)
			if d.Operation == brenner.Kill && o.Item.Killed {
				quality = 0
				for part, differs := range o.KillParts(d.Killing()) {
					if !differs {
						quality += 4 >> part
					}
				}
			}
			fits = append(fits, fit{appliedReject{d, at, o.Item.ID}, quality, parts})
		}
	}
	slices.SortStableFunc(fits, func(a, b fit) int {
		return cmp.Or(cmp.Compare(len(b.parts), len(a.parts)), cmp.Compare(b.quality, a.quality))
	})
	explained := map[fieldPart]bool{}
	fits = slices.DeleteFunc(fits, func(f fit) bool {
		n := len(explained)
		for _, part := range f.parts {
			explained[part] = true
		}
		return len(explained) == n
	})
	for _, f := range fits {
		out = append(out, f.appliedReject)
	}
	return out
}

// explains returns the parts of a published item (its KILL, fields and members of arrays) that
// are not as merged, but as a rejected EDIT or KILL makes them. at is the place of the first.
func (p *publication) explains(o *diff.Pair, d *merge.Delta) (at source.Span, parts []fieldPart) {
	if o.Want == nil {
		if d.Operation == brenner.Edit && isMadeOf(o, d.Payload) {
			parts = []fieldPart{{item: d.Target}}
		}
		return o.Item.Heading, parts
	}
	if kill := merge.OriginOf(o.Want).Killed; !o.Want.Active() && (kill == nil || !follows(kill, d)) {
		return at, nil
	}
	if d.Operation == brenner.Kill {
		if showsKill(o, d) {
			parts = []fieldPart{{item: d.Target}}
		}
		return o.Item.Heading, parts
	}
	after := p.after(o.Want, d)
	for _, f := range o.Want.ID.Section.Fields() {
		v := after.Fields()[f.Key]
		members, last := unitedIn(o, d, f.Key), overwrites(o.Want, f.Key, d)
		if diff.Same(o.Want.ID.Section, f, o.Want.Fields()[f.Key], v) ||
			last != nil && (len(members) == 0 || !merge.Unites(last.Operation, last.Payload, f.Key)) {
			continue // it does not show there
		}
		if o.Item.Killed && brenner.NormalValue(o.Want.ID.Section, f, o.Got.Fields()[f.Key]) == nil {
			continue // a killed item may be shown with less
		}
		if len(members) == 0 {
			if !diff.Same(o.Want.ID.Section, f, v, o.Got.Fields()[f.Key]) {
				return at, nil
			}
			members = []string{""}
		}
		if pf := o.Item.Field(f.Key); len(parts) == 0 && pf != nil {
			at = pf.Value
		}
		for _, m := range members {
			parts = append(parts, fieldPart{d.Target, f.Key, m})
		}
	}
	if at.Empty() {
		at = o.Item.Heading
	}
	return at, parts
}

// showsKill reports whether a rejected KILL explains that an item is published as killed. Its
// agent or its reason must be there. If a later KILL was merged, some part must be there that
// only the rejected one has.
func showsKill(o *diff.Pair, d *merge.Delta) bool {
	switch {
	case !o.Item.Killed:
		return false
	case o.Want.Active():
		differ := o.KillParts(d.Killing())
		return !differ[0] || o.Got.Killed.Reason != "" && !differ[1]
	}
	fits, left := mixedKill(o, o.Want.Killed, d)
	return fits && left
}

// mixedKill compares the published KILL with a merged and a rejected one. fits reports that each
// part is as in one of the two, left that some are as in the rejected one only.
func mixedKill(o *diff.Pair, want *brenner.Killing, d *merge.Delta) (fits, left bool) {
	fits = true
	rejected := o.KillParts(d.Killing())
	for i, differs := range o.KillParts(want) {
		fits = fits && !(differs && rejected[i])
		left = left || differs && !rejected[i]
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
			set[brenner.Fold(brenner.Plain(e))] = true
		}
		return set
	}
	want, got := members(o.Want.Fields()[key]), members(o.Got.Fields()[key])
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
func (p *publication) after(it *brenner.Item, d *merge.Delta) *brenner.Item {
	base := &brenner.State{}
	if d.Section != brenner.HypothesisSlate {
		base.Replace(brenner.HypothesisSlate, p.reading.Want)
	}
	if it != nil {
		fields := map[string]any{} // those that are compared: it may have very many others
		for _, f := range it.ID.Section.Fields() {
			if v, ok := it.Fields()[f.Key]; ok {
				fields[f.Key] = v
			}
		}
		base.Add(brenner.NewItem(it.ID, fields))
	}
	res := merge.Merge(base, []*merge.Delta{d}, merge.Options{})
	return res.State.Find(res.Log[0].Item)
}

// overwrites returns the later delta of the window that sets the same field as a rejected one;
// nil if there is none (decisions.md 49).
func overwrites(it *brenner.Item, key string, d *merge.Delta) *merge.Delta {
	if last := merge.OriginOf(it).Fields[key]; last != nil && !lacksTarget(d) && follows(last, d) {
		return last
	}
	return nil
}

// isMadeOf reports whether the content of a published item that does not exist is that of an
// EDIT: it has all values of the payload, and either its name or main text is among them, or it
// has neither. Else the item is somebody else's (decisions.md 87 and 89).
func isMadeOf(o *diff.Pair, payload map[string]any) bool {
	it, n := o.Got, 0
	for key, v := range payload {
		if f := it.ID.Section.Field(key); f != nil && f.Kind != brenner.ReferenceField {
			if !diff.Same(it.ID.Section, f, v, it.Fields()[key]) {
				return false
			}
			if brenner.NormalValue(it.ID.Section, f, v) != nil {
				n++
			}
		}
	}
	return n > 0 && (o.Like(payload) || diff.Identify(it.ID.Section, it.Fields()) == diff.Identity{})
}
