package merge

import (
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/state"
)

// settleAdds finds the ADDs of several messages in one section: which of them
// gets which id depends on their order, unless they add the same.
func (m *merger) settleAdds(log []Entry) {
	var bySection [len(protocol.Sections) + 1]addRivals
	for i := range log {
		if e := &log[i]; e.Delta.Operation == protocol.Add && e.Rule != "DL-009" {
			r, d := &bySection[e.Delta.Section], addition{e.Delta, m.contentOf(e)}
			if o := r.of(d); o.Delta != nil && !m.decided(o.Delta, d.Delta) {
				m.res.Ties = append(m.res.Ties, Tie{Kind: TiedAdds, First: o.Delta, Second: d.Delta, Item: e.Item})
			}
			if e.Outcome == Applied {
				r.note(d)
			}
		}
	}
}

// addition is an ADD and what became of it.
type addition struct {
	*Delta
	content string
}

// addRivals remembers so few of the ADDs seen that a search is short, and so
// many that one which differs from a given one in message and content is found
// if there was any.
type addRivals struct {
	first     addition
	elsewhere [2]addition // of other messages than the first's, with two contents
	otherwise [2]addition // with other contents than the first's, of two messages
}

func (r *addRivals) note(d addition) {
	switch {
	case r.first.Delta == nil:
		r.first = d
		return
	case d.Message == r.first.Message:
	case r.elsewhere[0].Delta == nil:
		r.elsewhere[0] = d
	case r.elsewhere[1].Delta == nil && d.content != r.elsewhere[0].content:
		r.elsewhere[1] = d
	}
	switch {
	case d.content == r.first.content:
	case r.otherwise[0].Delta == nil:
		r.otherwise[0] = d
	case r.otherwise[1].Delta == nil && d.Message != r.otherwise[0].Message:
		r.otherwise[1] = d
	}
}

// of is a noted ADD of another message and with another content than d's.
func (r *addRivals) of(d addition) addition {
	for _, o := range [...]addition{r.first, r.elsewhere[0], r.elsewhere[1], r.otherwise[0], r.otherwise[1]} {
		if o.Delta != nil && o.Message != d.Message && o.content != d.content {
			return o
		}
	}
	return addition{}
}

// contentOf is what became of an ADD within its instant; of a rejected one what
// it would have stored.
func (m *merger) contentOf(e *Entry) string {
	if it := m.st.Find(e.Item); it != nil {
		return it.Content()
	}
	fields := make(map[string]any, len(e.Delta.Payload))
	for key, v := range e.Delta.Payload {
		if !unstored[key] {
			fields[key] = m.stored(e.Delta.Section, key, v)
		}
	}
	return (&state.Item{Fields: fields}).Content()
}

// settleNewItems finds EDITs and KILLs of an item that another message adds at
// the same instant: before the ADD they are rejected, after it they are not.
func (m *merger) settleNewItems(log []Entry) {
	adders := map[protocol.ItemID]*Delta{}
	var waiting [len(protocol.Sections) + 1]rival // ADDs that come later
	for i := range log {
		if e := &log[i]; e.Delta.Operation == protocol.Add && e.Outcome == Applied {
			adders[e.Item] = e.Delta
		}
	}
	for i := len(log) - 1; i >= 0; i-- {
		d := log[i].Delta
		if d.Operation == protocol.Add {
			if log[i].Outcome == Applied {
				waiting[d.Section].note(d)
			}
			continue
		}
		adder := adders[d.Target]
		if d.Target.Section != d.Section || adder == nil {
			continue
		}
		first, second := adder, d
		switch {
		case log[i].Outcome == Rejected && m.wouldChange(d):
			first, second = d, waiting[d.Section].of(d)
		case log[i].Outcome != Applied || adder.Message == d.Message:
			continue
		}
		if second != nil && !m.decided(first, second) {
			m.res.Ties = append(m.res.Ties, Tie{Kind: TiedItem, First: first, Second: second, Item: d.Target})
		}
	}
}

// wouldChange runs an EDIT or KILL on its target as it is now, and reports
// whether that changes it.
func (m *merger) wouldChange(d *Delta) bool {
	it := m.st.Find(d.Target)
	if it == nil || !it.Active() || d.Operation == protocol.Kill {
		return it != nil && it.Active()
	}
	for key := range d.Payload {
		if v, had := it.Fields[key]; !unstored[key] && (!had || state.Canonical(v) != state.Canonical(run(v, []write{m.writeOf(d, key)}))) {
			return true
		}
	}
	return false
}

// settleLimit finds ADDs of a hypothesis that fit, or do not, because a KILL of
// another message stands before, or after, them. Both orders are run: on the
// number of active hypotheses, which is all that the limit looks at.
func (m *merger) settleLimit(log []Entry) {
	limit := protocol.HypothesisSlate.Maximum()
	active := m.st.Active(protocol.HypothesisSlate)
	for i := range log {
		active -= change(&log[i])
	}
	var before, after rival
	counts := make([]int, len(log)) // active hypotheses before each delta
	for i := range log {
		counts[i] = active
		active += change(&log[i])
		if d := log[i].Delta; change(&log[i]) > 0 && counts[i] == limit-1 {
			m.tieAtLimit(before.of(d), d)
		}
		if change(&log[i]) < 0 {
			before.note(log[i].Delta)
		}
	}
	for i := len(log) - 1; i >= 0; i-- {
		if d := log[i].Delta; log[i].Rule == "MR-003" && counts[i] == limit {
			m.tieAtLimit(d, after.of(d))
		}
		if change(&log[i]) < 0 {
			after.note(log[i].Delta)
		}
	}
}

// change is by how many a delta changed the number of active hypotheses.
func change(e *Entry) int {
	switch {
	case e.Outcome != Applied || e.Delta.Section != protocol.HypothesisSlate:
		return 0
	case e.Delta.Operation == protocol.Add:
		return 1
	case e.Delta.Operation == protocol.Kill:
		return -1
	}
	return 0
}

func (m *merger) tieAtLimit(first, second *Delta) {
	if first != nil && second != nil && !m.decided(first, second) {
		m.res.Ties = append(m.res.Ties, Tie{Kind: TiedLimit, First: first, Second: second})
	}
}
