package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/lint"
)

// agentTally counts what became of the contributions of agents, by their names.
type agentTally map[string]*lint.AgentView

// of returns what is counted of an agent; of a delta the one that it names.
func (t *agentTally) of(name string) *lint.AgentView {
	if *t == nil {
		*t = agentTally{}
	}
	a := (*t)[name]
	if a == nil {
		name = strings.Clone(name)
		a = &lint.AgentView{Name: name}
		(*t)[name] = a
	}
	return a
}

func (t *agentTally) message(m *session.Message) {
	if from := m.From.String(); from != "" {
		t.of(from).Messages++
	}
}

// replay counts the outcomes of the deltas of a thread, if its messages were counted.
func (t *agentTally) replay(r *replay.Thread) {
	if r == nil || *t == nil {
		return
	}
	for _, w := range append(slices.Clone(r.Windows), r.Pending) {
		for _, d := range w.Deltas {
			t.of(d.Agent).Deltas++
		}
		for _, d := range w.Rejected {
			t.of(d.Agent).Rejected++
		}
		for _, o := range w.Outcomes() {
			a := t.of(o.Delta.Agent)
			switch o.Outcome {
			case merge.Applied:
				a.Applied++
			case merge.Unchanged:
				a.Unchanged++
			case merge.Skipped:
				a.Skipped++
			case merge.Dropped:
				a.Dropped++
			}
		}
	}
	t.unpublished(&r.Facts)
}

// unpublished counts the deltas whose effect a published artifact does not show.
func (t *agentTally) unpublished(f *replay.Facts) {
	seen := map[*replay.Delta]bool{}
	count := func(d *replay.Delta) {
		if d != nil && !seen[d] {
			seen[d] = true
			t.of(d.Agent).Unpublished++
		}
	}
	for i := range f.OmittedItems {
		count(f.OmittedItems[i].Added)
	}
	for i := range f.FieldDiffs {
		count(f.FieldDiffs[i].By)
	}
	for i := range f.KillDiffs {
		count(f.KillDiffs[i].Kill)
	}
}

func (t *agentTally) add(other agentTally) {
	for name, o := range other {
		a := t.of(name)
		a.Messages += o.Messages
		a.Deltas += o.Deltas
		a.Applied += o.Applied
		a.Unchanged += o.Unchanged
		a.Skipped += o.Skipped
		a.Dropped += o.Dropped
		a.Rejected += o.Rejected
		a.Unpublished += o.Unpublished
	}
}

// countAgents takes over what was counted in a thread. Where threads are known from a check before,
// nothing is: these are not read.
func (c *check) countAgents(t agentTally) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.previous == nil {
		c.agents.add(t)
	}
}

// views returns the agents by name.
func (t *agentTally) views() []lint.AgentView {
	out := make([]lint.AgentView, 0, len(*t))
	for _, a := range *t {
		out = append(out, *a)
	}
	slices.SortFunc(out, func(a, b lint.AgentView) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
