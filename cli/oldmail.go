package cli

import (
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/result"
)

// oldMail is what mail a revision has: its messages, and with an empty message id its
// threads. Many exports do not name their project: those are also in the set without.
type oldMail struct {
	ids        map[engine.MessageID]bool
	anyProject map[engine.MessageID]bool
}

func newOldMail(messages map[engine.MessageID]bool) *oldMail {
	m := &oldMail{ids: map[engine.MessageID]bool{}, anyProject: map[engine.MessageID]bool{}}
	for id := range messages {
		for _, id.ID = range []string{id.ID, ""} {
			m.ids[id] = true
			m.anyProject[engine.MessageID{Thread: id.Thread, ID: id.ID}] = true
		}
	}
	return m
}

// hasMessage reports whether the revision has the message of a finding.
func (m *oldMail) hasMessage(f *result.Finding) bool {
	return m.has(engine.MessageID{Project: f.Project(), Thread: f.Thread, ID: f.MessageID})
}

// hasThread reports whether the revision has the thread of a finding.
func (m *oldMail) hasThread(f *result.Finding) bool {
	return m.has(engine.MessageID{Project: f.Project(), Thread: f.Thread})
}

// has reports whether the revision has a message or thread. One whose project is not known
// may be that of any project.
func (m *oldMail) has(id engine.MessageID) bool {
	unknown := engine.MessageID{Thread: id.Thread, ID: id.ID}
	if id.Project == "" {
		return m.anyProject[unknown]
	}
	return m.ids[id] || m.ids[unknown]
}
