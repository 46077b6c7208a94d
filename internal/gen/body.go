package gen

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner/artifact"
)

// credit is what an agent contributed to a version.
type credit struct {
	deltas int
	items  []string // ids, each once
}

// tick moves the session's time on by a few minutes.
func (m *maker) tick() time.Time {
	m.now = m.now.Add(time.Duration(30+m.IntN(240))*time.Second + time.Duration(1+m.IntN(999_998))*time.Microsecond)
	return m.now
}

// post adds a mail to the thread and returns its place in it.
func (m *maker) post(msg Mail) int {
	msg.Thread, msg.ID = m.s.ID, m.index*perThread+len(m.s.Messages)+1
	msg.Created = m.tick()
	msg.Cc = append([]string{}, msg.Cc...) // in JSON [], not null
	if msg.importance == "" {
		msg.importance = "normal"
	}
	m.s.Messages = append(m.s.Messages, msg)
	return len(m.s.Messages) - 1
}

// acknowledge posts the ACK of a mail by its only recipient.
func (m *maker) acknowledge(mail int, status, notes string) {
	m.acknowledgeBy(mail, m.s.Messages[mail].To[0], status, notes)
}

// acknowledgeBy posts the ACK of a mail by one of its recipients.
func (m *maker) acknowledgeBy(mail int, by, status, notes string) {
	of := m.s.Messages[mail]
	ack := m.post(Mail{
		From: by, To: []string{of.From}, Subject: "ACK: " + of.Subject,
		Body: fmt.Sprintf("# Acknowledgement\n\n## Message ID\n%d\n\n## Status\n%s\n\n## Notes\n%s\n", of.ID, status, notes),
	})
	m.s.Messages[mail].acked = m.s.Messages[ack].Created
}

// write writes the mails of the session's first round and its artifact.
func (m *maker) write() {
	m.begin()
	for i, ops := range m.split() {
		m.postDelta(m.agents[i%len(m.agents)], ops)
	}
	m.publish(m.title)
	m.challenge("H2")
}

// begin posts the KICKOFF.
func (m *maker) begin() {
	m.start = m.now
	m.operator, m.agents = m.s.project.operator.name, m.s.project.team(m)
	kickoff := m.post(Mail{From: m.operator, To: names(m.agents[:1]), importance: "high", Ack: true,
		Subject: fmt.Sprintf("KICKOFF: %s (%s)", m.title, m.s.ID), Body: m.kickoff()})
	m.acknowledge(kickoff, "Understood", "I begin with the research thread and pass the rest on.")
}

// publish posts the next version, and writes the artifact file of it.
func (m *maker) publish(title string) {
	m.version++
	at := m.tick()
	meta := artifact.RenderMeta{SessionID: m.s.ID, CreatedAt: stamp(m.start), UpdatedAt: stamp(at), Version: m.version, Status: "active"}
	for _, a := range m.agents {
		meta.Contributors = append(meta.Contributors, artifact.Contributor{Agent: a.name, Program: a.program, Model: a.model})
	}
	compiled := m.post(Mail{From: m.operator, To: names(m.agents),
		Subject: fmt.Sprintf("COMPILED: v%d %s", m.version, strings.ToLower(title[:1])+title[1:]), Body: m.compiled(at, m.state.render(meta))})
	meta.CompiledAt, meta.CompiledBy, meta.MessageID = stamp(at), m.operator, fmt.Sprint(m.s.Messages[compiled].ID)
	m.s.Artifact = m.state.render(meta)
	m.ops, m.credit = nil, map[*agent]*credit{}
}

// challenge posts a CRITIQUE of an item of the last version, and its ACK.
func (m *maker) challenge(hypothesis string) {
	critic := m.agents[len(m.agents)-1]
	critique := m.post(Mail{From: critic.name, To: []string{m.operator}, Ack: true,
		Subject: fmt.Sprintf("CRITIQUE: What %s leaves out in v%d", hypothesis, m.version), Body: m.critique(hypothesis)})
	m.acknowledge(critique, "Will Action", "It goes into the next round.")
}

func (m *maker) postDelta(from *agent, ops []op) {
	others := slices.DeleteFunc(slices.Clone(m.agents), func(a *agent) bool { return a == from })
	var first, last string
	for i, o := range ops {
		if id := o.id(); i == 0 {
			first = id
		} else {
			last = id
		}
	}
	mail := m.post(Mail{From: from.name, To: []string{m.operator}, Cc: names(others),
		Subject: fmt.Sprintf("DELTA[%s]: %s to %s on %s", from.role, first, last, m.slug), Body: m.delta(ops)})
	c := m.credit[from]
	if c == nil {
		c = &credit{}
		m.credit[from] = c
	}
	for _, o := range ops {
		m.state.apply(o, from.name, m.s.Messages[mail].Created)
		c.deltas++
		c.items = union(c.items, []string{o.id()})
	}
}

func (m *maker) kickoff() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Brenner Protocol Session: %s\n\n## Research Question\n%s\n\n## Context\n%s %s\n\n## Excerpt\n", m.title, m.question, m.context, m.why)
	for _, e := range pick(m, excerpts, 3) {
		fmt.Fprintf(&b, "> %s\n>\n", e)
	}
	fmt.Fprintf(&b, "\n## Constraints\n- One round of contributions, then v1.\n- Cite the transcript (§n) wherever you can; say so where you infer.\n- No experiment that needs more than two weeks: \"%s\" is the readout we have.\n", m.readout)
	b.WriteString("\n## Requested Outputs\n- Three or four hypotheses, one of them a third alternative\n- Predictions in which they differ\n- Two or three tests, ranked by evidence per week\n- The assumptions that carry them, with a scale check\n")
	return b.String()
}

func (m *maker) delta(ops []op) string {
	var b strings.Builder
	b.WriteString("# Delta Contribution\n\n")
	if m.version > 0 {
		fmt.Fprintf(&b, "**Base Version**: v%d\n\n", m.version)
	}
	fmt.Fprintf(&b, "On %s. %s\n\n## Deltas\n", m.slug, m.say("Each block stands for itself; the {readout} is meant wherever a measurement is named."))
	for _, o := range ops {
		var target any
		if o.target != "" {
			target = o.target
		}
		block := appendJSON(nil, object{{"operation", o.operation}, {"section", o.section}, {"target_id", target}, {"payload", o.payload}, {"rationale", o.rationale}}, "")
		fmt.Fprintf(&b, "\n```delta\n%s\n```\n", block)
	}
	return b.String()
}

func (m *maker) critique(hypothesis string) string {
	c := critiquePlans[m.IntN(len(critiquePlans))]
	return fmt.Sprintf("# Critique: %s\n\n## Target\n- **Artifact Version**: v%d\n- **Item**: %s (%s)\n\n## Attack\n%s\n\n## Evidence\n%s\n\n## Proposed Resolution\nMeasure it before the next round, on material that is at hand.\n\n## Severity\nMajor\n",
		c.name, m.version, hypothesis, m.state.find("hypothesis_slate", hypothesis).fields.str("name"), m.say(c.attack), m.say(c.evidence))
}

func (m *maker) compiled(at time.Time, rendered string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Compiled Artifact v%d\n\n## Metadata\n- **Thread ID**: %s\n- **Version**: v%[1]d\n", m.version, m.s.ID)
	if m.version > 1 {
		fmt.Fprintf(&b, "- **Previous Version**: v%d\n", m.version-1)
	}
	fmt.Fprintf(&b, "- **Compiled At**: %s\n- **Compiler**: %s\n\n", stamp(at), m.operator)
	m.contributors(&b)
	fmt.Fprintf(&b, "\n## Statistics\n- Research Thread: 1\n- Hypotheses: %d\n- Predictions: %d\n- Tests: %d\n- Assumptions: %d\n- Anomalies: %d\n- Critiques: %d\n\n",
		m.state.active("hypothesis_slate"), m.state.active("predictions_table"), m.state.active("discriminative_tests"),
		m.state.active("assumption_ledger"), m.state.active("anomaly_register"), m.state.active("adversarial_critique"))
	b.WriteString("## Validation Status\n- Schema: PASS\n- Linter: 0 warnings, 0 errors\n- Third Alternative: Present\n\n")
	fmt.Fprintf(&b, "## Persistence\n- **Artifact Path**: `artifacts/%s.md`\n- **Status**: Pending\n\n## Full Artifact\n\n", m.s.ID)
	b.WriteString(rendered)
	return b.String()
}

// contributors writes who contributed what since the version before.
func (m *maker) contributors(b *strings.Builder) {
	var rows strings.Builder
	agents := 0
	for _, a := range m.agents {
		if c := m.credit[a]; c != nil {
			agents++
			fmt.Fprintf(&rows, "| %s | %d | %s |\n", a.name, c.deltas, strings.Join(c.items, ", "))
		}
	}
	which := "First merge"
	if m.version > 1 {
		which = "Next merge"
	}
	fmt.Fprintf(b, "## Summary\n%s: %d deltas of %d agents.\n\n## Contributors\n| Agent | Delta Count | Items Added/Modified |\n|-------|-------------|---------------------|\n%s",
		which, len(m.ops), agents, rows.String())
}
