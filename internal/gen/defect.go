package gen

import (
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
)

// defect breaks one thing in a session.
type defect struct {
	name string
	rule string // that finds it; others may find it too
	// artifact breaks the persisted file, mail the mails. Each is passed whether
	// it found what it breaks.
	artifact func(text string) (string, bool)
	mail     func(s *session) bool
}

// defects are the mistakes that the real corpus shows.
var defects = []defect{
	{name: "trailing comma", rule: "MB-005", mail: inMail("DELTA", "\"\n  },\n  \"rationale\"", "\",\n  },\n  \"rationale\"")},
	{name: "operation in other case", rule: "DL-001", mail: inMail("DELTA", `"operation": "ADD"`, `"operation": "Add"`)},
	{name: "short section id", rule: "DL-002", mail: inMail("DELTA", `"section": "predictions_table"`, `"section": "predictions"`)},
	{name: "statement for claim", rule: "DL-006", mail: inMail("DELTA", `"claim":`, `"statement":`)},
	{name: "json fence", rule: "DL-013", mail: inMail("DELTA", "```delta", "```json")},
	{name: "mojibake anchor", rule: "DL-018", mail: inMail("DELTA", `"anchors": ["§`, `"anchors": ["Â§`)},
	{name: "no context", rule: "MB-003", mail: inMail("KICKOFF", "## Context\n", "## Background\n")},
	{name: "status OK", rule: "MB-016", mail: inMail("ACK", "## Status\nUnderstood", "## Status\nOK")},
	{name: "artifact path elsewhere", rule: "AP-005", mail: inMail("COMPILED", "**Artifact Path**: `artifacts/", "**Artifact Path**: `output/")},
	{name: "other status", rule: "MR-013", mail: inMail("COMPILED", "**Status**: unchecked", "**Status**: falsified")},
	{name: "wrong count", rule: "MR-019", mail: inMail("COMPILED", "- Hypotheses: ", "- Hypotheses: 1")},
	{name: "no target", rule: "MB-006", mail: inMail("CRITIQUE", "## Target\n", "## About\n")},
	{name: "no ack asked for", rule: "MB-010", mail: func(s *session) bool { s.messages[0].ack = false; return true }},
	{name: "role as tag", rule: "SU-004", mail: func(s *session) bool {
		m := &s.messages[2]
		m.subject = strings.Replace(m.subject, "DELTA[opus]", "DELTA[generator]", 1)
		return strings.Contains(m.subject, "generator")
	}},
	{name: "no role", rule: "MB-001", mail: func(s *session) bool {
		m := &s.messages[3]
		m.subject = strings.Replace(m.subject, "DELTA[gpt]:", "DELTA:", 1)
		return strings.HasPrefix(m.subject, "DELTA:")
	}},

	{name: "other section title", rule: "ES-001", artifact: inText("## 6. Anomaly Register\n", "## 6. Oddities\n")},
	{name: "no third alternative", rule: "EH-003", artifact: func(text string) (string, bool) {
		out := strings.ReplaceAll(strings.ReplaceAll(text, " (Third Alternative)", ""), "**Third alternative**: true\n", "")
		return out, out != text
	}},
	{name: "anchor out of range", rule: "EP-P01", artifact: inText("**Anchors**: §", "**Anchors**: §999, §")},
	{name: "no potency check", rule: "WT-001", artifact: inText("**Potency check**: ", "**Control**: ")},
	{name: "item without id", rule: "ES-003", artifact: inText("### A1: ", "### Assumption 1: ")},
	{name: "no version", rule: "AP-014", artifact: inText("version: 1\n", "")},
	{name: "one critique", rule: "EC-001", artifact: func(text string) (string, bool) {
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

// flaw gives an item a finding, if it is one of those that get one: it cites a section
// that the transcript does not have, and its delta does not say why.
func (m *maker) flaw(section string, payload object, rationale string) (object, string) {
	const of = 1000
	if m.flawed == 0 || m.IntN(of) >= int(m.flawed*of) {
		return payload, rationale
	}
	main := brenner.SectionByID(section).MainField()
	return payload.with(object{{main, payload.str(main) + " (§999)"}}), ""
}
