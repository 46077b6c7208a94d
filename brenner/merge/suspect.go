package merge

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// What may depend on the order of the deltas of an instant is found here, in linear
// time: deltas are compared only with a few of those that touch the same thing.

// suspectAdds finds the ADDs of several messages in one section: which of them gets
// which id depends on their order, unless they add the same.
func (m *merger) suspectAdds(log []Entry, at *instant) {
	var bySection [len(brenner.Sections) + 1]*tiers[addConflicts]
	for i := range log {
		e := &log[i]
		if e.Delta.Operation != brenner.Add || e.Delta.Section == brenner.ResearchThread {
			continue
		}
		seen := bySection[e.Delta.Section]
		if seen == nil {
			seen = tiersOf[addConflicts](&m.opts)
			bySection[e.Delta.Section] = seen
		}
		d := addition{e.Delta, m.contentOf(e), e.Outcome == Applied}
		var pairs []pair
		for _, r := range seen.open(e.Delta) {
			for _, o := range r.of(d) {
				pairs = append(pairs, pair{first: o.Delta, second: e.Delta})
			}
		}
		m.suspect(TiedAdds, e.Item, pairs, at)
		seen.own(e.Delta).note(d)
	}
}

// addition is an ADD and what became of it.
type addition struct {
	*Delta
	content string
	applied bool
}

// addConflicts keeps so few of the ADDs seen that a search is short, but enough to find
// one that differs from a given one in message and content if there is any.
type addConflicts struct {
	first     addition
	elsewhere [2]addition // from other messages than the first's, with two contents
	otherwise [2]addition // with other contents than the first's, from two messages
}

func (r *addConflicts) note(d addition) {
	switch {
	case r.first.Delta == nil:
		r.first = d
		return
	case d.message() == r.first.message():
	case r.elsewhere[0].Delta == nil:
		r.elsewhere[0] = d
	case r.elsewhere[1].Delta == nil && d.content != r.elsewhere[0].content:
		r.elsewhere[1] = d
	}
	switch {
	case d.content == r.first.content:
	case r.otherwise[0].Delta == nil:
		r.otherwise[0] = d
	case r.otherwise[1].Delta == nil && d.message() != r.otherwise[0].message():
		r.otherwise[1] = d
	}
}

// of returns recorded ADDs from another message and with another content than d's, at
// least one of them applied.
func (r *addConflicts) of(d addition) (out []addition) {
	for _, o := range [...]addition{r.first, r.elsewhere[0], r.elsewhere[1], r.otherwise[0], r.otherwise[1]} {
		if o.Delta != nil && o.message() != d.message() && o.content != d.content && (o.applied || d.applied) {
			out = append(out, o)
		}
	}
	return out
}

// contentOf returns what an ADD adds, and what became of it within its instant.
func (m *merger) contentOf(e *Entry) string {
	payload := e.Delta.Payload
	fields := make(map[string]any, len(payload))
	for key, v := range payload {
		if !unstored(key) {
			fields[key] = v
		}
	}
	given := state.Canonical(fields)
	if it := m.st.Find(e.Item); it != nil {
		return given + it.Content()
	}
	return given
}

// suspectTargets finds EDITs and KILLs of an item that another message adds at the same
// instant: before the ADD they are rejected, after it they are not.
func (m *merger) suspectTargets(log []Entry, at *instant) {
	adders := map[brenner.ItemID]*Delta{}
	for i := range log {
		if e := &log[i]; e.Delta.Operation == brenner.Add && e.Outcome == Applied {
			adders[e.Item] = e.Delta
		}
	}
	var waiting [len(brenner.Sections) + 1]*tiers[lastPerMessage] // ADDs that come later
	for i := len(log) - 1; i >= 0 && len(adders) > 0; i-- {
		d := log[i].Delta
		if waiting[d.Section] == nil {
			waiting[d.Section] = tiersOf[lastPerMessage](&m.opts)
		}
		if d.Operation == brenner.Add {
			if log[i].Outcome == Applied {
				waiting[d.Section].own(d).note(d)
			}
			continue
		}
		adder := adders[d.Target]
		if d.Target.Section != d.Section || adder == nil {
			continue
		}
		open := adder.message() != d.message() && !m.decided(adder, d)
		var pairs []pair
		switch {
		case log[i].Outcome == Rejected:
			if open {
				pairs = append(pairs, pair{first: d, second: adder})
			}
			for _, o := range rivals(waiting[d.Section], d) {
				pairs = append(pairs, pair{first: d, second: o})
			}
		case open && (log[i].Outcome == Applied || log[i].Outcome == Unchanged): // others may do the same
			pairs = append(pairs, pair{first: adder, second: d})
		}
		m.suspect(TiedItem, d.Target, pairs, at)
	}
}

// suspectLimit finds ADDs of a hypothesis that fit, or do not, because a KILL of another
// message is before, or after, them.
func (m *merger) suspectLimit(log []Entry, at *instant) {
	limit := brenner.HypothesisSlate.Maximum()
	active := m.st.Active(brenner.HypothesisSlate)
	for i := range log {
		active -= change(&log[i])
	}
	before, after := tiersOf[lastPerMessage](&m.opts), tiersOf[lastPerMessage](&m.opts)
	first, killed := tiersOf[lastPerMessage](&m.opts), 0
	for i := range log {
		d, by := log[i].Delta, change(&log[i])
		if by > 0 && active+killed >= limit { // one KILL less may be decisive, or all of a message
			var pairs []pair
			for _, kill := range append(rivals(before, d), rivals(first, d)...) {
				pairs = append(pairs, pair{first: kill, second: d})
			}
			m.suspect(TiedLimit, brenner.ItemID{}, pairs, at)
		}
		if by < 0 {
			killed++
			before.own(d).note(d)
			first.own(d).noteFirst(d)
		}
		active += by
	}
	for i := len(log) - 1; i >= 0; i-- {
		d := log[i].Delta
		if r := log[i].Refusal; r != nil && r.Reason == SectionFull && r.Active == limit {
			var pairs []pair
			for _, kill := range rivals(after, d) {
				pairs = append(pairs, pair{first: d, second: kill})
			}
			m.suspect(TiedLimit, brenner.ItemID{}, pairs, at)
		}
		isKill := d.Operation == brenner.Kill && d.Section == brenner.HypothesisSlate
		if isKill && log[i].Outcome != Rejected { // the first KILL would also make room if it were the second
			after.own(d).note(d)
		}
	}
}

// change returns by how much a delta changed the number of active hypotheses.
func change(e *Entry) int {
	switch {
	case e.Outcome != Applied || e.Delta.Section != brenner.HypothesisSlate:
		return 0
	case e.Delta.Operation == brenner.Add:
		return 1
	case e.Delta.Operation == brenner.Kill:
		return -1
	}
	return 0
}
