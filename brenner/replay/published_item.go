package replay

import (
	"cmp"
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
)

// explain collects what explains differences.
func (p *publication) explain() {
	p.edits, p.otherwise = map[brenner.ItemID][]*merge.Delta{}, map[fieldPart][]any{}
	p.tied = map[*merge.Delta]bool{}
	for _, d := range p.w.Deltas {
		if m := d.data(); m != nil && m.Operation == brenner.Edit {
			p.edits[m.Target] = append(p.edits[m.Target], m)
		}
	}
	give := func(id brenner.ItemID, key string, v any) {
		f := fieldPart{item: id, key: key}
		p.otherwise[f] = append(p.otherwise[f], v)
	}
	for _, k := range p.reading.merged.Conflicts {
		for _, d := range k.Deltas {
			give(k.Item, k.Field, d.Payload[k.Field])
		}
	}
	for _, t := range p.reading.merged.Ties {
		switch t.Kind {
		case merge.TiedAdds:
			p.tied[t.First], p.tied[t.Second] = true, true
		case merge.TiedValues:
			give(t.Item, t.Field, t.Other)
		case merge.TiedKill:
			for key, v := range t.First.Payload {
				give(t.Item, key, v)
			}
		}
	}
	for sec, pairs := range p.reading.pairs {
		for _, o := range pairs { // those without a published item are in the order of their ids
			switch {
			case o.In != nil:
				o.In.Cut(o)
			case o.Item == nil && p.newlyAdded(o.Want.ID) != nil:
				p.leftOut[sec] = append(p.leftOut[sec], o.Want.ID.Number)
			}
		}
	}
}

// checkItem compares a published item with the merged one, adds the facts about what differs (its id, outcomes,
// fields and KILL), and returns the item as it was published.
func (p *publication) checkItem(o *diff.Pair) *brenner.Item {
	o.Prefer()
	takeCorrected(o)
	id, out := o.Item.ID, o.Want
	switch {
	case id != out.ID:
		p.differs = true
		p.r.record(IDChanged, out.ID) // what names it is not renumbered
		if !p.expectedID(o) {
			p.r.record(IDChanged, id)
			// Deltas may still name it by this number (decisions.md 88).
			p.published.ReserveID(id.Section, min(out.ID.Number, p.w.correct.State.Highest(id.Section)))
			p.r.found(RenumberedItem{
				Site: p.at(o.Item.IDSpan), Item: id, Title: diff.Title(o.Got), Own: out.ID, Added: p.addedBy(out.ID),
			})
		}
		out = brenner.NewItem(id, o.Want.Fields())
		out.Killed, out.Note = o.Want.Killed, o.Want.Note
	case p.reused(o):
		p.differs = true
		p.r.record(IDChanged, id)
		p.r.found(ReusedID{
			Site: p.at(o.Item.IDSpan), Item: id, Title: diff.Title(o.Got), Owner: o.Want, Added: p.addedBy(id),
			Free: brenner.ItemID{Section: id.Section, Number: p.reading.Want.Highest(id.Section) + 1},
		})
		return o.Got
	}
	origin := merge.OriginOf(o.Want)
	d, kill := p.reading.Compare(o), o.KillDiffers()
	p.differs = p.differs || len(d.Stale)+len(d.Fields) > 0 || kill
	for _, e := range d.Stale {
		h, _ := brenner.ParseItemID(e.Key)
		p.r.found(StaleOutcome{
			Site: p.at(e.Span), Item: id, Hypothesis: e.Key, Text: e.Text, Kill: deltaOf(p.w.origin(h).Killed),
		})
	}
	if kill {
		if !o.Item.Killed {
			p.ignored[origin.Killed] = true
		}
		if !p.explainedKill(o) {
			p.addKill(o)
		}
	}
	for i := range d.Fields {
		f := &d.Fields[i]
		if p.ambiguous(o, f.Key) {
			continue
		}
		p.ignored[origin.Fields[f.Key]] = true
		p.r.reported.here[place{p.w.Compiled, o.Item.Heading, f.Key, f.Part}] = f.Before
		p.r.record(FieldDiffers, id)
		p.r.recordField(reportedFact{FieldDiffers, fieldPart{id, f.Key, f.Part}}, f.Before)
		if h, _ := brenner.ParseItemID(f.Part); p.reading.NewIDs[h].Number > 0 { // the outcome of a hypothesis
			p.r.recordField(reportedFact{FieldDiffers, fieldPart{id, f.Key, p.reading.NewIDs[h].String()}}, f.Before)
		}
		if f.As != "" && o.Item.Field(f.As) == nil {
			p.unlabeled[fieldPart{item: id, key: f.Key}] = cmp.Or(f.After, f.Before)
		}
		p.r.found(FieldDiff{Site: p.at(f.At), Field: *f, Item: id, By: deltaOf(origin.Fields[f.Key])})
	}
	if len(d.Fields)+len(d.Otherwise) == 0 && !kill {
		return out
	}
	return p.asPublished(out, o, d)
}

// takeCorrected lets a version correct how the version before wrote a value: under a name that no field has, or who
// killed the item in another form. The value is then as it is written now.
func takeCorrected(o *diff.Pair) {
	if want, got := o.Want.Killed, o.Got.Killed; want != nil && got != nil && diff.IsOtherForm(&brenner.Killing{By: got.By, At: want.At}, want) {
		o.Want = o.Want.Clone()
		o.Want.Killed = &brenner.Killing{By: got.By, At: want.At, Reason: want.Reason}
	}
	sec, given := o.Want.ID.Section, merge.OriginOf(o.Want).Fields
	for _, key := range slices.Sorted(maps.Keys(given)) {
		by, was := given[key], o.Want.Fields()[key]
		if sec.Field(key) != nil || by.Payload[key] != nil || was == nil || o.Item.Field(key) != nil {
			continue // only what a delta gave under another name (asPublished)
		}
		for _, known := range sec.Fields() {
			f := o.Item.Field(known.Key)
			if f != nil && o.Want.Fields()[known.Key] == nil && (diff.Same(sec, known, was, f.Text) || diff.Same(sec, known, by.Payload[known.Key], f.Data())) {
				o.Want = o.Want.Clone()
				delete(o.Want.Fields(), key)
				o.Want.Fields()[known.Key] = f.Data()
				break
			}
		}
	}
}

// asPublished returns a merged item with the published values where these differ, and with its published KILL.
// A delta stays the origin of a value only if both show the same.
func (p *publication) asPublished(it *brenner.Item, o *diff.Pair, d diff.Difference) *brenner.Item {
	out, origin := it.Clone(), merge.OriginOf(it).Clone()
	out.Note = origin
	if k := o.Got.Killed; k != nil && out.Killed != nil && o.KillDiffers() {
		at := out.Killed.At
		if o.KilledAtDiffers(at) {
			at = k.At
		}
		out.Killed = &brenner.Killing{By: cmp.Or(k.By, out.Killed.By), At: at, Reason: cmp.Or(k.Reason, out.Killed.Reason)}
	} else if o.KilledOnOneSide() {
		out.Killed = k
	}
	if out.Active() {
		origin.Killed = nil
	}
	sec := out.ID.Section
	publish := func(key string) {
		v := o.Got.Fields()[key]
		if f := sec.Field(key); f == nil || !p.reading.Same(sec, f, it.Fields()[key], v) {
			delete(origin.Fields, key)
		}
		if out.Fields()[key] = v; v == nil {
			delete(out.Fields(), key)
		}
	}
	for _, key := range d.Otherwise {
		publish(key)
	}
	for i := range d.Fields {
		by := origin.Fields[d.Fields[i].Key]
		publish(d.Fields[i].Key)
		key := cmp.Or(d.Fields[i].As, d.Fields[i].Key)
		if f := o.Item.Field(key); f != nil && sec.Field(key) == nil { // a line that is no field of the section
			out.Fields()[key] = f.Text
			if d.Fields[i].As != "" && by != nil {
				origin.Fields[key] = by // the next version may correct the name
			}
		}
	}
	return out
}

// was returns what an item was before the window's EDITs.
func (p *publication) was(it *brenner.Item) map[string]any {
	if before := p.w.base.Find(it.ID); before != nil {
		return before.Fields()
	}
	if d := merge.OriginOf(it).Added; d != nil {
		return d.Payload
	}
	return nil
}

// addedBy returns the delta that added an item, nil if an earlier version has it.
func (p *publication) addedBy(id brenner.ItemID) *Delta { return deltaOf(p.w.origin(id).Added) }

// addKill records that the published KILL of an item is not the merged one, or that one is missing.
func (p *publication) addKill(o *diff.Pair) {
	want, got := o.Want.Killed, o.Got.Killed
	f := KillDiff{
		Site: p.at(o.Item.Heading), Item: o.Item.ID, Want: want, Got: got, GotAt: o.Item.KilledAt,
		Kill: deltaOf(merge.OriginOf(o.Want).Killed),
	}
	if want == nil {
		p.r.record(KillUnexplained, o.Item.ID)
		p.r.recordOmitted(o.Want)
	} else if parts := p.reading.KillChanges(o); len(parts) > 0 {
		f.Field, f.Site = parts[0].Key, p.at(parts[0].At)
	}
	p.r.found(f)
}

// explainedKill reports whether a rejected KILL that was applied explains how an item is published
// as killed: the publisher gave the reason that the KILL lacks, or mixed it with the valid KILL.
func (p *publication) explainedKill(o *diff.Pair) bool {
	want, got := o.Want.Killed, o.Got.Killed
	if want == nil || got == nil || !p.reading.applied[merge.OriginOf(o.Want).Killed] {
		return false
	}
	parts := p.killParts(o)
	return !parts[0] && !parts[2] && (!parts[1] || want.Reason == "")
}

// ambiguous reports whether a published value differs because of another fact: it is the value
// that tied deltas give in the other order, or it fills in what a rejected ADD, which was applied,
// lacks.
func (p *publication) ambiguous(o *diff.Pair, key string) bool {
	f := o.Want.ID.Section.Field(key)
	if f == nil {
		return false
	}
	if f.Required && o.Want.Fields()[key] == nil && p.reading.applied[merge.OriginOf(o.Want).Added] {
		return true
	}
	return slices.ContainsFunc(p.otherwise[fieldPart{item: o.Want.ID, key: key}], func(v any) bool {
		return diff.Same(o.Want.ID.Section, f, v, o.Got.Fields()[key])
	})
}

// reused reports whether a published item has only its id in common with the one that
// the previous version had under it: its fields are then not differences. Items
// without names cannot be distinguished.
func (p *publication) reused(o *diff.Pair) bool {
	sec := o.Want.ID.Section
	base := p.w.base.Find(o.Want.ID)
	if base == nil {
		return false
	}
	got, want := diff.Identify(sec, o.Got.Fields()), diff.Identify(sec, o.Want.Fields())
	if got.Name == "" || got.Main == "" || got.Name == want.Name || got.Main == want.Main {
		return false
	}
	known := []map[string]any{base.Fields()}
	for _, d := range p.edits[o.Want.ID] {
		known = append(known, d.Payload)
	}
	return !slices.ContainsFunc(known, func(values map[string]any) bool {
		was := diff.Identify(sec, values)
		return was.Name == got.Name || was.Main == got.Main
	})
}

// newlyAdded returns the ADD of the window that made an item, nil if there is none.
func (p *publication) newlyAdded(id brenner.ItemID) *merge.Delta {
	if id.Number <= p.w.base.Highest(id.Section) {
		return nil
	}
	return p.w.origin(id).Added
}

// expectedID reports whether the id that an item was published with follows from other
// facts. One rejected ADD that was applied, or one ADD that was left out, shifts all later
// ones; that is not a second fault (decisions.md 25).
func (p *publication) expectedID(o *diff.Pair) bool {
	if p.reading.applied[merge.OriginOf(o.Want).Added] {
		return true
	}
	d := p.newlyAdded(o.Want.ID)
	if d == nil || o.Item.ID.Hypothesis != o.Want.ID.Hypothesis {
		return false // its id is from an earlier version, or was given a scope
	}
	if p.tied[d] && p.tied[p.newlyAdded(o.Item.ID)] {
		return true
	}
	got, want, strict := o.Item.ID.Number, o.Want.ID.Number, int32(0) // strict is its number without the rejected ADDs
	if e := deltaOf(d).Entry; e != nil {
		strict = e.Item.Number
	}
	before, _ := slices.BinarySearch(p.leftOut[o.Want.ID.Section], want)
	shift := int32(before)
	return got == want-shift || got == strict || got == strict-shift
}
