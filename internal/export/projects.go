package export

// resolveProjects finds the project of messages whose export does not name it, if another
// export has the same message with its project. The project of one message of a thread, or
// of a database's project number, is that of all such messages of the export.
func (s *Store) resolveProjects() {
	// A message is known across exports by its id, subject and time.
	type copyKey struct {
		id      string
		subject uint32
		time    int64
	}
	const several = "\x00" // several projects are named: no slug is equal to it
	// note notes a project, unless another one is known.
	note := func(known string, project string) string {
		if known == "" || known == project {
			return project
		}
		return several
	}
	known, unnamed := map[copyKey]string{}, 0
	for _, e := range s.entries {
		if e.project == "" {
			unnamed++
		}
	}
	if unnamed == 0 || unnamed == len(s.entries) {
		return
	}
	for _, e := range s.entries {
		if e.project != "" {
			key := copyKey{e.id, e.subject, e.time}
			known[key] = note(known[key], e.project)
		}
	}
	found := map[label]string{}
	for _, e := range s.entries {
		p := known[copyKey{e.id, e.subject, e.time}]
		if e.project == "" && e.id != "" && e.hasTime && p != "" && p != several {
			found[e.group()] = note(found[e.group()], p)
		}
	}
	for _, e := range s.entries {
		if p := found[e.group()]; e.project == "" && p != several {
			e.project = p // of all with this label, which are in one group
		}
	}
}

// group returns what messages of one project have in common if their export does not name it:
// the project's number or, without a number, the thread.
func (l *label) group() label {
	if l.row != "" {
		return label{export: l.export, row: l.row}
	}
	return label{export: l.export, thread: l.thread}
}
