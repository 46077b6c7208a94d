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
	// Candidate is the candidate that explains the item, which the state lacks; nil if none does.
	Candidate *Candidate

	got *state.Item // see Got
}

// Published reports whether the published item can be compared: it exists, and its heading has a
// proper id (ES-003).
func (p *Pair) Published() bool { return p.Item != nil && p.Item.ID.Section != 0 }

// Got returns the published item as data; nil if it is not Published. Most items need not
// become data.
func (p *Pair) Got() *state.Item {
	if p.got == nil && p.Published() {
		p.got = p.Item.State(p.Item.ID.Section)
	}
	return p.got
}

// value returns what the published item has in a field.
func (p *Pair) value(key string) any {
	if f := p.Item.ID.Section.Field(key); f != nil && p.got == nil {
		return p.Item.Value(f)
	}
	return p.Got().Fields()[key]
}

// Prefer looks at fields that the published item gives several times: it takes the value of the
// state, if that is among them (decisions.md 78).
func (p *Pair) Prefer() {
	if len(p.Item.Repeated) > 0 {
		p.Item = p.Item.Preferring(func(it *artifact.Item, f *brenner.Field) bool {
			return Same(it.ID.Section, f, p.Want.Fields()[f.Key], it.Value(f))
		})
		p.got = nil
	}
}

// Like reports whether the published item has the name or the main text of fields. Predictions
// with neither are alike if they have the same outcomes.
func (p *Pair) Like(fields map[string]any) bool {
	sec := p.Item.ID.Section
	want, got := Identify(sec, fields), Identify(sec, p.Got().Fields())
	if want.none() && got.none() && sec == brenner.PredictionsTable {
		return outcomeIdentity(fields) == outcomeIdentity(p.Got().Fields())
	}
	return want.like(got)
}

// Title returns the published item's name, else its main text.
func (p *Pair) Title() string {
	if p.Item.Name != "" {
		return p.Item.Name
	}
	return p.Got().Text(p.Item.ID.Section.MainField())
}

// Exact reports whether the published item shows exactly the values of an active item.
func (p *Pair) Exact() bool {
	if p.Item.Killed || !p.Want.Active() || p.Item.ID != p.Want.ID {
		return false
	}
	for i := range p.Item.ID.Section.Fields() {
		if !p.Shows(p.Item.ID.Section.Fields()[i].Key) {
			return false
		}
	}
	return !slices.ContainsFunc(p.Item.Fields, func(f *artifact.Field) bool { return f.Known == nil })
}

// Shows reports whether both items have exactly the same value in a field.
func (p *Pair) Shows(key string) bool {
	return state.SameValue(p.Want.Fields()[key], p.value(key))
}

func (p *Pair) open() bool { return p.Want == nil && p.Candidate == nil }

// Identity is what an item is recognised by if its id has changed: its name and its main field.
type Identity struct{ Name, Main string }

// Identify returns the identity of an item with some fields.
func Identify(sec brenner.Section, values map[string]any) Identity {
	return Identity{normalText(sec, "name", values), normalText(sec, sec.MainField(), values)}
}

func (i Identity) none() bool      { return i == Identity{} }
func (i Identity) whole() Identity { return i }
func (i Identity) main() Identity  { return Identity{Main: i.Main} }
func (i Identity) name() Identity  { return Identity{Name: i.Name} }

// like reports whether two identities have the same name or main text.
func (i Identity) like(o Identity) bool {
	return i.Name != "" && i.Name == o.Name || i.Main != "" && i.Main == o.Main
}

// normalText returns a field in normal form, "" if it is absent.
func normalText(sec brenner.Section, key string, values map[string]any) string {
	f := sec.Field(key)
	if f == nil {
		return ""
	}
	return state.NormalText(sec, f, values[key])
}

// Pairs pairs the items of a section: first those that are the same in every respect, then those
// whose id, name or text has changed, finally those that have only the id in common. Candidates
// explain published items that the state lacks. Published items come first, in the order of the
// text. Missing ones follow, without those that were left out before.
func (c *Comparison) Pairs(sec brenner.Section, candidates []Candidate) []Pair {
	p := c.newPairing(sec)
	p.byID(p.equal)
	if slices.ContainsFunc(p.out, func(o Pair) bool { return o.open() }) { // rarely
		p.identify(candidates)
		p.byID(p.same)
		p.wantOmitted()
		p.byID(p.unchanged)
		p.byKey(p.candidates, Identity.whole)
		p.byKey(p.wants, Identity.whole)
		p.byID(p.alike)
		p.byKey(p.wants, Identity.main)
		p.byKey(p.wants, Identity.name)
		p.byKey(p.candidates, Identity.main)
		p.byKey(p.candidates, Identity.name)
		p.byOutcomes()
		p.byID(always)
	}
	return p.rest()
}

// AllPairs are the pairs of each section.
type AllPairs [len(brenner.Sections) + 1][]Pair

// PairAll pairs the items of all sections that can be compared, and notes the ids under which
// they were published.
func (c *Comparison) PairAll(candidates []Candidate) (out AllPairs) {
	c.own, c.Renamed = nil, nil
	for _, sec := range brenner.Sections {
		if c.Compares(sec) {
			out[sec] = c.Pairs(sec, candidates)
			c.noteIDs(out[sec])
		}
	}
	return out
}

// pairsByID pairs the items of a section by their ids only.
func (c *Comparison) pairsByID(sec brenner.Section) []Pair {
	p := c.newPairing(sec)
	p.byID(always)
	return p.rest()
}

// pairing pairs the items of one section.
type pairing struct {
	of    *Comparison
	sec   brenner.Section
	wants []want // in order of id
	out   []Pair // one for each published item, in the order of the text, malformed ones last

	// These are set by identify.
	candidates []want
	shown      []Identity // of out
}

// want is an item that should be published; once some that are published remain, also one
// that was left out before: it may be published again under another id.
type want struct {
	*state.Item
	candidate *Candidate // instead of an item
	identity  Identity
	used      bool
}

func (c *Comparison) newPairing(sec brenner.Section) *pairing {
	p := &pairing{of: c, sec: sec}
	shown := map[brenner.ItemID]bool{}
	for it := range c.Artifact.Items(sec) { // a duplicate id is ES-004
		p.out = append(p.out, Pair{Item: it})
	}
	for _, section := range c.Artifact.Sections {
		for i := range section.Malformed {
			if it := section.Malformed[i].Item; it != nil && section.Kind == sec {
				p.out = append(p.out, Pair{Item: it})
			}
		}
	}
	for i := range p.out {
		shown[p.out[i].Item.ID] = true
	}
	for _, it := range c.Want.Items(sec) {
		if !c.Omitted[it.ID] || shown[it.ID] {
			p.wants = append(p.wants, want{Item: it})
		}
	}
	return p
}

// identify finds the identities of all items, and of the candidates of the section.
func (p *pairing) identify(candidates []Candidate) {
	for i := range p.out {
		o := &p.out[i]
		identity := Identity{state.Fold(o.Item.Name), state.Fold(o.Item.Text(p.sec.MainField()))}
		if o.Published() {
			identity = Identify(p.sec, o.Got().Fields())
		}
		p.shown = append(p.shown, identity)
	}
	for i := range p.wants {
		p.wants[i].identity = Identify(p.sec, p.wants[i].Fields())
	}
	for i := range candidates {
		if c := &candidates[i]; c.Section == p.sec {
			w := want{candidate: c, identity: Identify(p.sec, c.Fields)}
			if w.identity.none() && p.sec == brenner.PredictionsTable {
				w.identity = outcomeIdentity(c.Fields)
			}
			p.candidates = append(p.candidates, w)
		}
	}
}

// wantOmitted adds the items that were left out before.
func (p *pairing) wantOmitted() {
	if len(p.of.Omitted) == 0 || p.of.OmittedByID {
		return
	}
	known := p.wants
	p.wants = nil
	for _, it := range p.of.Want.Items(p.sec) {
		if len(known) > 0 && known[0].Item == it {
			p.wants, known = append(p.wants, known[0]), known[1:]
		} else {
			p.wants = append(p.wants, want{Item: it, identity: Identify(p.sec, it.Fields())})
		}
	}
}

// find returns the index of an id among the wanted items.
func (p *pairing) find(id brenner.ItemID) (int, bool) {
	return slices.BinarySearchFunc(p.wants, id, func(w want, id brenner.ItemID) int { return w.ID.Compare(id) })
}

// byID pairs items with one id that fit.
func (p *pairing) byID(fits func(wanted, published int) bool) {
	for i := range p.out {
		if o := &p.out[i]; o.open() {
			if at, ok := p.find(o.Item.ID); ok && !p.wants[at].used && fits(at, i) {
				p.take(o, &p.wants[at])
			}
		}
	}
}

// equal reports whether a wanted and a published item have the same name and the same main text,
// character by character, as nearly all have.
func (p *pairing) equal(at, i int) bool {
	w, o, main := p.wants[at].Fields(), &p.out[i], p.sec.MainField()
	return o.Published() && state.SameValue(w["name"], o.value("name")) && state.SameValue(w[main], o.value(main))
}

// same reports whether a wanted and a published item have one identity.
func (p *pairing) same(at, i int) bool { return p.wants[at].identity == p.shown[i] }

// unchanged reports whether a published item is what had its id before: the EDITs were left
// out, the item was not given another id.
func (p *pairing) unchanged(at, i int) bool {
	if p.of.Was == nil || !p.out[i].Published() || p.shown[i].none() {
		return false
	}
	return slices.ContainsFunc(p.of.Was(p.wants[at].Item), func(was map[string]any) bool {
		return Identify(p.sec, was) == p.shown[i]
	})
}

// alike reports whether a wanted and a published item have the same name or main text.
func (p *pairing) alike(at, i int) bool { return p.wants[at].identity.like(p.shown[i]) }

func always(wanted, published int) bool { return true }

// mostCompared is how many candidates of one key are compared with a published item.
const mostCompared = 8

// byKey pairs published items with those that have the same key, whatever their ids; items
// without a key remain. Of several candidates it takes the one that has the most fields of the
// published item (decisions.md 89).
func (p *pairing) byKey(from []want, key func(Identity) Identity) {
	index := map[Identity][]*want{}
	for i := range from {
		if k := key(from[i].identity); !from[i].used && !k.none() {
			index[k] = append(index[k], &from[i])
		}
	}
	for i := range p.out {
		o, k := &p.out[i], key(p.shown[i])
		list := index[k]
		if !o.open() || len(list) == 0 {
			continue
		}
		best := 0
		if list[0].candidate != nil {
			most := -1
			for n, w := range list[:min(len(list), mostCompared)] {
				if fit := w.candidate.fit(o); fit > most {
					best, most = n, fit
				}
			}
		}
		p.take(o, list[best])
		copy(list[1:best+1], list[:best]) // the others keep their order
		index[k] = list[1:]
	}
}

// byOutcomes pairs published predictions with candidates that give no condition.
func (p *pairing) byOutcomes() {
	if p.sec != brenner.PredictionsTable {
		return
	}
	for i := range p.out {
		if o := &p.out[i]; o.Published() {
			p.shown[i] = outcomeIdentity(o.Got().Fields())
		}
	}
	p.byKey(p.candidates, Identity.whole)
}

func (p *pairing) take(o *Pair, w *want) {
	o.Want, o.Candidate = w.Item, w.candidate
	w.used = true
}

// rest adds the wanted items that nothing shows, but for those that were left out before.
func (p *pairing) rest() []Pair {
	for _, w := range p.wants {
		if !w.used && !p.of.Omitted[w.ID] {
			p.out = append(p.out, Pair{Want: w.Item})
		}
	}
	return p.out
}

// Candidate is an item that the state lacks, but that a published item may show. Each explains
// one published item.
type Candidate struct {
	Section brenner.Section
	Fields  map[string]any
	// Source is the caller's own reference to it.
	Source any
}

// fit returns how many fields of a published item a candidate has.
func (c *Candidate) fit(o *Pair) (n int) {
	for i := range c.Section.Fields() {
		if f := &c.Section.Fields()[i]; o.Published() && Same(c.Section, f, c.Fields[f.Key], o.Got().Fields()[f.Key]) {
			n++
		}
	}
	return n
}

// outcomeIdentity returns what identifies a prediction that has no condition; predictions have
// no names.
func outcomeIdentity(fields map[string]any) Identity {
	f := brenner.PredictionsTable.Field("predictions")
	return Identity{Name: state.Canonical(state.NormalValue(brenner.PredictionsTable, f, fields[f.Key]))}
}
