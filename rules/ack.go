package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// ackRules are about acknowledgements: who must request one, and what one must contain
// (message_body_schema, ACK Semantics Summary).
var ackRules = []*lint.Rule{
	noAck("MB-009", "ack-no-ack-required", "message_body_schema#MB-009", "ACK does not set ack_required.", brenner.Ack),
	needAck("MB-010", "kickoff-ack-required", "message_body_schema#MB-010", brenner.Kickoff),
	needAck("MB-011", "question-ack-required", "message_body_schema#MB-011", brenner.Question),
	needAck("MB-012", "blocked-ack-required", "message_body_schema#MB-012", brenner.Blocked),
	needAck("MB-013", "critique-ack-required", "message_body_schema#ACK Semantics Summary", brenner.Critique),
	needAck("MB-014", "handoff-ack-required", "message_body_schema#ACK Semantics Summary", brenner.Handoff),
	noAck("MB-015", "informational-no-ack-required", "message_body_schema#ACK Semantics Summary",
		"DELTA, COMPILED, CLAIM and INFO do not set ack_required.",
		brenner.Delta, brenner.Compiled, brenner.Claim, brenner.Info),
	{ID: "MB-016", Name: "ack-status", Severity: lint.Error, SpecRef: "message_body_schema#ACK Messages",
		Summary: "ACK has a `Status` section that is one of Received, Understood, Will Action, Completed.",
		Help:    "write Received, Understood, Will Action or Completed under ## Status",
		Types:   ofTypes(brenner.Ack),
		Check: orWrapper(sectionOneOf(sectionReq{title: "Status", purpose: "Received, Understood, Will Action or Completed"},
			"Received", "Understood", "Will Action", "Completed"))},
	{ID: "MB-017", Name: "ack-message-id", Severity: lint.Warning, SpecRef: "message_body_schema#ACK Messages",
		Summary: "ACK names the message it acknowledges in a `Message ID` section.",
		Types:   ofTypes(brenner.Ack),
		Check:   needSection(sectionReq{title: "Message ID", purpose: "the id of the acknowledged message", aliases: []string{"Message", "ID", "In Reply To"}})},
	{ID: "MB-030", Name: "pending-acknowledgement", Severity: lint.Info, SpecRef: "message_body_schema#ACK Workflow",
		Summary: "Every recipient of a message with ack_required: true, of a type that asks for one, has acknowledged it: " +
			"an ACK mail from that recipient later in the thread, or a recorded acknowledgement time in the export.",
		Check: lint.ThreadCheck(checkPendingAcks)},
	{ID: "MB-031", Name: "ack-unknown-message", Severity: lint.Warning, SpecRef: "message_body_schema#Post-receive Validation",
		Summary: "The message id that an ACK names exists in the export.",
		Check:   lint.ThreadCheck(checkAckedMessages)},
}

// needAck returns a rule that messages of a type set ack_required.
func needAck(id, name, source string, t brenner.MessageType) *lint.Rule {
	return &lint.Rule{
		ID: id, Name: name, Severity: lint.Warning, SpecRef: source,
		Summary: t.String() + " sets ack_required: true.",
		Types:   ofTypes(t), Check: ackRequired(true),
	}
}

// noAck returns a rule that messages of some types do not set ack_required.
func noAck(id, name, source, summary string, t ...brenner.MessageType) *lint.Rule {
	return &lint.Rule{
		ID: id, Name: name, Severity: lint.Warning, SpecRef: source,
		Summary: summary, Types: t, Check: ackRequired(false),
	}
}

// ackReasons are the rationales of ACK Semantics Summary.
var ackReasons = [...]string{
	brenner.Kickoff:  "all agents must confirm the start of the session",
	brenner.Delta:    "deltas are merged without individual confirmation",
	brenner.Compiled: "it is only informational",
	brenner.Critique: "a challenge needs attention",
	brenner.Ack:      "acknowledgements are not acknowledged",
	brenner.Claim:    "it is only informational",
	brenner.Handoff:  "the receiver must confirm the transfer",
	brenner.Blocked:  "somebody must resolve the blocker",
	brenner.Question: "a question needs an answer",
	brenner.Info:     "it is only informational",
}

// ackRequired checks the flag, except where a share removed it (decisions.md 13).
func ackRequired(want bool) lint.MessageCheck {
	return func(p *lint.MessagePass) {
		m := p.Message
		if m.AckRequired == want && !m.AckMistyped || m.ExportInfo != nil && m.ExportInfo.AckFlagsCleared {
			return
		}
		d := lint.Diagnostic{At: m.AckPlace, Fix: ackFix(m, want)}
		if !d.At.Known() {
			d.At = m.SubjectPlace()
		}
		switch {
		case m.AckMistyped:
			value := strings.Trim(string(m.AckPlace.Text.Bytes(m.AckPlace.Span)), `"`)
			d.Message = fmt.Sprintf("ack_required is not a boolean: %s; expected %t, because %s", text.Quote(value), want, ackReasons[m.Intended])
			d.Suggestion = fmt.Sprintf("write %t without quotes", want)
		case want:
			d.Message = m.Intended.String() + " does not set ack_required: " + ackReasons[m.Intended]
			d.Suggestion = "set ack_required to true"
		default:
			d.Message = m.Intended.String() + " sets ack_required: " + ackReasons[m.Intended]
			d.Suggestion = "set ack_required to false, or omit it"
		}
		p.Report(d)
	}
}

// ackFix fixes a draft: sent mail is a record.
func ackFix(m *session.Message, want bool) *lint.SuggestedFix {
	if m.Form != mail.Draft {
		return nil
	}
	value := "false"
	if want {
		value = "true"
	}
	fix := &lint.SuggestedFix{Description: "set ack_required to " + value}
	if m.AckPlace.Known() {
		fix.Edits = []lint.TextEdit{{At: m.AckPlace, Text: value}}
		return fix
	}
	edit := newAckFlag(m.Header, value)
	if !edit.At.Known() {
		return nil
	}
	fix.Edits = []lint.TextEdit{edit}
	return fix
}

// newAckFlag adds the flag to a header: as the first member of a JSON object,
// else as the second line of a Markdown draft.
func newAckFlag(header source.Place, value string) lint.TextEdit {
	text, span := header.Text, header.Span
	switch {
	case text == nil || span.Empty():
		return lint.TextEdit{}
	case text.Data[span.Start] == '{':
		span = source.Span{Start: span.Start + 1, End: span.Start + 1}
		rest := text.Data[span.End:]
		space := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))]
		return lint.TextEdit{At: text.Place(span), Text: string(space) + `"ack_required": ` + value + ","}
	default:
		span.Start = span.End
		return lint.TextEdit{At: text.Place(span), Text: "\nack_required: " + value}
	}
}

// ackedID is a message id that an ACK names.
type ackedID struct {
	id   string
	span source.Span
}

// ackedIDs returns the message ids in an ACK's Message ID section: those in its first line,
// and in the lines after it that hold nothing else.
func ackedIDs(m *session.Message) []ackedID {
	s := m.Section("Message ID")
	if s == nil {
		return nil
	}
	var out []ackedID
	first := true
	for line := range s.Lines() {
		ids, only := idsIn(s, line)
		if !first && !only {
			break
		}
		out, first = append(out, ids...), false
	}
	return out
}

// idsIn returns the message ids in a line: `934`, `#934`, `Message 934 and 938`, but not the
// year of `the KICKOFF of 2025`. Only reports whether the line holds nothing else.
func idsIn(s *session.Section, line source.Span) (out []ackedID, only bool) {
	text := s.Text(line)
	expected := true // an id may be here
	only = true
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && !strings.ContainsRune(" ,;:\t", rune(text[end])) {
			end++
		}
		word := strings.Trim(text[i:end], "`*.()[]")
		id := strings.TrimPrefix(word, "#")
		switch {
		case brenner.IsNumber(id) && (expected || id != word):
			at := line.Start + i + strings.Index(text[i:end], id)
			out = append(out, ackedID{id, source.Span{Start: at, End: at + len(id)}})
			expected = true
		case word != "":
			expected = slices.Contains(idWords, strings.ToLower(word))
			only = only && expected
		}
		i = end + 1
	}
	return out, only
}

// idWords are words that a message id may follow.
var idWords = []string{"and", "message", "messages", "msg", "id", "ids", "mail", "mails", "no", "number"}

// acks records who acknowledged what and when, in places of the thread.
type acks struct {
	any   map[string]int    // by sender: the last ACK that names no message
	named map[[2]string]int // by sender and message id: the last ACK that names it
}

func readAcks(t *session.Thread) acks {
	a := acks{any: map[string]int{}, named: map[[2]string]int{}}
	for i, m := range t.Messages {
		if m.Intended != brenner.Ack || m.From == nil {
			continue
		}
		sender := strings.ToLower(string(m.From.Data))
		ids := ackedIDs(m)
		if len(ids) == 0 {
			a.any[sender] = i
		}
		for _, id := range ids {
			a.named[[2]string{sender, id.id}] = i
		}
	}
	return a
}

// given reports whether an agent acknowledged a message with a later mail.
func (a acks) given(agent string, m *session.Message) bool {
	agent = strings.ToLower(agent)
	return a.any[agent] > m.Index || a.named[[2]string{agent, m.ID}] > m.Index
}

// asksForAck lists the types whose messages set ack_required (ACK Semantics Summary).
var asksForAck = ofTypes(brenner.Kickoff, brenner.Question, brenner.Blocked, brenner.Critique, brenner.Handoff)

// checkPendingAcks reports a message once, with every agent that still owes an
// acknowledgement (decisions.md 2, 14). A message of another type must not ask for one:
// that is MB-009 or MB-015 (74).
func checkPendingAcks(p *lint.ThreadPass) {
	if !p.Complete {
		return
	}
	given := readAcks(p.Thread)
	for _, m := range p.Thread.Messages {
		if !m.AckRequired || !slices.Contains(asksForAck, m.Intended) || !m.HasRecipients || m.Form == mail.Draft {
			continue
		}
		pending := pendingRecipients(given, m)
		if len(pending) == 0 {
			continue
		}
		verb := "has"
		if len(pending) > 1 {
			verb = "have"
		}
		message := someNames(pending) + " " + verb + " not acknowledged this " + m.Intended.String()
		if m.ExportInfo != nil && !m.ExportInfo.RecordsAcks {
			message += " by mail; this form of export does not show recorded acknowledgements"
		}
		p.Report(lint.Diagnostic{At: m.SubjectPlace(), In: m, Message: message, Suggestion: ackHint(m)})
	}
}

func ackHint(m *session.Message) string {
	if m.ID == "" {
		return "have each recipient reply with a message whose subject begins with ACK:"
	}
	return "have each recipient reply with an ACK: message whose Message ID section says " + typed(m.ID)
}

func pendingRecipients(given acks, m *session.Message) []string {
	var out []string
	seen := map[string]bool{}
	if m.From != nil {
		seen[strings.ToLower(string(m.From.Data))] = true
	}
	for _, r := range m.Recipients {
		key := strings.ToLower(r.Name)
		if seen[key] {
			continue
		}
		seen[key] = true
		if r.Acknowledged.IsZero() && !given.given(r.Name, m) {
			out = append(out, r.Name)
		}
	}
	return out
}

// checkAckedMessages reports each message id that no message of the export has. An export
// may show no ids at all.
func checkAckedMessages(p *lint.ThreadPass) {
	if !p.Complete || !slices.ContainsFunc(p.Thread.Messages, func(m *session.Message) bool { return m.ID != "" }) {
		return
	}
	for _, m := range p.Thread.Messages {
		if m.Intended != brenner.Ack {
			continue
		}
		for _, id := range ackedIDs(m) {
			if !p.HasMessage(id.id) {
				p.Report(lint.Diagnostic{
					At: m.InBody(id.span), In: m,
					Message: "ACK names message " + text.Quote(id.id) + ", which is not in this export",
				})
			}
		}
	}
}
