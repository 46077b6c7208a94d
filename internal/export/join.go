package export

import "github.com/brennerlint/brennerlint/mail"

// ThreadOf returns the thread that an unsent message would join, nil if the exports have
// none: it has the message's thread id, and may be of its project.
func (s *Store) ThreadOf(m *mail.Message) *ThreadInfo {
	id := m.Thread.String()
	infos := s.Threads()
	for i := range infos {
		if infos[i].ID == id && id != "" && mayJoin(m, infos[i].Project) {
			return &infos[i]
		}
	}
	return nil
}

// RosterOf returns the agents known to the exports where an unsent message would be sent:
// those of its thread, else of the only project that it may belong to (decisions.md 54);
// nil if unknown.
func (s *Store) RosterOf(m *mail.Message) []string {
	if t := s.ThreadOf(m); t != nil {
		return s.Open(*t).Roster
	}
	return s.SoleRoster(func(project string) bool { return mayJoin(m, project) })
}

// mayJoin reports whether an unsent message may belong to a project.
func mayJoin(m *mail.Message, project string) bool {
	return m.Project == "" || project == "" || project == m.Project
}
