package gen

import "strings"

// defect breaks one thing in a session.
type defect struct {
	rule string // what a checker ought to say; the replay may say more
	// artifact breaks the persisted file, mail the mails. Each is told whether
	// it found what it breaks.
	artifact func(text string) (string, bool)
	mail     func(s *session) bool
}

// defects are the mistakes that the real corpus shows.
var defects = []defect{
	{rule: "MB-005", mail: inMail("DELTA", "\"\n  },\n  \"rationale\"", "\",\n  },\n  \"rationale\"")},
	{rule: "DL-001", mail: inMail("DELTA", `"operation": "ADD"`, `"operation": "Add"`)},
	{rule: "DL-002", mail: inMail("DELTA", `"section": "predictions_table"`, `"section": "predictions"`)},
	{rule: "DL-006", mail: inMail("DELTA", `"claim":`, `"statement":`)},
	{rule: "DL-013", mail: inMail("DELTA", "```delta", "```json")},
	{rule: "DL-018", mail: inMail("DELTA", `"anchors": ["§`, `"anchors": ["Â§`)},
	{rule: "MB-003", mail: inMail("KICKOFF", "## Context\n", "## Background\n")},
	{rule: "MB-016", mail: inMail("ACK", "## Status\nUnderstood", "## Status\nOK")},
	{rule: "AP-005", mail: inMail("COMPILED", "**Artifact Path**: `artifacts/", "**Artifact Path**: `output/")},
	{rule: "MR-013", mail: inMail("COMPILED", "**Status**: unchecked", "**Status**: falsified")},
	{rule: "MR-019", mail: inMail("COMPILED", "- Hypotheses: ", "- Hypotheses: 1")},
	{rule: "MB-006", mail: inMail("CRITIQUE", "## Target\n", "## About\n")},
	{rule: "MB-010", mail: func(s *session) bool { s.messages[0].ack = false; return true }},
	{rule: "SU-004", mail: func(s *session) bool {
		m := &s.messages[2]
		m.subject = strings.Replace(m.subject, "DELTA[opus]", "DELTA[generator]", 1)
		return strings.Contains(m.subject, "generator")
	}},
	{rule: "MB-001", mail: func(s *session) bool {
		m := &s.messages[3]
		m.subject = strings.Replace(m.subject, "DELTA[gpt]:", "DELTA:", 1)
		return strings.HasPrefix(m.subject, "DELTA:")
	}},

	{rule: "ES-001", artifact: inText("## 6. Anomaly Register\n", "## 6. Oddities\n")},
	{rule: "EH-003", artifact: func(text string) (string, bool) {
		out := strings.ReplaceAll(strings.ReplaceAll(text, " (Third Alternative)", ""), "**Third alternative**: true\n", "")
		return out, out != text
	}},
	{rule: "EP-P01", artifact: inText("**Anchors**: §", "**Anchors**: §999, §")},
	{rule: "WT-001", artifact: inText("**Potency check**: ", "**Control**: ")},
	{rule: "ES-003", artifact: inText("### A1: ", "### Assumption 1: ")},
	{rule: "AP-014", artifact: inText("version: 1\n", "")},
	{rule: "EC-001", artifact: func(text string) (string, bool) {
		i := strings.Index(text, "### C2: ")
		return text[:max(i, 0)], i > 0
	}},
}

// inText replaces the first occurrence of a text.
func inText(old, with string) func(string) (string, bool) {
	return func(text string) (string, bool) {
		out := strings.Replace(text, old, with, 1)
		return out, out != text
	}
}

// inMail replaces the first occurrence of a text in the body of the first mail
// of a type that has it.
func inMail(kind, old, with string) func(*session) bool {
	return func(s *session) bool {
		for i := range s.messages {
			m := &s.messages[i]
			if !strings.HasPrefix(m.subject, kind) {
				continue
			}
			if out := strings.Replace(m.body, old, with, 1); out != m.body {
				m.body = out
				return true
			}
		}
		return false
	}
}

// spoil gives the session one defect in its mail and one in its artifact file.
func (m *maker) spoil() {
	mail, file := false, false
	for _, i := range m.Perm(len(defects)) {
		switch d := defects[i]; {
		case d.mail != nil && !mail:
			mail = d.mail(m.s)
		case d.artifact != nil && !file:
			m.s.artifact, file = d.artifact(m.s.artifact)
		}
	}
}
