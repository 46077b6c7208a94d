package replay

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
)

// FieldBlame names the delta that set a field of an artifact.
type FieldBlame struct {
	Item  brenner.ItemID
	Field string // the JSON key; "" for the item itself, "killed" for its KILL
	Value string // as a text
	// By is the delta that set the field last (that added or killed the item);
	// nil if no delta explains it.
	By *Blame
	// Differs reports that the artifact does not say what the delta set.
	Differs bool
	// History lists the events that set the field, oldest first, up to what the COMPILED of the
	// artifact's version published; only on request.
	History []FieldEvent
}

// Blame is a delta as blame reports it.
type Blame struct {
	Agent     string
	MessageID string
	Message   int // the index of the message in its thread: not every message has an id
	Delta     int
	Time      time.Time
	// Rejection is why the delta should have been rejected, if a COMPILED applied it anyway; else
	// nil.
	Rejection *Rejection
	// RejectedBy is the id of the rule that explains the rejection. A replay knows no
	// rules: the engine fills it in.
	RejectedBy string
}

// Blame names the delta that set each item and field of an artifact, in text order,
// as of the window that published its version; without such a window, as of now.
func (r *Thread) Blame(a *artifact.Artifact, history bool) (out []FieldBlame) {
	w := r.Pending
	isPublished := func(n int) bool { return n > 0 && r.Version(n) != nil }
	if n, _, _ := version(a, isPublished); isPublished(n) {
		w = r.Version(n)
	}
	var h histories
	if history {
		h = r.historiesUpTo(w)
	}
	c := &diff.Comparison{Artifact: a, Want: w.asPublished.State}
	for _, sec := range brenner.Sections {
		var pairs []*diff.Pair
		for _, p := range c.Pairs(sec) {
			if p.Published() {
				pairs = append(pairs, p.All()...)
			}
		}
		slices.SortStableFunc(pairs, func(a, b *diff.Pair) int { return a.Item.Heading.Start - b.Item.Heading.Start })
		for _, p := range pairs {
			var events map[string][]FieldEvent
			if h != nil && p.Want != nil {
				events = h.of(p.Want).events
			}
			out = append(out, blame(c, p, events)...)
		}
	}
	return out
}

// blame returns the blame of one item, with what happened to its fields.
func blame(c *diff.Comparison, p *diff.Pair, events map[string][]FieldEvent) []FieldBlame {
	from := &merge.Origin{}
	differs := map[string]bool{}
	if p.Want != nil {
		from = merge.OriginOf(p.Want)
		d := c.Compare(p)
		differs["killed"], differs["predictions"] = p.KillDiffers(), len(d.Stale) > 0
		for _, f := range d.Fields {
			differs[f.Key] = true
		}
	}
	var out []FieldBlame
	add := func(key, field, value string, by *merge.Delta) {
		out = append(out, FieldBlame{
			Item: p.Got.ID, Field: field, Value: value, By: blameOf(by), Differs: by != nil && differs[key], History: events[field],
		})
		delete(events, field) // of a field that is given several times, the first has it
	}
	if p.Got.ID.Section != brenner.ResearchThread {
		add("name", "", p.Item.Name, from.Added)
		if by := from.Fields["name"]; by != from.Added && p.Got.ID.Section.Field("name") != nil {
			add("name", "name", p.Item.Name, by)
		}
	}
	given := map[string]*merge.Delta{} // unknown fields by label
	for key, d := range from.Fields {
		given[brenner.FoldKey(key)] = d
	}
	repeated := map[*artifact.Field]bool{}
	for _, f := range p.Item.Repeated {
		repeated[f], repeated[f.First] = true, true
	}
	for _, f := range p.Item.Fields {
		if f.Known != nil && repeated[f] { // each value counts
			differs[f.Key] = p.Want != nil && !diff.Same(p.Item.ID.Section, f.Known, p.Want.Fields()[f.Key], f.Data())
		}
		value := brenner.OneLine(f.Data())
		if f.Known != nil && f.Node == nil && f.RepeatsPart() {
			parts := make([]string, len(f.Entries))
			for i, e := range f.Entries {
				parts[i] = e.Key + ": " + brenner.OneLine(e.Text)
			}
			value, differs[f.Key] = strings.Join(parts, "; "), true
		}
		if value == "" && f.Known == nil {
			value = f.Text // no value is read from it
		}
		by := given[brenner.FoldKey(f.Key)]
		isUnset := by == nil && f.Known != nil && f.Known.Kind == brenner.FlagField && brenner.NormalValue(p.Item.ID.Section, f.Known, f.Data()) == nil
		if value != "" && !isUnset && !brenner.IsSystemField(f.Key) && f.Key != "name" {
			add(f.Key, f.Key, value, by)
		}
	}
	if k := cmp.Or(p.Got.Killed, &brenner.Killing{}); p.Got.Killed != nil || from.Killed != nil {
		add("killed", "killed", k.Reason, from.Killed)
	}
	return out
}

func blameOf(d *merge.Delta) *Blame {
	if d == nil {
		return nil
	}
	by := deltaOf(d)
	out := &Blame{Agent: by.Agent, MessageID: by.In.ID, Message: by.In.Index, Delta: by.Index, Time: d.Time}
	if !by.Allowed {
		out.Rejection = by.Rejection
	}
	return out
}

// IsOf reports whether the delta is in the message with an id and an index in the thread.
func (b *Blame) IsOf(id string, index int) bool {
	return b.MessageID == id && (id != "" || b.Message == index)
}

// Holds reports whether the window has a delta.
func (w *Window) Holds(by *Blame) bool {
	return slices.ContainsFunc(w.Deltas, func(d *Delta) bool { return by.IsOf(d.In.ID, d.In.Index) && d.Index == by.Delta })
}
