package replay

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/source"
)

// publication compares what a window published with the merge of its deltas into its base.
// What follows from a fact is not another one (decisions.md 1 and 25).
type publication struct {
	// Comparison is of the artifact and of what the publisher seems to have merged. Its
	// Omitted is the memory of what versions leave out.
	*diff.Comparison
	r     *Thread
	w     *Window
	site  Site // without a place
	pairs [len(brenner.Sections) + 1][]diff.Pair

	// rejects are the rejected deltas that were published anyway, and applied the same as a
	// set; ignored are deltas that the publisher seems to have left out.
	rejects          []appliedReject
	applied, ignored map[*merge.Delta]bool
	edited           map[brenner.ItemID]bool // what rejected EDITs show in, although there may have been nothing to edit

	// What explains that published values or ids are others than merged, see collect.
	edits     map[brenner.ItemID][]*merge.Delta // those of the window, by target
	otherwise map[fieldPart][]any
	tied      map[*merge.Delta]bool
	leftOut   [len(brenner.Sections) + 1][]int // numbers of new items

	published    *state.State     // as far as the sections are compared
	stillOmitted []brenner.ItemID // the first items that an earlier version left out too
	more         int              // how many others there are
	differs      bool
	moves        bool // published values differ from the merged ones in a way that is no fact

	next    *state.State                      // the base of the next window
	renamed map[brenner.ItemID]brenner.ItemID // for the next window: see Window
}

const (
	// maxSearched bounds how often versions are searched for items that earlier ones left out.
	maxSearched = 500_000
	// mostListed is how many items that a version still leaves out are listed.
	mostListed = 100
)

// artifactOf returns the artifact that a window published: inline, or a file among the inputs
// that a COMPILED links to and that has its version (decisions.md 26).
func (r *Thread) artifactOf(w *Window) (*artifact.Artifact, *File) {
	switch m := w.Compiled; {
	case m == nil:
		return nil, nil
	case m.Artifact != nil && len(m.Artifact.Sections) > 0:
		return m.Artifact, nil
	case m.Artifact == nil && r.fileOf[m.Version.Number] != nil:
		f := r.fileOf[m.Version.Number]
		return f.Artifact, f
	}
	return nil, nil
}

// compare compares what a window published with what it merged.
func (r *Thread) compare(w *Window) *publication {
	p := &publication{Comparison: &diff.Comparison{}, r: r, w: w, next: w.State, renamed: w.renamed}
	a, f := r.artifactOf(w)
	switch {
	case a == nil:
		return p
	case w.Unread: // it is the next base, although the deltas that led to it are not known
		r.omitted = nil
		w.Published = a.State()
		for _, sec := range brenner.Sections {
			w.Published.ReserveID(sec, w.State.Highest(sec))
		}
		p.next = w.Published
		return p
	}
	p.Comparison = diff.New(a, w.State)
	p.Was, p.Garbled = p.was, r.garbled
	p.ignored, p.edited = map[*merge.Delta]bool{}, map[brenner.ItemID]bool{}
	if w.inFile = f != nil; w.inFile {
		p.site, p.Omitted = Site{Path: f.Path}, map[brenner.ItemID]bool{} // the thread does not contain the file
	} else {
		if r.omitted == nil {
			r.omitted = map[brenner.ItemID]bool{}
		}
		p.site, p.Omitted = Site{In: w.Compiled}, r.omitted
	}
	r.searched += len(p.Omitted)
	p.OmittedByID = r.searched > maxSearched

	p.findRejects()
	for _, a := range p.rejects {
		r.record(RejectApplied, a.item)
		if a.delta.merge.Operation == brenner.Edit {
			p.edited[a.item] = true
		}
		if !a.delta.In.GarbledAt(a.delta.Delta.Text.WholePos()) { // else it may have been right (decisions.md 90)
			r.Facts.AppliedRejects = append(r.Facts.AppliedRejects, AppliedReject{Site: p.at(a.at), Delta: a.delta, Operation: a.delta.merge.Operation, Item: a.item})
		}
	}
	p.collect()
	p.NoteKills(p.pairs[brenner.HypothesisSlate])
	p.published = &state.State{}
	for _, sec := range brenner.Sections {
		p.checkSection(sec)
	}
	if len(p.stillOmitted) > 0 {
		r.Facts.StillOmitted = append(r.Facts.StillOmitted, StillOmitted{Site: p.atSection(p.stillOmitted[0].Section), Items: p.stillOmitted, More: p.more})
	}
	p.conclude()
	return p
}

// collect collects what explains differences: the EDITs of the window; the values that another
// order of tied deltas gives a field; the ADDs whose order is open (MR-009); and, in order, the
// numbers of the new items that are left out.
func (p *publication) collect() {
	p.edits, p.otherwise, p.tied = map[brenner.ItemID][]*merge.Delta{}, map[fieldPart][]any{}, map[*merge.Delta]bool{}
	for _, d := range p.w.Deltas {
		if m := d.merge; m != nil && m.Operation == brenner.Edit {
			p.edits[m.Target] = append(p.edits[m.Target], m)
		}
	}
	give := func(id brenner.ItemID, key string, v any) {
		f := fieldPart{item: id, key: key}
		p.otherwise[f] = append(p.otherwise[f], v)
	}
	for _, k := range p.w.result.Conflicts {
		for _, d := range k.Deltas {
			give(k.Item, k.Field, d.Payload[k.Field])
		}
	}
	for _, t := range p.w.result.Ties {
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
	for sec, pairs := range p.pairs {
		for i := range pairs {
			if o := &pairs[i]; o.Item == nil && p.newlyAdded(o.Want.ID) != nil {
				p.leftOut[sec] = append(p.leftOut[sec], o.Want.ID.Number)
			}
		}
		slices.Sort(p.leftOut[sec])
	}
}

// conclude records what was published, and what the next window starts from
// (decisions.md 24).
func (p *publication) conclude() {
	w := p.w
	w.Published = w.result.State
	if p.differs || p.moves {
		w.Published = p.published
	}
	if !w.inFile {
		p.next = p.withOmitted(w.Published)
	}
	p.renamed = map[brenner.ItemID]brenner.ItemID{}
	maps.Copy(p.renamed, p.Renamed)
	for old, id := range w.renamed {
		if again, ok := p.Renamed[id]; ok {
			id = again
		}
		p.renamed[old] = id
	}
	maps.DeleteFunc(p.renamed, func(old, _ brenner.ItemID) bool { return p.next.Find(old) != nil })
	// What cannot be read of a section is not published. The next window has it all the same:
	// it is not known that the publisher left its items out.
	lost := false
	for _, sec := range brenner.Sections {
		items := p.Want.Items(sec)
		if len(items) == 0 || p.Compares(sec) || !diff.Visible(items[0]) { // only the research thread may not be visible
			continue
		}
		lost = true
		w.Published = w.Published.Clone()
		w.Published.Replace(sec, &state.State{})
	}
	asMerged := !p.differs && w.result == w.strict // no rejected delta was applied, no order was another
	matches := asMerged || w.Published.Equal(w.State)
	if !matches || !lost { // else nobody knows: its form is reported (ES-001, EP-002)
		w.Matches = &matches
	}
}

// withOmitted returns a published state with the items that the publisher left out, as
// they were merged: deltas that name them are applied (decisions.md 48).
func (p *publication) withOmitted(published *state.State) *state.State {
	if len(p.Omitted) == 0 {
		return published
	}
	out := published.Clone()
	for id := range p.Omitted {
		if it := p.Want.Find(id); it != nil {
			out.Add(it)
		}
	}
	return out
}

// was returns what an item was before the window's EDITs.
func (p *publication) was(it *state.Item) []map[string]any {
	if before := p.w.base.Find(it.ID); before != nil {
		return []map[string]any{before.Fields()}
	}
	if d := merge.OriginOf(it).Added; d != nil {
		return []map[string]any{d.Payload}
	}
	return nil
}

// pair pairs all items of the published artifact. What a section that cannot be
// compared lacks is reported once, by ES-001 or EP-002.
func (p *publication) pair(candidates *diff.Candidates) {
	p.ForgetIDs()
	for _, sec := range brenner.Sections {
		p.pairs[sec] = nil
		if p.Compares(sec) {
			p.pairs[sec] = p.Pairs(sec, candidates)
			p.NoteIDs(p.pairs[sec])
		}
	}
}

// checkSection compares one section, and adds what it publishes to the published state: where
// the artifact agrees with the replay, or cannot show its value, the merged item.
func (p *publication) checkSection(sec brenner.Section) {
	for i := range p.pairs[sec] {
		if o := &p.pairs[sec][i]; o.Item != nil && o.Want != nil {
			delete(p.Omitted, o.Want.ID)
		}
	}
	for _, it := range p.Want.Items(sec) {
		switch {
		case !p.Omitted[it.ID]:
			continue
		case len(p.stillOmitted) < mostListed:
			p.stillOmitted = append(p.stillOmitted, it.ID)
		default:
			p.more++
		}
		p.differs = true
	}
	if !p.Compares(sec) {
		p.published.Replace(sec, p.Want)
		return
	}
	p.published.ReserveID(sec, p.w.strict.State.Highest(sec)) // a rejected delta assigns none
	for i := range p.pairs[sec] {
		switch o := &p.pairs[sec][i]; {
		case o.Item == nil && diff.Visible(o.Want):
			p.addOmitted(o.Want)
		case o.Want == nil && !o.Published(): // ES-003 reports the heading
		case !o.Published():
			p.published.Add(o.Want)
		case o.Want == nil:
			p.differs = true
			p.published.Add(o.Got())
			if !p.edited[o.Item.ID] {
				f := UnexplainedItem{Site: p.at(o.Item.Heading), Item: o.Got()}
				if n := len(p.r.Windows); n > 0 {
					f.Before = p.r.Windows[n-1]
				}
				p.r.record(ItemUnexplained, o.Item.ID)
				p.r.Facts.UnexplainedItems = append(p.r.Facts.UnexplainedItems, f)
			}
		default:
			p.published.Add(p.checkItem(o))
		}
	}
}

// addOmitted records that an item is left out.
func (p *publication) addOmitted(it *state.Item) {
	sec := it.ID.Section
	p.r.recordOmitted(it)
	p.Omitted[it.ID] = true
	if p.LeavesOut(sec) {
		p.r.record(SectionOmitted, brenner.ItemID{Section: sec})
	} else if p.Artifact.GarbledIn(p.Artifact.Section(sec).Span, it.ID.String()) {
		return
	}
	p.differs = true
	p.r.Facts.OmittedItems = append(p.r.Facts.OmittedItems, OmittedItem{Site: p.atSection(sec), Item: it, Added: p.addedBy(it.ID)})
}

// checkItem compares a published item with the merged one, and returns the published one.
func (p *publication) checkItem(o *diff.Pair) *state.Item {
	facts := &p.r.Facts
	o.Prefer()
	id, out := o.Item.ID, o.Want
	switch {
	case id != out.ID:
		p.differs = true
		if !p.expectedID(o) {
			p.r.record(IDChanged, id)
			facts.RenumberedItems = append(facts.RenumberedItems, RenumberedItem{
				Site: p.at(o.Item.IDSpan), Item: id, Title: o.Title(), Own: out.ID, Added: p.addedBy(out.ID),
			})
		}
		out = state.NewItem(id, o.Want.Fields())
		out.Killed, out.Note = o.Want.Killed, o.Want.Note
	case p.reused(o):
		p.differs = true
		p.r.record(IDChanged, id)
		facts.ReusedIDs = append(facts.ReusedIDs, ReusedID{
			Site: p.at(o.Item.IDSpan), Item: id, Title: o.Title(), Owner: o.Want, Added: p.addedBy(id),
			Free: brenner.ItemID{Section: id.Section, Number: p.Want.Highest(id.Section) + 1},
		})
		return o.Got()
	}
	if o.Exact() {
		return out
	}
	origin := merge.OriginOf(o.Want)
	stale, fields, kill := p.StaleOutcomes(o), p.Fields(o), o.KillDiffers()
	renumbered := p.Renumbered(o, fields)
	moves := len(stale) > 0 || p.OutcomesMove(o)
	p.moves = p.moves || moves
	p.differs = p.differs || len(stale)+len(fields)+len(renumbered) > 0 || kill
	for _, e := range stale {
		h, _ := brenner.ParseItemID(e.Key)
		facts.StaleOutcomes = append(facts.StaleOutcomes, StaleOutcome{
			Site: p.at(e.Span), Item: id, Hypothesis: e.Key, Text: e.Text, Kill: of(p.w.origin(h).Killed),
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
	for i := range fields {
		f := &fields[i]
		if p.ambiguous(o, f.Key) {
			continue
		}
		p.ignored[origin.Field(f.Key)] = true
		d := FieldDiff{Site: p.at(f.At), Field: *f, Item: id, By: of(origin.Field(f.Key))}
		p.r.recordField(id, f)
		if h, _ := brenner.ParseItemID(f.Part); p.Renamed[h].Number > 0 { // the outcome of a hypothesis
			renamed := *f
			renamed.Part = p.Renamed[h].String()
			p.r.recordField(id, &renamed)
		}
		facts.FieldDiffs = append(facts.FieldDiffs, d)
	}
	if !moves && len(fields)+len(renumbered) == 0 && !kill {
		return out
	}

	// What is published of it is its value from now on, and is what no delta explains.
	out, origin = out.Clone(), origin.Clone()
	out.Note = origin
	if k := o.Got().Killed; kill && k != nil && out.Killed != nil {
		at := out.Killed.At
		if o.KilledAtDiffers(at) {
			at = k.At
		}
		out.Killed = &state.Kill{By: cmp.Or(k.By, out.Killed.By), At: at, Reason: cmp.Or(k.Reason, out.Killed.Reason)}
	} else if kill {
		out.Killed = k
	}
	if out.Active() {
		origin.Killed = nil
	}
	changed := renumbered
	for i := range fields {
		changed = append(changed, fields[i].Key)
		origin.Set(fields[i].Key, nil)
	}
	if moves {
		changed = append(changed, "predictions")
		origin.Set("predictions", nil)
	}
	for _, key := range changed {
		if value, ok := o.Got().Fields()[key]; ok {
			out.Fields()[key] = value
		} else {
			delete(out.Fields(), key)
		}
	}
	return out
}

// at returns a place in the published artifact.
func (p *publication) at(s source.Span) Site {
	site := p.site
	site.At = p.Artifact.Text.Place(s)
	return site
}

// atSection returns the place of a section's heading, of the artifact's first line if it has
// none.
func (p *publication) atSection(sec brenner.Section) Site {
	if s := p.Artifact.Section(sec); s != nil {
		return p.at(s.Heading)
	}
	return p.at(p.Artifact.Text.Line(p.Artifact.Text.LineAt(p.Artifact.Span.Start)))
}

// addedBy returns the delta that added an item, nil if an earlier version has it.
func (p *publication) addedBy(id brenner.ItemID) *Delta { return of(p.w.origin(id).Added) }

// addKill records that an item is not published as killed as it was.
func (p *publication) addKill(o *diff.Pair) {
	want, got := o.Want.Killed, o.Got().Killed
	f := KillDiff{Site: p.at(o.Item.Heading), Item: o.Item.ID, Want: want, Got: got, GotAt: o.Item.KilledAt, Kill: of(merge.OriginOf(o.Want).Killed)}
	// in puts the fact in the line of a field, at a text if the line has it literally.
	in := func(field, text string) bool {
		line := o.Item.Field(field)
		if line == nil || line.Value.Empty() {
			return false
		}
		at := line.Value
		if i := strings.LastIndex(p.Artifact.Text.Slice(at), text); i >= 0 && text != "" {
			at = source.Span{Start: at.Start + i, End: at.Start + i + len(text)}
		}
		f.Site, f.Field = p.at(at), field
		return true
	}
	switch {
	case want == nil:
		f.Aspect = NotKilled
	case got == nil:
		f.Aspect = NotActive
	case diff.TextDiffers(want.By, got.By):
		f.Aspect = KilledBy
		in("killed_by", got.By)
	case !diff.TextDiffers(want.Reason, got.Reason):
		f.Aspect = KilledAt
		if !in("killed_at", f.GotAt) { // `Killed by: Agent (timestamp)`
			in("killed_by", f.GotAt)
			f.Field = "killed_at"
		}
	default:
		f.Aspect = KillReason
		in("kill_reason", got.Reason)
	}
	p.r.Facts.KillDiffs = append(p.r.Facts.KillDiffs, f)
}

// explainedKill reports whether a published rejected KILL explains how an item is published
// as killed: the publisher gave the reason that it lacks, or merged it with the right one.
func (p *publication) explainedKill(o *diff.Pair) bool {
	want, got, by := o.Want.Killed, o.Got().Killed, merge.OriginOf(o.Want).Killed
	if want == nil || got == nil || !p.applied[by] {
		return false
	}
	if it := p.w.State.Find(o.Want.ID); it != nil && it.Killed != nil {
		if fits, _ := killParts(o, it.Killed, by); fits {
			return true
		}
	}
	return want.Reason == "" && !diff.TextDiffers(want.By, got.By) && !o.KilledAtDiffers(want.At)
}

// ambiguous reports whether a published value differs because of another fact: it is
// what the other order of tied deltas produces, or fills in what a published rejected
// ADD lacks.
func (p *publication) ambiguous(o *diff.Pair, key string) bool {
	f := o.Want.ID.Section.Field(key)
	if f == nil {
		return false
	}
	if f.Required && o.Want.Fields()[key] == nil && p.applied[merge.OriginOf(o.Want).Added] {
		return true
	}
	return slices.ContainsFunc(p.otherwise[fieldPart{item: o.Want.ID, key: key}], func(v any) bool {
		return diff.Same(o.Want.ID.Section, f, v, o.Got().Fields()[key])
	})
}

// reused reports whether a published item has only its id in common with the one that
// the previous version had under it: its fields are then not differences. Items
// without names cannot be distinguished.
func (p *publication) reused(o *diff.Pair) bool {
	sec := o.Want.ID.Section
	base := p.w.base.Find(o.Want.ID)
	if base == nil || o.Shows("name") || o.Shows(sec.MainField()) {
		return false
	}
	got, want := diff.Identify(sec, o.Got().Fields()), diff.Identify(sec, o.Want.Fields())
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
	if p.applied[merge.OriginOf(o.Want).Added] {
		return true
	}
	d := p.newlyAdded(o.Want.ID)
	if d == nil {
		return false // its id is from an earlier version
	}
	if p.tied[d] && p.tied[p.newlyAdded(o.Item.ID)] {
		return true
	}
	got, strict := o.Item.ID.Number, 0 // without the rejected ADDs
	if e := of(d).Entry; e != nil {
		strict = e.Item.Number
	}
	shift, _ := slices.BinarySearch(p.leftOut[o.Want.ID.Section], o.Want.ID.Number)
	return got == o.Want.ID.Number-shift || got == strict || got == strict-shift
}
