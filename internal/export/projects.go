package export

// resolveProjects finds the project of messages whose export does not name it,
// where another export holds the same message with its project. What holds for
// one message of a thread, or of a database's project number, holds for all
// messages of that export with that number.
func (s *Store) resolveProjects() {
	if n := s.countNamed(); n == 0 || n == len(s.stubs) {
		return
	}
	known := s.knownProjects()
	found := map[projectless]string{}
	for i := range s.stubs {
		t := &s.stubs[i]
		if t.project != "" || t.id == "" || !t.hasTime {
			continue
		}
		p := known[t.likeness()]
		if p == "" {
			continue
		}
		if g := t.projectless(); found[g] == "" {
			found[g] = p
		} else if found[g] != p {
			found[g] = contradiction
		}
	}
	for i := range s.stubs {
		if t := &s.stubs[i]; t.project == "" {
			if p := found[t.projectless()]; p != contradiction {
				t.project = p
			}
		}
	}
}

// contradiction stands for a project where messages tell of several: no slug is
// so.
const contradiction = "\x00"

// countNamed counts the messages whose export names their project.
func (s *Store) countNamed() int {
	n := 0
	for i := range s.stubs {
		if s.stubs[i].project != "" {
			n++
		}
	}
	return n
}

// likeness is what tells a message of several exports: id, subject and time.
type likeness struct {
	id      string
	subject uint64 // its hash
	sec     int64
	nsec    int32
}

func (t *stub) likeness() likeness { return likeness{t.id, t.subject, t.sec, t.nsec} }

// knownProjects are the projects of the messages whose export names them; "" of
// a message in two projects, which tells nothing.
func (s *Store) knownProjects() map[likeness]string {
	known := map[likeness]string{}
	for i := range s.stubs {
		t := &s.stubs[i]
		if t.project == "" {
			continue
		}
		k := t.likeness()
		if p, ok := known[k]; ok && p != t.project {
			known[k] = ""
		} else {
			known[k] = t.project
		}
	}
	return known
}

// projectless are messages of one project that their export does not name: those
// with one project number, else those of one thread.
type projectless struct {
	export      *export
	row, thread string
}

func (t *stub) projectless() projectless {
	if t.row != "" {
		return projectless{t.export, t.row, ""}
	}
	return projectless{t.export, "", t.thread}
}
