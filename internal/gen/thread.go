package gen

import (
	"encoding/json"
	"fmt"
	"strings"
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
	// JSON asks for the artifact in that form too.
	JSON bool
	// Brief asks for few words.
	Brief bool
}

// Thread is a conforming thread as data, for tests that break it.
type Thread struct {
	ID, Project string
	Agents      []string // all of the project
	Messages    []Mail
	// Artifact is the file artifacts/ID.md of the last version, and JSON the same
	// as a reference compiler writes it, if asked for. Threads of engineering work have none.
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
	m := newMaker(c, shape)
	m.firstRound()
	if shape.Rounds > 1 {
		m.secondRound()
	}
	if shape.JSON {
		const none = "[\n    ]" // as that compiler writes an empty section
		m.Thread.JSON = strings.ReplaceAll(pretty(json.RawMessage(m.text("artifact", m))), "[]", none) + "\n"
	}
	if shape.Pending {
		m.pendingRound()
	}
	return m.Thread
}

// NewWork makes the thread of an engineering task or of coordination: every
// type of message but those of a research session.
func NewWork(c Chance, index int) *Thread {
	m := newMaker(c, Shape{Index: index})
	m.Thread.ID = []string{
		fmt.Sprintf("brenner_bot-%s.3.%d", letters(index), 1+index),
		fmt.Sprintf("COORD-%s-%s", m.topic["slug"], letters(index)),
	}[m.IntN(2)]
	m.work()
	return m.Thread
}
