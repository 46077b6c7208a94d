package replay

import (
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/source"
)

// A publisher may have merged deltas that had to be rejected, or tied ones in another
// order. Other readings of the window are tried: the one counts from which the published artifact differs
// least, so that what follows from such a merge is not reported (decisions.md 25, 49, 84, 87 and 89).

const (
	// maxTied and maxRejected bound how often a window is merged again, with tied deltas in another order and
	// without rejected ones, and maxCompared how many items are compared then. If there are more rejected ones, several
	// are left out together.
	maxTied     = 4
	maxRejected = 32
	maxCompared = 10_000
)

// reading is a way in which a publisher may have merged a window. It pairs the published items
// with the items of that merge.
type reading struct {
	// Comparison compares the artifact with the merged state. Its Omitted has the items that
	// versions left out.
	*diff.Comparison
	merged  *merge.Result
	pairs   diff.AllPairs
	applied map[*merge.Delta]bool       // the rejected deltas that this reading applies
	added   map[*merge.Delta]*diff.Pair // what shows those that are ADDs
}

// with returns the reading that compares the same artifact with another result of the merge.
func (rd *reading) with(res *merge.Result) *reading {
	c := *rd.Comparison
	c.Want = res.State
	out := &reading{Comparison: &c, merged: res, applied: rd.applied, added: map[*merge.Delta]*diff.Pair{}}
	out.pairs = out.PairAll()
	if len(out.applied) == 0 {
		return out
	}
	for _, pairs := range out.pairs {
		for _, o := range pairs {
			if o.Want == nil || !o.Published() {
				continue
			}
			if d := merge.OriginOf(o.Want).Added; out.applied[d] && out.shows(o, d) {
				out.added[d] = o
			}
		}
	}
	return out
}

// findReading finds the reading of the window that fits best what was published.
func (p *publication) findReading() {
	p.reading.pairs = p.reading.PairAll()
	rejected := applicable(slices.Concat(p.w.Rejected, p.w.hidden))
	if len(p.w.correct.Ties)+len(rejected) == 0 {
		return
	}
	misfit := p.misfit(p.reading)
	if len(rejected) > 0 && misfit > 0 {
		other := p.withShown(rejected)
		if n := p.misfit(other); n < misfit {
			p.reading, misfit = other, n
		}
	}
	tied := slices.DeleteFunc(slices.Clone(p.reading.merged.Ties), func(t merge.Tie) bool { return t.Swapped == nil })
	for _, t := range tied[:min(len(tied), maxTied)] { // a later EDIT may hide the order
		if other := p.reading.with(t.Swapped); p.misfit(other) < misfit {
			p.reading = other
			return
		}
	}
}

// withShown returns the reading that applies those of some rejected deltas which show. All are applied, and then left
// out again if the artifact differs no more without them: first those without which it differs least.
func (p *publication) withShown(rejected []*merge.Delta) *reading {
	best := p.mergeWith(rejected)
	isShown := p.identities()
	rejected = slices.DeleteFunc(rejected, func(d *merge.Delta) bool {
		id := diff.Identify(d.Section, d.Payload)
		return best.lacks(d) && !isShown[diff.Identity{Name: id.Name}] && !isShown[diff.Identity{Main: id.Main}]
	})
	slices.Reverse(rejected) // of two that say the same, the last is left out
	without := func(part []*merge.Delta) []*merge.Delta {
		isOut := map[*merge.Delta]bool{}
		for _, d := range part {
			isOut[d] = true
		}
		return slices.DeleteFunc(slices.Clone(rejected), func(d *merge.Delta) bool { return isOut[d] })
	}
	items := 1
	for _, pairs := range best.pairs {
		items += len(pairs)
	}
	most := max(min(maxRejected, maxCompared/items), 1)
	parts := slices.Collect(slices.Chunk(slices.Clone(rejected), len(rejected)/most+1))
	fits := map[*merge.Delta]int{} // by the first of a part
	for _, part := range parts {
		fits[part[0]] = p.misfit(p.mergeWith(without(part)))
	}
	slices.SortStableFunc(parts, func(a, b []*merge.Delta) int {
		return cmp.Or(fits[a[0]]-fits[b[0]], len(a[0].Payload)-len(b[0].Payload))
	})
	best = p.mergeWith(rejected)
	least := p.misfit(best)
	for _, part := range parts {
		rest := without(part)
		other := p.mergeWith(rest)
		if n := p.misfit(other); n <= least || best.lacks(part[0]) {
			best, least, rejected = other, n, rest
		}
	}
	return best
}

// identities returns the names and the main texts of what was published.
func (p *publication) identities() map[diff.Identity]bool {
	out := map[diff.Identity]bool{}
	for sec, pairs := range p.reading.pairs {
		for _, o := range pairs {
			if o.Published() {
				id := diff.Identify(brenner.Section(sec), o.Got.Fields())
				out[diff.Identity{Name: id.Name}], out[diff.Identity{Main: id.Main}] = id.Name != "", id.Main != ""
			}
		}
	}
	return out
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

// mergeWith returns the reading that applies rejected deltas too. One that named an item
// before it was added must have been applied after all others.
func (p *publication) mergeWith(rejected []*merge.Delta) *reading {
	applied := map[*merge.Delta]bool{}
	log := p.w.correct.Log
	deltas := make([]*merge.Delta, 0, len(log)+len(rejected))
	for _, d := range rejected {
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
	rd := reading{Comparison: p.reading.Comparison, applied: applied}
	return rd.with(merge.Merge(p.w.base, deltas, merge.Options{Priority: p.r.opts.Priority, Unlimited: applied}))
}

// shows reports whether a published item is like what an applied ADD added, or has all values that later EDITs
// gave that. A prediction without a condition is known by its outcomes.
func (rd *reading) shows(o *diff.Pair, d *merge.Delta) bool {
	if o.Like(d.Payload) {
		return true
	}
	differs := rd.Compare(o).Fields
	isNameless := d.Section == brenner.PredictionsTable && diff.Identify(d.Section, d.Payload) == diff.Identity{}
	isOutcome := func(f diff.FieldChange) bool { return f.Key == "predictions" }
	return o.Like(o.Want.Fields()) && len(differs) == 0 || isNameless && !slices.ContainsFunc(differs, isOutcome)
}

// lacks reports whether an applied delta was not published. Of an ADD the item must be there; of an EDIT or a KILL
// nothing is known here.
func (rd *reading) lacks(d *merge.Delta) bool {
	return d.Operation == brenner.Add && rd.added[d] == nil
}

// lacksTarget reports whether a delta was rejected because the item that it names does not exist.
func lacksTarget(d *merge.Delta) bool {
	e := deltaOf(d).Entry
	return e != nil && e.Refusal != nil && e.Refusal.Reason == merge.NoTarget
}

// addRejects adds the facts about rejected deltas that were published.
func (p *publication) addRejects() {
	if len(p.reading.applied) == 0 {
		return
	}
	of := map[brenner.ItemID]*diff.Pair{} // by the ids in the state
	for _, pairs := range p.reading.pairs {
		for _, o := range pairs {
			switch {
			case !o.Published():
			case o.Want != nil:
				of[o.Want.ID] = o
			default:
				of[o.Item.ID] = o
			}
		}
	}
	for _, m := range applicable(slices.Concat(p.w.Rejected, p.w.hidden)) {
		if !p.reading.applied[m] {
			continue
		}
		at, id := p.reading.Artifact.Sections[0].Heading, brenner.ItemID{}
		if o := cmp.Or(p.reading.added[m], of[m.Target]); o != nil {
			at, id = p.shownAt(o, m), o.Item.ID
		}
		p.r.record(RejectApplied, id)
		if d := deltaOf(m); !d.In.GarbledAt(d.Delta.Text.WholePlace()) { // it may have been right (decisions.md 90)
			p.r.found(AppliedReject{Site: p.at(at), Delta: d, Operation: m.Operation, Item: id})
		}
	}
}

// shownAt returns what shows an applied delta in a published item: its heading or, of an EDIT in a DELTA of an item
// that exists without it, the first field that it sets.
func (p *publication) shownAt(o *diff.Pair, d *merge.Delta) source.Span {
	was := p.w.State.Find(d.Target)
	if d.Operation != brenner.Edit || o.Want == nil || was == nil || deltaOf(d).In.Intended != brenner.Delta {
		return o.Item.Heading
	}
	for _, f := range d.Section.Fields() {
		if at := o.Item.Field(f.Key); at != nil && d.Payload[f.Key] != nil && !diff.Same(d.Section, f, was.Fields()[f.Key], o.Want.Fields()[f.Key]) {
			return at.Value
		}
	}
	return o.Item.Heading
}

// misfit measures by how much what was published differs from a reading. An item that only one
// side has counts as if all its fields differed.
func (p *publication) misfit(rd *reading) (n int) {
	for _, sec := range brenner.Sections {
		for _, o := range rd.pairs[sec] {
			switch {
			case o.Published() && o.Want != nil:
				for _, f := range rd.Compare(o).Fields {
					gained, lost := f.Entries()
					n += max(1, len(gained)+len(lost))
				}
				n += p.killMisfit(o)
				if o.Want.ID != o.Item.ID {
					n++
				}
				isKnown := func(it *brenner.Item) bool { return diff.Identify(sec, it.Fields()) != diff.Identity{} }
				if !o.Like(o.Want.Fields()) && isKnown(o.Got) && isKnown(o.Want) { // they have no more than the id in common
					n += 2 * len(sec.Fields())
				}
			case o.Want == nil && o.Published() && rd.isMade(o):
				n++
			case o.Item == nil && diff.Visible(o.Want), o.Want == nil && o.Published():
				n += len(sec.Fields())
			}
		}
	}
	return n
}

// killMisfit measures by how much a published KILL differs from that of a reading. A publisher may have mixed a
// rejected one with the valid one.
func (p *publication) killMisfit(o *diff.Pair) int {
	const none = 3 // one that is not there, or neither by the agent nor for the reason
	if o.KilledOnOneSide() {
		return none
	}
	if !o.KillDiffers() {
		return 0
	}
	parts := p.killParts(o)
	if parts[0] && (parts[1] || o.Got.Killed.Reason == "") {
		return none
	}
	return len(slices.DeleteFunc(parts[:], func(differs bool) bool { return !differs }))
}

// killParts reports which parts of a published KILL are neither those of a reading nor those of the merge.
func (p *publication) killParts(o *diff.Pair) [3]bool {
	parts := o.KillParts(o.Want.Killed)
	if it := p.w.State.Find(o.Want.ID); it != nil && !it.Active() {
		for i, differs := range o.KillParts(it.Killed) {
			parts[i] = parts[i] && differs
		}
	}
	return parts
}

// isMade reports whether the content of a published item that does not exist is that of an applied EDIT: it has all
// values of the payload, and either its name or main text is among them, or it has neither. Else the item is
// somebody else's (decisions.md 87 and 89).
func (rd *reading) isMade(o *diff.Pair) bool {
	sec, fields := o.Item.ID.Section, o.Got.Fields()
	for d := range rd.applied {
		if d.Operation != brenner.Edit || d.Target != o.Item.ID || !o.Like(d.Payload) && diff.Identify(sec, fields) != (diff.Identity{}) {
			continue
		}
		given := slices.DeleteFunc(slices.Clone(sec.Fields()), func(f *brenner.Field) bool {
			return f.Kind == brenner.ReferenceField || d.Payload[f.Key] == nil
		})
		isOther := func(f *brenner.Field) bool { return !diff.Same(sec, f, d.Payload[f.Key], fields[f.Key]) }
		if len(given) > 0 && !slices.ContainsFunc(given, isOther) {
			return true
		}
	}
	return false
}
