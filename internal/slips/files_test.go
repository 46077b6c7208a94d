package slips

import (
	"fmt"
	"strings"
)

// files are slips in an artifact file that its thread shows.
var files = []slip{
	{name: "claim changed in the file", rule: "MR-020", in: fileOfThread, find: `^(\*\*Claim\*\*: )([^~\n]*)`, with: "${1}‸Something else"},
	{name: "assumption dropped from the file", rule: "MR-020", in: fileOfThread, find: `(?s)^### A2: .*?(^### A3)`, with: "$1", at: above(`^## `), also: []follow{{rule: "WS-001", law: "1"}}},
	{name: "outcome changed in the file", rule: "MR-020", in: fileOfThread, find: `^(\| P1 \| [^|]* \| )([^|]*) \|`, with: "${1}‸turned round |"},
	{name: "version that was never published", rule: "AP-010", in: fileOfThread, find: `^(version: )\d`, with: "${1}‸7"},
	{name: "file of another message", rule: "AP-020", in: fileOfThread, find: `^(agent_mail_message_id: )\d+`, with: "${1}‸99"},
	{name: "file of the version before", rule: "MR-021", do: staleFile, stage: published},
}

// staleFile leaves the artifact file at the version before the last.
func staleFile(s *scene) bool {
	all := s.messagesOf("COMPILED")
	if len(all) < 2 {
		return false
	}
	m := s.thread.Messages[all[0]]
	text := m.Body[strings.Index(m.Body, "---\nsession_id"):]
	s.thread.Artifact = strings.Replace(text, "status: \"active\"\n", fmt.Sprintf("status: \"active\"\ncompiled_at: %q\ncompiled_by: \"Operator\"\nagent_mail_message_id: %d\n", stamp(m.Created), m.ID), 1)
	s.at = place{part: artifact, offset: strings.Index(s.thread.Artifact, "version: ")}
	return true
}
