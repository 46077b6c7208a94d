package gen

import "strings"

// defect breaks one thing in a session, in its artifact file or its mail.
type defect struct {
	name   string
	inFile bool
	// apply reports whether it found what it breaks.
	apply func(*Thread) bool
}

// defects are the mistakes that the real corpus shows.
var defects = []defect{
	inMail("trailing comma", "DELTA", "\"\n  },\n  \"rationale\"", "\",\n  },\n  \"rationale\""),
	inMail("operation in other case", "DELTA", `"operation": "ADD"`, `"operation": "Add"`),
	inMail("short section id", "DELTA", `"section": "predictions_table"`, `"section": "predictions"`),
	inMail("statement for claim", "DELTA", `"claim":`, `"statement":`),
	inMail("json fence", "DELTA", "```delta", "```json"),
	inMail("mojibake anchor", "DELTA", `"anchors": ["§`, `"anchors": ["Â§`),
	inMail("no context", "KICKOFF", "## Context\n", "## Background\n"),
	inMail("status OK", "ACK", "## Status\nUnderstood", "## Status\nOK"),
	inMail("artifact path elsewhere", "COMPILED", "**Artifact Path**: `artifacts/", "**Artifact Path**: `output/"),
	inMail("other status", "COMPILED", "**Status**: unchecked", "**Status**: falsified"),
	inMail("wrong count", "COMPILED", "- Hypotheses: ", "- Hypotheses: 1"),
	inMail("no target", "CRITIQUE", "## Target\n", "## About\n"),
	{"no ack asked for", false, func(s *Thread) bool { s.Messages[0].Ack = false; return true }},
	{"role as tag", false, func(s *Thread) bool { return replace(&s.Messages[2].Subject, "[opus]", "[generator]", 1) }},
	{"no role", false, func(s *Thread) bool { return replace(&s.Messages[3].Subject, "DELTA[gpt]:", "DELTA:", 1) }},

	inFile("other section title", "## 6. Anomaly Register\n", "## 6. Oddities\n"),
	{"no third alternative", true, func(s *Thread) bool {
		title := replace(&s.Artifact, " (Third Alternative)", "", -1)
		return replace(&s.Artifact, "**Third alternative**: true\n", "", -1) || title
	}},
	inFile("anchor out of range", "**Anchors**: §", "**Anchors**: §999, §"),
	inFile("no potency check", "**Potency check**: ", "**Control**: "),
	inFile("item without id", "### A1: ", "### Assumption 1: "),
	inFile("no version", "version: 1\n", ""),
	{"one critique", true, func(s *Thread) (found bool) {
		s.Artifact, _, found = strings.Cut(s.Artifact, "### C2: ")
		return found
	}},
}

// replace replaces a text in another, and reports whether it is there.
func replace(in *string, old, with string, times int) bool {
	found := strings.Contains(*in, old)
	*in = strings.Replace(*in, old, with, times)
	return found
}

// inFile replaces the first occurrence of a text.
func inFile(name, old, with string) defect {
	return defect{name, true, func(s *Thread) bool { return replace(&s.Artifact, old, with, 1) }}
}

// inMail replaces the first occurrence of a text in the body of the first mail
// of a type that has it.
func inMail(name, kind, old, with string) defect {
	return defect{name, false, func(s *Thread) bool {
		for i := range s.Messages {
			if m := &s.Messages[i]; strings.HasPrefix(m.Subject, kind) && replace(&m.Body, old, with, 1) {
				return true
			}
		}
		return false
	}}
}

// spoil gives the session one defect in its mail and one in its artifact file.
func (m *maker) spoil() {
	done := map[bool]bool{} // by inFile
	for _, i := range m.Perm(len(defects)) {
		if d := defects[i]; !done[d.inFile] {
			done[d.inFile] = d.apply(m.Thread)
		}
	}
}
