package diff

import (
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// Pair is an item of a state and the published item that shows it.
type Pair struct {
	Want *state.Item    // nil: the state has no such item
	Item *artifact.Item // nil: the item is not published
	// Candidate is what explains the item instead of the state; nil if none. See
	// Candidates.
	Candidate *Candidate

	got *state.Item // made by Got
}

// Published reports whether an item is published that can be compared: not if its heading
// has no proper id (ES-003).
func (p *Pair) Published() bool { return p.Item != nil && p.Item.ID.Section != 0 }

// Got returns the published item as data, made on the first call; nil if it is not
// Published.
func (p *Pair) Got() *state.Item {
	if p.got == nil && p.Published() {
		p.got = p.Item.State(p.Item.ID.Section)
	}
	return p.got
}

// Prefer takes of each field that the published item gives several times the value that
// the state has, if it is among them (decisions.md 78).
func (p *Pair) Prefer() {
	if len(p.Item.Repeated) == 0 {
		return
	}
	p.got = nil
	p.Item = p.Item.Preferring(func(it *artifact.Item, f *brenner.Field) bool {
		return Same(it.ID.Section, f, p.Want.Fields()[f.Key], it.Value(f))
	})
}

// Alike reports whether both items have the same name or main text; items that have neither
// are alike if they have the same outcomes.
func (p *Pair) Alike() bool {
	sec := p.Want.ID.Section
	want, got := Identify(sec, p.Want.Fields()), Identify(sec, p.Got().Fields())
	if want.none() && got.none() && sec == brenner.PredictionsTable {
		return byOutcomes(p.Want.Fields()) == byOutcomes(p.Got().Fields())
	}
	return want.Name != "" && want.Name == got.Name || want.Main != "" && want.Main == got.Main
}

// Title returns the published item's name, else its main text.
func (p *Pair) Title() string {
	if p.Item.Name != "" {
		return p.Item.Name
	}
	return p.Got().Text(p.Item.ID.Section.MainField())
}

// Shows reports whether both items have exactly the same value in a field, or their section
// has no such field.
func (p *Pair) Shows(key string) bool {
	f := p.Want.ID.Section.Field(key)
	return f == nil || p.Item.Shows(f, p.Want.Fields()[key])
}

// valueOf returns the published value of a field, without making data of the whole item.
func (p *Pair) valueOf(key string) any {
	if f := p.Item.ID.Section.Field(key); f != nil {
		return p.Item.Value(f)
	}
	return p.Got().Fields()[key]
}

// Identity is how an item is recognised if its id has changed: its name, and its main
// field.
type Identity struct{ Name, Main string }

// Identify returns the identity of an item with some fields.
func Identify(sec brenner.Section, values map[string]any) Identity {
	return Identity{normalText(sec, "name", values), normalText(sec, sec.MainField(), values)}
}

func (i Identity) none() bool      { return i == Identity{} }
func (i Identity) whole() Identity { return i }
func (i Identity) main() Identity  { return Identity{Main: i.Main} }
func (i Identity) name() Identity  { return Identity{Name: i.Name} }

// key is what items are paired by: an identity, or one part of it. An identity that has
// only a name is another key than the name of an identity.
type key struct {
	Identity
	part bool
}

// keys returns the keys of an identity.
func (i Identity) keys() (keys []key) {
	for n, k := range [...]Identity{i.whole(), i.main(), i.name()} {
		if !k.none() {
			keys = append(keys, key{k, n > 0})
		}
	}
	return keys
}

// normalText returns a field in normal form, "" if it is absent.
func normalText(sec brenner.Section, key string, values map[string]any) string {
	f := sec.Field(key)
	if f == nil {
		return ""
	}
	return state.NormalText(sec, f, values[key])
}

// pairing pairs the items of one section.
type pairing struct {
	sec   brenner.Section
	wants []want     // in order of id
	out   []Pair     // one for each published item, in the order of the text, malformed ones last
	shown []Identity // of the open ones of out, once equal items are paired
	left  int        // unused wants
	of    *Comparison
}

// want is an item that should be published.
type want struct {
	*state.Item
	used bool
}

func (c *Comparison) newPairing(sec brenner.Section) *pairing {
	p := &c.pairing
	*p = pairing{sec: sec, of: c, wants: p.wants[:0]}
	p.read()
	if !c.Before.omits(sec) {
		for _, it := range c.Want.Items(sec) {
			p.wants = append(p.wants, want{Item: it})
		}
		p.left = len(p.wants)
		return p
	}
	ids := c.Before.ids(sec)
	for i := range p.out {
		ids = append(ids, p.out[i].Item.ID)
	}
	p.addWants(c.Want, ids)
	return p
}

// read records what is published.
func (p *pairing) read() {
	c := p.of
	if first := c.Artifact.Section(p.sec); first != nil {
		p.out = c.makeRoom(len(first.Items) + len(first.Malformed))
	}
	for it := range c.Artifact.ItemsIn(p.sec) { // a duplicate id is ES-004
		p.out = append(p.out, Pair{Item: it})
	}
	for _, section := range c.Artifact.Sections {
		if section.Kind != p.sec {
			continue
		}
		for i := range section.Malformed {
			if it := section.Malformed[i].Item; it != nil {
				p.out = append(p.out, Pair{Item: it})
			}
		}
	}
}

// makeRoom returns an empty list with room for some pairs. The lists of all sections are in one
// piece of memory.
func (c *Comparison) makeRoom(n int) []Pair {
	if n > len(c.room) {
		all := 0
		for _, s := range c.Artifact.Sections {
			all += len(s.Items) + len(s.Malformed)
		}
		c.room = make([]Pair, all)
	}
	out := c.room[:0:n]
	c.room = c.room[n:]
	return out
}

// addWants adds items by their ids, unless present.
func (p *pairing) addWants(from *state.State, ids []brenner.ItemID) {
	had := len(p.wants)
	for _, id := range ids {
		if it := from.Find(id); it != nil && id.Section == p.sec {
			p.wants = append(p.wants, want{Item: it})
		}
	}
	slices.SortStableFunc(p.wants, func(a, b want) int { return a.ID.Compare(b.ID) })
	p.wants = slices.CompactFunc(p.wants, func(a, b want) bool { return a.Item == b.Item })
	p.left += len(p.wants) - had
}

// addAbsent adds the absent items that an open published one may match. Of those with
// one key, as many as there are published items are enough: each matches at most one,
// in whichever stage.
func (p *pairing) addAbsent(c *Comparison) {
	if !c.Before.omits(p.sec) {
		return
	}
	var ids []brenner.ItemID
	seen := map[key]bool{}
	for i := range p.out {
		if !p.out[i].open() {
			continue
		}
		for _, k := range p.shown[i].keys() {
			if !seen[k] {
				seen[k] = true
				ids = append(ids, c.Before.withKey(p.sec, k, len(p.out))...)
			}
		}
	}
	p.addWants(c.Want, ids)
}

// byID pairs items with one id that fit.
func (p *pairing) byID(fits func(wanted, published int) bool) {
	for i := range p.out {
		if o := &p.out[i]; p.left > 0 && o.open() {
			if at, ok := p.find(o.Item.ID); ok && !p.wants[at].used && fits(at, i) {
				p.take(o, at)
			}
		}
	}
}

// find returns the index of an id among the wanted items, which are in order of id.
func (p *pairing) find(id brenner.ItemID) (int, bool) {
	if n := id.Number - 1; n >= 0 && n < len(p.wants) && p.wants[n].ID == id {
		return n, true
	}
	return slices.BinarySearchFunc(p.wants, id, func(w want, id brenner.ItemID) int { return w.ID.Compare(id) })
}

// wanted returns the identity of a wanted item.
func (p *pairing) wanted(at int) Identity {
	if id, known := p.of.identities[p.wants[at].Item]; known {
		return id
	}
	return Identify(p.sec, p.wants[at].Fields())
}

// identify keeps the identity of a wanted item.
func (c *Comparison) identify(it *state.Item, id Identity) {
	if c.identities == nil {
		c.identities = map[*state.Item]Identity{}
	}
	c.identities[it] = id
}

// published returns the identity of a published item.
func (p *pairing) published(i int) Identity {
	o := &p.out[i]
	if !o.Published() {
		return Identity{state.Fold(o.Item.Name), state.Fold(o.Item.Text(p.sec.MainField()))}
	}
	return Identify(p.sec, o.Got().Fields())
}

// identify records the identities of the published items that are open.
func (p *pairing) identify() {
	for i := range p.out {
		if !p.out[i].open() {
			continue
		}
		if p.shown == nil {
			p.shown = make([]Identity, len(p.out))
		}
		p.shown[i] = p.published(i)
	}
}

// same reports whether a wanted and a published item have one identity. Most have the
// same texts, which are not normalized.
func (p *pairing) same(at, i int) bool {
	if o := (Pair{Want: p.wants[at].Item, Item: p.out[i].Item}); o.Published() && o.Shows("name") && o.Shows(p.sec.MainField()) {
		return true
	}
	return p.wanted(at) == p.published(i)
}

// unchanged reports whether a published item is the one that had its id before.
func (p *pairing) unchanged(at, i int) bool {
	if p.of.Base == nil || !p.out[i].Published() {
		return false
	}
	was := p.of.Base.Find(p.wants[at].ID)
	return was != nil && !p.shown[i].none() && Identify(p.sec, was.Fields()) == p.shown[i]
}

// alike reports whether a wanted and a published item have the same name or main text.
func (p *pairing) alike(at, i int) bool {
	want, shown := p.wanted(at), p.shown[i]
	return want.Name != "" && want.Name == shown.Name || want.Main != "" && want.Main == shown.Main
}

// byKey pairs items that have one key, with any ids; items without a key remain.
func (p *pairing) byKey(key func(Identity) Identity) {
	if p.left == 0 {
		return
	}
	index := map[Identity][]int{} // of out: a state may have far more than is published
	for i := range p.out {
		if !p.out[i].open() {
			continue
		}
		if k := key(p.shown[i]); !k.none() {
			index[k] = append(index[k], i)
		}
	}
	for i := 0; i < len(p.wants) && len(index) > 0; i++ {
		if p.wants[i].used {
			continue
		}
		id := p.wanted(i)
		p.of.identify(p.wants[i].Item, id)
		k := key(id)
		at := index[k]
		if len(at) == 0 {
			continue
		}
		if p.take(&p.out[at[0]], i); len(at) > 1 {
			index[k] = at[1:]
		} else {
			delete(index, k)
		}
	}
}

func (p *Pair) open() bool { return p.Want == nil && p.Candidate == nil }

func (p *pairing) take(o *Pair, at int) {
	o.Want = p.wants[at].Item
	p.wants[at].used = true
	p.left--
}

// rest adds the wanted items that nothing shows.
func (p *pairing) rest() []Pair {
	for _, w := range p.wants {
		if !w.used {
			p.out = append(p.out, Pair{Want: w.Item})
		}
	}
	return p.out
}

func always(wanted, published int) bool { return true }

// Pairs pairs all possible items of a section: first what is the same in every respect,
// then what has changed its id, its name or its text, finally what has only its id in
// common. Candidates, which may be nil, explain what the state does not. Published items
// come in the order of the text, then what is missing, except what Unvisited counts.
func (c *Comparison) Pairs(sec brenner.Section, candidates *Candidates) []Pair {
	p := c.newPairing(sec)
	p.byID(p.same)
	p.identify()
	p.addAbsent(c)
	p.byID(p.unchanged)
	p.byCandidate(candidates, Identity.whole)
	p.byKey(Identity.whole)
	p.byID(p.alike)
	p.byKey(Identity.main)
	p.byKey(Identity.name)
	p.byCandidate(candidates, Identity.main)
	p.byCandidate(candidates, Identity.name)
	p.byOutcomes(candidates)
	p.byID(always)
	c.unvisited[sec] = c.Want.Len(sec) - len(p.wants)
	if c.Skipped[sec] = nil; c.unvisited[sec] > 0 {
		for _, it := range c.Want.Items(sec) {
			if _, visited := p.find(it.ID); !visited && len(c.Skipped[sec]) < MostSkipped {
				c.Skipped[sec] = append(c.Skipped[sec], it.ID)
			}
		}
	}
	return p.rest()
}

// Unvisited returns the number of absent items that the last Pairs of a section skipped:
// nothing published can match them, so they are missing as before.
func (c *Comparison) Unvisited(sec brenner.Section) int { return c.unvisited[sec] }

// pairsByID pairs the items of a section by their ids only.
func (c *Comparison) pairsByID(sec brenner.Section) []Pair {
	p := c.newPairing(sec)
	p.byID(always)
	return p.rest()
}
