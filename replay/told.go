package replay

import (
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
)

// told is what the replay has said of an item, or of any item of a section.
type told struct {
	rule string
	item protocol.ItemID
}

// tell remembers what a window's problems are about. What is left as it was in
// later versions is not said again there.
func (r *Thread) tell(window, from int) {
	for i := range r.Problems[from:] {
		p := &r.Problems[from+i]
		id, ok := protocol.ParseItemID(p.Item)
		if !ok {
			continue
		}
		for _, t := range [...]told{{p.Rule, id}, {p.Rule, protocol.ItemID{Section: id.Section}}} {
			if _, known := r.told[t]; !known {
				r.told[t] = window
			}
		}
	}
}

// Told reports that the replay has a problem of a rule with an item that the
// artifact of a COMPILED holds, or with any item of the section where the id has
// no number: the artifact's own rule then yields (decisions.md 1).
func (r *Thread) Told(m *session.Message, rule string, id protocol.ItemID) bool {
	since, ok := r.told[told{rule, id}]
	return ok && since < len(r.Windows) && m.Index >= r.Windows[since].Compiled.Index
}
