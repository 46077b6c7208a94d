package export

// resolveProjects finds the project of messages whose export does not name it, if another
// export has the same message with its project. The project of one message of a thread, or
// of a database's project number, is that of all such messages of the export.
func (s *Store) resolveProjects() {
	// A message is known across exports by its id, subject and time.
	type copyKey struct {
		id      string
		subject uint64
		time    int64
	}
	key := func(e *entry) copyKey { return copyKey{e.id, e.subject, e.time} }
	// Messages of one project whose export does not name it: they share the project's number or,
	// without a number, the thread.
	type group struct {
		export      *export
		row, thread string
	}
	groupOf := func(e *entry) group {
		if e.row != "" {
			return group{e.export, e.row, ""}
		}
		return group{e.export, "", e.thread}
	}
	const contradiction = "\x00" // several projects are named: no slug is equal to it

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
		if e.project == "" {
			continue
		}
		if p, ok := known[key(e)]; ok && p != e.project {
			known[key(e)] = "" // in two projects it proves nothing
		} else {
			known[key(e)] = e.project
		}
	}
	found := map[group]string{}
	for _, e := range s.entries {
		if e.project != "" || e.id == "" || !e.hasTime || known[key(e)] == "" {
			continue
		}
		switch p := known[key(e)]; found[groupOf(e)] {
		case "", p:
			found[groupOf(e)] = p
		default:
			found[groupOf(e)] = contradiction
		}
	}
	for _, e := range s.entries {
		if p := found[groupOf(e)]; e.project == "" && p != contradiction {
			e.project = p // of all with this label, which are in one group
		}
	}
}
