package replay

import (
	"time"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/merge"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/state"
)

// Blamed tells of a field of an artifact which delta set it.
type Blamed struct {
	Item  protocol.ItemID
	Field string // the JSON key; "" for the item itself, "killed" for its end
	Value string // as a text
	// By is the delta that set the field last (that added or killed the item);
	// nil if no delta explains it.
	By *Blame
	// Differs reports that the artifact does not say what the delta set.
	Differs bool
}

// Blame is a delta as blame shows it.
type Blame struct {
	Agent     string
	MessageID string
	Delta     int
	Time      time.Time
}

// Blame tells for every item and field of an artifact which delta set it, as of
// the window that published its version; without such a window as of now.
func (r *Thread) Blame(a *artifact.Artifact) []Blamed {
	w := r.Pending
	if v := a.Meta.Get("version"); v != nil {
		for _, each := range r.Windows {
			if protocol.SameVersion(v.Text, each.Compiled.Version.Number) {
				w = each
			}
		}
	}
	return r.blame(w, state.Normal(a.State()), state.Normal(w.State))
}

func (r *Thread) blame(w *Window, have, merged *state.State) []Blamed {
	var out []Blamed
	for _, sec := range protocol.Sections {
		for _, it := range have.Items(sec) {
			o := w.result.Origins[it.ID]
			if o == nil {
				o = &merge.Origin{}
			}
			twin := merged.Find(it.ID)
			if sec != protocol.ResearchThread {
				out = append(out, Blamed{Item: it.ID, Value: state.Plain(it.Fields["name"]), By: r.blameOf(o.Added)})
			}
			for i := range sec.Fields() {
				f := &sec.Fields()[i]
				v, ok := it.Fields[f.Key]
				if !ok || f.Key == "name" {
					continue
				}
				b := Blamed{Item: it.ID, Field: f.Key, Value: state.Plain(v), By: r.blameOf(o.Fields[f.Key])}
				b.Differs = b.By != nil && (twin == nil || state.Canonical(twin.Fields[f.Key]) != state.Canonical(v))
				out = append(out, b)
			}
			if it.Killed != nil {
				out = append(out, Blamed{Item: it.ID, Field: "killed", Value: it.Killed.Reason, By: r.blameOf(o.Killed)})
			}
		}
	}
	return out
}

func (r *Thread) blameOf(d *merge.Delta) *Blame {
	if d == nil {
		return nil
	}
	of := r.deltas[d]
	return &Blame{Agent: of.Agent, MessageID: of.In.ID, Delta: of.Index, Time: of.merge.Time}
}

// Contributors are the agents whose deltas were applied, in order of their first.
func (r *Thread) Contributors() []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range append(r.Windows[:len(r.Windows):len(r.Windows)], r.Pending) {
		for i := range w.result.Log {
			e := &w.result.Log[i]
			if e.Outcome == merge.Applied && e.Delta.Agent != "" && !seen[e.Delta.Agent] {
				seen[e.Delta.Agent] = true
				out = append(out, e.Delta.Agent)
			}
		}
	}
	return out
}
