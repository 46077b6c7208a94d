package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/delta"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/source"
)

// collect takes the deltas of a message into a window.
func (r *Thread) collect(w *Window, m *session.Message) {
	w.Unread = w.Unread || m.BodyState != mail.BodyPresent
	w.contributions = append(w.contributions, m)
	for _, block := range m.Deltas {
		d := newDelta(m, block)
		if f := block.Rejected(); f != nil {
			d.RejectedBy, d.Reason = r.opts.explain(block, f)
		} else {
			d.enter(block)
		}
		if r.unknownAgent(d) && d.RejectedBy == "" {
			d.RejectedBy, d.Reason = "MR-004", fmt.Sprintf("agent %s is not registered", wording.Quote(d.Agent))
		}
		w.Deltas = append(w.Deltas, d)
	}
}

// collectHidden takes in the deltas of a message that is not a DELTA only because
// of a slip in its subject.
func (r *Thread) collectHidden(w *Window, m *session.Message) {
	for _, block := range m.Deltas {
		d := newDelta(m, block)
		if block.Rejected() == nil {
			d.enter(block)
		}
		w.hidden = append(w.hidden, d)
	}
}

func newDelta(m *session.Message, block *delta.Delta) *Delta {
	d := &Delta{Delta: block, In: m, Agent: block.Agent, Text: m.Created.String()}
	if !d.namesAgent() {
		d.Agent = m.From.String()
	}
	return d
}

// namesAgent reports whether the delta says itself who contributes it; a blank
// name says nothing (decisions.md 54).
func (d *Delta) namesAgent() bool { return strings.TrimSpace(d.Delta.Agent) != "" }

// enter makes the merge's delta of a block; read is the block, or its mended
// form.
func (d *Delta) enter(read *delta.Delta) {
	m := d.In
	out := &merge.Delta{
		Operation: read.Operation, Section: read.Section, Target: read.Target, Reason: read.Reason,
		Agent: d.Agent, Time: m.Time, Message: m.ID, Unnamed: d.unnamed, Position: d.Index, Source: d,
	}
	if read.HasTime {
		out.Time, d.Text = read.Time, read.Root.Get("timestamp").Str()
	}
	if out.Operation != protocol.Kill {
		out.Payload, _ = read.Payload.Value().(map[string]any)
	}
	d.merge = out
}

// orderUnnamed numbers the messages without an id in the order of what they say
// (decisions.md 57).
func (w *Window) orderUnnamed() {
	var unnamed []*session.Message
	for _, m := range w.contributions {
		if m.ID == "" {
			unnamed = append(unnamed, m)
		}
	}
	if unnamed == nil {
		return
	}
	slices.SortStableFunc(unnamed, func(a, b *session.Message) int { return mail.CompareTexts(a.Message, b.Message) })
	place := make(map[*session.Message]int, len(unnamed))
	for i, m := range unnamed {
		place[m] = i + 1
	}
	for _, d := range w.Deltas {
		if d.unnamed = place[d.In]; d.merge != nil {
			d.merge.Unnamed = d.unnamed
		}
	}
}

// merge merges the deltas of a window.
func (r *Thread) merge(w *Window) {
	w.orderUnnamed()
	w.strict = merge.Merge(w.base, accepted(w.Deltas), r.mergeOptions())
	w.result = w.strict
	for i := range w.result.Log {
		e := &w.result.Log[i]
		switch e.Outcome {
		case merge.Applied:
			w.Applied++
		case merge.Rejected:
			d := of(e.Delta)
			d.RejectedBy, d.Reason = refused(e)
		}
	}
	for _, d := range w.Deltas {
		if d.RejectedBy != "" {
			w.Rejected = append(w.Rejected, d)
		}
	}
	w.State = w.result.State
	w.OrderSensitive = len(w.result.Ties) > 0
}

func (r *Thread) mergeOptions() merge.Options {
	return merge.Options{Priority: r.opts.Priority, Arrays: &r.arrays}
}

// origin tells which deltas made an item of the merged state what it is; it is
// never nil.
func (w *Window) origin(id protocol.ItemID) *merge.Origin {
	return merge.OriginOf(w.result.State.Find(id))
}

// accepted are the deltas that nothing but the state can reject.
func accepted(ds []*Delta) []*merge.Delta {
	out := make([]*merge.Delta, 0, len(ds))
	for _, d := range ds {
		if d.RejectedBy == "" {
			out = append(out, d.merge)
		}
	}
	return out
}

func (r *Thread) unknownAgent(d *Delta) bool {
	return r.registry != nil && d.Agent != "" && !r.registry[d.Agent] && d.Root.Is(jsontree.Object) && len(d.Root.Members) > 0
}

// report adds a problem of a delta.
func (r *Thread) report(d *Delta, p Problem) {
	p.In, p.Delta = d.In, d.Index
	r.Problems = append(r.Problems, p)
}

// judge reports what the merge of a window found.
func (r *Thread) judge(w *Window) {
	for _, d := range w.Deltas {
		if r.unknownAgent(d) {
			r.reportAgent(d)
		}
	}
	r.judgeOutcomes(w)
	for i := range w.strict.Conflicts {
		r.reportConflict(&w.strict.Conflicts[i])
	}
	for i := range w.strict.Ties {
		r.reportTie(&w.strict.Ties[i])
	}
	r.judgeTimes(w)
	r.judgeState(w)
}

// judgeOutcomes reports the deltas that only the state rejects. What is rejected
// for no other reason than that a rejected delta went before, which was
// published all the same, is not (decisions.md 25).
func (r *Thread) judgeOutcomes(w *Window) {
	applied := map[*merge.Delta]bool{}
	if w.result != w.strict {
		for i := range w.result.Log {
			e := &w.result.Log[i]
			applied[e.Delta] = e.Refusal == nil && !w.conceded[e.Delta]
		}
	}
	for i := range w.strict.Log {
		e := &w.strict.Log[i]
		if applied[e.Delta] || e.Refusal == nil {
			continue
		}
		switch e.Refusal.Reason {
		case merge.NoTarget, merge.TargetKilled:
			r.reportTarget(w, e)
		case merge.SectionFull:
			d := of(e.Delta)
			_, message := refused(e)
			r.report(d, Problem{Rule: "MR-003", At: d.Pos(d.Root.Get("section")), Message: message, Suggestion: "KILL a hypothesis that is superseded before you ADD another"})
		}
	}
}

func (r *Thread) reportAgent(d *Delta) {
	p := Problem{Rule: "MR-004", At: d.Pos(d.Root.Get("agent"))}
	if !d.namesAgent() && d.In.From != nil {
		p.At = d.In.From.All()
	}
	p.Message = fmt.Sprintf("agent %s of delta %d is not registered, so the delta is rejected", wording.Quote(d.Agent), d.Index)
	if near := r.agentLike(d.Agent); near != "" {
		p.Suggestion = fmt.Sprintf("did you mean %s?", near)
	}
	r.report(d, p)
}

// agentLike is the registered agent that a name most likely means, or "".
func (r *Thread) agentLike(name string) string {
	near, known := r.likely[name]
	if !known {
		near = wording.Nearest(name, slices.Sorted(maps.Keys(r.registry)))
		if r.likely == nil {
			r.likely = map[string]string{}
		}
		r.likely[name] = near
	}
	return near
}

// reportTarget reports an EDIT or KILL whose target is not there or is killed.
func (r *Thread) reportTarget(w *Window, e *merge.Entry) {
	d := of(e.Delta)
	at := d.Pos(d.Root.Get("target_id"))
	rule, message := refused(e)
	p := Problem{Rule: rule, At: at, Message: message, Item: targetName(e.Delta)}
	from := w.origin(e.Delta.Target)
	switch {
	case e.Refusal.Reason == merge.TargetKilled && from.Killed != nil:
		by := of(from.Killed)
		p.Related = append(p.Related, Note{At: by.Pos(by.Root.Get("target_id")), In: by.In, Message: fmt.Sprintf("%s was killed by %s", p.Item, name(by))})
	case e.Refusal.Reason == merge.NoTarget && from.Added != nil:
		by := of(from.Added)
		p.Suggestion = fmt.Sprintf("send it again: the ADD of %s by %s has a later time", p.Item, name(by))
		p.Related = append(p.Related, Note{At: by.ObjectStart(), In: by.In, Message: fmt.Sprintf("%s is added only later, by %s", p.Item, name(by))})
	}
	r.report(d, p)
}

func (r *Thread) reportConflict(c *merge.Conflict) {
	last := of(c.Deltas[0])
	for _, m := range c.Deltas[1:] {
		last = later(last, of(m))
	}
	p := Problem{Rule: "MR-008", At: last.value(c.Field), Item: c.Item.String(), Field: c.Field}
	var who []string
	for _, m := range c.Deltas {
		d := of(m)
		who = append(who, name(d))
		if d != last {
			p.Related = append(p.Related, Note{At: d.value(c.Field), In: d.In, Message: fmt.Sprintf("%s sets it to %s", name(d), wording.Quote(inline(m.Payload[c.Field])))})
		}
	}
	p.Message = fmt.Sprintf("%s %s is left in conflict: %s set it to different values at the same instant, %s", p.Item, c.Field, wording.And(short(who)), protocol.FormatTime(c.Deltas[0].Time))
	p.Suggestion = "settle it with a later EDIT, or give the agents priorities in the configuration"
	r.report(last, p)
}

// later is the delta that readers of the thread meet later.
func later(a, b *Delta) *Delta {
	if a.In.Index > b.In.Index || a.In == b.In && a.Index > b.Index {
		return a
	}
	return b
}

// short cuts a long list for a message.
func short(words []string) []string {
	const most = 4
	if len(words) <= most {
		return words
	}
	return append(slices.Clone(words[:most-1]), fmt.Sprintf("%d more", len(words)-most+1))
}

func (r *Thread) reportTie(t *merge.Tie) {
	first, second := of(t.First), of(t.Second)
	if later(first, second) == first {
		first, second = second, first
	}
	when := protocol.FormatTime(t.Second.Time)
	p := Problem{Rule: "MR-009", At: second.Pos(second.Root.Get("operation"))}
	if t.Item.Section != 0 {
		p.Item = t.Item.String()
	}
	at, other := second, first
	switch t.Kind {
	case merge.TiedKill:
		at, other = of(t.First), of(t.Second)
		p.At = at.Pos(at.Root.Get("target_id"))
		p.Message = fmt.Sprintf("EDIT of %s has the same time, %s, as its KILL by %s: the KILL wins and the EDIT is dropped", p.Item, when, name(other))
	case merge.TiedAdds:
		p.Message = fmt.Sprintf("ADD has the same time, %s, as the ADD to %s by %s: which item gets which id depends on their order alone", when, second.merge.Section, name(other))
	case merge.TiedValues:
		p.Field = t.Field
		p.At = at.value(t.Field)
		p.Message = fmt.Sprintf("EDIT of %s %s has the same time, %s, as that by %s: the value depends on their order alone", p.Item, t.Field, when, name(other))
	case merge.TiedItem:
		p.Message = fmt.Sprintf("%s has the same time, %s, as the %s by %s: whether %s exists when it is named depends on their order alone", second.merge.Operation, when, first.merge.Operation, name(other), p.Item)
	case merge.TiedLimit:
		p.Message = fmt.Sprintf("%s has the same time, %s, as the %s by %s: whether the new hypothesis fits depends on their order alone", second.merge.Operation, when, first.merge.Operation, name(other))
	}
	p.Suggestion = "send deltas that depend on each other one after the other, or give the agents priorities in the configuration"
	p.Related = []Note{{At: other.Pos(other.Root.Get("operation")), In: other.In, Message: fmt.Sprintf("%s by %s at the same time", other.merge.Operation, name(other))}}
	r.report(at, p)
}

// judgeTimes finds times that sort as text in another order than as instants. A
// draft has none yet.
func (r *Thread) judgeTimes(w *Window) {
	ds := make([]*Delta, 0, len(w.strict.Log))
	for i := range w.strict.Log {
		if d := of(w.strict.Log[i].Delta); d.Text != "" {
			ds = append(ds, d)
		}
	}
	slices.SortStableFunc(ds, func(a, b *Delta) int {
		if c := a.merge.Time.Compare(b.merge.Time); c != 0 {
			return c
		}
		return strings.Compare(a.Text, b.Text)
	})
	for i := 1; i < len(ds); i++ {
		if a, b := ds[i-1], ds[i]; a.Text > b.Text {
			r.Problems = append(r.Problems, Problem{
				Rule: "MR-010", In: w.last, At: w.last.SubjectPlace(),
				Message: fmt.Sprintf("%s of %s is before %s of %s, but sorts after it as text: a compiler that compares timestamps as text merges in another order",
					wording.Quote(a.Text), name(a), wording.Quote(b.Text), name(b)),
				Suggestion: "write all timestamps of a thread in one form, such as 2025-12-30T12:00:00Z",
				Related:    []Note{{At: a.timePlace(), In: a.In, Message: "earlier instant"}, {At: b.timePlace(), In: b.In, Message: "later instant"}},
			})
			return
		}
	}
}

func (d *Delta) timePlace() source.Place {
	if d.HasTime {
		return d.Pos(d.Root.Get("timestamp"))
	}
	return d.In.Created.All()
}

// value is the place of a field in the payload, else that of the delta.
func (d *Delta) value(key string) source.Place {
	if d.Payload == nil {
		return d.whole()
	}
	return d.Pos(d.Payload.Get(key))
}

// part is the place of a part of a field in the payload, such as an outcome, else
// that of the field.
func (d *Delta) part(key, part string) source.Place {
	if n := d.Payload.Get(key).Get(part); n != nil {
		return d.Pos(n)
	}
	return d.value(key)
}

// name is how messages speak of a delta.
func name(d *Delta) string {
	return fmt.Sprintf("%s in %s, delta %d", d.Agent, messageName(d.In), d.Index)
}

func messageName(m *session.Message) string {
	if m.ID == "" {
		return "message " + wording.Quote(m.SubjectText)
	}
	return "message " + m.ID
}
