package gen

import (
	"fmt"
	"strings"
)

// secondRound posts a KICKOFF that names v1, the deltas of the round, and v2.
func (m *maker) secondRound(prior string) {
	kickoff := m.post(Mail{From: m.operator, To: names(m.agents[1:2]), importance: "high", Ack: true,
		Subject: fmt.Sprintf("KICKOFF: Round 2 (%s)", m.s.ID), Body: m.secondKickoff()})
	m.acknowledge(kickoff, "Received", "H2 first.")
	m.planSecond(prior)
	n := len(m.ops)
	for i, ops := range [][]op{m.ops[:n/3], m.ops[n/3 : 2*n/3], m.ops[2*n/3:]} {
		m.postDelta(m.agents[(i+1)%len(m.agents)], ops)
	}
	m.publish("Second round on " + m.slug)
	m.post(Mail{From: m.operator, To: names(m.agents), Subject: fmt.Sprintf("INFO: Artifact v%d persisted to repository", m.version),
		Body: fmt.Sprintf("# Artifact Persisted\n\n- **Path**: artifacts/%s.md\n- **Git Commit**: abc1234\n- **Status**: Committed and pushed\n", m.s.ID)})
	m.challenge("H3")
}

// pendingRound posts deltas that no version holds yet. None names what another
// of them adds, so that each can be broken alone.
func (m *maker) pendingRound(prior string) {
	m.planPending(prior)
	n := len(m.ops)
	m.postDelta(m.agents[0], m.ops[:n/2])
	m.postDelta(m.agents[1], m.ops[n/2:])
}

func (m *maker) secondKickoff() string {
	return fmt.Sprintf("# Round 2 Kickoff\n\n## Current State\n- **Base Artifact**: v%d\n- **Open Critiques**: C1, C2\n- **Focus Area**: What H2 leaves out\n\n## Research Question\n%s\n\n## Requested Outputs\n- Answers to C1 and C2\n- A test that is not yet in the artifact\n",
		m.version, m.question)
}

func (m *maker) kill(section, target, reason, rationale string) {
	m.ops = append(m.ops, op{operation: "KILL", section: section, target: target, payload: object{{"reason", m.say(reason)}}, rationale: rationale})
}

// planSecond lists the deltas of the second round in order.
func (m *maker) planSecond(prior string) {
	m.edit("research_thread", "RT", object{{"context", m.context + " The first round left it open."}}, "States what the first round changed.")
	added := m.planRefined(prior)
	m.edit("hypothesis_slate", "H1", object{{"mechanism", m.say("As before, but the record is read once, at the first division after the {signal}.")}}, "Answers C1.")
	m.edit("hypothesis_slate", "H2", object{{"anchors", append(m.anchors(), "§235")}, {"anchors_replace", true}}, "Keeps the passages that were checked.")
	m.planOutcomes(added)
	score := m.state.find("discriminative_tests", "T1").fields.get("score").(object)
	m.edit("discriminative_tests", "T1", object{{"score", score.with(object{{"cost", (score[1].value.(int) + 1 + m.IntN(3)) % 4}})}},
		"The pilot makes it cheaper to read.")
	m.edit("assumption_ledger", "A1", object{{"status", "verified"}}, "Checked on the same day by an independent method.")
	m.addNamed("assumption_ledger", object{{"name", "The clamp holds"}, {"statement", m.say("The {signal} stays where it is held.")}, {"load", "If it is wrong, T2 compares nothing."},
		{"test", "Record the clamp error."}, {"status", "unchecked"}})
	if m.count["anomaly_register"] > 0 {
		m.edit("anomaly_register", "X1", object{{"status", "resolved"}, {"resolution_plan", "Done: the block had failed in these cases."}}, "Closes the anomaly.")
	}
	m.addNamed("anomaly_register", object{{"name", "A late responder"}, {"observation", m.say("One {unit} in eighty responds a day later.")},
		{"conflicts_with", []string{"H2"}}, {"status", "deferred"}, {"resolution_plan", "Wait for a second one."}})
	m.addNamed("adversarial_critique", object{{"name", "The scorers are not blind"}, {"attack", m.say("Whoever scores the {readout} knows the arm.")},
		{"evidence", "Scores by a second person differ."}, {"current_status", "Being checked."}})
	if m.IntN(2) == 0 {
		m.kill("discriminative_tests", "T3", "Its readout cannot be scored blind", "C3 stands against it.")
	}
	if m.IntN(2) == 0 {
		m.kill("hypothesis_slate", "H1", "The clamp leaves the {outcome} unchanged in all cases", "T1 decided against it.")
	}
}

// planRefined adds a hypothesis that refines one of another session, and returns
// its id.
func (m *maker) planRefined(prior string) string {
	h := m.unused[0]
	m.unused = m.unused[1:]
	m.add("hypothesis_slate", object{{"name", h.name}, {"claim", m.say(h.claim) + " (Series " + m.series + ", second round.)"}, {"mechanism", m.say(h.how) + " [inference] from §103"},
		{"anchors", []string{"inference"}}, {"references", list{{{"session", prior}, {"item", "H2"}, {"relation", "refines"}}}}},
		"Sharpens what an earlier session left open.")
	return fmt.Sprintf("H%d", m.count["hypothesis_slate"])
}

func (m *maker) addNamed(section string, payload object) {
	m.add(section, payload, "Found in the second round.")
}

// planOutcomes gives the new hypothesis its outcomes: in an old prediction and
// in a new one. Hypotheses that are killed get none.
func (m *maker) planOutcomes(added string) {
	old := m.state.find("predictions_table", "P1").fields.get("predictions").(object)
	m.edit("predictions_table", "P1", object{{"predictions", append(old.with(nil), field{added, "slower, by a day"})}}, "Says what "+added+" expects.")
	predictions := object{}
	for i, h := range m.state["hypothesis_slate"] {
		if !h.killed() {
			predictions = append(predictions, field{h.id, outcomes[i]})
		}
	}
	m.add("predictions_table", object{{"condition", "The last of the list, in the dark"}, {"predictions", append(predictions, field{added, outcomes[len(outcomes)-1]})}},
		"Separates "+added+" from the rest.")
}

// planPending lists deltas. Each is applied even if the others are not.
func (m *maker) planPending(prior string) {
	m.planRefined(prior)
	m.add("predictions_table", object{{"condition", "A second dose"}, {"predictions", object{{"H2", outcomes[3]}, {"H3", "indeterminate"}}}}, "One more observable.")
	m.add("discriminative_tests", object{{"name", "Second dose"}, {"procedure", m.say("Give the {signal} twice and compare the {readout}.")}, {"discriminates", "H2 vs H3"},
		{"expected_outcomes", object{{"H2", outcomes[0]}, {"H3", outcomes[4]}}}, {"potency_check", "A first dose that is known to act (§50)."}, {"feasibility", "A day."},
		{"score", object{{"likelihood_ratio", 1 + m.IntN(3)}, {"cost", m.IntN(4)}, {"speed", m.IntN(4)}, {"ambiguity", m.IntN(4)}}}}, "Cheap, and decides.")
	m.addNamed("assumption_ledger", object{{"name", "Doses add up"}, {"statement", "Two doses act as one of twice the size."}, {"load", "If it is wrong, a second dose says nothing."},
		{"test", "Compare with one large dose."}, {"status", "unchecked"}})
	m.edit("research_thread", "RT", object{{"why_it_matters", m.why + " It also decides the next grant."}}, "Says it to outsiders.")
	m.edit("hypothesis_slate", "H2", object{{"claim", m.say("A {unit} takes its {outcome} from the {signal} around it, and from nothing else.")}}, "Sharper.")
	m.addNamed("anomaly_register", object{{"name", "A silent batch"}, {"observation", m.say("One batch shows no {readout} at all.")},
		{"conflicts_with", []string{"H2", "A1"}}, {"status", "active"}, {"resolution_plan", "Thaw another."}})
	m.addNamed("adversarial_critique", object{{"name", "One strain only"}, {"attack", m.say("All {unit}s come of one strain.")},
		{"evidence", "A second strain that differs."}, {"current_status", "Open."}})
	m.edit("discriminative_tests", "T1", object{{"feasibility", "Three days, with the new stage."}}, "The stage has come.")
	m.kill("assumption_ledger", "A2", "{signal} and handling were told apart", strings.ToUpper(m.slug[:1])+m.slug[1:]+": settled by the sham arm.")
}
