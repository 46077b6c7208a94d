package export

// resolveProjects finds the project of messages whose export does not name it, if another
// export has the same message with its project. The project of one message of a thread, or
// of a database's project number, is that of all such messages of the export.
func (s *Store) resolveProjects() {
	if n := s.countNamed(); n == 0 || n == len(s.entries) {
		return
	}
	known := s.knownProjects()
	found := map[unassignedKey]string{}
	for i := range s.entries {
		t := &s.entries[i]
		from := s.origin(t)
		if from.project != "" || t.id == noID || !t.hasTime {
			continue
		}
		p := known[s.copyKey(t)]
		if p == "" {
			continue
		}
		if g := from.unassignedKey(); found[g] == "" {
			found[g] = p
		} else if found[g] != p {
			found[g] = contradiction
		}
	}
	for i := range s.entries {
		t := &s.entries[i]
		if from := *s.origin(t); from.project == "" {
			if p := found[from.unassignedKey()]; p != contradiction {
				t.origin = s.numberOf(origin{from.export, p, from.row, from.thread})
			}
		}
	}
}

// contradiction is the project if messages name several: no slug is equal to it.
const contradiction = "\x00"

// countNamed counts the messages whose export names their project.
func (s *Store) countNamed() int {
	n := 0
	for i := range s.entries {
		if s.origin(&s.entries[i]).project != "" {
			n++
		}
	}
	return n
}

// copyKey identifies a message across exports: id, subject and time.
type copyKey struct {
	id      string
	subject uint64 // its hash
	sec     int64
	nsec    int32
}

func (s *Store) copyKey(e *indexEntry) copyKey { return copyKey{s.id(e), e.subject, e.sec, e.nsec} }

// knownProjects returns the projects of the messages whose export names them; "" for a
// message in two projects, which proves nothing.
func (s *Store) knownProjects() map[copyKey]string {
	known := map[copyKey]string{}
	for i := range s.entries {
		project := s.origin(&s.entries[i]).project
		if project == "" {
			continue
		}
		k := s.copyKey(&s.entries[i])
		if p, ok := known[k]; ok && p != project {
			known[k] = ""
		} else {
			known[k] = project
		}
	}
	return known
}

// unassignedKey groups messages of one project that their export does not name: those with
// one project number, else those of one thread.
type unassignedKey struct {
	export      *export
	row, thread string
}

func (o *origin) unassignedKey() unassignedKey {
	if o.row != "" {
		return unassignedKey{o.export, o.row, ""}
	}
	return unassignedKey{o.export, "", o.thread}
}
