package rules

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// deltaEnvelopeRules are about a delta's own data: its id, its time and its agent. The
// output format has none of them, so all three are optional.
var deltaEnvelopeRules = []*lint.Rule{
	{ID: "DL-019", Name: "delta-envelope", Severity: lint.Error, About: lint.DeltaScope, SpecRef: "artifact_delta_spec#Delta Structure",
		Summary: "Where a delta carries delta_id, timestamp or agent itself: delta_id is unique in the thread, timestamp is ISO 8601 with an offset, agent is non-empty.",
		Help:    "leave delta_id, timestamp and agent out: the message has them",
		Check:   lint.MessageVisitor(checkEnvelopes)}, // ids are unique in the thread
	{ID: "DL-020", Name: "delta-agent-mismatch", Severity: lint.Error, SpecRef: "artifact_delta_spec#Delta Structure",
		Summary: "A delta's own `agent` is the message's sender.",
		Help:    "leave agent out: the sender of the message counts",
		Check:   eachDelta(checkAgent)},
}

// deltaIn is a delta and its message.
type deltaIn struct {
	*delta.Delta
	in *session.Message
}

func checkEnvelopes(p *lint.ThreadPass) func(*session.Message) {
	ids := map[string]deltaIn{}
	return func(m *session.Message) {
		if m.Intended != brenner.Delta {
			return
		}
		for _, d := range m.Deltas {
			if d.Root.Is(jsontree.Object) {
				checkEnvelope(p, deltaIn{d, m}, ids)
			}
		}
	}
}

func checkEnvelope(p *lint.ThreadPass, d deltaIn, ids map[string]deltaIn) {
	if n := d.Root.Get("delta_id"); !n.Absent() {
		id := n.StringOr("")
		first, again := ids[id]
		switch {
		case delta.Blank(n) || !n.Is(jsontree.String):
			d.report(p, n, "delta_id", notText(n)+"; expected a text that no other delta of the thread has")
		case again:
			d.reportRepeated(p, n, first)
		default:
			ids[strings.Clone(id)] = deltaIn{d.in.Deltas[d.Index-1], d.in}
		}
	}
	if n := d.Root.Get("timestamp"); !n.Absent() {
		ts, ok := brenner.ParseISO(n.StringOr(""))
		const expected = "; expected ISO 8601 with an offset, YYYY-MM-DDThh:mm:ssZ"
		switch {
		case !n.Is(jsontree.String):
			d.report(p, n, "timestamp", "is "+n.Kind.String()+expected)
		case !ok:
			d.report(p, n, "timestamp", text.Quote(n.Text)+" is not a timestamp"+expected)
		case !ts.HasTime:
			d.report(p, n, "timestamp", text.Quote(n.Text)+" is a date without a time"+expected)
		case !ts.HasOffset:
			d.report(p, n, "timestamp", text.Quote(n.Text)+" has no offset"+expected)
		}
	}
	if n := d.Root.Get("agent"); !n.Absent() && (delta.Blank(n) || !n.Is(jsontree.String)) {
		d.report(p, n, "agent", notText(n)+"; expected the name of the sender")
	}
}

// notText returns why a value is not a text that names something.
func notText(n *jsontree.Node) string {
	if n.Is(jsontree.String) {
		return "is empty"
	}
	return "is " + n.Kind.String()
}

func (d deltaIn) report(p *lint.ThreadPass, n *jsontree.Node, field, problem string) {
	p.Report(lint.Diagnostic{
		At: d.Pos(n), In: d.in, Delta: d.Index, Field: field, Message: field + " " + problem,
		Suggestion: "remove " + field + ": the message has it",
	})
}

func (d deltaIn) reportRepeated(p *lint.ThreadPass, n *jsontree.Node, first deltaIn) {
	where := "in this message"
	if first.in != d.in {
		where = "in message " + first.in.ID
		if first.in.ID == "" {
			where = "in an earlier message"
		}
	}
	p.Report(lint.Diagnostic{
		At: d.Pos(n), In: d.in, Delta: d.Index, Field: "delta_id",
		Message:    fmt.Sprintf("delta_id %s is already that of delta %d %s; expected a unique one", text.Quote(n.StringOr("")), first.Index, where),
		Suggestion: "give it a new id, or leave delta_id out",
		Related:    []lint.RelatedLocation{{At: first.Pos(first.Root.Get("delta_id")), In: first.in, Message: "given before here"}},
	})
}

// checkAgent compares a delta's own agent with the sender. DL-019 reports an empty one.
func checkAgent(p *lint.DeltaPass, d *delta.Delta) {
	from := p.Message.From
	if from == nil || delta.Blank(d.Root.Get("agent")) || d.Agent == "" || d.Agent == string(from.Data) {
		return
	}
	reportDelta(p, lint.Diagnostic{
		At: d.Pos(d.Root.Get("agent")), Field: "agent",
		Message:    fmt.Sprintf("agent is %s, but the message was sent by %s", text.Quote(d.Agent), text.Quote(string(from.Data))),
		Suggestion: "each agent sends its own deltas: remove agent, or write " + text.Quote(string(from.Data)),
	})
}
