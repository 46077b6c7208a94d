package watch

import (
	"github.com/brennerlint/brennerlint/lint"
)

// memory is what is known of the checks so far.
type memory struct {
	known      []*lint.Finding // in the order of the reports
	messages   map[MessageKey]bool
	files      Look            // when all could be read that could be before
	unreadable map[string]bool // the inputs that could not be read then
	faulty     bool            // some could not, whether a rule that runs says so or not
	inputs     map[string]bool // the paths that were recognised then
}

// compare takes over the outcome of a check.
func (m *memory) compare(c *Checked, look Look) *Round {
	first := m.messages == nil
	r := &Round{Report: c.Report}
	// What cannot be read any more, or was not checked, is not resolved.
	keep := !first && m.lost(c, look) || len(c.Report.Failures) > 0
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
		m.messages = map[MessageKey]bool{}
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

// replies are the messages that no check has seen before, with their findings.
func (m *memory) replies(c *Checked) []Reply {
	var out []Reply
	at := map[MessageKey]int{}
	for _, f := range c.Report.Findings {
		key := MessageKey{f.Thread, f.MessageID}
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

// lost reports whether something could not be read that could be before: a file, or
// what is in one. Of a truncated database in a folder nothing may be left by which it
// is recognised: then a file that was an input is there, and is not one.
func (m *memory) lost(c *Checked, look Look) bool {
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

// gone reports whether a file is missing, or is empty all at once.
func (m *memory) gone(look Look) bool {
	for path, was := range m.files {
		is := look[path]
		if !isBeside(path) && (is == nil || is.Size() == 0 && was.Size() > 0) {
			return true
		}
	}
	return false
}

// unreadable are the paths of the inputs that could not be read or parsed.
func unreadable(rep *lint.Report) map[string]bool {
	out := map[string]bool{}
	for _, f := range rep.Findings {
		if f.Unreadable {
			out[f.Path] = true
		}
	}
	return out
}
