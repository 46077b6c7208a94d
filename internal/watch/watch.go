// Package watch checks inputs once, then again whenever they change, and reports, by
// fingerprint, which findings are new and which are resolved.
//
// The loop gets all its inputs from its options: a look at the files, a check, and when to look
// again. It returns data; the caller formats it.
package watch

import (
	"context"
	"maps"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/lint"
)

// Options are the inputs and callbacks of the loop.
type Options struct {
	// Look returns the files that exist. It reads no input.
	Look func(context.Context) (Look, error)
	// Check checks all inputs. It also returns the messages that were checked.
	Check func(context.Context) (*lint.Report, map[mail.Ref]bool, error)
	// Wait returns when something may have changed, and when the context ends.
	Wait func(context.Context)
	// Report is called with what each check found. It ends the loop if it returns true.
	Report func(context.Context, *Round) (done bool, err error)
	// OnError is called with the reason why nothing can be checked now, once per reason.
	OnError func(error)
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

// maxChecks bounds the checks for one change: mail may come faster than it is checked.
const maxChecks = 4

// Run checks until the context ends or Report returns true. It returns the last report;
// the error is from the first check or from Report.
func Run(ctx context.Context, o Options) (last *lint.Report, _ error) {
	m := memory{messages: map[mail.Ref]bool{}}
	var seen, reported Look // at the last check, and at the last one that was reported
	trouble := ""           // why none has worked since
	for {
		now, err := o.Look(ctx)
		var rep *lint.Report
		var messages map[mail.Ref]bool
		// If a file changed meanwhile, check again: one that is being replaced may be missing in
		// the report. If it cannot be looked at, the next look has the same error.
		var lookErr error
		for n := 0; n < maxChecks && err == nil && lookErr == nil && (seen == nil || len(seen.Changed(now)) > 0); n++ {
			seen = now
			if rep, messages, err = o.Check(ctx); err == nil {
				now, lookErr = o.Look(ctx)
			}
		}
		switch {
		case err != nil && last == nil:
			return nil, err
		case err != nil && ctx.Err() == nil && err.Error() != trouble:
			trouble = err.Error()
			o.OnError(err)
		case err == nil && rep != nil:
			r := m.compare(rep, messages)
			if r.First = last == nil; r.First {
				r.Replies = nil
			} else {
				r.Changed = reported.Changed(seen)
			}
			last, reported, trouble = rep, seen, ""
			if done, err := o.Report(ctx, r); done || err != nil {
				return last, err
			}
		}
		if o.Wait(ctx); ctx.Err() != nil {
			return last, nil //nolint:nilerr // the caller ends the watch
		}
	}
}

// memory holds what the checks so far have found.
type memory struct {
	known    []*lint.Finding // in the order of the reports
	messages map[mail.Ref]bool
}

// compare records the outcome of a check, and returns what is new and what is resolved.
func (m *memory) compare(rep *lint.Report, messages map[mail.Ref]bool) *Round {
	r := &Round{Report: rep, Replies: m.replies(rep, messages)}
	type atLevel struct { // the configuration may change it
		fingerprint string
		severity    lint.Severity
	}
	before, now := map[atLevel]bool{}, map[atLevel]bool{}
	for _, f := range m.known {
		before[atLevel{f.Fingerprint, f.Severity}] = true
	}
	unreadable := map[string]bool{} // nothing in it is resolved
	for _, f := range rep.Findings {
		is := atLevel{f.Fingerprint, f.Severity}
		now[is] = true
		if !before[is] {
			r.Appeared = append(r.Appeared, f)
		}
		if f.Unreadable {
			unreadable[f.Path] = true
		}
	}
	// The rule that says which input is unreadable may not be selected.
	unknown := len(rep.Failures) > 0 || rep.Unreadable && len(unreadable) == 0
	known := rep.Findings[:len(rep.Findings):len(rep.Findings)]
	for _, f := range m.known {
		switch {
		case now[atLevel{f.Fingerprint, f.Severity}]:
		case unknown || unreadable[f.Path]:
			known = append(known, f)
		default:
			r.Resolved = append(r.Resolved, f)
		}
	}
	m.known = known
	maps.Copy(m.messages, messages)
	return r
}

// replies returns the new messages that have findings.
func (m *memory) replies(rep *lint.Report, messages map[mail.Ref]bool) (out []Reply) {
	first := map[mail.Ref]mail.Ref{} // of those that differ only in their projects
	for key := range messages {
		unnamed := mail.Ref{Thread: key.Thread, ID: key.ID}
		if known, ok := first[unnamed]; !ok || key.Project < known.Project {
			first[unnamed] = key
		}
	}
	at := map[mail.Ref]int{}
	for _, f := range rep.Findings {
		key := mail.Ref{Project: f.Project(), Thread: f.Thread, ID: f.MessageID}
		if key.Project == "" { // a fault of the input
			key = first[key]
		}
		if !messages[key] || m.messages[key] {
			continue
		}
		if _, ok := at[key]; !ok {
			at[key] = len(out)
			out = append(out, Reply{Message: key})
		}
		r := &out[at[key]]
		r.Findings = append(r.Findings, f)
	}
	return out
}
