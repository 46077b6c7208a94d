package gen

import (
	"fmt"
	"slices"
	"strings"
	"time"
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

// post adds a mail to the thread and tells its place in it.
func (m *maker) post(msg message) int {
	msg.id = m.index*perThread + len(m.s.messages) + 1
	msg.created = m.tick()
	if msg.importance == "" {
		msg.importance = "normal"
	}
	m.s.messages = append(m.s.messages, msg)
	return len(m.s.messages) - 1
}

// acknowledge posts the ACK of a mail by its only recipient.
func (m *maker) acknowledge(mail int, status, notes string) {
	of := m.s.messages[mail]
	ack := m.post(message{
		from: of.to[0], to: []*agent{of.from}, subject: "ACK: " + of.subject,
		body: fmt.Sprintf("# Acknowledgement\n\n## Message ID\n%d\n\n## Status\n%s\n\n## Notes\n%s\n", of.id, status, notes),
	})
	m.s.messages[mail].acked = m.s.messages[ack].created
}

// write writes the mails of the session and its artifact.
func (m *maker) write() {
	start := m.now
	operator, agents := m.s.project.operator, m.s.project.team(m)
	kickoff := m.post(message{from: operator, to: agents[:1], importance: "high", ack: true,
		subject: fmt.Sprintf("KICKOFF: %s (%s)", m.title, m.s.id), body: m.kickoff()})
	m.acknowledge(kickoff, "Understood", "I begin with the research thread and pass the rest on.")
	for i, ops := range m.split() {
		m.postDelta(operator, agents, agents[i%len(agents)], ops)
	}
	compiledAt := m.tick()
	rendered := m.state.render(m.s.id)
	compiled := m.post(message{from: operator, to: agents, subject: "COMPILED: v1 " + strings.ToLower(m.title[:1]) + m.title[1:],
		body: m.compiled(operator, agents, start, compiledAt, rendered)})
	critic := agents[len(agents)-1]
	critique := m.post(message{from: critic, to: []*agent{operator}, subject: "CRITIQUE: What H2 leaves out in v1", body: m.critique(), ack: true})
	m.acknowledge(critique, "Will Action", "It goes into the next round.")

	m.s.artifact = m.frontMatter(agents, start, compiledAt,
		fmt.Sprintf("compiled_at: %q\ncompiled_by: %q\nagent_mail_message_id: %d\n", stamp(compiledAt), operator.name, m.s.messages[compiled].id)) + rendered
}

func (m *maker) postDelta(operator *agent, agents []*agent, from *agent, ops []op) {
	others := slices.DeleteFunc(slices.Clone(agents), func(a *agent) bool { return a == from })
	var first, last string
	for i, o := range ops {
		if id := o.id(); i == 0 {
			first = id
		} else {
			last = id
		}
	}
	mail := m.post(message{from: from, to: []*agent{operator}, cc: others,
		subject: fmt.Sprintf("DELTA[%s]: %s to %s on %s", from.role, first, last, m.slug), body: m.delta(ops)})
	c := m.credit[from]
	if c == nil {
		c = &credit{}
		m.credit[from] = c
	}
	for _, o := range ops {
		m.state.apply(o, from.name, m.s.messages[mail].created)
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

func (m *maker) critique() string {
	c := critiquePlans[m.IntN(len(critiquePlans))]
	return fmt.Sprintf("# Critique: %s\n\n## Target\n- **Artifact Version**: v1\n- **Item**: H2 (%s)\n\n## Attack\n%s\n\n## Evidence\n%s\n\n## Proposed Resolution\nMeasure it before the next round, on material that is at hand.\n\n## Severity\nMajor\n",
		c.name, m.state.find("hypothesis_slate", "H2").fields.str("name"), m.say(c.attack), m.say(c.evidence))
}

func (m *maker) compiled(operator *agent, agents []*agent, start, at time.Time, rendered string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Compiled Artifact v1\n\n## Metadata\n- **Thread ID**: %s\n- **Version**: v1\n- **Compiled At**: %s\n- **Compiler**: %s\n\n", m.s.id, stamp(at), operator.name)
	fmt.Fprintf(&b, "## Summary\nFirst merge: %d deltas of %d agents.\n\n## Contributors\n| Agent | Delta Count | Items Added/Modified |\n|-------|-------------|---------------------|\n", len(m.ops), len(agents))
	for _, a := range agents {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", a.name, m.credit[a].deltas, strings.Join(m.credit[a].items, ", "))
	}
	fmt.Fprintf(&b, "\n## Statistics\n- Research Thread: 1\n- Hypotheses: %d\n- Predictions: %d\n- Tests: %d\n- Assumptions: %d\n- Anomalies: %d\n- Critiques: %d\n\n",
		m.state.active("hypothesis_slate"), m.state.active("predictions_table"), m.state.active("discriminative_tests"),
		m.state.active("assumption_ledger"), m.state.active("anomaly_register"), m.state.active("adversarial_critique"))
	b.WriteString("## Validation Status\n- Schema: PASS\n- Linter: 0 warnings, 0 errors\n- Third Alternative: Present\n\n")
	fmt.Fprintf(&b, "## Persistence\n- **Artifact Path**: `artifacts/%s.md`\n- **Status**: Pending\n\n## Full Artifact\n\n", m.s.id)
	b.WriteString(m.frontMatter(agents, start, at, ""))
	b.WriteString(rendered)
	return b.String()
}

// frontMatter is that of the artifact; more are further lines.
func (m *maker) frontMatter(agents []*agent, created, updated time.Time, more string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nsession_id: %q\ncreated_at: %q\nupdated_at: %q\nversion: 1\ncontributors:\n", m.s.id, stamp(created), stamp(updated))
	for _, a := range agents {
		fmt.Fprintf(&b, "  - agent: %q\n    program: %q\n    model: %q\n", a.name, a.program, a.model)
	}
	fmt.Fprintf(&b, "status: \"active\"\n%s---\n\n", more)
	return b.String()
}
