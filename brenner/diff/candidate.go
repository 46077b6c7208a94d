package diff

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// Candidate is an item that a published one may show although the state lacks it.
type Candidate struct {
	Section brenner.Section
	Fields  map[string]any
	// Source is the caller's own reference to it.
	Source any

	taken bool
}

// Candidates finds candidates by their identity. Each explains one published item.
type Candidates struct {
	byKey map[candidateKey][]*Candidate
}

type candidateKey struct {
	sec brenner.Section
	Identity
}

// NewCandidates indexes candidates.
func NewCandidates(candidates []Candidate) *Candidates {
	out := &Candidates{byKey: map[candidateKey][]*Candidate{}}
	for i := range candidates {
		c := &candidates[i]
		id := Identify(c.Section, c.Fields)
		if id.none() && c.Section == brenner.PredictionsTable {
			id = byOutcomes(c.Fields)
		}
		for _, k := range [...]Identity{id, id.main(), id.name()} {
			if !k.none() {
				out.byKey[candidateKey{c.Section, k}] = append(out.byKey[candidateKey{c.Section, k}], c)
			}
		}
	}
	return out
}

// take returns a candidate of that key that explains no other item yet, or nil.
func (c *Candidates) take(sec brenner.Section, k Identity) *Candidate {
	if c == nil || k.none() {
		return nil
	}
	key := candidateKey{sec, k}
	for rest := c.byKey[key]; len(rest) > 0; rest = c.byKey[key] {
		first := rest[0]
		c.byKey[key] = rest[1:]
		if !first.taken {
			first.taken = true
			return first
		}
	}
	return nil
}

// byCandidate pairs published items with candidates.
func (p *pairing) byCandidate(c *Candidates, key func(Identity) Identity) {
	for i := range p.out {
		if o := &p.out[i]; o.open() {
			o.Candidate = c.take(p.sec, key(p.shown[i]))
		}
	}
}

// byOutcomes pairs published predictions with candidates that give no condition.
func (p *pairing) byOutcomes(c *Candidates) {
	for i := range p.out {
		if o := &p.out[i]; p.sec == brenner.PredictionsTable && o.open() && o.Published() {
			o.Candidate = c.take(p.sec, byOutcomes(o.Got().Fields()))
		}
	}
}

// byOutcomes returns what identifies a prediction that has no condition; predictions have
// no names.
func byOutcomes(fields map[string]any) Identity {
	f := brenner.PredictionsTable.Field("predictions")
	return Identity{Name: state.Canonical(state.NormalValue(brenner.PredictionsTable, f, fields[f.Key]))}
}
