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
	{name: "handoff to nobody", rule: "MB-008", in: bodyOf("HANDOFF"), find: `(?s)^## To\n(.*?)\n\n(.*)\n\z`, with: "$2\n", on: subject, fix: safeFix, fixed: "$2\n\n## To\n\n$1\n"},
	{name: "handoff to whom it may concern", rule: "MB-008", in: bodyOf("HANDOFF"), find: `^(## To\n).*`, with: "${1}‸whoever is free"},
	{name: "handoff to somebody else", rule: "MB-032", in: bodyOf("HANDOFF"), find: `^(## To\n).*`, with: "${1}‸StrangeBird"},
	{name: "handoff of nothing", rule: "MB-020", in: bodyOf("HANDOFF"), find: `^## Item(\nCOORD-)`, with: "## What$1", on: subject},
	{name: "handoff of what its thread names", rule: "MB-020", in: bodyOf("HANDOFF"), find: `(?s)^## Item(\n(brenner_bot-\S+)\n.*)\n\z`, with: "## What$1\n", on: subject, fix: safeFix, fixed: "## What$1\n\n## Item\n\n$2\n"},
	{name: "handoff without a state", rule: "MB-021", in: bodyOf("HANDOFF"), find: `^## State\n.*\n\n`, with: "", on: subject},
	{name: "empty state", rule: "MB-021", in: bodyOf("HANDOFF"), find: `^(## State\n).*\n`, with: "$1"},

	{name: "block of nothing", rule: "MB-022", in: bodyOf("BLOCKED"), find: `^## Item(\nCOORD-)`, with: "## Work$1", on: subject},
	{name: "block of what its thread names", rule: "MB-022", in: bodyOf("BLOCKED"), find: `(?s)^## Item(\n(brenner_bot-\S+)\n.*)\n\z`, with: "## Work$1\n", on: subject, fix: safeFix, fixed: "## Work$1\n\n## Item\n\n$2\n"},
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

var subjects = []slip{
	{name: "prefix in lower case", rule: "MB-001", in: subjectOf("KICKOFF"), find: `^KICKOFF:`, with: "kickoff:", fix: safeFix},
	{name: "prefix with one capital", rule: "MB-001", in: subjectOf("QUESTION"), find: `^QUESTION:`, with: "Question:", fix: safeFix},
	{name: "prefix without its colon", rule: "MB-001", in: subjectOf("CRITIQUE"), find: `^CRITIQUE:`, with: "CRITIQUE", fix: safeFix},
	{name: "KICKOFF without its colon", rule: "MB-001", in: subjectOf("KICKOFF"), find: `^KICKOFF:`, with: "KICKOFF", fix: safeFix},
	{name: "space before the colon", rule: "MB-001", in: subjectOf("HANDOFF"), find: `^HANDOFF:`, with: "HANDOFF :", fix: safeFix},
	{name: "DELTA without a role", rule: "MB-001", in: subjectOf("DELTA"), find: `^DELTA\[\w+\]:`, with: "DELTA:"},
	{name: "DELTA without a colon", rule: "MB-001", in: publishedSubjects, find: `^DELTA\[(\w+)\]:`, with: "DELTA[$1]", also: []follow{{rule: "MR-022", law: "87", many: true}}, fix: safeFix},
	{name: "role in round brackets", rule: "MB-001", in: publishedSubjects, find: `^DELTA\[(\w+)\]:`, with: "DELTA($1):", also: []follow{{rule: "MR-022", law: "87", many: true}}, fix: safeFix},
	{name: "role without brackets", rule: "MB-001", in: publishedSubjects, find: `^DELTA\[(\w+)\]:`, with: "DELTA $1:", also: []follow{{rule: "MR-022", law: "87", many: true}}, fix: safeFix},
	{name: "role with a capital", rule: "MB-001", in: subjectOf("DELTA"), find: `^DELTA\[opus\]:`, with: "DELTA[Opus]:", fix: safeFix},
	{name: "program in place of the role", rule: "MB-001", in: subjectOf("DELTA"), find: `^DELTA\[gpt\]:`, with: "DELTA[codex_cli]:", fix: safeFix},
	{name: "space in front of the subject", rule: "MB-001", in: subjectOf("INFO"), find: `^INFO:`, with: " INFO:", fix: safeFix},
	{name: "prefix of another protocol", rule: "MB-001", in: subjectOf("INFO"), find: `^INFO:`, with: "FYI:"},

	{name: "nothing after the prefix", rule: "SU-001", in: subjectOf("QUESTION"), find: `^QUESTION:.*`, with: "QUESTION: "},
	{name: "subject of 140 characters", rule: "SU-002", in: subjectOf("INFO"), find: `^INFO:.*`, with: "INFO: " + strings.Repeat("long ", 27)},
	{name: "description of 90 characters", rule: "SU-003", in: subjectOf("INFO"), find: `^INFO:.*`, with: "INFO: " + strings.Repeat("long ", 18)},
	{name: "unknown role", rule: "SU-004", in: subjectOf("DELTA"), find: `^DELTA\[opus\]`, with: "DELTA[opsu]", fix: unsafeFix},

	{name: "research id with a capital", rule: "TH-002", do: rename("-", "-X"), stage: research},
	{name: "research id with an underscore", rule: "TH-002", do: rename("-aau", "_aau"), stage: research, fix: unsafeFix},
	{name: "research id without a date", rule: "TH-002", do: rename("RS-20251103-", "RS-"), stage: research},
	{name: "research id in lower case", rule: "TH-002", do: rename("RS-", "rs-"), stage: research, fix: unsafeFix},
	{name: "research id of 29 February 2025", rule: "TH-004", do: rename("20251103", "20250229"), stage: research},
	{name: "research id of one generic word", rule: "TH-005", do: renameTo("RS-20251103-untitled"), stage: research},
	{name: "coordination id with a capital", rule: "TH-003", do: rename("COORD-", "COORD-Daily"), stage: work},
	{name: "coordination id in lower case", rule: "TH-003", do: rename("COORD-", "coord-X"), stage: work},
	{name: "task id with capitals", rule: "TH-001", do: rename("brenner_bot", "Brenner_Bot"), stage: work},
	{name: "task id with a hash", rule: "TH-001", do: rename("brenner_bot-", "brenner_bot#"), stage: work},
	{name: "thread id with a slash", rule: "TH-006", do: rename("RS-", "RS-x/"), stage: research, also: []follow{{rule: "TH-002", law: "1"}}},
	{name: "message without a thread", rule: "TH-007", do: func(s *scene) bool {
		s.at = place{subject, s.IntN(len(s.thread.Messages)), 0}
		s.thread.Messages[s.at.message].Thread = ""
		return true
	}, stage: work},
	{name: "KICKOFF that names another session", rule: "TH-008", in: subjectOf("KICKOFF"), find: `RS-(\d+)-`, with: "RS-20240101-"},
}

// rename changes the thread's id, wherever it is written.
func rename(old, with string) func(*scene) bool {
	return func(s *scene) bool {
		id := strings.Replace(s.thread.ID, old, with, 1)
		return id != s.thread.ID && renameTo(id)(s)
	}
}

func renameTo(id string) func(*scene) bool {
	return func(s *scene) bool {
		t := s.thread
		for i := range t.Messages {
			m := &t.Messages[i]
			m.Thread, m.Subject, m.Body = id, strings.ReplaceAll(m.Subject, t.ID, id), strings.ReplaceAll(m.Body, t.ID, id)
		}
		t.Artifact = strings.ReplaceAll(t.Artifact, t.ID, id)
		t.ID = id
		s.at = place{part: threadID}
		return true
	}
}

// syntax are slips in the JSON of deltas that wait for the next version. A delta that no
// merge may apply is also tried as a published one.
var syntax = []slip{
	{name: "trailing comma in the payload", rule: "MB-005", in: pendingDeltas, find: `"\n  \},\n  "rationale"`, with: "\"‸,\n  },\n  \"rationale\"", fix: safeFix, rejects: true},
	{name: "trailing comma at the end", rule: "MB-005", in: pendingDeltas, find: "\"\n\\}\n```", with: "\"‸,\n}\n```", fix: safeFix, rejects: true},
	{name: "trailing comma in a list", rule: "MB-005", in: pendingDeltas, find: `("conflicts_with": \["H2")`, with: "$1‸,,", fix: safeFix},
	{name: "comma forgotten", rule: "MB-005", in: pendingDeltas, find: `("operation": "\w+"),\n`, with: "$1\n  ‸", fix: safeFix, fixed: "$1,\n  "},
	{name: "comment at the end of a line", rule: "MB-005", in: pendingDeltas, find: `("section": "\w+",)$`, with: "$1 ‸// see above", fix: safeFix, rejects: true},
	{name: "comment in the manner of C", rule: "MB-005", in: pendingDeltas, find: `("section": "\w+",)$`, with: "$1 ‸/* or tests? */", fix: safeFix, rejects: true},
	{name: "single quotes", rule: "MB-005", in: pendingDeltas, find: `"operation": "(\w+)"`, with: "\"operation\": '$1'", fix: safeFix},
	{name: "unquoted key", rule: "MB-005", in: pendingDeltas, find: `"operation":`, with: "operation:", fix: safeFix},
	{name: "unquoted value", rule: "MB-005", in: pendingDeltas, find: `("section": )"(\w+)"`, with: "$1‸$2", fix: unsafeFix},
	{name: "typographic quotation marks", rule: "MB-005", in: pendingDeltas, find: `("rationale": )"(.*)"`, with: "$1‸“$2”", fix: safeFix},
	{name: "None in place of null", rule: "MB-005", in: pendingDeltas, find: `("target_id": )null`, with: "$1‸None", fix: safeFix, fixed: "${1}null"},
	{name: "True in place of true", rule: "MB-005", in: publishedDeltas, find: `("third_alternative": )true`, with: "$1‸True", also: []follow{{rule: "MR-022", law: "25"}}, alone: true},
	{name: "line break in a string", rule: "MB-005", in: pendingDeltas, find: `("rationale": "\w+) `, with: "$1‸\n", fix: safeFix, fixed: "$1\\n"},
	{name: "quotation mark in a string", rule: "MB-005", in: pendingDeltas, find: `("rationale": "\w+) (\w)`, with: "$1\" ‸$2", fix: unsafeFix, fixed: "$1\\\" $2"},
	{name: "backslash of TeX", rule: "MB-005", in: pendingDeltas, find: `("rationale": ")`, with: "${1}‸\\mu, ", fix: safeFix, fixed: "${1}\\\\mu, "},
	{name: "closing brace forgotten", rule: "MB-005", in: pendingDeltas, find: "\n\\}\n```", with: "‸\n```", fix: safeFix, fixed: "}\n```"},
	{name: "opening brace forgotten", rule: "MB-005", in: pendingDeltas, find: "```delta\n\\{\n  ", with: "```delta\n‸", says: "brace|{", fix: unsafeFix, fixed: "```delta\n{"},
	{name: "one brace too many", rule: "MB-005", in: pendingDeltas, find: "\n\\}\n```", with: "\n}\n‸}\n```", fix: safeFix, fixed: "\n}\n\n```"},
	{name: "prose above the object", rule: "MB-005", in: pendingDeltas, find: "```delta\n\\{", with: "```delta\n‸Here it is:\n{", says: "text|prose", fix: unsafeFix},
	{name: "prose below the object", rule: "MB-005", in: pendingDeltas, find: "\n\\}\n```", with: "\n}\n‸That is all.\n```", fix: unsafeFix},
	{name: "two objects in a block", rule: "MB-005", in: pendingDeltas, find: "\n\\}\n```\n\n```delta\n\\{", with: "\n}\n‸{", fix: safeFix},
	{name: "empty block", rule: "MB-005", in: pendingDeltas, find: "```delta\n\\{\n(.*\n)+?\\}\n```", with: "```delta\n```"},
	{name: "closing fence forgotten midway", rule: "MB-005", in: pendingDeltas, find: "\n\\}\n```\n\n```delta", with: "\n}\n\n‸```delta", says: "fence", fix: safeFix},
	{name: "closing fence forgotten at the end", rule: "DL-023", in: pendingDeltas, find: "\n\\}\n```\n\\z", with: "\n}\n", at: above("```delta"), fix: safeFix},

	{name: "array of one delta", rule: "DL-024", in: pendingDeltas, find: "```delta\n(\\{\n(?:.*\n)+?\\})\n```", with: "```delta\n‸[$1]\n```", fix: safeFix, rejects: true},
	{name: "empty object", rule: "DL-024", in: pendingDeltas, find: "```delta\n\\{\n(.*\n)+?\\}\n```", with: "```delta\n‸{}\n```"},
	{name: "a string for a delta", rule: "DL-024", in: pendingDeltas, find: "```delta\n\\{\n(.*\n)+?\\}\n```", with: "```delta\n‸\"see above\"\n```"},
	{name: "key given twice", rule: "DL-014", in: pendingDeltas, find: `("operation": "\w+",)\n`, with: "$1\n  ‸$1\n", fix: safeFix},
	{name: "field given twice", rule: "DL-014", in: pendingDeltas, find: `(    "(?:name|claim)": ".*",\n)`, with: "$1‸$1", fix: safeFix},

	{name: "fence tagged json", rule: "DL-013", in: pendingDeltas, find: "```delta", with: "```json", fix: safeFix},
	{name: "fence with a capital", rule: "DL-013", in: pendingDeltas, find: "```delta", with: "```Delta", fix: safeFix},
	{name: "fence without a tag", rule: "DL-013", in: pendingDeltas, find: "```delta", with: "```", fix: safeFix},
	{name: "fence of colons", rule: "DL-013", in: pendingDeltas, find: "```delta\n(\\{\n(?:.*\n)+?\\})\n```", with: ":::delta\n$1\n:::", fix: safeFix},
	{name: "no fence at all", rule: "DL-012", in: pendingDeltas, find: "```delta\n(\\{\n(?:.*\n)+?\\})\n```", with: "$1", fix: safeFix},
	{name: "a delta told in words", rule: "DL-012", in: pendingDeltas, find: "\n\n## Deltas", with: "\n\n‸DELTA[opus]: KILL H2\n\n## Deltas"},
	{name: "all in an outer fence", rule: "DL-013", in: pendingDeltas, find: `(?s)\A(.*)\z`, with: "````markdown\n$1````\n", fix: safeFix},
	{name: "all in an outer fence as long", rule: "DL-013", in: pendingDeltas, find: `(?s)\A(.*)\z`, with: "```markdown\n$1```\n", fix: safeFix},
	{name: "no blocks", rule: "MB-004", in: pendingDeltas, find: "(?s)## Deltas.*", with: "## Deltas\n\nSee the file.\n", on: subject},
	{name: "deltas in a critique", rule: "DL-021", in: bodyOf("CRITIQUE"), find: `^## Severity`, with: "‸```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": \"H2\", \"payload\": {\"reason\": \"r\"}, \"rationale\": \"r\"}\n```\n\n## Severity"},
	{name: "no heading above the blocks", rule: "DL-022", in: pendingDeltas, find: `^## Deltas\n\n`, with: "", on: subject},
}

// fields are slips in the content of deltas, as valid JSON.
var fields = []slip{
	{name: "operation in lower case", rule: "DL-001", in: pendingDeltas, find: `"operation": "ADD"`, with: `"operation": ‸"add"`, fix: safeFix, rejects: true},
	{name: "operation UPDATE", rule: "DL-001", in: pendingDeltas, find: `"operation": "EDIT"`, with: `"operation": ‸"UPDATE"`, fix: safeFix, rejects: true},
	{name: "operation DELETE", rule: "DL-001", in: pendingDeltas, find: `"operation": "KILL"`, with: `"operation": ‸"DELETE"`, fix: safeFix, rejects: true},
	{name: "operation INSERT", rule: "DL-001", in: pendingDeltas, find: `"operation": "ADD"`, with: `"operation": ‸"INSERT"`, fix: safeFix, rejects: true},
	{name: "operation REMEMBER", rule: "DL-001", in: pendingDeltas, find: `"operation": "ADD"`, with: `"operation": ‸"REMEMBER"`},
	{name: "no operation", rule: "DL-001", in: pendingDeltas, find: `^  "operation": "ADD",\n`, with: "", at: above(`^\{`)},

	{name: "section hypotheses", rule: "DL-002", in: pendingDeltas, find: `"hypothesis_slate"`, with: `"hypotheses"`, fix: safeFix, rejects: true},
	{name: "section tests", rule: "DL-002", in: pendingDeltas, find: `"discriminative_tests"`, with: `"tests"`, fix: safeFix, rejects: true},
	{name: "section predictions", rule: "DL-002", in: pendingDeltas, find: `"predictions_table"`, with: `"predictions"`, fix: safeFix, rejects: true},
	{name: "section by its title", rule: "DL-002", in: pendingDeltas, find: `"assumption_ledger"`, with: `"Assumption Ledger"`, fix: safeFix, rejects: true},
	{name: "section misspelt", rule: "DL-002", in: pendingDeltas, find: `"anomaly_register"`, with: `"anomoly_register"`, fix: safeFix, rejects: true},
	{name: "section of another protocol", rule: "DL-002", in: pendingDeltas, find: `"adversarial_critique"`, with: `"open_questions"`},
	{name: "no section", rule: "DL-002", in: pendingDeltas, find: `^  "section": "\w+",\n(  "target_id": null)`, with: "$1", at: above(`^\{`)},

	{name: "EDIT of nothing", rule: "DL-003", in: pendingDeltas, find: `("target_id": )"[HT]\d"`, with: "${1}‸null"},
	{name: "EDIT without a target", rule: "DL-003", in: pendingDeltas, find: `^  "target_id": "[HTA]\d",\n`, with: "", at: above(`^\{`)},
	{name: "target for target_id", rule: "DL-003", in: pendingDeltas, find: `"target_id"(: "[HTA]\d")`, with: `"target"$1`, at: above(`^\{`), rejects: true, also: []follow{{rule: "DL-015", law: "2"}}, fix: safeFix},
	{name: "ADD with an id of its own", rule: "DL-004", in: pendingDeltas, find: `("operation": "ADD",\n.*\n  "target_id": )null`, with: `$1‸"H9"`, fix: safeFix},
	{name: "ADD of an object as target", rule: "DL-004", in: pendingDeltas, find: `("operation": "ADD",\n.*\n  "target_id": )null`, with: `$1‸""`, fix: safeFix},
	{name: "id of another section", rule: "DL-010", in: pendingDeltas, find: `("target_id": )"H(\d)"`, with: `$1‸"C$2"`},
	{name: "id in lower case", rule: "DL-010", in: pendingDeltas, find: `("target_id": )"H(\d)"`, with: `$1‸"h$2"`, rejects: true, fix: safeFix},
	{name: "id with a hyphen", rule: "DL-010", in: pendingDeltas, find: `("target_id": )"T(\d)"`, with: `$1‸"T-$2"`, fix: safeFix},
	{name: "several ids", rule: "DL-010", in: pendingDeltas, find: `("target_id": )"H(\d)"`, with: `$1‸"H1, H2"`},
	{name: "ADD to the research thread", rule: "DL-009", in: pendingDeltas, find: `"operation": "EDIT",(\n  "section": "research_thread")`, with: `"operation": ‸"ADD",$1`, rejects: true, fix: safeFix},
	{name: "research thread called H1", rule: "DL-009", in: pendingDeltas, find: `"target_id": "RT"`, with: `"target_id": ‸"H1"`, fix: unsafeFix},

	{name: "ADD of nothing", rule: "DL-005", in: pendingDeltas, find: `("operation": "ADD",\n.*\n.*\n  "payload": )\{\n(    .*\n)+  \}`, with: "${1}‸{}"},
	{name: "ADD without payload", rule: "DL-005", in: pendingDeltas, find: `("operation": "ADD",\n.*\n.*\n)  "payload": \{\n(?:    .*\n)+  \},\n`, with: "$1", at: above(`^\{`)},
	{name: "payload of prose", rule: "DL-005", in: pendingDeltas, find: `("operation": "ADD",\n.*\n.*\n  "payload": )\{\n(    .*\n)+  \}`, with: "${1}‸\"Cells count divisions.\""},
	{name: "fields beside operation", rule: "DL-005", in: pendingDeltas, find: `("operation": "ADD",\n.*\n.*\n)  "payload": \{\n((?:    .*\n)+?    .*)\n  \},\n`, with: "$1$2,\n", at: above(`^\{`), rejects: true, fix: safeFix},
	{name: "KILL without a reason", rule: "DL-008", in: pendingDeltas, find: `("operation": "KILL",\n.*\n.*\n)  "payload": \{\n.*\n  \},\n(  "rationale": )(".*")`, with: "$1$2$3", at: above(`^\{`), fix: unsafeFix, fixed: "$1  \"payload\": {\n    \"reason\": $3\n  },\n$2$3"},
	{name: "KILL for no reason", rule: "DL-008", in: pendingDeltas, find: `("operation": "KILL",\n.*\n.*\n  "payload": \{\n    "reason": )".*"`, with: `$1‸""`},
	{name: "no rationale", rule: "DL-011", in: pendingDeltas, find: `,\n  "rationale": ".*"`, with: "", at: above(`^\{`)},
	{name: "empty rationale", rule: "DL-011", in: pendingDeltas, find: `("rationale": )".*"`, with: `$1‸""`},

	{name: "hypothesis without claim", rule: "DL-006", in: pendingDeltas, find: `^    "claim": .*,\n(    "mechanism")`, with: "$1", at: above(`^\{`), rejects: true},
	{name: "hypothesis without mechanism and anchors", rule: "DL-006", in: pendingDeltas, find: `^    "mechanism": .*,\n    "anchors": .*,\n`, with: "", at: above(`^\{`), rejects: true},
	{name: "test without procedure", rule: "DL-006", in: pendingDeltas, find: `^    "procedure": .*,\n`, with: "", at: above(`^\{`), rejects: true},
	{name: "test without outcomes", rule: "DL-006", in: pendingDeltas, find: `^    "expected_outcomes": \{\n.*\n.*\n    \},\n`, with: "", at: above(`^\{`), rejects: true},
	{name: "prediction without condition", rule: "DL-006", in: pendingDeltas, find: `^    "condition": .*,\n`, with: "", at: above(`^\{`)},
	{name: "assumption without load", rule: "DL-006", in: pendingDeltas, find: `^    "load": .*,\n`, with: "", at: above(`^\{`), rejects: true},
	{name: "anomaly without observation", rule: "DL-006", in: pendingDeltas, find: `^    "observation": .*,\n`, with: "", at: above(`^\{`), rejects: true},
	{name: "critique without evidence", rule: "DL-006", in: pendingDeltas, find: `^    "evidence": .*,\n`, with: "", at: above(`^\{`), rejects: true},
	{name: "claim of blanks", rule: "DL-006", in: pendingDeltas, find: `^(    "claim": )".*"(,\n    "mechanism")`, with: `$1‸"  "$2`},
	{name: "statement for claim", rule: "DL-006", in: pendingDeltas, find: `^    "claim"(: .*,\n    "mechanism")`, with: `    "statement"$1`, at: above(`^\{`), rejects: true, says: "claim", also: []follow{{rule: "DL-015", law: "2"}}, fix: safeFix},
	{name: "no potency check", rule: "DL-025", in: pendingDeltas, find: `^    "potency_check": .*,\n`, with: "", at: above(`^\{`)},

	{name: "score out of range", rule: "DL-007", in: pendingDeltas, find: `("likelihood_ratio": )\d`, with: "${1}‸5"},
	{name: "score in words", rule: "DL-007", in: pendingDeltas, find: `("cost": )\d`, with: `$1‸"low"`},
	{name: "score as a string", rule: "DL-007", in: pendingDeltas, find: `("speed": )(\d)`, with: `$1‸"$2"`, fix: safeFix},
	{name: "half a point", rule: "DL-007", in: pendingDeltas, find: `("ambiguity": )\d`, with: "${1}‸1.5"},
	{name: "score as one number", rule: "DL-007", in: pendingDeltas, find: `("score": )\{\n(?:      .*\n)+    \}`, with: "${1}‸8"},
	{name: "anchors as a string", rule: "DL-007", in: pendingDeltas, find: `("anchors": )\["inference"\]`, with: `$1‸"inference"`, fix: safeFix},
	{name: "conflicts as a string", rule: "DL-007", in: pendingDeltas, find: `("conflicts_with": )\["H2", "A1"\]`, with: `$1‸"H2, A1"`, fix: safeFix},
	{name: "status of its own", rule: "DL-007", in: pendingDeltas, find: `("status": )"unchecked"`, with: `$1‸"to do"`},
	{name: "outcomes as prose", rule: "DL-007", in: pendingDeltas, find: `("expected_outcomes": )\{\n(?:      .*\n)+    \}`, with: `$1‸"H2 falls, H3 stays"`, fix: unsafeFix, fixed: `${1}{"H2": "falls", "H3": "stays"}`},
	{name: "predictions as a list", rule: "DL-007", in: pendingDeltas, find: `("predictions": )\{\n(?:      .*\n)+    \}`, with: `$1‸["falls", "stays"]`},
	{name: "procedure in steps", rule: "DL-007", in: pendingDeltas, find: `("procedure": )(".*")`, with: `$1‸[$2]`, fix: safeFix},
	{name: "third alternative as a string", rule: "DL-007", in: pendingDeltas, find: `("anchors": \["inference"\])`, with: "$1,\n    \"third_alternative\": ‸\"yes\"", fix: safeFix, fixed: "$1,\n    \"third_alternative\": true"},

	{name: "field of no schema", rule: "DL-015", in: pendingDeltas, find: `^(    "evidence": .*,)\n`, with: "$1\n    ‸\"confidence\": 0.8,\n"},
	{name: "field in another case", rule: "DL-015", in: pendingDeltas, find: `"feasibility"(: "A day)`, with: `"Feasibility"$1`, fix: safeFix},
	{name: "id in the payload", rule: "DL-015", in: pendingDeltas, find: `^(    "condition": .*,)\n`, with: "$1\n    ‸\"id\": \"P9\",\n"},
	{name: "remark at the top", rule: "DL-015", in: pendingDeltas, find: `^(  "section": .*,)\n`, with: "$1\n  ‸\"comment\": \"see C1\",\n"},
	{name: "several misnamed fields", rule: "DL-006", in: pendingDeltas, find: `"statement"(: .*,\n)    "load"(: .*,\n)    "test"`, with: `"assumption"$1    "impact"$2    "check"`, at: above(`^\{`), rejects: true, also: []follow{{rule: "DL-015", law: "2", many: true}}, fix: safeFix},

	{name: "reference without relation", rule: "DL-016", in: pendingDeltas, find: `"item": "H2",\n        "relation": "refines"`, with: `"item": "H2"`, at: above(`^ *\{`)},
	{name: "relation of its own", rule: "DL-016", in: pendingDeltas, find: `("relation": )"refines"`, with: `$1‸"relates_to"`},
	{name: "relation misspelt", rule: "DL-016", in: pendingDeltas, find: `("relation": )"refines"`, with: `$1‸"refine"`, fix: safeFix},
	{name: "relation with a capital", rule: "DL-016", in: pendingDeltas, find: `("relation": )"refines"`, with: `$1‸"Refines"`, fix: safeFix},
	{name: "reference as a string", rule: "DL-016", in: pendingDeltas, find: `("references": \[\n *)\{\n(?: .*\n)*?      \}`, with: `$1‸"RS-20251101-before-all H2"`},

	{name: "anchor without a section sign", rule: "DL-017", in: pendingDeltas, find: `("anchors": \[)"inference"`, with: `$1‸"161"`},
	{name: "anchor of a word", rule: "DL-017", in: pendingDeltas, find: `("anchors": \[)"inference"`, with: `$1‸"section 161"`},
	{name: "anchor with n left in", rule: "DL-017", in: pendingDeltas, find: `("anchors": \[)"inference"`, with: `$1‸"§n"`},
	{name: "two section signs", rule: "DL-017", in: pendingDeltas, find: `("anchors": \[)"inference"`, with: `$1‸"§§161"`},
	{name: "two anchors in one string", rule: "DL-017", in: pendingDeltas, find: `("anchors": \[)"inference"`, with: `$1‸"§161; §42"`},
	{name: "anchor in brackets", rule: "DL-017", in: pendingDeltas, find: `("anchors": \[)"inference"`, with: `$1‸"(§58)"`},
	{name: "range that descends", rule: "DL-017", in: pendingDeltas, find: `("anchors": \[)"inference"`, with: `$1‸"§129-§127"`},
	{name: "anchor beyond the corpus", rule: "DL-017", in: pendingDeltas, find: `("anchors": \[)"inference"`, with: `$1‸"§999"`},
	{name: "section sign of Latin-1", rule: "DL-018", in: pendingDeltas, find: `("anchors": \[)"inference"`, with: `$1‸"Â§161"`, fix: safeFix, fixed: `$1"§161"`},
	{name: "section sign of the Macintosh", rule: "DL-018", in: pendingDeltas, find: `("anchors": \[)"inference"`, with: `$1‸"¬ß161"`, fix: safeFix, fixed: `$1"§161"`},
	{name: "third alternative by name alone", rule: "DL-026", in: pendingDeltas, find: `^    "name": "(.*",\n)(    "claim")`, with: `    "name": ‸"Third Alternative: $1$2`, fix: safeFix,
		fixed: "    \"name\": \"Third Alternative: $1    \"third_alternative\": true,\n$2"},

	{name: "agent of another name", rule: "DL-020", in: pendingDeltas, find: `^(  "operation": "ADD",)\n`, with: "$1\n  \"agent\": ‸\"StrangeBird\",\n"},
	{name: "nameless agent", rule: "DL-019", in: pendingDeltas, find: `^(  "operation": "ADD",)\n`, with: "$1\n  \"agent\": ‸\"\",\n", fix: safeFix},
	{name: "agent of blanks", rule: "DL-019", in: pendingDeltas, find: `^(  "operation": "ADD",)\n`, with: "$1\n  \"agent\": ‸\" \",\n", fix: safeFix},
	{name: "timestamp without an offset", rule: "DL-019", in: pendingDeltas, find: `^(  "operation": "ADD",)\n`, with: "$1\n  \"timestamp\": ‸\"2025-11-04T12:00:00\",\n", fix: unsafeFix},
	{name: "timestamp in words", rule: "DL-019", in: pendingDeltas, find: `^(  "operation": "ADD",)\n`, with: "$1\n  \"timestamp\": ‸\"yesterday\",\n", fix: unsafeFix},
	{name: "delta_id used twice", rule: "DL-019", in: pendingDeltas, find: `(?s)("operation": "ADD",\n)(.*?)("operation": "ADD",\n)`, with: "$1  \"delta_id\": \"d-1\",\n$2$3  \"delta_id\": ‸\"d-1\",\n"},
}
