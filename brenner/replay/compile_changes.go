package replay

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/internal/text"
)

// changes lists what changed item by item, what was not applied and why, and whom to
// ask.
func (w *writer) changes() {
	if w.Version > 1 {
		w.printf("## Changes from v%d\n", w.Version-1)
	} else {
		w.printf("## Changes\n")
	}
	if len(w.Changes) == 0 {
		w.printf("No item changed.\n")
	}
	w.printf("%s\n", diff.Markdown(w.Changes, w.by))
	w.conflicts()
	w.kept()
	w.notApplied()
}

// kept lists the fields that the version has as the one before was published, although its
// deltas give something else.
func (w *writer) kept() {
	if len(w.Kept) == 0 {
		return
	}
	w.printf("### Kept from v%d\n", w.Version-1)
	for i := range w.Kept {
		f := &w.Kept[i].Field
		published, merged := keptValues(f)
		w.printf("- **%s** %s: published as %s, but the deltas give %s. Send one EDIT with the correct value.\n",
			w.Kept[i].Item, text.Markdown(f.Name()), text.Markdown(published), text.Markdown(merged))
	}
	w.printf("\n")
}

// by says who made a change: to an item when it was added or killed, to a field of a new
// item when another delta has set it since.
func (w *writer) by(c *diff.Change, f *diff.FieldChange) string {
	if f != nil {
		d := w.Window.SetBy(c.ID, f.Key)
		if c.Before == nil && d == w.Window.AddedBy(c.ID) || c.After == nil {
			return ""
		}
		h, _ := brenner.ParseItemID(f.Part)
		if kill := w.Window.SetBy(h, "killed"); kill != nil && f.Key == "predictions" && f.After == brenner.NotApplicable {
			return agentName(kill.Agent) + " killed " + h.String()
		}
		return byDelta(d)
	}
	switch c.Kind {
	case diff.ItemAdded:
		return byDelta(w.Window.AddedBy(c.ID))
	case diff.ItemKilled:
		return byDelta(w.Window.SetBy(c.ID, "killed"))
	}
	return ""
}

// byDelta names the agent and the message of a delta.
func byDelta(d *Delta) string {
	switch {
	case d == nil:
		return ""
	case d.In.ID == "":
		return agentName(d.Agent)
	}
	return fmt.Sprintf("%s, message %s", agentName(d.Agent), text.Markdown(d.In.ID))
}

// whereOf names a delta and its agent.
func whereOf(d *Delta) string {
	return fmt.Sprintf("%s, delta %d (%s)", text.Markdown(nameOf(d.In)), d.Index, agentName(d.Agent))
}

// conflicts lists the fields that are left at a CONFLICT marker, and whom to ask.
func (w *writer) conflicts() {
	if len(w.Conflicts)+len(w.Unresolved) == 0 {
		return
	}
	w.printf("### Open conflicts\n")
	for i := range w.Conflicts {
		c := &w.Conflicts[i]
		w.printf("- **%s** %s: set to different values at %s\n", c.Item, text.Markdown(strings.ReplaceAll(c.Field, "_", " ")), brenner.FormatTime(c.Time()))
		for _, d := range c.Deltas {
			value := text.Shorten(text.OneLine(brenner.OneLine(d.Value(c.Field))), 160)
			w.printf("  - \"%s\": %s\n", text.Markdown(value), whereOf(d))
		}
		w.printf("  - Ask %s for one EDIT with the correct value.\n", text.And(rivals(c, agentName)))
	}
	for i := range w.Unresolved {
		u := &w.Unresolved[i]
		value := text.Shorten(text.OneLine(u.Value), 160)
		w.printf("- **%s** %s: left by an earlier version at %s. Send one EDIT with the correct value.\n", u.Item, text.Markdown(strings.ReplaceAll(u.Field, "_", " ")), text.Markdown(value))
	}
	w.printf("\n")
}

// rivals returns the agents whose deltas conflict, each once, named by name.
func rivals(c *Conflict, name func(string) string) []string {
	var out []string
	seen := map[string]bool{}
	for _, d := range c.Deltas {
		if !seen[d.Agent] {
			seen[d.Agent] = true
			out = append(out, name(d.Agent))
		}
	}
	return out
}

// notApplied lists the deltas that changed nothing because they were rejected or
// skipped, or not read, and whom to ask.
func (w *writer) notApplied() {
	if len(w.NotApplied)+len(w.Unread) == 0 {
		return
	}
	w.printf("### Deltas not applied\n")
	for i := range w.NotApplied {
		n := &w.NotApplied[i]
		w.printf("- %s: %s. %s\n", capital(whereOf(n.Delta)), n.Why(), n.ask())
	}
	for i := range w.Unread {
		u := &w.Unread[i]
		from := agentName(u.Message.From.String())
		w.printf("- %s (%s): %s. Ask %s to send %s in a DELTA message, in delta fences.\n", capital(text.Markdown(nameOf(u.Message))), from, u.Why(), from, them(u.Deltas))
	}
	w.printf("\n")
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Why says why a delta was not applied, in Markdown.
func (n *NotApplied) Why() string {
	switch n.Skipped {
	case merge.Skipped:
		return fmt.Sprintf("EDIT of %s, which is killed", n.Item)
	case merge.Dropped:
		return fmt.Sprintf("EDIT of %s, which another delta kills at the same instant", n.Item)
	}
	reason := text.Markdown(n.Reason)
	if n.Rule != "" {
		reason += " (" + n.Rule + ")"
	}
	return strings.TrimSpace(reason)
}

// ask says whom to ask for what.
func (n *NotApplied) ask() string {
	who := agentName(n.Delta.Agent)
	if n.Skipped != "" {
		return fmt.Sprintf("Ask %s whether it still holds: a killed item comes back only by a new ADD.", who)
	}
	return fmt.Sprintf("Ask %s to send it again, corrected.", who)
}

// Why says why deltas are not read.
func (u *UnreadDeltas) Why() string {
	if u.Unfenced {
		return text.Count(u.Deltas, "delta is", "deltas are") + " outside a delta fence and not read"
	}
	return text.Count(u.Deltas, "delta block is", "delta blocks are") + " not read, because the subject is not that of a DELTA"
}

// Obstacles say why the version should not be published as it is, and whom to ask about each.
func (c *Compiled) Obstacles() []string {
	out := []string{} // not null in JSON
	for i := range c.Conflicts {
		x := &c.Conflicts[i]
		who := rivals(x, func(name string) string { return name })
		out = append(out, fmt.Sprintf("conflict: %s %s is set to different values at %s; ask %s for one EDIT with the correct value",
			x.Item, x.Field, brenner.FormatTime(x.Time()), text.And(who)))
	}
	for i := range c.Unresolved {
		u := &c.Unresolved[i]
		out = append(out, fmt.Sprintf("conflict: %s %s was left in conflict by an earlier version: %s; send one EDIT with the correct value", u.Item, u.Field, text.Shorten(text.OneLine(u.Value), 160)))
	}
	for _, s := range c.Shortages {
		line := "below the minimum: " + shortage(s.Section, s.Active)
		if n := len(s.RejectedAdds); n > 0 {
			line += fmt.Sprintf("; %s of it rejected", text.Count(n, "ADD", "ADDs"))
		}
		out = append(out, line)
	}
	return out
}
