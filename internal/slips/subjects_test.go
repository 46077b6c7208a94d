package slips

import "strings"

// kinds are the types with a plain prefix.
const kinds = `(KICKOFF|COMPILED|CRITIQUE|ACK|CLAIM|HANDOFF|BLOCKED|QUESTION|INFO)`

var subjects = []slip{
	{name: "prefix in lower case", rule: "MB-001", in: subjectOf("KICKOFF"), find: `^KICKOFF:`, with: "kickoff:", fix: safeFix},
	{name: "prefix with one capital", rule: "MB-001", in: subjectOf("QUESTION"), find: `^QUESTION:`, with: "Question:", fix: safeFix},
	{name: "prefix without its colon", rule: "MB-001", in: subjectOf("CRITIQUE"), find: `^CRITIQUE:`, with: "CRITIQUE", fix: safeFix},
	{name: "space before the colon", rule: "MB-001", in: subjectOf("HANDOFF"), find: `^HANDOFF:`, with: "HANDOFF :", fix: safeFix},
	{name: "DELTA without a role", rule: "MB-001", in: subjectOf("DELTA"), find: `^DELTA\[\w+\]:`, with: "DELTA:"},
	{name: "role in round brackets", rule: "MB-001", in: subjectOf("DELTA"), find: `^DELTA\[(\w+)\]:`, with: "DELTA($1):", fix: safeFix},
	{name: "role with a capital", rule: "MB-001", in: subjectOf("DELTA"), find: `^DELTA\[opus\]:`, with: "DELTA[Opus]:", fix: safeFix},
	{name: "program in place of the role", rule: "MB-001", in: subjectOf("DELTA"), find: `^DELTA\[gpt\]:`, with: "DELTA[codex_cli]:", fix: unsafeFix},
	{name: "space in front of the subject", rule: "MB-001", in: subjectOf("INFO"), find: `^INFO:`, with: " INFO:", fix: safeFix},
	{name: "prefix of another protocol", rule: "MB-001", in: subjectOf("INFO"), find: `^INFO:`, with: "FYI:"},

	{name: "nothing after the prefix", rule: "SU-001", in: subjectOf("QUESTION"), find: `^QUESTION:.*`, with: "QUESTION: "},
	{name: "subject of 140 characters", rule: "SU-002", in: subjectOf("INFO"), find: `^INFO:.*`, with: "INFO: " + strings.Repeat("long ", 27),
		also: []follow{{rule: "SU-003", law: "2"}}},
	{name: "description of 90 characters", rule: "SU-003", in: subjectOf("INFO"), find: `^INFO:.*`, with: "INFO: " + strings.Repeat("long ", 18)},
	{name: "unknown role", rule: "SU-004", in: subjectOf("DELTA"), find: `^DELTA\[opus\]`, with: "DELTA[opsu]", fix: unsafeFix},
}
