package replay

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/state"
)

// called is an item with its name, as messages speak of it.
func called(id protocol.ItemID, it *state.Item) string {
	text := it.Text("name")
	if text == "" {
		text = it.Text(bodies[id.Section])
	}
	if text == "" {
		return id.String()
	}
	return fmt.Sprintf("%s (%s)", id, wording.Quote(text))
}

// source tells where an item comes from: the delta that added it, or an earlier
// version.
func (c *comparer) source(id protocol.ItemID) (string, []Note) {
	if add := c.w.origin(id).Added; add != nil {
		d := of(add)
		return "added by " + name(d), []Note{c.note(d, d.ObjectStart(), "ADD of "+id.String())}
	}
	return "in the version before", nil
}

func (c *comparer) note(d *Delta, at source.Place, message string) Note {
	return Note{At: at, In: d.In, Message: fmt.Sprintf("%s by %s", message, name(d))}
}

func (c *comparer) reportMissing(it *state.Item) {
	from, notes := c.source(it.ID)
	p := Problem{
		Rule: "MR-011", At: c.span(c.a.Section(it.ID.Section).Heading), Item: it.ID.String(), Related: notes, omitted: it,
		Message: fmt.Sprintf("%s, %s, is not in the published artifact", called(it.ID, it), from),
	}
	if it.Active() {
		p.Suggestion = "publish it; an item that is to go is killed, never left out"
	} else {
		p.Suggestion = "publish it struck through: killed items are never left out"
	}
	c.report(p)
}

func (c *comparer) reportUnexplained(m *match) {
	p := Problem{
		Rule: "MR-012", At: c.span(m.pub.Heading), Item: m.pub.ID.String(),
		Message: fmt.Sprintf("%s comes from no delta%s", called(m.val.ID, m.val), c.before()),
	}
	if m.pub.ID.Section == protocol.ResearchThread {
		p.Message = "the research thread comes from no delta" + c.before()
	}
	p.Suggestion = "send it as a delta before it is compiled"
	c.report(p)
}

// before says since when no delta explains an item: an earlier one that was left
// out explains nothing any more (decisions.md 24).
func (c *comparer) before() string {
	n := len(c.r.Windows)
	if n == 0 {
		return ""
	}
	version := "the version before"
	if v := c.r.Windows[n-1].Compiled.Version.Number; v > 0 {
		version = fmt.Sprintf("v%d", v)
	}
	return fmt.Sprintf(" since %s, and does not stand there", version)
}

func (c *comparer) reportRenumbered(m *match) {
	from, notes := c.source(m.ref.ID)
	c.report(Problem{
		Rule: "MR-015", At: c.span(m.pub.IDSpan), Item: m.pub.ID.String(), Related: notes,
		Message:    fmt.Sprintf("%s is published as %s: it is %s, %s, and items keep their ids", wording.Quote(title(m)), m.pub.ID, m.ref.ID, from),
		Suggestion: fmt.Sprintf("publish it as %s", m.ref.ID),
	})
}

func title(m *match) string {
	if m.pub.Name != "" {
		return m.pub.Name
	}
	return m.val.Text(bodies[m.ref.ID.Section])
}

func (c *comparer) reportReused(m *match) {
	from, notes := c.source(m.ref.ID)
	c.report(Problem{
		Rule: "MR-015", At: c.span(m.pub.IDSpan), Item: m.pub.ID.String(), Related: notes,
		Message:    fmt.Sprintf("%s is published as %s, but %s is %s, %s: ids are never used again", wording.Quote(title(m)), m.pub.ID, m.ref.ID, wording.Quote(m.ref.Text("name")), from),
		Suggestion: fmt.Sprintf("give it the next free id, %s%d", m.pub.ID.Section.Prefix(), c.ref.Highest(m.pub.ID.Section)+1),
	})
}

func (c *comparer) reportStanding(m *match, e artifact.Entry) {
	p := Problem{
		Rule: "MR-016", At: c.span(e.Span), Item: m.pub.ID.String(), Field: "predictions",
		Message:    fmt.Sprintf("%s still predicts %s for %s, which is killed: its predictions are N/A", m.pub.ID, wording.Quote(e.Text), e.Key),
		Suggestion: "write N/A",
	}
	h, _ := protocol.ParseItemID(e.Key)
	if kill := c.w.origin(h).Killed; kill != nil {
		d := of(kill)
		p.Related = []Note{c.note(d, d.Pos(d.Root.Get("target_id")), "KILL of "+e.Key)}
	}
	c.report(p)
}

func (c *comparer) reportKill(m *match) {
	p := Problem{Rule: "MR-014", At: c.span(m.pub.Heading), Item: m.pub.ID.String()}
	if kill := merge.OriginOf(m.ref).Killed; kill != nil {
		d := of(kill)
		p.Related = []Note{c.note(d, d.Pos(d.Root.Get("target_id")), "KILL of "+m.ref.ID.String())}
	}
	k := m.ref.Killed
	switch {
	case k == nil:
		p.Message = fmt.Sprintf("%s is published as killed, but no delta killed it", m.pub.ID)
		p.Suggestion = "send a KILL with the reason before it is compiled"
	case m.val.Active():
		p.Message = fmt.Sprintf("%s is published as active, but %s", m.pub.ID, k.Sentence())
		p.Suggestion = "publish it struck through, with Killed by and Reason"
	case differ(k.By, m.val.Killed.By):
		p.Message = fmt.Sprintf("%s is published as killed by %s, but %s", m.pub.ID, wording.Quote(m.val.Killed.By), k.Sentence())
		c.killLine(&p, m, "killed_by", m.val.Killed.By)
	case !differ(k.Reason, m.val.Killed.Reason):
		p.Message = fmt.Sprintf("%s is published as killed at %s, but %s", m.pub.ID, wording.Quote(m.pub.KilledAt), k.Sentence())
		if c.killLine(&p, m, "killed_at", m.pub.KilledAt); p.Field == "" { // `Killed by: Agent (timestamp)`
			c.killLine(&p, m, "killed_by", m.pub.KilledAt)
			p.Field = "killed_at"
		}
	default:
		got, want := wording.QuoteBoth(m.val.Killed.Reason, k.Reason)
		p.Message = fmt.Sprintf("%s is published as killed because %s, but the reason given was %s", m.pub.ID, got, want)
		c.killLine(&p, m, "kill_reason", m.val.Killed.Reason)
	}
	c.report(p)
}

// killLine puts a problem at the text in a line that tells of a kill, or at what
// the line says if the text is not written as it reads.
func (c *comparer) killLine(p *Problem, m *match, key, text string) {
	f := m.pub.Field(key)
	if f == nil || f.Value.Empty() {
		return
	}
	at := f.Value
	if i := strings.LastIndex(c.a.Text.Slice(at), text); i >= 0 && text != "" {
		at = source.Span{Start: at.Start + i, End: at.Start + i + len(text)}
	}
	p.At, p.Field = c.span(at), key
}

func (c *comparer) reportField(m *match, d *difference) {
	p := Problem{Rule: "MR-013", At: c.span(d.at), Item: m.pub.ID.String(), Field: d.key, differs: d}
	what := fmt.Sprintf("%s %s", m.pub.ID, d.key)
	if d.part != "" {
		what += " (" + d.part + ")"
	}
	by := of(merge.OriginOf(m.ref).Field(d.key))
	want, got := d.quoted()
	switch {
	case by != nil:
		p.Message = fmt.Sprintf("%s was last set by %s, to %s", what, name(by), want)
		p.Related = []Note{c.note(by, by.part(d.key, d.part), "set")}
	case d.want == nil:
		p.Message = fmt.Sprintf("%s was set by no delta and was not in the version before", what)
	default:
		p.Message = fmt.Sprintf("%s was %s in the version before, and no delta changed it", what, want)
	}
	if d.got == nil {
		p.Message += "; the published artifact lacks it"
	} else {
		p.Message += "; published is " + got
	}
	c.report(p)
}

// quoted are the two values as messages show them.
func (d *difference) quoted() (want, got string) {
	if d.want == nil || d.got == nil {
		return quoteOr(d.want), quoteOr(d.got)
	}
	return wording.QuoteBoth(inline(d.want), inline(d.got))
}

func (c *comparer) reportConceded(f concession) {
	d := f.delta
	verb := map[protocol.Operation]string{protocol.Add: "is in", protocol.Edit: "shows in", protocol.Kill: "shows in"}[d.merge.Operation]
	p := Problem{
		Rule: "MR-022", At: c.span(f.at),
		Message: fmt.Sprintf("the %s by %s %s the published artifact, although it had to be rejected (%s: %s)", d.merge.Operation, name(d), verb, d.RejectedBy, d.Reason),
		Related: []Note{c.note(d, d.whole(), "rejected "+d.merge.Operation.String())},
	}
	if f.item.Section != 0 {
		p.Item = f.item.String()
	}
	c.report(p)
}

// whole is the place of a delta: its opening brace, or where its JSON breaks.
func (d *Delta) whole() source.Place {
	if d.Root == nil {
		return d.Fence
	}
	return d.ObjectStart()
}
