package gen

import (
	"fmt"
	"time"
)

// Shape says how long a session is.
type Shape struct {
	// Index numbers the sessions: its id and those of its messages go by it.
	Index int
	// Rounds is how many versions are published, 1 or 2.
	Rounds int
	// Pending adds deltas after the last version.
	Pending bool
	// Prior is the session that references name.
	Prior string
}

// Thread is a conforming thread as data, for tests that break it.
type Thread struct {
	ID, Project string
	Agents      []string // all of the project
	Messages    []Mail
	// Artifact is the file artifacts/ID.md of the last version, and JSON the same
	// as a reference compiler writes it. Threads of engineering work have none.
	Artifact, JSON string

	project *project
}

// Mail is one message.
type Mail struct {
	ID            int
	From          string
	To, Cc        []string
	Thread        string
	Subject, Body string
	Ack           bool
	Created       time.Time

	acked      time.Time // when its recipients acknowledged it; else zero
	importance string
}

// NewThread makes a research session.
func NewThread(c Chance, shape Shape) *Thread {
	m := newMaker(c, shape.Index)
	m.plan()
	m.write()
	if shape.Rounds > 1 {
		m.secondRound(shape.Prior)
	}
	m.s.JSON = m.json()
	if shape.Pending {
		m.pendingRound(shape.Prior)
	}
	return m.s
}

// NewWork makes the thread of an engineering task or of coordination: every
// type of message but those of a research session.
func NewWork(c Chance, index int) *Thread {
	m := newMaker(c, index)
	m.s.ID = []string{fmt.Sprintf("brenner_bot-%s.3.%d", letters(index), 1+index), "COORD-" + m.slug + "-" + letters(index)}[m.IntN(2)]
	m.work()
	return m.s
}

// json returns the artifact as a reference compiler writes it: metadata and sections.
func (m *maker) json() string {
	last := m.s.Messages[0]
	for _, msg := range m.s.Messages {
		if msg.From == m.operator && len(msg.To) == len(m.agents) {
			last = msg // a COMPILED, or the INFO after it
		}
	}
	contributors := list{}
	for _, a := range m.agents {
		contributors = append(contributors, object{{"agent", a.name}, {"program", a.program}, {"model", a.model}})
	}
	metadata := object{{"session_id", m.s.ID}, {"created_at", stamp(m.start)}, {"updated_at", stamp(last.Created)}, {"version", m.version},
		{"contributors", contributors}, {"status", "active"}, {"compiled_at", stamp(last.Created)}, {"compiled_by", m.operator}, {"agent_mail_message_id", last.ID}}
	return string(appendJSON(nil, object{{"metadata", metadata}, {"sections", m.state.sections()}}, "")) + "\n"
}
