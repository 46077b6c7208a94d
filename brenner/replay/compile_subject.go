package replay

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/internal/text"
)

// maxDescription is the maximum length of a subject's description in code points
// (thread_subject_conventions requires under 80).
const maxDescription = 79

// subject returns the subject of the message: the version, and what it adds.
func (c *Compiled) subject() string {
	head := fmt.Sprintf("v%d ", c.Version)
	room := maxDescription - len(head)
	listed, counted := c.changed()
	for _, s := range [...]string{c.namedChanges(), strings.Join(listed, "; "), strings.Join(counted, ", ")} {
		if s != "" && len([]rune(s)) <= room {
			return "COMPILED: " + head + s
		}
	}
	return "COMPILED: " + head + "new deltas merged"
}

// namedChanges describes a first version by its content, and one that adds a single
// item by its name.
func (c *Compiled) namedChanges() string {
	if c.Version == 1 {
		var parts []string
		for _, sec := range [...]brenner.Section{brenner.HypothesisSlate, brenner.PredictionsTable, brenner.DiscriminativeTests} {
			if n := c.State.Active(sec); n > 0 {
				parts = append(parts, text.Count(n, sec.Singular(), sec.Plural()))
			}
		}
		if len(parts) == 0 {
			return "initial artifact"
		}
		return "initial artifact with " + text.And(parts)
	}
	if len(c.Changes) != 1 {
		return ""
	}
	one := &c.Changes[0]
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", one.Kind, one.ID, text.OneLine(diff.Title(one.Item()))))
}

// changed names and counts the items that changed, by how they did.
func (c *Compiled) changed() (listed, counted []string) {
	for _, kind := range [...]diff.ChangeKind{diff.ItemAdded, diff.ItemKilled, diff.ItemRestored, diff.ItemEdited, diff.ItemRemoved} {
		var ids []string
		for i := range c.Changes {
			if c.Changes[i].Kind == kind {
				ids = append(ids, c.Changes[i].ID.String())
			}
		}
		if len(ids) > 0 {
			listed = append(listed, string(kind)+" "+text.And(ids))
			counted = append(counted, text.Count(len(ids), "item", "items")+" "+string(kind))
		}
	}
	return listed, counted
}
