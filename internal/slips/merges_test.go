package slips

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/internal/gen"
)

// publisher are slips in the artifact that a version publishes: it is not what the deltas
// produce.
var publisher = []slip{
	{name: "claim rewritten by the publisher", rule: "MR-013", in: inline, find: `^(\*\*Claim\*\*: )([^~\n]*)`, with: "${1}‸Something else", alone: true},
	{name: "status changed by the publisher", rule: "MR-013", in: inline, find: `^(\*\*Status\*\*: )unchecked`, with: "${1}‸falsified", alone: true},
	{name: "mechanism lost by the publisher", rule: "MR-013", in: inline, find: `^\*\*Mechanism\*\*: [^~].*\n`, with: "", at: above(heading), alone: true},
	{name: "label of an inference lost by the publisher", rule: "MR-013", in: inline, find: `^(\*\*Mechanism\*\*: )[^~\n]* \[inference\] from §103$`, with: "${1}‸As it was.", alone: true},
	{name: "citation lost by the publisher", rule: "MR-013", in: inline, find: `^(\*\*Potency check\*\*: )[^~\n]*\(§50\)`, with: "${1}‸As it was.", alone: true},
	{name: "claim lost by the publisher", rule: "MR-013", in: inline, find: `^\*\*Claim\*\*: [^~].*\n`, with: "", at: above(heading), alone: true},
	{name: "anchor lost by the publisher", rule: "MR-013", in: inline, find: `^(\*\*Anchors\*\*: )[^~\n]+?, `, with: "${1}", alone: true},
	{name: "item renamed by the publisher", rule: "MR-013", in: inline, find: `^(### A1: ).*`, with: "${1}‸Another name", alone: true},
	{name: "outcome changed by the publisher", rule: "MR-013", in: inline, find: `^(\| P1 \| [^|]* \| [^|]* \| )([^|]*) \|`, with: "${1}‸turned round |", alone: true},
	{name: "outcome lost by the publisher", rule: "MR-013", in: inline, find: `^(\| P1 \|.*) \| [^|N—][^|]* \|$`, with: "$1 |", alone: true},
	{name: "potency check lost by the publisher", rule: "MR-013", in: inline, find: `^\*\*Potency check\*\*: [^~].*\n`, with: "", at: above(heading), alone: true},
	{name: "score lost by the publisher", rule: "MR-013", in: inline, find: `^\*\*Evidence-per-week score\*\*: [^~].*\n(\n)`, with: "$1", at: above(heading), alone: true},
	{name: "item dropped by the publisher", rule: "MR-011", in: inline, find: `(?s)^### A2: .*?(^### A3)`, with: "$1", at: above(`^## `), alone: true},
	{name: "item dropped from one version", rule: "MR-011", in: inlineBefore, find: `(?s)^### A2: .*?(^### A3)`, with: "$1", at: above(`^## `), alone: true},
	{name: "row dropped by the publisher", rule: "MR-011", in: inline, find: `^\| P4 \|.*\n`, with: "", at: above(`^## `), alone: true},
	{name: "killed item dropped by the publisher", rule: "MR-011", in: inline, find: `(?s)^### ~~\w+: .*?(^##)`, with: "$1", at: above(`^## `), alone: true},
	{name: "item made up by the publisher", rule: "MR-012", in: inline, find: `^(## 6\.)`, with: "‸### A8: Made up\n**Statement**: s\n**Load**: l\n**Test**: t\n**Status**: unchecked\n\n$1", alone: true},
	{name: "killed item published as active", rule: "MR-014", do: revived, stage: research, alone: true},
	{name: "item killed by the publisher", rule: "MR-014", in: inline, find: `^### (A1: .*)\n`, with: "### ~~$1~~ [KILLED]\n**Killed by**: Operator (2025-11-03T20:00:00Z)\n**Reason**: It was old\n", alone: true},
	{name: "killer exchanged by the publisher", rule: "MR-014", in: inline, find: `^(\*\*Killed by\*\*: )\w+`, with: "${1}‸StrangeBird", alone: true},
	{name: "reason rewritten by the publisher", rule: "MR-014", in: inline, find: `^(\*\*Reason\*\*: ).*`, with: "${1}‸Nobody liked it", alone: true},
	{name: "outcome of a killed hypothesis kept", rule: "MR-016", in: inline, find: `^(\| P\d \|.*?)\| N/A \|`, with: "$1| ‸as it was |", alone: true},
	{name: "items renumbered by the publisher", rule: "MR-015", do: swapIDs, stage: research, alone: true, also: []follow{{rule: "MR-015", law: "2"}}},
	{name: "tests not ranked by the publisher", rule: "MR-017", do: unranked, stage: research, alone: true},
}

// last returns the message that publishes the last version.
func (s *scene) last() int {
	all := s.messagesOf("COMPILED")
	return all[len(all)-1]
}

// republish gives the last version another number, wherever it is named. The previous
// number must be given too.
func republish(rounds int, version, before string) func(*scene) bool {
	return func(s *scene) bool {
		if len(s.messagesOf("COMPILED")) != rounds {
			return false
		}
		old := "v" + []string{"0", "1", "2"}[rounds]
		s.at = place{part: subject, message: s.last()}
		for i := s.last(); i < len(s.thread.Messages); i++ {
			m := &s.thread.Messages[i]
			m.Subject = strings.ReplaceAll(m.Subject, old, version)
			m.Body = strings.ReplaceAll(m.Body, old, version)
			m.Body = strings.Replace(m.Body, "\nversion: "+old[1:]+"\n", "\nversion: "+version[1:]+"\n", 1)
			m.Body = regexp.MustCompile(`(?m)^- \*\*Previous Version\*\*: .*\n`).ReplaceAllString(m.Body, before)
		}
		return true
	}
}

// noDeltas publishes the first version again, as the second.
func noDeltas(s *scene) bool {
	all := s.messagesOf("COMPILED")
	if len(all) != 1 {
		return false
	}
	m := s.thread.Messages[all[0]]
	m.ID, m.Created = 9000, m.Created.Add(time.Millisecond)
	m.Subject = strings.Replace(m.Subject, "v1", "v2", 1)
	m.Body = strings.NewReplacer("Artifact v1", "Artifact v2", "- **Version**: v1\n", "- **Version**: v2\n- **Previous Version**: v1\n", "\nversion: 1\n", "\nversion: 2\n").Replace(m.Body)
	m.Body = regexp.MustCompile(`(?m)^(\| \w+ \| )\d+`).ReplaceAllString(m.Body, "${1}0")
	s.thread.Messages = slices.Insert(slices.Clone(s.thread.Messages), all[0]+1, m)
	s.at = place{part: subject, message: all[0] + 1}
	return true
}

// noKickoff begins the thread with its first DELTA.
func noKickoff(s *scene) bool {
	s.thread.Messages = append([]gen.Mail(nil), s.thread.Messages[2:]...)
	s.at = place{part: subject}
	return true
}

// swapIDs publishes two assumptions under each other's ids.
func swapIDs(s *scene) bool {
	s.at = place{part: body, message: s.last()}
	text := s.text(s.at)
	all := blocks(*text, "A")
	a, b := all[1], all[2]
	s.at.offset = a.start
	renumber := func(b block, id string) string {
		return strings.Replace((*text)[b.start:b.end], b.id+":", id+":", 1)
	}
	*text = (*text)[:a.start] + renumber(b, a.id) + renumber(a, b.id) + (*text)[b.end:]
	return true
}

// revived publishes a killed hypothesis as active.
func revived(s *scene) bool {
	s.at = place{part: body, message: s.last()}
	text := s.text(s.at)
	for _, b := range blocks(*text, "H") {
		if b.killed {
			now := strings.NewReplacer("~~", "", " [KILLED]", "").Replace((*text)[b.start:b.end])
			now = regexp.MustCompile(`(?m)^\*\*(Killed by|Reason)\*\*: .*\n`).ReplaceAllString(now, "")
			*text = (*text)[:b.start] + now + (*text)[b.end:]
			s.at.offset = b.start
			return true
		}
	}
	return false
}

// unranked publishes two tests in the wrong order.
func unranked(s *scene) bool {
	s.at = place{part: body, message: s.last()}
	text := s.text(s.at)
	swapped, offset, ok := swapTests(*text, s)
	*text, s.at.offset = swapped, offset
	return ok
}
