package replay

import (
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

// published returns the artifact that a window published: inline, or a file among the
// inputs that a COMPILED links to and that has its version (decisions.md 26).
func (r *Thread) published(w *Window) (*artifact.Artifact, *File) {
	m := w.Compiled
	if m == nil || m.Artifact != nil {
		if m == nil || len(m.Artifact.Sections) == 0 {
			return nil, nil
		}
		return m.Artifact, nil
	}
	if f := r.fileOf[m.Version.Number]; f != nil {
		return f.Artifact, f
	}
	return nil, nil
}

// filesByVersion returns the persisted Markdown artifacts by the version that they
// state, the first of each.
func filesByVersion(files []File) map[int]*File {
	if len(files) == 0 {
		return nil
	}
	out := make(map[int]*File, len(files))
	for i := range files {
		f := &files[i]
		if v, _ := version(f.Artifact); v > 0 && out[v] == nil && !f.Artifact.IsJSON() && len(f.Artifact.Sections) > 0 {
			out[v] = f
		}
	}
	return out
}

// publication is the result of comparing a window with its artifact, apart from facts.
type publication struct {
	next *state.State // what the next window starts from
	// renamed has the published ids of items by those that they had before, of which no
	// published item has one (decisions.md 88).
	renamed map[brenner.ItemID]brenner.ItemID
	// applied are rejected deltas that were published anyway, ignored those that the
	// publisher seems to have left out.
	applied, ignored map[*merge.Delta]bool
	omitted          map[brenner.ItemID]bool // the items that the version lacks
}

// publicationChecker compares what a window published with the merge of its deltas
// into its base.
type publicationChecker struct {
	*diff.Comparison
	*publication
	r     *Thread
	w     *openWindow
	site  Site // without a place
	pairs [len(brenner.Sections) + 1][]diff.Pair

	// rejects are the rejected deltas that were published; made are items that a
	// rejected EDIT explains, although there was nothing to edit.
	rejects []appliedReject
	made    map[brenner.ItemID]bool
	// Made on demand: the window's EDITs by target, the ids that items may have, and the ambiguities.
	edits       map[brenner.ItemID][]*merge.Delta
	ids         *expectedIDs
	ambiguities *ambiguities

	itemDiffs map[*diff.Pair]itemDiff // of pairs that differ
	again     []brenner.ItemID        // items that an earlier version left out too, with more
	more      int
	differs   bool
	rebased   bool // published values differ from the merged ones in a way that is not reported
}

// itemDiff is how a published item differs from the merged one.
type itemDiff struct {
	fields []diff.Field
	stale  bool // outcomes of a killed hypothesis are left
	kill   bool
	reused bool // it is another item under the same id
	// renumbered are fields that differ only in the ids by which they name items.
	renumbered []string
}

func (r *Thread) compare(w *openWindow, a *artifact.Artifact, f *File, p *publication) {
	if w.Unread {
		r.omitted = nil
		w.rebaseUnread(a, p)
		return
	}
	c := &publicationChecker{
		Comparison: diff.New(a, w.State), publication: p, r: r, w: w, site: Site{In: w.Compiled},
	}
	c.Was, c.Omitted, c.Garbled = c.was, r.omitted, r.garbled
	if f != nil || c.Omitted == nil { // else the thread itself does not contain it
		c.Omitted = map[brenner.ItemID]bool{}
	}
	if f != nil {
		c.site = Site{Path: f.Path}
	} else {
		r.omitted = c.Omitted
	}
	r.searched += len(c.Omitted)
	c.OmittedByID = r.searched > maxSearched
	p.omitted = c.Omitted
	c.detectAppliedRejects()
	for _, a := range c.rejects {
		put(&p.applied, a.delta.merge, true)
		c.addAppliedReject(a)
	}
	c.NoteKills(c.pairs[brenner.HypothesisSlate])
	for _, sec := range brenner.Sections {
		c.checkSection(sec)
	}
	c.addStillOmitted()
	w.Published = w.result.State
	if c.differs || c.rebased {
		w.Published = c.rebase()
	}
	if w.inFile = f != nil; !w.inFile {
		p.next = c.withOmitted(w.Published)
	}
	c.noteRenamed()
	w.Published = c.withoutLost(w.Published)
	if matches := w.Published.Equal(w.State) || !c.differs && w.result == w.strict; !matches || !slices.ContainsFunc(brenner.Sections[:], c.lost) {
		w.Matches = &matches // else nobody knows: its form is reported (ES-001, EP-002)
	}
}

// noteRenamed records the ids that items had before they were published under others.
func (c *publicationChecker) noteRenamed() {
	renamed := map[brenner.ItemID]brenner.ItemID{}
	maps.Copy(renamed, c.Renamed)
	for old, id := range c.w.renamed {
		if again, ok := c.Renamed[id]; ok {
			id = again
		}
		renamed[old] = id
	}
	for old := range renamed {
		if c.next.Find(old) != nil {
			delete(renamed, old)
		}
	}
	c.renamed = renamed
}

// maxSearched bounds how often versions are searched for items that earlier ones left out.
const maxSearched = 500_000

// was returns what an item was before the window's EDITs.
func (c *publicationChecker) was(it *state.Item) []map[string]any {
	if before := c.w.base.Find(it.ID); before != nil {
		return []map[string]any{before.Fields()}
	}
	if d := merge.OriginOf(it).Added; d != nil {
		return []map[string]any{d.Payload}
	}
	return nil
}

// pair pairs all items of the published artifact. What a section that cannot be
// compared lacks is reported once, by ES-001 or EP-002.
func (c *publicationChecker) pair(candidates *diff.Candidates) {
	c.ForgetIDs()
	for _, sec := range brenner.Sections {
		c.pairs[sec] = nil
		if c.Compares(sec) {
			c.pairs[sec] = c.Pairs(sec, candidates)
			c.NoteIDs(c.pairs[sec])
		}
	}
}

// checkSection compares one section.
func (c *publicationChecker) checkSection(sec brenner.Section) {
	for i := range c.pairs[sec] {
		if p := &c.pairs[sec][i]; p.Item != nil && p.Want != nil {
			delete(c.Omitted, p.Want.ID)
		}
	}
	c.checkOmittedAgain(sec)
	for i := range c.pairs[sec] {
		p := &c.pairs[sec][i]
		switch {
		case p.Item == nil && diff.Visible(p.Want) && !c.LeavesOut(sec) && c.Artifact.GarbledIn(c.Artifact.Section(sec).Span, p.Want.ID.String()):
			c.r.recordOmitted(p.Want)
			c.Omitted[p.Want.ID] = true
		case p.Item == nil && diff.Visible(p.Want):
			c.differs = true
			c.Omitted[p.Want.ID] = true
			c.addOmitted(p.Want)
		case !p.Published(): // ES-003 reports the heading
		case p.Want == nil:
			c.differs = true
			if !c.made[p.Item.ID] {
				c.addUnexplained(p)
			}
		default:
			c.checkItem(p)
		}
	}
}

// mostListed is how many items that a version still leaves out are listed.
const mostListed = 100

// checkOmittedAgain finds the items of a section that an earlier version left out too.
func (c *publicationChecker) checkOmittedAgain(sec brenner.Section) {
	if len(c.Omitted) == 0 {
		return
	}
	for _, it := range c.Want.Items(sec) {
		switch {
		case !c.Omitted[it.ID]:
			continue
		case len(c.again) < mostListed:
			c.again = append(c.again, it.ID)
		default:
			c.more++
		}
		c.differs = true
	}
}

// checkItem compares a published item with the merged one.
func (c *publicationChecker) checkItem(p *diff.Pair) {
	p.Prefer()
	if p.Item.ID != p.Want.ID {
		c.differs = true
		if !c.expectedID(p) {
			c.addRenumbered(p)
		}
	} else if c.reused(p) {
		c.differs = true
		put(&c.itemDiffs, p, itemDiff{reused: true})
		c.addReused(p)
		return
	}
	stale := c.StaleOutcomes(p)
	d := itemDiff{fields: c.Fields(p), stale: len(stale) > 0, kill: p.KillDiffers()}
	d.renumbered = c.Renumbered(p, d.fields)
	if !d.stale && c.OutcomesMove(p) {
		d.stale, c.rebased = true, true
		put(&c.itemDiffs, p, d)
		d.stale = false
	}
	if len(d.fields) == 0 && len(d.renumbered) == 0 && !d.stale && !d.kill {
		return
	}
	c.differs = true
	d.stale = c.itemDiffs[p].stale || d.stale
	put(&c.itemDiffs, p, d)
	for _, e := range stale {
		c.addStaleOutcome(p, e)
	}
	if d.kill {
		if !p.Item.Killed {
			c.ignore(merge.OriginOf(p.Want).Killed)
		}
		if !c.explainedKill(p) {
			c.addKill(p)
		}
	}
	for i := range d.fields {
		if f := &d.fields[i]; !c.ambiguous(p, f.Key) {
			c.ignore(merge.OriginOf(p.Want).Field(f.Key))
			c.addField(p, f)
		}
	}
}

// ignore records a delta that the publisher seems to have left out.
func (c *publicationChecker) ignore(d *merge.Delta) {
	if d != nil {
		put(&c.ignored, d, true)
	}
}

// at returns a place in the published artifact.
func (c *publicationChecker) at(s source.Span) Site {
	site := c.site
	site.At = c.Artifact.Text.Place(s)
	return site
}

// addedBy returns the delta that added an item, nil if an earlier version has it.
func (c *publicationChecker) addedBy(id brenner.ItemID) *Delta { return of(c.w.origin(id).Added) }

// put sets an entry of a map, which is made for the first: most maps of most windows and
// threads have none.
func put[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
}

func (c *publicationChecker) addAppliedReject(a appliedReject) {
	c.r.record(RejectApplied, a.item)
	if a.delta.In.GarbledAt(a.delta.Delta.Text.WholePos()) {
		return // it may have been right as it was written (decisions.md 90)
	}
	c.r.Facts.AppliedRejects = append(c.r.Facts.AppliedRejects, AppliedReject{Site: c.at(a.at), Delta: a.delta, Operation: a.delta.merge.Operation, Item: a.item})
}

func (c *publicationChecker) addOmitted(it *state.Item) {
	c.r.recordOmitted(it)
	if c.LeavesOut(it.ID.Section) {
		c.r.record(SectionOmitted, brenner.ItemID{Section: it.ID.Section})
	}
	c.r.Facts.OmittedItems = append(c.r.Facts.OmittedItems, OmittedItem{
		Site: c.atSection(it.ID.Section), Item: it, Added: c.addedBy(it.ID),
	})
}

// atSection returns the place of a section's heading, of the artifact's first line if it has
// none.
func (c *publicationChecker) atSection(sec brenner.Section) Site {
	if s := c.Artifact.Section(sec); s != nil {
		return c.at(s.Heading)
	}
	return c.at(c.Artifact.Text.Line(c.Artifact.Text.LineAt(c.Artifact.Span.Start)))
}

func (c *publicationChecker) addStillOmitted() {
	if len(c.again) == 0 {
		return
	}
	f := StillOmitted{Site: c.atSection(c.again[0].Section), Items: c.again, More: c.more}
	c.r.Facts.StillOmitted = append(c.r.Facts.StillOmitted, f)
}

func (c *publicationChecker) addUnexplained(p *diff.Pair) {
	f := UnexplainedItem{Site: c.at(p.Item.Heading), Item: p.Got()}
	if n := len(c.r.Windows); n > 0 {
		f.Before = c.r.Windows[n-1]
	}
	c.r.record(ItemUnexplained, p.Item.ID)
	c.r.Facts.UnexplainedItems = append(c.r.Facts.UnexplainedItems, f)
}

func (c *publicationChecker) addRenumbered(p *diff.Pair) {
	c.r.record(IDChanged, p.Item.ID)
	c.r.Facts.RenumberedItems = append(c.r.Facts.RenumberedItems, RenumberedItem{
		Site: c.at(p.Item.IDSpan), Item: p.Item.ID, Title: p.Title(), Own: p.Want.ID, Added: c.addedBy(p.Want.ID),
	})
}

func (c *publicationChecker) addReused(p *diff.Pair) {
	sec := p.Item.ID.Section
	c.r.record(IDChanged, p.Item.ID)
	c.r.Facts.ReusedIDs = append(c.r.Facts.ReusedIDs, ReusedID{
		Site: c.at(p.Item.IDSpan), Item: p.Item.ID, Title: p.Title(), Owner: p.Want, Added: c.addedBy(p.Want.ID),
		Free: brenner.ItemID{Section: sec, Number: c.Want.Highest(sec) + 1},
	})
}

func (c *publicationChecker) addStaleOutcome(p *diff.Pair, e artifact.Entry) {
	h, _ := brenner.ParseItemID(e.Key)
	c.r.Facts.StaleOutcomes = append(c.r.Facts.StaleOutcomes, StaleOutcome{
		Site: c.at(e.Span), Item: p.Item.ID, Hypothesis: e.Key, Text: e.Text, Kill: of(c.w.origin(h).Killed),
	})
}

func (c *publicationChecker) addField(p *diff.Pair, d *diff.Field) {
	f := FieldDiff{Site: c.at(d.At), Field: *d, Item: p.Item.ID, By: of(merge.OriginOf(p.Want).Field(d.Key))}
	c.r.recordField(&f)
	if h, _ := brenner.ParseItemID(d.Part); c.Renamed[h].Number > 0 { // the outcome of a hypothesis
		renamed := f
		renamed.Field.Part = c.Renamed[h].String()
		c.r.recordField(&renamed)
	}
	c.r.Facts.FieldDiffs = append(c.r.Facts.FieldDiffs, f)
}

func (c *publicationChecker) addKill(p *diff.Pair) {
	want, got := p.Want.Killed, p.Got().Killed
	f := KillDiff{Site: c.at(p.Item.Heading), Item: p.Item.ID, Want: want, Got: got, GotAt: p.Item.KilledAt, Kill: of(merge.OriginOf(p.Want).Killed)}
	line := func(field, text string) bool {
		at, ok := c.inLine(p, field, text)
		if ok {
			f.Site, f.Field = c.at(at), field
		}
		return ok
	}
	switch {
	case want == nil:
		f.Aspect = NotKilled
	case got == nil:
		f.Aspect = NotActive
	case diff.TextDiffers(want.By, got.By):
		f.Aspect = KilledBy
		line("killed_by", got.By)
	case !diff.TextDiffers(want.Reason, got.Reason):
		f.Aspect = KilledAt
		if !line("killed_at", f.GotAt) { // `Killed by: Agent (timestamp)`
			line("killed_by", f.GotAt)
			f.Field = "killed_at"
		}
	default:
		f.Aspect = KillReason
		line("kill_reason", got.Reason)
	}
	c.r.Facts.KillDiffs = append(c.r.Facts.KillDiffs, f)
}

// inLine returns the place of a text in the line of a field, or of the field's value
// if the text is not found literally.
func (c *publicationChecker) inLine(p *diff.Pair, field, text string) (source.Span, bool) {
	f := p.Item.Field(field)
	if f == nil || f.Value.Empty() {
		return source.Span{}, false
	}
	at := f.Value
	if i := strings.LastIndex(c.Artifact.Text.Slice(at), text); i >= 0 && text != "" {
		at = source.Span{Start: at.Start + i, End: at.Start + i + len(text)}
	}
	return at, true
}
