package replay

import (
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/state"
)

// published is the artifact that a window published: inline, or a file among the
// inputs that a COMPILED links to and that carries its version (decisions.md 26).
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

// filesByVersion are the persisted Markdown artifacts by the version that they
// carry, of several the first.
func filesByVersion(files []File) map[int]*File {
	out := make(map[int]*File, len(files))
	for i := range files {
		f := &files[i]
		if v, _ := version(f.Artifact); v > 0 && out[v] == nil && !f.Artifact.IsJSON() && len(f.Artifact.Sections) > 0 {
			out[v] = f
		}
	}
	return out
}

// comparer holds what a window published against what its deltas make of its
// base.
type comparer struct {
	*comparison
	r       *Thread
	w       *Window
	in      *session.Message
	path    string
	matches [len(protocol.Sections) + 1][]match
	ids     *expectedIDs // made when an item has another id than expected
	// concessions are the rejected deltas that were published.
	concessions []concession
	// made are items that a rejected EDIT explains, although there was nothing to
	// edit.
	made map[protocol.ItemID]bool
	// edits are the window's EDITs by their targets, made when they are needed.
	edits map[protocol.ItemID][]*merge.Delta

	// doubts are what the order of the window's deltas leaves open, made when they
	// are needed.
	doubts *doubts

	verdicts map[*match]verdict // of matched items that differ
	differs  bool
}

// verdict is in what a published item differs from the replayed one.
type verdict struct {
	diffs  []difference
	cells  bool // outcomes of a killed hypothesis stand
	kill   bool
	reused bool // it is another item under the same id
}

func (r *Thread) compare(w *Window, a *artifact.Artifact, f *File) {
	if w.Unread {
		w.adoptUnread(a)
		return
	}
	c := &comparer{
		comparison: &comparison{a: a, pub: a.State(), ref: w.State}, r: r, w: w, in: w.Compiled,
		made: map[protocol.ItemID]bool{}, verdicts: map[*match]verdict{},
	}
	if f != nil {
		c.in, c.path = nil, f.Path
	}
	c.concede()
	w.conceded, w.missed = map[*merge.Delta]bool{}, map[*merge.Delta]bool{}
	for _, f := range c.concessions {
		w.conceded[f.delta.merge] = true
		if !slices.Contains(w.hidden, f.delta) { // else MB-001 says it
			c.reportConceded(f)
		}
	}
	c.kills()
	c.excuse = c.excused
	for _, sec := range protocol.Sections {
		c.section(sec)
	}
	w.Published = w.result.State
	if c.differs {
		w.Published = c.adopt()
	}
	matches := w.Published.Equal(w.State)
	w.Matches = &matches
	if w.inFile = f != nil; !w.inFile { // else the thread itself does not show it
		w.next = c.withOmitted(w.Published)
	}
}

// adoptUnread takes what was published as the next window's base although the
// deltas that led to it were not to be read.
func (w *Window) adoptUnread(a *artifact.Artifact) {
	w.Published = a.State()
	for _, sec := range protocol.Sections {
		w.Published.ReserveID(sec, w.State.Highest(sec))
	}
	w.next = w.Published
}

// present reports whether a section can be compared: a missing one, or one
// without a usable table, is said once, by ES-001 or EP-002.
func (c *comparer) present(sec protocol.Section) bool {
	s := c.a.Section(sec)
	return s != nil && (sec != protocol.PredictionsTable || c.a.IsJSON() || s.Table != nil || len(s.Items) > 0)
}

// match matches all items of the published artifact.
func (c *comparer) match(adds *rejectedAdds) {
	for _, sec := range protocol.Sections {
		c.matches[sec] = nil
		if c.present(sec) {
			c.matches[sec] = newMatcher(sec, c.ref.Items(sec), c.a, c.pub).matched(adds)
		}
	}
}

// kills finds the hypotheses that are killed on one side only.
func (c *comparer) kills() {
	c.killDiffers = map[protocol.ItemID]bool{}
	for _, m := range c.matches[protocol.HypothesisSlate] {
		if m.ref != nil && m.val != nil && m.ref.Active() != m.val.Active() {
			c.killDiffers[m.ref.ID], c.killDiffers[m.pub.ID] = true, true
		}
	}
}

// section compares one section.
func (c *comparer) section(sec protocol.Section) {
	if !c.present(sec) {
		return
	}
	for i := range c.matches[sec] {
		m := &c.matches[sec][i]
		switch {
		case m.pub == nil && visible(m.ref):
			c.differs = true
			c.miss(merge.OriginOf(m.ref).Added)
			if !c.w.omitted[m.ref.ID] || c.w.touches(m.ref.ID) { // else it was said of an earlier version
				c.reportMissing(m.ref)
			}
		case m.pub == nil || m.val == nil: // ES-003 says that the heading is wrong
		case m.ref == nil:
			c.differs = true
			if !c.made[m.pub.ID] {
				c.reportUnexplained(m)
			}
		default:
			c.item(m)
		}
	}
}

// visible reports whether a rendering shows an item at all: a research thread
// has no heading of its own.
func visible(it *state.Item) bool {
	if it.ID.Section != protocol.ResearchThread {
		return true
	}
	for key, v := range it.Fields {
		if f := it.ID.Section.Field(key); f != nil && state.NormalValue(it.ID.Section, f, v) != nil {
			return true
		}
	}
	return false
}

// item compares a published item with the replayed one.
func (c *comparer) item(m *match) {
	if m.pub.ID != m.ref.ID {
		c.differs = true
		if !c.w.conceded[merge.OriginOf(m.ref).Added] && !c.expectedID(m) {
			c.reportRenumbered(m)
		}
	} else if c.reused(m) {
		c.differs = true
		c.verdicts[m] = verdict{reused: true}
		c.reportReused(m)
		return
	}
	cells := c.standing(m)
	v := verdict{diffs: c.fields(m), cells: len(cells) > 0, kill: c.killDiffer(m)}
	if len(v.diffs) == 0 && !v.cells && !v.kill {
		return
	}
	c.differs = true
	c.verdicts[m] = v
	for _, e := range cells {
		c.reportStanding(m, e)
	}
	if v.kill {
		if m.val.Active() {
			c.miss(merge.OriginOf(m.ref).Killed)
		}
		c.reportKill(m)
	}
	for i := range v.diffs {
		if d := &v.diffs[i]; !d.excused {
			c.miss(merge.OriginOf(m.ref).Field(d.key))
			c.reportField(m, d)
		}
	}
}

// miss notes a delta that the publisher seems to have left out.
func (c *comparer) miss(d *merge.Delta) {
	if d != nil {
		c.w.missed[d] = true
	}
}

// killDiffer reports whether the two sides differ in whether, by whom, why or when
// the item was killed. What a rendering leaves out is RD-001.
func (c *comparer) killDiffer(m *match) bool {
	if m.ref.Active() != m.val.Active() {
		return true
	}
	if m.ref.Active() || m.ref.ID.Section == protocol.PredictionsTable {
		return false
	}
	return differ(m.ref.Killed.By, m.val.Killed.By) || differ(m.ref.Killed.Reason, m.val.Killed.Reason) || killedAtDiffers(m)
}

// killedAtDiffers reports whether the published instant of a KILL is another
// one, as far as it was written out: a date alone says nothing of the hour, a
// time without a fraction nothing of what follows the second.
func killedAtDiffers(m *match) bool {
	want, got := m.ref.Killed.At, m.val.Killed.At
	if got.IsZero() {
		return false
	}
	precision := time.Nanosecond
	if got.Nanosecond() == 0 {
		precision = time.Second
	}
	if shown, ok := protocol.ParseTime(m.pub.KilledAt); ok && !shown.HasTime {
		precision = 24 * time.Hour
	}
	return !want.Truncate(precision).Equal(got.Truncate(precision))
}

func differ(want, got string) bool { return got != "" && state.Fold(want) != state.Fold(got) }

// reused reports whether a published item has nothing but its id in common with
// the one that the version before had under it. Where items have no names, none
// can be told.
func (c *comparer) reused(m *match) bool {
	sec := m.ref.ID.Section
	if c.w.base.Find(m.ref.ID) == nil {
		return false
	}
	got, ref := identify(sec, m.val.Fields), identify(sec, m.ref.Fields)
	if got.name == "" || got.body == "" || got.name == ref.name || got.body == ref.body {
		return false
	}
	held := []map[string]any{c.w.base.Find(m.ref.ID).Fields}
	for _, d := range c.editsOf(m.ref.ID) {
		held = append(held, d.Payload)
	}
	return !slices.ContainsFunc(held, func(fields map[string]any) bool {
		was := identify(sec, fields)
		return was.name == got.name || was.body == got.body
	})
}

// editsOf are the window's EDITs of an item.
func (c *comparer) editsOf(id protocol.ItemID) []*merge.Delta {
	if c.edits == nil {
		c.edits = map[protocol.ItemID][]*merge.Delta{}
		for _, d := range c.w.Deltas {
			if m := d.merge; m != nil && m.Operation == protocol.Edit {
				c.edits[m.Target] = append(c.edits[m.Target], m)
			}
		}
	}
	return c.edits[id]
}

// excused reports whether a published value differs because of something that is
// said already: it is what the other order of tied deltas gives (MR-008, MR-009),
// or fills in what a rejected ADD lacks that was published (MR-022).
func (c *comparer) excused(it *state.Item, f *protocol.Field, got any) bool {
	if f.Required && it.Fields[f.Key] == nil && c.w.conceded[merge.OriginOf(it).Added] {
		return true
	}
	if c.doubts == nil {
		c.doubts = newDoubts(c.w.result)
	}
	sec := it.ID.Section
	for _, k := range c.doubts.conflicts[it.ID] {
		if k.Field == f.Key && slices.ContainsFunc(k.Deltas, func(d *merge.Delta) bool { return same(sec, f, d.Payload[f.Key], got) }) {
			return true
		}
	}
	for _, t := range c.doubts.ties[it.ID] {
		switch {
		case t.Kind == merge.TiedValues && t.Field == f.Key && same(sec, f, t.Other, got):
			return true
		case t.Kind == merge.TiedKill && same(sec, f, t.First.Payload[f.Key], got):
			return true
		}
	}
	return false
}

// doubts are the conflicts and ties of a merge by their items.
type doubts struct {
	conflicts map[protocol.ItemID][]*merge.Conflict
	ties      map[protocol.ItemID][]*merge.Tie
}

func newDoubts(res *merge.Result) *doubts {
	d := &doubts{map[protocol.ItemID][]*merge.Conflict{}, map[protocol.ItemID][]*merge.Tie{}}
	for i := range res.Conflicts {
		k := &res.Conflicts[i]
		d.conflicts[k.Item] = append(d.conflicts[k.Item], k)
	}
	for i := range res.Ties {
		t := &res.Ties[i]
		d.ties[t.Item] = append(d.ties[t.Item], t)
	}
	return d
}

// span is a place in the published artifact.
func (c *comparer) span(s source.Span) source.Place { return c.a.Text.Place(s) }

// report adds a problem of the published artifact.
func (c *comparer) report(p Problem) {
	p.In, p.Path = c.in, c.path
	c.r.Problems = append(c.r.Problems, p)
}
