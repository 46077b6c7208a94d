package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// bodyRules are about the required content of a body of each type, and about
// acknowledgements: who must request one, and what one must contain
// (message_body_schema, Message Types and Body Schemas, ACK Semantics Summary).
var bodyRules = []*lint.Rule{
	{ID: "MB-002", Name: "kickoff-research-question", Severity: lint.Error, SpecRef: "message_body_schema#MB-002",
		Summary: "KICKOFF has a non-empty H1 or a non-empty `Research Question` section.",
		Help:    "state the research question in one sentence, in the H1 or in a section ## Research Question",
		// A KICKOFF with neither is reported once, at the empty one if there is one.
		Types: ofTypes(brenner.Kickoff), Check: orWrapper(func(p *lint.MessagePass) {
			m := p.Message
			w := sectionReq{title: "Research Question", aliases: []string{"Question", "Problem", "RQ"}}
			question := m.Section(w.title)
			if question != nil && !question.Empty() {
				return
			}
			for _, s := range titles(m) {
				if s.Title != "" && !session.IsPlaceholder(s.Title) {
					return
				}
			}
			switch title := title(m); {
			case question != nil:
				reportEmpty(p, question, w)
			case title != nil: // it is empty
				p.Report(finding(m.InBody(title.Heading),
					"KICKOFF has neither a title nor a \"Research Question\" section: its H1 is empty or the template's placeholder",
					"write the session's title in the H1, and the question under ## Research Question"))
			default:
				reportMissing(p, w)
			}
		})},
	section("MB-003", "kickoff-context", lint.Error, "message_body_schema#MB-003", brenner.Kickoff,
		sectionReq{title: "Context", aliases: []string{"Background", "Motivation"}, unless: hasCurrentState}),
	section("MB-006", "critique-target", lint.Error, "message_body_schema#MB-006", brenner.Critique,
		sectionReq{title: "Target", aliases: []string{"Subject of critique", "What is criticised", "What is criticized", "Critique target", "Critiqued item"}, first: true}),
	section("MB-007", "critique-attack", lint.Error, "message_body_schema#MB-007", brenner.Critique,
		sectionReq{title: "Attack", aliases: []string{"Critique", "Challenge", "Objection", "Concern", "Argument", "Criticism", "Problem", "Issue", "Weakness"}}),
	{ID: "MB-008", Name: "handoff-agents", Severity: lint.Error, SpecRef: "message_body_schema#MB-008",
		Summary: "HANDOFF has `From` and `To` sections, each naming a plausible agent (one token of letters, digits, `_`, `-`); with a known roster, a registered one.",
		Help:    "name one agent under ## From and one under ## To, such as BlueLake",
		Types:   ofTypes(brenner.Handoff), Check: orWrapper(func(p *lint.MessagePass) {
			for _, w := range []sectionReq{
				{title: "From", purpose: "the agent who releases the work", aliases: []string{"From agent", "Sender", "Releasing agent", "Previous owner", "Handoff from"}, given: sender, required: true},
				{title: "To", purpose: "the agent who takes over the work", aliases: []string{"To agent", "Receiver", "Receiving agent", "Recipient", "New owner", "Next agent", "Assignee", "Handed to", "Handoff to"}, given: receiver, required: true},
			} {
				name, at, ok := agentSection(p, w)
				if !ok || isRegistered(p, name) {
					continue
				}
				known := p.Agents()
				suggestion := "name one of the registered agents: " + quoted(5, known)
				if near := text.Nearest(name, known[:min(len(known), maxAgents)]); near != "" {
					suggestion = didYouMean(typed(near))
				}
				p.Report(finding(p.Message.InBody(at), w.title+" names "+text.Quote(name)+", which is not a registered agent", suggestion))
			}
		})},
	ackFlag(false, "MB-009", "ack-no-ack-required", "message_body_schema#MB-009", brenner.Ack),
	ackFlag(true, "MB-010", "kickoff-ack-required", "message_body_schema#MB-010", brenner.Kickoff),
	ackFlag(true, "MB-011", "question-ack-required", "message_body_schema#MB-011", brenner.Question),
	ackFlag(true, "MB-012", "blocked-ack-required", "message_body_schema#MB-012", brenner.Blocked),
	ackFlag(true, "MB-013", "critique-ack-required", "message_body_schema#ACK Semantics Summary", brenner.Critique),
	ackFlag(true, "MB-014", "handoff-ack-required", "message_body_schema#ACK Semantics Summary", brenner.Handoff),
	ackFlag(false, "MB-015", "informational-no-ack-required", "message_body_schema#ACK Semantics Summary",
		brenner.Delta, brenner.Compiled, brenner.Claim, brenner.Info),
	section("MB-016", "ack-status", lint.Error, "message_body_schema#ACK Messages", brenner.Ack,
		sectionReq{title: "Status", values: []string{"Received", "Understood", "Will Action", "Completed"}, first: true,
			summary: "ACK has a `Status` section that is one of Received, Understood, Will Action, Completed."}),
	section("MB-017", "ack-message-id", lint.Warning, "message_body_schema#ACK Messages", brenner.Ack,
		sectionReq{title: "Message ID", names: true, aliases: []string{"Message", "ID", "In Reply To", "Message acknowledged", "Acknowledged message"},
			unless: func(p *lint.MessagePass) bool { // 17. is an item of a list, with nothing in it
				s := p.Message.Section("Message ID")
				return s != nil && len(s.Blocks) == 0 && strings.ContainsAny(s.Text(s.Content), "123456789")
			},
			summary: "ACK names the message it acknowledges in a `Message ID` section."}),
	section("MB-018", "claim-item", lint.Error, "message_body_schema#CLAIM Messages", brenner.Claim, itemSection(true)),
	{ID: "MB-019", Name: "claim-agent", Severity: lint.Error, SpecRef: "message_body_schema#CLAIM Messages",
		Summary: "CLAIM has an `Agent` section naming the claiming agent.",
		Help:    "name the claiming agent under ## Agent, such as BlueLake",
		Types:   ofTypes(brenner.Claim), Check: inBody(func(p *lint.MessagePass) {
			agentSection(p, sectionReq{title: "Agent", purpose: "the agent who claims the work", aliases: []string{"Claimed by", "Claimant", "Claiming agent", "Owner", "Assignee"}, given: sender, required: true})
		})}, // registered or not
	section("MB-020", "handoff-item", lint.Error, "message_body_schema#HANDOFF Messages", brenner.Handoff, itemSection(false)),
	section("MB-021", "handoff-state", lint.Warning, "message_body_schema#HANDOFF Messages", brenner.Handoff,
		sectionReq{title: "State", aliases: []string{"Current State", "Progress", "Status"},
			summary: "HANDOFF describes the current `State`."}),
	section("MB-022", "blocked-item", lint.Error, "message_body_schema#BLOCKED Messages", brenner.Blocked, itemSection(true)),
	section("MB-023", "blocked-blocker", lint.Error, "message_body_schema#BLOCKED Messages", brenner.Blocked,
		sectionReq{title: "Blocker", aliases: []string{"Blocked by", "Blockers", "Blocking issue", "What is blocking", "What blocks", "Reason", "Problem", "Issue", "Cause"}}),
	section("MB-024", "blocked-type", lint.Warning, "message_body_schema#BLOCKED Messages", brenner.Blocked,
		sectionReq{title: "Type", aliases: []string{"Blocker Type", "Kind"}, values: []string{"Dependency", "Question", "Resource", "External"}}),
	{ID: "MB-025", Name: "question-question", Severity: lint.Error, SpecRef: "message_body_schema#QUESTION Messages",
		Summary: "QUESTION has a non-empty section titled exactly `Question` (the H1 title does not count).",
		Help:    "write the question under a heading titled exactly ## Question",
		Types:   ofTypes(brenner.Question), Check: orWrapper(checkQuestion)},
	section("MB-026", "question-urgency", lint.Warning, "message_body_schema#QUESTION Messages", brenner.Question,
		sectionReq{title: "Urgency", aliases: []string{"Priority"}, values: []string{"Blocking", "Soon", "Whenever"}}),
	{ID: "MB-027", Name: "kickoff-excerpt", Severity: lint.Warning, SpecRef: "message_body_schema#KICKOFF Messages",
		Summary: "KICKOFF has an `Excerpt` section (`Transcript Excerpt` counts) that cites at least one §n.",
		Types:   ofTypes(brenner.Kickoff), Check: inBody(checkExcerpt)},
	section("MB-028", "critique-severity", lint.Warning, "message_body_schema#CRITIQUE Messages", brenner.Critique,
		sectionReq{title: "Severity", values: []string{"Critical", "Major", "Minor"}}),
	section("MB-029", "kickoff-requested-outputs", lint.Info, "message_body_schema#KICKOFF Messages", brenner.Kickoff,
		sectionReq{title: "Requested Outputs", aliases: []string{"Expected Outputs", "Outputs", "Deliverables", "Requested Output"}}),
	{ID: "MB-030", Name: "pending-acknowledgement", Severity: lint.Info, SpecRef: "message_body_schema#ACK Workflow",
		Summary: "Every recipient of a message with ack_required: true, of a type that asks for one, has acknowledged it: " +
			"an ACK mail from that recipient later in the thread, or a recorded acknowledgement time in the export.",
		// A message is reported once, with every agent that still owes an acknowledgement (decisions.md 2, 14). A message of
		// another type must not ask for one: that is MB-009 or MB-015 (74).
		Check: lint.ThreadCheck(func(p *lint.ThreadPass) {
			if !p.Thread.Complete {
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
				message := quoted(5, pending) + " " + verb + " not acknowledged this " + string(m.Intended)
				if m.ExportInfo != nil && !m.ExportInfo.RecordsAcks {
					message += " by mail; this form of export does not show recorded acknowledgements"
				}
				hint := "have each recipient reply with an ACK: message whose Message ID section says " + typed(m.ID)
				if m.ID == "" {
					hint = "have each recipient reply with a message whose subject begins with ACK:"
				}
				p.Report(inMessage(m, m.SubjectPlace(), message, hint))
			}
		})},
	{ID: "MB-031", Name: "ack-unknown-message", Severity: lint.Warning, SpecRef: "message_body_schema#Post-receive Validation",
		Summary: "The message id that an ACK names exists in the export.",
		// An export may show no ids at all.
		Check: lint.ThreadCheck(func(p *lint.ThreadPass) {
			if !p.Thread.Complete || !slices.ContainsFunc(p.Thread.Messages, func(m *session.Message) bool { return m.ID != "" }) {
				return
			}
			for _, m := range p.Thread.Messages {
				if m.Intended != brenner.Ack {
					continue
				}
				for _, at := range ackedIDs(m) {
					if id := m.Body.Slice(at); !p.HasMessage(id) {
						p.Report(inMessage(m, m.InBody(at), "ACK names message "+text.Quote(id)+", which is not in this export", ""))
					}
				}
			}
		})},
	{ID: "MB-032", Name: "handoff-recipient", Severity: lint.Warning, SpecRef: "message_body_schema#HANDOFF Messages",
		Summary: "The agent named in HANDOFF `To` is among the message's recipients.",
		// It reports nothing if the recipients are unknown, or To names no agent or an unregistered one (MB-008).
		Types: ofTypes(brenner.Handoff), Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			s := m.Section("To")
			if !m.HasRecipients || s == nil {
				return
			}
			name, at, ok := agentIn(s)
			if !ok || !isRegistered(p, name) {
				return
			}
			var names []string
			for _, r := range m.Recipients {
				if strings.EqualFold(r.Name, name) {
					return
				}
				names = append(names, r.Name)
			}
			message := "To names " + text.Quote(name) + ", but the message has no recipients"
			if len(names) > 0 {
				message = "To names " + text.Quote(name) + ", but the message was sent to " + quoted(5, names)
			}
			p.Report(finding(m.InBody(at), message, "add "+text.Quote(name)+" to the recipients"))
		})},
}

// itemSection is the section that names the work of a CLAIM, HANDOFF or BLOCKED.
func itemSection(first bool) sectionReq {
	return sectionReq{title: "Item", aliases: []string{"Bead", "Bead ID", "Task", "Task ID", "Work Item"}, given: bead, first: first}
}

// checkExcerpt requires a citation of the transcript; in later rounds the current state
// is enough (decisions.md 6).
func checkExcerpt(p *lint.MessagePass) {
	m := p.Message
	if hasCurrentState(p) {
		return
	}
	w := sectionReq{title: "Excerpt", aliases: []string{"Brenner Anchors", "Brenner Anchor", "Anchors", "Transcript"}}
	var excerpt *session.Section
	for _, s := range m.Sections {
		if !s.Is("Excerpt") && !s.Is("Transcript Excerpt") {
			continue
		}
		if text := brenner.WithoutComments(s.Text(s.Content)); cites(text, 0) || cites(s.Title, 0) && !s.Empty() {
			return
		}
		if excerpt == nil || excerpt.Empty() {
			excerpt = &s
		}
	}
	switch {
	case excerpt == nil:
		reportMissing(p, w)
	case excerpt.Empty():
		reportEmpty(p, excerpt, w)
	default:
		p.Report(finding(m.InBody(excerpt.Heading),
			"section "+text.Quote(excerpt.Title)+" cites no transcript section",
			"name the transcript section of each excerpt, as in §42"))
	}
}

// hasCurrentState reports whether a section `Current State` replaces the context and
// excerpt of a KICKOFF: after a version is published (decisions.md 6). If the rest of the
// thread is not available, it counts if it names a version.
func hasCurrentState(p *lint.MessagePass) bool {
	m := p.Message
	s := m.Section("Current State")
	if s == nil || s.Empty() {
		return false
	}
	if p.Thread != nil && (p.Thread.Complete || p.Thread.Published(m)) {
		return p.Thread.Published(m)
	}
	_, _, names := session.FindVersion(s.Text(s.Content))
	return names
}

// checkQuestion requires a section of exactly that name below the title, which in the
// template is also `# Question`. Where sections are at H1, the title is the first heading, if
// it says something else.
func checkQuestion(p *lint.MessagePass) {
	m := p.Message
	w := sectionReq{title: "Question", aliases: []string{"Questions"}, required: true}
	var empty, title, other *session.Section
	isTitled := len(titles(m)) < 2 // else the sections are at H1 too
	for i := range m.Sections {
		s := &m.Sections[i]
		switch {
		case s.Level > 1 && brenner.HasPrefixFold(s.Title, w.title+": ") && other == nil:
			other = s
		case !strings.EqualFold(s.Title, w.title):
		case s.Level == 1 && isTitled:
			title = s
		case !s.Empty():
			return
		case empty == nil:
			empty = s
		}
		isTitled = isTitled && s.Nested // what is below a section is no title
	}
	if empty != nil {
		reportEmpty(p, empty, w)
		return
	}
	d := finding(m.SubjectPlace(), `QUESTION has no section titled exactly "Question" (the specific question)`, "")
	if title != nil {
		d.Message = `QUESTION has no "Question" section: the H1 is the title and does not count`
	}
	asked, hidden := questionBelow(m), hiderOf(m, w.title)
	heading, _ := headingMeant(m, w)
	switch {
	case hidden == nil && other != nil:
		d.Suggestion = "rename the heading " + text.Quote(other.Title) + ` to "Question"`
		if _, said, _ := strings.Cut(other.Title, ": "); said != "" {
			d.Suggestion += ", and put " + text.Quote(said) + " on a line below it"
		}
	case hidden == nil && heading == nil && namedLine(m, w.title) == nil && (title != nil || asked != nil):
		d.Suggestion = "add the line ## Question above the question"
	default:
		suggestSectionOf(&d, p, w, hidden)
	}
	if m.Form == mail.Draft && asked != nil && d.Fix == nil {
		d.Fix = newFix(d.Suggestion, m.Body, insert(asked.Span.Start, "## Question\n\n"))
	}
	p.Report(d)
}

// questionBelow returns the paragraph that asks the question of a message: the first text, below the
// title if there is one. It is nil if that asks nothing.
func questionBelow(m *session.Message) *markdown.Block {
	for i := range m.Doc.Blocks {
		b := &m.Doc.Blocks[i]
		switch {
		case b.Kind == markdown.Heading && b.Level == 1:
		case b.Kind == markdown.Paragraph && !b.InList && !b.InQuote && strings.Contains(m.Body.Slice(b.Span), "?"):
			return b
		default:
			return nil
		}
	}
	return nil
}

// agentSection returns the agent that a section names, or reports what is wrong with it.
func agentSection(p *lint.MessagePass, w sectionReq) (name string, at source.Span, ok bool) {
	s := filledSection(p, w)
	if s == nil {
		return "", at, false
	}
	if name, at, ok = agentIn(s); !ok {
		d := finding(p.Message.InBody(at),
			w.title+" names "+text.Quote(s.Text(at))+", which is not an agent name; expected one word of letters, digits, _ and -",
			"write "+brenner.AgentPlaceholder+" instead of the line")
		given, words := w.said(p), strings.Fields(s.Text(at))
		isLower := func(word string) bool { return word == strings.ToLower(word) }
		switch joined := strings.Join(words, ""); {
		case s.IsNone():
			d.Message = w.title + " says " + text.Quote(s.Text(at)) + "; expected the name of an agent"
			d.Suggestion = "write " + cmp.Or(given, brenner.AgentPlaceholder) + " instead of the line"
		case slices.Contains(words, given):
			d.Suggestion, d.Quoted = "write "+given+" instead of the line", []string{given}
		case session.IsAgentName(joined) && (joined == given || !slices.ContainsFunc(words, isLower)):
			d.Suggestion, d.Quoted = "write "+joined+", or the name that the agent has", []string{joined}
			if p.Message.Form == mail.Draft && joined == given {
				d.Fix = newFix("write "+joined, p.Message.Body, source.Edit{Span: at, Text: joined})
			}
		}
		p.Report(d)
	}
	return name, at, ok
}

// sender, receiver and bead are what a message says of itself outside its body. They are "" where somebody or something
// else may be meant.
func sender(p *lint.MessagePass) string {
	if namesOther(p) {
		return ""
	}
	return p.Message.From.String()
}

// receiver is the recipient that a subject "HANDOFF: {bead} to {agent}" names, else the only recipient.
func receiver(p *lint.MessagePass) string {
	m := p.Message
	recipients := recipientNames(m)
	for _, to := range handedTo().FindAllStringSubmatch(string(m.Subject.Data), -1) {
		switch name := to[1]; {
		case recipients[name]:
			return name
		case unicode.IsUpper(rune(name[0])):
			return ""
		}
	}
	if len(m.Recipients) != 1 || namesOther(p) {
		return ""
	}
	return m.Recipients[0].Name
}

var (
	// handedTo is who takes over in a subject.
	handedTo = text.Pattern(`\bto @?([\w-]+)`)
	// spokenOf is a name as Agent Mail gives them, where an agent is spoken of: JavaScript has the same form.
	spokenOf = text.Pattern(`(?:@|(?:→|⇒|[-=]>|\b_*(?i:from|to|by|agents?|sender|receiver|recipient|owner|assignee|claimant)\b)[^\pL\d./]*)` +
		`([A-Z][a-z]+[A-Z][a-z]+)[./]*(?:[^\pL\d./]|$)`)
)

// namesOther reports whether a message speaks of an agent who neither sends nor gets it, and has no section for it.
func namesOther(p *lint.MessagePass) bool {
	m := p.Message
	own := recipientNames(m)
	own[m.From.String()] = true
	for _, title := range []string{"From", "To", "Agent"} {
		if s := m.Section(title); s != nil {
			for _, word := range strings.Fields(s.Text(s.Content)) {
				own[word] = true
			}
		}
	}
	said := handedTo().ReplaceAllString(string(m.Subject.Data), "") + "\n" + string(m.Body.Data) // receiver reads the subject
	known := p.Agents()
	if len(known) == 0 {
		return slices.ContainsFunc(spokenOf().FindAllStringSubmatch(said, -1), func(name []string) bool { return !own[name[1]] })
	}
	words := map[string]bool{}
	noWord := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("./_-", r)
	}
	for _, word := range strings.FieldsFunc(said, noWord) {
		words[strings.Trim(word, "./_-")] = true
	}
	return slices.ContainsFunc(known, func(name string) bool { return words[name] && !own[name] })
}

func recipientNames(m *session.Message) map[string]bool {
	names := map[string]bool{}
	for _, r := range m.Recipients {
		names[r.Name] = true
	}
	return names
}

// beadWords finds what may be the id of a bead.
var beadWords = text.Pattern(`[-\w]+(?:\.[-\w]+)*`)

// bead reads the body for other beads only if the subject names none: BLOCKED may name what blocks it.
func bead(p *lint.MessagePass) string {
	m := p.Message
	if kind, ok := brenner.ClassifyThreadID(m.ThreadID); !ok || kind != brenner.EngineeringThread {
		return ""
	}
	project := cmp.Or(m.ThreadID[:strings.LastIndexByte(m.ThreadID, '-')+1], m.ThreadID)
	for _, said := range []string{m.SubjectText, string(m.Body.Data)} {
		named := slices.DeleteFunc(beadWords().FindAllString(said, -1), func(word string) bool { return !brenner.HasPrefixFold(word, project) })
		isOther := func(id string) bool { return !strings.EqualFold(id, m.ThreadID) }
		switch {
		case slices.ContainsFunc(named, isOther):
			return ""
		case len(named) > 0:
			return m.ThreadID
		}
	}
	return m.ThreadID
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

// isRegistered reports whether a roster contains a name, or none is known.
func isRegistered(p *lint.MessagePass, name string) bool {
	known := p.Agents()
	return len(known) == 0 || slices.Contains(known, name) || name == mail.Overseer
}

// ackFlag returns the rule that messages of some types set ack_required, or do not.
func ackFlag(want bool, id, name, source string, types ...brenner.MessageType) *lint.Rule {
	var names []string
	for _, t := range types {
		names = append(names, string(t))
	}
	sets := " sets ack_required: true."
	switch {
	case !want && len(types) > 1:
		sets = " do not set ack_required."
	case !want:
		sets = " does not set ack_required."
	}
	return &lint.Rule{ID: id, Name: name, Severity: lint.Warning, SpecRef: source, Summary: text.And(names) + sets, Types: types,
		Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			if m.AckRequired == want && !m.AckMistyped || m.ExportInfo != nil && m.ExportInfo.AckFlagsCleared { // by a share (decisions.md 13)
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
				d.Message = string(m.Intended) + " does not set ack_required: " + ackReasons[m.Intended]
				d.Suggestion = "set ack_required to true"
			default:
				d.Message = string(m.Intended) + " sets ack_required: " + ackReasons[m.Intended]
				d.Suggestion = "set ack_required to false, or omit it"
			}
			p.Report(d)
		})}
}

// ackReasons are the rationales of ACK Semantics Summary.
var ackReasons = map[brenner.MessageType]string{
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

// ackFix fixes a draft: sent mail is a record.
func ackFix(m *session.Message, want bool) *lint.SuggestedFix {
	value := strconv.FormatBool(want)
	what := "set ack_required to " + value
	header, span := m.Header.Text, m.Header.Span
	switch {
	case m.Form != mail.Draft:
		return nil
	case m.AckPlace.Known():
		return newFix(what, m.AckPlace.Text, source.Edit{Span: m.AckPlace.Span, Text: value})
	case header == nil || span.Empty():
		return nil
	case header.Data[span.Start] == '{': // as the first member of the object
		rest := header.Data[span.Start+1:]
		space := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))]
		return newFix(what, header, insert(span.Start+1, string(space)+`"ack_required": `+value+","))
	}
	return newFix(what, header, insert(span.End, "\nack_required: "+value)) // of a Markdown draft
}

// ackedIDs returns the message ids in an ACK's Message ID section: those in its first line,
// and in the lines after it that hold nothing else.
func ackedIDs(m *session.Message) []source.Span {
	s := m.Section("Message ID")
	if s == nil {
		return nil
	}
	var out []source.Span
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

// listedWord is a word of a list.
var listedWord = text.Pattern(`[^ ,;:\t]+`)

// idsIn returns the message ids in a line: `934`, `#934`, `Message 934 and 938`, but not the
// year of `the KICKOFF of 2025`, nor a count of what follows an id: `934 (2 deltas)`, `934: Predictions
// and 2 tests`. Only reports whether the line holds nothing else.
func idsIn(s *session.Section, line source.Span) (out []source.Span, only bool) {
	text, end := s.Text(line), 0
	expected, only := true, true // expected: an id may be here
	for _, at := range listedWord().FindAllStringIndex(text, -1) {
		word := strings.Trim(text[at[0]:at[1]], "`*.()[]")
		id := strings.TrimPrefix(word, "#")
		if len(out) > 0 && strings.ContainsAny(text[end:at[0]+1], ":(") {
			expected = false // a remark begins
		}
		end = at[1]
		switch {
		case brenner.IsNumber(id) && (expected || id != word):
			start := line.Start + at[0] + strings.Index(text[at[0]:], id)
			out = append(out, source.Span{Start: start, End: start + len(id)})
			expected = true
		case strings.EqualFold(word, "and"):
			only = only && expected
		case word != "":
			expected = slices.Contains(beforeID, strings.ToLower(word))
			only = only && expected
		}
	}
	return out, only
}

// beforeID are words that a message id may follow.
var beforeID = []string{"message", "messages", "msg", "id", "ids", "mail", "mails", "no", "number"}

// acks are the last ACKs, in places of the thread, by sender and by the id of the message that
// they name; "" is for those that name none.
type acks map[[2]string]int

func readAcks(t *session.Thread) acks {
	given := acks{}
	for i, m := range t.Messages {
		if m.Intended != brenner.Ack || m.From == nil {
			continue
		}
		sender := strings.ToLower(string(m.From.Data))
		ids := ackedIDs(m)
		for _, id := range ids {
			given[[2]string{sender, m.Body.Slice(id)}] = i
		}
		if len(ids) == 0 {
			given[[2]string{sender, ""}] = i
		}
	}
	return given
}

// asksForAck lists the types whose messages set ack_required (ACK Semantics Summary).
var asksForAck = ofTypes(brenner.Kickoff, brenner.Question, brenner.Blocked, brenner.Critique, brenner.Handoff)

// pendingRecipients returns the recipients of a message who have not acknowledged it: neither by
// a later ACK nor as the export records it.
func pendingRecipients(given acks, m *session.Message) []string {
	var out []string
	seen := map[string]bool{}
	if m.From != nil {
		seen[strings.ToLower(string(m.From.Data))] = true
	}
	for _, r := range m.Recipients {
		agent := strings.ToLower(r.Name)
		later := max(given[[2]string{agent, ""}], given[[2]string{agent, m.ID}]) > m.Index
		if !seen[agent] && !r.Acknowledged && !later {
			out = append(out, r.Name)
		}
		seen[agent] = true
	}
	return out
}

// maxAgents bounds the agents that a name is compared with to find the nearest one.
const maxAgents = 5000
