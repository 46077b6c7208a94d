package gen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner/artifact"
)

// credit is what an agent contributed to a version.
type credit struct {
	Agent  string
	Deltas int
	Items  []string // ids, each once
}

// firstRound plans and posts the first version.
func (m *maker) firstRound() {
	m.plan("first plan")
	m.begin()
	m.post("KICKOFF", m)
	for i, ops := range m.split() {
		m.contribute(i, ops)
	}
	m.publish()
}

// secondRound posts a KICKOFF that names v1, the deltas of the round, and v2.
func (m *maker) secondRound() {
	m.post("KICKOFF of the second round", m)
	m.plan("second plan")
	n := len(m.Ops)
	for i, ops := range [][]*op{m.Ops[:n/3], m.Ops[n/3 : 2*n/3], m.Ops[2*n/3:]} {
		m.contribute(i+1, ops)
	}
	m.publish()
}

// pendingRound posts deltas that no version holds yet. None names what another
// of them adds, so that each can be broken alone.
func (m *maker) pendingRound() {
	m.plan("pending plan")
	n := len(m.Ops)
	m.contribute(0, m.Ops[:n/2])
	m.contribute(1, m.Ops[n/2:])
}

// work posts one message of each type that engineering work has.
func (m *maker) work() {
	m.begin()
	for _, name := range []string{"CLAIM", "QUESTION", "BLOCKED", "INFO", "HANDOFF"} {
		m.post(name, m)
	}
}

// begin chooses who takes part.
func (m *maker) begin() {
	m.Start = m.now
	m.Operator, m.Agents = m.Thread.project.operator.Name, m.Thread.project.team(m)
}

// tick moves the session's time on by a few minutes.
func (m *maker) tick() time.Time {
	m.now = m.now.Add(time.Duration(30+m.IntN(240))*time.Second + time.Duration(1+m.IntN(999_998))*time.Microsecond)
	return m.now
}

// Now is the time of the session.
func (m *maker) Now() string { return stamp(m.now) }

// post adds the message of a template to the thread, and the ACK of each recipient that its header
// has: a status and notes.
func (m *maker) post(name string, data any) Mail {
	head, body, _ := strings.Cut(m.text(name, data), "\n\n")
	header := map[string]string{}
	var acks []string
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if header[key] = value; key == "Ack" {
			acks = append(acks, value)
		}
	}
	place := len(m.Thread.Messages)
	m.Thread.Messages = append(m.Thread.Messages, Mail{
		ID: m.index*perThread + place + 1, Thread: m.Thread.ID, Created: m.tick(),
		Ack: len(acks) > 0, importance: cmp.Or(header["Importance"], "normal"),
		From: header["From"], To: strings.Fields(header["To"]), Cc: strings.Fields(header["Cc"]),
		Subject: header["Subject"], Body: body,
	})
	of := m.Thread.Messages[place]
	for i, ack := range acks {
		status, notes, _ := strings.Cut(ack, "; ")
		answer := struct {
			By, Status, Notes string
			Of                Mail
		}{of.recipients()[i], status, notes, of}
		acked := m.post("ACK", answer).Created // which may move the slice
		m.Thread.Messages[place].acked = acked
	}
	return of
}

// contribute posts a DELTA of an agent.
func (m *maker) contribute(by int, ops []*op) {
	from := m.Agents[by%len(m.Agents)]
	m.post("DELTA", struct {
		*maker
		From *agent
		Ops  []*op
	}{m, from, ops})
	if m.Credits[from] == nil {
		m.Credits[from] = &credit{Agent: from.Name}
	}
	c := m.Credits[from]
	for _, o := range ops {
		c.Deltas++
		c.Items = union(c.Items, []string{o.ID})
	}
}

// publish posts the next version, writes the artifact file of it, and posts a CRITIQUE.
func (m *maker) publish() {
	m.Version++
	at := stamp(m.tick())
	meta := artifact.RenderMeta{
		SessionID: m.Thread.ID, CreatedAt: stamp(m.Start), UpdatedAt: at, Version: m.Version, Status: "active",
	}
	for _, a := range m.Agents {
		meta.Contributors = append(meta.Contributors, artifact.Contributor{Agent: a.Name, Program: a.Program, Model: a.Model})
	}
	state := m.merge()
	m.Rendered = string(artifact.Render(state, meta))
	m.Published = m.post("COMPILED", m)
	meta.CompiledAt, meta.CompiledBy, meta.MessageID = at, m.Operator, fmt.Sprint(m.Published.ID)
	m.Thread.Artifact = string(artifact.Render(state, meta))
	m.Ops, m.Credits = nil, map[*agent]*credit{}
	if m.Version > 1 {
		m.Published = m.post("INFO of the artifact", m)
	}
	m.post("CRITIQUE", m)
}

func union(have, more []string) []string {
	out := slices.Clone(have)
	for _, s := range more {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
