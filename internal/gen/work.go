package gen

import "fmt"

// work posts one message of each type that engineering work has.
func (m *maker) work() {
	m.operator, m.agents = m.s.project.operator.name, m.s.project.team(m)
	a, b := m.agents[0], m.agents[1]
	item := "the parser of " + m.slug
	m.post(Mail{From: a.name, To: []string{m.operator}, Subject: "CLAIM: Taking " + item,
		Body: fmt.Sprintf("# Work Claim\n\n## Item\n%s: %s\n\n## Agent\n%s\n\n## Approach\nTests first.\n", m.s.ID, item, a.name)})
	question := m.post(Mail{From: a.name, To: []string{m.operator}, Ack: true, Subject: "QUESTION: Which rubric scores meta-analyses?",
		Body: fmt.Sprintf("# Question\n\n## Context\n%s\n\n## Question\nDoes the rubric of single tests hold for meta-analyses too?\n\n## Options\nIt does, or it is scaled.\n\n## Impact\nThe order of T1 and T2.\n\n## Urgency\n%s\n",
			m.say("The {readout} comes from four papers."), []string{"Blocking", "Soon", "Whenever"}[m.IntN(3)])})
	m.acknowledge(question, "Understood", "It holds.")
	blocked := m.post(Mail{From: a.name, To: []string{m.operator, b.name}, Ack: true, Subject: "BLOCKED: " + m.s.ID,
		Body: fmt.Sprintf("# Work Blocked\n\n## Item\n%s\n\n## Blocker\nThe schema of scores is not decided.\n\n## Type\n%s\n\n## Attempted\nRead all five pages.\n\n## Needed\nA decision.\n",
			m.s.ID, []string{"Dependency", "Question", "Resource", "External"}[m.IntN(4)])})
	for i, who := range []string{m.operator, b.name} {
		m.acknowledgeBy(blocked, who, []string{"Received", "Will Action"}[i], "Seen.")
	}
	m.post(Mail{From: m.operator, To: []string{a.name, b.name}, Subject: "INFO: Scores are integers",
		Body: "# Information\n\nEach part of a score is an integer from 0 to 3.\n"})
	handoff := m.post(Mail{From: a.name, To: []string{b.name}, Cc: []string{m.operator}, Ack: true, Subject: fmt.Sprintf("HANDOFF: %s to %s", m.s.ID, b.name),
		Body: fmt.Sprintf("# Work Handoff\n\n## Item\n%s\n\n## From\n%s\n\n## To\n%s\n\n## Reason\nMy session ends.\n\n## State\nThe reader is done, the printer is not.\n\n## Files Modified\n- reader.go\n\n## Next Steps\nWrite the printer.\n", m.s.ID, a.name, b.name)})
	m.acknowledgeBy(handoff, b.name, "Completed", "Taken over.")
	m.acknowledgeBy(handoff, m.operator, "Received", "Noted.")
}
