package replay

import (
	"slices"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/state"
)

// match is an item of a state and the published item that shows it.
type match struct {
	ref *state.Item    // nil: nothing explains the published item
	pub *artifact.Item // nil: the item is not published
	// val is the published item as data; nil of an item whose heading gives no
	// proper id (ES-003), which is not compared.
	val *state.Item
	// by is the rejected ADD that explains the item, if that does.
	by *Delta
}

// identity is what an item is recognised by when its id has changed: its name,
// and the field that says what it is.
type identity struct{ name, body string }

func (i identity) none() bool { return i == identity{} }

// bodies are the fields that say what an item is.
var bodies = [...]string{
	protocol.ResearchThread:      "statement",
	protocol.HypothesisSlate:     "claim",
	protocol.PredictionsTable:    "condition",
	protocol.DiscriminativeTests: "procedure",
	protocol.AssumptionLedger:    "statement",
	protocol.AnomalyRegister:     "observation",
	protocol.AdversarialCritique: "attack",
}

func identify(sec protocol.Section, fields map[string]any) identity {
	return identity{normalText(sec, "name", fields["name"]), normalText(sec, bodies[sec], fields[bodies[sec]])}
}

func normalText(sec protocol.Section, key string, v any) string {
	f := sec.Field(key)
	if f == nil || v == nil {
		return ""
	}
	return state.NormalText(sec, f, v)
}

// matcher matches the items of one section.
type matcher struct {
	sec  protocol.Section
	refs []*state.Item
	out  []match // one for each published item, in the order of the text, strays last
	used []bool  // of refs
	left int     // refs that are not used

	refIDs, pubIDs []identity // of refs and out
}

func newMatcher(sec protocol.Section, refs []*state.Item, a *artifact.Artifact, published *state.State) *matcher {
	m := &matcher{sec: sec, refs: refs, used: make([]bool, len(refs)), left: len(refs), refIDs: make([]identity, len(refs))}
	seen := map[*state.Item]bool{}
	for _, section := range a.Sections {
		if section.Kind != sec {
			continue
		}
		for _, it := range section.Items {
			// An empty research thread is none; an id that stands twice is ES-004.
			if val := published.Find(it.ID); val != nil && !seen[val] {
				seen[val] = true
				m.out = append(m.out, match{pub: it, val: val})
				m.pubIDs = append(m.pubIDs, identify(sec, val.Fields))
			}
		}
	}
	for _, section := range a.Sections {
		for i := range section.Malformed {
			if it := section.Malformed[i].Item; it != nil && section.Kind == sec {
				m.out = append(m.out, match{pub: it})
				m.pubIDs = append(m.pubIDs, identity{state.Fold(it.Name), state.Fold(it.Text(bodies[sec]))})
			}
		}
	}
	for i, it := range refs {
		m.refIDs[i] = identify(sec, it.Fields)
	}
	return m
}

// byID matches items of one id that fit.
func (m *matcher) byID(fits func(ref, pub identity) bool) {
	for i := range m.out {
		if o := &m.out[i]; m.left > 0 && o.open() {
			if at, ok := m.find(o.pub.ID); ok && !m.used[at] && fits(m.refIDs[at], m.pubIDs[i]) {
				m.take(o, at)
			}
		}
	}
}

// find is the place of an id among the refs, which stand in order of id.
func (m *matcher) find(id protocol.ItemID) (int, bool) {
	if n := id.Number - 1; n >= 0 && n < len(m.refs) && m.refs[n].ID == id {
		return n, true
	}
	return slices.BinarySearchFunc(m.refs, id, func(it *state.Item, id protocol.ItemID) int { return it.ID.Compare(id) })
}

// byKey matches items that have one key, whatever their ids; items without a key
// are left.
func (m *matcher) byKey(key func(identity) identity) {
	if m.left == 0 {
		return
	}
	index := map[identity][]int{}
	for i := range m.refs {
		if k := key(m.refIDs[i]); !k.none() && !m.used[i] {
			index[k] = append(index[k], i)
		}
	}
	for i := range m.out {
		k := key(m.pubIDs[i])
		if at := index[k]; m.out[i].open() && len(at) > 0 {
			m.take(&m.out[i], at[0])
			index[k] = at[1:]
		}
	}
}

// byDelta matches published items with rejected ADDs.
func (m *matcher) byDelta(adds *rejectedAdds, key func(identity) identity) {
	for i := range m.out {
		if o := &m.out[i]; o.open() {
			o.by = adds.take(m.sec, key(m.pubIDs[i]))
		}
	}
}

func (o *match) open() bool { return o.ref == nil && o.by == nil }

func (m *matcher) take(o *match, at int) {
	o.ref = m.refs[at]
	m.used[at] = true
	m.left--
}

func whole(i identity) identity { return i }
func body(i identity) identity  { return identity{body: i.body} }
func named(i identity) identity { return identity{name: i.name} }

// matched matches everything that can be: first what is the same in every
// respect, then what has changed its id, its name or its text, at last what has
// nothing but its id in common.
func (m *matcher) matched(adds *rejectedAdds) []match {
	m.byID(func(ref, pub identity) bool { return ref == pub })
	m.byDelta(adds, whole)
	m.byKey(whole)
	m.byID(func(ref, pub identity) bool {
		return ref.name != "" && ref.name == pub.name || ref.body != "" && ref.body == pub.body
	})
	m.byKey(body)
	m.byKey(named)
	m.byDelta(adds, body)
	m.byDelta(adds, named)
	m.byID(func(ref, pub identity) bool { return true })
	for i, it := range m.refs {
		if !m.used[i] {
			m.out = append(m.out, match{ref: it})
		}
	}
	return m.out
}

// rejectedAdds finds rejected ADDs by what they would have added.
type rejectedAdds struct {
	byKey map[addKey][]*Delta
	taken map[*Delta]bool
}

type addKey struct {
	sec protocol.Section
	identity
}

func newRejectedAdds(ds []*Delta) *rejectedAdds {
	r := &rejectedAdds{byKey: map[addKey][]*Delta{}, taken: map[*Delta]bool{}}
	for _, d := range ds {
		if d.merge == nil || d.merge.Operation != protocol.Add {
			continue
		}
		id := identify(d.merge.Section, d.merge.Payload)
		for _, k := range [...]identity{id, body(id), named(id)} {
			if !k.none() {
				r.byKey[addKey{d.merge.Section, k}] = append(r.byKey[addKey{d.merge.Section, k}], d)
			}
		}
	}
	return r
}

// take is a rejected ADD of that key that explains no other item yet, or nil.
func (r *rejectedAdds) take(sec protocol.Section, k identity) *Delta {
	if r == nil || k.none() {
		return nil
	}
	key := addKey{sec, k}
	for rest := r.byKey[key]; len(rest) > 0; rest = r.byKey[key] {
		d := rest[0]
		r.byKey[key] = rest[1:]
		if !r.taken[d] {
			r.taken[d] = true
			return d
		}
	}
	return nil
}
