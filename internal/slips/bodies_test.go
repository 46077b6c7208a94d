package slips

import (
	"fmt"
	"strings"
)

// bodies are slips in the sections of messages. A section that is missing is
// reported at the subject (decisions.md 3).
var bodies = []slip{
	{name: "KICKOFF without a question", rule: "MB-002", in: bodyOf("KICKOFF"), find: `^# Brenner.*\n\n## Research Question\n.*\n`, with: "", on: subject},
	{name: "empty title and no question", rule: "MB-002", in: bodyOf("KICKOFF"), find: `^# Brenner.*\n\n## Research Question\n.*\n`, with: "#\n"},
	{name: "context called background", rule: "MB-003", in: bodyOf("KICKOFF"), find: `^## Context$`, with: "## Background", on: subject, fix: safeFix},
	{name: "context without its heading", rule: "MB-003", in: bodyOf("KICKOFF"), find: `^## Context\n`, with: "", on: subject},
	{name: "empty context", rule: "MB-003", in: bodyOf("KICKOFF"), find: `^(## Context\n)(.*\n)+?\n`, with: "$1\n"},
	{name: "context as a placeholder", rule: "MB-003", in: bodyOf("KICKOFF"), find: `^(## Context\n)(.*\n)+?\n`, with: "$1{2-4 sentences of essential background}\n\n"},
	{name: "heading in bold letters", rule: "MB-003", in: bodyOf("KICKOFF"), find: `^## Context$`, with: "**Context**", on: subject, fix: safeFix},
	{name: "heading without a space", rule: "MB-003", in: bodyOf("KICKOFF"), find: `^## Context$`, with: "##Context", on: subject, fix: safeFix},
	{name: "KICKOFF without an excerpt", rule: "MB-027", in: bodyOf("KICKOFF"), find: `^## Excerpt\n(>.*\n)+\n`, with: "", on: subject},
	{name: "excerpt without citations", rule: "MB-027", in: bodyOf("KICKOFF"), find: `^(## Excerpt\n)(>.*\n)+`, with: "$1> \"Both could be wrong.\"\n"},
	{name: "KICKOFF that requests nothing", rule: "MB-029", in: bodyOf("KICKOFF"), find: `^## Requested Outputs\n(- .*\n)+`, with: "", on: subject},

	{name: "critique of nothing", rule: "MB-006", in: bodyOf("CRITIQUE"), find: `^## Target$`, with: "## About", on: subject},
	{name: "empty target", rule: "MB-006", in: bodyOf("CRITIQUE"), find: `^(## Target\n)(- .*\n)+`, with: "$1", also: []follow{{rule: "AP-009", law: "27"}}},
	{name: "critique without an attack", rule: "MB-007", in: bodyOf("CRITIQUE"), find: `^## Attack$`, with: "## Argument", on: subject, fix: safeFix},
	{name: "empty attack", rule: "MB-007", in: bodyOf("CRITIQUE"), find: `^(## Attack\n).*\n`, with: "$1"},
	{name: "severity of one's own", rule: "MB-028", in: bodyOf("CRITIQUE"), find: `^Major$`, with: "Severe"},
	{name: "critique without severity", rule: "MB-028", in: bodyOf("CRITIQUE"), find: `^## Severity\nMajor\n`, with: "", on: subject},

	{name: "ACK without a status", rule: "MB-016", in: bodyOf("ACK"), find: `^## Status\n.*\n\n`, with: "", on: subject},
	{name: "ACK with a status of its own", rule: "MB-016", in: bodyOf("ACK"), find: `^(## Status\n).*`, with: "${1}‸OK"},
	{name: "ACK of an empty status", rule: "MB-016", in: bodyOf("ACK"), find: `^(## Status\n).*`, with: "$1"},
	{name: "ACK of an unnamed message", rule: "MB-017", in: bodyOf("ACK"), find: `^## Message ID\n.*\n\n`, with: "", on: subject},
	{name: "ACK of a message that is not there", rule: "MB-031", in: bodyOf("ACK"), find: `^(## Message ID\n).*`, with: "${1}‸9999", also: []follow{{rule: "MB-030", law: "14"}}, alone: true},

	{name: "claim of nothing", rule: "MB-018", in: bodyOf("CLAIM"), find: `^## Item$`, with: "## Task", on: subject, fix: safeFix},
	{name: "claim by nobody", rule: "MB-019", in: bodyOf("CLAIM"), find: `(?s)^## Agent\n(.*?)\n\n(.*)\n\z`, with: "$2\n", on: subject, fix: safeFix, fixed: "$2\n\n## Agent\n\n$1\n"},
	{name: "empty claim", rule: "MB-018", in: bodyOf("CLAIM"), find: `^(## Item\n).*\n`, with: "$1"},
	{name: "empty claimant", rule: "MB-019", in: bodyOf("CLAIM"), find: `^(## Agent\n).*\n`, with: "$1"},

	{name: "handoff from nobody", rule: "MB-008", in: bodyOf("HANDOFF"), find: `(?s)^## From\n(.*?)\n\n(.*)\n\z`, with: "$2\n", on: subject, fix: safeFix, fixed: "$2\n\n## From\n\n$1\n"},
	{name: "handoff to nobody", rule: "MB-008", in: bodyOf("HANDOFF"), find: `^## To\n.*\n\n`, with: "", on: subject},
	{name: "handoff to whom it may concern", rule: "MB-008", in: bodyOf("HANDOFF"), find: `^(## To\n).*`, with: "${1}‸whoever is free"},
	{name: "handoff to somebody else", rule: "MB-032", in: bodyOf("HANDOFF"), find: `^(## To\n).*`, with: "${1}‸StrangeBird"},
	{name: "handoff of nothing", rule: "MB-020", in: bodyOf("HANDOFF"), find: `^## Item$`, with: "## What", on: subject},
	{name: "handoff without a state", rule: "MB-021", in: bodyOf("HANDOFF"), find: `^## State\n.*\n\n`, with: "", on: subject},
	{name: "empty state", rule: "MB-021", in: bodyOf("HANDOFF"), find: `^(## State\n).*\n`, with: "$1"},

	{name: "block of nothing", rule: "MB-022", in: bodyOf("BLOCKED"), find: `^## Item$`, with: "## Work", on: subject},
	{name: "block by nothing", rule: "MB-023", in: bodyOf("BLOCKED"), find: `^## Blocker\n.*\n\n`, with: "", on: subject},
	{name: "empty blocker", rule: "MB-023", in: bodyOf("BLOCKED"), find: `^(## Blocker\n).*\n`, with: "$1"},
	{name: "block of a type of its own", rule: "MB-024", in: bodyOf("BLOCKED"), find: `^(## Type\n).*`, with: "${1}‸Decision"},
	{name: "block without a type", rule: "MB-024", in: bodyOf("BLOCKED"), find: `^## Type\n.*\n\n`, with: "", on: subject},

	{name: "question only in the title", rule: "MB-025", in: bodyOf("QUESTION"), find: `^## Question\n.*\n\n`, with: "", on: subject},
	{name: "question under a longer heading", rule: "MB-025", in: bodyOf("QUESTION"), find: `^## Question$`, with: "## Question for all", on: subject},
	{name: "empty question", rule: "MB-025", in: bodyOf("QUESTION"), find: `^(## Question\n).*\n`, with: "$1"},
	{name: "urgency of its own", rule: "MB-026", in: bodyOf("QUESTION"), find: `^(## Urgency\n).*`, with: "${1}‸ASAP"},
	{name: "question without urgency", rule: "MB-026", in: bodyOf("QUESTION"), find: `^## Urgency\n.*\n`, with: "", on: subject},

	{name: "notice without a path", rule: "AP-017", in: bodyOf("INFO: Artifact"), find: `^- \*\*Path\*\*: .*\n`, with: "", on: subject},
	{name: "notice without a commit", rule: "AP-017", in: bodyOf("INFO: Artifact"), find: `^- \*\*Git Commit\*\*: .*\n`, with: "", on: subject},
	{name: "notice of another path", rule: "AP-017", in: bodyOf("INFO: Artifact"), find: `artifacts/`, with: "docs/"},

	{name: "body in one fence", rule: "MB-006", in: bodyOf("CRITIQUE"), find: `(?s)\A(.*)\z`, with: "```markdown\n$1```\n", fix: safeFix},
	{name: "line breaks written out", rule: "MB-006", do: func(s *scene) bool {
		s.at = place{body, s.messagesOf("CRITIQUE")[0], 0}
		b := s.text(s.at)
		*b = strings.ReplaceAll(*b, "\n", `\n`)
		return true
	}},
}

// acks are messages that set ack_required against their type, and one ACK that is missing.
var acks = []slip{
	{name: "KICKOFF that asks for no ACK", rule: "MB-010", do: flipAck("KICKOFF"), fix: safeFix},
	{name: "QUESTION that asks for no ACK", rule: "MB-011", do: flipAck("QUESTION"), stage: work, fix: safeFix},
	{name: "BLOCKED that asks for no ACK", rule: "MB-012", do: flipAck("BLOCKED"), stage: work, fix: safeFix},
	{name: "CRITIQUE that asks for no ACK", rule: "MB-013", do: flipAck("CRITIQUE"), fix: safeFix},
	{name: "HANDOFF that asks for no ACK", rule: "MB-014", do: flipAck("HANDOFF"), stage: work, fix: safeFix},
	{name: "ACK that asks for an ACK", rule: "MB-009", do: flipAck("ACK"), fix: safeFix},
	{name: "DELTA that asks for an ACK", rule: "MB-015", do: flipAck("DELTA"), fix: safeFix},
	{name: "COMPILED that asks for an ACK", rule: "MB-015", do: flipAck("COMPILED"), fix: safeFix},
	{name: "CLAIM that asks for an ACK", rule: "MB-015", do: flipAck("CLAIM"), stage: work, fix: safeFix},
	{name: "INFO that asks for an ACK", rule: "MB-015", do: flipAck("INFO"), stage: work, fix: safeFix},
	{name: "ACK that was never sent", rule: "MB-030", do: func(s *scene) bool {
		acks := s.messagesOf("ACK")
		i := acks[s.IntN(len(acks))]
		m := s.thread.Messages[i]
		for j, of := range s.thread.Messages {
			if strings.Contains(m.Body, fmt.Sprintf("## Message ID\n%d\n", of.ID)) {
				s.at = place{subject, j, 0}
			}
		}
		s.drop(i)
		return true
	}, stage: work, alone: true},
}

// flipAck inverts the ack_required of a message of the type.
func flipAck(kind string) func(*scene) bool {
	return func(s *scene) bool {
		all := s.messagesOf(kind)
		if len(all) == 0 {
			return false
		}
		s.at = place{ackRequired, all[s.IntN(len(all))], 0}
		m := &s.thread.Messages[s.at.message]
		m.Ack = !m.Ack
		return true
	}
}
