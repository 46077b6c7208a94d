package slips

import "strings"

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
