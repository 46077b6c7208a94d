package merge

import (
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// instant is the deltas of one instant that are from several messages.
type instant struct {
	before *state.State
	deltas []*Delta   // in order
	rest   [][]*Delta // the instants that follow
	start  int        // of its deltas in the log
}

// applyInstant applies the deltas of one instant, which are in order; rest are those of
// the instants that follow.
func (m *merger) applyInstant(ds []*Delta, rest [][]*Delta) {
	if !slices.ContainsFunc(ds, func(d *Delta) bool { return d.message() != ds[0].message() }) {
		for _, d := range ds {
			m.apply(d)
		}
		return
	}
	at := &instant{deltas: ds, rest: rest, start: len(m.res.Log)}
	if !m.trial {
		at.before = m.st.Clone()
		clear(m.ownOutcomes) // the clone has them too
	}
	kills := m.killsOf(ds)
	m.contests = newContests(&m.opts)
	for _, d := range ds {
		if kill := kills.tiedWith(d); kill != nil {
			m.drop(d, kill)
			continue
		}
		m.apply(d)
	}
	fields := m.contests.fields
	m.contests = nil
	for _, c := range fields {
		if !m.resolve(c) && !m.trial {
			m.suspectField(c, at)
		}
	}
	if !m.trial {
		log := m.res.Log[at.start:]
		m.suspectAdds(log, at)
		m.suspectTargets(log, at)
		m.suspectLimit(log, at)
	}
}

// lastPerMessage keeps the last delta of a kind and the last one of another message, so
// that each delta finds one of another message.
type lastPerMessage struct{ last, other *Delta }

func (r *lastPerMessage) note(d *Delta) {
	if r.last != nil && r.last.message() != d.message() {
		r.other = r.last
	}
	r.last = d
}

// noteFirst keeps the first delta instead of the last.
func (r *lastPerMessage) noteFirst(d *Delta) {
	switch {
	case r.last == nil:
		r.last = d
	case r.other == nil && r.last.message() != d.message():
		r.other = d
	}
}

// of returns a recorded delta of another message than d's, or nil.
func (r *lastPerMessage) of(d *Delta) *Delta {
	if r.last != nil && r.last.message() != d.message() {
		return r.last
	}
	return r.other
}

// killsByItem are the KILLs of an instant by item, except those of items that were
// killed before the instant.
type killsByItem map[brenner.ItemID]*lastPerMessage

// killsOf finds the KILLs that have an item to kill, or would have if no other KILL of
// the instant went before. It applies only ADDs and KILLs, because an EDIT makes no
// difference to them.
func (m *merger) killsOf(ds []*Delta) killsByItem {
	out := killsByItem{}
	var added [len(brenner.Sections) + 1]int
	active := m.st.Active(brenner.HypothesisSlate)
	for _, d := range ds {
		isHypothesis := d.Section == brenner.HypothesisSlate
		switch {
		case d.Operation == brenner.Add && d.Section != brenner.ResearchThread:
			if isHypothesis && active >= d.Section.Maximum() && !m.opts.Unlimited[d] {
				continue
			}
			added[d.Section]++
			if isHypothesis {
				active++
			}
		case d.Operation == brenner.Kill && d.Target.Section == d.Section && m.killable(d.Target, added[d.Section]):
			if out[d.Target] == nil {
				out[d.Target] = &lastPerMessage{}
				if isHypothesis {
					active--
				}
			}
			out[d.Target].note(d)
		}
	}
	return out
}

// killable reports whether an item is active at the beginning of an instant, or among
// the first that the instant adds to its section.
func (m *merger) killable(id brenner.ItemID, added int) bool {
	if it := m.st.Find(id); it != nil {
		return it.Active()
	}
	highest := m.st.Highest(id.Section)
	return id.Hypothesis == 0 && id.Number > highest && id.Number <= highest+added
}

// tiedWith returns the KILL of another message at the instant of an EDIT, or nil.
func (k killsByItem) tiedWith(d *Delta) *Delta {
	if r := k[d.Target]; r != nil && d.Operation == brenner.Edit && d.Target.Section == d.Section {
		return r.of(d)
	}
	return nil
}

// drop omits an EDIT tied with a KILL: the KILL wins in any order.
func (m *merger) drop(d, kill *Delta) {
	m.res.Log = append(m.res.Log, Entry{Delta: d, Outcome: Dropped, Item: d.Target})
	m.res.Ties = append(m.res.Ties, Tie{Kind: TiedKill, First: d, Second: kill, Item: d.Target})
}
