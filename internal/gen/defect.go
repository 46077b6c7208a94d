package gen

import (
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
)

// defect breaks one thing in a session.
type defect struct {
	name string
	// artifact breaks the persisted file, mail the mails. Each is passed whether
	// it found what it breaks.
	artifact func(text string) (string, bool)
	mail     func(s *Thread) bool
}

// defects are the mistakes that the real corpus shows.
var defects = []defect{
	{name: "trailing comma", mail: inMail("DELTA", "\"\n  },\n  \"rationale\"", "\",\n  },\n  \"rationale\"")},
	{name: "operation in other case", mail: inMail("DELTA", `"operation": "ADD"`, `"operation": "Add"`)},
	{name: "short section id", mail: inMail("DELTA", `"section": "predictions_table"`, `"section": "predictions"`)},
	{name: "statement for claim", mail: inMail("DELTA", `"claim":`, `"statement":`)},
	{name: "json fence", mail: inMail("DELTA", "```delta", "```json")},
	{name: "mojibake anchor", mail: inMail("DELTA", `"anchors": ["§`, `"anchors": ["Â§`)},
	{name: "no context", mail: inMail("KICKOFF", "## Context\n", "## Background\n")},
	{name: "status OK", mail: inMail("ACK", "## Status\nUnderstood", "## Status\nOK")},
	{name: "artifact path elsewhere", mail: inMail("COMPILED", "**Artifact Path**: `artifacts/", "**Artifact Path**: `output/")},
	{name: "other status", mail: inMail("COMPILED", "**Status**: unchecked", "**Status**: falsified")},
	{name: "wrong count", mail: inMail("COMPILED", "- Hypotheses: ", "- Hypotheses: 1")},
	{name: "no target", mail: inMail("CRITIQUE", "## Target\n", "## About\n")},
	{name: "no ack asked for", mail: func(s *Thread) bool { s.Messages[0].Ack = false; return true }},
	{name: "role as tag", mail: func(s *Thread) bool {
		m := &s.Messages[2]
		m.Subject = strings.Replace(m.Subject, "DELTA[opus]", "DELTA[generator]", 1)
		return strings.Contains(m.Subject, "generator")
	}},
	{name: "no role", mail: func(s *Thread) bool {
		m := &s.Messages[3]
		m.Subject = strings.Replace(m.Subject, "DELTA[gpt]:", "DELTA:", 1)
		return strings.HasPrefix(m.Subject, "DELTA:")
	}},

	{name: "other section title", artifact: inText("## 6. Anomaly Register\n", "## 6. Oddities\n")},
	{name: "no third alternative", artifact: func(text string) (string, bool) {
		out := strings.ReplaceAll(strings.ReplaceAll(text, " (Third Alternative)", ""), "**Third alternative**: true\n", "")
		return out, out != text
	}},
	{name: "anchor out of range", artifact: inText("**Anchors**: §", "**Anchors**: §999, §")},
	{name: "no potency check", artifact: inText("**Potency check**: ", "**Control**: ")},
	{name: "item without id", artifact: inText("### A1: ", "### Assumption 1: ")},
	{name: "no version", artifact: inText("version: 1\n", "")},
	{name: "one critique", artifact: func(text string) (string, bool) {
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
func inMail(kind, old, with string) func(*Thread) bool {
	return func(s *Thread) bool {
		for i := range s.Messages {
			m := &s.Messages[i]
			if !strings.HasPrefix(m.Subject, kind) {
				continue
			}
			if out := strings.Replace(m.Body, old, with, 1); out != m.Body {
				m.Body = out
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
			m.s.Artifact, file = d.artifact(m.s.Artifact)
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
