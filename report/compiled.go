package report

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/text"
)

// MessageJSON returns a message as the arguments of send_message.
func MessageJSON(m replay.CompiledMessage) string {
	m.To = append([]string{}, m.To...) // not null
	return indented(struct {
		replay.CompiledMessage
		Ack bool `json:"ack_required"`
	}{CompiledMessage: m})
}

// MessageMarkdown returns a message as a draft in Markdown: a small header, then the
// body.
func MessageMarkdown(m replay.CompiledMessage) string {
	var b strings.Builder
	line := func(name, value string) { fmt.Fprintf(&b, "%s: %s\n", name, text.OneLine(value)) }
	line("Subject", m.Subject)
	line("Thread", m.Thread)
	line("From", m.From)
	if len(m.To) > 0 {
		line("To", strings.Join(m.To, ", "))
	}
	line("Ack", "false")
	b.WriteString("\n" + m.Body)
	return b.String()
}

// NotApplied says what a compilation leaves out, a line each, the first of many.
func NotApplied(deltas []replay.NotApplied, unread []replay.UnreadDeltas) []string {
	const most = 20
	out := []string{} // not null in JSON
	for i := range deltas {
		d := &deltas[i]
		out = append(out, fmt.Sprintf("not applied: message %s, delta %d of %s: %s", d.Delta.In.ID, d.Delta.Index, d.Delta.Agent, d.Why()))
	}
	for i := range unread {
		out = append(out, fmt.Sprintf("not applied: message %s: %s", unread[i].Message.ID, unread[i].Why()))
	}
	if n := len(out) - most; n > 1 {
		out = append(out[:most], fmt.Sprintf("%s not applied either", text.Count(n, "delta is", "deltas are")))
	}
	return out
}
