package slips

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/internal/gen"
)

// merges are slips in deltas that only the merge shows.
var merges = []slip{
	{name: "EDIT of an item that is not there", rule: "MR-001", in: pendingDeltas, find: `("target_id": )"T1"`, with: `$1‸"T9"`, alone: true},
	{name: "KILL of an item that is not there", rule: "MR-001", in: pendingDeltas, find: `("target_id": )"A2"`, with: `$1‸"A19"`, alone: true},
	{name: "EDIT of a killed item", rule: "MR-002", do: editKilled, alone: true},
	{name: "seventh hypothesis", rule: "MR-003", do: seventh, alone: true},
	{name: "last third alternative killed", rule: "MR-005", in: pendingDeltas, find: `("operation": )"EDIT"(,\n  "section": "hypothesis_slate",\n  "target_id": )"H2"(,\n  "payload": \{\n)    "claim": ".*"`, with: `$1"KILL"$2"H3"$3    "reason": "Both of the others hold."`, at: lastMessage, on: subject, alone: true},
	{name: "last scale check killed", rule: "MR-006", in: pendingDeltas, find: `("operation": "KILL",\n.*\n  "target_id": )"A2"`, with: `$1"A4"`, on: subject, alone: true},
	{name: "published below the minimum", rule: "MR-007", do: belowMinimum, alone: true},
	{name: "two answers at one instant", rule: "MR-008", do: tie(`{"operation": "EDIT", "section": "hypothesis_slate", "target_id": "H2", "payload": {"mechanism": "One."}, "rationale": "r"}`,
		`{"operation": "EDIT", "section": "hypothesis_slate", "target_id": "H2", "payload": {"mechanism": "Two."}, "rationale": "r"}`), alone: true},
	{name: "two items at one instant", rule: "MR-009", do: tie(anAssumption("One"), anAssumption("Two")), alone: true},
	{name: "EDIT beside KILL at one instant", rule: "MR-009", do: tie(`{"operation": "KILL", "section": "assumption_ledger", "target_id": "A3", "payload": {"reason": "It does not hold."}, "rationale": "r"}`,
		`{"operation": "EDIT", "section": "assumption_ledger", "target_id": "A3", "payload": {"load": "All of it."}, "rationale": "r"}`), alone: true},
	{name: "killed item proposed again", rule: "XR-004", do: proposedAgain, alone: true},
	{name: "reference to a session that is not there", rule: "XR-001", in: laterDeltas, find: `("session": )"RS-(\d+)-`, with: `$1‸"RS-$2-x`, alone: true},
	{name: "reference to an item that is not there", rule: "XR-002", in: laterDeltas, find: `("item": )"H2"`, with: `$1‸"H9"`, alone: true},
	{name: "reference to a name", rule: "XR-002", in: laterDeltas, find: `("item": )"H2"`, with: `$1‸"Local reading"`, alone: true},
	{name: "references in a circle", rule: "XR-003", do: circle, stage: pair, alone: true},
	{name: "timestamp with another offset", rule: "MR-010", do: offsets, alone: true},
	{name: "unknown agent", rule: "MR-004", do: stranger, alone: true, also: []follow{{rule: "MR-004", law: "2", many: true}}},
}

// lastMessage returns the place for what is not in the text at all.
func lastMessage(string, int) int { return 0 }

func anAssumption(name string) string {
	return fmt.Sprintf(`{"operation": "ADD", "section": "assumption_ledger", "target_id": null, "payload": {"name": %q, "statement": "It is %[1]s.", "load": "All.", "test": "Look.", "status": "unchecked"}, "rationale": "r"}`, name)
}

// extra adds a DELTA with one block at the end of the thread, and points at its
// first line.
func (s *scene) extra(from int, after time.Duration, block string) {
	t := s.thread
	last := t.Messages[len(t.Messages)-1]
	all := s.messagesOf("DELTA")
	by := t.Messages[all[len(all)-1-from]]
	t.Messages = append(t.Messages, gen.Mail{
		ID: last.ID + 1, From: by.From, To: by.To, Thread: t.ID, Created: last.Created.Add(after),
		Subject: "DELTA[opus]: One more", Body: fmt.Sprintf("# Delta Contribution\n\n**Base Version**: v%d\n\n## Deltas\n\n```delta\n%s\n```\n", len(s.messagesOf("COMPILED")), block),
	})
	s.at = place{body, len(t.Messages) - 1, 0}
	s.at.offset = strings.Index(*s.text(s.at), "{\"op")
}

// editKilled edits what the pending round killed.
func editKilled(s *scene) bool {
	s.extra(0, time.Minute, `{"operation": "EDIT", "section": "assumption_ledger", "target_id": "A2", "payload": {"load": "All of it."}, "rationale": "r"}`)
	return true
}

// seventh adds hypotheses to those of the pending round, one more than the maximum.
func seventh(s *scene) bool {
	active := len(blocksOf(s, "H")) + 1
	for ; active < 7; active++ {
		s.extra(0, time.Minute, fmt.Sprintf(`{"operation": "ADD", "section": "hypothesis_slate", "target_id": null, "payload": {"name": "Number %d", "claim": "It is number %[1]d.", "mechanism": "By counting to %[1]d.", "anchors": ["§%[1]d"]}, "rationale": "r"}`, active))
	}
	return true
}

// blocksOf returns the active items of the last version.
func blocksOf(s *scene, prefix string) []block {
	var out []block
	for _, b := range blocks(s.thread.Messages[s.last()].Body, prefix) {
		if !b.killed {
			out = append(out, b)
		}
	}
	return out
}

// belowMinimum publishes the first version without the first critique, which was
// never sent, and only links to the artifact.
func belowMinimum(s *scene) bool {
	if len(s.messagesOf("COMPILED")) > 1 {
		return false
	}
	c := &s.thread.Messages[s.last()]
	for i := range s.thread.Messages {
		m := &s.thread.Messages[i]
		loc := regexp.MustCompile("(?s)```delta\n\\{\n  \"operation\": \"ADD\",\n  \"section\": \"adversarial_critique\".*?```\n").FindStringIndex(m.Body)
		if loc == nil || i > s.last() {
			continue
		}
		m.Body = m.Body[:loc[0]] + m.Body[loc[1]:]
		row := regexp.MustCompile(`\| ` + m.From + ` \| (\d+) \|`)
		n := row.FindStringSubmatch(c.Body)[1]
		c.Body = strings.Replace(c.Body, fmt.Sprintf("| %s | %s |", m.From, n), fmt.Sprintf("| %s | %c |", m.From, n[0]-1), 1)
		break
	}
	c.Body = strings.Replace(c.Body, "- Critiques: 2", "- Critiques: 1", 1)
	head, _, _ := strings.Cut(c.Body, "## Full Artifact")
	c.Body = head + "## Full Artifact\n\n[The artifact](artifacts/" + s.thread.ID + ".md)\n"
	s.at = place{part: subject, message: s.last()}
	return true
}

// tie sends two deltas at one instant.
func tie(one, two string) func(*scene) bool {
	return func(s *scene) bool {
		s.extra(0, time.Minute, one)
		s.extra(1, 0, two)
		return true
	}
}

// offsets writes a pending DELTA in another zone, so that it sorts after the next as
// text.
func offsets(s *scene) bool {
	all := s.messagesOf("DELTA")
	m := &s.thread.Messages[all[len(all)-2]]
	m.Created = m.Created.In(time.FixedZone("", 5*3600))
	s.at = place{part: subject, message: len(s.thread.Messages) - 1}
	return true
}

// stranger sends a DELTA from an agent that the configuration does not know.
func stranger(s *scene) bool {
	s.config = "agents:\n  roster: [" + strings.Join(s.thread.Agents, ", ") + "]\n"
	all := s.messagesOf("DELTA")
	i := all[len(all)-1]
	s.thread.Messages[i].From = "StrangeBird"
	s.at = place{part: sender, message: i}
	return true
}

// proposedAgain adds the hypothesis that a version shows as killed.
func proposedAgain(s *scene) bool {
	text := s.thread.Messages[s.last()].Body
	for _, b := range blocks(text, "H") {
		if m := regexp.MustCompile(`### ~~H\d+: (.*)~~ \[KILLED\]\n\*\*Claim\*\*: ~~(.*)~~`).FindStringSubmatch(text[b.start:b.end]); m != nil {
			s.extra(0, time.Minute, fmt.Sprintf("{\"operation\": \"ADD\", \"section\": \"hypothesis_slate\", \"target_id\": null,\n\"payload\": {\"name\": %s, \"claim\": %s, \"mechanism\": \"As it was.\", \"anchors\": [\"§1\"]}, \"rationale\": \"r\"}", quote(m[1]), quote(m[2])))
			s.at.offset = strings.Index(*s.text(s.at), "\"payload\"")
			return true
		}
	}
	return false
}

// circle makes the first session refer to the hypothesis that refers to it.
func circle(s *scene) bool {
	var added string
	for _, b := range blocks(s.thread.Messages[s.last()].Body, "H") {
		added = b.id
	}
	for i := range s.prior.Messages {
		m := &s.prior.Messages[i]
		m.Body = strings.Replace(m.Body, "\"section\": \"hypothesis_slate\",\n  \"target_id\": \"H2\",\n  \"payload\": {", "\"section\": \"hypothesis_slate\",\n  \"target_id\": \"H2\",\n  \"payload\": {\n    \"references\": [{\"session\": \""+s.thread.ID+"\", \"item\": \""+added+"\", \"relation\": \"extends\"}],", 1)
	}
	for i, m := range s.thread.Messages {
		if at := strings.Index(m.Body, "{\n        \"session\": "); at >= 0 {
			s.at = place{body, i, at}
		}
	}
	return strings.Contains(threadJSON(s.prior), s.thread.ID)
}
