package watch

import (
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/lint"
)

// memory is what is known from the checks so far.
type memory struct {
	known      []*lint.Finding // in the order of the reports
	messages   map[mail.Ref]bool
	files      Look            // at the last check that lost nothing
	unreadable map[string]bool // the inputs that could not be read then
	faulty     bool            // some could not, whether or not an enabled rule reports it
	inputs     map[string]bool // the paths that were recognised then
}

// compare records the outcome of a check, and returns what is new and what is resolved.
func (m *memory) compare(c *Checked, look Look) *Round {
	first := m.messages == nil
	r := &Round{Report: c.Report}
	// Findings in what can no longer be read, or was not checked, are not resolved.
	keep := !first && m.hasLostInputs(c, look) || len(c.Report.Failures) > 0
	now := prints(c.Report.Findings)
	before := prints(m.known)
	next := c.Report.Findings
	for _, f := range m.known {
		switch {
		case now[f.Fingerprint]:
		case keep && !f.Unreadable:
			next = append(next[:len(next):len(next)], f)
		default:
			r.Events = append(r.Events, Event{Resolved: true, Finding: f})
		}
	}
	for _, f := range c.Report.Findings {
		if !before[f.Fingerprint] {
			r.Events = append(r.Events, Event{Finding: f})
		}
	}
	m.known = next
	if !first {
		r.Replies = m.replies(c)
	} else {
		m.messages = map[mail.Ref]bool{}
	}
	for key := range c.Messages {
		m.messages[key] = true
	}
	if !keep {
		m.unreadable, m.faulty, m.files, m.inputs = unreadable(c.Report), c.Report.Unreadable, look, c.Inputs
	}
	return r
}

func prints(findings []*lint.Finding) map[string]bool {
	out := make(map[string]bool, len(findings))
	for _, f := range findings {
		out[f.Fingerprint] = true
	}
	return out
}

// replies returns the messages with findings that no check has seen before.
func (m *memory) replies(c *Checked) []Reply {
	var out []Reply
	at := map[mail.Ref]int{}
	anyProject := map[mail.Ref]mail.Ref{}
	for key := range c.Messages {
		unnamed := mail.Ref{Thread: key.Thread, ID: key.ID}
		if first, ok := anyProject[unnamed]; !ok || key.Project < first.Project {
			anyProject[unnamed] = key
		}
	}
	for _, f := range c.Report.Findings {
		key := mail.Ref{Project: f.Project(), Thread: f.Thread, ID: f.MessageID}
		if key.Project == "" && !c.Messages[key] { // a fault of the input
			key = anyProject[key]
		}
		if !c.Messages[key] || m.messages[key] {
			continue
		}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, Reply{Message: key})
		}
		out[i].Findings = append(out[i].Findings, f)
	}
	return out
}

// hasLostInputs reports whether something that could be read before no longer can: a file,
// or part of one. Nothing may be left by which to recognise a truncated database in a
// folder: then a file that was an input still exists, but is not one any more.
func (m *memory) hasLostInputs(c *Checked, look Look) bool {
	for path := range unreadable(c.Report) {
		_, isFile := look[path]
		_, wasFile := m.files[path]
		if !m.unreadable[path] && (wasFile || !isFile) {
			return true
		}
	}
	for path := range m.inputs {
		if !c.Inputs[path] && look[path] != nil {
			return true
		}
	}
	return c.Report.Unreadable && !m.faulty
}

// hasLostFiles reports whether a file is missing, or has become empty.
func (m *memory) hasLostFiles(look Look) bool {
	for path, was := range m.files {
		is := look[path]
		if !isBeside(path) && (is == nil || is.Size() == 0 && was.Size() > 0) {
			return true
		}
	}
	return false
}

// unreadable returns the paths of the inputs that could not be read or parsed.
func unreadable(rep *lint.Report) map[string]bool {
	out := map[string]bool{}
	for _, f := range rep.Findings {
		if f.Unreadable {
			out[f.Path] = true
		}
	}
	return out
}
