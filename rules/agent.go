package rules

import (
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// handoffRules are about handoffs between agents (message_body_schema, HANDOFF Messages).
var handoffRules = []*lint.Rule{
	{ID: "MB-008", Name: "handoff-agents", Severity: lint.Error, SpecRef: "message_body_schema#MB-008",
		Summary: "HANDOFF has `From` and `To` sections, each naming a plausible agent (one token of letters, digits, `_`, `-`); with a known roster, a registered one.",
		Help:    "name one agent under ## From and one under ## To, such as BlueLake",
		Types:   ofTypes(brenner.Handoff), Check: orWrapper(checkHandoffAgents)},
	section("MB-020", "handoff-item", "message_body_schema#HANDOFF Messages", brenner.Handoff,
		itemSection, "name the bead or task under ## Item"),
	{ID: "MB-021", Name: "handoff-state", Severity: lint.Warning, SpecRef: "message_body_schema#HANDOFF Messages",
		Summary: "HANDOFF describes the current `State`.",
		Types:   ofTypes(brenner.Handoff),
		Check:   needSection(sectionReq{title: "State", purpose: "the progress of the work", aliases: []string{"Current State", "Progress", "Status"}})},
	{ID: "MB-032", Name: "handoff-recipient", Severity: lint.Warning, SpecRef: "message_body_schema#HANDOFF Messages",
		Summary: "The agent named in HANDOFF `To` is among the message's recipients.",
		Types:   ofTypes(brenner.Handoff), Check: lint.MessageCheck(checkHandoffRecipient)},
}

// overseer is the name under which the web interface sends what people write; it is not a
// registered agent (mail_formats.md, Git archive).
const overseer = "HumanOverseer"

// checkHandoffAgents reports each of From and To at most once.
func checkHandoffAgents(p *lint.MessagePass) {
	for _, w := range []sectionReq{
		{title: "From", purpose: "the agent who releases the work"},
		{title: "To", purpose: "the agent who takes over the work"},
	} {
		if name, at, ok := agentSection(p, w); ok {
			checkRegistered(p, w.title, name, at)
		}
	}
}

// agentSection returns the agent that a section names, or reports what is wrong with it.
func agentSection(p *lint.MessagePass, w sectionReq) (name string, at source.Span, ok bool) {
	s := filledSection(p, w)
	if s == nil {
		return "", at, false
	}
	if name, at, ok = agentIn(s); !ok {
		hint := "write " + brenner.AgentPlaceholder + " instead of the line"
		if joined := strings.Join(strings.Fields(s.Text(at)), ""); session.IsAgentName(joined) {
			hint = "write " + joined + ", or the name that the agent has"
		}
		p.Report(lint.Diagnostic{
			At:         p.Message.InBody(at),
			Message:    w.title + " names " + text.Quote(s.Text(at)) + ", which is not an agent name; expected one word of letters, digits, _ and -",
			Suggestion: hint,
		})
	}
	return name, at, ok
}

// agentIn returns the agent that the first line of a section names: one token, perhaps after
// an @, optionally followed by a remark in parentheses. If it names none, the span is the
// line.
func agentIn(s *session.Section) (name string, at source.Span, ok bool) {
	at = s.FirstLine()
	line := s.Text(at)
	name, remark, _ := strings.Cut(line, " ")
	name = strings.TrimPrefix(strings.Trim(name, "*`."), "@")
	remark = strings.TrimSpace(remark)
	if !session.IsAgentName(name) || remark != "" && !strings.HasPrefix(remark, "(") {
		return "", at, false
	}
	at.Start += strings.Index(line, name)
	at.End = at.Start + len(name)
	return name, at, true
}

// checkRegistered reports a name that a known roster does not contain.
func checkRegistered(p *lint.MessagePass, field, name string, at source.Span) {
	known := p.Agents()
	if len(known) == 0 || slices.Contains(known, name) || name == overseer {
		return
	}
	d := lint.Diagnostic{
		At:         p.Message.InBody(at),
		Message:    field + " names " + text.Quote(name) + ", which is not a registered agent",
		Suggestion: "name one of the registered agents: " + someNames(known),
	}
	if near := text.Nearest(name, known); near != "" {
		d.Suggestion = meantValue(typed(near))
	}
	p.Report(d)
}

// checkHandoffRecipient reports nothing if recipients are unknown, or To names no agent
// (MB-008).
func checkHandoffRecipient(p *lint.MessagePass) {
	m := p.Message
	s := m.Section("To")
	if !m.HasRecipients || s == nil {
		return
	}
	name, at, ok := agentIn(s)
	if !ok {
		return
	}
	names := make([]string, len(m.Recipients))
	for i, r := range m.Recipients {
		if strings.EqualFold(r.Name, name) {
			return
		}
		names[i] = r.Name
	}
	message := "To names " + text.Quote(name) + ", but the message has no recipients"
	if len(names) > 0 {
		message = "To names " + text.Quote(name) + ", but the message was sent to " + someNames(names)
	}
	p.Report(lint.Diagnostic{
		At: m.InBody(at), Message: message,
		Suggestion: "add " + text.Quote(name) + " to the recipients",
	})
}

// someNames joins names, at most five of them.
func someNames(names []string) string {
	const most = 5
	shown := text.QuoteAll(names[:min(len(names), most)])
	if more := len(names) - most; more > 0 {
		shown = append(shown, text.Count(more, "other", "others"))
	}
	return text.And(shown)
}

// checkClaimAgent requires a name, registered or not.
func checkClaimAgent(p *lint.MessagePass) {
	agentSection(p, sectionReq{title: "Agent", purpose: "the agent who claims the work", aliases: []string{"Claimed by", "Owner", "Assignee"}})
}
