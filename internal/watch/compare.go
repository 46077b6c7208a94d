package watch

import (
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/lint"
)

// memory holds what the checks so far have found.
type memory struct {
	known    []*lint.Finding // in the order of the reports
	messages map[mail.Ref]bool
}

// compare records the outcome of a check, and returns what is new and what is resolved.
func (m *memory) compare(c *Checked) *Round {
	r := &Round{Report: c.Report}
	now, before := prints(c.Report.Findings), prints(m.known)
	unreadable := map[string]bool{} // nothing in it is resolved
	for _, f := range c.Report.Findings {
		if f.Unreadable {
			unreadable[f.Path] = true
		}
	}
	// The rule that says which input is unreadable may not be selected.
	unknown := len(c.Report.Failures) > 0 || c.Report.Unreadable && len(unreadable) == 0
	next := slices.Clip(c.Report.Findings)
	for _, f := range m.known {
		switch {
		case now[f.Fingerprint]:
		case unreadable[f.Path] || unknown:
			next = append(next, f)
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
	r.Replies = m.replies(c)
	maps.Copy(m.messages, c.Messages)
	return r
}

func prints(findings []*lint.Finding) map[string]bool {
	out := make(map[string]bool, len(findings))
	for _, f := range findings {
		out[f.Fingerprint] = true
	}
	return out
}

// replies returns the new messages that have findings.
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
