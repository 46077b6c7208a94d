package replay

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/merge"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/session"
	"github.com/brennerlint/brennerlint/internal/source"
	"github.com/brennerlint/brennerlint/internal/state"
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
	for i := range r.opts.Files {
		f := &r.opts.Files[i]
		if v, _ := version(f.Artifact); v > 0 && v == m.Version.Number && !f.Artifact.IsJSON() && len(f.Artifact.Sections) > 0 {
			return f.Artifact, f
		}
	}
	return nil, nil
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
	ids     expectedIDs
	// concessions are the rejected deltas that were published.
	concessions []concession
	// made are items that a rejected EDIT explains, although there was nothing to
	// edit.
	made map[protocol.ItemID]bool

	out     *state.State // the published state
	origins merge.Origins
	differs bool
}

func (r *Thread) compare(w *Window, a *artifact.Artifact, f *File) {
	if w.Unread {
		w.adoptUnread(a)
		return
	}
	c := &comparer{
		comparison: &comparison{a: a, pub: a.State(), ref: w.State}, r: r, w: w, in: w.Compiled,
		made: map[protocol.ItemID]bool{},
	}
	if f != nil {
		c.in, c.path = nil, f.Path
	}
	c.concede()
	c.ids = newExpectedIDs(w.strict, w.result)
	c.kills()
	c.lenient = c.tieExplains
	c.out, c.origins = &state.State{}, merge.Origins{}
	for _, sec := range protocol.Sections {
		c.section(sec)
	}
	for _, f := range c.concessions {
		w.conceded[f.delta.merge] = true
		c.reportConceded(f)
	}
	w.Published = w.State
	w.next, w.nextOrigins = w.result.State, w.result.Origins
	if c.differs {
		w.Published = c.out
		w.next, w.nextOrigins = c.out, c.origins
	} else if len(c.concessions) > 0 {
		w.Published = w.result.State
	}
	matches := w.Published == w.State || bytes.Equal(w.Published.CanonicalJSON(), w.State.CanonicalJSON())
	w.Matches = &matches
	if f != nil {
		// The thread itself does not show it: the next window starts from the replay.
		w.inFile = true
		w.next, w.nextOrigins = w.State, w.strict.Origins
	}
}

// adoptUnread takes what was published as the next window's base although the
// deltas that led to it were not to be read.
func (w *Window) adoptUnread(a *artifact.Artifact) {
	w.Published = a.State()
	for _, sec := range protocol.Sections {
		w.Published.Reserve(sec, w.State.Highest(sec))
	}
	w.next, w.nextOrigins = w.Published, nil
}

// present reports whether a section can be compared: a missing one, or one
// without a usable table, is said once, by ES-001 or EP-002.
func (c *comparer) present(sec protocol.Section) *artifact.Section {
	s := c.a.Section(sec)
	if s != nil && sec == protocol.PredictionsTable && !c.a.IsJSON() && s.Table == nil && len(s.Items) == 0 {
		return nil
	}
	return s
}

// match matches all items of the published artifact.
func (c *comparer) match(adds *rejectedAdds) {
	for _, sec := range protocol.Sections {
		c.matches[sec] = nil
		if s := c.present(sec); s != nil {
			c.matches[sec] = newMatcher(sec, c.ref.Items(sec), s, c.pub).matched(adds)
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

// section compares one section and takes over what was published.
func (c *comparer) section(sec protocol.Section) {
	c.out.Reserve(sec, c.ref.Highest(sec))
	if c.present(sec) == nil {
		for _, it := range c.ref.Items(sec) {
			c.differs = true
			c.keep(it, it.ID)
		}
		return
	}
	missing := c.ids.missing(c.matches[sec])
	for i := range c.matches[sec] {
		m := &c.matches[sec][i]
		switch {
		case m.pub == nil && !visible(m.ref):
			c.keep(m.ref, m.ref.ID)
		case m.pub == nil:
			c.differs = true
			c.miss(c.origin(m.ref.ID).Added)
			c.reportMissing(m.ref)
		case m.val == nil: // ES-003 says that the heading is wrong
			if m.ref != nil {
				c.differs = true
				c.keep(m.ref, m.ref.ID)
			}
		case m.ref == nil:
			c.differs = true
			if !c.made[m.pub.ID] {
				c.reportUnexplained(m)
			}
			c.out.Add(&state.Item{ID: m.val.ID, Fields: m.val.Fields, Killed: m.val.Killed})
		default:
			c.item(m, missing)
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

// keep takes a copy of an item of the replayed state over, with what is known of
// it; the copy then gets what was published.
func (c *comparer) keep(it *state.Item, id protocol.ItemID) *state.Item {
	c.out.Add(&state.Item{ID: id, Fields: maps.Clone(it.Fields), Killed: it.Killed})
	if from := c.w.result.Origins[it.ID]; from != nil {
		c.origins[id] = from
	}
	return c.out.Find(id)
}

// item compares a published item with the replayed one.
func (c *comparer) item(m *match, missing map[protocol.ItemID]int) {
	id := m.pub.ID
	if id != m.ref.ID {
		c.differs = true
		if d := c.origin(m.ref.ID).Added; !c.isConceded(d) && !c.ids.expected(m, missing) {
			c.reportRenumbered(m)
		}
	} else if c.reused(m) {
		c.differs = true
		c.reportReused(m)
		c.out.Add(&state.Item{ID: id, Fields: m.val.Fields, Killed: m.val.Killed})
		return
	}
	out := c.keep(m.ref, id)
	diffs := c.fields(m)
	cells := c.standing(m)
	killDiffers := c.killDiffer(m)
	if len(diffs) == 0 && len(cells) == 0 && !killDiffers {
		return
	}
	c.differs = true
	for _, e := range cells {
		c.reportStanding(m, e)
	}
	if killDiffers {
		if m.val.Active() {
			c.miss(c.origin(m.ref.ID).Killed)
		}
		c.reportKill(m)
	}
	for i := range diffs {
		c.miss(c.origin(m.ref.ID).Fields[diffs[i].key])
		c.reportField(m, &diffs[i])
	}
	c.adopt(m, out, diffs, len(cells) > 0, killDiffers)
}

// origin is what is known of an item, never nil.
func (c *comparer) origin(id protocol.ItemID) *merge.Origin {
	if from := c.w.result.Origins[id]; from != nil {
		return from
	}
	return &merge.Origin{}
}

func (c *comparer) isConceded(d *merge.Delta) bool {
	return slices.ContainsFunc(c.concessions, func(f concession) bool { return f.delta.merge == d })
}

// miss notes a delta that the publisher seems to have left out.
func (c *comparer) miss(d *merge.Delta) {
	if d != nil {
		c.w.missed[d] = true
	}
}

// adopt makes an item what was published of it: the next window starts there.
func (c *comparer) adopt(m *match, out *state.Item, diffs []difference, cells, kill bool) {
	out = c.out.Own(out.ID)
	out.Fields = maps.Clone(out.Fields) // they are those of the merged state
	if k := m.val.Killed; kill && k != nil && out.Killed != nil {
		out.Killed = &state.Kill{By: cmp.Or(k.By, out.Killed.By), At: out.Killed.At, Reason: cmp.Or(k.Reason, out.Killed.Reason)}
	} else if kill {
		out.Killed = k
	}
	from := &merge.Origin{Fields: map[string]*merge.Delta{}}
	if old := c.origins[out.ID]; old != nil {
		from.Added, from.Killed = old.Added, old.Killed
		for key, d := range old.Fields {
			from.Fields[key] = d
		}
	}
	if out.Active() {
		from.Killed = nil
	}
	for _, d := range diffs {
		c.adoptField(m, out, from, d.key)
	}
	if cells {
		c.adoptField(m, out, from, "predictions")
	}
	c.origins[out.ID] = from
}

func (c *comparer) adoptField(m *match, out *state.Item, from *merge.Origin, key string) {
	delete(from.Fields, key)
	if v, ok := m.val.Fields[key]; ok {
		out.Fields[key] = v
	} else {
		delete(out.Fields, key)
	}
}

// killDiffer reports whether the two sides differ in whether, by whom or why the
// item was killed. What a rendering leaves out is RD-001.
func (c *comparer) killDiffer(m *match) bool {
	if m.ref.Active() != m.val.Active() {
		return true
	}
	if m.ref.Active() || m.ref.ID.Section == protocol.PredictionsTable {
		return false
	}
	return differ(m.ref.Killed.By, m.val.Killed.By) || differ(m.ref.Killed.Reason, m.val.Killed.Reason)
}

func differ(want, got string) bool { return got != "" && state.Fold(want) != state.Fold(got) }

// reused reports whether a published item has nothing but its id in common with
// the one that the version before had under it.
func (c *comparer) reused(m *match) bool {
	sec := m.ref.ID.Section
	if sec == protocol.ResearchThread || sec == protocol.PredictionsTable || c.w.base.Find(m.ref.ID) == nil {
		return false
	}
	got := identify(sec, m.val.Fields)
	held := []map[string]any{m.ref.Fields, c.w.base.Find(m.ref.ID).Fields}
	for _, d := range c.w.Deltas {
		if d.merge != nil && d.merge.Operation == protocol.Edit && d.merge.Target == m.ref.ID {
			held = append(held, d.merge.Payload)
		}
	}
	return got.name != "" && got.body != "" && !slices.ContainsFunc(held, func(fields map[string]any) bool {
		was := identify(sec, fields)
		return was.name == got.name || was.body == got.body
	})
}

// tieExplains reports whether a value comes from the other order of deltas that
// are tied: MR-008 and MR-009 say so already.
func (c *comparer) tieExplains(id protocol.ItemID, key string, got any) bool {
	f := id.Section.Field(key)
	for i := range c.w.result.Conflicts {
		k := &c.w.result.Conflicts[i]
		if k.Item == id && k.Field == key && slices.ContainsFunc(k.Deltas, func(d *merge.Delta) bool { return same(id.Section, f, d.Payload[key], got) }) {
			return true
		}
	}
	for i := range c.w.result.Ties {
		t := &c.w.result.Ties[i]
		switch {
		case t.Item != id:
		case t.Kind == merge.TiedValues && t.Field == key && same(id.Section, f, t.Other, got):
			return true
		case t.Kind == merge.TiedKill && same(id.Section, f, t.First.Payload[key], got):
			return true
		}
	}
	return false
}

// span is a place in the published artifact.
func (c *comparer) span(s source.Span) source.Place { return c.a.Text.Place(s) }

// report adds a problem of the published artifact.
func (c *comparer) report(p Problem) {
	p.In, p.Path = c.in, c.path
	c.r.Problems = append(c.r.Problems, p)
}
