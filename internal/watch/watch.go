// Package watch checks inputs once, then again whenever they change, and reports, by
// fingerprint, which findings are new and which are resolved.
//
// The loop gets all its inputs from its options: a look at the files, a check, and when to look
// again. It returns data; the caller formats it.
package watch

import (
	"context"
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/lint"
)

// Options are the inputs and callbacks of the loop.
type Options struct {
	// Look returns the files that exist. It reads no input.
	Look func(context.Context) (Look, error)
	// Check checks all inputs.
	Check func(context.Context) (*Checked, error)
	// Wait returns when something may have changed, and when the context ends.
	Wait func(context.Context)
	// Report is called with what each check found. It ends the loop if it returns true.
	Report func(context.Context, *Round) (done bool, err error)
	// Trouble is called with the reason why nothing can be checked now, once per reason.
	Trouble func(error)
}

// Checked is the outcome of a check.
type Checked struct {
	Report   *lint.Report
	Messages map[mail.Ref]bool // the messages that were checked
}

// Round is what one check found, compared with those before.
type Round struct {
	First    bool
	Changed  []string // paths, sorted
	Resolved []*lint.Finding
	Appeared []*lint.Finding
	Replies  []Reply // in the order of the report
	Report   *lint.Report
}

// Reply is a message that arrived after the first check, with its findings.
type Reply struct {
	Message  mail.Ref
	Findings []*lint.Finding
}

// Run checks until the context ends or Report returns true. It returns the last report;
// the error is from the first check or from Report.
func Run(ctx context.Context, o Options) (*lint.Report, error) {
	var (
		m       = memory{messages: map[mail.Ref]bool{}}
		last    *lint.Report
		seen    Look   // at the last check
		checked Look   // at the last check that worked
		trouble string // why none has worked since
	)
	for {
		now, c, err := o.check(ctx, seen)
		seen = now
		switch {
		case err != nil && last == nil:
			return nil, err
		case err != nil && ctx.Err() == nil && err.Error() != trouble:
			trouble = err.Error()
			o.Trouble(err)
		case c != nil && err == nil:
			r := m.compare(c)
			if last == nil {
				r.First, r.Replies = true, nil
			} else {
				r.Changed = checked.Changed(seen)
			}
			last, checked, trouble = c.Report, seen, ""
			if done, err := o.Report(ctx, r); done || err != nil {
				return last, err
			}
		}
		if o.Wait(ctx); ctx.Err() != nil {
			return last, nil //nolint:nilerr // the caller ends the watch
		}
	}
}

// maxChecks bounds the checks for one change: mail may come faster than it is checked.
const maxChecks = 4

// check checks if a file changed since it was seen, and again if one changed meanwhile: a file
// that is being replaced may be missing in the report. It returns what was seen before the last
// check, and nothing checked if nothing changed.
func (o *Options) check(ctx context.Context, seen Look) (_ Look, c *Checked, err error) {
	now, err := o.Look(ctx)
	if err != nil {
		return seen, nil, err
	}
	for n := 0; n < maxChecks && err == nil && (seen == nil || len(seen.Changed(now)) > 0); n++ {
		seen = now
		if c, err = o.Check(ctx); err != nil {
			return seen, nil, err
		}
		now, err = o.Look(ctx)
	}
	return seen, c, nil //nolint:nilerr // the next look has the same error
}

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
			r.Resolved = append(r.Resolved, f)
		}
	}
	for _, f := range c.Report.Findings {
		if !before[f.Fingerprint] {
			r.Appeared = append(r.Appeared, f)
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
