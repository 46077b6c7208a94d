package export

import "github.com/brennerlint/brennerlint/brenner/mail"

// ThreadOf returns the thread that an unsent message would join, nil if the exports have
// none: it has the message's thread id and, if several projects have that, is preferably of
// the message's.
func (s *Store) ThreadOf(m *mail.Message) *ThreadInfo {
	id := m.Thread.String()
	if id == "" {
		return nil
	}
	var first *ThreadInfo
	infos := s.Threads()
	for i := range infos {
		switch t := &infos[i]; {
		case t.ID != id:
		case t.Project == m.Project:
			return t
		case first == nil:
			first = t
		}
	}
	return first
}

// RosterOf returns the agents known to the exports where an unsent message would be sent:
// those of its thread, else of its project, else of the only one (decisions.md 54); nil if
// unknown.
func (s *Store) RosterOf(m *mail.Message) []mail.Agent {
	if t := s.ThreadOf(m); t != nil {
		return s.Open(*t).Roster
	}
	if m.Project != "" {
		if roster := s.SoleRoster(func(project string) bool { return project == m.Project }); roster != nil {
			return roster
		}
	}
	return s.SoleRoster(func(string) bool { return true })
}
