package replay

import (
	"cmp"
	"maps"
	"strings"

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

	reading *reading // how the publisher seems to have merged the window

	// What else explains that published values or ids are not those of the merge (explain).
	edits     map[brenner.ItemID][]*merge.Delta  // the EDITs of the window, by target
	otherwise map[fieldPart][]any                // the values of fields in another order of tied deltas
	tied      map[*merge.Delta]bool              // the ADDs whose order is open (MR-009)
	leftOut   [len(brenner.Sections) + 1][]int32 // the numbers of new items that are not published

	published  *brenner.State          // grows as the sections are compared
	still      StillOmitted            // what an earlier version left out too
	ignored    map[*merge.Delta]bool   // the deltas that the publisher seems to have left out
	differs    bool                    // from what was merged
	unreadable []brenner.Section       // which have items: nobody knows whether the publisher left them out
	oneSided   map[brenner.ItemID]bool // the items that one side of a conflict is without: the next window is, too
	unlabeled  map[fieldPart]any       // what is below labels that are not bold: the next window has it

	next    *brenner.State                    // the base of the next window
	renamed map[brenner.ItemID]brenner.ItemID // for the next window: see Window
}

// mostListed is how many items that a version still leaves out are listed.
const mostListed = 100

// artifactOf returns the artifact that a window published: the inline one, or else the file among
// the inputs that its COMPILED links to, if the file has its version (decisions.md 26).
func (r *Thread) artifactOf(w *Window) (*artifact.Artifact, *File) {
	switch m := w.Compiled; {
	case m == nil || w.foreign:
		return nil, nil
	case m.Artifact != nil && len(m.Artifact.Sections) > 0:
		return m.Artifact, nil
	case m.Artifact == nil && r.fileOf[m.Version.Number] != nil:
		f := r.fileOf[m.Version.Number]
		return f.Artifact, f
	}
	return nil, nil
}

// isForeign reports whether the artifact of a COMPILED is that of another session: AP-003 reports what it names,
// which is no variant of the thread's id, and no item has name or text of one of the thread's (decisions.md 68).
func isForeign(a *artifact.Artifact, w *Window) bool {
	own := w.Compiled.ThreadID
	_, id, _ := a.OtherSession(own)
	if own == "" || id == "" || strings.EqualFold(strings.TrimSpace(id), own) {
		return false
	}
	canCompare := false // the state has an item to compare with
	for _, pairs := range (&diff.Comparison{Artifact: a, Want: w.State}).PairAll() {
		for _, p := range pairs {
			if p.Want != nil && p.Published() && p.Like(p.Want.Fields()) {
				return false
			}
			canCompare = canCompare || p.Want != nil
		}
	}
	return canCompare
}

// compare compares what a window published with what it merged: it finds how the publisher
// merged it, then what else differs in each section, then what the next window starts from.
func (r *Thread) compare(w *Window) *publication {
	p := &publication{r: r, w: w, reading: &reading{Comparison: &diff.Comparison{}}, next: w.State, renamed: w.renamed}
	a, f := r.artifactOf(w)
	if w.foreign = a != nil && f == nil && !w.Unread && isForeign(a, w); w.foreign { // AP-003 reports it
		return p
	}
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
	p.reading = &reading{Comparison: &diff.Comparison{Artifact: a, Want: w.State}, merged: w.correct}
	p.reading.Was, p.reading.Garbled = p.was, r.garbled
	if w.inFile = f != nil; w.inFile {
		p.site, p.reading.Omitted = Site{Path: f.Path}, map[brenner.ItemID]bool{} // the thread does not contain the file
	} else {
		if r.omitted == nil {
			r.omitted = map[brenner.ItemID]bool{}
		}
		p.site, p.reading.Omitted = Site{In: w.Compiled}, r.omitted
	}

	p.findReading()
	w.asPublished = p.reading.merged
	p.explain()
	p.addRejects()
	p.published, p.ignored = &brenner.State{}, map[*merge.Delta]bool{}
	p.oneSided, p.unlabeled = map[brenner.ItemID]bool{}, map[fieldPart]any{}
	for _, sec := range brenner.Sections {
		p.checkSection(sec)
	}
	if len(p.still.Items) > 0 {
		p.differs = true
		p.still.Site = p.atSection(p.still.Items[0].Section)
		r.found(p.still)
	}
	p.finish()
	return p
}

// checkSection compares one section, and adds its items to the published state. Where the
// artifact agrees with the replay, or cannot show a value, the merged item is added.
func (p *publication) checkSection(sec brenner.Section) {
	for _, o := range p.reading.pairs[sec] {
		if o.Item != nil && o.Want != nil && o.In == nil {
			delete(p.reading.Omitted, o.Want.ID)
		}
	}
	for _, it := range p.reading.Want.Items(sec) {
		switch {
		case !p.reading.Omitted[it.ID]:
		case len(p.still.Items) < mostListed:
			p.still.Items = append(p.still.Items, it.ID)
		default:
			p.still.More++
		}
	}
	if !p.reading.Compares(sec) {
		if items := p.reading.Want.Items(sec); len(items) > 0 && diff.Visible(items[0]) { // only a research thread may not be visible
			p.unreadable = append(p.unreadable, sec)
		} else {
			p.published.Replace(sec, p.reading.Want)
		}
		return
	}
	p.published.ReserveID(sec, p.lastAssigned(sec))
	for _, o := range p.reading.pairs[sec] {
		switch {
		case o.In != nil && p.reading.Omitted[o.Want.ID]:
		case o.In != nil || o.Item == nil && diff.Visible(o.Want):
			p.addOmitted(o)
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

// lastAssigned returns the highest number that the merge assigned in a section. A number is free again if
// its item, and those of all higher numbers, were published under other ids (decisions.md 25), unless MR-015 names
// it: see checkItem. A rejected delta assigns none.
func (p *publication) lastAssigned(sec brenner.Section) int32 {
	n := p.w.correct.State.Highest(sec)
	for n > p.w.base.Highest(sec) && p.reading.NewIDs[brenner.ItemID{Section: sec, Number: n}].Number > 0 {
		n--
	}
	return n
}

// addOmitted records that an item, or its heading, is left out.
func (p *publication) addOmitted(o *diff.Pair) {
	it, sec := o.Want, o.Want.ID.Section
	p.r.record(ItemOmitted, it.ID)
	p.r.recordOmitted(it)
	p.reading.Omitted[it.ID] = true
	if !p.reading.Has(sec) {
		p.r.record(SectionOmitted, brenner.ItemID{Section: sec})
	} else if p.reading.Artifact.GarbledIn(p.reading.Artifact.Section(sec).Span, it.ID.String()) {
		return
	}
	p.differs = true
	f := OmittedItem{Site: p.atSection(sec), Item: it, Added: p.addedBy(it.ID)}
	if o.In != nil {
		p.r.recordField(reportedFact{HeadingLost, fieldPart{item: o.In.Item.ID, part: diff.Identify(sec, it.Fields()).Main}}, nil)
		f.Headless, f.Site = true, p.at(o.Item.Heading)
	}
	p.r.found(f)
}

// addUnexplained records a published item that was not merged, unless one side of a conflict is without it
// (decisions.md 78), or a rejected EDIT shows in it: then there may have been nothing to edit.
func (p *publication) addUnexplained(o *diff.Pair) {
	p.published.Add(o.Got)
	if o.OnOneSide(p.reading.Artifact) {
		p.oneSided[o.Item.ID] = true
		return
	}
	p.differs = true
	for d := range p.reading.applied {
		if d.Operation == brenner.Edit && d.Target == o.Item.ID {
			return
		}
	}
	p.r.record(ItemUnexplained, o.Item.ID)
	p.r.found(UnexplainedItem{Site: p.at(o.Item.Heading), Item: o.Got, Before: p.w.previous})
}

// finish records what was published, and what the next window starts from (decisions.md 24): also what the publisher
// left out or cannot be read, as it was merged, so that deltas that name it are applied (decisions.md 48).
func (p *publication) finish() {
	w, want := p.w, p.reading.Want
	w.Published = p.published
	if !w.inFile {
		p.next = w.Published
		if len(p.unreadable)+len(p.reading.Omitted)+len(p.oneSided)+len(p.unlabeled) > 0 {
			p.next = p.next.Clone()
		}
		for _, sec := range p.unreadable {
			p.next.Replace(sec, want)
		}
		for _, sec := range brenner.Sections { // in order: each is added behind the one before
			for _, it := range want.Items(sec) {
				if p.reading.Omitted[it.ID] {
					p.next.Add(it)
				}
			}
		}
		if len(p.oneSided) > 0 {
			p.next.Remove(p.oneSided)
		}
		for f, v := range p.unlabeled {
			it := p.next.Find(f.item).Clone()
			it.Fields()[f.key] = v
			p.next.Put(it)
		}
	}
	p.renamed = maps.Clone(p.reading.NewIDs)
	for old, id := range w.renamed {
		p.renamed[old] = cmp.Or(p.reading.NewIDs[id], id)
	}
	maps.DeleteFunc(p.renamed, func(old, _ brenner.ItemID) bool { return p.next.Find(old) != nil })
	asMerged := !p.differs && w.asPublished == w.correct
	matches := asMerged || w.Published.Equal(w.State)
	if !matches || len(p.unreadable) == 0 { // else nobody knows; ES-001 or EP-002 reports the section
		w.Matches = &matches
	}
}

// at returns a place in the published artifact.
func (p *publication) at(s source.Span) Site {
	site := p.site
	site.At = p.reading.Artifact.Text.Place(s)
	return site
}

// atSection returns the place of a section's heading, or of the artifact's first line if there is
// no heading.
func (p *publication) atSection(sec brenner.Section) Site {
	if s := p.reading.Artifact.Section(sec); s != nil {
		return p.at(s.Heading)
	}
	return p.at(p.reading.Artifact.Text.Line(p.reading.Artifact.Text.LineAt(p.reading.Artifact.Span.Start)))
}
