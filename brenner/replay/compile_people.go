package replay

import (
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
)

// Contributor is an agent whose deltas were applied.
type Contributor struct {
	Agent  string
	Deltas int
	Items  []brenner.ItemID // that the deltas added, changed or killed, in order
}

// contributors returns the agents whose deltas merges apply, by first contribution.
func contributors(merges ...*merge.Result) (out []Contributor) {
	index := map[string]int{}
	for _, res := range merges {
		for e := range applied(res) {
			agent := e.Delta.Agent
			i, known := index[agent]
			if strings.TrimSpace(agent) == "" {
				continue
			} else if !known {
				i = len(out)
				index[agent] = i
				out = append(out, Contributor{Agent: agent})
			}
			out[i].Deltas++
			out[i].Items = append(out[i].Items, e.Item)
		}
	}
	for i := range out {
		slices.SortFunc(out[i].Items, brenner.ItemID.Compare)
		out[i].Items = slices.Compact(out[i].Items)
	}
	return out
}

// Contributors returns the agents whose deltas were applied up to a window, by first
// contribution.
func (r *Thread) Contributors(last *Window) (out []string) {
	var merges []*merge.Result
	for _, w := range r.All() {
		if merges = append(merges, w.asPublished); w == last {
			break
		}
	}
	for _, c := range contributors(merges...) {
		out = append(out, c.Agent)
	}
	return out
}

// compilerOf returns who publishes the versions of a thread: the sender of the COMPILED
// of the version, or of the last one, else of the KICKOFF.
func compilerOf(r *Thread, w *Window) string {
	if w.Compiled != nil {
		if name := w.Compiled.From.String(); name != "" {
			return name
		}
	}
	for _, kind := range [...]brenner.MessageType{brenner.Compiled, brenner.Kickoff} {
		for _, m := range slices.Backward(r.Thread.Messages) {
			if name := m.From.String(); m.Intended == kind && name != "" {
				return name
			}
		}
	}
	return "operator" // artifact_publish_spec's name for an unnamed sender
}

// recipients returns the recipients of a version: the given roster, else those who take
// part in the thread and are registered; if none of them is, all registered agents.
func recipients(r *Thread, compiler string, roster []string) []string {
	registered := r.Thread.Agents(nil)
	known := map[string]bool{}
	for _, name := range registered {
		known[name] = true
	}
	var taking []string
	take := func(name string) {
		if len(known) == 0 || known[name] {
			taking = append(taking, name)
		}
	}
	for _, m := range r.Thread.Messages {
		if m.Intended == "" {
			continue
		}
		take(m.From.String())
		for i := range m.Recipients {
			take(m.Recipients[i].Name)
		}
	}
	for _, names := range [...][]string{roster, taking, registered} {
		others := slices.DeleteFunc(slices.Sorted(slices.Values(names)), func(n string) bool { return n == "" || n == compiler })
		if len(others) > 0 || len(roster) > 0 {
			return slices.Compact(others)
		}
	}
	return nil
}
