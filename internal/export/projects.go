package export

// resolveProjects finds the project of messages whose export does not name it,
// where another export holds the same message with its project. What holds for
// one message of a thread, or of a database's project number, holds for all
// messages of that export with that number.
func (s *Store) resolveProjects() {
	if n := s.countNamed(); n == 0 || n == len(s.entries) {
		return
	}
	known := s.knownProjects()
	found := map[unassignedKey]string{}
	for i := range s.entries {
		t := &s.entries[i]
		if t.project != "" || t.id == "" || !t.hasTime {
			continue
		}
		p := known[t.copyKey()]
		if p == "" {
			continue
		}
		if g := t.unassignedKey(); found[g] == "" {
			found[g] = p
		} else if found[g] != p {
			found[g] = contradiction
		}
	}
	for i := range s.entries {
		if t := &s.entries[i]; t.project == "" {
			if p := found[t.unassignedKey()]; p != contradiction {
				t.origin = s.originOf(origin{t.export, p, t.row, t.thread})
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
	for i := range s.entries {
		if s.entries[i].project != "" {
			n++
		}
	}
	return n
}

// copyKey is what identifies a message of several exports: id, subject and time.
type copyKey struct {
	id      string
	subject uint64 // its hash
	sec     int64
	nsec    int32
}

func (t *indexEntry) copyKey() copyKey { return copyKey{t.id, t.subject, t.sec, t.nsec} }

// knownProjects are the projects of the messages whose export names them; "" of
// a message in two projects, which tells nothing.
func (s *Store) knownProjects() map[copyKey]string {
	known := map[copyKey]string{}
	for i := range s.entries {
		t := &s.entries[i]
		if t.project == "" {
			continue
		}
		k := t.copyKey()
		if p, ok := known[k]; ok && p != t.project {
			known[k] = ""
		} else {
			known[k] = t.project
		}
	}
	return known
}

// unassignedKey is what groups messages of one project that their export does not name: those
// with one project number, else those of one thread.
type unassignedKey struct {
	export      *export
	row, thread string
}

func (t *indexEntry) unassignedKey() unassignedKey {
	if t.row != "" {
		return unassignedKey{t.export, t.row, ""}
	}
	return unassignedKey{t.export, "", t.thread}
}
