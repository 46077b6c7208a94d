package diff

import (
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/text"
)

// Pair is an item of a state and the published item that shows it.
type Pair struct {
	Want *brenner.Item  // nil: the state has no such item
	Item *artifact.Item // nil: the item is not published
	Got  *brenner.Item  // Item as data

	// In is the published item in which this one begins, because its heading is lost. Of the item only the main text
	// is read.
	In *Pair

	twins []*artifact.Item // other published items of its id (ES-004)
}

// Published reports whether the published item exists and has a proper id (ES-003).
func (p *Pair) Published() bool { return p.Item != nil && p.Item.ID.Section != 0 }

// All returns the pair and those of some other published items of its id.
func (p *Pair) All() []*Pair {
	out := []*Pair{p}
	for _, it := range p.twins[:min(len(p.twins), mostRepeated)] {
		out = append(out, &Pair{Want: p.Want, Item: it, Got: it.State(it.ID.Section)})
	}
	return out
}

// OnOneSide reports whether only one of two versions that version control has left has the item.
func (p *Pair) OnOneSide(a *artifact.Artifact) bool {
	at := p.Item.Heading
	isOther := func(twin *artifact.Item) bool { return a.InConflict(at, twin.Heading) }
	return a.InConflict(at, at) && !slices.ContainsFunc(p.twins, isOther)
}

// Cut leaves out what the published item has from where another one begins, whose heading is lost.
func (p *Pair) Cut(other *Pair) {
	at := other.Item.Heading.Start
	isBelow := func(f *artifact.Field) bool { return f.Label.Start >= at }
	own := *p.Item
	own.Fields, own.Repeated = slices.DeleteFunc(slices.Clone(own.Fields), isBelow), slices.DeleteFunc(slices.Clone(own.Repeated), isBelow)
	own.PlainLabels = slices.DeleteFunc(slices.Clone(own.PlainLabels), func(l artifact.PlainLabel) bool { return l.Span.Start >= at })
	own.Span.End = min(own.Span.End, at)
	p.Item, p.Got = &own, own.State(own.ID.Section)
}

// Like reports whether the published item has the name or the main text of fields.
func (p *Pair) Like(fields map[string]any) bool {
	sec := p.Item.ID.Section
	return Identify(sec, fields).like(Identify(sec, p.Got.Fields()))
}

// Identity is what an item is recognised by if its id has changed: its name and its main field.
type Identity struct{ Name, Main string }

// Identify returns the identity of an item with some fields.
func Identify(sec brenner.Section, values map[string]any) Identity {
	normal := func(key string) string {
		f := sec.Field(key)
		if f == nil {
			return ""
		}
		return brenner.NormalText(sec, f, values[key])
	}
	return Identity{normal("name"), normal(sec.MainField())}
}

func (i Identity) none() bool { return i == Identity{} }

// like reports whether two identities have the same name or main text.
func (i Identity) like(o Identity) bool {
	return i.Name != "" && i.Name == o.Name || i.Main != "" && i.Main == o.Main
}

// AllPairs are the pairs of each section.
type AllPairs [len(brenner.Sections) + 1][]*Pair

// PairAll pairs the items of all sections that can be compared, and notes the ids under which they were
// published, and which are killed on one side only.
func (c *Comparison) PairAll() (out AllPairs) {
	c.ownIDs, c.NewIDs = map[brenner.ItemID]brenner.ItemID{}, map[brenner.ItemID]brenner.ItemID{}
	c.killDiffers = map[brenner.ItemID]bool{}
	for _, sec := range brenner.Sections {
		if !c.Compares(sec) {
			continue
		}
		out[sec] = c.Pairs(sec)
		for _, p := range out[sec] {
			if p.Want == nil || !p.Published() {
				continue
			}
			if p.Want.ID != p.Item.ID {
				c.ownIDs[p.Item.ID], c.NewIDs[p.Want.ID] = p.Want.ID, p.Item.ID
			}
			if p.KilledOnOneSide() {
				c.killDiffers[p.Want.ID], c.killDiffers[p.Item.ID] = true, true
			}
		}
	}
	return out
}

// Pairs pairs the items of a section: first those that are the same in every respect, then those
// whose id, name or text has changed, finally those that have only the id in common. Published items
// come first, in the order of the text. Missing ones follow, without those that were left out
// before.
func (c *Comparison) Pairs(sec brenner.Section) []*Pair {
	p := &pairing{of: c, sec: sec, used: make(map[*brenner.Item]bool, c.Want.Len(sec)), out: c.published(sec)}
	for _, section := range c.Artifact.Sections {
		if section.Kind != sec {
			continue
		}
		for _, it := range section.WithoutID() {
			p.out = append(p.out, &Pair{Item: it, Got: it.State(sec)})
		}
	}
	p.byID(func(want, got *brenner.Item) bool { return p.identity(want) == p.identity(got) })
	if slices.ContainsFunc(p.out, func(o *Pair) bool { return o.Want == nil }) {
		p.pairRest()
	}
	for _, o := range p.out {
		if o.Want == nil || o.Published() {
			continue
		}
		// ES-003 reports the heading, which has the name, if it is not JSON, and perhaps the kill.
		if o.Item.Killed || o.Want.Active() || !saysKilled().MatchString(c.Artifact.Text.Slice(o.Item.Heading)) {
			own := *o.Item
			if own.ID = o.Want.ID; own.Node == nil {
				own.Name = o.Want.Text("name")
			}
			o.Item, o.Got = &own, own.State(sec)
		}
	}
	headless := &pairing{of: c, sec: sec, used: p.used, out: c.headless(sec, p.out)}
	if len(headless.out) > 0 {
		headless.byKey(c.Want.Items(sec), p.main)
	}
	p.out = append(p.out, slices.DeleteFunc(headless.out, func(o *Pair) bool { return o.Want == nil })...)
	for _, it := range c.Want.Items(sec) {
		if !p.used[it] && !c.Omitted[it.ID] {
			p.out = append(p.out, &Pair{Want: it})
		}
	}
	return p.out
}

// headless returns the main texts of items that most likely begin in others, because their headings are lost.
func (c *Comparison) headless(sec brenner.Section, pairs []*Pair) (out []*Pair) {
	for _, in := range pairs {
		for i, f := range in.Item.Repeated {
			if f.Key == sec.MainField() && c.Artifact.StartsOver(in.Item, i) {
				it := &artifact.Item{Heading: f.Label, Fields: []*artifact.Field{f}}
				out = append(out, &Pair{Item: it, Got: it.State(sec), In: in})
			}
		}
	}
	return out
}

// saysKilled matches what may say in a heading without a proper id that its item is killed.
var saysKilled = text.Pattern(`~~|(?i:\bkilled\b)`)

// published returns the published items of a section, each id once, without the items of the state.
func (c *Comparison) published(sec brenner.Section) (out []*Pair) {
	all := c.Artifact.ItemsOf(sec)
	first := make(map[brenner.ItemID]*Pair, len(all))
	for _, it := range all {
		if p := first[it.ID]; p != nil {
			p.twins = append(p.twins, it)
		} else if it.HasContent() || len(it.PlainLabels) > 0 && c.Want.Find(it.ID) != nil { // as of any other item
			first[it.ID] = &Pair{Item: it, Got: it.State(sec)}
			out = append(out, first[it.ID])
		}
	}
	return out
}

// pairing pairs the items of one section.
type pairing struct {
	of   *Comparison
	sec  brenner.Section
	out  []*Pair                // one for each published item, in the order of the text, malformed ones last
	used map[*brenner.Item]bool // wanted items that are paired
}

// pairRest pairs the items that are not the same. Items that were left out before may be
// published again under other ids.
func (p *pairing) pairRest() {
	wants := p.of.Want.Items(p.sec)
	name := func(it *brenner.Item) Identity { return Identity{Name: p.identity(it).Name} }
	p.byID(p.unchanged)
	p.byKey(wants, p.identity)
	p.byID(func(want, got *brenner.Item) bool { return p.identity(want).like(p.identity(got)) })
	p.byKey(wants, p.main)
	p.byKey(wants, name)
	p.byID(func(want, got *brenner.Item) bool { return true })
}

func (p *pairing) identity(it *brenner.Item) Identity { return Identify(p.sec, it.Fields()) }
func (p *pairing) main(it *brenner.Item) Identity     { return Identity{Main: p.identity(it).Main} }

// byID pairs items with one id that fit.
func (p *pairing) byID(fits func(want, got *brenner.Item) bool) {
	for _, o := range p.out {
		if want := p.of.Want.Find(o.Item.ID); want != nil && o.Want == nil && !p.used[want] && fits(want, o.Got) {
			o.Want, p.used[want] = want, true
		}
	}
}

// unchanged reports whether a published item is what had its id before: the EDITs were left
// out, the item was not given another id.
func (p *pairing) unchanged(want, got *brenner.Item) bool {
	return p.of.Was != nil && !p.identity(got).none() && Identify(p.sec, p.of.Was(want)) == p.identity(got)
}

// byKey pairs published items with wanted items that have the same key, whatever their ids; items without a key
// remain.
func (p *pairing) byKey(wants []*brenner.Item, key func(*brenner.Item) Identity) {
	index := map[Identity][]*brenner.Item{}
	for _, it := range wants {
		if k := key(it); !p.used[it] && !k.none() {
			index[k] = append(index[k], it)
		}
	}
	for _, o := range p.out {
		if o.Want != nil {
			continue
		}
		k := key(o.Got)
		if list := index[k]; len(list) > 0 {
			o.Want, p.used[list[0]] = list[0], true
			index[k] = list[1:]
		}
	}
}
