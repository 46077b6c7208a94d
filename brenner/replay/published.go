package replay

import (
	"maps"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/source"
)

// publication compares what a window published with the merge of its deltas into its base.
// A difference that only follows from a fact is no fact of its own (decisions.md 1 and 25).
type publication struct {
	r    *Thread
	w    *Window
	site Site // of the artifact as a whole

	*reading    // how the publisher seems to have merged the window
	explanation // what explains other differences

	published *brenner.State        // grows as the sections are compared
	still     StillOmitted          // what an earlier version left out too
	ignored   map[*merge.Delta]bool // the deltas that the publisher seems to have left out
	differs   bool                  // from what was merged
	moves     bool                  // published values differ in a way that is not reported

	next    *brenner.State                    // the base of the next window
	renamed map[brenner.ItemID]brenner.ItemID // for the next window: see Window
}

const (
	// maxSearched bounds how often versions are searched for items that earlier ones left out.
	maxSearched = 500_000
	// mostListed is how many items that a version still leaves out are listed.
	mostListed = 100
)

// artifactOf returns the artifact that a window published: the inline one, or else the file among
// the inputs that its COMPILED links to, if the file has its version (decisions.md 26).
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

// compare compares what a window published with what it merged: it finds how the publisher
// merged it, then what else differs in each section, then what the next window starts from.
func (r *Thread) compare(w *Window) *publication {
	p := &publication{r: r, w: w, reading: &reading{Comparison: &diff.Comparison{}}, next: w.State, renamed: w.renamed}
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
	p.reading = &reading{Comparison: &diff.Comparison{Artifact: a, Want: w.State}, result: w.strict}
	p.Was, p.Garbled = p.was, r.garbled
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

	p.findReading()
	w.result = p.result
	p.explain()
	p.addRejects()
	p.NoteKills(p.pairs[brenner.HypothesisSlate])
	p.published, p.ignored = &brenner.State{}, map[*merge.Delta]bool{}
	for _, sec := range brenner.Sections {
		p.checkSection(sec)
	}
	p.addStillOmitted()
	p.conclude()
	return p
}

// addRejects adds the facts about rejected deltas that were published.
func (p *publication) addRejects() {
	for _, a := range p.rejects {
		p.r.record(RejectApplied, a.item)
		if a.delta.In.GarbledAt(a.delta.Delta.Text.WholePlace()) {
			continue // it may have been right (decisions.md 90)
		}
		p.r.Facts.AppliedRejects = append(p.r.Facts.AppliedRejects, AppliedReject{
			Site: p.at(a.at), Delta: a.delta, Operation: a.delta.merge.Operation, Item: a.item,
		})
	}
}

// checkSection compares one section, and adds its items to the published state. Where the
// artifact agrees with the replay, or cannot show a value, the merged item is added.
func (p *publication) checkSection(sec brenner.Section) {
	for i := range p.pairs[sec] {
		if o := &p.pairs[sec][i]; o.Item != nil && o.Want != nil {
			delete(p.Omitted, o.Want.ID)
		}
	}
	if len(p.Omitted) > 0 {
		for _, it := range p.Want.Items(sec) {
			switch {
			case !p.Omitted[it.ID]:
			case len(p.still.Items) < mostListed:
				p.still.Items = append(p.still.Items, it.ID)
			default:
				p.still.More++
			}
		}
	}
	if !p.Compares(sec) {
		p.published.Replace(sec, p.Want)
		return
	}
	p.published.ReserveID(sec, p.w.strict.State.Highest(sec)) // a rejected delta assigns no id
	for i := range p.pairs[sec] {
		switch o := &p.pairs[sec][i]; {
		case o.Item == nil && diff.Visible(o.Want):
			p.addOmitted(o.Want)
		case o.Want == nil && !o.Published(): // ES-003 reports the heading
		case !o.Published():
			p.published.Add(o.Want)
		case o.Want == nil:
			p.addUnexplained(o)
		default:
			p.published.Add(p.checkItem(o))
		}
	}
}

// addOmitted records that an item is left out.
func (p *publication) addOmitted(it *brenner.Item) {
	sec := it.ID.Section
	p.r.record(ItemOmitted, it.ID)
	p.r.recordOmitted(it)
	p.Omitted[it.ID] = true
	if !p.Has(sec) {
		p.r.record(SectionOmitted, brenner.ItemID{Section: sec})
	} else if p.Artifact.GarbledIn(p.Artifact.Section(sec).Span, it.ID.String()) {
		return
	}
	p.differs = true
	p.r.Facts.OmittedItems = append(p.r.Facts.OmittedItems, OmittedItem{Site: p.atSection(sec), Item: it, Added: p.addedBy(it.ID)})
}

// addStillOmitted records the items that an earlier version left out too.
func (p *publication) addStillOmitted() {
	if len(p.still.Items) > 0 {
		p.differs = true
		p.still.Site = p.atSection(p.still.Items[0].Section)
		p.r.Facts.StillOmitted = append(p.r.Facts.StillOmitted, p.still)
	}
}

// addUnexplained records a published item that was not merged, unless a rejected EDIT shows in
// it: then there may have been nothing to edit.
func (p *publication) addUnexplained(o *diff.Pair) {
	p.differs = true
	p.published.Add(o.Got)
	if p.edited[o.Item.ID] {
		return
	}
	p.r.record(ItemUnexplained, o.Item.ID)
	p.r.Facts.UnexplainedItems = append(p.r.Facts.UnexplainedItems, UnexplainedItem{Site: p.at(o.Item.Heading), Item: o.Got, Before: p.w.previous})
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
	maps.Copy(p.renamed, p.NewIDs)
	for old, id := range w.renamed {
		if again, ok := p.NewIDs[id]; ok {
			id = again
		}
		p.renamed[old] = id
	}
	maps.DeleteFunc(p.renamed, func(old, _ brenner.ItemID) bool { return p.next.Find(old) != nil })
	// The items of a section that cannot be read are not published. The next window has them all
	// the same, because nobody knows whether the publisher left them out.
	lost := false
	for _, sec := range brenner.Sections {
		items := p.Want.Items(sec)
		if len(items) == 0 || p.Compares(sec) || !diff.Visible(items[0]) { // only the research thread may not be visible
			continue
		}
		lost = true
		w.Published = w.Published.Clone()
		w.Published.Replace(sec, &brenner.State{})
	}
	asMerged := !p.differs && w.result == w.strict // the publisher applied no rejected delta, and used no other order
	matches := asMerged || w.Published.Equal(w.State)
	if !matches || !lost { // else nobody knows; ES-001 or EP-002 reports the section
		w.Matches = &matches
	}
}

// withOmitted returns a published state with the items that the publisher left out, as
// they were merged: deltas that name them are applied (decisions.md 48).
func (p *publication) withOmitted(published *brenner.State) *brenner.State {
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

// at returns a place in the published artifact.
func (p *publication) at(s source.Span) Site {
	site := p.site
	site.At = p.Artifact.Text.Place(s)
	return site
}

// atSection returns the place of a section's heading, or of the artifact's first line if there is
// no heading.
func (p *publication) atSection(sec brenner.Section) Site {
	if s := p.Artifact.Section(sec); s != nil {
		return p.at(s.Heading)
	}
	return p.at(p.Artifact.Text.Line(p.Artifact.Text.LineAt(p.Artifact.Span.Start)))
}
